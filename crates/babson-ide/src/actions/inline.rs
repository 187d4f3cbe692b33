//! Writes the value of a variable in place of its name.

use babson_lang::Span;
use babson_lang::ast::{Arithmetic, AssignOp, Expr, ExprKind, InfixOp};
use babson_lang::diagnostic::Edit;
use babson_lang::hir::Type;
use babson_lang::keywords::Keyword;

use super::sound::{edited, typed};
use crate::analysis::Analysis;
use crate::answer::{Action, ActionKind};
use crate::name_index::{BindingKind, Role};
use crate::options::Options;

/// Writes the value of the variable at a place wherever the variable is used, and removes the
/// assignment. The query does the same only if the value is always there and cannot be another one
/// at a use: so the variable is assigned once, and each use is evaluated at the same position, in a
/// filter after the assignment.
pub(super) fn variable(analysis: &Analysis<'_>, part: Span, options: &Options) -> Option<Action> {
    let text = analysis.source.text;
    let here = analysis.names.at(part.start as usize).filter(|one| analysis.is_own(one.place))?;
    let binding = &analysis.names.bindings[here.binding];
    let (place, statement) = (binding.place?, binding.statement?);
    if binding.kind != BindingKind::Variable || !analysis.is_own(statement) {
        return None;
    }
    let uses: Vec<_> = analysis.names.of(here.binding).filter(|one| one.place != place).collect();
    if uses.is_empty() || uses.iter().any(|one| one.role != Role::Read) {
        return None;
    }
    let tree = analysis.known.tree.as_ref()?;
    let own: Vec<&Expr> = tree.items.iter().filter(|item| analysis.is_own(item.span)).collect();
    let (value, later) = assignment(&own, statement)?;
    let mut passed = Vec::new();
    tree.items.iter().for_each(|item| arguments(item, &mut passed));
    // A parameter stands for a variable of the caller, and the function that gets a variable as its
    // argument can write it: under two names, a write of one is not known as a write of the other.
    let is_stable = |at: Span| {
        let found = analysis.names.occurrences.iter().find(|one| one.place == at);
        found.is_some_and(|found| {
            analysis.names.bindings[found.binding].kind != BindingKind::Parameter
                && analysis
                    .names
                    .of(found.binding)
                    .all(|one| one.role != Role::Write && !passed.contains(&one.place))
        })
    };
    if !is_always_the_same(value, &is_stable) {
        return None;
    }
    let has = |e: &&&Expr, one: Span| e.span.to(one) == e.span;
    let reaches =
        |one: Span| later.iter().find(|e| has(e, one)).is_some_and(|e| is_evaluated_here(e, one));
    if !uses.iter().all(|one| reaches(one.place)) {
        return None;
    }
    let written = value.span.text(text);
    let written = if is_atom(value) { written.to_owned() } else { format!("({written})") };
    let mut edits = vec![Edit::new(with_space(text, statement), "")];
    edits.extend(uses.iter().map(|one| Edit::new(one.place, written.as_str())));
    edits.sort_by_key(|edit| edit.span);
    typed(&edited(text, &edits)?, options)?;
    let title = format!("inline `{}`", binding.name);
    Some(Action { title, kind: ActionKind::Inline, edits })
}

/// The value of the assignment at a place, and the filters after it in its list.
fn assignment<'e>(items: &[&'e Expr], statement: Span) -> Option<(&'e Expr, Vec<&'e Expr>)> {
    for (at, item) in items.iter().enumerate() {
        if item.span == statement
            && let ExprKind::Assign { storage, op: AssignOp::Set, value, .. } = &item.kind
            && storage.words.is_empty()
        {
            return Some((value, items[at + 1..].to_vec()));
        }
        if item.span.to(statement) == item.span {
            return in_lists(item, statement);
        }
    }
    None
}

fn in_lists(e: &Expr, statement: Span) -> Option<(&Expr, Vec<&Expr>)> {
    if let ExprKind::Block(items) | ExprKind::Function { body: items, .. } = &e.kind {
        return assignment(&items.iter().collect::<Vec<_>>(), statement);
    }
    let mut found = None;
    e.kind.for_each_child(&mut |child| {
        if found.is_none() && child.span.to(statement) == child.span {
            found = in_lists(child, statement);
        }
    });
    found
}

/// The names that are arguments of calls, by their places. In brackets a name is its value.
fn arguments(e: &Expr, passed: &mut Vec<Span>) {
    if let ExprKind::Call { args, .. } = &e.kind {
        let names = args.iter().filter(|arg| matches!(arg.kind, ExprKind::Name(_)));
        passed.extend(names.map(|arg| arg.span));
    }
    e.kind.for_each_child(&mut |child| arguments(child, passed));
}

/// Whether an expression always has a value, does nothing else, and has the same value wherever it
/// is evaluated at one position.
fn is_always_the_same(e: &Expr, is_stable: &dyn Fn(Span) -> bool) -> bool {
    let all = |mut parts: &mut dyn Iterator<Item = &Expr>| {
        Iterator::all(&mut parts, |part| is_always_the_same(part, is_stable))
    };
    if let ExprKind::Paren(inner) | ExprKind::Complement(inner) | ExprKind::Negate(inner) = &e.kind
    {
        is_always_the_same(inner, is_stable)
    } else if let ExprKind::Name(_) = &e.kind {
        is_stable(e.span)
    } else if let ExprKind::Infix { first, rest, .. } = &e.kind {
        // A division may fail.
        let is_total = |op: InfixOp| {
            !matches!(
                op,
                InfixOp::Or
                    | InfixOp::And
                    | InfixOp::Arithmetic(Arithmetic::Divide | Arithmetic::Remainder)
            )
        };
        rest.iter().all(|tail| is_total(tail.op))
            && all(&mut std::iter::once(&**first).chain(rest.iter().map(|tail| &tail.right)))
    } else if let ExprKind::Arrows { parts, .. } = &e.kind {
        all(&mut parts.iter())
    } else if let ExprKind::Filter(filter) = &e.kind {
        let is_pure = filter.keyword.signature().is_some_and(|signature| {
            let effects = signature.traits.effects;
            signature.ty == Type::Set && !effects.state && !effects.comments
        });
        let is_pure = is_pure || filter.keyword == Keyword::Size;
        is_pure && filter.params.is_empty() && all(&mut filter.args.iter())
    } else {
        matches!(
            e.kind,
            ExprKind::Int(_)
                | ExprKind::Str(_)
                | ExprKind::Designator(_)
                | ExprKind::AnySquare
                | ExprKind::EmptySet
        )
    }
}

/// Whether the part at a place is evaluated at the position of the expression around it.
fn is_evaluated_here(e: &Expr, place: Span) -> bool {
    if e.span == place {
        return matches!(e.kind, ExprKind::Name(_));
    }
    let stays = if let ExprKind::Filter(filter) = &e.kind {
        filter.keyword.signature().is_some() || filter.keyword == Keyword::Size
    } else {
        matches!(
            e.kind,
            ExprKind::Paren(_)
                | ExprKind::Block(_)
                | ExprKind::Infix { .. }
                | ExprKind::Relation { .. }
                | ExprKind::In { .. }
                | ExprKind::Not(_)
                | ExprKind::Complement(_)
                | ExprKind::Negate(_)
                | ExprKind::Arrows { .. }
                | ExprKind::If { .. }
                | ExprKind::Assign { .. }
        )
    };
    let mut reaches = false;
    e.kind.for_each_child(&mut |child| {
        if child.span.to(place) == child.span {
            reaches |= is_evaluated_here(child, place);
        }
    });
    stays && reaches
}

/// Whether an operator beside it cannot take a part of it.
fn is_atom(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Str(_)
            | ExprKind::Designator(_)
            | ExprKind::AnySquare
            | ExprKind::EmptySet
            | ExprKind::Name(_)
            | ExprKind::Paren(_)
    ) || matches!(e.kind, ExprKind::Int(number) if number >= 0)
}

/// The filter with the whitespace after it, or its whole line if nothing else stands on it.
fn with_space(text: &str, filter: Span) -> Span {
    let (start, end) = (filter.start as usize, filter.end as usize);
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let after = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    if text[begin..start].trim().is_empty() && text[end..after].trim().is_empty() {
        return crate::source::span(begin, after);
    }
    let space = text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
    crate::source::span(start, end + space)
}
