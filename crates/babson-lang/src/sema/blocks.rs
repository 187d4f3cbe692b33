//! Filters in braces.

use super::{ExprResult, Sema};
use crate::ast;
use crate::diagnostic::Span;
use crate::hir::{Expr, ExprKind};

impl<'a> Sema<'a> {
    pub(super) fn block(&mut self, items: &'a [ast::Expr], span: Span) -> ExprResult {
        let typed = self.closed_all(items)?;
        Ok(Expr { span, ..self.sequence(typed, span) })
    }

    /// `{ f g … }`. Braces around one filter are that filter.
    pub(super) fn sequence(&mut self, mut list: Vec<Expr>, span: Span) -> Expr {
        match list.len() {
            0 => self.bool(true, span),
            1 => list.remove(0),
            _ => self.node(ExprKind::Sequence(list), span),
        }
    }
}
