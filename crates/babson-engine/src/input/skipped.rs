//! Files of folders, and members of archives, that are not read.

use std::ffi::OsStr;
use std::io::{self, Read};

use super::foreign::is_foreign_name;
use super::sniff::holds_pgn;

/// Why a file of a folder or a member of an archive is not read: see
/// [`Input::expand_with`](crate::Input::expand_with).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// Its name is that of games in a form that is not read:
    /// [`foreign_help`](crate::foreign_help).
    Foreign,
    /// Its text begins as PGN does ([`begins_as_pgn`](crate::begins_as_pgn)), and its name is not
    /// that of PGN.
    NotNamed,
    /// Neither its name nor its first bytes are those of PGN.
    NotPgn,
}

impl SkipReason {
    /// The reason for a file of this name, which is not a database. Only if the name tells nothing,
    /// its first bytes are read.
    pub(super) fn of(
        name: &OsStr,
        open: impl FnOnce() -> io::Result<Box<dyn Read + Send>>,
    ) -> SkipReason {
        if is_foreign_name(name) {
            return SkipReason::Foreign;
        }
        match open().and_then(|bytes| holds_pgn(bytes, name)) {
            Ok(true) => SkipReason::NotNamed,
            Ok(false) | Err(_) => SkipReason::NotPgn,
        }
    }
}
