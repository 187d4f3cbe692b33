//! Running the command, for the tests of several files.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The command in a folder, with nothing to read.
pub(crate) fn babson(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_babson"))
        .current_dir(folder)
        .env_remove("BABSON_CONFIG")
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// What it printed.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
