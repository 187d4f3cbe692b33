//! `cqlbegin { … }` and `cqlend { … }`, which run before the first and after the last game.

use super::{ExprResult, Sema};
use crate::ast;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, StateFilter, Type, Var};

impl<'a> Sema<'a> {
    pub(super) fn hook(&mut self, end: bool, body: &'a [ast::Expr], span: Span) -> ExprResult {
        let word = if end { "cqlend" } else { "cqlbegin" };
        if self.depth > 1 {
            let message = format!("`{word}` stands among the filters of the query, not inside one");
            return Err(self.error(Code::NestedHook, span, message));
        }
        let filters = self.closed_all(body)?;
        let message = format!("this needs a game or a position, and there is none in `{word}`");
        let help = match end {
            true => "keep what the games have in a persistent variable or a dictionary",
            false => "what the games have is not known before the first one",
        };
        let wrong = filters.iter().filter_map(|filter| outside(filter, &self.query.vars));
        let errors =
            wrong.map(|span| Diagnostic::new(Code::NoPosition, span, &message).with_help(help));
        self.report_all(errors.collect())?;
        if end { &mut self.query.end } else { &mut self.query.begin }.extend(filters);
        Ok(self.bool(true, span))
    }
}

/// The span of the first filter in the expression that needs a game or a position.
fn outside(e: &Expr, vars: &[Var]) -> Option<Span> {
    let mut fits = !e.kind.traits().needs_game;
    if let ExprKind::Var(var) | ExprKind::State(StateFilter::Assign { var, .. }) = &e.kind {
        let ty = vars.get(var.0 as usize).map(|var| var.ty);
        fits = !matches!(ty, Some(Type::Position | Type::Piece));
    }
    if !fits {
        return Some(e.span);
    }
    let mut found = None;
    e.for_each_operand(&mut |operand| found = found.or_else(|| outside(operand, vars)));
    found
}
