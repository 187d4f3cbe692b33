//! `babson serve`: a server for databases of games, with a page for the browser.
//!
//! ```text
//! connections ──> routes ── guard ──> search, group, game ──> babson::Scan
//!  (slow, many)      └──> page          (gate: some run, some wait)
//! ```
//!
//! It answers the calls of `babson-api` over HTTP, and gives the page from its binary. It is made
//! to be safe for strangers: a query reaches no files and no programs, everything has a limit, and
//! what one request does ends no other one. The book tells how to run it, and what strangers can
//! do (`docs/src/serve.md`).
//!
//! Start with [`Server`] and [`ServeConfig`].
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

// One module needs it: see `truncation`.
#![deny(unsafe_code)]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod call;
mod config;
mod connections;
mod databases;
mod error;
mod game;
mod gate;
mod group;
mod guard;
mod job;
mod limits;
mod lines;
mod metrics;
mod page;
mod phase;
mod reachable;
mod respond;
mod routes;
mod search;
mod server;
mod state;
#[cfg(unix)]
#[expect(unsafe_code, reason = "a handler of a signal replaces a page of memory")]
mod truncation;

pub use config::{DatabaseSpec, Log, ServeConfig};
pub use error::ServeError;
pub use limits::{DEFAULT_MAX_MATCHES, DEFAULT_TIMEOUT, ServeLimits};
pub use server::{Server, Stopper};

/// The paths of all calls, for the test of the document that describes them.
#[doc(hidden)]
pub fn call_paths() -> Vec<String> {
    call::Call::all().map(call::Call::path).collect()
}
