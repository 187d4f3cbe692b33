//! The terms that the pages of the book explain.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use babson_lang::Dialect;
use babson_lang::vocabulary::{self, Term};

use crate::about;

/// The pages of the book by term: those with the term in the first column of a table.
pub(super) fn read(root: &Path) -> io::Result<HashMap<Term, String>> {
    let mut entries = HashMap::new();
    let summary = root.join("docs/src/SUMMARY.md");
    let summary = fs::read_to_string(&summary).map_err(|error| about(&summary, &error))?;
    let mut pages: Vec<&str> = summary
        .split('(')
        .filter_map(|rest| rest.split_once(')'))
        .map(|(page, _)| page)
        .filter(|page| page.starts_with("language/"))
        .collect();
    // The first page only lists the terms of the others.
    pages.sort_by_key(|page| Path::new(page).file_stem() == Some("index".as_ref()));
    for page in pages {
        let path = root.join("docs/src").join(page);
        let text = fs::read_to_string(&path).map_err(|error| about(&path, &error))?;
        let mut in_block = false;
        for line in text.lines() {
            if line.starts_with("```") {
                in_block = !in_block;
            } else if !in_block {
                for term in first_cell(line).unwrap_or_default() {
                    entries.entry(term).or_insert_with(|| page.to_string());
                }
            }
        }
    }
    Ok(entries)
}

/// The terms in the code of the first cell of a table's row.
fn first_cell(line: &str) -> Option<Vec<Term>> {
    let row = line.strip_prefix('|')?.replace(r"\|", "\u{0}");
    let cell = row.split('|').next()?.replace('\u{0}', "|");
    let mut terms = Vec::new();
    let mut rest = cell.as_str();
    while let Some(start) = rest.find('`') {
        // Code that contains a backquote is enclosed in two backquotes.
        let fence = if rest[start..].starts_with("`` ") { "``" } else { "`" };
        let code = &rest[start + fence.len()..];
        let end = code.find(fence)?;
        // `…` is a placeholder of any text, and `{n}` a repetition.
        let form = code[..end].replace('…', " ").replace("{n}", "{2}");
        terms.extend(vocabulary::used(&form, Dialect::CQLI));
        terms.extend(vocabulary::used_in_cql3(&form));
        rest = &code[end + fence.len()..];
    }
    Some(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_row_explains_the_code_in_its_first_cell() {
        let texts = |line| -> Vec<String> {
            let terms = first_cell(line).unwrap_or_default();
            terms.into_iter().map(|term| term.text).collect()
        };
        assert_eq!(texts(r"| `S \| T`, `∪` | `mate` |"), ["|", "∪"]);
        assert_eq!(texts("| `` ` `` | the identity |"), ["`"]);
        assert_eq!(texts("| `:piececount D 1` | |"), [":", ":piececount"]);
        assert_eq!(texts("no row, `mate`"), [""; 0]);
    }
}
