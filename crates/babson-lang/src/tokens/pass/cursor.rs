//! A view of the lexemes. It answers what a lexeme and those after it are, independent of the
//! tokens before them.

use std::collections::HashSet;

use super::super::brackets::BracketPair;
use super::super::name_table::{NameTable, may_be_name};
use crate::choice::{Choice, ChoiceKind};
use crate::dialect::Dialect;
use crate::keywords::{Keyword, KeywordClass, KeywordOrigin};
use crate::lexer::{Lexeme, LexemeClass, LexemeKind, Spacing};
use crate::parameters::{self, ParamForm};

/// The lexemes of a text with what is known of the whole query. A lexeme is named by its index.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'s, 'a> {
    /// The text; it ends with the last part of the query that the lexemes are of.
    pub(crate) source: &'s str,
    pub(crate) lexemes: &'a [Lexeme],
    pub(crate) pairs: &'a [BracketPair],
    pub(crate) names: &'a NameTable<'s>,
    pub(crate) dialect: Dialect,
    /// The choices whose tokens get the second reading.
    pub(crate) second: &'a HashSet<Choice>,
}

impl<'s> Cursor<'s, '_> {
    pub(super) fn text(&self, i: usize) -> &'s str {
        self.lexemes.get(i).map_or("", |l| l.span.text(self.source))
    }

    pub(super) fn kind(&self, i: usize) -> Option<LexemeKind> {
        self.lexemes.get(i).map(|l| l.kind)
    }

    pub(super) fn class(&self, i: usize) -> Option<LexemeClass> {
        self.kind(i).map(LexemeKind::class)
    }

    pub(super) fn is_adjacent(&self, i: usize) -> bool {
        self.lexemes.get(i).is_some_and(|l| l.spacing == Spacing::Touching)
    }

    /// Whether the lexeme, if it is a choice of this kind, gets the second reading.
    pub(super) fn second(&self, kind: ChoiceKind, i: usize) -> bool {
        self.lexemes.get(i).is_some_and(|lexeme| self.second.contains(&kind.at(lexeme.span)))
    }

    /// The keyword with this spelling, unless the query uses the word as a name
    /// (docs/src/language/reading.md#keywords-and-names).
    pub(super) fn keyword(&self, word: &str) -> Option<Keyword> {
        let keyword = Keyword::from_word(word)?;
        let is_unknown = keyword.origin() == KeywordOrigin::Babson && !self.dialect.own_words;
        let is_name = self.names.is_bound(word) && may_be_name(word, self.dialect);
        (!is_unknown && !is_name).then_some(keyword)
    }

    /// Whether the operand of `position` at `i` is a prefix filter or arithmetic, rather than a
    /// number, a name or a bracketed filter. The operand of a parameter can only be the latter.
    pub(super) fn sum_follows(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        let is_number = matches!(
            kind,
            LexemeKind::Int(_)
                | LexemeKind::Group(_)
                | LexemeKind::GroupIndex(_)
                | LexemeKind::NamedGroup
        );
        let mut next = if kind == LexemeKind::Word {
            let class = self.keyword(self.text(i)).map(Keyword::class);
            if !matches!(class, None | Some(KeywordClass::Nullary | KeywordClass::List)) {
                return true;
            }
            i + 1
        } else if matches!(kind, LexemeKind::LParen | LexemeKind::LBrace) {
            self.pairs[i].mate + 1
        } else if is_number {
            i + 1
        } else {
            return true;
        };
        // Skip a call, a key or a slice.
        loop {
            let is_call = next == i + 1 && kind == LexemeKind::Word;
            match self.kind(next) {
                Some(LexemeKind::LBracket) => next = self.pairs[next].mate + 1,
                Some(LexemeKind::LParen) if is_call => next = self.pairs[next].mate + 1,
                Some(LexemeKind::Capture) if self.is_adjacent(next) => next += 1,
                Some(_) | None => break,
            }
        }
        self.kind(next).is_some_and(LexemeKind::is_arithmetic)
    }

    /// Whether the lexeme is certainly a binary operator: `+` and `*` can be wildcards.
    pub(super) fn is_binary(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        if kind == LexemeKind::Word {
            return matches!(self.text(i), "or" | "and" | "in");
        }
        matches!(kind.class(), LexemeClass::Operator(_) | LexemeClass::Colon)
            && !matches!(kind, LexemeKind::Shot(_) | LexemeKind::Match)
            && !kind.may_be_wildcard()
    }

    /// Whether the lexeme at `i` is this keyword.
    pub(super) fn is_word(&self, i: usize, keyword: Keyword) -> bool {
        self.kind(i) == Some(LexemeKind::Word) && self.keyword(self.text(i)) == Some(keyword)
    }

    /// The value of the lexeme at `i`, if it is a number.
    pub(super) fn int_at(&self, i: usize) -> Option<i32> {
        if let Some(LexemeKind::Int(value)) = self.kind(i) { Some(value) } else { None }
    }

    /// Whether the lexeme at `i` is an arithmetic operator or a comparison.
    pub(super) fn arithmetic_follows(&self, i: usize) -> bool {
        self.kind(i).is_some_and(|kind| kind.is_arithmetic() || kind.compares_values())
    }

    /// Whether `key` or `string` at `i` begins a loop.
    pub(super) fn is_loop(&self, i: usize) -> bool {
        // A designator in the place of the name is an error that the grammar reports.
        matches!(self.kind(i + 1), Some(LexemeKind::Word | LexemeKind::Designator(_)))
            && (self.text(i + 2) == "in" || self.kind(i + 2) == Some(LexemeKind::Element))
    }

    /// A keyword that precedes a dash, such as `legal`.
    pub(super) fn dash_word(&self, i: usize) -> Option<Keyword> {
        if self.kind(i) != Some(LexemeKind::Word) {
            return None;
        }
        self.keyword(self.text(i)).filter(|keyword| keyword.precedes_dash())
    }

    /// Whether a list in parentheses follows `comment`, `message` or `str`.
    pub(super) fn print_list(&self, j: usize) -> bool {
        let list = j + usize::from(self.text(j) == "quiet");
        self.kind(list) == Some(LexemeKind::LParen)
    }

    /// Whether the lexeme at `i` can begin the target of a dash, or its promotion.
    pub(super) fn may_begin_tail(&self, i: usize) -> bool {
        matches!(self.kind(i), Some(LexemeKind::LParen | LexemeKind::Assign))
    }

    /// Whether the lexeme at `i` is a parameter of a filter that ends with them.
    pub(super) fn is_parameter(&self, i: usize, of: Keyword, legal: bool) -> bool {
        let is_parameter = |word| self.parameter_form(i, word, of, legal).is_some();
        matches!(self.kind(i), Some(LexemeKind::Word | LexemeKind::Castle))
            && self.keyword(self.text(i)).is_some_and(is_parameter)
    }

    /// What follows the keyword at `i`, if it is such a parameter and not the next filter.
    pub(super) fn parameter_form(
        &self,
        i: usize,
        keyword: Keyword,
        of: Keyword,
        legal: bool,
    ) -> Option<ParamForm> {
        let form = parameters::form(of, keyword)?;
        let before_dash = self.class(i + 1) == Some(LexemeClass::Dash);
        let before_paren = self.kind(i + 1) == Some(LexemeKind::LParen);
        let is_filter = keyword == Keyword::Previous && before_dash
            || form == ParamForm::Arguments && (!before_paren || legal);
        (!is_filter).then_some(form)
    }
}
