//! Tables of the corpus that name the files of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file that no table names is never run, and a name without a file is a mistake.
pub(crate) fn names_all_files(table: &str, listed: &BTreeSet<String>, folder: &Path) {
    let present: BTreeSet<String> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(listed, &present, "{table} and the folder name the same queries");
}
