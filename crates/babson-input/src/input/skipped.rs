//! Files of folders, and members of archives, that are not read.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;

use super::foreign::{ForeignForm, is_foreign_name};
use super::sniff::holds_pgn;

/// Why a file of a folder or a member of an archive is not read: see
/// [`Input::expand_with`](crate::Input::expand_with).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// Its name says that it has games in a form that is not read:
    /// [`foreign_help`](crate::foreign_help).
    Foreign,
    /// Its text begins as PGN does ([`begins_as_pgn`](crate::begins_as_pgn)), and its name does not
    /// say so.
    NotNamed,
    /// Neither its name nor its first bytes say that it is PGN.
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

    /// The reason in words, for a member of an archive that the command line names.
    pub(super) fn told_of(self, member: &Path) -> String {
        match self {
            SkipReason::Foreign => {
                let form = ForeignForm::of_name(member.as_os_str());
                form.map(|form| form.refusal().to_string()).unwrap_or_default()
            }
            SkipReason::NotNamed => {
                "it begins as PGN does, but is not named so: unpack it and name it .pgn".to_owned()
            }
            SkipReason::NotPgn => "it is not PGN by its name or its first bytes; if it has games, \
                                   unpack it and name it .pgn"
                .to_owned(),
        }
    }
}
