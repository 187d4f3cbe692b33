//! Files on servers and in object stores, which are read over the network.
//!
//! ```text
//! RemoteFile ── Connection ── object_store ──> server
//!   │  └─ RemoteText: the bytes in order, goes on where a connection broke off
//!   └─ RemoteRanges: blocks of a table, joined, several at once
//!        └─ BlockCache: those that are kept, up to a limit
//! ```
//!
//! Nothing here prints a URL as it was given: its query may be a signature.

#[cfg(all(feature = "remote", feature = "table"))]
mod blocks;
#[cfg(feature = "remote")]
mod connection;
#[cfg(feature = "remote")]
mod failure;
mod name;
#[cfg(feature = "remote")]
mod patience;
#[cfg(feature = "remote")]
mod per_process;
#[cfg(all(feature = "remote", feature = "table"))]
mod ranges;
#[cfg(not(feature = "remote"))]
#[path = "no_remote.rs"]
mod remote_file;
#[cfg(feature = "remote")]
mod remote_file;
#[cfg(feature = "remote")]
mod text;

#[cfg(all(test, feature = "remote", feature = "table"))]
mod tests;

use std::path::Path;

pub use name::is_remote_name;
pub use remote_file::RemoteFile;

/// What was read of a file over the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// The requests that were sent, with the repeated ones.
    pub requests: u64,
    /// The bytes of the file that came, with those that came twice.
    pub bytes: u64,
}

/// Whether the user of a URL with this scheme is the name of a container.
fn is_azure(scheme: &str) -> bool {
    ["az", "adl", "azure", "abfs", "abfss"].iter().any(|azure| scheme.eq_ignore_ascii_case(azure))
}

/// The name of a remote file in messages: without the query of a URL, which may be a signature, and
/// without a user and a password.
fn without_query(name: &Path) -> String {
    let name = name.display().to_string();
    let name = name.split(['?', '#']).next().unwrap_or_default();
    match name.split_once("://") {
        Some((scheme, rest)) => {
            let rest = match rest.rsplit_once('@') {
                // A password may contain a slash.
                Some((user, host)) if user.contains(':') => host,
                // The container in az://container@account/path is not a secret.
                Some((user, host)) if !user.contains('/') && !is_azure(scheme) => host,
                Some(_) | None => rest,
            };
            format!("{scheme}://{rest}")
        }
        None => name.to_owned(),
    }
}
