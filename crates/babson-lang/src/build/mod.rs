//! The actions of the grammar: they build nodes, limit the depth of the tree and collect errors.

mod filters;
mod header;
mod operators;
mod sequences;

use std::cell::Cell;
use std::rc::Rc;

use crate::ast::*;
use crate::diagnostic::{Code, Diagnostic};
use crate::tokens::terminal::Terminal;

/// The state of one run of the parser.
pub(crate) struct AstBuilder<'s> {
    pub(crate) source: &'s str,
    pub(crate) errors: Vec<Diagnostic>,
    /// The errors from which the parser recovered.
    pub(crate) recovered: Vec<lalrpop_util::ParseError<u32, Terminal<'s>, ()>>,
    /// Their number, shared with the iterator over the tokens, which ends the parse at a limit.
    pub(crate) recoveries: Rc<Cell<usize>>,
    too_deep: bool,
}

/// A parameter, a constituent or a wildcard of `path`, as parsed.
pub(crate) enum PathItem {
    Param(SeqParam),
    Filter(Expr),
    Wild(Wildcard),
    Group(Vec<PathItem>, Span),
}

impl PathItem {
    fn into_filter(self) -> Option<Expr> {
        if let PathItem::Filter(filter) = self { Some(filter) } else { None }
    }
}

/// Joins two adjacent bounds of a parameter list; returns `false` if they cannot be joined.
fn join(first: &mut RangeParam, second: &RangeParam) -> bool {
    if let (RangeParam::Bounds { hi: hi @ None, .. }, RangeParam::Bounds { lo, hi: None }) =
        (first, second)
    {
        *hi = Some(lo.clone());
        return true;
    }
    false
}

/// A value with its place.
type Spanned<T> = (T, Span);

impl<'s> AstBuilder<'s> {
    pub(crate) fn new(source: &'s str) -> AstBuilder<'s> {
        AstBuilder {
            source,
            errors: Vec::new(),
            recovered: Vec::new(),
            recoveries: Rc::default(),
            too_deep: false,
        }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::new(code, span, message));
    }

    pub(crate) fn node(&mut self, kind: ExprKind, l: u32, r: u32) -> Expr {
        self.checked(Expr::new(kind, Span::new(l, r)))
    }

    /// Replaces an expression that is too deep by an error, so that no tree exceeds the limit.
    fn checked(&mut self, expr: Expr) -> Expr {
        if expr.depth <= MAX_DEPTH {
            return expr;
        }
        if !self.too_deep {
            self.too_deep = true;
            self.errors.push(Diagnostic::nested_too_deep(expr.span, "this is", MAX_DEPTH));
        }
        Expr::new(ExprKind::Error, expr.span)
    }

    pub(crate) fn recover(
        &mut self,
        e: lalrpop_util::ErrorRecovery<u32, Terminal<'s>, ()>,
        l: u32,
        r: u32,
    ) -> Expr {
        self.recovered.push(e.error);
        self.recoveries.set(self.recovered.len());
        Expr::new(ExprKind::Error, Span::new(l, r))
    }
}
