//! The climb: reads a run of operands, heads and operators by the levels of the operators
//! (docs/src/language/reading.md#operators).
//!
//! The operand of a head, and the right operand of an operator, have a level: they take the
//! operators of this level and of all higher levels. An operator of the same level can follow only
//! if nothing in the operand has refused it. So each expression has a *ceiling*: the highest level
//! of an operator whose left operand it can be.

mod heads;
mod moves;
mod operands;
mod sequences;

use std::iter::Peekable;
use std::vec::IntoIter;

use super::AstBuilder;
use super::part::{Head, Part, PartKind};
use crate::ast::*;

/// The ceiling of a complete operand: the level of `:`.
const COMPLETE: u8 = BinaryOp::With.level();

/// The terminals that an error lists as expected where a filter, an operand or an operator can
/// stand. A message names the group, not each of them.
const FILTER: &[&str] = &["nullary", "width1"];
const OPERAND: &[&str] = &["nullary"];
const OPERATOR: &[&str] = &["operator"];

/// Which filters an expression can begin or end with.
#[derive(Clone, Copy, PartialEq)]
enum Edge {
    /// Any.
    Any,
    /// All but `line`.
    NoLine,
    /// Those that can be an operand of a dash without brackets: no head whose operand has a level
    /// below 11.
    Tight,
}

/// An error that has been recorded.
pub(super) struct Failed;

/// An expression and its ceiling.
type Climbed = Result<(Expr, u8), Failed>;

/// The climb over one run.
pub(super) struct Climb<'b, 's, 't> {
    b: &'b mut AstBuilder<'s, 't>,
    parts: Peekable<IntoIter<Part>>,
    /// The place of the bracket that closes the run.
    closing: Span,
    /// The end of the last part that was read.
    end: u32,
    /// The number of expressions around.
    depth: u16,
    /// The last part ends an operand, which an operator can follow.
    complete: bool,
    /// The last part is a name or an index, which an assignment can follow.
    assignable: bool,
}

impl<'b, 's, 't> Climb<'b, 's, 't> {
    /// `closing` is the place of the bracket that closes the run.
    pub(super) fn new(
        b: &'b mut AstBuilder<'s, 't>,
        run: Vec<Part>,
        closing: u32,
    ) -> Climb<'b, 's, 't> {
        let parts = run.into_iter().peekable();
        let at = Span::new(closing, closing);
        Climb { b, parts, closing: at, end: closing, depth: 0, complete: false, assignable: false }
    }

    /// Whether the run ends here.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.parts.peek().is_none()
    }

    fn peek(&mut self) -> Option<&PartKind> {
        self.parts.peek().map(|part| &part.kind)
    }

    /// The place of the next part, or the end of the run.
    fn place(&mut self) -> Span {
        self.parts.peek().map_or(self.closing, |part| part.span)
    }

    /// From the beginning of a part to the end of the last one.
    fn from(&self, start: Span) -> Span {
        Span::new(start.start, self.end)
    }

    fn next(&mut self) -> Option<Part> {
        let part = self.parts.next()?;
        self.end = part.span.end;
        self.complete = false;
        self.assignable = false;
        Some(part)
    }

    /// The next part, if it satisfies a condition.
    fn next_if(&mut self, accepts: impl Fn(&PartKind) -> bool) -> Option<Part> {
        self.peek().is_some_and(accepts).then(|| self.next())?
    }

    /// The place of the next part, which is read, if it satisfies a condition.
    fn take(&mut self, accepts: impl Fn(&PartKind) -> bool) -> Option<Span> {
        self.next_if(accepts).map(|part| part.span)
    }

    /// The next part, if it is a head that satisfies a condition.
    fn head(&mut self, accepts: impl Fn(&Head) -> bool) -> Option<(Head, Span)> {
        match self.next_if(|part| matches!(part, PartKind::Head(head) if accepts(head))) {
            Some(Part { kind: PartKind::Head(head), span }) => Some((head, span)),
            _ => None,
        }
    }

    fn begins_filter(&mut self) -> bool {
        matches!(self.peek(), Some(PartKind::Head(_)))
    }

    /// Records that the next part, or the end of the run, is not one of the expected terminals.
    pub(super) fn unexpected(&mut self, expected: &[&[&str]]) -> Failed {
        let place = self.place();
        if matches!(self.peek(), Some(PartKind::Head(Head::Error))) {
            return Failed;
        }
        let is_foreign = matches!(self.peek(), Some(PartKind::Misplaced | PartKind::All));
        let assignment = (self.assignable && is_foreign).then_some("=");
        let expected = expected.iter().copied().flatten().copied().chain(assignment);
        self.b.unexpected(place, expected);
        Failed
    }

    /// Reads all filters of the run. `closer` is the terminal that ends it.
    pub(super) fn items(&mut self, closer: &str) -> Vec<Expr> {
        let mut items = Vec::new();
        while !self.is_at_end() {
            items.push(self.item(closer, Edge::Any));
        }
        items
    }

    /// Reads a filter. After an error, the climb goes on where the next filter can begin.
    fn item(&mut self, closer: &str, edge: Edge) -> Expr {
        let start = self.place();
        let left = self.parts.len();
        let climbed = if self.begins_filter() {
            self.complete = false;
            self.expr(levels::FILTER, edge)
        } else {
            let is_branch = matches!(self.peek(), Some(PartKind::Then | PartKind::Else));
            let operators = if self.complete && !is_branch { OPERATOR } else { &[] };
            let closers = if self.complete || closer == ")" { &[closer][..] } else { &[] };
            Err(self.unexpected(&[FILTER, operators, closers]))
        };
        if let Ok((filter, _)) = climbed {
            return *filter;
        }
        if self.parts.len() == left {
            self.next();
        }
        while self.next_if(|part| !matches!(part, PartKind::Head(_))).is_some() {}
        Expr::new(ExprKind::Error, self.from(start))
    }

    /// Reads the only filter of the run, which the terminals `closers` can end.
    pub(super) fn one(&mut self, closers: &[&str]) -> Expr {
        let start = self.place();
        let Ok((one, _)) = self.expr(levels::FILTER, Edge::Any) else {
            return Expr::new(ExprKind::Error, start);
        };
        if !self.is_at_end() {
            let operators = if self.begins_filter() { &[] } else { OPERATOR };
            self.unexpected(&[operators, closers]);
        }
        *one
    }

    /// Reads an operand of a head.
    fn arg(&mut self, level: u8, edge: Edge) -> Result<Box<Expr>, Failed> {
        Ok(self.expr(level, edge)?.0)
    }

    /// Reads an expression with the operators of the level `floor` and of all higher levels, and
    /// returns its ceiling. The expression is in a box, so that the frames of the recursion are
    /// small.
    fn expr(&mut self, floor: u8, edge: Edge) -> Result<(Box<Expr>, u8), Failed> {
        if self.depth >= MAX_DEPTH {
            let at = self.place();
            self.b.report_depth(at);
            while self.next().is_some() {}
            return Err(Failed);
        }
        self.depth += 1;
        let climbed = match self.operand(edge) {
            Ok((left, ceiling)) => self.operators(left, ceiling, floor, edge),
            Err(Failed) => Err(Failed),
        };
        self.depth -= 1;
        climbed
    }

    /// Reads the operators after a left operand with this ceiling.
    fn operators(
        &mut self,
        mut left: Expr,
        mut ceiling: u8,
        floor: u8,
        edge: Edge,
    ) -> Result<(Box<Expr>, u8), Failed> {
        loop {
            self.complete = true;
            let op = match self.peek() {
                Some(PartKind::Operator(op)) => *op,
                Some(PartKind::Dash { .. }) => BinaryOp::Dash,
                _ => break,
            };
            let level = op.level();
            if level < floor || level > ceiling || op == BinaryOp::Match {
                break;
            }
            match self.next() {
                Some(Part { kind: PartKind::Dash { capture, right }, span }) => {
                    left = self.dash(capture, span, Some(left.boxed()), right)?.0;
                    ceiling = level - 1;
                }
                Some(Part { span, .. }) => {
                    let (right, end) = self.expr(op.right_level(), edge)?;
                    // `in` does not chain.
                    ceiling = end.min(if op == BinaryOp::In { level - 1 } else { level });
                    left = self.b.operator(left, op, span, right);
                }
                None => break,
            }
        }
        Ok((left.boxed(), ceiling))
    }
}
