//! Numbers, ranges, `-` and dashes.

use super::super::terminal::Terminal;
use super::{OpenFilter, RangeContext, Region, TokenPass};
use crate::ast::{InfixOp, RangeBoundKind};
use crate::diagnostic::Span;
use crate::lexer::{LexemeClass, LexemeKind};
use crate::speculation::ChoiceKind;

impl<'s> TokenPass<'s, '_> {
    /// Whether a range can take a bound here (docs/src/language/reading.md#ranges).
    fn bound_here(&mut self, range: RangeContext) -> bool {
        if range.bounds > 0 {
            return true;
        }
        matches!(self.region(), Region::Path | Region::Line)
            && (self.prev_ends() || self.prev().is_some_and(Terminal::precedes_sequence_parameter))
    }

    /// Whether the lexeme at `i` is an arithmetic operator or a comparison.
    fn arithmetic_follows(&self, i: usize) -> bool {
        matches!(
            self.class(i),
            Some(LexemeClass::Sum | LexemeClass::Product | LexemeClass::Comparison)
        )
    }

    /// The value of the lexeme at `i`, if it is a number.
    fn int_at(&self, i: usize) -> Option<i32> {
        if let Some(LexemeKind::Int(value)) = self.kind(i) { Some(value) } else { None }
    }

    /// A number, which can be a bound of a range.
    pub(super) fn int(&mut self, i: usize, value: i32, range: RangeContext) -> usize {
        // The second bound can be negative: `up 0 -1`.
        let negative = self.kind(i + 1) == Some(LexemeKind::Minus)
            && self.int_at(i + 2).is_some()
            && range.bounds == 2;
        if self.bound_here(range) && (negative || !self.arithmetic_follows(i + 1)) {
            self.range = range.after_bound();
            return self.take(i, i + 1, Terminal::Bound(RangeBoundKind::Int(value)));
        }
        self.take(i, i + 1, Terminal::Int(value))
    }

    /// A `-`: a binary operator, a sign, or the sign of a bound of a range.
    pub(super) fn minus(&mut self, i: usize, range: RangeContext) -> usize {
        let region = self.region();
        let seq = matches!(region, Region::Path | Region::Line)
            && !self.prev_ends()
            && self.bound_here(RangeContext::default());
        if let Some(value) = self.int_at(i + 1)
            && (range.bounds > 0 || seq)
            && !self.arithmetic_follows(i + 2)
        {
            self.range = range.after_bound();
            let value = RangeBoundKind::Int(value.wrapping_neg());
            return self.take(i, i + 2, Terminal::Bound(value));
        }
        let tok = if self.minus_starts(i) { Terminal::Neg } else { Terminal::Add(InfixOp::Sub) };
        self.take(i, i + 1, tok)
    }

    /// Whether the `-` begins a filter. After an operand it is binary, unless type checking has
    /// rejected that.
    pub(super) fn minus_starts(&self, i: usize) -> bool {
        !self.prev_ends() || self.after_header() || self.second(ChoiceKind::Difference, i)
    }

    /// Whether the dash has a left operand: it touches the end of an operand. In `path`, type
    /// checking separates the two if the operand is not a set.
    pub(super) fn left_tied(&mut self, i: usize) -> bool {
        let path = self.path_level();
        let step = matches!(self.prev(), Some(Terminal::DashFree(_) | Terminal::DashLeft(_)))
            || path
                && matches!(self.prev(), Some(Terminal::RParen))
                && self.closes(|tok| matches!(tok, Terminal::PathGroup | Terminal::Target));
        self.is_adjacent(i) && self.prev_ends() && !step && !self.second(ChoiceKind::LeftOperand, i)
    }

    /// Whether the previous token is the `)` of `cql(…)`, which does not end an operand.
    fn after_header(&self) -> bool {
        let open = self.opener.last().copied().unwrap_or(usize::MAX);
        open.checked_sub(1)
            .and_then(|i| self.out.get(i))
            .is_some_and(|token| matches!(token.1, Terminal::Cql))
    }

    /// A dash or a capture; `[x]` can also be a key.
    pub(super) fn dash(&mut self, i: usize) -> usize {
        let capture = self.lexemes[i].kind == LexemeKind::Capture;
        if self.is_key(i) {
            let s = self.lexemes[i].span.start;
            let open = self.out.len();
            self.push(Span::new(s, s + 1), Terminal::LBracket);
            self.push(Span::new(s + 1, s + 2), Terminal::Name("x"));
            self.push(Span::new(s + 2, s + 3), Terminal::RBracket);
            if let Some(opener) = self.opener.last_mut() {
                *opener = open;
            }
            return i + 1;
        }
        let left = self.left_tied(i);
        let right = self.is_adjacent(i + 1)
            && self.starts(i + 1)
            && self.kind(i + 1) != Some(LexemeKind::LParen);
        if let Some(OpenFilter::Path { params }) = self.top().opens.last_mut() {
            *params = false;
        }
        let tok = match (left, right) {
            (false, false) => Terminal::DashFree(capture),
            (true, false) => Terminal::DashLeft(capture),
            (false, true) => Terminal::DashRight(capture),
            (true, true) => Terminal::DashBoth(capture),
        };
        self.take(i, i + 1, tok)
    }
}
