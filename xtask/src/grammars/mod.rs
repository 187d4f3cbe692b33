//! What editors know of the language by themselves: the TextMate grammar and the snippets of the
//! extension for VS Code, and the words of the highlighters of the book and of the page.
//!
//! All come from the tables of `babson-lang` and `babson-ide`, so that a new word is known
//! everywhere. The files are checked in, and a test compares them with the tables.

mod patterns;
mod scopes;
mod scripts;
mod snippets;
mod textmate;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Error};
use std::path::Path;

use babson_lang::vocabulary;
use serde::Serialize;

use crate::about;

/// The folder of the extension for VS Code.
pub(crate) const EXTENSION: &str = "crates/babson-lsp/editors/vscode";

/// Writes all files that come from the tables.
///
/// # Errors
/// A file cannot be read or written.
pub(crate) fn write(root: &Path) -> io::Result<()> {
    for (path, text) in files(root)? {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text).map_err(|error| about(&path, &error))?;
    }
    Ok(())
}

/// Each file with its path in the repository, as the tables give it.
fn files(root: &Path) -> io::Result<Vec<(String, String)>> {
    let highlighter = root.join(scripts::HIGHLIGHTER);
    let script = fs::read_to_string(&highlighter).map_err(|error| about(&highlighter, &error))?;
    let script = scripts::with_words(&script).ok_or_else(|| {
        Error::other(format!("{} lacks the marks of its generated part", scripts::HIGHLIGHTER))
    })?;
    Ok(vec![
        (format!("{EXTENSION}/syntaxes/cql.tmLanguage.json"), json(&textmate::grammar())),
        (format!("{EXTENSION}/snippets/cql.json"), json(&snippets::snippets())),
        (scripts::HIGHLIGHTER.to_owned(), script),
        (scripts::MODULE.to_owned(), scripts::module()),
    ])
}

/// A value as the text of a file.
fn json(value: &impl Serialize) -> String {
    // Only maps with other keys than strings fail, and there are none.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// The words of the language and of the header, each once and in order.
fn words() -> BTreeSet<String> {
    let terms = vocabulary::terms().into_iter().map(|term| term.text);
    terms.filter(|text| is_word(text)).collect()
}

/// Whether a term is a word: not a symbol, a piece, or a keyword of CQL 3 with its colon.
fn is_word(text: &str) -> bool {
    text.len() > 1
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_those_of_the_tables() {
        let root = crate::root();
        for (path, fresh) in files(&root).expect("the files") {
            let present = fs::read_to_string(root.join(&path)).unwrap_or_default();
            assert!(present == fresh, "{path} is old: run cargo xtask grammars");
        }
    }

    #[test]
    fn words_have_no_symbols() {
        let words = words();
        for word in ["mate", "o-o-o", "cql_abort", "rotate45", "matchcount"] {
            assert!(words.contains(word), "{word}");
        }
        for symbol in ["⊢", "--", "k", ":mate", "[forall]"] {
            assert!(!words.contains(symbol), "{symbol}");
        }
    }
}
