//! `find`, `line` and `sort` (docs/src/language/find.md#find, docs/src/language/line.md#line,
//! docs/src/language/sort.md#sort).

use super::pending::PendingOperators;
use super::{ErrorReported, OpenResult, Sema};
use crate::ast::{self, Filter, Wildcard};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{
    self, Expr, ExprKind, FindFilter, FindMode, LineFilter, NestBanId, SortId, SortKey, Type,
};
use crate::keywords::Keyword;
use crate::limits::{MAX_REPEAT, MAX_TYPED_DEPTH};

impl<'a> Sema<'a> {
    pub(super) fn find(&mut self, filter: &'a Filter, span: Span) -> OpenResult<'a> {
        let range = self.range(filter.range())?;
        let arg = self.operand(filter, span)?;
        let (body, pending) = self.open_at(arg, 1)?;
        let mode = match range {
            Some(range) => FindMode::Range(range),
            None if filter.has(Keyword::All) => FindMode::All,
            None => FindMode::First,
        };
        let (quiet, backward) = (filter.has(Keyword::Quiet), filter.is_backward());
        let find = FindFilter { quiet, backward, mode, body };
        Ok((self.node(ExprKind::Find(Box::new(find)), span), pending))
    }

    pub(super) fn sort(&mut self, filter: &'a Filter, span: Span) -> OpenResult<'a> {
        let quiet = filter.has(Keyword::Quiet);
        let min = filter.has(Keyword::Min);
        let description = filter.text();
        let arg = self.operand(filter, span)?;
        let (value, pending) = self.open_at(arg, 1)?;
        if min && value.any(&|e| matches!(e.kind, ExprKind::Echo(_))) {
            return Err(self.error(
                Code::EchoInSort,
                span,
                "`sort min` cannot have an `echo` inside",
            ));
        }
        let value = match value.ty {
            Type::Set => self.count(value),
            Type::Number if matches!(value.kind, ExprKind::Number(_)) => {
                return Err(self.error(
                    Code::ConstantSort,
                    value.span,
                    "`sort` by a fixed number sorts nothing",
                ));
            }
            Type::Number | Type::String => value,
            Type::Bool | Type::Position | Type::Piece => {
                return Err(self.mismatch(
                    &value,
                    "a number, a set of squares or a string",
                    "sort",
                ));
            }
        };
        let ty = value.ty;
        let known =
            description.and_then(|text| self.sorts.iter().position(|key| key.name == text.value));
        let key = match known {
            Some(i) => {
                if self.sorts[i].ty != ty || self.sorts[i].min != min {
                    let span = description.map_or(span, |text| text.span);
                    return Err(self.error(
                        Code::ConflictingSort,
                        span,
                        "another `sort` of this description has another type or direction",
                    ));
                }
                SortId(i as u32)
            }
            None => {
                let name = match description {
                    Some(text) => text.value.clone(),
                    None => {
                        self.unnamed_sorts += 1;
                        SortKey::name_of(self.unnamed_sorts)
                    }
                };
                self.sorts.push(SortKey { name, ty, min, quiet });
                SortId(self.sorts.len() as u32 - 1)
            }
        };
        Ok((self.node(ExprKind::Sort { key, value: Box::new(value) }, span), pending))
    }

    pub(super) fn line(
        &mut self,
        head: &'a Filter,
        parts: &'a [ast::LineConstituent],
        span: Span,
    ) -> OpenResult<'a> {
        self.check_parameters(head)?;
        let mut line = LineFilter {
            quiet: head.has(Keyword::Quiet),
            backward: head.is_backward(),
            range: self.range(head.range())?,
            single_color: head.has(Keyword::SingleColor),
            primary: head.has(Keyword::Primary),
            secondary: head.has(Keyword::Secondary),
            first_match: head.has(Keyword::FirstMatch),
            nest_ban: head.has(Keyword::NestBan).then(NestBanId::default),
            last_position: head.has(Keyword::LastPosition),
            constituents: Vec::with_capacity(parts.len()),
        };
        let mut failed = false;
        let mut pending = PendingOperators::new();
        for (i, part) in parts.iter().enumerate() {
            let rest = (i + 1 == parts.len()).then_some(&mut pending);
            match self.constituent(part, rest) {
                Ok((constituent, _)) => line.constituents.push(constituent),
                Err(ErrorReported) => failed = true,
            }
        }
        if failed {
            return Err(ErrorReported);
        }
        Ok((self.node(ExprKind::Line(Box::new(line)), span), pending))
    }

    /// A constituent, and whether it can match the empty sequence. The pending operators of the
    /// last constituent go to `rest`.
    fn constituent(
        &mut self,
        part: &'a ast::LineConstituent,
        rest: Option<&mut PendingOperators<'a>>,
    ) -> Result<(hir::LineConstituent, bool), ErrorReported> {
        let (kind, mut empty) = match &part.kind {
            ast::LineConstituentKind::Filter(filter) => {
                let (typed, pending) = self.open_at(filter, 0)?;
                let typed = match rest.filter(|_| part.repeats.is_empty()) {
                    Some(rest) => {
                        *rest = pending;
                        typed
                    }
                    None => self.finish((typed, pending))?,
                };
                if is_plain_number(&typed) && !is_braced_name(filter) {
                    let error = Diagnostic::new(
                        Code::NotAConstituent,
                        typed.span,
                        "a constituent of `line` cannot be a plain number",
                    );
                    return Err(self.report(
                        error.with_help("put braces around the `line` to compare its value"),
                    ));
                }
                (hir::LineConstituentKind::Filter(Box::new(typed)), false)
            }
            ast::LineConstituentKind::Group(parts) => {
                if self.depth >= MAX_TYPED_DEPTH {
                    return Err(self.too_deep(part.span));
                }
                let mut group = Vec::with_capacity(parts.len());
                let mut empty = true;
                for part in parts {
                    self.depth += 1;
                    let constituent = self.constituent(part, None);
                    self.depth -= 1;
                    let (constituent, part_empty) = constituent?;
                    empty &= part_empty;
                    group.push(constituent);
                }
                (hir::LineConstituentKind::Group(group), empty)
            }
        };
        let mut repeats = Vec::with_capacity(part.repeats.len());
        let mut after_plus = false;
        for repeat in &part.repeats {
            let Wildcard { min, max, span } = *repeat;
            let max = max.unwrap_or(MAX_REPEAT);
            let (plus, question, star) = (
                (min, max) == (1, MAX_REPEAT),
                (min, max) == (0, 1),
                (min, max) == (0, MAX_REPEAT),
            );
            if empty {
                return Err(self.error(
                    Code::EmptyRepetition,
                    span,
                    "the constituent before this repetition can match the empty sequence",
                ));
            }
            if after_plus && !star && !question {
                return Err(self.error(
                    Code::RepetitionAfterPlus,
                    span,
                    "this repetition cannot follow `+`",
                ));
            }

            empty = min == 0;
            after_plus = plus;
            repeats.push((min, max));
        }
        Ok((hir::LineConstituent { kind, repeats }, empty))
    }
}

/// Whether the filter is a literal, a variable or arithmetic, which was probably meant to be
/// compared with the value of the `line`.
fn is_plain_number(e: &Expr) -> bool {
    let plain = matches!(e.kind, ExprKind::Number(_) | ExprKind::Var(_) | ExprKind::Arithmetic(..));
    e.ty == Type::Number && plain
}

/// Whether the filter is a name in braces, which tests whether the variable is bound.
fn is_braced_name(e: &ast::Expr) -> bool {
    if let ast::ExprKind::Paren(e) = &e.kind {
        return is_braced_name(e);
    }
    let ast::ExprKind::Block(items) = &e.kind else {
        return false;
    };
    let [item] = &items[..] else {
        return false;
    };
    matches!(item.kind, ast::ExprKind::Name(_)) || is_braced_name(item)
}
