//! Names in messages.

use std::ffi::OsStr;

use babson::command::terminal::Shown;

/// Names in messages: of files, of members of archives, of queries.
pub(crate) trait ShowName {
    /// The name with its control characters escaped, also where standard error is not a terminal:
    /// a name with a line feed must not forge a line of a log.
    fn shown(&self) -> String;
}

impl<T: AsRef<OsStr> + ?Sized> ShowName for T {
    fn shown(&self) -> String {
        Shown(&self.as_ref().to_string_lossy()).to_string()
    }
}
