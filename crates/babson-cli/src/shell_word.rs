//! Words of a command line, quoted so that the reader of a message can type them.

use std::ffi::OsStr;

/// A word as a shell reads it: in quotes unless it is a plain word.
pub(crate) fn shell_word(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:=,@%+".contains(letter);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}
