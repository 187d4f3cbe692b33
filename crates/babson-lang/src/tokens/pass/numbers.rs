//! Numbers, ranges, `-` and dashes (rules 8, 9, 10, 18).

use super::super::token::Tok;
use super::{Open, Pass, Region, wrap};
use crate::ast::{BoundKind, InfixOp};
use crate::diagnostic::Span;
use crate::lexer::Lex;

impl<'s> Pass<'s, '_> {
    /// Is a bound allowed here?
    pub(super) fn bound_here(&mut self, bounds: u8) -> bool {
        if bounds > 0 {
            return true;
        }
        match self.region() {
            Region::Path | Region::Line => {
                self.prev_ends()
                    || matches!(
                        self.prev(),
                        Some(Tok::Path | Tok::Line | Tok::SeqFlag(_) | Tok::Bound(_) | Tok::Count)
                    )
            }
            _ => false,
        }
    }

    pub(super) fn arithmetic_follows(&self, i: usize) -> bool {
        matches!(
            self.kind(i),
            Some(
                Lex::Plus
                    | Lex::Minus
                    | Lex::Star
                    | Lex::Slash
                    | Lex::Percent
                    | Lex::Eq
                    | Lex::Ne
                    | Lex::Lt
                    | Lex::Le
                    | Lex::Gt
                    | Lex::Ge
            )
        )
    }

    pub(super) fn int(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let value = wrap(self.text(i));
        // A second bound may be negative: `up 0 -1`.
        let negative = self.kind(i + 1) == Some(Lex::Minus)
            && self.kind(i + 2) == Some(Lex::Int)
            && bounds == 2;
        if self.bound_here(bounds) && (negative || !self.arithmetic_follows(i + 1)) {
            self.bounds = bounds.saturating_sub(1);
            self.in_find = in_find;
            return self.take(i, i + 1, Tok::Bound(BoundKind::Int(value)));
        }
        self.take(i, i + 1, Tok::Int(value))
    }

    pub(super) fn minus(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let region = self.region();
        let seq = matches!(region, Region::Path | Region::Line)
            && !self.prev_ends()
            && self.bound_here(0);
        if (bounds > 0 || seq)
            && self.kind(i + 1) == Some(Lex::Int)
            && !self.arithmetic_follows(i + 2)
        {
            self.bounds = bounds.saturating_sub(1);
            self.in_find = in_find;
            let value = wrap(self.text(i + 1)).wrapping_neg();
            return self.take(i, i + 2, Tok::Bound(BoundKind::Int(value)));
        }
        let tok = if self.minus_starts(i) { Tok::Neg } else { Tok::Add(InfixOp::Sub) };
        self.take(i, i + 1, tok)
    }

    /// Does the `-` begin a filter? After an operand it is binary, whatever the operand: the typing
    /// pass turns it where the types say so.
    pub(super) fn minus_starts(&self, i: usize) -> bool {
        !self.prev_ends() || self.after_header() || self.is_veto(i)
    }

    /// Does the dash touch an operand at its left? A filter that is not a set is a constituent of
    /// its own before a dash in `path`: there the typing pass unties them.
    pub(super) fn left_tied(&mut self, i: usize) -> bool {
        let untied = self.lexemes[i].span.before();
        let path = self.path_level();
        let step = match self.prev() {
            Some(Tok::DashFree(_) | Tok::DashLeft(_)) => true,
            Some(Tok::RParen) if path => {
                self.closes(|tok| matches!(tok, Tok::PathGroup | Tok::Target))
            }
            _ => false,
        };
        self.tied(i) && self.prev_ends() && !step && !self.vetoes.contains(&untied)
    }

    /// Is the previous token the `)` of `cql(…)`, which ends no operand?
    fn after_header(&self) -> bool {
        let open = self.opener.last().copied().unwrap_or(usize::MAX);
        open.checked_sub(1)
            .and_then(|i| self.out.get(i))
            .is_some_and(|token| matches!(token.1, Tok::Cql))
    }

    pub(super) fn dash(&mut self, i: usize) -> usize {
        let capture = self.lexemes[i].kind == Lex::Capture;
        if self.is_key(i) {
            let s = self.lexemes[i].span.start;
            let open = self.out.len();
            self.push(Span::new(s, s + 1), Tok::LBracket);
            self.push(Span::new(s + 1, s + 2), Tok::Name("x"));
            self.push(Span::new(s + 2, s + 3), Tok::RBracket);
            if let Some(opener) = self.opener.last_mut() {
                *opener = open;
            }
            return i + 1;
        }
        let left = self.left_tied(i);
        let right = self.tied(i + 1) && self.starts(i + 1) && self.kind(i + 1) != Some(Lex::LParen);
        if let Some(Open::Path { params }) = self.top().opens.last_mut() {
            *params = false;
        }
        let tok = match (left, right) {
            (false, false) => Tok::DashFree(capture),
            (true, false) => Tok::DashLeft(capture),
            (false, true) => Tok::DashRight(capture),
            (true, true) => Tok::DashBoth(capture),
        };
        self.take(i, i + 1, tok)
    }
}
