//! Adds the parameter `quiet`, with which a filter writes no comments.

use babson_lang::Span;
use babson_lang::ast::{Expr, ExprKind, Filter, HeaderKind};
use babson_lang::diagnostic::Edit;
use babson_lang::keywords::Keyword;
use babson_lang::vocabulary::further_parameters;

use super::sound::{edited, typed};
use crate::analysis::Analysis;
use crate::answer::{Action, ActionKind};
use crate::options::Options;
use crate::source::first_word;

/// Adds `quiet` to the innermost filter at a place that can have it, or to the header.
pub(super) fn parameter(analysis: &Analysis<'_>, part: Span, options: &Options) -> Option<Action> {
    let tree = analysis.known.tree.as_ref()?;
    let text = analysis.source.text;
    let holds = |span: Span| span.start <= part.start && part.end <= span.end;
    let (place, inserted, of) = match &tree.header {
        Some(header) if holds(header.span) => {
            let is_quiet =
                |kind: &HeaderKind| matches!(kind, HeaderKind::Quiet | HeaderKind::Silent);
            if header.params.iter().any(|param| is_quiet(&param.kind)) {
                return None;
            }
            let open = header.span.text(text).find('(')?;
            let inserted = if header.params.is_empty() { "quiet" } else { "quiet " };
            (header.span.start + u32::try_from(open).ok()? + 1, inserted, "the header".to_owned())
        }
        Some(_) | None => {
            let mut found = None;
            for item in tree.items.iter().filter(|item| analysis.is_own(item.span)) {
                innermost(item, part, &mut found);
            }
            let (filter, keyword) = found?;
            let of = format!("`{}`", keyword.name());
            (first_word(text, filter).end, " quiet", of)
        }
    };
    let edits = vec![Edit::new(Span::new(place, place), inserted)];
    typed(&edited(text, &edits)?, options)?;
    Some(Action { title: format!("add `quiet` to {of}"), kind: ActionKind::Rewrite, edits })
}

/// The innermost filter around the part that can have the parameter.
fn innermost(e: &Expr, part: Span, found: &mut Option<(Span, Keyword)>) {
    if e.span.start > part.start || part.end > e.span.end {
        return;
    }
    let filter: Option<&Filter> = if let ExprKind::Filter(filter) = &e.kind {
        Some(filter)
    } else if let ExprKind::Path { head, .. } | ExprKind::Line { head, .. } = &e.kind {
        Some(head)
    } else {
        None
    };
    if let Some(filter) = filter {
        let present: Vec<Keyword> = filter.params.iter().filter_map(|param| param.word()).collect();
        if further_parameters(filter.keyword, &present).contains(&Keyword::Quiet) {
            *found = Some((e.span, filter.keyword));
        }
    }
    e.kind.for_each_child(&mut |child| innermost(child, part, found));
}
