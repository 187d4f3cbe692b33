//! Filters of the body of a loop that do not change with its rounds.
//!
//! A filter in the body of a loop over squares or pieces has the same value in each round if it
//! depends on nothing but the board in view and the variables of loops around. Such sets and counts
//! of squares are held by registers while the loop runs: those that cost no more than a test are
//! made before the loop, the others when a round first needs them. A condition that decides for all
//! rounds alike is tested before the loop.

use babson_lang::hir::{BinaryFilter, Errors, Expr, ExprKind, Property, Type, UnaryFilter, VarId};

use super::builder::Builder;
use crate::analysis::conjuncts;
use crate::limits::{MAX_HOLDING_REGISTERS, MIN_ONCE_COST};
use crate::op::{Label, Op, Register};
use crate::optimize;

/// A filter of the body of a loop with an outcome that does not change with the rounds.
pub(super) struct Held {
    filter: Expr,
    outcome: HeldOutcome,
}

#[derive(Clone, Copy)]
enum HeldOutcome {
    /// The filter matches.
    Matches,
    /// The register has its value.
    Value(Register),
    /// The first register has its value, unless the second one is not zero.
    ValueUnless(Register, Register),
}

/// What is known before a loop begins; [`Builder::forget_held`] takes it back.
pub(super) struct HeldBefore {
    held: usize,
    loops: usize,
}

impl Builder {
    /// Emits, before a loop over a variable, what the rounds of its body have in common. If no
    /// round can match, the code jumps to `none`, if there is such a label.
    pub(super) fn hold_for_body(
        &mut self,
        var: VarId,
        body: &Expr,
        none: Option<Label>,
    ) -> HeldBefore {
        let before = HeldBefore { held: self.held.len(), loops: self.loops_around.len() };
        if !self.is_profiled() {
            let mut filters = Vec::new();
            conjuncts([body], &mut filters);
            let pure = filters.iter().take_while(|filter| self.effects(filter).is_pure()).count();
            optimize::reorder(&mut filters[..pure], &self.analysis);
            // Whether the first round evaluates the filter anyway.
            let mut is_first = true;
            for (index, filter) in filters.into_iter().enumerate() {
                let unchanging = index < pure && self.is_unchanging_test(filter);
                match none {
                    Some(none) if unchanging && (is_first || is_cheap_test(filter)) => {
                        self.test(filter, none);
                        self.hold(filter, HeldOutcome::Matches);
                    }
                    Some(_) | None => {
                        is_first = false;
                        self.hold_parts(filter);
                    }
                }
            }
        }
        self.loops_around.push(var);
        before
    }

    /// The rounds of a loop end.
    pub(super) fn forget_held(&mut self, before: HeldBefore) {
        self.held.truncate(before.held);
        self.loops_around.truncate(before.loops);
    }

    /// Holds the values of unchanging parts of a filter.
    fn hold_parts(&mut self, filter: &Expr) {
        let is_number = filter.ty == Type::Number;
        if (filter.ty == Type::Set || is_number) && self.is_unchanging(filter) {
            let is_known = self.held.iter().any(|held| held.filter == *filter);
            if is_known || self.next >= MAX_HOLDING_REGISTERS {
                return;
            }
            if is_cheap(filter) {
                let value = self.temp();
                let fail = self.label();
                self.value(filter, value, fail);
                // A set and a count of one have a value always.
                self.bind(fail);
                self.hold(filter, HeldOutcome::Value(value));
            } else if self.effects(filter).cost < MIN_ONCE_COST && is_worth_a_test(filter) {
                let value = self.temp();
                let unknown = self.constant(1);
                self.hold(filter, HeldOutcome::ValueUnless(value, unknown));
            }
            return;
        }
        if looks_at_board_in_view(filter) {
            filter.for_each_operand(&mut |operand| self.hold_parts(operand));
        }
    }

    fn hold(&mut self, filter: &Expr, outcome: HeldOutcome) {
        self.held.push(Held { filter: filter.clone(), outcome });
    }

    /// Whether the filter is known to match in the rounds of the loops around.
    pub(super) fn is_held_match(&self, filter: &Expr) -> bool {
        let known = self.known_here(filter);
        matches!(known, Some(HeldOutcome::Matches))
    }

    /// The register that holds the value of the filter, once it is there.
    pub(super) fn held_value(&mut self, filter: &Expr) -> Option<Register> {
        match self.known_here(filter)? {
            HeldOutcome::Matches => None,
            HeldOutcome::Value(value) => Some(value),
            HeldOutcome::ValueUnless(value, unknown) => {
                let (known, fail) = (self.label(), self.label());
                self.emit(Op::TestSet { set: unknown, fail: known });
                let held = std::mem::take(&mut self.held);
                self.value(filter, value, fail);
                self.held = held;
                self.bind(fail);
                self.emit(Op::Const { dst: unknown, value: 0 });
                self.bind(known);
                Some(value)
            }
        }
    }

    fn known_here(&self, filter: &Expr) -> Option<HeldOutcome> {
        let held = self.held.iter().find(|held| held.filter == *filter)?;
        Some(held.outcome)
    }

    /// Runs `f` for the operands of a filter. What the loops around hold is known to them only if
    /// they look at the same board.
    pub(super) fn holding<T>(&mut self, filter: &Expr, f: impl FnOnce(&mut Self) -> T) -> T {
        if self.held.is_empty() || looks_at_board_in_view(filter) {
            return f(self);
        }
        let held = std::mem::take(&mut self.held);
        let result = f(self);
        self.held = held;
        result
    }

    /// Returns the register that has the value of an operand. A loop variable or a held value has a
    /// register already; for any other operand, emits code that puts the value into a new one.
    pub(super) fn operand(&mut self, expr: &Expr, fail: Label) -> Register {
        if let Some(var) = self.loop_register(expr) {
            return var;
        }
        if let Some(held) = self.held_value(expr) {
            return held;
        }
        let dst = self.temp();
        self.value(expr, dst, fail);
        dst
    }

    /// Whether the filter is a condition with one outcome in all rounds of a loop.
    fn is_unchanging_test(&self, filter: &Expr) -> bool {
        if let ExprKind::Compare(_, a, b) = &filter.kind {
            let is_number =
                |expr: &Expr| matches!(expr.kind, ExprKind::Number(_)) || self.is_unchanging(expr);
            return a.ty == Type::Number && is_number(a) && is_number(b);
        }
        filter.ty == Type::Set && self.is_unchanging(filter)
    }

    /// Whether the value of a set or of a count of squares depends on the board in view and on the
    /// variables of loops around only, and takes no steps.
    fn is_unchanging(&self, filter: &Expr) -> bool {
        if let ExprKind::Var(var) = filter.kind {
            return self.loops_around.contains(&var) && self.effects(filter).errors == Errors::None;
        }
        let kind = &filter.kind;
        let is_function = matches!(
            kind,
            ExprKind::Designator(_)
                | ExprKind::Squares(_)
                | ExprKind::Property(
                    Property::PassedPawns
                        | Property::ConnectedPawns
                        | Property::IsolatedPawns
                        | Property::DoubledPawns
                )
                | ExprKind::Unary(
                    UnaryFilter::Complement | UnaryFilter::Light | UnaryFilter::Dark,
                    _
                )
                | ExprKind::Binary(
                    BinaryFilter::Attacks
                        | BinaryFilter::AttackedBy
                        | BinaryFilter::Between
                        | BinaryFilter::Intersection
                        | BinaryFilter::Union,
                    ..
                )
        ) || matches!(
            kind,
            ExprKind::NoTransform(set) | ExprKind::Unary(UnaryFilter::Count, set)
                if set.ty == Type::Set
        ) || matches!(
            kind,
            ExprKind::Unary(UnaryFilter::PieceSquare, piece)
                if matches!(piece.kind, ExprKind::Var(_))
        ) || matches!(kind, ExprKind::Set(_)) && has_constant_range(filter);
        let mut unchanging = is_function && self.effects(filter).is_pure();
        filter.for_each_operand(&mut |operand| {
            unchanging = unchanging && self.is_unchanging(operand);
        });
        unchanging
    }
}

/// Whether no variable is in the range of the filter, if it has one.
fn has_constant_range(filter: &Expr) -> bool {
    filter.range().is_none_or(|range| range.is_constant())
}

/// Whether to make the value costs hardly more than to ask whether it is made.
fn is_cheap(filter: &Expr) -> bool {
    if let ExprKind::Unary(UnaryFilter::Count, inner) = &filter.kind {
        return matches!(inner.kind, ExprKind::Designator(_));
    }
    matches!(
        filter.kind,
        ExprKind::Designator(_)
            | ExprKind::Squares(_)
            | ExprKind::Unary(UnaryFilter::PieceSquare, _)
    )
}

/// Like [`is_cheap`], for a condition.
fn is_cheap_test(filter: &Expr) -> bool {
    if let ExprKind::Compare(_, a, b) = &filter.kind {
        return is_cheap(a) && matches!(b.kind, ExprKind::Number(_));
    }
    is_cheap(filter)
}

/// Returns true if computing the value costs more than testing whether it was computed before. A
/// variable has its value already, and a complement is one operation.
fn is_worth_a_test(filter: &Expr) -> bool {
    !matches!(filter.kind, ExprKind::Var(_) | ExprKind::Unary(UnaryFilter::Complement, _))
}

/// Whether the operands of a filter are evaluated on the board that the filter looks at, by code
/// that runs between its begin and its end.
fn looks_at_board_in_view(filter: &Expr) -> bool {
    matches!(
        filter.kind,
        ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::NoTransform(_)
            | ExprKind::Compare(..)
            | ExprKind::Equal(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Set(_)
            | ExprKind::ForSquares { .. }
            | ExprKind::ForPieces { .. }
    )
}
