//! The value of a query's last filter: what `str` of that filter prints.

use babson_lang::hir::{Condition, Expr, ExprKind, Property, Type, UnaryFilter};

use super::builder::Builder;
use crate::op::{Label, Op, Register};

/// How the value of a filter is made. The type checker types the operands of `str` so that some
/// have another value than the same filter has as a condition
/// (`docs/src/language/strings.md#strings`); a query is typed once, for its matches.
#[derive(Clone, Copy, Debug)]
pub(super) enum PrintedForm<'e> {
    /// The value of the filter itself, of this type.
    Own(Type),
    /// The piece of a variable that is converted to a set of squares.
    Piece(&'e Expr),
    /// A text about a condition.
    Text(Property),
    /// 1 where the condition matches: `try` stands for `1 == find …`.
    One,
}

/// Whether the filter may match without a value. An award of `hhdb` may, and so may a filter that
/// takes its value from one: a sequence, an `if`, a transform. A comparison always has a value.
pub(super) fn may_lack_value(expr: &Expr) -> bool {
    let is_award = |expr: &Expr| matches!(expr.kind, ExprKind::Property(Property::Award(_)));
    expr.ty == Type::Number && !matches!(expr.kind, ExprKind::Compare(..)) && expr.any(&is_award)
}

impl PrintedForm<'_> {
    pub(super) fn of(expr: &Expr) -> PrintedForm<'_> {
        if let ExprKind::Unary(UnaryFilter::PieceSquare, piece) = &expr.kind {
            PrintedForm::Piece(piece)
        } else if expr.kind == ExprKind::Condition(Condition::LegalPosition) {
            PrintedForm::Text(Property::LegalText)
        } else if expr.kind == ExprKind::Condition(Condition::ReachablePosition) {
            PrintedForm::Text(Property::ReachableText)
        } else if expr.kind == ExprKind::Condition(Condition::Try) {
            PrintedForm::One
        } else {
            PrintedForm::Own(expr.ty)
        }
    }

    pub(super) fn ty(self) -> Type {
        match self {
            PrintedForm::Own(ty) => ty,
            PrintedForm::Piece(_) => Type::Piece,
            PrintedForm::Text(_) => Type::String,
            PrintedForm::One => Type::Number,
        }
    }
}

impl Builder {
    /// Puts the value of a filter into the register, or jumps to `fail` if it does not match.
    pub(super) fn printed_value(
        &mut self,
        expr: &Expr,
        form: PrintedForm<'_>,
        dst: Register,
        fail: Label,
    ) {
        match form {
            PrintedForm::Own(ty) => {
                self.value(expr, dst, fail);
                if ty == Type::Set {
                    self.emit(Op::TestSet { set: dst, fail });
                }
            }
            PrintedForm::Piece(piece) => {
                self.test(expr, fail);
                self.value(piece, dst, fail);
            }
            PrintedForm::Text(which) => {
                self.test(expr, fail);
                self.emit(Op::Value { dst, which, fail });
            }
            PrintedForm::One => {
                self.test(expr, fail);
                self.emit(Op::Const { dst, value: 1 });
            }
        }
    }
}
