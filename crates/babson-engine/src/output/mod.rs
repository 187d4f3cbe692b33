//! Outputs that appear under their names only when all of them are complete.

mod compress;
mod writer;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use babson_input::{Codec, Decoded};

use crate::destination::Destination;
use crate::error::{Error, OutputRefusal};
use crate::existing::is_missing;
use crate::file_name;
use crate::ledger::{self, Ledger, Pending};
use crate::limits::MAX_LINKS;
use writer::{CallersWriter, EndWrite, buffered};

/// An output that is being written.
///
/// A file is written under a temporary name in the same folder. [`Unpublished::publish`] renames
/// it; dropping the output before that leaves the old file unchanged. Devices and pipes are written
/// directly. What is written to a pipe without a reader is discarded.
///
/// A file whose name ends in `.gz` or `.zst` is compressed. Appending adds a new gzip member or
/// zstd frame.
pub struct Output {
    name: String,
    writer: Box<dyn EndWrite>,
    /// How what is written is compressed.
    codec: Codec,
    pending: Option<Pending>,
    /// Whether the file is closed until the next write.
    suspended: bool,
    /// Whether the reader of the pipe has gone away.
    closed: bool,
}

impl Output {
    /// Opens the output. Until it is completed, the ledger lists its file.
    ///
    /// # Errors
    /// The file cannot be created, or is a directory; the outputs of the ledger were abandoned.
    pub fn create(destination: &Destination, ledger: &Ledger) -> Result<Output, Error> {
        let codec = match destination {
            Destination::File(path) | Destination::Append(path) => compress::of_name(path),
            Destination::Split { .. } | Destination::Stdout | Destination::Writer(_) => {
                Codec::Plain
            }
        };
        Output::create_compressed(destination, ledger, codec)
    }

    /// As [`Output::create`], but nothing is compressed, whatever its name.
    ///
    /// # Errors
    /// As [`Output::create`].
    pub(crate) fn create_plain(
        destination: &Destination,
        ledger: &Ledger,
    ) -> Result<Output, Error> {
        Output::create_compressed(destination, ledger, Codec::Plain)
    }

    fn create_compressed(
        destination: &Destination,
        ledger: &Ledger,
        codec: Codec,
    ) -> Result<Output, Error> {
        let name = destination.name();
        let fail = |source| Error::write(&name, source);
        let append = matches!(destination, Destination::Append(_));
        let (writer, pending): (Box<dyn EndWrite>, _) = match destination {
            Destination::Stdout => (writer::stdout(), None),
            Destination::Writer(writer) => match writer.take() {
                Some(writer) => (buffered(CallersWriter(writer)), None),
                None => {
                    let reason = "it has an output already, and a writer takes one";
                    return Err(fail(io::Error::other(reason)));
                }
            },
            Destination::Split { .. } => {
                let reason = "a pattern is not the name of a file";
                return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, reason)));
            }
            Destination::File(path) | Destination::Append(path) => match metadata(path) {
                Ok(data) if data.is_dir() => {
                    let reason = "it is a directory";
                    return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, reason)));
                }
                Ok(data) if !data.is_file() => (device(codec, path).map_err(fail)?, None),
                // Windows would open the device, or a part of a file that has another name.
                Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
                    return Err(fail(error));
                }
                Ok(_) | Err(_) => {
                    if append && codec != Codec::Plain {
                        compress::check_appended(codec, path).map_err(fail)?;
                    }
                    let (file, mut pending) =
                        Pending::beside(resolved(path).map_err(fail)?, append, ledger)
                            .map_err(fail)?;
                    pending.compressed = codec != Codec::Plain;
                    (buffered(compress::writer(codec, file).map_err(fail)?), Some(pending))
                }
            },
        };
        Ok(Output { writer, codec, pending, name, suspended: false, closed: false })
    }

    /// The name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the output is appended to a file that is not empty.
    pub fn continues(&self) -> bool {
        self.pending.as_ref().is_some_and(|pending| pending.continues)
    }

    /// Writes the head of the output. A file that is continued has it already.
    ///
    /// # Errors
    /// As [`Output::write`]; or the file begins with another head.
    pub(crate) fn begin(&mut self, head: &str) -> Result<(), Error> {
        let Some(pending) = self.pending.as_ref().filter(|_| self.continues()) else {
            return self.write(head.as_bytes());
        };
        let mut begin = Vec::new();
        let text = File::open(&pending.target).and_then(|file| Decoded::new(self.codec, file));
        let read = text.and_then(|text| text.take(head.len() as u64).read_to_end(&mut begin));
        read.map_err(|source| Error::read(self.name.clone(), source))?;
        if begin == head.as_bytes() {
            return Ok(());
        }
        Err(Error::OutputRefused { path: self.name.clone(), reason: OutputRefusal::OtherHead })
    }

    /// Whether the output is a pipe whose reader has gone away.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes all the bytes.
    ///
    /// # Errors
    /// Any failed write except to a closed pipe: see [`Output::is_closed`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.suspended {
            self.reopen()?;
        }
        if self.closed {
            return Ok(());
        }
        let result = self.writer.write_all(bytes);
        self.unless_closed(result)
    }

    /// Writes the buffered bytes.
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

    /// Waits until what was written to a file is on its disk. So a file that the output replaces is
    /// whole on the disk until the new one is, whenever the computer stops.
    ///
    /// # Errors
    /// As [`Output::write`].
    #[cfg(feature = "table")]
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.suspend()?;
        let Some(pending) = &self.pending else { return Ok(()) };
        let file = OpenOptions::new().append(true).open(&pending.temporary);
        let synced = file.and_then(|file| file.sync_all());
        synced.map_err(|source| Error::write(&self.name, source))
    }

    fn unless_closed(&mut self, result: io::Result<()>) -> Result<(), Error> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                self.writer = Box::new(io::sink());
                Ok(())
            }
            result => result.map_err(|source| Error::write(&self.name, source)),
        }
    }

    /// Closes the file until more is written to it, so that many outputs need few open files.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub(crate) fn suspend(&mut self) -> Result<(), Error> {
        self.flush()?;
        if !self.closed {
            let ended = self.writer.end();
            self.unless_closed(ended)?;
        }
        if self.pending.is_some() {
            self.writer = Box::new(io::sink());
            self.suspended = true;
        }
        Ok(())
    }

    fn reopen(&mut self) -> Result<(), Error> {
        if let Some(pending) = &self.pending {
            let file = OpenOptions::new().append(true).open(&pending.temporary);
            let writer = file.and_then(|file| compress::writer(self.codec, file));
            let writer = writer.map_err(|source| Error::write(&self.name, source))?;
            self.writer = buffered(writer);
        }
        self.suspended = false;
        Ok(())
    }

    /// Publishes the output alone: see [`Unpublished::publish`].
    ///
    /// # Errors
    /// As [`Unpublished::publish`].
    pub fn finish(self) -> Result<(), Error> {
        self.finish_if(&|| Ok(()))
    }

    /// Publishes the output alone, if the check allows it, which is made immediately before.
    ///
    /// # Errors
    /// The error of the check; or as [`Unpublished::publish`].
    pub(crate) fn finish_if(self, check: &dyn Fn() -> Result<(), Error>) -> Result<(), Error> {
        let mut outputs = Unpublished::default();
        outputs.add(self)?;
        outputs.publish_if(check)
    }
}

/// Outputs that are fully written and wait to be published together.
#[derive(Default)]
pub struct Unpublished {
    all: Vec<Output>,
}

impl Unpublished {
    /// Adds an output that is fully written.
    ///
    /// # Errors
    /// As [`Output::write`], for the buffered bytes.
    pub fn add(&mut self, mut output: Output) -> Result<(), Error> {
        // Thousands of files may wait: none of them stays open.
        output.suspend()?;
        self.all.push(output);
        Ok(())
    }

    /// Publishes the outputs: now the files appear under their names, all of them or none. A file
    /// that is replaced keeps its mode.
    ///
    /// # Errors
    /// A file cannot be renamed or appended to. All files are then as they were before.
    pub fn publish(self) -> Result<(), Error> {
        self.publish_if(&|| Ok(()))
    }

    /// Publishes the outputs as [`publish`](Unpublished::publish) does, if the check allows it,
    /// which is made immediately before each file gets its name.
    fn publish_if(self, check: &dyn Fn() -> Result<(), Error>) -> Result<(), Error> {
        let (names, files): (Vec<&str>, Vec<&Pending>) = self
            .all
            .iter()
            .filter_map(|output| Some((output.name.as_str(), output.pending.as_ref()?)))
            .unzip();
        let check = || check().map_err(io::Error::other);
        ledger::complete(&files, &check).map_err(|(index, source)| {
            Error::write(names.get(index).copied().unwrap_or_default(), source)
        })
    }
}

/// What the system tells of a file.
///
/// # Errors
/// As [`fs::metadata`]. [`io::ErrorKind::InvalidFilename`] if no file can have the name here.
fn metadata(path: &Path) -> io::Result<fs::Metadata> {
    match file_name::refusal(path) {
        Some(reason) => Err(io::Error::new(io::ErrorKind::InvalidFilename, reason)),
        None => fs::metadata(path),
    }
}

/// Opens a device or a pipe, which has no temporary name.
fn device(codec: Codec, path: &Path) -> io::Result<Box<dyn EndWrite>> {
    let device = OpenOptions::new().write(true).open(path)?;
    Ok(buffered(compress::writer(codec, device)?))
}

/// The file that a name stands for. A link stays a link: its target is created or replaced.
///
/// # Errors
/// Symbolic links lead in a circle, so that the name stands for no file. Or it cannot be found out
/// whether the name is a link, or where it leads: the link itself would be replaced.
pub(crate) fn resolved(path: &Path) -> io::Result<PathBuf> {
    // It fails for a new file, and on some file systems of Windows.
    if let Ok(path) = fs::canonicalize(path) {
        return Ok(path);
    }
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_symlink() => {}
            Ok(_) => return Ok(path),
            Err(error) if is_missing(&error) => return Ok(path),
            Err(error) => return Err(error),
        }
        let next = fs::read_link(&path)?;
        path = path.parent().map_or(next.clone(), |folder| folder.join(&next));
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

#[cfg(test)]
mod tests;
