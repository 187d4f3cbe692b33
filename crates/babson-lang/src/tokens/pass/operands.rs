//! Which tokens and lexemes can begin, end or continue an operand.

use super::super::SpannedTerminal;
use super::TokenPass;
use crate::keywords::{Keyword, KeywordClass};
use crate::lexer::{LexemeClass, LexemeKind};
use crate::speculation::ChoiceKind;
use crate::tokens::terminal::{Terminal, TerminalRole};

impl TokenPass<'_, '_> {
    /// Whether the previous token can end an operand.
    pub(super) fn prev_ends(&self) -> bool {
        self.prev().is_some_and(Terminal::ends_operand)
    }

    /// Whether the lexeme can begin an operand.
    pub(super) fn starts(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        if kind != LexemeKind::Word {
            return kind.begins_operand();
        }
        let word = self.text(i);
        match self.keyword(word) {
            Some(keyword) => !matches!(
                keyword,
                Keyword::Or
                    | Keyword::And
                    | Keyword::In
                    | Keyword::Attacks
                    | Keyword::AttackedBy
                    | Keyword::Then
                    | Keyword::Else
                    | Keyword::Cql
            ),
            None => word != "attacked",
        }
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
        let class = self.class(next);
        matches!(class, Some(LexemeClass::Sum | LexemeClass::Product))
    }

    /// Whether only directions separate this place from a `ray` or `xray`.
    pub(super) fn in_ray(&self) -> bool {
        let is_flag = |token: &SpannedTerminal<'_>| matches!(token.1, Terminal::Flag(_));
        let before = self.out.iter().rev().find(|token| !is_flag(token));
        matches!(before, Some((_, Terminal::Ray(_), _)))
    }

    /// Whether `[x]` is the key of a dictionary or the index of a string. After an operand that can
    /// be a set it is a capture, unless type checking has rejected that.
    pub(super) fn is_key(&self, i: usize) -> bool {
        self.kind(i) == Some(LexemeKind::Capture)
            && self.is_adjacent(i)
            && self.text(i) == "[x]"
            && (self.after_dictionary()
                || matches!(
                    self.prev(),
                    Some(Terminal::Str(_) | Terminal::Group(_) | Terminal::NamedGroup(..))
                )
                || self.prev_ends() && self.second(ChoiceKind::Capture, i))
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

    /// Whether the lexeme is certainly a binary operator: `+` and `*` can be wildcards.
    pub(super) fn is_binary(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        match kind.class() {
            LexemeClass::Comparison
            | LexemeClass::PositionComparison
            | LexemeClass::Union
            | LexemeClass::Intersection
            | LexemeClass::Colon => true,
            LexemeClass::Sum | LexemeClass::Product => !kind.may_be_wildcard(),
            LexemeClass::Word => matches!(self.text(i), "or" | "and" | "in"),
            LexemeClass::Operand
            | LexemeClass::Prefix
            | LexemeClass::OpeningBracket
            | LexemeClass::ClosingBracket
            | LexemeClass::Shot
            | LexemeClass::Match
            | LexemeClass::Dash
            | LexemeClass::Chain
            | LexemeClass::Assignment
            | LexemeClass::Element
            | LexemeClass::Wildcard
            | LexemeClass::Parameter
            | LexemeClass::LineComment
            | LexemeClass::Comment => false,
        }
    }

    /// Whether the previous token is a binary operator.
    pub(super) fn after_operator(&self) -> bool {
        self.prev().is_some_and(|token| token.role() == TerminalRole::BinaryOperator)
    }
}
