//! Why the command ends, and with which exit code.

use babson_engine::Error;

/// What ended the command early; the number is the exit code (cli.md).
#[derive(Debug)]
pub(crate) enum Failure {
    /// The query has an error: 1. What there is to say was said.
    Query,
    /// The query ended the run, or cannot be run on this input: 1.
    Run(String),
    /// The command line has an error: 2.
    Usage(String),
    /// Input or output failed: 3.
    Io(String),
    /// The reader of our output went away: 0.
    ClosedPipe,
}

impl Failure {
    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Failure::ClosedPipe => 0,
            Failure::Query | Failure::Run(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Io(_) => 3,
        }
    }

    /// What is printed on standard error, if anything.
    pub(crate) fn message(&self) -> Option<&str> {
        match self {
            Failure::ClosedPipe | Failure::Query => None,
            Failure::Run(text) | Failure::Usage(text) | Failure::Io(text) => Some(text),
        }
    }

    /// A failure to write to standard output or standard error.
    pub(crate) fn console(error: std::io::Error) -> Failure {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            Failure::ClosedPipe
        } else {
            Failure::Io(format!("cannot write stdout: {error}"))
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::ClosedPipe => Failure::ClosedPipe,
            Error::SameFile { .. } => Failure::Usage(error.to_string()),
            Error::Stopped { .. } | Error::Refused(_) => Failure::Run(error.to_string()),
            other => Failure::Io(other.to_string()),
        }
    }
}
