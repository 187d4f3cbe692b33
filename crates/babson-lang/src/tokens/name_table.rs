//! Collects the names that a query declares, as far as this is possible without types.

use crate::dialect::Dialect;
use crate::keywords::{Keyword, KeywordOrigin};
use crate::lexer::{Lexeme, LexemeClass, LexemeKind};
use std::collections::HashSet;

/// The names that a query declares.
#[derive(Default)]
pub(crate) struct NameTable<'s> {
    functions: HashSet<&'s str>,
    dictionaries: HashSet<&'s str>,
    /// Variables that cannot hold a number.
    never_numeric: HashSet<&'s str>,
    /// All names that are assigned, bound by a loop, or parameters.
    bound: HashSet<&'s str>,
}

impl<'s> NameTable<'s> {
    /// Collects the names of one text.
    pub(crate) fn collect(source: &'s str, lexemes: &[Lexeme], dialect: Dialect) -> NameTable<'s> {
        let mut names = NameTable::default();
        names.add(source, lexemes, dialect);
        names
    }

    /// Adds the names of another text of the same query.
    pub(crate) fn add(&mut self, source: &'s str, lexemes: &[Lexeme], dialect: Dialect) {
        let names = self;
        let text = |i: usize| lexemes.get(i).map_or("", |l| l.span.text(source));
        let kind = |i: usize| lexemes.get(i).map(|l| l.kind);
        let is_word = |i: usize| kind(i) == Some(LexemeKind::Word) && may_be_name(text(i), dialect);
        for (i, lexeme) in lexemes.iter().enumerate() {
            if lexeme.kind == LexemeKind::PieceVar {
                let name = text(i).trim_start_matches("[Aa]").trim_start_matches('◭');
                names.never_numeric.insert(name);
                names.bound.insert(name);
            }
            if lexeme.kind != LexemeKind::Word {
                continue;
            }
            match text(i) {
                "function" if is_word(i + 1) => {
                    names.functions.insert(text(i + 1));
                    names.bound.insert(text(i + 1));
                    let mut j = i + 3;
                    while kind(j) == Some(LexemeKind::Word) {
                        if is_word(j) {
                            names.bound.insert(text(j));
                        }
                        j += 1;
                    }
                }
                "dictionary" => {
                    // `dictionary D` or `dictionary int --> int (sum) D`
                    let mut j = i + 1;
                    if kind(j + 1) == Some(LexemeKind::Forward) {
                        j += 3;
                        if kind(j) == Some(LexemeKind::LParen) {
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
                    let binds =
                        matches!(kind(j + 1), Some(LexemeKind::Element | LexemeKind::Assign))
                            || text(j + 1) == "in";
                    if is_word(j) && binds {
                        if word != "key" {
                            names.never_numeric.insert(text(j));
                        }
                        names.bound.insert(text(j));
                    }
                }
                "echo" | "consecutivemoves" => {
                    let open = (i + 1..i + 5).find(|&j| kind(j) == Some(LexemeKind::LParen));
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
                let class = kind(i + 1).map(LexemeKind::class);
                if matches!(class, Some(LexemeClass::Element | LexemeClass::Assignment)) {
                    names.bound.insert(text(i));
                }
                if class == Some(LexemeClass::Element) {
                    names.never_numeric.insert(text(i));
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

    /// Whether the word is assigned, bound or a parameter anywhere in the query.
    pub(crate) fn is_bound(&self, name: &str) -> bool {
        self.bound.contains(name)
    }

    pub(super) fn may_be_number(&self, name: &str) -> bool {
        !(self.never_numeric.contains(name)
            || self.functions.contains(name)
            || self.dictionaries.contains(name))
    }
}

/// Whether a query may use the word as a name
/// (docs/src/language/reading.md#keywords-and-names).
fn may_be_name(word: &str, dialect: Dialect) -> bool {
    match Keyword::from_word(word).map(Keyword::origin) {
        None => true,
        Some(KeywordOrigin::Both) => false,
        Some(KeywordOrigin::Cqli) => true,
        Some(KeywordOrigin::Cql6) => dialect.contextual_keywords,
    }
}
