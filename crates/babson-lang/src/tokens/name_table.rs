//! Collects the names that a query declares, as far as this is possible without types.

use crate::dialect::Dialect;
use crate::keywords::{Keyword, KeywordOrigin};
use crate::lexer::{Lexeme, LexemeClass, LexemeKind, piece_variable};
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
        let mut reader = DeclarationReader { source, lexemes, dialect, names: self };
        for i in 0..lexemes.len() {
            reader.read(i);
        }
    }

    /// Whether the query declares a function of this name.
    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// Whether the query declares a dictionary of this name.
    pub(crate) fn is_dictionary(&self, name: &str) -> bool {
        self.dictionaries.contains(name)
    }

    /// Whether the word is assigned, bound or a parameter anywhere in the query.
    pub(crate) fn is_bound(&self, name: &str) -> bool {
        self.bound.contains(name)
    }

    /// Whether the name can be a variable that holds a number.
    pub(super) fn may_be_number(&self, name: &str) -> bool {
        !(self.never_numeric.contains(name)
            || self.functions.contains(name)
            || self.dictionaries.contains(name))
    }
}

/// Finds the declarations in one text.
struct DeclarationReader<'s, 'a> {
    source: &'s str,
    lexemes: &'a [Lexeme],
    dialect: Dialect,
    names: &'a mut NameTable<'s>,
}

impl<'s> DeclarationReader<'s, '_> {
    fn text(&self, i: usize) -> &'s str {
        self.lexemes.get(i).map_or("", |lexeme| lexeme.span.text(self.source))
    }

    fn kind(&self, i: usize) -> Option<LexemeKind> {
        self.lexemes.get(i).map(|lexeme| lexeme.kind)
    }

    fn is_name(&self, i: usize) -> bool {
        self.kind(i) == Some(LexemeKind::Word) && may_be_name(self.text(i), self.dialect)
    }

    /// Adds the name at `i`, if it is one.
    fn bind(&mut self, i: usize) {
        if self.is_name(i) {
            self.names.bound.insert(self.text(i));
        }
    }

    /// Adds the name at `i`, if it is one, of a variable that cannot hold a number.
    fn bind_non_number(&mut self, i: usize) {
        self.bind(i);
        if self.is_name(i) {
            self.names.never_numeric.insert(self.text(i));
        }
    }

    /// Adds the names that the lexeme at `i` declares.
    fn read(&mut self, i: usize) {
        if self.kind(i) == Some(LexemeKind::PieceVar) {
            let name = piece_variable(self.text(i));
            self.names.never_numeric.insert(name);
            self.names.bound.insert(name);
        }
        if self.kind(i) != Some(LexemeKind::Word) {
            return;
        }
        match self.text(i) {
            "function" => self.function(i),
            "dictionary" => self.dictionary(i),
            word @ ("square" | "piece" | "string" | "key") => self.loop_variable(i, word),
            "echo" | "consecutivemoves" => self.position_variables(i),
            _ => {}
        }
        let next = self.kind(i + 1).map(LexemeKind::class);
        if next == Some(LexemeClass::Element) {
            self.bind_non_number(i);
        } else if next == Some(LexemeClass::Assignment) {
            self.bind(i);
        }
    }

    /// `function f(x y)`
    fn function(&mut self, i: usize) {
        if !self.is_name(i + 1) {
            return;
        }
        self.names.functions.insert(self.text(i + 1));
        self.bind(i + 1);
        let mut parameter = i + 3;
        while self.kind(parameter) == Some(LexemeKind::Word) {
            self.bind(parameter);
            parameter += 1;
        }
    }

    /// `dictionary D` or `dictionary int --> int (sum) D`
    fn dictionary(&mut self, i: usize) {
        let mut name = i + 1;
        if self.kind(name + 1) == Some(LexemeKind::Forward) {
            name += 3;
            if self.kind(name) == Some(LexemeKind::LParen) {
                name += 3;
            }
        }
        if self.is_name(name) {
            self.names.dictionaries.insert(self.text(name));
        }
        self.bind(name);
    }

    /// `square all x in S`, `piece x = S`, `key x in D`
    fn loop_variable(&mut self, i: usize, word: &str) {
        let name = i + 1 + usize::from(self.text(i + 1) == "all");
        let next = self.kind(name + 1);
        let binds = matches!(next, Some(LexemeKind::Element | LexemeKind::Assign))
            || self.text(name + 1) == "in";
        if !binds {
            return;
        }
        if word == "key" {
            self.bind(name);
        } else {
            self.bind_non_number(name);
        }
    }

    /// `echo (x y)`, `consecutivemoves quiet 2 3 (x y)`: at most three lexemes precede the
    /// parenthesis.
    fn position_variables(&mut self, i: usize) {
        let open = (i + 1..i + 5).find(|&i| self.kind(i) == Some(LexemeKind::LParen));
        if let Some(open) = open {
            self.bind_non_number(open + 1);
            self.bind_non_number(open + 2);
        }
    }
}

/// Whether a query may use the word as a name
/// (docs/src/language/reading.md#keywords-and-names).
pub(super) fn may_be_name(word: &str, dialect: Dialect) -> bool {
    match Keyword::from_word(word).map(Keyword::origin) {
        Some(KeywordOrigin::Both) => false,
        Some(KeywordOrigin::Cql6) => dialect.contextual_keywords,
        Some(KeywordOrigin::Cqli | KeywordOrigin::Babson) | None => true,
    }
}
