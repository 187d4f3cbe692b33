//! Numbers, ranges, `-` and dashes.

use super::super::terminal::Terminal;
use super::TokenPass;
use super::context::{RangeContext, Region};
use super::open_filters::OpenFilter;
use crate::ast::{RangeBoundKind, SUBTRACT};
use crate::choice::ChoiceKind;
use crate::diagnostic::Span;
use crate::lexer::LexemeKind;

impl<'s> TokenPass<'s, '_> {
    /// Whether a range can take a bound here (docs/src/language/reading.md#ranges).
    fn bound_here(&mut self, range: RangeContext) -> bool {
        if range.bounds > 0 {
            return true;
        }
        matches!(self.context.region(), Region::Path | Region::Line)
            && (self.output.prev_ends()
                || self.output.prev().is_some_and(Terminal::precedes_sequence_parameter))
    }

    /// A number, which can be a bound of a range.
    pub(super) fn int(&mut self, i: usize, value: i32, range: RangeContext) -> usize {
        // The second bound can be negative: `up 0 -1`.
        let negative = self.cursor.kind(i + 1) == Some(LexemeKind::Minus)
            && self.cursor.int_at(i + 2).is_some()
            && range.bounds == 2;
        if self.bound_here(range) && (negative || !self.cursor.arithmetic_follows(i + 1)) {
            self.context.range = range.after_bound();
            return self.take(i, i + 1, Terminal::Bound(RangeBoundKind::Int(value)));
        }
        self.take(i, i + 1, Terminal::Int(value))
    }

    /// A `-`: a binary operator, a sign, or the sign of a bound of a range.
    pub(super) fn minus(&mut self, i: usize, range: RangeContext) -> usize {
        let region = self.context.region();
        let seq = matches!(region, Region::Path | Region::Line)
            && !self.output.prev_ends()
            && self.bound_here(RangeContext::default());
        if let Some(value) = self.cursor.int_at(i + 1)
            && (range.bounds > 0 || seq)
            && !self.cursor.arithmetic_follows(i + 2)
        {
            self.context.range = range.after_bound();
            let value = RangeBoundKind::Int(value.wrapping_neg());
            return self.take(i, i + 2, Terminal::Bound(value));
        }
        let tok = if self.minus_starts(i) { Terminal::Neg } else { Terminal::Operator(SUBTRACT) };
        self.take(i, i + 1, tok)
    }

    /// Whether the `-` begins a filter. After an operand it is binary, unless type checking has
    /// rejected that.
    pub(super) fn minus_starts(&self, i: usize) -> bool {
        !self.output.prev_ends()
            || self.output.after_header()
            || self.cursor.second(ChoiceKind::Difference, i)
    }

    /// Whether the dash has a left operand: it touches the end of an operand. In `path`, type
    /// checking separates the two if the operand is not a set.
    pub(super) fn left_tied(&mut self, i: usize) -> bool {
        let path = self.context.path_level();
        let step =
            matches!(self.output.prev(), Some(Terminal::DashFree(_) | Terminal::DashLeft(_)))
                || path
                    && matches!(self.output.prev(), Some(Terminal::RParen))
                    && self
                        .output
                        .closes(|tok| matches!(tok, Terminal::PathGroup | Terminal::Target));
        self.cursor.is_adjacent(i)
            && self.output.prev_ends()
            && !step
            && !self.cursor.second(ChoiceKind::LeftOperand, i)
    }

    /// Whether `[x]` is the key of a dictionary or the index of a string. After an operand that can
    /// be a set it is a capture, unless type checking has rejected that.
    pub(super) fn is_key(&self, i: usize) -> bool {
        self.cursor.kind(i) == Some(LexemeKind::Capture)
            && self.cursor.is_adjacent(i)
            && self.cursor.text(i) == "[x]"
            && (self.after_dictionary()
                || matches!(
                    self.output.prev(),
                    Some(Terminal::Str(_) | Terminal::Group(_) | Terminal::NamedGroup(..))
                )
                || self.output.prev_ends() && self.cursor.second(ChoiceKind::Capture, i))
    }

    /// A dash or a capture; `[x]` can also be a key.
    pub(super) fn dash(&mut self, i: usize) -> usize {
        let capture = self.cursor.lexemes[i].kind == LexemeKind::Capture;
        if self.is_key(i) {
            let s = self.cursor.lexemes[i].span.start;
            self.output.open();
            self.output.push(Span::new(s, s + 1), Terminal::LBracket);
            self.output.push(Span::new(s + 1, s + 2), Terminal::Name("x"));
            self.output.push(Span::new(s + 2, s + 3), Terminal::RBracket);
            self.output.close();
            return i + 1;
        }
        let left = self.left_tied(i);
        let right = self.cursor.is_adjacent(i + 1)
            && self.cursor.starts_operand(i + 1)
            && self.cursor.kind(i + 1) != Some(LexemeKind::LParen);
        if let Some(OpenFilter::Path { params }) = self.context.top().opens.last_mut() {
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
