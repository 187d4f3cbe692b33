//! Several filters together.

use super::{Sema, Typed};
use crate::ast;
use crate::diagnostic::Span;
use crate::hir::{Expr, ExprKind, Type};

impl<'a> Sema<'a> {
    pub(super) fn block(&mut self, items: &'a [ast::Expr], span: Span) -> Typed {
        let typed = self.closed_all(items)?;
        Ok(self.sequence(typed, span))
    }

    /// `{ f g … }`; one filter alone stands for itself (language.md 5.3).
    pub(super) fn sequence(&mut self, mut list: Vec<Expr>, span: Span) -> Expr {
        match list.len() {
            0 => self.bool(true, span),
            1 => list.remove(0),
            _ => {
                let ty = list.last().map_or(Type::Bool, |last| last.ty);
                self.node(ExprKind::Sequence(list), ty, span)
            }
        }
    }
}
