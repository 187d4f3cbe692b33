//! Strings: slices, `str`, `comment`, `message`, `///` (docs/src/language/strings.md#strings).

use super::pending::{BinaryOp, PendingOperator, PendingOperators, RightOperand};
use super::{ErrorReported, ExprResult, OpenResult, Sema};
use crate::ast::{self, ExprKind as Ast, Filter, levels};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, OutputFilter, Property, Type};
use crate::keywords::Keyword;

impl<'a> Sema<'a> {
    pub(super) fn text(&mut self, text: &str, span: Span) -> Expr {
        self.node(ExprKind::Text(text.as_bytes().into()), span)
    }

    /// An argument of `comment`, `message` or `str`.
    pub(super) fn part(&mut self, arg: &'a ast::Expr) -> ExprResult {
        match self.printed_as_such(arg) {
            Some(part) => Ok(part),
            None => self.closed(arg),
        }
    }

    /// `str`, `comment`, `message`.
    pub(super) fn print(&mut self, filter: &'a Filter, span: Span) -> OpenResult<'a> {
        let (parts, pending) = match &filter.args[..] {
            [arg] if !filter.list => {
                let (part, pending) = self.only_part(arg)?;
                (vec![part], pending)
            }
            args => (self.parts(args)?, PendingOperators::new()),
        };
        let kind = if filter.keyword == Keyword::Str {
            ExprKind::Str(parts)
        } else if filter.keyword == Keyword::Message {
            let quiet = filter.has(Keyword::Quiet);
            ExprKind::Output(OutputFilter::Message { quiet, parts })
        } else {
            ExprKind::Output(OutputFilter::Comment(parts))
        };
        Ok((self.node(kind, span), pending))
    }

    /// `/// F…`
    pub(super) fn line_comment(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let parts = self.parts(args)?;
        Ok(self.node(ExprKind::Output(OutputFilter::Comment(parts)), span))
    }

    /// The arguments in parentheses. An error in one does not stop the others.
    fn parts(&mut self, args: &'a [ast::Expr]) -> Result<Vec<Expr>, ErrorReported> {
        self.each(args, Self::part)
    }

    /// The argument without parentheses. A piece and the text of an analysis are not operands of
    /// `+`, so they end before it.
    fn only_part(&mut self, arg: &'a ast::Expr) -> OpenResult<'a> {
        let (mut first, mut pending) = (arg, PendingOperators::new());
        loop {
            if let Ast::Infix { first: inner, rest, .. } = &first.kind {
                for tail in rest.iter().rev() {
                    let right = RightOperand::Ast(&tail.right);
                    let op = BinaryOp::Infix(tail.op);
                    pending.push_front(PendingOperator::new(op, tail.op_span, right));
                }
                first = inner;
            } else if let Ast::Relation { left, op, op_span, right } = &first.kind {
                let right = RightOperand::Ast(right);
                pending.push_front(PendingOperator::new(BinaryOp::Rel(*op), *op_span, right));
                first = left;
            } else if let Ast::Match { subject, op_span, pattern } = &first.kind {
                let right = RightOperand::Ast(pattern);
                pending.push_front(PendingOperator::new(BinaryOp::Match, *op_span, right));
                first = subject;
            } else {
                break;
            }
        }
        let ends = pending
            .front()
            .is_none_or(|tail| tail.op == BinaryOp::Match || tail.op.is_arithmetic());
        match ends.then(|| self.printed_as_such(first)).flatten() {
            Some(part) => Ok((part, pending)),
            None => self.open_at(arg, levels::FILTER),
        }
    }

    /// An argument that is printed in another form than its value as a filter: a piece variable is
    /// not converted to a set, and `legalposition` and `reachableposition` have texts.
    fn printed_as_such(&mut self, arg: &ast::Expr) -> Option<Expr> {
        let texts = [
            (Keyword::LegalPosition, Property::LegalText),
            (Keyword::ReachablePosition, Property::ReachableText),
        ];
        let text = arg.keyword().and_then(|keyword| keyword.find_in(&texts));
        let text = text.map(|which| self.property(which, arg.span));
        text.or_else(|| self.bare_piece(arg)).or_else(|| self.dictionary_text(arg))
    }

    /// The text of a dictionary, if the expression is only its name.
    fn dictionary_text(&mut self, arg: &ast::Expr) -> Option<Expr> {
        let ast::ExprKind::Name(name) = &arg.kind else { return None };
        let dictionary = self.bare_dictionary(arg)?;
        let parts = vec![
            self.text(&format!("Dictionary {name} with "), arg.span),
            self.node(ExprKind::DictionaryLen(dictionary), arg.span),
            self.text(" entries:", arg.span),
        ];
        Some(self.node(ExprKind::Str(parts), arg.span))
    }

    /// `s[i]`
    pub(super) fn char_at(&mut self, text: Expr, index: &'a ast::Expr) -> ExprResult {
        let index = Box::new(self.closed_as(index, Type::Number, "[…]")?);
        let span = text.span.to(index.span);
        let text = Box::new(text);
        Ok(self.node(ExprKind::CharAt { text, index }, span))
    }

    /// `s[i:j]`
    pub(super) fn slice_of(
        &mut self,
        text: Expr,
        from: Option<&'a ast::Expr>,
        to: Option<&'a ast::Expr>,
    ) -> ExprResult {
        let from = self.bound_of_slice(from)?;
        let to = self.bound_of_slice(to)?;
        let ends = from.iter().chain(&to);
        let span = ends.fold(text.span, |span, end| span.to(end.span));
        let text = Box::new(text);
        Ok(self.node(ExprKind::Slice { text, from, to }, span))
    }

    /// One end of a slice.
    pub(super) fn bound_of_slice(
        &mut self,
        bound: Option<&'a ast::Expr>,
    ) -> Result<Option<Box<Expr>>, ErrorReported> {
        // A comparison is allowed here: its value is a number.
        bound.map(|bound| self.closed_as(bound, Type::Number, "[…]").map(Box::new)).transpose()
    }
}

/// The error of a `[…]` after an operand that is not a string.
pub(super) fn not_sliced(base: &Expr) -> Diagnostic {
    let error = Diagnostic::new(
        Code::NotIndexable,
        base.span,
        format!(
            "`[…]` needs a string or a dictionary on its left, but this is {}",
            base.ty.with_article()
        ),
    );
    if matches!(base.kind, ExprKind::Var(_)) {
        error.with_help("a dictionary is declared by `dictionary NAME`")
    } else {
        error
    }
}
