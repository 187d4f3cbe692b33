//! An output that is many files: one for each name that its games have.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::identity::OwnFiles;
use crate::output::{Destination, Output, Outputs};

/// How the files of a [`Destination::Split`] come to be.
#[derive(Clone, Copy, Debug)]
pub struct SplitRules {
    /// Whether missing folders are made.
    pub create_directories: bool,
    /// Whether it is an error that a file is there already.
    pub no_clobber: bool,
    /// How many files are held open at a time, at least 1; the others are opened again when they
    /// grow.
    pub max_open: usize,
    /// Whether the files are only named and counted. Then no output of the scan is made.
    pub dry_run: bool,
}

impl Default for SplitRules {
    fn default() -> SplitRules {
        SplitRules { create_directories: false, no_clobber: false, max_open: 100, dry_run: false }
    }
}

/// One of the files.
struct Part {
    name: String,
    /// `None` in a dry run.
    output: Option<Output>,
    games: u64,
    /// When it was written last; its key in [`Split::open`] while it is open.
    used: u64,
}

/// The files of one output.
pub(crate) struct Split {
    rules: SplitRules,
    append: bool,
    head: String,
    tail: String,
    parts: Vec<Part>,
    by_name: HashMap<String, usize>,
    /// The open files, the one that was not used for the longest time first.
    open: BTreeMap<u64, usize>,
    clock: u64,
}

impl Split {
    /// No file yet. Each begins with `head` and ends with `tail`.
    pub(crate) fn new(rules: SplitRules, append: bool, head: String, tail: String) -> Split {
        Split {
            rules,
            append,
            head,
            tail,
            parts: Vec::new(),
            by_name: HashMap::new(),
            open: BTreeMap::new(),
            clock: 0,
        }
    }

    /// Adds a piece of the text of a game to the file of this name: the first one, or one that
    /// follows.
    pub(crate) fn write(
        &mut self,
        name: &str,
        text: &[u8],
        first: bool,
        own: &mut OwnFiles,
    ) -> Result<(), Error> {
        let index = match self.by_name.get(name) {
            Some(&index) => index,
            None => self.begin(name, own)?,
        };
        let Some(part) = self.parts.get_mut(index) else {
            return Ok(());
        };
        part.games += u64::from(first);
        let Some(output) = &mut part.output else {
            return Ok(());
        };
        self.open.remove(&part.used);
        self.clock += 1;
        part.used = self.clock;
        output.write(text)?;
        self.open.insert(self.clock, index);
        while self.open.len() > self.rules.max_open.max(1)
            && let Some((_, oldest)) = self.open.pop_first()
        {
            if let Some(output) = self.parts.get_mut(oldest).and_then(|part| part.output.as_mut()) {
                output.rest()?;
            }
        }
        Ok(())
    }

    fn begin(&mut self, name: &str, own: &mut OwnFiles) -> Result<usize, Error> {
        let output =
            if self.rules.dry_run { None } else { Some(self.create(Path::new(name), own)?) };
        self.parts.push(Part {
            name: name.to_owned(),
            output,
            games: 0,
            // No file was used at that time.
            used: 0,
        });
        let index = self.parts.len() - 1;
        self.by_name.insert(name.to_owned(), index);
        Ok(index)
    }

    fn create(&self, path: &Path, own: &mut OwnFiles) -> Result<Output, Error> {
        let shown = path.display().to_string();
        let refuse = |kind, reason: &str| Error::Write {
            path: shown.clone(),
            source: io::Error::new(kind, reason),
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            if self.rules.create_directories {
                fs::create_dir_all(folder).map_err(|source| Error::Write {
                    path: folder.display().to_string(),
                    source,
                })?;
            } else if !folder.is_dir() {
                let reason = "its folder does not exist (--createdirectories makes it)";
                return Err(refuse(io::ErrorKind::NotFound, reason));
            }
        }
        if let Ok(data) = fs::metadata(path) {
            if !data.is_file() {
                return Err(refuse(io::ErrorKind::AlreadyExists, "it exists and is no file"));
            }
            if self.rules.no_clobber && !self.append {
                return Err(refuse(io::ErrorKind::AlreadyExists, "it exists (--noclobber)"));
            }
        }
        own.claim(path)?;
        let path = PathBuf::from(path);
        let destination = match self.append {
            true => Destination::Append(path),
            false => Destination::File(path),
        };
        let mut output = Output::create(&destination)?;
        if !output.continues() {
            output.write(self.head.as_bytes())?;
        }
        Ok(output)
    }

    /// Ends all files and adds them to `outputs`; their names, in order, with their numbers of
    /// games.
    pub(crate) fn finish(mut self, outputs: &mut Outputs) -> Result<Vec<(String, u64)>, Error> {
        self.parts.sort_by(|one, two| one.name.cmp(&two.name));
        let mut names = Vec::new();
        for part in self.parts {
            if let Some(mut output) = part.output {
                if !self.tail.is_empty() {
                    output.write(self.tail.as_bytes())?;
                }
                outputs.add(output)?;
            }
            names.push((part.name, part.games));
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_open_files_are_enough_for_many() {
        let folder = tempfile::tempdir().unwrap();
        let name = |index: usize| folder.path().join(format!("{index}.pgn")).display().to_string();
        let rules = SplitRules { max_open: 2, ..SplitRules::default() };
        let mut own = OwnFiles::default();
        let mut split = Split::new(rules, false, "head\n".to_owned(), "tail\n".to_owned());
        for turn in 0..3 {
            for index in 0..7 {
                let text = format!("{turn}\n");
                split.write(&name(index), text.as_bytes(), true, &mut own).unwrap();
                assert!(split.open.len() <= 2);
            }
        }
        assert!(!Path::new(&name(0)).exists());
        let mut outputs = Outputs::default();
        let names = split.finish(&mut outputs).unwrap();
        assert!(!Path::new(&name(0)).exists());
        outputs.complete().unwrap();
        assert_eq!(names.len(), 7);
        assert!(names.iter().all(|(_, games)| *games == 3));
        for index in 0..7 {
            assert_eq!(fs::read_to_string(name(index)).unwrap(), "head\n0\n1\n2\ntail\n");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 7);
    }

    #[test]
    fn a_dropped_split_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut split = Split::new(SplitRules::default(), false, String::new(), String::new());
        let name = folder.path().join("x.pgn").display().to_string();
        split.write(&name, b"x", true, &mut OwnFiles::default()).unwrap();
        drop(split);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
