//! What a query reaches outside of the games.
//!
//! This crate opens no files and starts no processes. Whoever runs a query hands in a [`Host`] that
//! does it, in [`RunOptions::host`](crate::RunOptions::host) and
//! [`CompileOptions::host`](crate::CompileOptions::host).

use std::fmt::Debug;
use std::io;
use std::time::Duration;

use crate::limits::MAX_PIPE_ANSWER;

/// What a query reaches outside of the games. All threads of a run share it.
///
/// A host that serves `readfile` from memory:
///
/// ```
/// use std::collections::HashMap;
/// use std::io;
/// use std::sync::Arc;
///
/// use babson_lang::{Dialect, analyze};
/// use babson_vm::{Host, HostError, Machine, Program, RunOptions};
///
/// #[derive(Debug)]
/// struct MemoryHost(HashMap<String, Vec<u8>>);
///
/// impl Host for MemoryHost {
///     fn read_file(&self, name: &str, limit: usize) -> Result<Vec<u8>, HostError> {
///         match self.0.get(name) {
///             None => Err(io::Error::from(io::ErrorKind::NotFound).into()),
///             Some(text) if text.len() > limit => {
///                 Err(io::Error::from(io::ErrorKind::FileTooLarge).into())
///             }
///             Some(text) => Ok(text.clone()),
///         }
///     }
/// }
///
/// let files = HashMap::from([("names.cqo".to_owned(), b"Morphy".to_vec())]);
/// let options = RunOptions { host: Arc::new(MemoryHost(files)), ..RunOptions::default() };
/// let query = analyze(r#"cqlbegin { message(readfile "names.cqo") } true"#, Dialect::CQLI);
/// let program = Program::compile(&query.unwrap().query).unwrap();
/// assert_eq!(Machine::new(program.clone()).begin(&options, None).messages, b"Morphy\n");
/// ```
pub trait Host: Debug + Send + Sync {
    /// The content of a file, for `readfile` and `similarposition`. The name is as the query has
    /// it.
    ///
    /// # Errors
    /// [`io::ErrorKind::FileTooLarge`] if the file has more than `limit` bytes; otherwise any
    /// reason. A host that does not have the method refuses.
    fn read_file(&self, name: &str, limit: usize) -> Result<Vec<u8>, HostError> {
        let _ = (name, limit);
        Err(HostError::Refused)
    }

    /// Writes `text` to a file, for `writefile`: at its end if `append`, otherwise in place of what
    /// it holds.
    ///
    /// # Errors
    /// Any reason. A host that does not have the method refuses.
    fn write_file(&self, name: &str, text: &[u8], append: bool) -> Result<(), HostError> {
        let _ = (name, text, append);
        Err(HostError::Refused)
    }

    /// Starts a program for `commandpipe`. The first word of the command names it, the others are
    /// its arguments.
    ///
    /// # Errors
    /// Any reason. A host that does not have the method refuses.
    fn start_program(&self, command: &[String]) -> Result<Box<dyn Pipe>, HostError> {
        let _ = command;
        Err(HostError::Refused)
    }

    /// The time since a moment that does not change, for profiles. It never goes back. For a host
    /// that does not have the method no time goes by.
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A conversation of a `commandpipe` with a program: for each request, which is a line, the program
/// answers with a line (`docs/src/command-pipe.md`). A conversation that is dropped ends.
pub trait Pipe: Debug + Send {
    /// Sends a request and returns the answer. Neither has an end of line. An answer may have up to
    /// [`MAX_PIPE_ANSWER`](crate::MAX_PIPE_ANSWER) bytes.
    ///
    /// # Errors
    /// The program gives no answer, or more than one. The caller then drops the pipe.
    fn ask(&mut self, request: &[u8]) -> Result<Vec<u8>, PipeError>;

    /// Ends the conversation.
    ///
    /// # Errors
    /// [`PipeError::Unasked`] if the program has written more than its answers.
    fn close(&mut self) -> Result<(), PipeError>;
}

/// Why a [`Pipe`] has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PipeError {
    /// The program ended.
    #[error("it ended without an answer{}", in_parentheses(.0))]
    Ended(
        /// How it ended, if that is known: `exit status: 1`.
        Option<String>,
    ),
    /// The program did not answer in this time.
    #[error("no answer within {} s", .0.as_secs_f64())]
    Late(Duration),
    /// The answer is longer than [`MAX_PIPE_ANSWER`](crate::MAX_PIPE_ANSWER).
    #[error("its answer has more than {MAX_PIPE_ANSWER} bytes")]
    TooLong,
    /// The program wrote something that it was not asked for. All its answers may be wrong, since
    /// an additional line shifts those after it, so this ends the run.
    #[error("it wrote more than one line for a request")]
    Unasked,
}

fn in_parentheses(status: &Option<String>) -> String {
    status.as_ref().map_or_else(String::new, |status| format!(" ({status})"))
}

/// Why a [`Host`] did not do something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// Queries may not do it.
    #[error("it is not allowed here")]
    Refused,
    /// It failed.
    #[error(transparent)]
    Failed(#[from] io::Error),
}

/// The host that refuses everything: the default. A query that names a file or a program ends the
/// run, or does not compile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusingHost;

impl Host for RefusingHost {}
