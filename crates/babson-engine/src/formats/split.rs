//! An output that is split into many files: one for each name that the games have.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::FileText;
use super::items::Items;
use super::room::Room;
use crate::destination::{Destination, SplitRules};
use crate::error::{Error, OutputRefusal};
use crate::existing::existing;
use crate::file_name::compared;
use crate::identity::OwnFiles;
use crate::output::{Output, Unpublished};
use crate::sink::{Format, SinkTotals, TextSlice};

/// One of the files.
struct SplitFile {
    name: String,
    /// `None` in a dry run.
    output: Option<Output>,
    room: Room,
    items: Items,
    games: u64,
    /// The time of its last write; its key in [`Split::open`] while it is open.
    used: u64,
}

/// The files of one output.
pub(crate) struct Split {
    rules: SplitRules,
    append: bool,
    text: Arc<FileText>,
    head: String,
    /// The files of the whole scan.
    own: Arc<Mutex<OwnFiles>>,
    files: Vec<SplitFile>,
    /// The places of the files, by their names as the file system compares them.
    by_name: HashMap<String, usize>,
    /// The open files by the time of their last write, the oldest first.
    open: BTreeMap<u64, usize>,
    clock: u64,
}

impl Split {
    /// No file yet. Each file begins with `head` and ends with the tail of the text.
    pub(crate) fn new(
        rules: SplitRules,
        append: bool,
        text: Arc<FileText>,
        head: String,
        own: Arc<Mutex<OwnFiles>>,
    ) -> Split {
        Split {
            rules,
            append,
            text,
            head,
            own,
            files: Vec::new(),
            by_name: HashMap::new(),
            open: BTreeMap::new(),
            clock: 0,
        }
    }

    /// Appends a slice of the text of a game to the file of this name.
    pub(crate) fn write(&mut self, name: &str, slice: &TextSlice<'_>) -> Result<(), Error> {
        let index = match self.by_name.get(&*compared(name)) {
            Some(&index) => index,
            None => self.begin(name)?,
        };
        let Some(file) = self.files.get_mut(index) else {
            return Ok(());
        };
        file.games += u64::from(slice.first);
        let takes = file.room.takes(slice);
        let Some(output) = file.output.as_mut().filter(|_| takes) else {
            return Ok(());
        };
        self.open.remove(&file.used);
        self.clock += 1;
        file.used = self.clock;
        output.write(file.items.before(slice).as_bytes())?;
        output.write(slice.bytes)?;
        self.open.insert(self.clock, index);
        while self.open.len() > self.rules.max_open.max(1)
            && let Some((_, oldest)) = self.open.pop_first()
        {
            if let Some(output) = self.files.get_mut(oldest).and_then(|file| file.output.as_mut()) {
                output.suspend()?;
            }
        }
        Ok(())
    }

    fn begin(&mut self, name: &str) -> Result<usize, Error> {
        let output = if self.rules.dry_run { None } else { Some(self.create(Path::new(name))?) };
        self.files.push(SplitFile {
            name: name.to_owned(),
            output,
            room: Room::new(self.text.room()),
            items: Items::of(self.text.format),
            games: 0,
            // The clock starts at 1.
            used: 0,
        });
        let index = self.files.len() - 1;
        self.by_name.insert(compared(name).into_owned(), index);
        Ok(index)
    }

    fn create(&self, path: &Path) -> Result<Output, Error> {
        let shown = path.display().to_string();
        let refuse = |reason| Error::OutputRefused { path: shown.clone(), reason };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            if self.rules.create_directories {
                fs::create_dir_all(folder).map_err(|source| Error::Write {
                    path: folder.display().to_string(),
                    source,
                })?;
            } else if !folder.is_dir() {
                return Err(refuse(OutputRefusal::MissingFolder));
            }
        }
        let old = existing(path).map_err(|source| Error::Write { path: shown.clone(), source })?;
        if let Some(data) = old {
            if !data.is_file() {
                let source =
                    io::Error::new(io::ErrorKind::AlreadyExists, "it exists and is not a file");
                return Err(Error::Write { path: shown, source });
            }
            if self.rules.no_clobber && !self.append {
                return Err(refuse(OutputRefusal::Exists));
            }
        }
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.claim(path)?;
        let path = PathBuf::from(path);
        let destination = match self.append {
            true => Destination::Append(path),
            false => Destination::File(path),
        };
        let mut output = own.create(&destination)?;
        output.begin(&self.head)?;
        Ok(output)
    }

    /// Ends all files and adds them to `outputs`. The totals have them in the order of their names.
    pub(crate) fn finish(
        mut self,
        outputs: &mut Unpublished,
        searched: u64,
    ) -> Result<SinkTotals, Error> {
        self.files.sort_by(|one, two| one.name.cmp(&two.name));
        let mut all = SinkTotals::default();
        for file in self.files {
            let totals = file.room.totals(searched);
            all.left_out += totals.left_out;
            if let Some(mut output) = file.output {
                let tail = self.text.tail(&totals);
                if !tail.is_empty() {
                    output.write(tail.as_bytes())?;
                }
                outputs.add(output)?;
            }
            all.files.push((file.name, file.games));
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::FileFormat;

    fn pgn() -> Arc<FileText> {
        Arc::new(FileText::new(FileFormat::Pgn))
    }

    #[test]
    fn few_open_files_are_enough_for_many() {
        let folder = tempfile::tempdir().unwrap();
        let name = |index: usize| folder.path().join(format!("{index}.pgn")).display().to_string();
        let rules = SplitRules { max_open: 2, ..SplitRules::default() };
        let head = "head\n".to_owned();
        let mut split = Split::new(rules, false, pgn(), head, Arc::default());
        for turn in 0..3 {
            for index in 0..7 {
                let text = format!("{turn}\n");
                let slice = TextSlice { file: None, bytes: text.as_bytes(), first: true };
                split.write(&name(index), &slice).unwrap();
                assert!(split.open.len() <= 2);
            }
        }
        assert!(!Path::new(&name(0)).exists());
        let mut outputs = Unpublished::default();
        let names = split.finish(&mut outputs, 21).unwrap().files;
        assert!(!Path::new(&name(0)).exists());
        outputs.publish().unwrap();
        assert_eq!(names.len(), 7);
        assert!(names.iter().all(|(_, games)| *games == 3));
        for index in 0..7 {
            assert_eq!(fs::read_to_string(name(index)).unwrap(), "head\n0\n1\n2\n");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 7);
    }

    #[test]
    fn names_that_differ_in_case_are_one_file_where_the_system_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let rules = SplitRules::default();
        let mut split = Split::new(rules, false, pgn(), String::new(), Arc::default());
        for name in ["Tal.pgn", "TAL.pgn", "Tal.pgn"] {
            let path = folder.path().join(name).display().to_string();
            let slice = TextSlice { file: None, bytes: b"x", first: true };
            split.write(&path, &slice).unwrap();
        }
        let mut outputs = Unpublished::default();
        let files = split.finish(&mut outputs, 3).unwrap().files;
        outputs.publish().unwrap();
        let games: Vec<u64> = files.iter().map(|(_, games)| *games).collect();
        match cfg!(any(windows, target_vendor = "apple")) {
            true => assert_eq!(games, [3]),
            false => assert_eq!(games, [1, 2]),
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), games.len());
    }

    #[test]
    fn a_dropped_split_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let rules = SplitRules::default();
        let mut split = Split::new(rules, false, pgn(), String::new(), Arc::default());
        let name = folder.path().join("x.pgn").display().to_string();
        let slice = TextSlice { file: None, bytes: b"x", first: true };
        split.write(&name, &slice).unwrap();
        drop(split);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
