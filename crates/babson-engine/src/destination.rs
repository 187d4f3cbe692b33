//! Where the bytes of an output go: a file, many files, standard output.

use std::io::Write;
use std::path::PathBuf;

use babson_input::UsedOnce;

use crate::pattern::NamePattern;

/// Where bytes go.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Destination {
    /// A file. It is replaced when the run is complete.
    File(PathBuf),
    /// A file to which the output is appended when the run is complete.
    Append(PathBuf),
    /// Many files: one for each name that the pattern gives to a game.
    Split {
        /// The names of the files.
        pattern: NamePattern,
        /// Whether the files are appended to, as with [`Destination::Append`].
        append: bool,
    },
    /// Standard output. On a terminal, control characters are escaped.
    Stdout,
    /// A writer of the caller: [`Destination::writer`].
    Writer(DestinationWriter),
}

impl Destination {
    /// A writer of the caller, such as a socket, with its name in messages. It takes one output,
    /// which is written as the matches come, and flushed when the search waits for more games. If
    /// it fails with [`BrokenPipe`](std::io::ErrorKind::BrokenPipe), nobody reads the output any
    /// more: it is treated like a pipe.
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// use babson_engine::{
    ///     Destination, FileFormat, FileSink, Input, Job, Settings, Silent, Task, scan,
    /// };
    /// use babson_lang::{Dialect, analyze};
    ///
    /// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
    /// let (mut reader, writer) = std::io::pipe()?;
    /// let sink = FileSink::new(FileFormat::Epd, Destination::writer("the pipe", writer));
    /// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n");
    /// let task = Task::new(job).sink(sink);
    /// scan(&[games], vec![task], &Settings::default(), &mut Silent)?;
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert!(text.contains("id \"game 1,"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn writer(name: impl Into<String>, writer: impl Write + Send + 'static) -> Destination {
        Destination::Writer(DestinationWriter(UsedOnce::new(name.into(), Box::new(writer))))
    }

    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Destination::File(path) | Destination::Append(path) => path.display().to_string(),
            Destination::Split { pattern, .. } => pattern.text().to_owned(),
            Destination::Stdout => "stdout".to_owned(),
            Destination::Writer(writer) => writer.0.name().to_owned(),
        }
    }

    /// The pattern of the names, if the output is many files.
    pub(crate) fn pattern(&self) -> Option<&NamePattern> {
        match self {
            Destination::Split { pattern, .. } => Some(pattern),
            Destination::File(_)
            | Destination::Append(_)
            | Destination::Stdout
            | Destination::Writer(_) => None,
        }
    }

    /// Whether files that exist are appended to.
    pub(crate) fn appends(&self) -> bool {
        matches!(self, Destination::Append(_) | Destination::Split { append: true, .. })
    }

    /// Whether whoever reads the output waits for it, and does not wait for its end.
    pub(crate) fn is_stream(&self) -> bool {
        matches!(self, Destination::Stdout | Destination::Writer(_))
    }
}

/// A writer as a destination, with its name in messages. Clones share the writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DestinationWriter(UsedOnce<dyn Write + Send>);

impl DestinationWriter {
    /// The writer, if it has no output yet.
    pub(crate) fn take(&self) -> Option<Box<dyn Write + Send>> {
        self.0.take()
    }
}

/// Where the part of a slice goes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartDestination {
    /// A file. It is replaced when the part is complete.
    File(PathBuf),
    /// Standard output.
    Stdout,
}

impl From<&PartDestination> for Destination {
    fn from(part: &PartDestination) -> Destination {
        match part {
            PartDestination::File(path) => Destination::File(path.clone()),
            PartDestination::Stdout => Destination::Stdout,
        }
    }
}

/// How the files of a [`Destination::Split`] are made.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SplitRules {
    /// Whether missing folders are created.
    pub create_directories: bool,
    /// Whether a file that already exists is an error.
    pub no_clobber: bool,
    /// How many files are open at a time, at least 1. The others are reopened for their next game.
    pub max_open: usize,
    /// Whether the files are only named and counted. No output of the scan is written then.
    pub dry_run: bool,
}

impl Default for SplitRules {
    fn default() -> SplitRules {
        SplitRules { create_directories: false, no_clobber: false, max_open: 100, dry_run: false }
    }
}
