//! Unfinished files that killed processes have left beside an output.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::limits::MIN_LEFTOVER_AGE;

/// The ending of the names of unfinished files: a dot, the name of the output,
/// `.PROCESS-NUMBER.tmp`.
pub(crate) const UNFINISHED: &str = ".tmp";

/// What the folders of outputs hold, each listed once.
#[derive(Debug, Default)]
pub(crate) struct Leftovers {
    /// The unfinished files of other processes.
    folders: HashMap<PathBuf, Vec<String>>,
}

impl Leftovers {
    /// Removes the unfinished files of an output with this name that a process of this computer has
    /// left. A file stays unless its process has certainly ended: where the system does not list
    /// its processes, if the process has the number of one that runs, and for an hour after its
    /// last change, as its process may be one that this process cannot see.
    pub(crate) fn remove(&mut self, folder: &Path, output: &str) {
        let names = self.folders.entry(folder.to_owned()).or_insert_with(|| unfinished(folder));
        for name in names.extract_if(.., |name| process_of(name, output).is_some_and(has_ended)) {
            let path = folder.join(name);
            if is_old(&path) {
                // What cannot be removed stays: it is in nobody's way.
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The names of the files of a folder that may be unfinished outputs.
fn unfinished(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.starts_with('.') && name.ends_with(UNFINISHED)).collect()
}

/// The process that wrote an unfinished file of this output.
fn process_of(name: &str, output: &str) -> Option<u32> {
    let rest = name.strip_prefix('.')?.strip_prefix(output)?.strip_prefix('.')?;
    let (process, number) = rest.strip_suffix(UNFINISHED)?.split_once('-')?;
    number.parse::<u64>().ok().and(process.parse().ok())
}

/// Whether no process has this number. Without a list of processes this is not known.
fn has_ended(process: u32) -> bool {
    let processes = Path::new("/proc");
    let own = processes.join(std::process::id().to_string());
    own.exists() && !processes.join(process.to_string()).exists()
}

fn is_old(path: &Path) -> bool {
    let modified = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
    let modified = modified.and_then(|data| data.modified().ok());
    let age = modified.and_then(|at| SystemTime::now().duration_since(at).ok());
    age.is_some_and(|age| age >= MIN_LEFTOVER_AGE)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Only a file of the output that is old and whose process has ended is removed.
    #[test]
    fn only_files_of_ended_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: String, age| {
            let path = folder.path().join(name);
            let file = fs::File::create(&path).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
            path
        };
        let (old, new) = (MIN_LEFTOVER_AGE * 2, MIN_LEFTOVER_AGE / 2);
        // No process has the greatest number: Linux gives numbers below 2^22.
        let (ended, own) = (u32::MAX, std::process::id());
        let removed = put(format!(".a.pgn.{ended}-3.tmp"), old);
        let kept = [
            put(format!(".a.pgn.{ended}-4.tmp"), new),
            put(format!(".a.pgn.{own}-0.tmp"), old),
            put(format!(".a.pgn.{ended}-0.old"), old),
            put(format!(".b.pgn.{ended}-0.tmp"), old),
            put(format!(".a.pgn.x.{ended}-0.tmp"), old),
            put(format!("a.pgn.{ended}-0.tmp"), old),
            put(".a.pgn.tmp".to_owned(), old),
        ];
        Leftovers::default().remove(folder.path(), "a.pgn");
        assert!(!removed.exists());
        assert!(kept.iter().all(|path| path.exists()), "{kept:?}");
    }
}
