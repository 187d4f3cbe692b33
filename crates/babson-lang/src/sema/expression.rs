//! Types an expression: calls the module of its kind.

use super::pending::{BinaryOp, PendingOperators, RightOperand};
use super::{ErrorReported, ExprResult, OpenResult, Sema};
use crate::ast::{self, ExprKind as Ast, levels};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Condition, Designator, Expr, ExprKind, UnaryFilter};
use crate::limits::{MAX_ERRORS, MAX_NODES, MAX_TYPED_DEPTH};

impl<'a> Sema<'a> {
    /// Types an expression that no operator can follow: an item, an argument, the content of
    /// brackets.
    pub(super) fn closed(&mut self, e: &'a ast::Expr) -> ExprResult {
        let open = self.open_at(e, 0)?;
        self.finish(open)
    }

    /// Types several expressions. An error in one does not stop the others.
    pub(super) fn closed_all(&mut self, list: &'a [ast::Expr]) -> Result<Vec<Expr>, ErrorReported> {
        self.each(list, Self::closed)
    }

    /// Types several expressions, each by `one`. An error in one does not stop the others.
    pub(super) fn each(
        &mut self,
        list: &'a [ast::Expr],
        one: impl Fn(&mut Self, &'a ast::Expr) -> ExprResult,
    ) -> Result<Vec<Expr>, ErrorReported> {
        let mut typed = Vec::with_capacity(list.len());
        let mut failed = false;
        for e in list {
            match one(self, e) {
                Ok(e) => typed.push(e),
                Err(ErrorReported) => failed = true,
            }
            self.continue_after_rejection(e);
            if self.rejections.stop() || self.overflow || self.errors.len() >= MAX_ERRORS {
                return Err(ErrorReported);
            }
        }
        if failed { Err(ErrorReported) } else { Ok(typed) }
    }

    /// Types an expression, and returns the operators after it that do not fit.
    pub(super) fn open(&mut self, e: &'a ast::Expr) -> OpenResult<'a> {
        if self.overflow || self.rejections.stop() {
            return Err(ErrorReported);
        }
        if self.nodes > MAX_NODES || self.depth > MAX_TYPED_DEPTH {
            self.overflow = true;
            return Err(match self.nodes > MAX_NODES {
                true => self.error(
                    Code::TooManyFilters,
                    e.span,
                    format!("the query has more than {MAX_NODES} filters"),
                ),
                false => self.too_deep(e.span),
            });
        }
        let levels = usize::from(e.kind.levels());
        self.depth += levels;
        self.steps.typed += 1;
        let open = self.open_kind(e);
        self.depth -= levels;
        if let Ok((typed, _)) = &open {
            self.note_type(typed);
        }
        if open.is_err() {
            self.poison_name_of(e);
        }
        let untyped = open.is_err() && !self.rejections.stop() && !self.overflow;
        if untyped && matches!(e.kind, Ast::With { .. } | Ast::Hook { .. }) {
            self.poison_names_in(e);
        }
        open
    }

    /// Types an expression by its kind. Every arm calls a function: without optimization, a frame
    /// has room for the values of all arms, and these frames nest.
    fn open_kind(&mut self, e: &'a ast::Expr) -> OpenResult<'a> {
        let span = e.span;
        let typed = match &e.kind {
            // Filters with an operand at their right end, which operators can follow.
            Ast::Infix { level, first, rest } => return self.infix(*level, first, rest),
            Ast::Relation { left, op, op_span, right } => {
                return self.operation(
                    left,
                    BinaryOp::Rel(*op),
                    *op_span,
                    RightOperand::Ast(right),
                );
            }
            Ast::In { left, op_span, right } => {
                return self.operation(left, BinaryOp::In, *op_span, RightOperand::Ast(right));
            }
            Ast::With { left, op_span, right } => return self.with(left, *op_span, right),
            Ast::Not(arg) => return self.not(arg, span),
            Ast::Complement(arg) => {
                return self.unary_filter(UnaryFilter::Complement, levels::COMPLEMENT, arg, span);
            }
            Ast::Negate(arg) => return self.negate(arg, span),
            Ast::Assign { storage, name, op, op_span, value } => {
                return self.assign(storage, name, *op, *op_span, value, span);
            }
            Ast::AssignIndex { place, op, op_span, value } => {
                return self.assign_index(place, *op, *op_span, value, span);
            }
            Ast::AssignPiece { name, value } => return self.assign_piece(name, value, span),
            Ast::Filter(filter) => return self.filter(filter, span),
            Ast::LineComment(args) => self.line_comment(args, span),
            Ast::ForEach { kind, all, name, set, body } => {
                return self.for_each(*kind, *all, name, set, body, span);
            }
            Ast::If { condition, then, otherwise } => {
                return self.if_then_else(condition, then, otherwise.as_deref(), span);
            }
            Ast::Arrows { back, parts, op_spans } => return self.arrows(*back, parts, op_spans),
            Ast::Match { subject, op_span, pattern } => {
                let right = RightOperand::Ast(pattern);
                return self.operation(subject, BinaryOp::Match, *op_span, right);
            }
            Ast::Index { base, index } => {
                return self.index(base, index, span);
            }
            Ast::Slice { base, from, to } => {
                return self.slice(base, from.as_deref(), to.as_deref(), span);
            }
            Ast::Dash(dash) => return self.dash(dash),
            Ast::DashPrefix { words, arg } => return self.dash_prefix(words, arg, span),
            Ast::Line { head, parts } => return self.line(head, parts, span),
            Ast::While { condition, body } => return self.while_loop(condition, body, span),
            // Filters without one.
            Ast::Error => Err(self.not_parsed(span)),
            Ast::Int(n) => self.constant(|| ExprKind::Number(*n), span),
            Ast::Str(text) => self.constant(|| ExprKind::Text(text.as_bytes().into()), span),
            Ast::Result(result) => self.bare_result(*result, span),
            Ast::ResultIs(result) => {
                self.constant(|| ExprKind::Condition(Condition::Result(*result)), span)
            }
            Ast::Designator(d) => {
                let designator = Designator { squares: d.squares, content: d.pieces };
                self.constant(|| ExprKind::Designator(designator), span)
            }
            Ast::AnySquare => self.constant(|| ExprKind::Squares(!0), span),
            Ast::EmptySet => self.constant(|| ExprKind::Squares(0), span),
            Ast::Name(name) => self.name(name, span),
            Ast::Call { name, args } => self.call(name, args, span),
            Ast::Paren(inner) => self.closed(inner).map(|inner| Expr { span, ..inner }),
            Ast::Block(items) => self.block(items, span),
            Ast::Unbind { name, key } => self.unbind(name, key.as_deref(), span),
            Ast::IsBound { negated, name } => self.is_bound(*negated, name, span),
            Ast::Dictionary { .. } => self.declaration(e),
            Ast::Function { name, params, body, .. } => self.function(name, params, body, span),
            Ast::Path { head, parts } => self.path(head, parts, span),
            // The identity always matches.
            Ast::Identity => self.constant(|| ExprKind::Bool(true), span),
            Ast::Group(number) => self.constant(|| ExprKind::Group(*number), span),
            Ast::GroupIndex(number) => self.constant(|| ExprKind::GroupIndex(*number), span),
            Ast::NamedGroup(name, index) => self.named_group(name, *index, span),
            Ast::Hook { end, body } => self.hook(*end, body, span),
        };
        without_operators(typed)
    }

    /// The error for a query that is nested too deeply.
    pub(super) fn too_deep(&mut self, span: Span) -> ErrorReported {
        self.overflow = true;
        let what = "with its functions, the query is";
        self.report(Diagnostic::nested_too_deep(span, what, MAX_TYPED_DEPTH))
    }

    /// A filter without operands.
    #[inline(never)]
    fn constant(&mut self, kind: impl FnOnce() -> ExprKind, span: Span) -> ExprResult {
        Ok(self.node(kind(), span))
    }

    fn declaration(&mut self, e: &'a ast::Expr) -> ExprResult {
        self.named_dictionary(e)?;
        Ok(self.bool(true, e.span))
    }

    /// An entry of a dictionary, or a character of a string.
    fn index(&mut self, base: &'a ast::Expr, index: &'a ast::Expr, span: Span) -> OpenResult<'a> {
        if let Some(dictionary) = self.named_dictionary(base)? {
            return without_operators(self.entry(dictionary, index, span));
        }
        // A number is also the index of a string.
        if let Ast::Name(name) = &base.kind
            && !matches!(index.kind, Ast::Int(_))
            && self.lookup(name).is_none()
        {
            return Err(self.unknown_dictionary(name, base.span));
        }
        self.operation(base, BinaryOp::Index, index.span, RightOperand::Ast(index))
    }

    /// A part of a string.
    fn slice(
        &mut self,
        base: &'a ast::Expr,
        from: Option<&'a ast::Expr>,
        to: Option<&'a ast::Expr>,
        span: Span,
    ) -> OpenResult<'a> {
        if self.bare_dictionary(base).is_some() {
            return Err(self.report(Diagnostic::no_slices(span)));
        }
        self.operation(base, BinaryOp::Index, span, RightOperand::Slice(from, to))
    }
}

/// A filter that no operator can follow.
#[inline(never)]
pub(super) fn without_operators<'a>(typed: ExprResult) -> OpenResult<'a> {
    Ok((typed?, PendingOperators::new()))
}
