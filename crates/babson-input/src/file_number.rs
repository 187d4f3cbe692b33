//! The number of a file, by which the system tells it from all other files.

use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::Path;

use same_file::Handle;

/// The number of an existing file, equal for all its names, links and hard links.
///
/// A [`Handle`] keeps its file open, and a scan knows thousands of files. So this has the numbers
/// that a handle compares and hashes: the device and the file number on Unix, the volume and the
/// index on Windows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileNumber(Vec<u8>);

impl FileNumber {
    /// The number of the file of this name; `None` if it is not a file that can be opened. A pipe
    /// is not opened, since that would wait for its writer.
    pub fn of(path: &Path) -> Option<FileNumber> {
        let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
        if is_file { FileNumber::of_open(&File::open(path).ok()?) } else { None }
    }

    /// The number of an open file or folder; `None` if the system has none.
    pub fn of_open(file: &File) -> Option<FileNumber> {
        let handle = Handle::from_file(file.try_clone().ok()?).ok()?;
        let mut number = HashedBytes(Vec::new());
        handle.hash(&mut number);
        Some(FileNumber(number.0))
    }
}

/// Keeps what is hashed.
struct HashedBytes(Vec<u8>);

impl Hasher for HashedBytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_different_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["a.pgn", "b.pgn"] {
            fs::write(path(name), "").unwrap();
        }
        fs::hard_link(path("a.pgn"), path("hard.pgn")).unwrap();
        let number = |name: &str| FileNumber::of(&path(name));
        assert!(number("a.pgn").is_some() && number("a.pgn") == number("hard.pgn"));
        assert_ne!(number("a.pgn"), number("b.pgn"));
        assert_eq!((number("c.pgn"), FileNumber::of(folder.path())), (None, None));
        let open = File::open(path("a.pgn")).unwrap();
        assert_eq!(FileNumber::of_open(&open), number("a.pgn"));
        // An open file that has lost its name is still itself. On Windows it may keep the name.
        #[cfg(unix)]
        {
            fs::remove_file(path("a.pgn")).unwrap();
            fs::write(path("a.pgn"), "").unwrap();
            assert_ne!(FileNumber::of_open(&open), number("a.pgn"));
            assert_eq!(FileNumber::of_open(&open), number("hard.pgn"));
        }
    }
}
