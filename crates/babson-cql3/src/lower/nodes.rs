//! Makes nodes of the HIR.

use babson_lang::Span;
use babson_lang::hir::{
    BinaryFilter, ComparisonOperator, Condition, Content, Designator, Expr, ExprKind, Property,
    UnaryFilter,
};

use crate::tree::ValueRange;

/// The range of a value about which nothing is known.
pub(super) const ALL_NUMBERS: (i32, i32) = (i32::MIN, i32::MAX);

pub(super) fn bool(value: bool, span: Span) -> Expr {
    Expr::new(ExprKind::Bool(value), span)
}

pub(super) fn number(n: i32, span: Span) -> Expr {
    Expr::new(ExprKind::Number(n), span)
}

pub(super) fn condition(which: Condition, span: Span) -> Expr {
    Expr::new(ExprKind::Condition(which), span)
}

pub(super) fn property(which: Property, span: Span) -> Expr {
    Expr::new(ExprKind::Property(which), span)
}

/// The squares of the mask with one of the contents.
pub(super) fn pieces(squares: u64, content: Content, span: Span) -> Expr {
    Expr::new(ExprKind::Designator(Designator { squares, content }), span)
}

pub(super) fn unary(which: UnaryFilter, operand: Expr) -> Expr {
    let span = operand.span;
    Expr::new(ExprKind::Unary(which, Box::new(operand)), span)
}

pub(super) fn binary(which: BinaryFilter, left: Expr, right: Expr, span: Span) -> Expr {
    Expr::new(ExprKind::Binary(which, Box::new(left), Box::new(right)), span)
}

pub(super) fn not(e: Expr) -> Expr {
    let span = e.span;
    Expr::new(ExprKind::Not(Box::new(e)), span)
}

pub(super) fn and(a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr::new(ExprKind::And(Box::new(a), Box::new(b)), span)
}

pub(super) fn or(a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr::new(ExprKind::Or(Box::new(a), Box::new(b)), span)
}

pub(super) fn compare(relation: ComparisonOperator, value: Expr, n: i32) -> Expr {
    let span = value.span;
    let n = number(n, span);
    Expr::new(ExprKind::Compare(relation, Box::new(value), Box::new(n)), span)
}

/// Whether the value is in the range. The value is known to be in the range `possible`.
pub(super) fn within(value: Expr, range: ValueRange, possible: (i32, i32)) -> Expr {
    let ValueRange { lo, hi } = range;
    if lo > hi {
        return bool(false, value.span);
    }
    if lo == hi {
        return compare(ComparisonOperator::Equal, value, lo);
    }
    match (lo > possible.0, hi < possible.1) {
        (true, false) => compare(ComparisonOperator::GreaterEqual, value, lo),
        (false, _) => compare(ComparisonOperator::LessEqual, value, hi),
        (true, true) => and(
            compare(ComparisonOperator::GreaterEqual, value.clone(), lo),
            compare(ComparisonOperator::LessEqual, value, hi),
        ),
    }
}
