//! The line ends of files: git gives each file the same bytes on every platform.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// The folders whose files git leaves as they are: `crates/**/name` for each folder of this name.
fn unchanged_folders(attributes: &str) -> Vec<&str> {
    let rows = attributes.lines().filter_map(|line| line.split_once(' '));
    let unchanged = rows.filter(|(_, words)| words.split(' ').any(|word| word == "-text"));
    unchanged.filter_map(|(pattern, _)| pattern.strip_suffix("/**")).collect()
}

/// Whether a file is in one of the folders.
fn is_in(path: &str, folders: &[&str]) -> bool {
    folders.iter().any(|folder| match folder.split_once("/**/") {
        None => path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
        Some((above, name)) => {
            path.starts_with(&format!("{above}/")) && path.contains(&format!("/{name}/"))
        }
    })
}

#[test]
fn a_file_with_other_line_ends_is_left_as_it_is() {
    let root = root();
    let attributes = fs::read_to_string(root.join(".gitattributes")).unwrap();
    assert!(attributes.lines().any(|line| line == "* text=auto eol=lf"), "{attributes}");
    let unchanged = unchanged_folders(&attributes);
    let mut others = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["corpus", "crates", "docs", "benches", "xtask"].map(|name| root.join(name)).into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "target" && name != "node_modules" && !name.starts_with('.') {
                    folders.push(path);
                }
                continue;
            }
            let relative = path.strip_prefix(&root).unwrap().display().to_string();
            let relative = relative.replace('\\', "/");
            let bytes = fs::read(&path).unwrap();
            let is_text = std::str::from_utf8(&bytes).is_ok() && !bytes.contains(&0);
            if is_text && bytes.windows(2).any(|pair| pair == b"\r\n") {
                others.push(relative);
            }
        }
    }
    assert!(others.iter().any(|path| path == "corpus/games/masters-2k.pgn"));
    others.retain(|path| !is_in(path, &unchanged));
    assert!(others.is_empty(), "git would change their line ends: {others:#?}");
}
