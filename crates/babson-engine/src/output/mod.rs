//! Files that appear under their name only when they are complete, all together.

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::ledger::{self, Pending};
use crate::pattern::NamePattern;
use crate::terminal;

/// Where bytes go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A file; it is replaced when the run is complete.
    File(PathBuf),
    /// A file that grows when the run is complete.
    Append(PathBuf),
    /// Many files: one for each name that the pattern gives to a game.
    Split {
        /// Their names.
        pattern: NamePattern,
        /// Whether they grow, as with [`Destination::Append`].
        append: bool,
    },
    /// Standard output. What a terminal would take for commands is escaped there.
    Stdout,
}

impl Destination {
    /// How it is called in messages.
    pub fn name(&self) -> String {
        match self {
            Destination::File(path) | Destination::Append(path) => path.display().to_string(),
            Destination::Split { pattern, .. } => pattern.text().to_owned(),
            Destination::Stdout => "stdout".to_owned(),
        }
    }
}

/// An output that is being written.
///
/// A file is written beside its final place and gets its name from [`Outputs::complete`]; dropping
/// the output before that leaves what was there. Devices and pipes are written as they are. A pipe
/// whose reader has gone away takes all that is still written to it, and loses it.
pub struct Output {
    name: String,
    writer: BufWriter<Box<dyn Write + Send>>,
    pending: Option<Pending>,
    /// The file is closed until the next write.
    resting: bool,
    /// Nobody reads it any more.
    closed: bool,
    terminal: bool,
}

impl Output {
    /// Opens the output.
    ///
    /// # Errors
    /// If the file cannot be made, or is a directory.
    pub fn create(destination: &Destination) -> Result<Output, Error> {
        let name = destination.name();
        let fail = |source| Error::write(&name, source);
        let append = matches!(destination, Destination::Append(_));
        let (writer, pending): (Box<dyn Write + Send>, _) = match destination {
            Destination::Stdout => (Box::new(io::stdout()), None),
            Destination::Split { .. } => {
                let reason = "a pattern is not the name of a file";
                return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, reason)));
            }
            Destination::File(path) | Destination::Append(path) => match fs::metadata(path) {
                Ok(data) if data.is_dir() => {
                    let reason = "it is a directory";
                    return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, reason)));
                }
                Ok(data) if !data.is_file() => {
                    let device = OpenOptions::new().write(true).open(path).map_err(fail)?;
                    (Box::new(device), None)
                }
                Ok(_) | Err(_) => {
                    let (file, pending) = Pending::beside(resolved(path), append).map_err(fail)?;
                    (Box::new(file), Some(pending))
                }
            },
        };
        Ok(Output {
            terminal: *destination == Destination::Stdout && io::stdout().is_terminal(),
            writer: BufWriter::with_capacity(1 << 16, writer),
            pending,
            name,
            resting: false,
            closed: false,
        })
    }

    /// How the output is called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether what is written continues a file that holds something already.
    pub fn continues(&self) -> bool {
        self.pending.as_ref().is_some_and(|pending| {
            pending.append && fs::metadata(&pending.target).is_ok_and(|data| data.len() > 0)
        })
    }

    /// Whether it is a pipe whose reader has gone away.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes all the bytes.
    ///
    /// # Errors
    /// Full disks and the like, but not closed pipes: see [`Output::is_closed`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.resting {
            self.wake()?;
        }
        let bytes = match self.terminal {
            true => terminal::escaped(bytes),
            false => Cow::Borrowed(bytes),
        };
        if self.closed {
            return Ok(());
        }
        let result = self.writer.write_all(&bytes);
        self.unless_closed(result)
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn flush(&mut self) -> Result<(), Error> {
        if self.closed {
            return Ok(());
        }
        let result = self.writer.flush();
        self.unless_closed(result)
    }

    fn unless_closed(&mut self, result: io::Result<()>) -> Result<(), Error> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                self.writer = nowhere();
                Ok(())
            }
            result => result.map_err(|source| Error::write(&self.name, source)),
        }
    }

    /// Closes the file until more is written to it, so that many outputs need few open files.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub(crate) fn rest(&mut self) -> Result<(), Error> {
        self.flush()?;
        if self.pending.is_some() {
            self.writer = nowhere();
            self.resting = true;
        }
        Ok(())
    }

    fn wake(&mut self) -> Result<(), Error> {
        if let Some(pending) = &self.pending {
            let file = OpenOptions::new().append(true).open(&pending.temporary);
            let file = file.map_err(|source| Error::write(&self.name, source))?;
            self.writer = BufWriter::with_capacity(1 << 16, Box::new(file));
        }
        self.resting = false;
        Ok(())
    }

    /// Completes the output alone: see [`Outputs::complete`].
    ///
    /// # Errors
    /// As [`Outputs::complete`].
    pub fn finish(self) -> Result<(), Error> {
        let mut outputs = Outputs::default();
        outputs.add(self)?;
        outputs.complete()
    }
}

/// Outputs that hold all that belongs into them, and wait to be completed together.
#[derive(Default)]
pub struct Outputs {
    all: Vec<Output>,
}

impl Outputs {
    /// Adds an output to which nothing more is to be written.
    ///
    /// # Errors
    /// As [`Output::write`], of what was still buffered.
    pub fn add(&mut self, mut output: Output) -> Result<(), Error> {
        // Many files can be waiting.
        output.rest()?;
        self.all.push(output);
        Ok(())
    }

    /// Completes the outputs: only now files appear under their names, and all of them or none. A
    /// file that is replaced keeps its mode.
    ///
    /// # Errors
    /// Files that cannot be renamed or added to. Then all files are as they were before.
    pub fn complete(self) -> Result<(), Error> {
        let (names, files): (Vec<&str>, Vec<&Pending>) = self
            .all
            .iter()
            .filter_map(|output| Some((output.name.as_str(), output.pending.as_ref()?)))
            .unzip();
        ledger::complete(&files).map_err(|(index, source)| {
            Error::write(names.get(index).copied().unwrap_or_default(), source)
        })
    }
}

fn nowhere() -> BufWriter<Box<dyn Write + Send>> {
    BufWriter::with_capacity(0, Box::new(io::sink()))
}

/// The file that a name means: a link stays a link, and what it leads to is made or replaced.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    /// Links in a row; Linux follows as many.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().map_or(next.clone(), |folder| folder.join(&next));
    }
    path
}

#[cfg(test)]
mod tests;
