//! Counters that are set at each position: `persistent x = 0 mate x += 1` counts nothing.

use super::is_constant;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Dialect;
use crate::hir::{
    DictId, DictionaryUse, Expr, ExprKind, NameUse, OutputFilter, Query, StateFilter, VarId,
};
use crate::limits::MAX_ERRORS;

/// What an assignment of the query sets.
#[derive(Clone, Copy)]
enum Counter<'q> {
    /// A persistent variable.
    Variable(VarId),
    /// An entry of a dictionary that is not local, with its key.
    Entry(DictId, &'q Expr),
}

/// Reports each assignment of a constant to what outlives a game, if the query evaluates it at each
/// position and an operator later updates what it sets.
///
/// Only assignments with no filter before them that can fail are reported: `initial persistent x =
/// 0` sets x once in each game. A dictionary can be a table for one position, so a dictionary that
/// the filters read is not reported.
pub(in crate::sema) fn resets(text: &str, query: &Query, dialect: Dialect) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    // The filters after each assignment are searched, so few assignments are.
    let mut left = MAX_ERRORS;
    for (at, filter) in query.body.iter().enumerate() {
        let Some((counter, value)) = set_by(query, filter) else {
            if is_declaration(filter) {
                continue;
            }
            break;
        };
        let Some(rest) = left.checked_sub(1) else {
            break;
        };
        left = rest;
        let update = query.body[at + 1..].iter().find_map(|later| update_of(later, counter));
        if let Some(update) = update
            && !is_read(query, counter)
        {
            let name = match counter {
                Counter::Variable(var) => query.vars[var.0 as usize].name.clone(),
                Counter::Entry(dictionary, key) => entry_text(text, query, dictionary, key),
            };
            let value = value.span.text(text);
            let message = format!("`{name}` is set to `{value}` again at each position");
            let warning = Diagnostic::new(Code::ResetCounter, filter.span, message);
            let help = help(text, filter.span, counter, dialect, &name, value);
            found.push(warning.with_help(help).with_related(update, "the update starts from it"));
        }
    }
    found
}

/// The counter that the filter sets to a constant, and the constant.
fn set_by<'q>(query: &Query, filter: &'q Expr) -> Option<(Counter<'q>, &'q Expr)> {
    let (counter, value) = if let ExprKind::State(StateFilter::Assign { var, value, .. }) =
        &filter.kind
    {
        query.vars.get(var.0 as usize)?.persistent?;
        (Counter::Variable(*var), value)
    } else if let ExprKind::State(StateFilter::Store { dictionary, key, op: None, value, .. }) =
        &filter.kind
        && is_constant(key)
    {
        let is_local = query.dictionaries.get(dictionary.0 as usize)?.local;
        (Counter::Entry(*dictionary, key), (!is_local).then_some(value)?)
    } else {
        return None;
    };
    let is_constant = is_constant(value) || matches!(value.kind, ExprKind::Squares(_));
    is_constant.then_some((counter, value))
}

/// Whether the filter always matches: a declaration, or the assignment of a constant.
fn is_declaration(filter: &Expr) -> bool {
    if let ExprKind::State(StateFilter::Assign { value, .. })
    | ExprKind::State(StateFilter::Store { op: None, value, .. }) = &filter.kind
    {
        is_constant(value)
    } else {
        matches!(filter.kind, ExprKind::Bool(true))
    }
}

/// The place of an update of the counter that is evaluated at most once at a position.
fn update_of(e: &Expr, counter: Counter<'_>) -> Option<Span> {
    let is_update = match counter {
        Counter::Variable(of) => {
            matches!(&e.kind, ExprKind::State(StateFilter::Update { var, .. }) if *var == of)
        }
        Counter::Entry(of, of_key) => matches!(
            &e.kind,
            ExprKind::State(StateFilter::Store { dictionary, key, op: Some(_), .. })
                if *dictionary == of && **key == *of_key
        ),
    };
    if is_update {
        return Some(e.span);
    }
    let is_once = matches!(
        e.kind,
        ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
    );
    let mut found = None;
    if is_once {
        e.for_each_operand(&mut |operand| found = found.or_else(|| update_of(operand, counter)));
    }
    found
}

/// Whether the filters of a position read the dictionary, other than to print it.
fn is_read(query: &Query, counter: Counter<'_>) -> bool {
    let Counter::Entry(dictionary, _) = counter else {
        return false;
    };
    query.body.iter().any(|filter| reads(filter, dictionary))
}

fn reads(e: &Expr, dictionary: DictId) -> bool {
    if matches!(
        e.kind,
        ExprKind::Output(OutputFilter::Message { .. }) | ExprKind::Output(OutputFilter::Comment(_))
    ) {
        return false;
    }
    let mut found = false;
    e.for_each_name(&mut |name| {
        found |= matches!(name, NameUse::Dictionary(of, DictionaryUse::Read) if of == dictionary);
    });
    e.for_each_operand(&mut |operand| found = found || reads(operand, dictionary));
    found
}

/// `D["a"]`
fn entry_text(text: &str, query: &Query, dictionary: DictId, key: &Expr) -> String {
    let name = &query.dictionaries[dictionary.0 as usize].name;
    format!("{name}[{}]", key.span.text(text))
}

/// How to set the counter once.
fn help(
    text: &str,
    filter: Span,
    counter: Counter<'_>,
    dialect: Dialect,
    name: &str,
    value: &str,
) -> String {
    let once = format!("to set it once, write `cqlbegin {{ {} }}`", filter.text(text));
    if dialect.own_words {
        return once;
    }
    // CQL 6.2 has no `cqlbegin`.
    match counter {
        Counter::Entry(..) => {
            format!("to set it once, write `if not {name} then {name} = {value}`")
        }
        Counter::Variable(_) if matches!(value, "0" | "\"\"" | "[]") => {
            format!("leave it out: `persistent {name} += …` begins with `{value}`")
        }
        Counter::Variable(_) => once,
    }
}
