//! The search of a text for a query, without files and threads: [`GameStream`] cuts bytes into
//! games, and [`GameRun`] runs one query on them. [`GameDamages`] collects what the readings of a
//! game find damaged.
//!
//! Reading and evaluation are separate steps, so that several queries can share one reading.
//!
//! ```
//! use babson_lang::{Dialect, analyze};
//! use babson_pgn::Reader;
//! use babson_vm::run::{GameAnswer, GameRun, GameStream};
//! use babson_vm::{Program, RunOptions};
//!
//! let query = analyze("mate", Dialect::CQLI).unwrap().query;
//! let (program, options) = (Program::compile(&query).unwrap(), RunOptions::default());
//! let mut run = GameRun::new(program, options);
//! let text = "[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Bob\"]\n\n1. d4 *\n";
//! let (mut stream, mut reader) = (GameStream::new(text.as_bytes()), Reader::new());
//! let mut answers = Vec::new();
//! while let Some(game) = stream.next_game()? {
//!     let read = reader.read(game.text, run.needs());
//!     answers.push(run.search(&read, answers.len() as u64 + 1));
//! }
//! assert_eq!(answers, [GameAnswer::Match, GameAnswer::NoMatch]);
//! # Ok::<(), std::io::Error>(())
//! ```

mod damages;
mod game_run;
mod game_text;
mod row_name;
mod run_end;
mod search;
mod source;
mod stream;

pub use crate::limits::{MAX_GAME, MAX_LOOK_BACK};
pub use damages::{DamageSummary, GameDamages, LineCounter, ReadPurpose, overlong_game};
pub use game_run::{GameAnswer, GameRange, GameRun, is_inside, last_read};
pub use game_text::GameText;
pub use row_name::RowName;
pub use run_end::{GameFailure, Replay, RunEnd};
pub use search::{Search, SearchCounts, SearchError, SearchEvents, SearchStep};
pub use source::{GameSource, NextGame, RowGame, SourceGame};
pub use stream::{ForeignText, GameStream, StreamGame};
