//! The entries of the book: what each word and symbol of the language means.
//!
//! The pages are the source, so that the help of an editor or of a command says what the book says.

use crate::dialect::Dialect;
use crate::vocabulary::{self, Term};

/// A row of a table of the book, which explains terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The page in the repository, such as `docs/src/language/mates.md`.
    pub page: &'static str,
    /// The heading of the page.
    pub title: &'static str,
    /// The first cell: the forms, each between backquotes.
    pub forms: String,
    /// The last cell: the meaning. It is plain text but for code between backquotes.
    pub meaning: String,
    /// The terms in the forms.
    pub terms: Vec<Term>,
}

/// The entries of a word or a symbol: those that have it in their forms, first those whose forms
/// begin with it. `cql(NAME)` is a parameter of the header.
///
/// ```
/// use babson_lang::reference;
///
/// let entries = reference::entries_of("stalemate");
/// assert!(entries[0].forms.contains("`stalemate`"), "{entries:?}");
/// assert_eq!(reference::entries_of("nosuchword"), []);
/// ```
pub fn entries_of(word: &str) -> Vec<Entry> {
    let term = match word.strip_prefix("cql(").and_then(|rest| rest.strip_suffix(')')) {
        Some(parameter) => Term { text: parameter.to_owned(), header: true },
        None => Term { text: word.to_owned(), header: false },
    };
    let mut found: Vec<Entry> = entries().filter(|entry| entry.terms.contains(&term)).collect();
    let rank = |entry: &Entry| {
        let named = |form: &str| form.split_whitespace().next() == Some(word);
        let is_first = entry.terms.first() == Some(&term);
        (!entry.forms.split('`').skip(1).step_by(2).any(named), !is_first)
    };
    found.sort_by_key(rank);
    found
}

/// All entries, in the order of the book.
pub fn entries() -> impl Iterator<Item = Entry> {
    PAGES.iter().flat_map(|&(page, text)| rows_of(page, text))
}

/// The pages that have entries, in the order of the book.
pub fn pages() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|&(page, _)| page)
}

/// The rows of the tables of a page.
fn rows_of(page: &'static str, text: &'static str) -> impl Iterator<Item = Entry> {
    let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
    let mut in_block = false;
    text.lines().filter_map(move |line| {
        if line.starts_with("```") {
            in_block = !in_block;
        }
        let cells = if in_block { None } else { cells(line) }?;
        let [forms, .., meaning] = cells.as_slice() else { return None };
        let terms = terms(forms);
        if terms.is_empty() {
            return None;
        }
        Some(Entry { page, title, forms: forms.clone(), meaning: without_links(meaning), terms })
    })
}

/// The cells of a row of a table.
fn cells(line: &str) -> Option<Vec<String>> {
    let row = line.strip_prefix('|')?.strip_suffix('|')?.replace(r"\|", "\u{0}");
    Some(row.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect())
}

/// The terms in the code of a cell.
fn terms(cell: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    let mut rest = cell;
    while let Some(start) = rest.find('`') {
        // Code that contains a backquote is enclosed in two backquotes.
        let fence = if rest[start..].starts_with("`` ") { "``" } else { "`" };
        let code = &rest[start + fence.len()..];
        let Some(end) = code.find(fence) else { break };
        // `…` is a placeholder of any text, and `{n}` a repetition.
        let form = code[..end].replace('…', " ").replace("{n}", "{2}");
        terms.extend(vocabulary::used(&form, Dialect::CQLI));
        terms.extend(vocabulary::used_in_cql3(&form));
        rest = &code[end + fence.len()..];
    }
    terms
}

/// The text with the words of its links alone: `[sets](page)` is `sets`.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(middle) = rest.find("](") {
        let (Some(open), Some(close)) = (rest[..middle].rfind('['), rest[middle..].find(')'))
        else {
            break;
        };
        out.push_str(&rest[..open]);
        out.push_str(&rest[open + 1..middle]);
        rest = &rest[middle + close + 1..];
    }
    out + rest
}

macro_rules! page {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../", $name)))
    };
}

/// The pages of the language. The index, which lists the terms of the others, is last.
const PAGES: &[(&str, &str)] = &[
    page!("docs/src/language/reading.md"),
    page!("docs/src/language/header.md"),
    page!("docs/src/language/positions.md"),
    page!("docs/src/language/pieces.md"),
    page!("docs/src/language/attacks.md"),
    page!("docs/src/language/moves.md"),
    page!("docs/src/language/dash.md"),
    page!("docs/src/language/path.md"),
    page!("docs/src/language/line.md"),
    page!("docs/src/language/find.md"),
    page!("docs/src/language/echo.md"),
    page!("docs/src/language/sort.md"),
    page!("docs/src/language/comments.md"),
    page!("docs/src/language/clock.md"),
    page!("docs/src/language/tags.md"),
    page!("docs/src/language/strings.md"),
    page!("docs/src/language/patterns.md"),
    page!("docs/src/language/numbers.md"),
    page!("docs/src/language/variables.md"),
    page!("docs/src/language/library.md"),
    page!("docs/src/language/control.md"),
    page!("docs/src/language/dictionaries.md"),
    page!("docs/src/language/transforms.md"),
    page!("docs/src/language/mates.md"),
    page!("docs/src/language/hhdb.md"),
    page!("docs/src/language/similarposition.md"),
    page!("docs/src/language/tree.md"),
    page!("docs/src/language/files.md"),
    page!("docs/src/language/imaginary.md"),
    page!("docs/src/language/odd-positions.md"),
    page!("docs/src/language/cql3.md"),
    page!("docs/src/language/dialects.md"),
    page!("docs/src/language/index.md"),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_row_explains_the_code_in_its_first_cell() {
        let texts = |line| -> Vec<String> {
            let cells = cells(line).unwrap_or_default();
            let terms = cells.first().map_or_else(Vec::new, |cell| terms(cell));
            terms.into_iter().map(|term| term.text).collect()
        };
        assert_eq!(texts(r"| `S \| T`, `∪` | `mate` |"), ["|", "∪"]);
        assert_eq!(texts("| `` ` `` | the identity |"), ["`"]);
        assert_eq!(texts("| `:piececount D 1` | |"), [":", ":piececount"]);
        assert_eq!(texts("no row, `mate`"), [""; 0]);
    }

    #[test]
    fn every_term_has_an_entry() {
        let explained: HashSet<Term> = entries().flat_map(|entry| entry.terms).collect();
        let missing: Vec<Term> =
            vocabulary::terms().into_iter().filter(|term| !explained.contains(term)).collect();
        assert_eq!(missing, []);
    }

    #[test]
    fn links_are_words() {
        assert_eq!(without_links("the [sets](page#sets) of `a[1]`"), "the sets of `a[1]`");
        assert_eq!(without_links("a ]( b"), "a ]( b");
    }

    #[test]
    fn the_nearest_entry_comes_first() {
        for (word, forms) in [("mate", "`mate`"), ("attacks", "`attacks`")] {
            let entries = entries_of(word);
            assert!(entries[0].forms.contains(forms), "{word}: {}", entries[0].forms);
        }
    }
}
