//! Binary operators that wait for their left operand.
//!
//! The [regrouping](super::regroup) moves them outwards.

use std::collections::VecDeque;

pub(super) use crate::ast::BinaryOp;
use crate::ast::{self, Arithmetic, InfixOp};
use crate::choice::{Choice, ChoiceKind};
use crate::diagnostic::Span;
use crate::hir::{BinaryFilter, Expr, Type};

impl BinaryOp {
    pub(super) fn is_arithmetic(self) -> bool {
        matches!(self, BinaryOp::Infix(InfixOp::Arithmetic(_)))
    }

    /// The filter of two operands of this type that the operator stands for, if there is one.
    pub(super) fn filter_of(self, operands: Type) -> Option<BinaryFilter> {
        let filters: &[BinaryFilter] = match self {
            BinaryOp::Infix(op) => match op {
                InfixOp::Arithmetic(Arithmetic::Add) => &[BinaryFilter::Concat],
                InfixOp::Intersect => &[BinaryFilter::Intersection, BinaryFilter::SameContent],
                InfixOp::Union => &[BinaryFilter::Union],
                InfixOp::Attacks => &[BinaryFilter::Attacks],
                InfixOp::AttackedBy => &[BinaryFilter::AttackedBy],
                InfixOp::Or
                | InfixOp::And
                | InfixOp::Arithmetic(
                    Arithmetic::Subtract
                    | Arithmetic::Multiply
                    | Arithmetic::Divide
                    | Arithmetic::Remainder,
                ) => &[],
            },
            BinaryOp::In => &[BinaryFilter::Subset, BinaryFilter::Substring],
            BinaryOp::Rel(_)
            | BinaryOp::With
            | BinaryOp::Match
            | BinaryOp::Index
            | BinaryOp::Arrow(_)
            | BinaryOp::Dash => &[],
        };
        filters.iter().copied().find(|filter| filter.signature().operands == Some(operands))
    }

    /// Whether the left operand may have this type.
    pub(super) fn fits(self, left: Type) -> bool {
        self.filter_of(left).is_some()
            || match self {
                BinaryOp::Infix(op) => match op {
                    InfixOp::Or | InfixOp::And => true,
                    InfixOp::Arithmetic(_) => left == Type::Number,
                    InfixOp::Union
                    | InfixOp::Intersect
                    | InfixOp::Attacks
                    | InfixOp::AttackedBy => false,
                },
                BinaryOp::In => false,
                BinaryOp::Rel(_) => {
                    matches!(left, Type::Set | Type::Number | Type::String | Type::Position)
                }
                BinaryOp::With => left == Type::Position,
                BinaryOp::Match | BinaryOp::Index => left == Type::String,
                BinaryOp::Arrow(_) | BinaryOp::Dash => left == Type::Set,
            }
    }
}

/// An operator and its right operand, before its left operand is known.
#[derive(Debug)]
pub(super) struct PendingOperator<'a> {
    pub(super) op: BinaryOp,
    pub(super) span: Span,
    pub(super) right: RightOperand<'a>,
    /// The place of an expression before it that cannot be its left operand: one of an operator
    /// that binds less tightly.
    pub(super) beyond: Option<Span>,
}

impl<'a> PendingOperator<'a> {
    pub(super) fn new(op: BinaryOp, span: Span, right: RightOperand<'a>) -> PendingOperator<'a> {
        PendingOperator { op, span, right, beyond: None }
    }

    /// Whether the expression may be its left operand, by its level and its type. A prefix filter
    /// that `absorbs` may be extended by arithmetic.
    pub(super) fn follows(&self, left: &Expr, floor: u8, absorbs: bool) -> bool {
        self.op.level() >= floor
            && self.beyond != Some(left.span)
            && (self.op.fits(left.ty) || absorbs && self.op.is_arithmetic())
    }

    /// The choice of an operator that does not fit the step or the constituent of a `path` before
    /// it.
    pub(super) fn path_choice(&self) -> Choice {
        let is_dash = self.op == BinaryOp::Dash;
        let kind = if is_dash { ChoiceKind::LeftOperand } else { ChoiceKind::PathOperator };
        kind.at(self.span)
    }
}

/// Operators after an expression that have not found their left operand, in textual order.
pub(super) type PendingOperators<'a> = VecDeque<PendingOperator<'a>>;

/// Puts operators before those that are pending.
pub(super) fn prepend<'a>(pending: &mut PendingOperators<'a>, before: PendingOperators<'a>) {
    for operator in before.into_iter().rev() {
        pending.push_front(operator);
    }
}

/// A right operand.
#[derive(Debug)]
pub(super) enum RightOperand<'a> {
    /// Not typed yet.
    Ast(&'a ast::Expr),
    /// Typed already: the operator was tried with a left operand that did not fit.
    Typed(Box<Expr>),
    /// The ends of a slice.
    Slice(Option<&'a ast::Expr>, Option<&'a ast::Expr>),
    /// A dash filter whose left operand is not known yet.
    Dash(&'a ast::Dash),
}

/// Whether the filter can extend its operand to the rest of a sum or product.
pub(super) fn can_absorb(e: &ast::Expr) -> bool {
    if let ast::ExprKind::Infix { first, .. } = &e.kind {
        return can_absorb(first);
    }
    // The operand of `child` is in parentheses.
    matches!(&e.kind, ast::ExprKind::Filter(filter)
        if filter.prefix_operand().is_some() && filter.keyword != ast::Keyword::Child)
}
