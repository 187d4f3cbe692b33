//! The entries of the book: what each word and symbol of the language means.
//!
//! The pages are the source, so that the help of an editor or of a command says what the book says.

use babson_book::LANGUAGE;

use crate::dialect::Dialect;
use crate::filters::PlainFilter;
use crate::hir::Type;
use crate::keywords::{Keyword, KeywordOrigin};
use crate::vocabulary::{self, Term};

/// A row of a table of the book, which explains terms.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The page in the repository, such as `docs/src/language/mates.md`.
    pub page: &'static str,
    /// The heading of the page.
    pub title: &'static str,
    /// The first cell: the forms, each between backquotes.
    pub forms: String,
    /// The cell of the column `type`, if the table has one: the type of the value.
    pub value_type: Option<String>,
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
        let is_named = entry.forms.split('`').skip(1).step_by(2).any(named);
        (!is_named, !is_first)
    };
    found.sort_by_key(rank);
    found
}

/// What the table of filters says of a word that is a plain filter: the types of its operands and
/// of its value, and which engines have it. `None` for all other words.
///
/// ```
/// use babson_lang::reference::signature_of;
///
/// let line = signature_of("isolatedpawns").unwrap();
/// assert_eq!(line, "a filter without operands; its value is a set of squares; \
///                   in CQL 6.2 and CQLi");
/// assert_eq!(signature_of("path"), None);
/// ```
pub fn signature_of(word: &str) -> Option<String> {
    let keyword = Keyword::from_word(word)?;
    let (operands, row) = match keyword.filter()? {
        PlainFilter::Constant(_) => return None,
        PlainFilter::Condition(which) => ("", which.signature()),
        PlainFilter::Property(which) => ("", which.signature()),
        PlainFilter::Unary(which) => ("its operand is", which.signature()),
        PlainFilter::Binary(which) => ("each of its two operands is", which.signature()),
    };
    let operands = match row.operands {
        Some(ty) => format!("{operands} {}", ty.with_article()),
        None => "a filter without operands".to_owned(),
    };
    let value = match row.ty {
        Type::Bool => "it matches or not, without a value".to_owned(),
        Type::Number | Type::Set | Type::String | Type::Position | Type::Piece => {
            format!("its value is {}", row.ty.with_article())
        }
    };
    let engines = match keyword.origin() {
        KeywordOrigin::Both => "in CQL 6.2 and CQLi",
        KeywordOrigin::Cql6 => "in CQL 6.2, not in CQLi",
        KeywordOrigin::Cqli => "in CQLi, not in CQL 6.2",
        KeywordOrigin::Babson => "only in Babson",
    };
    Some(format!("{operands}; {value}; {engines}"))
}

/// All entries, in the order of the book.
pub fn entries() -> impl Iterator<Item = Entry> {
    LANGUAGE.iter().flat_map(|page| rows_of(page.path, page.text))
}

/// The pages that have entries, in the order of the book.
pub fn pages() -> impl Iterator<Item = &'static str> {
    LANGUAGE.iter().map(|page| page.path)
}

/// The heading of the last column of the table of operators, which tells how they are grouped, not
/// what they mean.
const ORDER_OF_OPERATORS: &str = "associativity";

/// The rows of the tables of a page.
fn rows_of(page: &'static str, text: &'static str) -> impl Iterator<Item = Entry> {
    let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
    let mut in_block = false;
    // The column of types in the current table; outside of tables, the next row is a heading.
    let mut types: Option<usize> = None;
    let mut in_table = false;
    let mut explains = true;
    text.lines().filter_map(move |line| {
        if line.starts_with("```") {
            in_block = !in_block;
        }
        let cells = if in_block { None } else { cells(line) };
        let begins = cells.is_some() && !in_table;
        in_table = cells.is_some();
        let cells = cells?;
        if begins {
            types = cells.iter().position(|cell| cell == "type");
            explains = cells.last().is_some_and(|cell| cell != ORDER_OF_OPERATORS);
        }
        if !explains {
            return None;
        }
        let [forms, .., meaning] = cells.as_slice() else { return None };
        let terms = terms(forms);
        if terms.is_empty() {
            return None;
        }
        let value_type = types.and_then(|column| cells.get(column)).cloned();
        let (forms, meaning) = (forms.clone(), without_links(meaning));
        Some(Entry { page, title, forms, value_type, meaning, terms })
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

    /// The book states the types that the table of filters has.
    #[test]
    fn the_types_of_plain_filters_are_those_of_the_table() {
        let mut checked = 0;
        for entry in entries() {
            let Some(stated) = &entry.value_type else { continue };
            for form in entry.forms.split('`').skip(1).step_by(2) {
                let mut words = form.split_whitespace();
                let keyword = words.next().and_then(Keyword::from_word);
                let row = match keyword.and_then(Keyword::filter) {
                    Some(PlainFilter::Condition(which)) => which.signature(),
                    Some(PlainFilter::Property(which)) => which.signature(),
                    Some(PlainFilter::Unary(which)) => which.signature(),
                    Some(PlainFilter::Binary(which)) => which.signature(),
                    Some(PlainFilter::Constant(_)) | None => continue,
                };
                // With more words, a filter without operands is another one: `fen "X"`.
                if row.operands.is_none() && words.next().is_some() {
                    continue;
                }
                assert_eq!(stated, row.ty.name(), "{}: {}", entry.page, entry.forms);
                checked += 1;
            }
        }
        assert!(checked > 60, "{checked}");
    }

    /// A row of the table without an entry of the book cannot be added.
    #[test]
    fn every_plain_filter_has_an_entry_of_its_own() {
        for &keyword in Keyword::ALL.iter().filter(|keyword| keyword.filter().is_some()) {
            let entries = entries_of(keyword.name());
            assert!(!entries.is_empty(), "{}", keyword.name());
        }
    }

    #[test]
    fn links_are_words() {
        assert_eq!(without_links("the [sets](page#sets) of `a[1]`"), "the sets of `a[1]`");
        assert_eq!(without_links("a ]( b"), "a ]( b");
    }

    #[test]
    fn the_nearest_entry_comes_first() {
        for (word, forms) in [("mate", "`mate`"), ("and", "`F and G`"), ("|", "`S | T`")] {
            let entries = entries_of(word);
            assert!(entries[0].forms.contains(forms), "{word}: {}", entries[0].forms);
        }
    }
}
