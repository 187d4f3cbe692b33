//! `cargo xtask coverage-table`: for every word and symbol of the language a test and the page of
//! the book that explains it.
//!
//! Nothing here is a list kept by hand. The terms come from the tables of the front end; the tests
//! are the golden cases and the queries in the tests' sources, cut into terms by the front end's
//! own lexer; a page explains what stands in the first column of one of its tables. A term without
//! a test or a page is a hole.

mod book;
mod tests;

use std::collections::HashMap;
use std::io::{self, Error};
use std::path::Path;

use babson_lang::vocabulary::{self, Term};

/// Where a term is tested: the test that is about the fewest other things.
#[derive(Default)]
struct Coverage {
    best: HashMap<Term, (usize, String)>,
}

impl Coverage {
    /// Counts a test for all terms of its query. `rank` puts better kinds of tests before others.
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

/// Prints the table; an error if there is a hole.
pub(crate) fn print(root: &Path) -> io::Result<()> {
    let book = book::read(root)?;
    let tests = tests::read(root)?;
    let mut holes = Vec::new();
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
            holes.push(format!("{name} has no test"));
        }
        if page == "NONE" {
            holes.push(format!("{name} has no page"));
        }
    }
    if holes.is_empty() {
        Ok(())
    } else {
        let count = holes.len();
        Err(Error::other(format!("{count} holes:\n  {}", holes.join("\n  "))))
    }
}
