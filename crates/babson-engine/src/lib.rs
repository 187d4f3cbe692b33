//! Babson's scanner: from the names of inputs to complete output files.
//!
//! [`scan`] runs a set of [`Job`]s (one query each) over the games of some [`Input`]s. Each game
//! is replayed once for all jobs. Damaged games are reported and searched as far as they go; all
//! that is told or written comes in game order and is the same for any number of threads.
//!
//! The terms are those of the glossary, `docs/src/glossary.md` in the repository.

mod chunk;
mod error;
mod identity;
mod input;
mod job;
mod ledger;
mod limits;
mod merge;
mod output;
mod pattern;
mod report;
mod scan;
mod sink;
mod split;
mod spool;
pub mod terminal;
mod text;
mod turn;
mod worker;

pub use babson_vm::kill_pipes;
pub use chunk::MAX_GAME;
pub use error::Error;
pub use identity::is_same_file;
pub use input::{Input, is_database_name};
pub use job::{Format, Job, Settings, Sink, TagChoice};
pub use ledger::{abandon_outputs, abandon_with_outputs};
pub use output::{Destination, Output, Outputs};
pub use pattern::NamePattern;
pub use report::{DamagedGame, JobSummary, Observer, Progress, Silent, Summary};
pub use scan::{count, scan, scan_held};
pub use sink::csv::plain_cell;
pub use split::SplitRules;
