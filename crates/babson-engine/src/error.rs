//! What can go wrong with inputs and outputs.

use std::io;

/// Why a scan could not be done. Damaged games and run-time errors of single games are no errors
/// of this kind: they are counted in the [`Summary`](crate::Summary).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input cannot be opened or read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The input as it was named.
        path: String,
        /// The system's reason.
        source: io::Error,
    },
    /// A compressed input is broken.
    #[error("cannot decompress {path}: {source}")]
    Decompress {
        /// The input as it was named.
        path: String,
        /// The decoder's reason.
        source: io::Error,
    },
    /// An output cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The output as it was named.
        path: String,
        /// The system's reason.
        source: io::Error,
    },
    /// An output is an input, or another output, under the same name or another.
    #[error("{output} is both {role}: an output needs a file of its own")]
    SameFile {
        /// The output as it was named.
        output: String,
        /// What else it is.
        role: String,
    },
    /// The readers of all that is still to be written went away: not a failure, but the end.
    #[error("nobody reads the output")]
    ClosedPipe,
    /// A failed `assert`, `cql_abort`, or a failed `readfile`/`writefile`: the query ended the run.
    #[error("{message} ({})", place(*game))]
    Stopped {
        /// Game number; 0 before the first game or after the last one.
        game: u64,
        /// What the machine said.
        message: String,
    },
    /// The query needs something that this input cannot give.
    #[error("{0}")]
    Refused(String),
}

/// How messages name a game; 0 is outside of all.
fn place(game: u64) -> String {
    match game {
        0 => "outside the games".to_owned(),
        _ => format!("game {game}"),
    }
}

impl Error {
    /// A write error, which for a closed pipe is [`Error::ClosedPipe`].
    pub(crate) fn write(path: &str, source: io::Error) -> Error {
        if source.kind() == io::ErrorKind::BrokenPipe {
            Error::ClosedPipe
        } else {
            Error::Write { path: path.to_owned(), source }
        }
    }
}
