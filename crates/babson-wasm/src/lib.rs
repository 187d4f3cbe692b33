//! Babson in the browser: the calls of `babson serve` as functions of WebAssembly.
//!
//! ```text
//! JavaScript ── exports ──> TextCall                      check, complete, hover, format, …
//!                  ├──────> Opening ────> Databases       open: PGN and tables where they are
//!                  ├──────> Databases                     databases, game
//!                  └──────> SearchRun, GroupRun, WhyRun   search, group and why, slice by slice
//! ```
//!
//! Bodies and answers are JSON, as the server has them (`docs/src/serve.md#the-api`); an error is
//! thrown as the text of its answer. The module has no thread: a worker of the page calls it, and a
//! search gives the control back after some milliseconds ([`SearchRun::step`]), so that it can be
//! cancelled and its first matches are shown while it goes on. Databases are files of the
//! user, or bytes in memory, and nothing leaves the browser.
//!
//! `cargo xtask wasm` builds the package, and tests it in node.
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

#![forbid(unsafe_code)]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod calls;
mod clock;
mod database;
pub mod exports;
mod groups;
mod js_file;
mod limits;
mod opening;
mod places;
mod search;
mod source;
mod why;

pub use calls::game;
pub use database::{Database, Databases};
pub use groups::GroupRun;
pub use opening::Opening;
pub use search::SearchRun;
pub use source::ByteSource;
pub use why::{WhyRun, why};
