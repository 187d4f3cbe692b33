//! The actions of the grammar: they build nodes, limit the depth of the tree and collect errors.

mod climb;
mod filters;
mod header;
mod operators;
mod part;
mod runs;
mod sequences;

use std::cell::Cell;
use std::rc::Rc;

use lalrpop_util::ParseError;

use crate::ast::*;
use crate::diagnostic::{Code, Diagnostic};
use crate::tokens::SpannedTerminal;
use crate::tokens::terminal::Terminal;
pub(crate) use part::{DictionaryTypes, Head, LineStep, Part, PartKind, PathItem};

/// The state of one run of the parser.
#[derive(Default)]
pub(crate) struct AstBuilder<'s, 't> {
    pub(crate) source: &'s str,
    /// The tokens that are parsed.
    tokens: &'t [SpannedTerminal<'s>],
    pub(crate) errors: Vec<Diagnostic>,
    /// The errors from which the parser recovered.
    pub(crate) recovered: Vec<ParseError<u32, Terminal<'s>, ()>>,
    /// Their number, shared with the iterator over the tokens, which ends the parse at a limit.
    pub(crate) recoveries: Rc<Cell<usize>>,
    /// The children of the nodes so far, counted for each node that is made of them.
    pub(crate) children: usize,
    too_deep: bool,
    /// The first arrow of each group whose `line` is not complete yet, and whether it is `<--`.
    group_arrows: Vec<(bool, Span)>,
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

impl<'s, 't> AstBuilder<'s, 't> {
    pub(crate) fn new(source: &'s str, tokens: &'t [SpannedTerminal<'s>]) -> AstBuilder<'s, 't> {
        AstBuilder { source, tokens, ..AstBuilder::default() }
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
        self.report_depth(expr.span);
        Expr::new(ExprKind::Error, expr.span)
    }

    /// Reports that the query is too deep, once.
    fn report_depth(&mut self, span: Span) {
        if !self.too_deep {
            self.too_deep = true;
            self.errors.push(Diagnostic::nested_too_deep(span, "this is", MAX_DEPTH));
        }
    }

    pub(crate) fn recover(
        &mut self,
        e: lalrpop_util::ErrorRecovery<u32, Terminal<'s>, ()>,
        span: Span,
    ) -> Part {
        let mut error = e.error;
        if let ParseError::UnrecognizedToken { expected, .. } = &mut error
            && expected.iter().any(|name| name == "\"loosetarget\"")
        {
            // In a run the grammar accepts nearly every token.
            *expected =
                ["nullary", "width1", "operator"].map(|name| format!("\"{name}\"")).to_vec();
        }
        self.record(error);
        Part { kind: PartKind::Head(Head::Error), span }
    }

    /// Records an error of the climb: the token at this place is not expected.
    fn unexpected<'n>(&mut self, place: Span, expected: impl Iterator<Item = &'n str>) {
        let expected = expected.map(|name| format!("\"{name}\"")).collect();
        let from = self.tokens.partition_point(|token| token.0 < place.start);
        // Virtual tokens end a run at the place where the next token begins.
        let is_end = place.start == place.end;
        let mut here = self.tokens[from..].iter();
        let token = here.find(|token| is_end || token.0 < token.2);
        let error = match token {
            Some(token) => ParseError::UnrecognizedToken { token: token.clone(), expected },
            None => ParseError::UnrecognizedEof { location: place.start, expected },
        };
        self.record(error);
    }

    fn record(&mut self, error: ParseError<u32, Terminal<'s>, ()>) {
        self.recovered.push(error);
        self.recoveries.set(self.recovered.len());
    }
}
