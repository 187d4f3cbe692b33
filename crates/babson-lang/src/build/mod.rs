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
#[derive(Default)]
pub(crate) struct AstBuilder<'s> {
    pub(crate) source: &'s str,
    pub(crate) errors: Vec<Diagnostic>,
    /// The errors from which the parser recovered.
    pub(crate) recovered: Vec<lalrpop_util::ParseError<u32, Terminal<'s>, ()>>,
    /// Their number, shared with the iterator over the tokens, which ends the parse at a limit.
    pub(crate) recoveries: Rc<Cell<usize>>,
    /// The children of the nodes so far, counted for each node that is made of them.
    pub(crate) children: usize,
    too_deep: bool,
    /// The first arrow of each group whose `line` is not complete yet, and whether it is `<--`.
    group_arrows: Vec<(bool, Span)>,
}

/// A parameter, a constituent or a wildcard of `path`, as parsed.
pub(crate) enum PathItem {
    Param(Param),
    Filter(Expr),
    Wild(Wildcard),
    Group(Vec<PathItem>, Span),
}

impl PathItem {
    fn into_filter(self) -> Option<Expr> {
        if let PathItem::Filter(filter) = self { Some(filter) } else { None }
    }
}

/// Appends a parameter. A bound joins the other bound of its range, which is one of the parameters
/// from the index `from` on.
fn push_param(params: &mut Vec<Param>, param: Param, from: usize) {
    if let ParamKind::Range(RangeParam::Bounds { lo, hi: None }) = &param.kind {
        for earlier in &mut params[from..] {
            if let ParamKind::Range(RangeParam::Bounds { hi: hi @ None, .. }) = &mut earlier.kind {
                *hi = Some(lo.clone());
                earlier.span = earlier.span.to(param.span);
                return;
            }
        }
    }
    params.push(param);
}

/// A value with its place.
type Spanned<T> = (T, Span);

impl<'s> AstBuilder<'s> {
    pub(crate) fn new(source: &'s str) -> AstBuilder<'s> {
        AstBuilder { source, ..AstBuilder::default() }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::new(code, span, message));
    }

    pub(crate) fn node(&mut self, kind: ExprKind, span: Span) -> Expr {
        let (expr, children) = Expr::with_count(kind, span);
        self.children += children;
        self.checked(expr)
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
        span: Span,
    ) -> Expr {
        self.recovered.push(e.error);
        self.recoveries.set(self.recovered.len());
        Expr::new(ExprKind::Error, span)
    }
}
