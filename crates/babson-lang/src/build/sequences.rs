//! Nodes of `path` and `line`.

use super::{Builder, PathItem, join};
use crate::ast::*;

impl<'s> Builder<'s> {
    /// Sorts the parts of a path: parameters, steps with their targets, holders, chains, wildcards.
    pub(crate) fn path(&mut self, items: Vec<PathItem>, l: u32, r: u32) -> Expr {
        let mut params: Vec<SeqParam> = Vec::new();
        let mut rest = Vec::new();
        for item in items {
            match item {
                PathItem::Param(param) if rest.is_empty() => self.seq_param(&mut params, param),
                PathItem::Param(param) => {
                    self.error(param.span, "parameters of `path` come before its constituents")
                }
                item => rest.push(item),
            }
        }
        let parts = self.path_parts(rest);
        if parts.is_empty() && self.recovered.is_empty() {
            self.error(Span::new(l, r), "this `path` has no constituents");
        }
        self.node(ExprKind::Path { params, parts }, l, r)
    }

    pub(super) fn path_parts(&mut self, items: Vec<PathItem>) -> Vec<PathPart> {
        let mut parts: Vec<PathPart> = Vec::new();
        for item in items {
            match item {
                PathItem::Param(param) => {
                    self.error(param.span, "parameters of `path` come before its constituents")
                }
                // Filters in parentheses directly after a step are targets of it, unless a dash is
                // among them.
                PathItem::Group(items, group) if is_target(&parts, &items) => {
                    if let Some(PathPart {
                        kind: PathPartKind::Step { targets, .. }, span, ..
                    }) = parts.last_mut()
                    {
                        *span = span.to(group);
                        targets.extend(items.into_iter().filter_map(|item| match item {
                            PathItem::Filter(e) => Some(e),
                            _ => None,
                        }));
                    }
                }
                PathItem::Group(items, span) => {
                    let inner = self.path_parts(items);
                    parts.push(PathPart { kind: PathPartKind::Chain(inner), repeat: None, span });
                }
                PathItem::Filter(e) => {
                    let dash = matches!(e.kind, ExprKind::Dash(_));
                    match parts.last_mut() {
                        Some(PathPart {
                            kind: PathPartKind::Step { targets, .. },
                            repeat: None,
                            span,
                        }) if !dash => {
                            *span = span.to(e.span);
                            targets.push(e);
                        }
                        _ => {
                            let span = e.span;
                            let kind = if dash {
                                PathPartKind::Step { dash: e.boxed(), targets: Vec::new() }
                            } else {
                                PathPartKind::Holder(e.boxed())
                            };
                            parts.push(PathPart { kind, repeat: None, span });
                        }
                    }
                }
                PathItem::Wild(wild) => match parts.last_mut() {
                    Some(PathPart {
                        kind: PathPartKind::Step { .. } | PathPartKind::Chain(_),
                        repeat: repeat @ None,
                        ..
                    }) => {
                        *repeat = Some(wild);
                    }
                    Some(PathPart { repeat: Some(_), .. }) => {
                        self.error(wild.span, "one wildcard is enough")
                    }
                    _ => self
                        .error(wild.span, "only a dash or a group in parentheses can be repeated"),
                },
            }
        }
        parts
    }

    pub(super) fn seq_param(&mut self, params: &mut Vec<SeqParam>, param: SeqParam) {
        if let (Some(SeqParam { kind: SeqParamKind::Range(old), span }), SeqParamKind::Range(new)) =
            (params.last_mut(), &param.kind)
            && join(old, new)
        {
            *span = span.to(param.span);
            return;
        }
        let same = |p: &SeqParam| match (&p.kind, &param.kind) {
            (SeqParamKind::Flag(a), SeqParamKind::Flag(b)) => a == b && *a != Keyword::LastPosition,
            (a, b) => {
                std::mem::discriminant(a) == std::mem::discriminant(b)
                    && !matches!(a, SeqParamKind::Flag(_))
            }
        };
        if params.iter().any(same) {
            self.error(param.span, format!("`{}` is one too many", param.span.text(self.source)));
        }
        params.push(param);
    }

    pub(crate) fn line(
        &mut self,
        list: Vec<SeqParam>,
        steps: Vec<(bool, Span, LinePart)>,
        l: u32,
        r: u32,
    ) -> Expr {
        let mut params = Vec::new();
        for param in list {
            self.seq_param(&mut params, param);
        }
        let back = steps.first().is_some_and(|s| s.0);
        let parts = self.line_steps(back, steps);
        self.node(ExprKind::Line { params, back, parts }, l, r)
    }

    pub(super) fn line_steps(
        &mut self,
        back: bool,
        steps: Vec<(bool, Span, LinePart)>,
    ) -> Vec<LinePart> {
        let mut parts = Vec::new();
        for (direction, span, part) in steps {
            if direction != back {
                self.error(span, "all arrows of a `line` point the same way");
            }
            parts.push(part);
        }
        parts
    }

    pub(crate) fn line_group(
        &mut self,
        first: LinePart,
        steps: Vec<(bool, Span, LinePart)>,
        repeats: Vec<Repeat>,
        l: u32,
        r: u32,
    ) -> LinePart {
        let back = steps.first().is_some_and(|s| s.0);
        let mut parts = vec![first];
        parts.extend(self.line_steps(back, steps));
        LinePart { kind: LinePartKind::Group(parts), repeats, span: Span::new(l, r) }
    }
}

/// Does a group of these items stand directly after a step without wildcard, and hold filters only?
fn is_target(parts: &[PathPart], items: &[PathItem]) -> bool {
    let step = matches!(
        parts.last(),
        Some(PathPart { kind: PathPartKind::Step { .. }, repeat: None, .. })
    );
    let is_filter = |item: &PathItem| match item {
        PathItem::Filter(e) => !matches!(e.kind, ExprKind::Dash(_)),
        PathItem::Param(_) | PathItem::Wild(_) | PathItem::Group(..) => false,
    };
    step && items.iter().all(is_filter)
}
