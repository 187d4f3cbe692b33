//! `path` (docs/src/language/path.md#path).

use super::types::with_article;
use super::{ErrorReported, ExprResult, Sema};
use crate::ast::{self, ExprKind as Ast, PrecedenceLevel, SeqParam, SeqParamKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{
    Expr, ExprKind, Focus, NestBanId, PathConstituent, PathConstituentKind, PathFilter, PathStatus,
    Quantity, Type,
};
use crate::keywords::Keyword;
use crate::limits::MAX_REPEAT;

impl<'a> Sema<'a> {
    pub(super) fn path(
        &mut self,
        params: &'a [SeqParam],
        parts: &'a [ast::PathConstituent],
        span: Span,
    ) -> ExprResult {
        let mut path = PathFilter {
            range: None,
            focus: None,
            max: None,
            title: None,
            nest_ban: None,
            primary: false,
            keep_all_best: false,
            first_match: false,
            last_position: false,
            verbose: false,
            piece_path: false,
            quiet: false,
            constituents: Vec::new(),
        };
        let mut failed = false;
        for param in params {
            failed |= self.path_param(&mut path, param).is_err();
        }
        failed |= self.check_params(&path, params).is_err();
        let ty = if path.last_position { Type::Position } else { Type::Number };
        match self.path_constituents(parts, ty) {
            Ok(parts) if !failed => path.constituents = parts,
            _ => return Err(ErrorReported),
        }
        Ok(self.node(ExprKind::Path(Box::new(path)), ty, span))
    }

    fn path_param(
        &mut self,
        path: &mut PathFilter,
        param: &'a SeqParam,
    ) -> Result<(), ErrorReported> {
        let twice = |is_set: bool, word: &str| {
            let error = Diagnostic::error(param.span, format!("`{word}` is one too many"));
            if is_set { Err(error) } else { Ok(()) }
        };
        let checked = match &param.kind {
            SeqParamKind::Range(range) => {
                let checked = twice(path.range.is_some(), "range");
                path.range = self.range(Some(range))?;
                checked
            }
            SeqParamKind::Focus { capture, set } => {
                let checked = twice(matches!(path.focus, Some(Focus::Pieces { .. })), "focus");
                let set = self.closed(set)?;
                let set = self.expect(set, Type::Set, "focus")?;
                path.focus = Some(Focus::Pieces { set, capture: *capture });
                checked
            }
            SeqParamKind::Max(value) => {
                let checked = twice(path.max.is_some(), "max");
                let value = self.closed(value)?;
                path.max = Some(self.expect(value, Type::Number, "max")?);
                checked
            }
            SeqParamKind::Title(text) => {
                let checked = twice(path.title.is_some(), "title");
                path.title = Some(text.value.as_bytes().into());
                checked
            }
            SeqParamKind::Flag(Keyword::NestBan) => {
                let checked = twice(path.nest_ban.is_some(), "nestban");
                path.nest_ban = Some(NestBanId::default());
                checked
            }
            SeqParamKind::Flag(Keyword::SingleColor) => {
                let checked = twice(matches!(path.focus, Some(Focus::SideToMove)), "singlecolor");
                path.focus.get_or_insert(Focus::SideToMove);
                checked
            }
            SeqParamKind::Flag(Keyword::Secondary) => {
                Err(Diagnostic::error(param.span, "`secondary` is not a parameter of `path`")
                    .with_help("`--(secondary)` is a move that is not the first of its position"))
            }
            SeqParamKind::Flag(keyword) => {
                #[expect(clippy::wildcard_enum_match_arm, reason = "another keyword is reported")]
                let flag = match keyword {
                    Keyword::Primary => &mut path.primary,
                    Keyword::KeepAllBest => &mut path.keep_all_best,
                    Keyword::FirstMatch => &mut path.first_match,
                    Keyword::LastPosition => &mut path.last_position,
                    Keyword::Verbose => &mut path.verbose,
                    Keyword::PiecePath => &mut path.piece_path,
                    Keyword::Quiet => &mut path.quiet,
                    other => {
                        let message = format!("`{}` is not a parameter of `path`", other.name());
                        return Err(self.error(param.span, message));
                    }
                };
                let again = std::mem::replace(flag, true) && *keyword != Keyword::LastPosition;
                twice(again, keyword.name())
            }
        };
        checked.map_err(|error| self.report(error))
    }

    /// Parameters that exclude or need each other.
    fn check_params(
        &mut self,
        path: &PathFilter,
        params: &[SeqParam],
    ) -> Result<(), ErrorReported> {
        let place = |wanted: Keyword| {
            params
                .iter()
                .find(|param| matches!(param.kind, SeqParamKind::Flag(flag) if flag == wanted))
                .map(|param| param.span)
        };
        let focus = params
            .iter()
            .find(|param| matches!(param.kind, SeqParamKind::Focus { .. }))
            .map(|param| param.span);
        if let (Some(_), Some(span)) = (focus, place(Keyword::SingleColor)) {
            return Err(self.error(span, "`singlecolor` is a `focus` of its own: one of them only"));
        }
        if let (Some(_), Some(span)) = (focus, place(Keyword::Primary)) {
            let error = Diagnostic::error(span, "`primary` cannot go with `focus`");
            return Err(self.report(error.with_help(
                "`{pathstart:depth == depth}` as last constituent keeps to the line of the start",
            )));
        }
        if let (None, Some(span)) = (&path.focus, place(Keyword::PiecePath)) {
            // An error in `focus` was already reported.
            if focus.is_none() {
                return Err(self.error(span, "`piecepath` needs `focus` or `singlecolor`"));
            }
        }
        Ok(())
    }

    fn path_constituents(
        &mut self,
        parts: &'a [ast::PathConstituent],
        ty: Type,
    ) -> Result<Vec<PathConstituent>, ErrorReported> {
        let mut typed = Vec::with_capacity(parts.len());
        let mut failed = false;
        for part in parts {
            match self.path_constituent(part, ty) {
                Ok(part) => typed.push(part),
                Err(ErrorReported) => failed = true,
            }
            if self.veto.is_some() || self.overflow {
                return Err(ErrorReported);
            }
        }
        if failed { Err(ErrorReported) } else { Ok(typed) }
    }

    fn path_constituent(
        &mut self,
        part: &'a ast::PathConstituent,
        ty: Type,
    ) -> Result<PathConstituent, ErrorReported> {
        let kind = match &part.kind {
            ast::PathConstituentKind::Step { dash, targets } => {
                let Ast::Dash(inner) = &dash.kind else {
                    return Err(self.error(dash.span, "a step of `path` is a dash"));
                };
                let operands = self.step_operands(inner);
                // The targets in parentheses come first. The rules for constituents do not apply to
                // them.
                let own = self.closed_all(&inner.targets);
                let rest = self.path_filters(targets, ty);
                let mut filters = own?;
                filters.extend(rest?);
                PathConstituentKind::Step { dash: Box::new(operands?), targets: filters }
            }
            ast::PathConstituentKind::Holder(filter) => {
                PathConstituentKind::Holder(Box::new(self.path_filter(filter, ty)?))
            }
            ast::PathConstituentKind::Chain(parts) => {
                self.depth += 1;
                let parts = if self.depth > crate::limits::MAX_TYPED_DEPTH {
                    Err(self.too_deep(part.span))
                } else {
                    self.path_constituents(parts, ty)
                };
                self.depth -= 1;
                PathConstituentKind::Chain(parts?)
            }
        };
        let repeat = part.repeat.map(|repeat| (repeat.min, repeat.max.unwrap_or(MAX_REPEAT)));
        Ok(PathConstituent { kind, repeat })
    }

    fn path_filters(
        &mut self,
        filters: &'a [ast::Expr],
        ty: Type,
    ) -> Result<Vec<Expr>, ErrorReported> {
        let mut typed = Vec::with_capacity(filters.len());
        let mut failed = false;
        for filter in filters {
            match self.path_filter(filter, ty) {
                Ok(filter) => typed.push(filter),
                Err(ErrorReported) => failed = true,
            }
        }
        if failed { Err(ErrorReported) } else { Ok(typed) }
    }

    /// Types a filter that is a constituent of a path. `ty` is the type of the path.
    fn path_filter(&mut self, e: &'a ast::Expr, ty: Type) -> ExprResult {
        if let Ast::DashPrefix { words, .. } = &e.kind
            && let Some(word) = words.iter().find(|word| **word != Keyword::Previous)
        {
            let message = format!("`{}` cannot stand directly in a `path`", word.name());
            let error = Diagnostic::error(e.span, message);
            return Err(self.report(error.with_help("put braces around the filter")));
        }
        let open = self.open_at(e, 0)?;
        let typed = self.finish_in_path(open, ty)?;
        if typed.ty == Type::Number && is_plain_number(e) {
            let error =
                Diagnostic::error(e.span, "a constituent of `path` cannot be a plain number");
            return Err(self.report(
                error.with_help("put braces around it, or around the `path` to compare its value"),
            ));
        }
        if matches!(typed.kind, ExprKind::Quantity(Quantity::Path(PathStatus::Count))) {
            let error = Diagnostic::error(
                e.span,
                format!("`pathcount` alone tests nothing: it is {}", with_article(Type::Number)),
            );
            return Err(self.report(error.with_help("compare it, as in `{pathcount > 2}`")));
        }
        Ok(typed)
    }
}

/// Whether the filter is a literal, a variable or arithmetic, which was probably meant to be
/// compared with the value of the `path`.
fn is_plain_number(e: &ast::Expr) -> bool {
    let is_arithmetic = |level| matches!(level, PrecedenceLevel::Sum | PrecedenceLevel::Product);
    matches!(&e.kind, Ast::Int(_) | Ast::Name(_) | Ast::Negate(_))
        || matches!(&e.kind, Ast::Infix { level, .. } if is_arithmetic(*level))
}
