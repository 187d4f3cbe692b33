//! Makes nodes of the HIR.

use super::Sema;
use crate::diagnostic::Span;
use crate::hir::{self, Expr, ExprKind, Type};

impl Sema<'_> {
    /// A node of the HIR.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span) -> Expr {
        self.nodes += 1;
        let node = Expr::new(kind, span);
        self.note_type(&node);
        node
    }

    /// A variable, or an entry of a dictionary.
    pub(super) fn declared(&mut self, kind: ExprKind, ty: Type, span: Span) -> Expr {
        self.nodes += 1;
        let node = Expr::declared(kind, ty, span);
        self.note_type(&node);
        node
    }

    pub(super) fn condition(&mut self, which: hir::Condition, span: Span) -> Expr {
        self.node(ExprKind::Condition(which), span)
    }

    pub(super) fn property(&mut self, which: hir::Property, span: Span) -> Expr {
        self.node(ExprKind::Property(which), span)
    }

    pub(super) fn unary(&mut self, which: hir::UnaryFilter, arg: Expr, span: Span) -> Expr {
        self.node(ExprKind::Unary(which, Box::new(arg)), span)
    }

    pub(super) fn binary(
        &mut self,
        which: hir::BinaryFilter,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Expr {
        self.node(ExprKind::Binary(which, Box::new(left), Box::new(right)), span)
    }

    pub(super) fn bool(&mut self, value: bool, span: Span) -> Expr {
        self.node(ExprKind::Bool(value), span)
    }
}
