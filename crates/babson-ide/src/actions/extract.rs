//! Makes a function of a part of the query.

use std::collections::HashSet;

use babson_lang::Span;
use babson_lang::ast::{Expr, ExprKind};
use babson_lang::diagnostic::Edit;
use babson_lang::text::is_variable_name;

use super::sound::{are_equal, edited, typed};
use crate::analysis::Analysis;
use crate::answer::{Action, ActionKind};
use crate::name_index::Role;
use crate::options::Options;

/// Makes a function of the selected filters, which may be one operand or several filters of a list.
/// The query does the same after it: the typed trees are compared, since a function is written in
/// place of its call.
pub(super) fn function(analysis: &Analysis<'_>, part: Span, options: &Options) -> Option<Action> {
    let text = analysis.source.text;
    let tree = analysis.known.tree.as_ref()?;
    let own: Vec<&Expr> = tree.items.iter().filter(|item| analysis.is_own(item.span)).collect();
    let (selected, is_several) = selected(text, &own, part)?;
    let outer = own.iter().find(|item| item.span.to(selected) == item.span)?;
    let name = fresh_name(analysis)?;
    let body = selected.text(text);
    // What the query does if braces stand around the filters: a function has one body.
    let braced = format!("{{ {body} }}");
    let before = match is_several {
        true => typed(&edited(text, &[Edit::new(selected, braced)])?, options)?,
        false => typed(text, options)?,
    };
    let attempt = |parameters: &[String]| {
        let list = parameters.join(" ");
        let definition =
            format!("function {name}({list}) {{ {body} }}\n{}", indent(text, outer.span));
        let place = Span::new(outer.span.start, outer.span.start);
        let edits =
            vec![Edit::new(place, definition), Edit::new(selected, format!("{name}({list})"))];
        let after = typed(&edited(text, &edits)?, options)?;
        are_equal(&before, &after).then_some(edits)
    };
    let edits = attempt(&[]).or_else(|| {
        let local = names_from_outside(analysis, selected);
        if local.is_empty() { None } else { attempt(&local) }
    })?;
    let title = "extract to a function".to_owned();
    Some(Action { title, kind: ActionKind::Extract, edits })
}

/// The place of the selected filters, and whether they are several filters of a list.
fn selected(text: &str, items: &[&Expr], part: Span) -> Option<(Span, bool)> {
    let inner = part.text(text);
    let trimmed = inner.trim();
    if trimmed.is_empty() {
        return None;
    }
    let start = part.start + u32::try_from(inner.len() - inner.trim_start().len()).ok()?;
    let part = Span::new(start, start + u32::try_from(trimmed.len()).ok()?);
    if let Some(found) = run_of(items, part) {
        return Some(found);
    }
    let outer = items.iter().find(|item| item.span.to(part) == item.span)?;
    in_filter(outer, part)
}

/// The filters of a list that are just the part.
fn run_of(items: &[&Expr], part: Span) -> Option<(Span, bool)> {
    let first = items.iter().position(|item| item.span.start == part.start)?;
    let last = items.iter().position(|item| item.span.end == part.end)?;
    let run = items.get(first..=last)?;
    let is_filter = |item: &&Expr| {
        !matches!(
            item.kind,
            ExprKind::Function { .. }
                | ExprKind::Dictionary { .. }
                | ExprKind::Hook { .. }
                | ExprKind::LineComment(_)
                | ExprKind::Error
        )
    };
    run.iter().all(is_filter).then_some((part, run.len() > 1))
}

fn in_filter(e: &Expr, part: Span) -> Option<(Span, bool)> {
    let list: Option<&[Expr]> = if let ExprKind::Block(items) = &e.kind {
        Some(items)
    } else if let ExprKind::Function { body, .. } | ExprKind::Hook { body, .. } = &e.kind {
        Some(body)
    } else {
        None
    };
    if let Some(found) = list.and_then(|list| run_of(&list.iter().collect::<Vec<_>>(), part)) {
        return Some(found);
    }
    let mut found = None;
    e.kind.for_each_child(&mut |child| {
        if found.is_none() && child.span == part {
            found = Some((part, false));
        } else if found.is_none() && child.span.to(part) == child.span {
            found = in_filter(child, part);
        }
    });
    found
}

/// The variables that the part uses and a loop or function around it declares, in their order.
fn names_from_outside(analysis: &Analysis<'_>, part: Span) -> Vec<String> {
    let is_inside = |place: Span| part.to(place) == part;
    let (mut names, mut known) = (Vec::new(), HashSet::new());
    for one in analysis.names.occurrences.iter().filter(|one| is_inside(one.place)) {
        let binding = &analysis.names.bindings[one.binding];
        let is_outside =
            one.role != Role::Declaration && binding.place.is_some_and(|place| !is_inside(place));
        if !binding.is_global && is_outside && known.insert(&binding.name) {
            names.push(binding.name.clone());
        }
    }
    names
}

/// A name that the query does not have.
fn fresh_name(analysis: &Analysis<'_>) -> Option<String> {
    let is_free = |name: &String| {
        is_variable_name(name) && analysis.names.bindings.iter().all(|one| one.name != *name)
    };
    let numbered = (2..).map(|number| format!("extracted{number}"));
    std::iter::once("extracted".to_owned()).chain(numbered.take(1000)).find(is_free)
}

/// The whitespace before a filter on its line, if there is nothing else.
fn indent(text: &str, filter: Span) -> &str {
    let before = text.get(..filter.start as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.trim().is_empty() { line } else { "" }
}
