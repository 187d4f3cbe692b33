//! Pass 1: what the names of the query are, as far as one can see without types.

use crate::dialect::Dialect;
use crate::keywords::{Keyword, Origin};
use crate::lexer::{Lex, Lexeme};
use std::collections::HashSet;

/// The names of a query.
#[derive(Default)]
pub(crate) struct Names<'s> {
    functions: HashSet<&'s str>,
    dictionaries: HashSet<&'s str>,
    /// Variables that never hold a number.
    never_numeric: HashSet<&'s str>,
    /// Everything that is assigned, bound by a loop, or a parameter.
    bound: HashSet<&'s str>,
}

impl<'s> Names<'s> {
    /// The names of one text.
    pub(crate) fn collect(source: &'s str, lexemes: &[Lexeme], dialect: Dialect) -> Names<'s> {
        let mut names = Names::default();
        names.add(source, lexemes, dialect);
        names
    }

    /// Adds the names of another text of the same query.
    pub(crate) fn add(&mut self, source: &'s str, lexemes: &[Lexeme], dialect: Dialect) {
        let names = self;
        let text = |i: usize| lexemes.get(i).map_or("", |l| l.span.text(source));
        let kind = |i: usize| lexemes.get(i).map(|l| l.kind);
        let is_word = |i: usize| kind(i) == Some(Lex::Word) && may_be_name(text(i), dialect);
        for (i, lexeme) in lexemes.iter().enumerate() {
            if lexeme.kind == Lex::PieceVar {
                let name = text(i).trim_start_matches("[Aa]").trim_start_matches('◭');
                names.never_numeric.insert(name);
                names.bound.insert(name);
            }
            if lexeme.kind != Lex::Word {
                continue;
            }
            match text(i) {
                "function" if is_word(i + 1) => {
                    names.functions.insert(text(i + 1));
                    names.bound.insert(text(i + 1));
                    let mut j = i + 3;
                    while kind(j) == Some(Lex::Word) {
                        if is_word(j) {
                            names.bound.insert(text(j));
                        }
                        j += 1;
                    }
                }
                "dictionary" => {
                    // `dictionary D` or `dictionary int --> int (sum) D`
                    let mut j = i + 1;
                    if kind(j + 1) == Some(Lex::Forward) {
                        j += 3;
                        if kind(j) == Some(Lex::LParen) {
                            j += 3;
                        }
                    }
                    if is_word(j) {
                        names.dictionaries.insert(text(j));
                        names.bound.insert(text(j));
                    }
                }
                word @ ("square" | "piece" | "string" | "key") => {
                    let j = if text(i + 1) == "all" { i + 2 } else { i + 1 };
                    let binds = matches!(kind(j + 1), Some(Lex::Element | Lex::Assign))
                        || text(j + 1) == "in";
                    if is_word(j) && binds {
                        if word != "key" {
                            names.never_numeric.insert(text(j));
                        }
                        names.bound.insert(text(j));
                    }
                }
                "echo" | "consecutivemoves" => {
                    let open = (i + 1..i + 5).find(|&j| kind(j) == Some(Lex::LParen));
                    for j in open.iter().flat_map(|o| [o + 1, o + 2]) {
                        if is_word(j) {
                            names.never_numeric.insert(text(j));
                            names.bound.insert(text(j));
                        }
                    }
                }
                _ => {}
            }
            if is_word(i) {
                match kind(i + 1) {
                    Some(Lex::Element) => {
                        names.bound.insert(text(i));
                        names.never_numeric.insert(text(i));
                    }
                    Some(lexeme) if lexeme.assigns() => {
                        names.bound.insert(text(i));
                    }
                    _ => {}
                }
            }
        }
    }

    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    pub(crate) fn is_dictionary(&self, name: &str) -> bool {
        self.dictionaries.contains(name)
    }

    /// Is the word assigned, bound or a parameter anywhere?
    pub(crate) fn is_bound(&self, name: &str) -> bool {
        self.bound.contains(name)
    }

    pub(super) fn may_be_number(&self, name: &str) -> bool {
        !(self.never_numeric.contains(name)
            || self.functions.contains(name)
            || self.dictionaries.contains(name))
    }
}

/// Is the word no keyword, or one that a query may take as a name?
fn may_be_name(word: &str, dialect: Dialect) -> bool {
    match Keyword::from_word(word).map(Keyword::origin) {
        None => true,
        Some(Origin::Both) => false,
        Some(Origin::Cqli) => true,
        Some(Origin::Cql6) => dialect.contextual_keywords,
    }
}
