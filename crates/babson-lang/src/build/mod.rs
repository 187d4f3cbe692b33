//! What the actions of the grammar do: build nodes, keep trees shallow, collect errors.

mod header;
mod operators;
mod sequences;
mod words;

use std::cell::Cell;
use std::rc::Rc;

use crate::ast::*;
use crate::diagnostic::Diagnostic;
use crate::tokens::token::Tok;

/// State of one parse.
pub(crate) struct Builder<'s> {
    pub(crate) source: &'s str,
    pub(crate) errors: Vec<Diagnostic>,
    /// Where the grammar recovered, with what it expected.
    pub(crate) recovered: Vec<lalrpop_util::ParseError<u32, Tok<'s>, ()>>,
    /// How often it did, where the source of the tokens sees it.
    pub(crate) recoveries: Rc<Cell<usize>>,
    too_deep: bool,
}

/// A parameter of `find` or `consecutivemoves`.
pub(crate) enum FindParam {
    Quiet,
    All,
    Back,
    Range(Range),
}

/// What stands in a path, unsorted.
pub(crate) enum PathItem {
    Param(SeqParam),
    Filter(Expr),
    Wild(Repeat),
    Group(Vec<PathItem>, Span),
}

/// Joins two neighbouring bounds of a parameter list; false if the second cannot be joined.
fn join(first: &mut Range, second: &Range) -> bool {
    if let (Range::Bounds { hi: hi @ None, .. }, Range::Bounds { lo, hi: None }) = (first, second) {
        *hi = Some(lo.clone());
        return true;
    }
    false
}

type Marked<T> = (T, Span);

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s str) -> Builder<'s> {
        Builder {
            source,
            errors: Vec::new(),
            recovered: Vec::new(),
            recoveries: Rc::default(),
            too_deep: false,
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }

    pub(crate) fn node(&mut self, kind: ExprKind, l: u32, r: u32) -> Expr {
        self.checked(Expr::new(kind, Span::new(l, r)))
    }

    /// Refuses trees that are too deep: the children go, so that no tree ever is.
    fn checked(&mut self, expr: Expr) -> Expr {
        if expr.depth <= MAX_DEPTH {
            return expr;
        }
        if !self.too_deep {
            self.too_deep = true;
            self.error(expr.span, format!("this is nested more than {MAX_DEPTH} deep"));
        }
        Expr::new(ExprKind::Error, expr.span)
    }

    pub(crate) fn recover(
        &mut self,
        e: lalrpop_util::ErrorRecovery<u32, Tok<'s>, ()>,
        l: u32,
        r: u32,
    ) -> Expr {
        self.recovered.push(e.error);
        self.recoveries.set(self.recovered.len());
        Expr::new(ExprKind::Error, Span::new(l, r))
    }
}
