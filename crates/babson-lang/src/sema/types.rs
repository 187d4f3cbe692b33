//! What a filter asks of its operands, and how errors name types.

use super::{Reported, Sema, Typed};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{Binary, Expr, ExprKind, Type};

/// A type with its article, for messages.
pub(super) fn with_article(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "a condition",
        Type::Number => "a number",
        Type::Set => "a set of squares",
        Type::String => "a string",
        Type::Position => "a position",
        Type::Piece => "a piece",
    }
}

impl Sema<'_> {
    /// The operand as it is, if it has the type that `who` needs.
    pub(super) fn expect(&mut self, operand: Expr, wanted: Type, who: &str) -> Typed {
        if operand.ty == wanted {
            Ok(operand)
        } else {
            Err(self.mismatch(&operand, with_article(wanted), who))
        }
    }

    /// Reports an operand of another type.
    pub(super) fn mismatch(&mut self, operand: &Expr, wanted: &str, who: &str) -> Reported {
        let error = mismatched(operand, wanted, who);
        self.report_search(operand, error)
    }

    /// Reports an operand that has the wrong type. If it searches for a string, that string may be
    /// an item of its own in a message list.
    pub(super) fn report_search(&mut self, operand: &Expr, error: Diagnostic) -> Reported {
        match &operand.kind {
            ExprKind::Binary(Binary::Substring, wanted, text)
                if text.span.start < wanted.span.start =>
            {
                self.request_veto(wanted.span, error)
            }
            _ => self.report(error),
        }
    }

    /// Reports a wrong number of arguments.
    pub(super) fn wrong_count(
        &mut self,
        span: Span,
        who: &str,
        wanted: &str,
        got: usize,
    ) -> Reported {
        self.error(span, format!("`{who}` takes {wanted}, not {got}"))
    }
}

/// What is said of an operand of another type.
pub(super) fn mismatched(operand: &Expr, wanted: &str, who: &str) -> Diagnostic {
    let mut error = Diagnostic::error(
        operand.span,
        format!("`{who}` needs {wanted}, but this is {}", with_article(operand.ty)),
    );
    match (operand.ty, wanted) {
        (Type::Set, "a number") => error = error.with_help("`#` counts the squares of a set"),
        (Type::Number | Type::Set, "a string") => {
            error = error.with_help("`str` makes a string of a value")
        }
        _ => {}
    }
    error
}
