//! Which tokens and lexemes can begin, end or continue an operand.

use super::super::SpannedTerminal;
use super::TokenPass;
use crate::keywords::{Keyword, KeywordClass};
use crate::lexer::LexemeKind;
use crate::tokens::terminal::Terminal;

impl TokenPass<'_, '_> {
    /// Whether the previous token can end an operand.
    pub(super) fn prev_ends(&self) -> bool {
        let Some(tok) = self.prev() else { return false };
        matches!(
            tok,
            Terminal::Name(_)
                | Terminal::Int(_)
                | Terminal::Str(_)
                | Terminal::Designator(_)
                | Terminal::Dot
                | Terminal::Empty
                | Terminal::Identity
                | Terminal::Group(_)
                | Terminal::GroupIndex(_)
                | Terminal::NamedGroup(..)
                | Terminal::Result(_)
                | Terminal::RParen
                | Terminal::RBrace
                | Terminal::RBracket
                | Terminal::Nullary(_)
                | Terminal::Searchable(_)
                | Terminal::Search(_)
                | Terminal::Colored(_)
                | Terminal::Color(_)
                | Terminal::Hhdb
                | Terminal::Pin
                | Terminal::Move
                | Terminal::MoveFlag(_)
                | Terminal::PathEnd
                | Terminal::OperandEnd
                | Terminal::LineCommentEnd
                | Terminal::DashFree(_)
                | Terminal::DashLeft(_)
        )
    }

    /// Whether the lexeme can begin an operand.
    pub(super) fn starts(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        match kind {
            LexemeKind::Word => {
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
            LexemeKind::Designator
            | LexemeKind::PieceVar
            | LexemeKind::Int
            | LexemeKind::Result
            | LexemeKind::CastleShort
            | LexemeKind::CastleLong
            | LexemeKind::Str
            | LexemeKind::Escape
            | LexemeKind::Group
            | LexemeKind::GroupIndex
            | LexemeKind::NamedGroup
            | LexemeKind::ForAll
            | LexemeKind::Tilde
            | LexemeKind::Hash
            | LexemeKind::Dot
            | LexemeKind::Empty
            | LexemeKind::Identity
            | LexemeKind::LParen
            | LexemeKind::LBrace
            | LexemeKind::PathSymbol
            | LexemeKind::CurrentSymbol
            | LexemeKind::FlipSymbol
            | LexemeKind::FlipColorSymbol => true,
            _ => false,
        }
    }

    /// Whether the operand of `position` at `i` is a prefix filter or arithmetic, rather than a
    /// number, a name or a bracketed filter. An operand of `move` or `pin` can only be the latter.
    pub(super) fn sum_follows(&self, i: usize) -> bool {
        let mut next = match self.kind(i) {
            Some(
                LexemeKind::Int
                | LexemeKind::Group
                | LexemeKind::GroupIndex
                | LexemeKind::NamedGroup,
            ) => i + 1,
            Some(LexemeKind::LParen | LexemeKind::LBrace) => self.pairs[i].mate + 1,
            Some(LexemeKind::Word) => match self.keyword(self.text(i)).map(Keyword::class) {
                None | Some(KeywordClass::Nullary | KeywordClass::List) => i + 1,
                _ => return true,
            },
            None => return false,
            _ => return true,
        };
        // Skip a call, a key or a slice.
        while let Some(kind) = self.kind(next) {
            next = match kind {
                LexemeKind::LBracket => self.pairs[next].mate + 1,
                LexemeKind::LParen if next == i + 1 && self.kind(i) == Some(LexemeKind::Word) => {
                    self.pairs[next].mate + 1
                }
                LexemeKind::Capture if self.is_adjacent(next) => next + 1,
                _ => break,
            };
        }
        matches!(
            self.kind(next),
            Some(
                LexemeKind::Plus
                    | LexemeKind::Minus
                    | LexemeKind::Star
                    | LexemeKind::Slash
                    | LexemeKind::Percent
            )
        )
    }

    /// Whether only directions separate this place from a `ray` or `xray`.
    pub(super) fn in_ray(&self) -> bool {
        let is_direction = |token: &SpannedTerminal<'_>| matches!(token.1, Terminal::Direction(_));
        let before = self.out.iter().rev().find(|token| !is_direction(token));
        matches!(before, Some((_, Terminal::Ray(_), _)))
    }

    /// Whether `[x]` is the key of a dictionary or the index of a string. After an operand that can
    /// be a set it is a capture, unless type checking has rejected that.
    pub(super) fn is_key(&self, i: usize) -> bool {
        self.kind(i) == Some(LexemeKind::Capture)
            && self.is_adjacent(i)
            && self.text(i) == "[x]"
            && match self.prev() {
                Some(Terminal::Name(name)) if self.names.is_dictionary(name) => true,
                Some(Terminal::Str(_) | Terminal::Group(_) | Terminal::NamedGroup(..)) => true,
                _ => self.prev_ends() && self.vetoes.contains(&self.lexemes[i].span),
            }
    }

    /// Whether the operand that ends here is a position, independent of the names in it.
    pub(super) fn position_ends(&self) -> bool {
        let Some(last) = self.out.len().checked_sub(1) else {
            return false;
        };
        let first = match self.opener[last] {
            usize::MAX => last,
            open if matches!(self.out[open].1, Terminal::Call) => open.saturating_sub(1),
            open => open,
        };
        let before = first.checked_sub(1).map(|i| &self.out[i].1);
        matches!(before, Some(Terminal::Position))
            || matches!(
                self.out[first].1,
                Terminal::Nullary(
                    Keyword::CurrentPosition
                        | Keyword::Parent
                        | Keyword::Child
                        | Keyword::InitialPosition
                ) | Terminal::List(Keyword::Child | Keyword::Lca)
            )
    }

    /// Whether the lexeme is a binary operator.
    pub(super) fn is_binary(&self, i: usize) -> bool {
        match self.kind(i) {
            Some(
                LexemeKind::Eq
                | LexemeKind::Ne
                | LexemeKind::Lt
                | LexemeKind::Le
                | LexemeKind::Gt
                | LexemeKind::Ge
                | LexemeKind::Before
                | LexemeKind::BeforeOrSame
                | LexemeKind::After
                | LexemeKind::AfterOrSame
                | LexemeKind::Minus
                | LexemeKind::Slash
                | LexemeKind::Percent
                | LexemeKind::Union
                | LexemeKind::Intersect
                | LexemeKind::Colon,
            ) => true,
            Some(LexemeKind::Word) => matches!(self.text(i), "or" | "and" | "in"),
            _ => false,
        }
    }

    /// Whether the previous token is a binary operator.
    pub(super) fn after_operator(&self) -> bool {
        matches!(
            self.prev(),
            Some(
                Terminal::Or
                    | Terminal::And
                    | Terminal::In
                    | Terminal::Rel(_)
                    | Terminal::Add(_)
                    | Terminal::Mul(_)
                    | Terminal::Shot(_)
                    | Terminal::Union
                    | Terminal::Intersect
                    | Terminal::Attacks(_)
                    | Terminal::Colon
                    | Terminal::Match
            )
        )
    }
}
