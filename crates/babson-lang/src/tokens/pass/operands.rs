//! What can begin, end or continue an operand.

use super::super::Spanned;
use super::Pass;
use crate::keywords::{Class, Keyword};
use crate::lexer::Lex;
use crate::tokens::token::Tok;

impl Pass<'_, '_> {
    /// Can the previous token end an operand?
    pub(super) fn prev_ends(&self) -> bool {
        let Some(tok) = self.prev() else { return false };
        matches!(
            tok,
            Tok::Name(_)
                | Tok::Int(_)
                | Tok::Str(_)
                | Tok::Designator(_)
                | Tok::Dot
                | Tok::Empty
                | Tok::Identity
                | Tok::Group(_)
                | Tok::GroupIndex(_)
                | Tok::NamedGroup(..)
                | Tok::Result(_)
                | Tok::RParen
                | Tok::RBrace
                | Tok::RBracket
                | Tok::Nullary(_)
                | Tok::Searchable(_)
                | Tok::Search(_)
                | Tok::Coloured(_)
                | Tok::Colour(_)
                | Tok::Hhdb
                | Tok::Pin
                | Tok::Move
                | Tok::MoveFlag(_)
                | Tok::PathEnd
                | Tok::OperandEnd
                | Tok::LineCommentEnd
                | Tok::DashFree(_)
                | Tok::DashLeft(_)
        )
    }

    /// Can the lexeme start an operand?
    pub(super) fn starts(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        match kind {
            Lex::Word => {
                let word = self.text(i);
                match self.keyword(word) {
                    Some(
                        Keyword::Or
                        | Keyword::And
                        | Keyword::In
                        | Keyword::Attacks
                        | Keyword::AttackedBy
                        | Keyword::Then
                        | Keyword::Else
                        | Keyword::Cql,
                    ) => false,
                    None => word != "attacked",
                    _ => true,
                }
            }
            Lex::Designator
            | Lex::PieceVar
            | Lex::Int
            | Lex::Result
            | Lex::CastleShort
            | Lex::CastleLong
            | Lex::Str
            | Lex::Escape
            | Lex::Group
            | Lex::GroupIndex
            | Lex::NamedGroup
            | Lex::ForAll
            | Lex::Tilde
            | Lex::Hash
            | Lex::Dot
            | Lex::Empty
            | Lex::Identity
            | Lex::LParen
            | Lex::LBrace
            | Lex::PathSymbol
            | Lex::CurrentSymbol
            | Lex::FlipSymbol
            | Lex::FlipColorSymbol => true,
            _ => false,
        }
    }

    /// Is the operand at i more than a number, a name or something in brackets: a prefix filter or
    /// arithmetic? Only such an operand of `position` can take in too much, and only the others are
    /// wanted where operands are tight.
    pub(super) fn sum_follows(&self, i: usize) -> bool {
        let mut next = match self.kind(i) {
            Some(Lex::Int | Lex::Group | Lex::GroupIndex | Lex::NamedGroup) => i + 1,
            Some(Lex::LParen | Lex::LBrace) => self.pairs[i].mate + 1,
            Some(Lex::Word) => match self.keyword(self.text(i)).map(Keyword::class) {
                None | Some(Class::Nullary | Class::List) => i + 1,
                _ => return true,
            },
            None => return false,
            _ => return true,
        };
        // A call, a key, a slice.
        while let Some(kind) = self.kind(next) {
            next = match kind {
                Lex::LBracket => self.pairs[next].mate + 1,
                Lex::LParen if next == i + 1 && self.kind(i) == Some(Lex::Word) => {
                    self.pairs[next].mate + 1
                }
                Lex::Capture if self.tied(next) => next + 1,
                _ => break,
            };
        }
        matches!(
            self.kind(next),
            Some(Lex::Plus | Lex::Minus | Lex::Star | Lex::Slash | Lex::Percent)
        )
    }

    /// Do only directions stand between `ray` or `xray` and here?
    pub(super) fn in_ray(&self) -> bool {
        let is_direction = |token: &Spanned<'_>| matches!(token.1, Tok::Direction(_));
        let before = self.out.iter().rev().find(|token| !is_direction(token));
        matches!(before, Some((_, Tok::Ray(_), _)))
    }

    /// Is a `[x]` the key of a dictionary or the index of a string, and no capture (rule 10)?
    /// Behind what may be a set it is a capture until the typing pass finds that it is none.
    pub(super) fn is_key(&self, i: usize) -> bool {
        self.kind(i) == Some(Lex::Capture)
            && self.tied(i)
            && self.text(i) == "[x]"
            && match self.prev() {
                Some(Tok::Name(name)) if self.names.is_dictionary(name) => true,
                Some(Tok::Str(_) | Tok::Group(_) | Tok::NamedGroup(..)) => true,
                _ => self.prev_ends() && self.vetoes.contains(&self.lexemes[i].span),
            }
    }

    /// Is the operand that ends here a position, whatever the names in it mean?
    pub(super) fn position_ends(&self) -> bool {
        let Some(last) = self.out.len().checked_sub(1) else {
            return false;
        };
        let first = match self.opener[last] {
            usize::MAX => last,
            open if matches!(self.out[open].1, Tok::Call) => open.saturating_sub(1),
            open => open,
        };
        let before = first.checked_sub(1).map(|i| &self.out[i].1);
        matches!(before, Some(Tok::Position))
            || matches!(
                self.out[first].1,
                Tok::Nullary(
                    Keyword::CurrentPosition
                        | Keyword::Parent
                        | Keyword::Child
                        | Keyword::InitialPosition
                ) | Tok::List(Keyword::Child | Keyword::Lca)
            )
    }

    pub(super) fn is_binary(&self, i: usize) -> bool {
        match self.kind(i) {
            Some(
                Lex::Eq
                | Lex::Ne
                | Lex::Lt
                | Lex::Le
                | Lex::Gt
                | Lex::Ge
                | Lex::Before
                | Lex::BeforeOrSame
                | Lex::After
                | Lex::AfterOrSame
                | Lex::Minus
                | Lex::Slash
                | Lex::Percent
                | Lex::Union
                | Lex::Intersect
                | Lex::Colon,
            ) => true,
            Some(Lex::Word) => matches!(self.text(i), "or" | "and" | "in"),
            _ => false,
        }
    }

    /// Is the previous token a binary operator?
    pub(super) fn after_operator(&self) -> bool {
        matches!(
            self.prev(),
            Some(
                Tok::Or
                    | Tok::And
                    | Tok::In
                    | Tok::Rel(_)
                    | Tok::Add(_)
                    | Tok::Mul(_)
                    | Tok::Shot(_)
                    | Tok::Union
                    | Tok::Intersect
                    | Tok::Attacks(_)
                    | Tok::Colon
                    | Tok::Match
            )
        )
    }
}
