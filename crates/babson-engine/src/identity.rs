//! The identity of files: no output may be an input or another output, under any name, link or
//! hard link.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use babson_input::FileNumber;

use crate::destination::Destination;
use crate::error::Error;
use crate::existing::is_missing;
use crate::file_name::compared;
use crate::ledger::Ledger;
use crate::output::{Output, resolved};

/// What tells a file from others. A file has both. If the system does not say one of them, the file
/// is still known by the other.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Identity {
    Number(FileNumber),
    /// The name after following all links, as the file system compares it with others. A file that
    /// does not exist has only a name.
    Name(PathBuf),
}

/// The identities of the file that a name stands for. None for devices, pipes and folders, which
/// may occur twice.
///
/// # Errors
/// It cannot be found out which file the name stands for.
fn of(path: &Path) -> io::Result<Vec<Identity>> {
    let path = resolved(path)?;
    match fs::metadata(&path) {
        Ok(data) if !data.is_file() => return Ok(Vec::new()),
        Ok(_) => {}
        Err(error) if is_missing(&error) => {}
        Err(error) => return Err(error),
    }
    let number = FileNumber::of(&path).map(Identity::Number);
    let name = full_name(&path);
    // Some file systems of Windows tell no full name. A new file has no number, so it needs one.
    let name = if number.is_some() { name.ok().flatten() } else { name? };
    Ok(number.into_iter().chain(name.map(Identity::Name)).collect())
}

/// The identities of the file that a standard stream of Unix is. The stream is open already, so
/// what cannot be found out about its name does not matter: this user may not enter the folder.
#[cfg(unix)]
fn of_stream(name: &str, stream: impl std::os::fd::AsFd) -> Vec<Identity> {
    of(Path::new(name)).unwrap_or_else(|_| {
        let open = stream.as_fd().try_clone_to_owned().map(fs::File::from);
        let file = open.ok().filter(|open| open.metadata().is_ok_and(|data| data.is_file()));
        let number = file.and_then(|file| FileNumber::of_open(&file));
        number.into_iter().map(Identity::Number).collect()
    })
}

/// The name of a file in the name of its folder, after following all links to the folder. `None` if
/// the folder does not exist.
fn full_name(path: &Path) -> io::Result<Option<PathBuf>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = match fs::canonicalize(folder.unwrap_or(Path::new("."))) {
        Ok(folder) => folder,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let name = path.file_name().map(|name| folder.join(name));
    Ok(name.map(|name| match name.to_str() {
        Some(text) => PathBuf::from(compared(text).into_owned()),
        None => name,
    }))
}

/// The identity of a file, equal for all its names, links and hard links.
///
/// ```
/// use babson_engine::FileIdentity;
///
/// # let folder = tempfile::tempdir()?;
/// let [one, other] = ["a.pgn", "./a.pgn"].map(|name| folder.path().join(name));
/// std::fs::write(&one, "1. e4 *")?;
/// assert_eq!(FileIdentity::of(&one), FileIdentity::of(&other));
/// assert_eq!(FileIdentity::of(folder.path()), None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct FileIdentity(Identity);

impl FileIdentity {
    /// The identity of the file that a name stands for; `None` if there is none or if the system
    /// does not say, and for devices, pipes and folders.
    pub fn of(path: impl AsRef<Path>) -> Option<FileIdentity> {
        let path = path.as_ref();
        of(path).ok()?.into_iter().next().filter(|_| path.is_file()).map(FileIdentity)
    }
}

/// Whether two names stand for the same file, also through links. Always false for devices, pipes
/// and folders.
///
/// # Errors
/// It cannot be found out which files the names stand for.
pub fn is_same_file(one: &Path, other: &Path) -> io::Result<bool> {
    let other = of(other)?;
    Ok(of(one)?.iter().any(|identity| other.contains(identity)))
}

/// The files that a scan and its caller read and write. Each may have only one role.
#[derive(Debug, Default)]
pub(crate) struct OwnFiles {
    /// Lists those that are not complete.
    ledger: Ledger,
    known: HashMap<Identity, String>,
}

impl OwnFiles {
    /// The files that the caller reads or writes, each with its role for messages. Of two roles of
    /// one file, the first counts.
    ///
    /// # Errors
    /// It cannot be found out which file a name stands for, so an output could be that file.
    pub(crate) fn new<'f>(
        ledger: &Ledger,
        files: impl IntoIterator<Item = (Cow<'f, Path>, String)>,
    ) -> Result<OwnFiles, Error> {
        let mut own = OwnFiles { ledger: ledger.clone(), ..OwnFiles::default() };
        for (path, role) in files {
            let fail = |source| Error::read(path.display().to_string(), source);
            for identity in of(&path).map_err(fail)? {
                own.known.entry(identity).or_insert_with(|| role.clone());
            }
        }
        Ok(own)
    }

    /// Adds standard input, if it is a file. A file that has a role keeps it.
    pub(crate) fn read_stdin(&mut self) {
        #[cfg(unix)]
        for identity in of_stream("/dev/stdin", io::stdin()) {
            let name = babson_input::Input::Stdin.name();
            self.known.entry(identity).or_insert_with(|| format!("the input {name}"));
        }
    }

    /// Creates an output of the scan.
    ///
    /// # Errors
    /// As [`Output::create`].
    pub(crate) fn create(&self, destination: &Destination) -> Result<Output, Error> {
        Output::create(destination, &self.ledger)
    }

    /// Adds an output that is one file or standard output.
    ///
    /// # Errors
    /// As [`OwnFiles::claim`].
    pub(crate) fn claim_output(&mut self, destination: &Destination) -> Result<(), Error> {
        match destination {
            Destination::File(path) | Destination::Append(path) => self.claim(path),
            // It claims its files when it creates them.
            Destination::Split { .. } => Ok(()),
            Destination::Writer(_) => Ok(()),
            // If standard output is a file, it is an output like any other.
            Destination::Stdout => {
                #[cfg(unix)]
                let file = of_stream("/dev/stdout", io::stdout());
                #[cfg(not(unix))]
                let file = Vec::new();
                self.add(file, "stdout", "standard output")
            }
        }
    }

    /// Adds a file that is an output.
    ///
    /// # Errors
    /// [`Error::SameFile`] if the file already has another role; or it cannot be found out which
    /// file the name stands for.
    pub(crate) fn claim(&mut self, path: &Path) -> Result<(), Error> {
        let output = path.display().to_string();
        let file = of(path).map_err(|source| Error::write(&output, source))?;
        self.add(file, &output, &format!("the output {output}"))
    }

    /// Adds a file with its role. `output` is its name in the error.
    fn add(&mut self, file: Vec<Identity>, output: &str, role: &str) -> Result<(), Error> {
        if let Some(role) = file.iter().find_map(|identity| self.known.get(identity)) {
            return Err(same(output.to_owned(), role));
        }
        self.known.extend(file.into_iter().map(|identity| (identity, role.to_owned())));
        Ok(())
    }
}

fn same(output: String, role: &str) -> Error {
    let role = format!("an output and {role}");
    Error::SameFile { output, role }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_links_and_hard_links_of_a_file_have_one_identity() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let known = |path: &Path| of(path).unwrap();
        fs::write(path("a.pgn"), b"").unwrap();
        fs::create_dir(path("sub")).unwrap();
        assert_eq!(known(&path("a.pgn")), known(&path("sub/../a.pgn")));
        assert_eq!(known(&path("new.pgn")), known(&path("sub/../new.pgn")));
        assert_ne!(known(&path("new.pgn")), known(&path("a.pgn")));
        assert!(known(&path("sub")).is_empty());
        fs::hard_link(path("a.pgn"), path("hard.pgn")).unwrap();
        assert!(is_same_file(&path("a.pgn"), &path("hard.pgn")).unwrap());
        let one_file = cfg!(any(windows, target_vendor = "apple"));
        assert_eq!(is_same_file(&path("new.pgn"), &path("NEW.pgn")).unwrap(), one_file);
        // A file that exists has a number and a name, a new one only a name.
        assert_eq!((known(&path("a.pgn")).len(), known(&path("new.pgn")).len()), (2, 1));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("a.pgn"), path("link.pgn")).unwrap();
            assert_eq!(known(&path("a.pgn")), known(&path("link.pgn")));
            std::os::unix::fs::symlink("new.pgn", path("dangling.pgn")).unwrap();
            assert_eq!(known(&path("dangling.pgn")), known(&path("new.pgn")));
            // It is not known what a link in a circle stands for.
            std::os::unix::fs::symlink("circle.pgn", path("circle.pgn")).unwrap();
            assert!(of(&path("circle.pgn")).is_err());
            assert!(OwnFiles::default().claim(&path("circle.pgn")).is_err());
            // A stream is known by its number if its name leads nowhere.
            let name = path("circle.pgn").display().to_string();
            let open = |name: &str| fs::File::open(path(name)).unwrap();
            let number = FileNumber::of(&path("a.pgn")).map(Identity::Number);
            assert_eq!(of_stream(&name, open("a.pgn")), Vec::from_iter(number));
            assert_eq!(of_stream(&name, open("sub")), []);
        }
    }
}
