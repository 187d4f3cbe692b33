//! The inputs of Babson: from the name of a database to its games.
//!
//! ```text
//! Input::expand ──> Input ── Cutter ──> Chunk ──> game
//!                    (PGN or a game table)
//! ```
//!
//! An [`Input`] is a file, plain or compressed, a member of a zip archive, a game table, a file on
//! a server, standard input, a reader, or bytes in memory. [`Input::games`] reads its games one
//! after another:
//!
//! ```no_run
//! use babson_input::Input;
//! use babson_pgn::{Needs, Reader};
//!
//! let mut reader = Reader::new();
//! for input in Input::expand("games.zip")? {
//!     for game in input.games() {
//!         let game = game?;
//!         let Ok(read) = game.read(&mut reader, Needs::TAGS) else { continue };
//!         println!("{}: {:?}", game.origin().number, read.tag(b"White"));
//!     }
//! }
//! # Ok::<(), babson_input::InputError>(())
//! ```
//!
//! A program that reads an input on several threads, as the scanner of `babson-engine` does, takes
//! its [chunks](mod@chunk).
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

pub mod chunk;
mod codec;
mod error;
mod file_number;
mod games;
mod input;
mod limits;
mod remote;
mod used_once;
#[cfg(all(feature = "ruzstd", any(test, not(feature = "zstd"))))]
mod zstd_frames;

#[cfg(feature = "table")]
pub use babson_table::{TableError, TableSource};
pub use codec::{Codec, Decoded, MAGIC_LEN};
pub use error::{FileChange, InputError};
pub use file_number::FileNumber;
pub use games::{InputGame, InputGames};
#[cfg(feature = "table")]
pub use input::TableSummary;
#[doc(hidden)]
pub use input::mapped_files;
pub use input::{
    Archive, ArchiveMember, DecompressedText, Input, InputReader, InputStamps, MappedFile,
    OpenInput, OpenTable, OpenedFile, SkipReason, Watch, begins_as_compressed, begins_as_pgn,
    begins_as_utf16, foreign_help, is_database_file, is_database_name, is_foreign_name,
    is_table_name, may_be_database_name,
};
pub use remote::{RemoteFile, Traffic, is_remote_name};
pub use used_once::UsedOnce;

/// The example of the README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
