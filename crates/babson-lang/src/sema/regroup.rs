//! Regrouping: operators that do not fit their left operand move outward
//! (docs/src/language/reading.md#operators-that-do-not-fit).
//!
//! The parser gives a prefix filter the longest operand: in `str K ~~ "a"`, the operand of `str` is
//! `K ~~ "a"`. The type check types the operand from the left. The first operator whose left
//! operand has the wrong type ends it. That operator and those after it are pending: they are
//! offered to the enclosing filter, then to the next one, as far as the levels of the operators
//! (docs/src/language/reading.md#operators) allow.
//!
//! To type an expression is therefore to *open* it: the result is a typed expression and the
//! pending operators after it. A binary operator opens its first operand, adds itself to the
//! pending operators and applies them.

use super::dash::dash_operand_error;
use super::operators::OperandPair;
use super::pending::{BinaryOp, PendingOperator, PendingOperators, RightOperand, prepend};
use super::strings::not_sliced;
use super::types::mismatched;
use super::{ErrorReported, ExprResult, OpenResult, Sema};
use crate::ast::{self, InfixOp, SUBTRACT};
use crate::choice::ChoiceKind;
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::hir::{Expr, ExprKind, Type};

impl<'a> Sema<'a> {
    /// Opens an expression and applies the operators that bind at least as tightly as `floor`.
    pub(super) fn open_at(&mut self, e: &'a ast::Expr, floor: u8) -> OpenResult<'a> {
        let (typed, pending) = self.open(e)?;
        self.apply_pending(typed, pending, floor, false)
    }

    /// Applies the pending operators from the left, as long as they fit and bind at least as
    /// tightly as `floor`. With `absorb`, the left operand is a prefix filter that may extend its
    /// operand, as in `#"a" + "b"`.
    pub(super) fn apply_pending(
        &mut self,
        mut left: Expr,
        mut pending: PendingOperators<'a>,
        floor: u8,
        absorb: bool,
    ) -> OpenResult<'a> {
        while let Some(next) = pending.front()
            && next.follows(&left, floor, absorb)
            && let Some(PendingOperator { op, span, right, .. }) = pending.pop_front()
        {
            let mut ends = false;
            let joined = match right {
                RightOperand::Typed(right) => self.combine(left, op, *right, absorb),
                RightOperand::Slice(from, to) => Ok(self.slice_of(left, from, to)?),
                RightOperand::Dash(dash) => {
                    let (both, inner) = self.played_dash(dash, Some(left), false, false)?;
                    prepend(&mut pending, inner);
                    Ok(both)
                }
                RightOperand::Ast(pattern) if op == BinaryOp::Match => {
                    Ok(self.matches(left, pattern)?)
                }
                RightOperand::Ast(index) if op == BinaryOp::Index => Ok(self.char_at(left, index)?),
                RightOperand::Ast(part) if matches!(op, BinaryOp::Arrow(_)) => {
                    Ok(self.chain(left, op, part, &mut pending)?)
                }
                RightOperand::Ast(right) => {
                    // The operators that wait for the operand count as levels of depth.
                    let waiting = pending.len();
                    // The set after `in` ends before a comparison, whose left operand may be the
                    // filter around: `square x in A b1 in A == P`.
                    let (right, compared) = if let ast::ExprKind::Relation {
                        left: set,
                        op: relation,
                        op_span,
                        right: compared,
                    } = &right.kind
                        && op == BinaryOp::In
                        && left.ty == Type::Set
                    {
                        let relation = BinaryOp::Rel(*relation);
                        let compared = RightOperand::Ast(compared);
                        (&**set, Some(PendingOperator::new(relation, *op_span, compared)))
                    } else {
                        (right, None)
                    };
                    self.depth += waiting;
                    let open = self.open_at(right, op.right_level());
                    self.depth -= waiting;
                    let (right, mut inner) = open?;
                    inner.extend(compared);
                    // An operator that binds more tightly than this one has no other left operand
                    // than the right one, which it does not fit.
                    ends = inner.front().is_some_and(|next| next.op.level() > op.level());
                    prepend(&mut pending, inner);
                    self.combine(left, op, right, absorb)
                }
            };
            match joined {
                Ok(both) => {
                    if let Some(next) = pending.front_mut().filter(|_| ends) {
                        next.beyond = Some(both.span);
                    }
                    left = both;
                }
                Err(unjoined) => {
                    let (old, right) = *unjoined;
                    left = old;
                    let right = RightOperand::Typed(Box::new(right));
                    pending.push_front(PendingOperator::new(op, span, right));
                    break;
                }
            }
        }
        Ok((left, pending))
    }

    /// Ends an expression. An operator that is still pending is an error, or a `-` that begins the
    /// next filter.
    pub(super) fn finish(&mut self, (typed, pending): (Expr, PendingOperators<'a>)) -> ExprResult {
        let (typed, pending) = self.apply_pending(typed, pending, 0, false)?;
        let Some(next) = pending.front() else {
            return Ok(typed);
        };
        let reported = self.report_pending(&typed, next);
        if !self.rejections.stop() || !self.reverses_readings() {
            return Err(reported);
        }
        // In the other reading the expression ends here. The rest is typed as well, to find more
        // rejected readings, unless it binds names, since those may depend on the reading.
        let mut rest: Vec<&ast::Expr> = Vec::new();
        for next in &pending {
            match &next.right {
                RightOperand::Ast(right) => rest.push(right),
                RightOperand::Typed(_) => {}
                RightOperand::Slice(from, to) => rest.extend(from.iter().chain(to)),
                RightOperand::Dash(dash) => {
                    rest.extend(dash.right.as_deref());
                    rest.extend(&dash.targets);
                }
            }
        }
        if rest.iter().any(|right| self.binds_names(right)) {
            return Err(reported);
        }
        self.rejections.go_on();
        for right in rest {
            // The next pass reports its errors.
            drop(self.closed(right));
        }
        Ok(typed)
    }

    /// Reports a pending operator that fits no filter, or requests the other reading of a `-`.
    fn report_pending(&mut self, left: &Expr, next: &PendingOperator<'a>) -> ErrorReported {
        let error = unfit(left, next);
        if next.op == SUBTRACT {
            return self.reject(ChoiceKind::Difference.at(next.span), error);
        }
        if let RightOperand::Typed(right) = &next.right {
            self.report_search(right, error)
        } else {
            self.report(error)
        }
    }

    /// Ends a constituent of a `path`. A pending operator that fits the value of the path belongs
    /// to the path, and a dash is the next step.
    pub(super) fn finish_in_path(
        &mut self,
        (typed, pending): (Expr, PendingOperators<'a>),
        path: Type,
    ) -> ExprResult {
        let (typed, pending) = self.apply_pending(typed, pending, 0, false)?;
        let Some(next) = pending.into_iter().next() else {
            return Ok(typed);
        };
        let minus = next.op == SUBTRACT;
        if !minus && (next.op == BinaryOp::Dash || next.op.fits(path)) {
            return Err(self.reject(next.path_choice(), unfit(&typed, &next)));
        }
        Err(self.report_pending(&typed, &next))
    }

    /// Moves `op right` into the operand of a prefix filter that took too little.
    pub(super) fn absorb(
        &mut self,
        left: Expr,
        op: BinaryOp,
        right: Expr,
    ) -> Result<Expr, OperandPair> {
        match left {
            Expr { kind: ExprKind::Unary(filter, operand), span, .. }
                if operand.ty == right.ty && op.fits(operand.ty) =>
            {
                let span = span.to(right.span);
                let operand = Box::new(self.combine(*operand, op, right, false)?);
                Ok(Expr::new(ExprKind::Unary(filter, operand), span))
            }
            left => Err(Box::new((left, right))),
        }
    }
}

/// The error of an operator that fits no operand before it.
fn unfit(left: &Expr, next: &PendingOperator<'_>) -> Diagnostic {
    let name = next.op.name();
    match next.op {
        BinaryOp::Match => return mismatched(left, Type::String.with_article(), name),
        BinaryOp::Arrow(_) => return mismatched(left, Type::Set.with_article(), name),
        BinaryOp::Index => return not_sliced(left),
        BinaryOp::Dash => {
            let capture = matches!(next.right, RightOperand::Dash(dash) if dash.capture);
            return dash_operand_error(left, "left", capture);
        }
        BinaryOp::Infix(_) | BinaryOp::Rel(_) | BinaryOp::In | BinaryOp::With => {}
    }
    let left_type = left.ty.with_article();
    let is_condition = |right: &RightOperand<'_>| matches!(right, RightOperand::Typed(right) if right.ty == Type::Bool);
    let error = if let RightOperand::Typed(right) = &next.right
        && next.op.fits(left.ty)
    {
        let message = format!("`{name}` cannot join {left_type} and {}", right.ty.with_article());
        Diagnostic::new(Code::UnjoinableOperands, next.span, message)
            .with_label(format!("{left_type} on its left"))
    } else {
        Diagnostic::new(
            Code::MisplacedOperator,
            next.span,
            format!("`{name}` cannot follow {left_type}"),
        )
    };
    if let BinaryOp::Rel(op) = next.op
        && op.compares_positions()
    {
        let help = format!("`{name}` compares the places of two positions in the tree of a game");
        error.with_help(help)
    } else if left.ty == Type::Set && next.op.is_arithmetic() {
        let before = Span::new(left.span.start, left.span.start);
        let help = Help::from("count the squares with `#` to do arithmetic");
        error.with_help(help.with(Fix::replace(before, "#")))
    } else if let (Type::Set, BinaryOp::Rel(_)) = (left.ty, next.op) {
        error.with_help("`#` counts the squares of a set, `in` tests whether it is part of another")
    } else if matches!(next.op, BinaryOp::Infix(InfixOp::Union | InfixOp::Intersect))
        && (left.ty == Type::Bool || is_condition(&next.right))
    {
        let is_and = next.op == BinaryOp::Infix(InfixOp::Intersect);
        let fix = Fix::replace(next.span, if is_and { "and" } else { "or" });
        let help =
            "conditions follow each other or are joined by `and` and `or`; `&` and `|` join sets";
        error.with_help(Help::from(help).with(fix))
    } else if left.ty == Type::Bool && next.op == BinaryOp::In {
        error.with_help("`in` tests whether squares, a string or a position are part of others")
    } else if next.op == BinaryOp::With {
        error.with_help("`:` needs a position on its left")
    } else {
        error
    }
}
