//! Babson in the browser: the calls of `babson serve` as functions of WebAssembly.
//!
//! ```text
//! JavaScript ── exports ──> TextCall                      check, complete, hover, format, …
//!                  ├──────> Databases ──> Scan            open, databases, game, why, group
//!                  └──────> SearchRun ──> babson::search  search, a slice of time after the other
//! ```
//!
//! Bodies and answers are JSON, as the server has them (`docs/src/serve.md#the-api`); an error is
//! thrown as the text of its answer. The module has no thread: a worker of the page calls it, and a
//! search gives the control back after some milliseconds ([`SearchRun::step`]), so that it can be
//! cancelled and its first matches are shown while it goes on. Databases are bytes in memory, and
//! nothing leaves the browser.
//!
//! `cargo xtask wasm` builds the package, and tests it in node.
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

#![forbid(unsafe_code)]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod calls;
mod database;
pub mod exports;
mod limits;
mod reader;
mod search;

pub use calls::{game, group, why};
pub use database::{Database, Databases};
pub use search::SearchRun;
