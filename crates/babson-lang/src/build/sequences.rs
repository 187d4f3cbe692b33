//! Actions for `path` and `line`.

use super::{AstBuilder, LineStep, PathItem, push_param};
use crate::ast::*;
use crate::diagnostic::{Code, Diagnostic};

impl<'s> AstBuilder<'s, '_> {
    /// Groups the items of a path into parameters, steps with their targets, holders and chains.
    pub(crate) fn path(&mut self, items: Vec<PathItem>, span: Span) -> Expr {
        let mut params = Vec::new();
        let mut items = items.into_iter().peekable();
        let is_param = |item: &PathItem| matches!(item, PathItem::Param(_));
        while let Some(PathItem::Param(param)) = items.next_if(is_param) {
            push_sequence_param(&mut params, param);
        }
        let errors = self.errors.len();
        let parts = self.path_parts(items.collect());
        if parts.is_empty() {
            self.error(Code::EmptyPath, span, "this `path` has no constituents");
        }
        // After a syntax error, parts of the path can be missing.
        if !self.recovered.is_empty() {
            self.errors.truncate(errors);
        }
        let head = Filter::with_params(Keyword::Path, params);
        self.node(ExprKind::Path { head, parts }, span)
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
                PathItem::Group(items, span) => match open_step(&mut parts) {
                    // A group of filters without a dash, directly after a step, is its target.
                    Some((targets, step)) if items.iter().all(is_target) => {
                        targets.extend(items.into_iter().filter_map(PathItem::into_filter));
                        *step = step.to(span);
                    }
                    _ => {
                        let chain = PathConstituentKind::Chain(self.path_parts(items));
                        parts.push(PathConstituent { kind: chain, repeat: None, span });
                    }
                },
                PathItem::Filter(e) => {
                    let span = e.span;
                    let kind = if matches!(e.kind, ExprKind::Dash(_)) {
                        PathConstituentKind::Step { dash: e.boxed(), targets: Vec::new() }
                    } else if let Some((targets, step)) = open_step(&mut parts) {
                        targets.push(e);
                        *step = step.to(span);
                        continue;
                    } else {
                        PathConstituentKind::Holder(e.boxed())
                    };
                    parts.push(PathConstituent { kind, repeat: None, span });
                }
                PathItem::Wild(wild) => self.repeat(parts.last_mut(), wild),
            }
        }
        parts
    }

    /// Notes the wildcard after a constituent.
    fn repeat(&mut self, last: Option<&mut PathConstituent>, wild: Wildcard) {
        let part = last.filter(|part| match part.kind {
            PathConstituentKind::Step { .. } | PathConstituentKind::Chain(_) => true,
            PathConstituentKind::Holder(_) => false,
        });
        let Some(part) = part else {
            let message = "only a dash or a group in parentheses can be repeated";
            return self.error(Code::UnrepeatableConstituent, wild.span, message);
        };
        if part.repeat.is_some() {
            self.errors.push(Diagnostic::duplicate(wild.span, "the wildcard"));
        } else {
            part.repeat = Some(wild);
        }
    }

    /// `focus S`, `focus capture S`
    pub(crate) fn focus(&mut self, capture: bool, set: Expr, span: Span) -> Param {
        let word = capture.then(|| {
            let word = Span::new(span.start, set.span.start);
            self.filter(Keyword::Capture, Vec::new(), word)
        });
        Param::operands(Keyword::Focus, word.into_iter().chain([set]).collect(), span)
    }

    pub(crate) fn line(&mut self, list: Vec<Param>, steps: Vec<LineStep>, span: Span) -> Expr {
        let arrow = steps.first().filter(|step| step.0).map(|step| step.1);
        let mut params = Vec::new();
        params.extend(arrow.map(|arrow| Param::new(ParamKind::Backward, arrow)));
        for param in list {
            push_sequence_param(&mut params, param);
        }
        let parts = self.line_steps(arrow.is_some(), steps);
        self.check_group_arrows(arrow.is_some(), span.start);
        let head = Filter::with_params(Keyword::Line, params);
        self.node(ExprKind::Line { head, parts }, span)
    }

    pub(super) fn line_steps(&mut self, back: bool, steps: Vec<LineStep>) -> Vec<LineConstituent> {
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
        steps: Vec<LineStep>,
        repeats: Vec<Wildcard>,
        span: Span,
    ) -> LineConstituent {
        self.group_arrows.extend(steps.first().map(|step| (step.0, step.1)));
        let back = steps.first().is_some_and(|s| s.0);
        let mut parts = vec![first];
        parts.extend(self.line_steps(back, steps));
        LineConstituent { kind: LineConstituentKind::Group(parts), repeats, span }
    }
}

/// Appends a parameter of `path` or `line`, in which the bounds of a range are adjacent.
fn push_sequence_param(params: &mut Vec<Param>, param: Param) {
    let last = params.len().saturating_sub(1);
    push_param(params, param, last);
}

/// The last constituent, if it is a step without a wildcard, to which filters can be added: these
/// and its span.
fn open_step(parts: &mut [PathConstituent]) -> Option<(&mut Vec<Expr>, &mut Span)> {
    let last = parts.last_mut().filter(|part| part.repeat.is_none())?;
    match &mut last.kind {
        PathConstituentKind::Step { targets, .. } => Some((targets, &mut last.span)),
        PathConstituentKind::Holder(_) | PathConstituentKind::Chain(_) => None,
    }
}

/// Whether an item of a group is a filter that can be a target.
fn is_target(item: &PathItem) -> bool {
    match item {
        PathItem::Filter(e) => !matches!(e.kind, ExprKind::Dash(_)),
        PathItem::Param(_) | PathItem::Wild(_) | PathItem::Group(..) => false,
    }
}
