//! Virtual brackets around a prefix filter that is the operand of a dash or of a parameter.

use super::TokenPass;
use super::open_filters::{OpenFilter, OperandContext};
use crate::diagnostic::Span;
use crate::keywords::{Keyword, KeywordClass, SpecialKeyword};
use crate::lexer::{LexemeClass, LexemeKind};
use crate::tokens::terminal::Terminal;

impl TokenPass<'_, '_> {
    /// Opens virtual brackets around a prefix filter that begins here as the operand of a dash or
    /// of a parameter.
    pub(super) fn open_virtual_brackets(&mut self, i: usize) {
        let of_parameter = match self.operand_context() {
            Some(OperandContext::Dash) => false,
            Some(OperandContext::Parameter) => true,
            Some(OperandContext::Enclosed) | None => return,
        };
        if self.prev_ends() || !self.starts_prefix(i, of_parameter) {
            return;
        }
        let start = self.lexemes[i].span.start;
        self.push(Span::new(start, start), Terminal::OperandOpen);
        self.open_filter(OpenFilter::Operand { of_parameter });
    }

    /// Whether a filter begins here that the grammar accepts as the operand of a dash or of a
    /// parameter only in brackets.
    fn starts_prefix(&self, i: usize, of_parameter: bool) -> bool {
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

    /// Does the same as [`TokenPass::starts_prefix`] for a word.
    fn word_starts_prefix(&self, i: usize, of_parameter: bool) -> bool {
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
                SpecialKeyword::Move
                | SpecialKeyword::Pin
                | SpecialKeyword::Path
                | SpecialKeyword::Unbind
                | SpecialKeyword::Dictionary
                | SpecialKeyword::Function => of_parameter,
                SpecialKeyword::All
                | SpecialKeyword::And
                | SpecialKeyword::Attacks
                | SpecialKeyword::AttackedBy
                | SpecialKeyword::ConsecutiveMoves
                | SpecialKeyword::Count
                | SpecialKeyword::Cql
                | SpecialKeyword::CqlBegin
                | SpecialKeyword::CqlEnd
                | SpecialKeyword::Else
                | SpecialKeyword::Hhdb
                | SpecialKeyword::In
                | SpecialKeyword::IsBound
                | SpecialKeyword::IsUnbound
                | SpecialKeyword::Or
                | SpecialKeyword::Quiet
                | SpecialKeyword::Ray
                | SpecialKeyword::Result
                | SpecialKeyword::SimilarPosition
                | SpecialKeyword::Then
                | SpecialKeyword::Xray => false,
            },
            KeywordClass::Nullary
            | KeywordClass::Direction
            | KeywordClass::Tight
            | KeywordClass::Search
            | KeywordClass::Colored
            | KeywordClass::Text
            | KeywordClass::Parameter
            | KeywordClass::Reserved => false,
        }
    }
}
