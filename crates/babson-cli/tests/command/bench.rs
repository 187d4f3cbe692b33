//! The command in a folder of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

pub(crate) const GAMES: &[u8] =
    b"[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"b\"]\n\n1. e4 *\n\n\
                       [Event \"c\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

/// The command in a folder of its own.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        bench.put("games.pgn", GAMES);
        bench.put("mate.cql", b"cql() mate");
        bench.put("all.cql", b"cql() initial");
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn get(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
        command
            .current_dir(self.folder.path())
            // Whoever runs the tests may have default options.
            .env_remove("BABSON_CONFIG")
            .args(words);
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.command(words).stdin(Stdio::null()).output().unwrap()
    }

    /// What the command printed. The names of the files of the folder have `/` on Windows, too.
    pub(crate) fn shown(&self, bytes: &[u8]) -> String {
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        if cfg!(windows) {
            let mut paths = paths_below(self.folder.path());
            paths.retain(|path| path.contains('\\'));
            paths.sort_by_key(|path| std::cmp::Reverse(path.len()));
            for path in paths {
                // As it is, and as JSON has it.
                for shown in [path.replace('\\', "\\\\"), path.clone()] {
                    text = text.replace(&shown, &path.replace('\\', "/"));
                }
            }
        }
        text
    }

    /// Runs and expects this exit code; standard output and standard error.
    pub(crate) fn expect(&self, code: i32, words: &[&str]) -> (String, String) {
        let output = self.run(words);
        let (stdout, stderr) = (self.shown(&output.stdout), self.shown(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{words:?}\n{stdout}\n{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        (stdout, stderr)
    }
}

/// The paths below a folder, relative to it.
fn paths_below(folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            paths.push(path.strip_prefix(folder).unwrap().display().to_string());
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    paths
}

pub(crate) fn corpus(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus/games")
        .join(name)
        .display()
        .to_string()
}

pub(crate) fn gzip_members(parts: &[&[u8]]) -> Vec<u8> {
    let mut all = Vec::new();
    for part in parts {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(part).unwrap();
        all.extend(encoder.finish().unwrap());
    }
    all
}
