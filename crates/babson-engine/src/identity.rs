//! No output may be an input, or another output: whatever the name, link or hard link.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::input::Input;
use crate::job::{Job, Settings};
use crate::output::Destination;

/// What makes a file the same under two names.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// Device and file number.
    #[cfg_attr(not(unix), expect(dead_code))]
    Numbers(u64, u64),
    /// The name that is left when links are followed.
    Name(PathBuf),
}

#[cfg(unix)]
fn numbers(data: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::Numbers(data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn numbers(_: &Metadata) -> Option<Identity> {
    None
}

/// Which file a name means; none for devices, pipes and folders, which may be named twice.
fn of(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(data) if !data.is_file() => None,
        Ok(data) => numbers(&data).or_else(|| fs::canonicalize(path).ok().map(Identity::Name)),
        // Not yet there: its folder is.
        Err(_) => {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(Identity::Name(folder.join(path.file_name()?)))
        }
    }
}

/// Checks that every output has a file of its own.
///
/// # Errors
/// [`Error::SameFile`].
pub(crate) fn own_files(inputs: &[Input], jobs: &[Job], settings: &Settings) -> Result<(), Error> {
    let mut known: Vec<(Identity, String)> = Vec::new();
    for input in inputs {
        let path = match input {
            Input::File(path) => path.as_path(),
            // Where there is such a name, it leads to the file that is read.
            Input::Stdin => Path::new("/dev/stdin"),
        };
        known.extend(of(path).map(|identity| (identity, format!("the input {}", input.name()))));
    }
    let sinks = jobs.iter().flat_map(|job| &job.sinks);
    let files = sinks.filter_map(|sink| match &sink.destination {
        Destination::File(path) | Destination::Append(path) => Some(path),
        Destination::Stdout => None,
    });
    for path in files.chain(&settings.rejects) {
        let Some(identity) = of(path) else { continue };
        let output = path.display().to_string();
        if let Some((_, role)) = known.iter().find(|(other, _)| *other == identity) {
            let role = format!("an output and {role}");
            return Err(Error::SameFile { output, role });
        }
        let role = format!("the output {output}");
        known.push((identity, role));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_links_and_hard_links_of_a_file_are_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.pgn"), b"").unwrap();
        fs::create_dir(path("sub")).unwrap();
        assert_eq!(of(&path("a.pgn")), of(&path("sub/../a.pgn")));
        assert_eq!(of(&path("new.pgn")), of(&path("sub/../new.pgn")));
        assert_ne!(of(&path("new.pgn")), of(&path("a.pgn")));
        assert_eq!(of(&path("sub")), None);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("a.pgn"), path("link.pgn")).unwrap();
            fs::hard_link(path("a.pgn"), path("hard.pgn")).unwrap();
            assert_eq!(of(&path("a.pgn")), of(&path("link.pgn")));
            assert_eq!(of(&path("a.pgn")), of(&path("hard.pgn")));
        }
    }
}
