//! Actions for assignments, declarations and filters with a keyword.

use super::{AstBuilder, DictionaryTypes, Spanned, push_param};
use crate::ast::*;
use crate::diagnostic::{Code, Diagnostic, quoted};

impl<'s> AstBuilder<'s, '_> {
    pub(super) fn storage(&mut self, words: Vec<Spanned<Keyword>>) -> (Storage, Option<Span>) {
        let start = words.first().map(|word| word.1);
        let mut storage = Storage::default();
        for (word, span) in words {
            if storage.has(word) {
                self.errors.push(Diagnostic::duplicate(span, &quoted(word.name())));
            } else {
                storage.words.push(word);
            }
        }
        (storage, start)
    }

    pub(crate) fn assign(
        &mut self,
        words: Vec<Spanned<Keyword>>,
        name: Ident,
        op: AssignOp,
        op_span: Span,
        value: Box<Expr>,
    ) -> Expr {
        let (storage, start) = self.storage(words);
        let span = start.unwrap_or(name.span).to(value.span);
        self.node(ExprKind::Assign { storage, name, op, op_span, value }, span)
    }

    pub(crate) fn dictionary(
        &mut self,
        words: Vec<Spanned<Keyword>>,
        types: Option<DictionaryTypes>,
        name: Ident,
        span: Span,
    ) -> Expr {
        let (storage, _) = self.storage(words);
        let (types, merge) = match types {
            Some((key, value, merge)) => (Some((key, value)), merge),
            None => (None, None),
        };
        self.node(ExprKind::Dictionary { storage, types, merge, name }, span)
    }

    pub(crate) fn function(
        &mut self,
        name: Ident,
        params: Vec<Ident>,
        body: Vec<Expr>,
        body_span: Span,
        span: Span,
    ) -> Expr {
        for (i, param) in params.iter().enumerate() {
            if params[..i].iter().any(|p| p.name == param.name) {
                self.error(
                    Code::DuplicateArgumentName,
                    param.span,
                    format!("the parameter `{}` is named twice", param.name),
                );
            }
        }
        self.node(ExprKind::Function { name, params, body, body_span }, span)
    }

    pub(crate) fn call(&mut self, name: Ident, args: Vec<Expr>, r: u32) -> Expr {
        let span = Span::new(name.span.start, r);
        self.node(ExprKind::Call { name, args }, span)
    }

    /// A filter that ends with its parameters.
    pub(crate) fn filter(&mut self, keyword: Keyword, params: Vec<Param>, span: Span) -> Expr {
        self.node(ExprKind::Filter(Filter::with_params(keyword, params)), span)
    }

    pub(crate) fn prefix(
        &mut self,
        keyword: Keyword,
        params: Vec<Param>,
        operand: Expr,
        span: Span,
    ) -> Expr {
        let filter = Filter { keyword, params: joined(params), args: vec![operand], list: false };
        self.node(ExprKind::Filter(filter), span)
    }

    pub(crate) fn list(
        &mut self,
        keyword: Keyword,
        params: Vec<Param>,
        args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        // `child` with one argument is not a list but a filter with an operand, like `position N`.
        let list = keyword != Keyword::Child || args.len() != 1;
        self.node(ExprKind::Filter(Filter { keyword, params, args, list }), span)
    }

    pub(crate) fn echo(
        &mut self,
        mut params: Vec<Param>,
        names: [Param; 2],
        all: Option<Param>,
        operand: Expr,
        span: Span,
    ) -> Expr {
        params.extend(all);
        params.extend(names);
        self.prefix(Keyword::Echo, params, operand, span)
    }

    pub(crate) fn consecutive(
        &mut self,
        params: Vec<Param>,
        left: Param,
        right: Param,
        span: Span,
    ) -> Expr {
        let mut params = joined(params);
        // `quiet` can stand both before and after the range.
        if let [before, range, .., after] = &params[..]
            && before.kind == ParamKind::Flag(Keyword::Quiet)
            && matches!(range.kind, ParamKind::Range(_))
            && after.kind == before.kind
        {
            params.remove(0);
        }
        params.extend([left, right]);
        self.filter(Keyword::ConsecutiveMoves, params, span)
    }

    pub(crate) fn if_else(
        &mut self,
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Option<Box<Expr>>,
        span: Span,
    ) -> Expr {
        self.node(ExprKind::If { condition, then, otherwise }, span)
    }

    pub(crate) fn each(
        &mut self,
        kind: LoopKind,
        all: bool,
        name: Ident,
        set: Box<Expr>,
        body: Box<Expr>,
        span: Span,
    ) -> Expr {
        self.node(ExprKind::ForEach { kind, all, name, set, body }, span)
    }
}

/// Joins the two bounds of a range.
fn joined(params: Vec<Param>) -> Vec<Param> {
    let mut list = Vec::with_capacity(params.len());
    params.into_iter().for_each(|param| push_param(&mut list, param, 0));
    list
}
