//! The terms that the pages of the book explain.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use babson_lang::reference;
use babson_lang::vocabulary::Term;

use crate::about;

/// The pages of the book by term.
///
/// # Errors
/// A page of the language that the table of contents lists is not among the pages of
/// [`mod@reference`].
pub(super) fn read(root: &Path) -> io::Result<HashMap<Term, String>> {
    let summary = root.join("docs/src/SUMMARY.md");
    let summary = fs::read_to_string(&summary).map_err(|error| about(&summary, &error))?;
    let known: HashSet<&str> = reference::pages().collect();
    let pages = summary.split('(').filter_map(|rest| rest.split_once(')'));
    let pages = pages.map(|(page, _)| format!("docs/src/{page}"));
    let is_language = |page: &String| page.starts_with("docs/src/language/");
    if let Some(page) =
        pages.filter(is_language).find(|page: &String| !known.contains(page.as_str()))
    {
        return Err(io::Error::other(format!("babson_lang::reference does not read {page}")));
    }
    let mut pages = HashMap::new();
    for entry in reference::entries() {
        for term in entry.terms {
            pages
                .entry(term)
                .or_insert_with(|| entry.page.trim_start_matches("docs/src/").to_owned());
        }
    }
    Ok(pages)
}
