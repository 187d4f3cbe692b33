//! What can begin an operand.

use super::cursor::Cursor;
use crate::keywords::{Keyword, KeywordClass, SpecialKeyword};
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
        // All others begin a filter, or are errors that the grammar reports.
        !matches!(
            keyword,
            Keyword::Or
                | Keyword::And
                | Keyword::In
                | Keyword::Attacks
                | Keyword::AttackedBy
                | Keyword::Then
                | Keyword::Else
                | Keyword::Cql
        )
    }

    /// Whether the lexeme at `i` begins a filter that must stand in brackets as the operand of a
    /// dash, or with `of_parameter` as that of a parameter.
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
            KeywordClass::Transform
            | KeywordClass::Width1
            | KeywordClass::Width5
            | KeywordClass::Width7 => true,
            KeywordClass::List => {
                keyword == Keyword::MakeSquare && next != Some(LexemeKind::LParen)
            }
            KeywordClass::Special(special) => match special {
                SpecialKeyword::Not
                | SpecialKeyword::Find
                | SpecialKeyword::Sort
                | SpecialKeyword::Echo
                | SpecialKeyword::If
                | SpecialKeyword::While
                | SpecialKeyword::Square
                | SpecialKeyword::Piece
                | SpecialKeyword::Key
                | SpecialKeyword::String
                | SpecialKeyword::Imagine
                | SpecialKeyword::Legal
                | SpecialKeyword::PseudoLegal
                | SpecialKeyword::Previous
                | SpecialKeyword::CountMoves
                | SpecialKeyword::Atomic
                | SpecialKeyword::Persistent
                | SpecialKeyword::Local
                | SpecialKeyword::Line => true,
                SpecialKeyword::Comment | SpecialKeyword::Message | SpecialKeyword::Str => {
                    !self.print_list(i + 1)
                }
                SpecialKeyword::Position => !of_parameter && self.sum_follows(i + 1),
                // Filters that end with parameters, and declarations.
                SpecialKeyword::Move
                | SpecialKeyword::Pin
                | SpecialKeyword::Path
                | SpecialKeyword::Unbind
                | SpecialKeyword::Dictionary
                | SpecialKeyword::Function => of_parameter,
                SpecialKeyword::Or
                | SpecialKeyword::And
                | SpecialKeyword::In
                | SpecialKeyword::Attacks
                | SpecialKeyword::AttackedBy
                | SpecialKeyword::Then
                | SpecialKeyword::Else
                | SpecialKeyword::Cql
                | SpecialKeyword::All
                | SpecialKeyword::ConsecutiveMoves
                | SpecialKeyword::Count
                | SpecialKeyword::CqlBegin
                | SpecialKeyword::CqlEnd
                | SpecialKeyword::Hhdb
                | SpecialKeyword::IsBound
                | SpecialKeyword::IsUnbound
                | SpecialKeyword::Quiet
                | SpecialKeyword::Ray
                | SpecialKeyword::Result
                | SpecialKeyword::SimilarPosition
                | SpecialKeyword::Xray => false,
            },
            KeywordClass::Nullary
            | KeywordClass::Direction(_)
            | KeywordClass::Tight
            | KeywordClass::Search
            | KeywordClass::Colored
            | KeywordClass::Text
            | KeywordClass::Parameter
            | KeywordClass::Reserved => false,
        }
    }
}
