//! Checks of operand types, and the names of types in errors.

use super::{ErrorReported, ExprResult, Sema};
use crate::ast;
use crate::choice::ChoiceKind;
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::hir::{BinaryFilter, Expr, ExprKind, Type};
use crate::keywords::Keyword;
use crate::synonyms;

impl<'a> Sema<'a> {
    /// Returns the operand if it has the type that the filter `who` needs.
    pub(super) fn expect(&mut self, operand: Expr, wanted: Type, who: &str) -> ExprResult {
        if operand.ty == wanted {
            Ok(operand)
        } else {
            Err(self.mismatch(&operand, wanted.with_article(), who))
        }
    }

    /// Types an expression of this type that no operator can follow.
    pub(super) fn closed_as(&mut self, e: &'a ast::Expr, wanted: Type, who: &str) -> ExprResult {
        let typed = self.closed(e)?;
        self.expect(typed, wanted, who)
    }

    /// Reports an operand of the wrong type.
    pub(super) fn mismatch(&mut self, operand: &Expr, wanted: &str, who: &str) -> ErrorReported {
        let error = mismatched(operand, wanted, who);
        self.report_search(operand, error)
    }

    /// Reports an operand of the wrong type. If the operand searches for a string, it requests the
    /// reading of that string as a separate item of a message.
    pub(super) fn report_search(&mut self, operand: &Expr, error: Diagnostic) -> ErrorReported {
        if let ExprKind::Binary(BinaryFilter::Substring, searched, text) = &operand.kind
            && text.span.start < searched.span.start
        {
            self.reject(ChoiceKind::SearchText.at(searched.span), error)
        } else {
            self.report(error)
        }
    }

    /// The arguments of a filter that takes N of them, in words `wanted`.
    pub(super) fn arguments<const N: usize>(
        &mut self,
        keyword: Keyword,
        args: &'a [ast::Expr],
        wanted: &str,
        span: Span,
    ) -> Result<&'a [ast::Expr; N], ErrorReported> {
        args.try_into().map_err(|_| self.wrong_count(span, keyword.name(), wanted, args.len()))
    }

    /// Reports a wrong number of arguments.
    pub(super) fn wrong_count(
        &mut self,
        span: Span,
        who: &str,
        wanted: &str,
        got: usize,
    ) -> ErrorReported {
        self.error(Code::WrongNumberOfArguments, span, format!("`{who}` takes {wanted}, not {got}"))
    }
}

/// The error of an operand of the wrong type.
pub(super) fn mismatched(operand: &Expr, wanted: &str, who: &str) -> Diagnostic {
    let mut error = Diagnostic::new(
        Code::WrongOperand,
        operand.span,
        format!("`{who}` needs {wanted}, but this is {}", operand.ty.with_article()),
    );
    let before = Span::new(operand.span.start, operand.span.start);
    match (operand.ty, wanted) {
        (Type::Set, "a number") => {
            let help = Help::from("`#` counts the squares of a set");
            error = error.with_help(help.with(Fix::replace(before, "#")));
        }
        (Type::Number | Type::Set, "a string") => {
            let help = Help::from("`str` makes a string of a value");
            error = error.with_help(help.with(Fix::replace(before, "str ")));
        }
        (Type::Number, "a set of squares") => {
            if let Some(help) = synonyms::rank_or_file(who) {
                error = error.with_help(help);
            }
        }
        _ => {}
    }
    error
}
