//! What can begin an operand.

use super::cursor::Cursor;
use crate::keywords::{Keyword, KeywordClass, SpecialKeyword};
use crate::lexer::{LexemeClass, LexemeKind};

/// What a keyword with a production of its own begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeywordStart {
    /// Nothing: it stands between operands, or before a part of a construct.
    Nothing,
    /// A filter that ends by itself, such as `ray (A k)`, or a word that the grammar reports.
    Closed,
    /// A filter that ends with an operand.
    Prefix,
    /// `comment`, `message` or `str`: a prefix filter without a list in parentheses.
    Print,
    /// `position`, whose operand can be a sum.
    Position,
    /// A filter that ends with parameters, or a declaration.
    Parameters,
}

impl KeywordStart {
    fn of(keyword: SpecialKeyword) -> KeywordStart {
        match keyword {
            SpecialKeyword::Or
            | SpecialKeyword::And
            | SpecialKeyword::In
            | SpecialKeyword::Attacks
            | SpecialKeyword::AttackedBy
            | SpecialKeyword::Then
            | SpecialKeyword::Else
            | SpecialKeyword::Cql => KeywordStart::Nothing,
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
            | SpecialKeyword::Line => KeywordStart::Prefix,
            SpecialKeyword::Comment | SpecialKeyword::Message | SpecialKeyword::Str => {
                KeywordStart::Print
            }
            SpecialKeyword::Position => KeywordStart::Position,
            SpecialKeyword::Move
            | SpecialKeyword::Pin
            | SpecialKeyword::Path
            | SpecialKeyword::Unbind
            | SpecialKeyword::Dictionary
            | SpecialKeyword::Function => KeywordStart::Parameters,
            SpecialKeyword::All
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
            | SpecialKeyword::Xray => KeywordStart::Closed,
        }
    }
}

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
        match self.keyword(word).map(Keyword::class) {
            Some(KeywordClass::Special(special)) => {
                KeywordStart::of(special) != KeywordStart::Nothing
            }
            Some(
                KeywordClass::Transform
                | KeywordClass::Width1
                | KeywordClass::Width5
                | KeywordClass::Width7
                | KeywordClass::List
                | KeywordClass::Nullary
                | KeywordClass::Direction(_)
                | KeywordClass::Tight
                | KeywordClass::Search
                | KeywordClass::Colored
                | KeywordClass::Text
                | KeywordClass::Parameter
                | KeywordClass::Reserved,
            ) => true,
            None => word != "attacked",
        }
    }

    /// Whether the lexeme at `i` begins a filter that must stand in brackets as the operand of a
    /// dash, or with `of_parameter` as that of a parameter.
    pub(super) fn starts_prefix(&self, i: usize, of_parameter: bool) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        match kind.class() {
            LexemeClass::Word => self.word_starts_prefix(i, of_parameter),
            LexemeClass::Prefix => {
                of_parameter || !matches!(kind, LexemeKind::PathSymbol | LexemeKind::Tilde)
            }
            LexemeClass::Operand
            | LexemeClass::OpeningBracket
            | LexemeClass::ClosingBracket
            | LexemeClass::Comparison
            | LexemeClass::PositionComparison
            | LexemeClass::Sum
            | LexemeClass::Product
            | LexemeClass::Union
            | LexemeClass::Intersection
            | LexemeClass::Shot
            | LexemeClass::Match
            | LexemeClass::Dash
            | LexemeClass::Chain
            | LexemeClass::Assignment
            | LexemeClass::Element
            | LexemeClass::Colon
            | LexemeClass::Wildcard
            | LexemeClass::Parameter
            | LexemeClass::LineComment
            | LexemeClass::Comment => false,
        }
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
            KeywordClass::Special(special) => match KeywordStart::of(special) {
                KeywordStart::Prefix => true,
                KeywordStart::Print => !self.print_list(i + 1),
                KeywordStart::Position => !of_parameter && self.sum_follows(i + 1),
                KeywordStart::Parameters => of_parameter,
                KeywordStart::Closed | KeywordStart::Nothing => false,
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
