//! The identity of files: no output may be an input or another output, under any name, link or
//! hard link.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use babson_input::FileNumber;

use crate::destination::Destination;
use crate::error::Error;
use crate::ledger::Ledger;
use crate::output::{Output, resolved};

/// The identity of a file, equal for all its names.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Identity {
    Number(FileNumber),
    /// The name after following all links, of a file that does not exist or cannot be opened.
    Name(PathBuf),
}

/// The file that a name stands for; `None` for devices, pipes and folders, which may occur twice,
/// and for links that lead in a circle.
fn of(path: &Path) -> Option<Identity> {
    let path = &resolved(path).ok()?;
    match fs::metadata(path) {
        Ok(data) if !data.is_file() => None,
        Ok(_) => match FileNumber::of(path) {
            Some(number) => Some(Identity::Number(number)),
            None => fs::canonicalize(path).ok().map(Identity::Name),
        },
        // A file that does not exist yet is identified by its folder and name.
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(Identity::Name(folder.join(path.file_name()?)))
        }
    }
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
    /// The identity of the file that a name stands for; `None` if there is none, and for devices,
    /// pipes and folders.
    pub fn of(path: impl AsRef<Path>) -> Option<FileIdentity> {
        let path = path.as_ref();
        of(path).filter(|_| path.is_file()).map(FileIdentity)
    }
}

/// Whether two names stand for the same file, also through links. Always false for devices, pipes
/// and folders.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((of(one), of(other)), (Some(one), Some(other)) if one == other)
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
    pub(crate) fn new<'f>(
        ledger: &Ledger,
        files: impl IntoIterator<Item = (Cow<'f, Path>, String)>,
    ) -> OwnFiles {
        let mut own = OwnFiles { ledger: ledger.clone(), ..OwnFiles::default() };
        for (path, role) in files {
            if let Some(identity) = of(&path) {
                own.known.entry(identity).or_insert(role);
            }
        }
        own
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
                let Some(identity) = of(Path::new("/dev/stdout")) else { return Ok(()) };
                if let Some(role) = self.known.get(&identity) {
                    return Err(same("stdout".to_owned(), role));
                }
                self.known.insert(identity, "standard output".to_owned());
                Ok(())
            }
        }
    }

    /// Adds a file that is an output.
    ///
    /// # Errors
    /// [`Error::SameFile`] if the file already has another role.
    pub(crate) fn claim(&mut self, path: &Path) -> Result<(), Error> {
        let Some(identity) = of(path) else {
            return Ok(());
        };
        let output = path.display().to_string();
        if let Some(role) = self.known.get(&identity) {
            return Err(same(output, role));
        }
        self.known.insert(identity, format!("the output {output}"));
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
        fs::write(path("a.pgn"), b"").unwrap();
        fs::create_dir(path("sub")).unwrap();
        assert_eq!(of(&path("a.pgn")), of(&path("sub/../a.pgn")));
        assert_eq!(of(&path("new.pgn")), of(&path("sub/../new.pgn")));
        assert_ne!(of(&path("new.pgn")), of(&path("a.pgn")));
        assert_eq!(of(&path("sub")), None);
        fs::hard_link(path("a.pgn"), path("hard.pgn")).unwrap();
        assert_eq!(of(&path("a.pgn")), of(&path("hard.pgn")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("a.pgn"), path("link.pgn")).unwrap();
            assert_eq!(of(&path("a.pgn")), of(&path("link.pgn")));
            std::os::unix::fs::symlink("new.pgn", path("dangling.pgn")).unwrap();
            assert_eq!(of(&path("dangling.pgn")), of(&path("new.pgn")));
        }
    }
}
