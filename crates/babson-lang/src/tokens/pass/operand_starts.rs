//! What can begin an operand.

use super::cursor::Cursor;
use crate::keywords::{Keyword, KeywordClass, KeywordStart, OperandLevel};
use crate::lexer::{LexemeClass, LexemeKind};

impl Cursor<'_, '_> {
    /// Whether the lexeme can begin an operand.
    pub(super) fn starts_operand(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        if kind != LexemeKind::Word {
            return kind.begins_operand();
        }
        let word = self.text(i);
        let Some(keyword) = self.keyword(word) else {
            return word != "attacked";
        };
        let KeywordClass::Special(special) = keyword.class() else {
            return true;
        };
        special.start() != KeywordStart::Nothing
    }

    /// Whether the lexeme at `i` begins a filter that needs brackets around it as an operand of a
    /// dash or, with `of_parameter`, as the operand of a parameter.
    pub(super) fn starts_prefix(&self, i: usize, of_parameter: bool) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        if kind == LexemeKind::Word {
            return self.word_starts_prefix(i, of_parameter);
        }
        kind.class() == LexemeClass::Prefix
            && (of_parameter
                || !matches!(kind, LexemeKind::KeywordSymbol(Keyword::Path) | LexemeKind::Tilde))
    }

    /// Does the same as [`Self::starts_prefix`] for a word.
    pub(super) fn word_starts_prefix(&self, i: usize, of_parameter: bool) -> bool {
        let next = self.kind(i + 1);
        let Some(keyword) = self.keyword(self.text(i)) else {
            let assigns = next.is_some_and(LexemeKind::assigns);
            return next == Some(LexemeKind::Element)
                || assigns && !(next == Some(LexemeKind::Assign) && self.is_adjacent(i + 1));
        };
        match keyword.class() {
            KeywordClass::Transform => true,
            KeywordClass::Prefix(level) => level != OperandLevel::Tight,
            KeywordClass::List => {
                keyword == Keyword::MakeSquare && next != Some(LexemeKind::LParen)
            }
            KeywordClass::Special(special) => match special.start() {
                KeywordStart::Prefix => true,
                KeywordStart::Print => !self.print_list(i + 1),
                KeywordStart::Position => !of_parameter && self.sum_follows(i + 1),
                KeywordStart::Parameters => of_parameter,
                KeywordStart::Closed | KeywordStart::Nothing => false,
            },
            KeywordClass::Nullary
            | KeywordClass::Direction(_)
            | KeywordClass::Search
            | KeywordClass::Colored
            | KeywordClass::Text
            | KeywordClass::Parameter
            | KeywordClass::Reserved => false,
        }
    }
}
