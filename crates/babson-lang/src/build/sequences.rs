//! Actions for `path` and `line`.

use super::{AstBuilder, PathItem, push_param};
use crate::ast::*;
use crate::diagnostic::{Code, Diagnostic};

impl<'s> AstBuilder<'s> {
    /// Groups the items of a path into parameters, steps with their targets, holders and chains.
    pub(crate) fn path(&mut self, items: Vec<PathItem>, l: u32, r: u32) -> Expr {
        let mut params = Vec::new();
        let mut rest = Vec::new();
        for item in items {
            match item {
                PathItem::Param(param) if rest.is_empty() => {
                    push_sequence_param(&mut params, param)
                }
                PathItem::Param(param) => self.error(
                    Code::MisplacedParameter,
                    param.span,
                    "parameters of `path` come before its constituents",
                ),
                PathItem::Filter(_) | PathItem::Wild(_) | PathItem::Group(..) => rest.push(item),
            }
        }
        let parts = self.path_parts(rest);
        if parts.is_empty() && self.recovered.is_empty() {
            self.error(Code::EmptyPath, Span::new(l, r), "this `path` has no constituents");
        }
        let head = Filter::with_params(Keyword::Path, params);
        self.node(ExprKind::Path { head, parts }, l, r)
    }

    pub(super) fn path_parts(&mut self, items: Vec<PathItem>) -> Vec<PathConstituent> {
        let mut parts: Vec<PathConstituent> = Vec::new();
        for item in items {
            match item {
                PathItem::Param(param) => self.error(
                    Code::MisplacedParameter,
                    param.span,
                    "parameters of `path` come before its constituents",
                ),
                // A group of filters without a dash, directly after a step, is the target of the
                // step.
                PathItem::Group(items, group) if is_target(&parts, &items) => {
                    if let Some(PathConstituent {
                        kind: PathConstituentKind::Step { targets, .. },
                        span,
                        ..
                    }) = parts.last_mut()
                    {
                        *span = span.to(group);
                        targets.extend(items.into_iter().filter_map(PathItem::into_filter));
                    }
                }
                PathItem::Group(items, span) => {
                    let inner = self.path_parts(items);
                    parts.push(PathConstituent {
                        kind: PathConstituentKind::Chain(inner),
                        repeat: None,
                        span,
                    });
                }
                PathItem::Filter(e) => {
                    let dash = matches!(e.kind, ExprKind::Dash(_));
                    if !dash
                        && let Some(PathConstituent {
                            kind: PathConstituentKind::Step { targets, .. },
                            repeat: None,
                            span,
                        }) = parts.last_mut()
                    {
                        *span = span.to(e.span);
                        targets.push(e);
                        continue;
                    }
                    let span = e.span;
                    let kind = if dash {
                        PathConstituentKind::Step { dash: e.boxed(), targets: Vec::new() }
                    } else {
                        PathConstituentKind::Holder(e.boxed())
                    };
                    parts.push(PathConstituent { kind, repeat: None, span });
                }
                PathItem::Wild(wild) => {
                    let last = parts.last_mut();
                    let part = last.filter(|part| match part.kind {
                        PathConstituentKind::Step { .. } | PathConstituentKind::Chain(_) => true,
                        PathConstituentKind::Holder(_) => false,
                    });
                    let Some(part) = part else {
                        let message = "only a dash or a group in parentheses can be repeated";
                        self.error(Code::UnrepeatableConstituent, wild.span, message);
                        continue;
                    };
                    if part.repeat.is_some() {
                        self.errors.push(Diagnostic::duplicate(wild.span, "the wildcard"));
                    } else {
                        part.repeat = Some(wild);
                    }
                }
            }
        }
        parts
    }

    /// `focus S`, `focus capture S`
    pub(crate) fn focus(&mut self, capture: bool, set: Expr, l: u32, r: u32) -> Param {
        let word = capture.then(|| self.filter(Keyword::Capture, Vec::new(), l, set.span.start));
        Param::operands(Keyword::Focus, word.into_iter().chain([set]).collect(), l, r)
    }

    pub(crate) fn line(
        &mut self,
        list: Vec<Param>,
        steps: Vec<(bool, Span, LineConstituent)>,
        l: u32,
        r: u32,
    ) -> Expr {
        let arrow = steps.first().filter(|step| step.0).map(|step| step.1);
        let mut params: Vec<Param> = arrow
            .iter()
            .map(|span| Param::new(ParamKind::Backward, span.start, span.end))
            .collect();
        for param in list {
            push_sequence_param(&mut params, param);
        }
        let parts = self.line_steps(arrow.is_some(), steps);
        self.check_group_arrows(arrow.is_some(), l);
        let head = Filter::with_params(Keyword::Line, params);
        self.node(ExprKind::Line { head, parts }, l, r)
    }

    pub(super) fn line_steps(
        &mut self,
        back: bool,
        steps: Vec<(bool, Span, LineConstituent)>,
    ) -> Vec<LineConstituent> {
        let mut parts = Vec::new();
        for (direction, span, part) in steps {
            self.check_arrow(direction, span, back);
            parts.push(part);
        }
        parts
    }

    fn check_arrow(&mut self, direction: bool, span: Span, back: bool) {
        if direction != back {
            self.error(Code::MixedArrows, span, "all arrows of a `line` point the same way");
        }
    }

    /// Checks the groups of the `line` that begins at `start`.
    fn check_group_arrows(&mut self, back: bool, start: u32) {
        while let Some((direction, span)) =
            self.group_arrows.pop_if(|(_, span)| span.start >= start)
        {
            self.check_arrow(direction, span, back);
        }
    }

    pub(crate) fn line_group(
        &mut self,
        first: LineConstituent,
        steps: Vec<(bool, Span, LineConstituent)>,
        repeats: Vec<Wildcard>,
        l: u32,
        r: u32,
    ) -> LineConstituent {
        self.group_arrows.extend(steps.first().map(|step| (step.0, step.1)));
        let back = steps.first().is_some_and(|s| s.0);
        let mut parts = vec![first];
        parts.extend(self.line_steps(back, steps));
        LineConstituent { kind: LineConstituentKind::Group(parts), repeats, span: Span::new(l, r) }
    }
}

/// Appends a parameter of `path` or `line`, in which the bounds of a range are adjacent.
fn push_sequence_param(params: &mut Vec<Param>, param: Param) {
    let last = params.len().saturating_sub(1);
    push_param(params, param, last);
}

/// Whether a group of these items is a target: it follows a step without a wildcard and contains
/// only filters.
fn is_target(parts: &[PathConstituent], items: &[PathItem]) -> bool {
    let step = matches!(
        parts.last(),
        Some(PathConstituent { kind: PathConstituentKind::Step { .. }, repeat: None, .. })
    );
    let is_filter = |item: &PathItem| match item {
        PathItem::Filter(e) => !matches!(e.kind, ExprKind::Dash(_)),
        PathItem::Param(_) | PathItem::Wild(_) | PathItem::Group(..) => false,
    };
    step && items.iter().all(is_filter)
}
