//! Game tables for Babson: the games of a database as the columns of an Arrow IPC file.
//!
//! * [`schema`] has the table of columns and the metadata of a table.
//! * [`Rows`] are the rows of some games. Threads can make rows of different games at once.
//! * [`TableWriter`] takes rows in the order of the games and writes the table, or a longer one of
//!   a table that is there: [`TableWriter::after`].
//! * [`Table`] reads a table without a copy; a [`Batch`] has the columns that the caller names.
//! * [`TableSource`] is where the bytes of a table are: in memory, or far away.
//!
//! The crate opens no files: a caller hands in the bytes of a table, which may be a mapped file, or
//! a source that reads ranges of them.
//!
//! ```
//! use std::io::Cursor;
//!
//! use babson_pgn::{Games, Needs, Reader};
//! use babson_table::{Column, ColumnSet, Compression, GameOrigin, Rows, Table, TableWriter};
//!
//! let pgn = b"[White \"Adams\"]\n\n1. e4 e5 2. Qh5 1-0\n";
//! let mut reader = Reader::new();
//! let mut rows = Rows::default();
//! for (offset, text) in Games::new(pgn) {
//!     let game = reader.read(text, Needs::ALL);
//!     let (offset, length) = (offset as u64, game.text().len() as u64);
//!     let origin = GameOrigin { input: "a.pgn", number: 1, offset, length, line: 1 };
//!     rows.add(&game, origin);
//! }
//! let mut writer = TableWriter::new(Cursor::new(Vec::new()), "example");
//! writer.append(&rows)?;
//! let mut file = Vec::new();
//! writer.finish(&mut file, Compression::None)?;
//!
//! let table = Table::open(file.into())?;
//! let columns = ColumnSet::of(&[Column::footprint(4), Column::WHITE]);
//! let batch = table.batch(0, columns)?;
//! assert_eq!(batch.footprint(4), [1 << 3 | 1 << 39]); // the queen on d1 and h5
//! let names = table.texts(Column::WHITE)?;
//! assert_eq!(batch.text(Column::WHITE, 0, &names), Some("Adams"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/src/tables.md` describes the files.
//!
//! The glossary, `docs/src/glossary.md` in the repository, explains the terms.

#![forbid(unsafe_code)]
// `clippy.toml` keeps the crate pure. Tests read the corpus.
#![cfg_attr(test, allow(clippy::disallowed_methods))]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod batch;
mod checksums;
mod compression;
mod error;
mod frame;
mod interner;
mod layout;
mod limits;
mod match_row;
mod matches;
mod open;
mod other_formats;
#[cfg(feature = "parquet")]
mod parquet_file;
#[cfg(feature = "parquet")]
mod parquet_games;
mod read;
mod rewritten;
mod row_sums;
mod rows;
pub mod schema;
mod source;
mod stored_rows;
mod table_file;
#[cfg(test)]
mod tests;
mod write;

pub use batch::{Batch, StoredGame, TextNumbers, Texts};
pub use compression::Compression;
pub use error::{TableError, WriteError};
pub use limits::MAX_BATCH_ROWS;
pub use match_row::{FieldRow, MatchQuery, MatchRow, PositionRow, SortCell, SortType};
pub use read::Table;
pub use rows::{GameOrigin, Rows};
pub use schema::{Column, ColumnSet};
pub use source::TableSource;
pub use stored_rows::AllTexts;
pub use write::{TableSize, TableWriter};
