//! Files that appear under their name only when they are complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::pattern::NamePattern;

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
    /// Standard output.
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
/// A file is written beside its final place and renamed by [`Output::finish`]; dropping the output
/// before that leaves what was there. Devices and pipes are written as they are.
pub struct Output {
    name: String,
    writer: BufWriter<Box<dyn Write + Send>>,
    pending: Option<Pending>,
    /// The file is closed until the next write.
    resting: bool,
}

/// The temporary files of this process. Held while one is made, renamed or removed.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporary_files() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all unfinished outputs: for a process that a signal ends. From
/// then on no output can be made or completed; a thread that tries waits for the end.
pub fn abandon_outputs() {
    let files = temporary_files();
    for file in &*files {
        // A file that cannot be removed stays: there is nobody to tell.
        let _ = fs::remove_file(file);
    }
    std::mem::forget(files);
}

/// The file under its temporary name: removed unless it is renamed.
struct Pending {
    temporary: PathBuf,
    target: PathBuf,
    /// The target grows by the file instead of being replaced.
    append: bool,
}

impl Pending {
    fn complete(&self) -> io::Result<()> {
        if self.append && self.target.exists() {
            let mut new = File::open(&self.temporary)?;
            let mut old = OpenOptions::new().append(true).open(&self.target)?;
            return io::copy(&mut new, &mut old).map(drop);
        }
        let mut files = temporary_files();
        fs::rename(&self.temporary, &self.target)?;
        files.retain(|file| *file != self.temporary);
        Ok(())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut files = temporary_files();
        if let Some(index) = files.iter().position(|file| *file == self.temporary) {
            files.swap_remove(index);
            // Nothing can be done about a failure here, and the run has failed anyway.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

impl Output {
    /// Opens the output.
    ///
    /// # Errors
    /// If the file cannot be made, or is a directory.
    pub fn create(destination: &Destination) -> Result<Output, Error> {
        let name = destination.name();
        let fail = |source| Error::write(&name, source);
        let (writer, pending): (Box<dyn Write + Send>, _) = match destination {
            Destination::Stdout => (Box::new(io::stdout()), None),
            Destination::Split { .. } => {
                let reason = "a pattern is no name of a file";
                return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, reason)));
            }
            Destination::File(path) | Destination::Append(path) => match fs::metadata(path) {
                Ok(data) if data.is_dir() => {
                    return Err(fail(io::Error::new(
                        io::ErrorKind::IsADirectory,
                        "it is a directory",
                    )));
                }
                Ok(data) if !data.is_file() => {
                    let device = OpenOptions::new().write(true).open(path).map_err(fail)?;
                    (Box::new(device), None)
                }
                Ok(_) => {
                    // A link stays a link: its target is what is replaced.
                    let target = fs::canonicalize(path).map_err(fail)?;
                    let (file, pending) = beside(target).map_err(fail)?;
                    (Box::new(file), Some(pending))
                }
                Err(_) => {
                    let (file, pending) = beside(path.clone()).map_err(fail)?;
                    (Box::new(file), Some(pending))
                }
            },
        };
        let mut pending = pending;
        let append = matches!(destination, Destination::Append(_));
        if let Some(pending) = &mut pending {
            pending.append = append;
        }
        Ok(Output {
            writer: BufWriter::with_capacity(1 << 16, writer),
            pending,
            name,
            resting: false,
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

    /// Writes all the bytes.
    ///
    /// # Errors
    /// Full disks, closed pipes ([`Error::ClosedPipe`]).
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.resting {
            self.wake()?;
        }
        self.writer
            .write_all(bytes)
            .map_err(|source| Error::write(&self.name, source))
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub fn flush(&mut self) -> Result<(), Error> {
        self.writer
            .flush()
            .map_err(|source| Error::write(&self.name, source))
    }

    /// Closes the file until more is written to it, so that many outputs need few open files.
    ///
    /// # Errors
    /// As [`Output::write`].
    pub(crate) fn rest(&mut self) -> Result<(), Error> {
        self.flush()?;
        if self.pending.is_some() {
            self.writer = BufWriter::with_capacity(0, Box::new(io::sink()));
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

    /// Completes the output: only now a file appears under its name.
    ///
    /// # Errors
    /// As [`Output::write`], and if the file cannot be renamed.
    pub fn finish(mut self) -> Result<(), Error> {
        self.flush()?;
        match &self.pending {
            Some(pending) => pending
                .complete()
                .map_err(|source| Error::write(&self.name, source)),
            None => Ok(()),
        }
    }
}

/// Makes a new file in the folder of `target`, under a name that nobody has.
fn beside(target: PathBuf) -> io::Result<(File, Pending)> {
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let stem = target
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let stem =
        stem.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it has no file name"))?;
    for attempt in 0.. {
        let temporary = folder.join(format!(".{stem}.{}-{attempt}.tmp", std::process::id()));
        let mut files = temporary_files();
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
        {
            Ok(file) => {
                files.push(temporary.clone());
                let append = false;
                return Ok((
                    file,
                    Pending {
                        temporary,
                        target,
                        append,
                    },
                ));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_only_when_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn");
        fs::write(&path, b"old").unwrap();
        let mut output = Output::create(&Destination::File(path.clone())).unwrap();
        output.write(b"new").unwrap();
        output.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(output);
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "the temporary file is gone"
        );
        let mut output = Output::create(&Destination::File(path.clone())).unwrap();
        output.write(b"new").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_grows_only_when_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.pgn");
        for (part, continues) in [("one\n", false), ("two\n", true)] {
            let dropped = Output::create(&Destination::Append(path.clone()));
            drop(dropped.unwrap());
            let mut output = Output::create(&Destination::Append(path.clone())).unwrap();
            assert_eq!(output.continues(), continues);
            output.write(part.as_bytes()).unwrap();
            output.finish().unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn directories_and_missing_folders_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Output::create(&Destination::File(folder.path().to_owned())).is_err());
        assert!(Output::create(&Destination::File(folder.path().join("no/out.pgn"))).is_err());
    }
}
