//! `path` (docs/src/language/path.md#path).

use super::{ErrorReported, ExprResult, Sema, all_of};
use crate::ast::{self, ExprKind as Ast, Filter, Param, ParamKind, PrecedenceLevel};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{
    ExprKind, Focus, NestBanId, PathConstituent, PathConstituentKind, PathFilter, PathStatus,
    Property, Type, type_of_sequence,
};
use crate::keywords::Keyword;
use crate::limits::MAX_REPEAT;

impl<'a> Sema<'a> {
    pub(super) fn path(
        &mut self,
        head: &'a Filter,
        parts: &'a [ast::PathConstituent],
        span: Span,
    ) -> ExprResult {
        let params = self.path_params(head, parts);
        let ty = type_of_sequence(head.has(Keyword::LastPosition));
        let constituents = self.path_constituents(parts, ty);
        let path = PathFilter { constituents: constituents?, ..params? };
        Ok(self.node(ExprKind::Path(Box::new(path)), span))
    }

    /// The parameters. An error in one does not stop the others.
    fn path_params(
        &mut self,
        head: &'a Filter,
        parts: &[ast::PathConstituent],
    ) -> Result<PathFilter, ErrorReported> {
        let mut path = PathFilter {
            range: None,
            focus: head.has(Keyword::SingleColor).then_some(Focus::SideToMove),
            max: None,
            title: None,
            nest_ban: head.has(Keyword::NestBan).then(NestBanId::default),
            primary: head.has(Keyword::Primary),
            keep_all_best: head.has(Keyword::KeepAllBest),
            first_match: head.has(Keyword::FirstMatch),
            last_position: head.has(Keyword::LastPosition),
            verbose: head.has(Keyword::Verbose),
            piece_path: head.has(Keyword::PiecePath),
            quiet: head.has(Keyword::Quiet),
            constituents: Vec::new(),
        };
        let mut checked = Ok(());
        // In `path max K --` the set would be the left side of the dash.
        let starts_with_dash = parts.first().is_some_and(is_dash_without_left);
        let last = head.params.len().checked_sub(1);
        for (index, param) in head.params.iter().enumerate() {
            let is_before_dash = starts_with_dash && Some(index) == last;
            checked = checked.and(self.path_param(&mut path, param, is_before_dash));
        }
        self.check_parameters(head).and(checked)?;
        Ok(path)
    }

    fn path_param(
        &mut self,
        path: &mut PathFilter,
        param: &'a Param,
        is_before_dash: bool,
    ) -> Result<(), ErrorReported> {
        if let ParamKind::Range(range) = &param.kind {
            path.range = self.range(Some(range))?;
        }
        match (param.word(), param.values()) {
            (Some(Keyword::Focus), [word @ .., set]) => {
                let set = self.closed_as(set, Type::Set, "focus")?;
                path.focus = Some(Focus::Pieces { set, capture: !word.is_empty() });
            }
            (Some(Keyword::Max), [value]) => {
                let value = self.closed(value)?;
                path.max = Some(match value.ty {
                    Type::Set if !is_before_dash => self.count(value),
                    Type::Set
                    | Type::Bool
                    | Type::Number
                    | Type::String
                    | Type::Position
                    | Type::Piece => self.expect(value, Type::Number, "max")?,
                });
            }
            (Some(Keyword::Title), [ast::Expr { kind: Ast::Str(text), .. }]) => {
                path.title = Some(text.as_bytes().into());
            }
            _ => {}
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
            if self.rejections.stop() || self.overflow {
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
                    return Err(self.error(
                        Code::MissingDash,
                        dash.span,
                        "a step of `path` is a dash",
                    ));
                };
                let operands = self.step_operands(inner);
                // The targets in parentheses come first. The rules for constituents do not apply to
                // them.
                let own = self.closed_all(&inner.targets);
                let rest = all_of(targets.iter().map(|target| self.path_filter(target, ty)));
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

    /// Types a filter that is a constituent of a path. `ty` is the type of the path.
    fn path_filter(&mut self, e: &'a ast::Expr, ty: Type) -> ExprResult {
        if let Ast::DashPrefix { words, .. } = &e.kind
            && let Some(word) = words.iter().find(|word| **word != Keyword::Previous)
        {
            let message = format!("`{}` cannot stand directly in a `path`", word.name());
            return Err(self.not_a_constituent(e.span, &message, "put braces around the filter"));
        }
        let open = self.open_at(e, 0)?;
        let typed = self.finish_in_path(open, ty)?;
        if typed.ty == Type::Number && is_plain_number(e) {
            let message = "a constituent of `path` cannot be a plain number";
            let help = "put braces around it, or around the `path` to compare its value";
            return Err(self.not_a_constituent(e.span, message, help));
        }
        if matches!(typed.kind, ExprKind::Property(Property::Path(PathStatus::Count))) {
            let number = Type::Number.with_article();
            let message = format!("`pathcount` alone tests nothing: it is {number}");
            let help = "compare it, as in `{pathcount > 2}`";
            return Err(self.not_a_constituent(e.span, &message, help));
        }
        Ok(typed)
    }

    /// Reports a filter that cannot be a constituent of `path` or `line`.
    pub(super) fn not_a_constituent(
        &mut self,
        span: Span,
        message: &str,
        help: &str,
    ) -> ErrorReported {
        self.report(Diagnostic::new(Code::NotAConstituent, span, message).with_help(help))
    }
}

/// Whether the filter is a literal, a variable or arithmetic, which was probably meant to be
/// compared with the value of the `path`.
fn is_plain_number(e: &ast::Expr) -> bool {
    let is_arithmetic = |level| matches!(level, PrecedenceLevel::Sum | PrecedenceLevel::Product);
    matches!(&e.kind, Ast::Int(_) | Ast::Name(_) | Ast::Negate(_))
        || matches!(&e.kind, Ast::Infix { level, .. } if is_arithmetic(*level))
}

/// Whether the constituent is a dash with nothing before it.
fn is_dash_without_left(part: &ast::PathConstituent) -> bool {
    let ast::PathConstituentKind::Step { dash, .. } = &part.kind else { return false };
    matches!(&dash.kind, Ast::Dash(dash) if dash.left.is_none())
}
