//! Actions for assignments, declarations and filters with a keyword.

use super::{AstBuilder, FindParam, Spanned, join};
use crate::ast::*;
use crate::diagnostic::{Code, Diagnostic, quoted};
use crate::lexer::{LexemeKind, lex};
use crate::tokens::terminal::StorageWord;

impl<'s> AstBuilder<'s> {
    pub(super) fn storage(&mut self, words: Vec<Spanned<StorageWord>>) -> (Storage, Option<Span>) {
        let mut storage = Storage::default();
        let mut start = None;
        for (word, span) in words {
            start.get_or_insert(span);
            let flag = match word {
                StorageWord::Atomic => &mut storage.atomic,
                StorageWord::Persistent => &mut storage.persistent,
                StorageWord::Quiet => &mut storage.quiet,
                StorageWord::Local => &mut storage.local,
            };
            if std::mem::replace(flag, true) {
                self.errors.push(Diagnostic::duplicate(span, &quoted(word.name())));
            }
        }
        (storage, start)
    }

    pub(crate) fn assign(
        &mut self,
        words: Vec<Spanned<StorageWord>>,
        name: Ident,
        op: AssignOp,
        op_span: Span,
        value: Expr,
    ) -> Expr {
        let (storage, start) = self.storage(words);
        let span = start.unwrap_or(name.span).to(value.span);
        self.node(
            ExprKind::Assign { storage, name, op, op_span, value: value.boxed() },
            span.start,
            span.end,
        )
    }

    pub(crate) fn assign_index(
        &mut self,
        place: Expr,
        op: AssignOp,
        op_span: Span,
        value: Expr,
    ) -> Expr {
        let span = place.span.to(value.span);
        self.node(
            ExprKind::AssignIndex { place: place.boxed(), op, op_span, value: value.boxed() },
            span.start,
            span.end,
        )
    }

    pub(crate) fn assign_piece(&mut self, name: Ident, value: Expr, r: u32) -> Expr {
        let l = name.span.start;
        let name = AstBuilder::piece_name(name);
        self.node(ExprKind::AssignPiece { name, value: value.boxed() }, l, r)
    }

    /// `◭x` is the variable `x`.
    pub(super) fn piece_name(name: Ident) -> Ident {
        let bare = name.name.trim_start_matches("[Aa]").trim_start_matches('◭').to_string();
        let start = name.span.end.saturating_sub(bare.len() as u32);
        Ident { name: bare, span: Span::new(start, name.span.end) }
    }

    pub(crate) fn dictionary(
        &mut self,
        words: Vec<Spanned<StorageWord>>,
        types: Option<(TypeName, TypeName, Option<Ident>)>,
        name: Ident,
        l: u32,
        r: u32,
    ) -> Expr {
        let (storage, _) = self.storage(words);
        let (types, merge) = match types {
            Some((key, value, merge)) => (Some((key, value)), merge),
            None => (None, None),
        };
        self.node(ExprKind::Dictionary { storage, types, merge, name }, l, r)
    }

    pub(crate) fn function(
        &mut self,
        name: Ident,
        params: Vec<Ident>,
        body: Vec<Expr>,
        brace: u32,
        l: u32,
        r: u32,
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
        self.node(ExprKind::Function { name, params, body, body_span: Span::new(brace, r) }, l, r)
    }

    pub(crate) fn call(&mut self, name: Ident, args: Vec<Expr>, r: u32) -> Expr {
        let l = name.span.start;
        self.node(ExprKind::Call { name, args }, l, r)
    }

    pub(crate) fn list(&mut self, keyword: Keyword, mut args: Vec<Expr>, l: u32, r: u32) -> Expr {
        if keyword == Keyword::Child && args.len() == 1 {
            let arg = args.swap_remove(0).boxed();
            return self.node(ExprKind::Prefix { keyword, arg }, l, r);
        }
        self.node(ExprKind::List { keyword, args }, l, r)
    }

    pub(crate) fn sort(
        &mut self,
        quiet: bool,
        dir: Option<bool>,
        description: Option<StringLiteral>,
        arg: Expr,
        l: u32,
        r: u32,
    ) -> Expr {
        if let (Some(min), None) = (dir, &description) {
            let word = if min { "min" } else { "max" };
            let what = "a text before what it sorts by";
            let error = Diagnostic::missing(Span::new(l, r), &format!("sort {word}"), what);
            let help = format!("as in `sort {word} \"plies\" ply`; `sort ply` needs none");
            self.errors.push(error.with_help(help));
        }
        self.node(
            ExprKind::Sort { quiet, min: dir.unwrap_or(false), description, arg: arg.boxed() },
            l,
            r,
        )
    }

    #[expect(clippy::too_many_arguments)] // one for each part of the filter
    pub(crate) fn echo(
        &mut self,
        quiet: bool,
        source: Ident,
        target: Ident,
        all: bool,
        arg: Expr,
        l: u32,
        r: u32,
    ) -> Expr {
        self.node(ExprKind::Echo { quiet, source, target, all, arg: arg.boxed() }, l, r)
    }

    pub(crate) fn if_else(
        &mut self,
        condition: Expr,
        then: Expr,
        otherwise: Option<Expr>,
        l: u32,
        r: u32,
    ) -> Expr {
        let otherwise = otherwise.map(Expr::boxed);
        self.node(
            ExprKind::If { condition: condition.boxed(), then: then.boxed(), otherwise },
            l,
            r,
        )
    }

    #[expect(clippy::too_many_arguments)] // one for each part of the filter
    pub(crate) fn each(
        &mut self,
        kind: LoopKind,
        all: bool,
        name: Ident,
        set: Expr,
        body: Expr,
        l: u32,
        r: u32,
    ) -> Expr {
        let name = AstBuilder::piece_name(name);
        self.node(ExprKind::ForEach { kind, all, name, set: set.boxed(), body: body.boxed() }, l, r)
    }

    pub(super) fn find_params(
        &mut self,
        params: Vec<Spanned<FindParam>>,
    ) -> (bool, bool, bool, Option<RangeParam>) {
        let (mut quiet, mut all, mut back) = (false, false, false);
        let mut range: Option<RangeParam> = None;
        for (param, span) in params {
            let name = param.shown();
            let twice = match param {
                FindParam::Quiet => std::mem::replace(&mut quiet, true),
                FindParam::All => std::mem::replace(&mut all, true),
                FindParam::Back => std::mem::replace(&mut back, true),
                FindParam::Range(new) => match &mut range {
                    None => {
                        range = Some(new);
                        false
                    }
                    Some(old) => !join(old, &new),
                },
            };
            if twice {
                self.errors.push(Diagnostic::duplicate(span, name));
            }
        }
        (quiet, all, back, range)
    }

    pub(crate) fn find(
        &mut self,
        params: Vec<Spanned<FindParam>>,
        arg: Expr,
        l: u32,
        r: u32,
    ) -> Expr {
        let (quiet, all, back, range) = self.find_params(params);
        if all && range.is_some() {
            self.errors.push(Diagnostic::excluding(Span::new(l, r), "`all`", "a range"));
        }
        self.node(ExprKind::Find { quiet, all, back, range, arg: arg.boxed() }, l, r)
    }

    pub(crate) fn consecutive(
        &mut self,
        mut params: Vec<Spanned<FindParam>>,
        left: Ident,
        right: Ident,
        l: u32,
        r: u32,
    ) -> Expr {
        // `quiet` can occur both before and after the range.
        if let [(FindParam::Quiet, _), (FindParam::Range(_), _), .., (FindParam::Quiet, _)] =
            params[..]
        {
            params.remove(0);
        }
        let (quiet, _, _, range) = self.find_params(params);
        self.node(ExprKind::ConsecutiveMoves { quiet, range, left, right }, l, r)
    }

    pub(crate) fn pin(&mut self, params: Vec<PinParam>, l: u32, r: u32) -> Expr {
        for (i, param) in params.iter().enumerate() {
            if params[..i].iter().any(|p| p.keyword == param.keyword) {
                self.errors
                    .push(Diagnostic::duplicate(param.set.span, &quoted(param.keyword.name())));
            }
        }
        self.node(ExprKind::Pin(params), l, r)
    }

    pub(crate) fn hhdb(&mut self, l: u32, r: u32, search: Option<StringLiteral>) -> ExprKind {
        let text = Span::new(l, r).text(self.source);
        let lexemes = lex(text, crate::Dialect::CQL6).unwrap_or_default();
        let words = lexemes
            .iter()
            .skip(1)
            .map(|lexeme| {
                let word = lexeme.span.text(text);
                let name =
                    if lexeme.kind == LexemeKind::Str { word.trim_matches('"') } else { word };
                Ident {
                    name: name.to_string(),
                    span: Span::new(l + lexeme.span.start, l + lexeme.span.end),
                }
            })
            .collect();
        ExprKind::Hhdb { words, search }
    }
}
