//! `cargo xtask coverage-table`: lists each word and symbol of the language with a test and with
//! the page of the book that explains it.
//!
//! No list is kept by hand. The terms come from the tables of the front end. The tests are the
//! golden cases and the queries in the sources of tests; the lexer of the front end finds their
//! terms. A page explains the terms in the first column of its tables. A term without a test or a
//! page is a gap.

mod book;
mod tests;

use std::collections::HashMap;
use std::io::{self, Error};
use std::path::Path;

use babson_lang::vocabulary::{self, Term};

/// For each term, the test whose query has the fewest other terms.
#[derive(Default)]
struct Coverage {
    best: HashMap<Term, (usize, String)>,
}

impl Coverage {
    /// Adds a test for all terms of its query. A test of a lower `rank` is preferred.
    fn add(&mut self, terms: &[Term], rank: usize, name: &str) {
        let weight = rank * 1000 + terms.len();
        for term in terms {
            let known = self.best.get(term);
            if known.is_none_or(|(best, _)| weight < *best) {
                self.best.insert(term.clone(), (weight, name.to_string()));
            }
        }
    }
}

/// Prints the table.
///
/// # Errors
/// A file cannot be read, or a term has no test or no page.
pub(crate) fn print(root: &Path) -> io::Result<()> {
    let book = book::read(root)?;
    let tests = tests::read(root)?;
    let mut gaps = Vec::new();
    println!("{:<22}  {:<44}  page", "term", "test");
    for term in vocabulary::terms() {
        let name = if term.header { format!("cql({})", term.text) } else { term.text.clone() };
        let test = if vocabulary::is_reserved_only(&term) {
            tests.refused.best.get(&term)
        } else {
            tests.meaning.best.get(&term)
        };
        let test = test.map_or("NONE", |(_, test)| test);
        let page = book.get(&term).map_or("NONE", String::as_str);
        println!("{name:<22}  {test:<44}  {page}");
        if test == "NONE" {
            gaps.push(format!("{name} has no test"));
        }
        if page == "NONE" {
            gaps.push(format!("{name} has no page"));
        }
    }
    if gaps.is_empty() {
        Ok(())
    } else {
        let count = gaps.len();
        Err(Error::other(format!("{count} gaps:\n  {}", gaps.join("\n  "))))
    }
}
