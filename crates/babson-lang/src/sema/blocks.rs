//! Several filters together.

use super::{Sema, Typed};
use crate::ast;
use crate::diagnostic::Span;
use crate::hir::{Expr, ExprKind, Type};

impl<'a> Sema<'a> {
    /// `cqlbegin { … }`, `cqlend { … }`: apart from what is asked of positions.
    pub(super) fn hook(&mut self, end: bool, body: &'a [ast::Expr], span: Span) -> Typed {
        if self.depth > 1 {
            let word = if end { "cqlend" } else { "cqlbegin" };
            let message = format!("`{word}` stands among the filters of the query, not inside one");
            return Err(self.error(span, message));
        }
        let filters = self.closed_all(body)?;
        if end { &mut self.end } else { &mut self.begin }.extend(filters);
        Ok(self.bool(true, span))
    }

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
