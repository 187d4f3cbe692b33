//! The tokens of the lexer, for the checks of what highlights queries: each highlighter has to
//! agree with the lexer on every query of the repository.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};

use babson_lang::text::{self, Token};
use babson_lang::{Dialect, declared_dialect, vocabulary};
use serde::Serialize;

use crate::about;

/// Where the tokens are written.
const FILE: &str = "target/check-tokens.json";
/// The folders of queries.
const QUERIES: [&str; 3] = ["corpus/queries", "corpus/seeds", "benches/workloads"];
/// Fewer texts than this mean that a folder has moved.
const MIN_TEXTS: usize = 500;

/// Writes the texts with their tokens, and returns the file.
///
/// # Errors
/// A query cannot be read, or the file cannot be written.
pub(crate) fn write(root: &Path) -> io::Result<PathBuf> {
    let path = root.join(FILE);
    let json = serde_json::to_vec(&texts(root)?).map_err(Error::other)?;
    fs::write(&path, json).map_err(|error| about(&path, &error))?;
    Ok(path)
}

/// A text with the tokens of the lexer.
#[derive(Serialize)]
struct TokenizedText {
    name: String,
    text: String,
    /// The begin and the end of each token, in code units of UTF-16, and its class.
    tokens: Vec<(usize, usize, &'static str)>,
}

/// The queries of the repository that have no lexical error, and each term of the language by
/// itself.
fn texts(root: &Path) -> io::Result<Vec<TokenizedText>> {
    let mut texts = Vec::new();
    for path in QUERIES.iter().map(|folder| root.join(folder)) {
        for file in queries(&path)? {
            // Some queries are in Latin-1 on purpose.
            let Ok(text) = String::from_utf8(fs::read(&file)?) else { continue };
            let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
            texts.extend(tokenized(name, text));
        }
    }
    let terms = vocabulary::terms().into_iter().filter(|term| !term.header);
    texts.extend(terms.filter_map(|term| tokenized(format!("the term {}", term.text), term.text)));
    if texts.len() < MIN_TEXTS {
        return Err(Error::other(format!("only {} texts have no lexical error", texts.len())));
    }
    Ok(texts)
}

/// The files of queries in a folder, by name.
fn queries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| about(folder, &error))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cql") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// A text with its tokens, unless it has a lexical error.
fn tokenized(name: String, text: String) -> Option<TokenizedText> {
    let dialect = declared_dialect(&text).ok().flatten().unwrap_or(Dialect::CQLI);
    let tokens = text::tokens(&text, dialect).ok()?;
    let units = |byte: u32| text.get(..byte as usize).map_or(0, |text| text.encode_utf16().count());
    let place =
        |token: &Token| (units(token.span.start), units(token.span.end), token.class.name());
    let tokens = tokens.iter().map(place).collect();
    Some(TokenizedText { name, text, tokens })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_units_of_utf_16() {
        let text = tokenized("x".into(), "♔a1 // 𝔵\nmate".into()).expect("no lexical error");
        assert_eq!(text.tokens, [(0, 3, "piece"), (4, 9, "comment"), (10, 14, "keyword")]);
        assert!(tokenized("x".into(), "\"open".into()).is_none());
    }

    #[test]
    fn every_query_is_compared() {
        let texts = texts(&crate::root()).expect("the queries");
        assert!(texts.iter().any(|text| text.name == "corpus/queries/smothered-mate.cql"));
        assert!(texts.iter().any(|text| text.name == "the term ⊢"));
    }
}
