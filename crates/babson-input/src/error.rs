//! What can go wrong with inputs.

use std::fmt;
use std::io;

use babson_pgn::{NOT_PGN, Shown};
#[cfg(feature = "table")]
use babson_table::TableError;
use babson_vm::{BrokenInput, InputFailure, InputReason};

/// Why an input cannot be read. Damaged games are not errors of this kind.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// An input cannot be opened or read.
    #[error("cannot read {}: {source}", Shown(path))]
    Read {
        /// The input as it was named.
        path: String,
        /// The system's reason.
        source: io::Error,
    },
    /// An input file changed while it was read, so what was read may be a mixture of its old and
    /// its new contents.
    #[error(
        "cannot read {}: it was changed while it was read ({change}); no output file is written",
        Shown(path)
    )]
    Changed {
        /// The input as it was named.
        path: String,
        /// What changed.
        change: FileChange,
    },
    /// A compressed input is broken.
    #[error("cannot decompress {}: {source}", Shown(path))]
    Decompress {
        /// The input as it was named.
        path: String,
        /// The decoder's reason.
        source: io::Error,
    },
    /// An input has text, but no game.
    #[error("cannot read {}: {NOT_PGN}", Shown(path))]
    NotPgn {
        /// The input as it was named.
        path: String,
    },
    /// A game table cannot be read.
    #[cfg(feature = "table")]
    #[error("cannot read {}: {source}", Shown(path))]
    Table {
        /// The input as it was named.
        path: String,
        /// What is wrong with it.
        source: TableError,
    },
    /// The text of a game that is too long to be read cannot be kept in a temporary file.
    #[error("cannot write {LONG_FILE}: {source}")]
    LongText {
        /// The system's reason.
        source: io::Error,
    },
}

/// The name of the temporary file of a long game in messages.
pub(crate) const LONG_FILE: &str = "the file of a long game";

impl InputError {
    /// The report of an input with this error; none if the error does not come from one input
    /// alone, or if what was read of the input cannot be trusted, because it has changed.
    pub fn broken_input(&self) -> Option<BrokenInput> {
        let (path, failure, reason) = match self {
            InputError::Read { path, source } => {
                (path, InputFailure::Read, InputReason::of(source))
            }
            InputError::Decompress { path, source } => {
                (path, InputFailure::Decompress, InputReason::of(source))
            }
            InputError::NotPgn { path } => (path, InputFailure::NotPgn, InputReason::NotPgn),
            #[cfg(feature = "table")]
            InputError::Table { path, source } => {
                let is_damaged = matches!(source, TableError::Damaged(_));
                let failure = if is_damaged { InputFailure::Table } else { InputFailure::Read };
                (path, failure, InputReason::Table(source.to_string()))
            }
            InputError::Changed { .. } | InputError::LongText { .. } => return None,
        };
        Some(BrokenInput::new(path.clone(), failure, reason))
    }

    /// Adds to the message of [`InputError::Read`] or [`InputError::Decompress`] that `games` games
    /// of the input were read before the error. Leaves any other error as it is.
    pub fn after(mut self, games: u64) -> InputError {
        let report = self.broken_input();
        if let Some(mut report) = report
            && let InputError::Read { source, .. } | InputError::Decompress { source, .. } =
                &mut self
        {
            report.games = games;
            *source = io::Error::new(source.kind(), AfterGames::from(report));
        }
        self
    }
}

/// Why an input could not be read, with the number of its games that were read.
#[derive(Debug, thiserror::Error)]
#[error("{full_reason}")]
struct AfterGames {
    full_reason: String,
    #[source]
    reason: InputReason,
}

impl From<BrokenInput> for AfterGames {
    fn from(input: BrokenInput) -> AfterGames {
        AfterGames { full_reason: input.full_reason(), reason: input.reason }
    }
}

/// The error of an input with this report.
impl From<BrokenInput> for InputError {
    fn from(input: BrokenInput) -> InputError {
        let (path, failure) = (input.input.clone(), input.failure);
        let source = io::Error::new(io::ErrorKind::InvalidData, AfterGames::from(input));
        match failure {
            InputFailure::Decompress => InputError::Decompress { path, source },
            InputFailure::NotPgn => InputError::NotPgn { path },
            InputFailure::Read | InputFailure::Table | _ => InputError::Read { path, source },
        }
    }
}

/// How a file changed while it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileChange {
    /// It grew or shrank.
    Length {
        /// Its length in bytes when the scan opened it.
        before: u64,
        /// Its length in bytes when the change was detected.
        now: u64,
    },
    /// It was written to, and its length is still the same.
    Contents,
    /// Another file has its name now.
    Replaced,
    /// The server has another version of it now, as its ETag, its length or the time of its last
    /// change tells.
    Version,
}

impl fmt::Display for FileChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileChange::Length { before, now } => {
                write!(f, "it had {before} bytes, now it has {now}")
            }
            FileChange::Contents => f.write_str("it was written to, with the same length"),
            FileChange::Replaced => f.write_str("another file has its name now"),
            FileChange::Version => f.write_str("the server has another version of it now"),
        }
    }
}
