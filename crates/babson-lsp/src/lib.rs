//! `babson lsp`: the language server, which tells editors about queries of CQL.
//!
//! ```text
//! client ── transport ───> server ──> requests ── answers ──> babson-ide (pure)
//!                            │  └──> diagnostics, run ──────> babson
//!                            └── documents, settings (snapshots)
//! ```
//!
//! All that is known about a query comes from `babson-ide`, as plain data with places in bytes.
//! This crate has the protocol: the open documents, positions in the units of the client, settings,
//! requests that are no longer wanted, and the search of the workspace's database. The book's page
//! `docs/src/editors.md` tells how to use it.
//!
//! Start with [`serve`].
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

#![forbid(unsafe_code)]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod actions;
mod capabilities;
mod checker;
mod client;
mod commands;
mod database_tags;
mod databases;
mod diagnostics;
mod documents;
mod edits;
mod failure;
mod files;
mod game;
mod lens;
mod library;
mod limits;
mod navigate;
mod parent;
mod pool;
mod positions;
mod projects;
mod requests;
mod run;
mod run_result;
mod server;
mod settings;
mod snapshot;
mod structure;
#[cfg(test)]
mod tests;
mod transport;
mod walk;
mod workspace;
mod writing;

use std::fmt;

/// Why a server ended before its client asked it to.
#[derive(Debug)]
pub enum LspError {
    /// The client went away, or ended the server without `shutdown`.
    ClientGone,
    /// The process that started the server has ended, as the client named it.
    ParentGone,
    /// The client wrote what is not a message of the protocol.
    Protocol(String),
    /// A thread could not be started, or standard input or output failed.
    System(std::io::Error),
}

impl fmt::Display for LspError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LspError::ClientGone => f.write_str("the client went away without `shutdown`"),
            LspError::ParentGone => f.write_str("the process of the client has ended"),
            LspError::Protocol(why) => write!(f, "not a message of the protocol: {why}"),
            LspError::System(error) => write!(f, "the language server cannot go on: {error}"),
        }
    }
}

impl std::error::Error for LspError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LspError::System(error) => Some(error),
            LspError::ClientGone | LspError::ParentGone | LspError::Protocol(_) => None,
        }
    }
}

/// Serves one client on standard input and output, up to its `exit`.
///
/// # Errors
/// The client went away without `shutdown`, or standard input has something else than messages of
/// the protocol.
pub fn serve() -> Result<(), LspError> {
    let (connection, transport) = transport::stdio().map_err(LspError::System)?;
    let served = server::run(connection);
    if matches!(served, Err(LspError::ParentGone | LspError::System(_))) {
        // Standard input may stay open, and the thread that reads it does not end before it.
        return served;
    }
    let read = transport.join();
    // The reader knows better why no message came, also after `shutdown`.
    read.and(served)
}
