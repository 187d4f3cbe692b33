//! The compiler, from HIR to bytecode.
//!
//! A filter is compiled as a *test*, which falls through when it matches and else jumps to a label,
//! or as a *value*, which also puts its value into a register. A set always has a value.

mod actions;
mod automaton;
mod builder;
mod cql3;
mod dash;
mod defer;
mod echo;
mod held;
mod images;
mod imagine;
mod iterate;
mod lines;
mod moves;
mod needs;
mod once;
mod path;
mod patterns;
mod peephole;
mod printed;
mod sets;
mod sharing;
mod test;
mod text;
mod trace;
mod undo;
mod validation;
mod value;

use babson_lang::diagnostic::{self, Diagnostic, Span};
use babson_lang::hir;

use crate::analysis::conjuncts;
use crate::code::Code;
use crate::game_guard::GameGuard;
use crate::limits::MAX_VARIABLES;
use crate::need::Need;
use crate::op::{EntryPoint, Op};
use crate::optimize::{self, VisitPlan};
use crate::options::CompileOptions;
use crate::prefilter::Prefilter;
use crate::similar::SimilarPositions;
use builder::Builder;
#[cfg(test)]
pub(crate) use peephole::reachable;

/// What the code makes of the conditions that filters [need](Need).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conditions {
    Used,
    /// Each filter is evaluated at each position, by which tests judge the conditions.
    #[cfg(test)]
    Unused,
}

/// Compiles a query.
pub(crate) fn compile(
    query: &hir::Query,
    options: &CompileOptions,
    conditions: Conditions,
) -> Result<Code, Vec<Diagnostic>> {
    let too_large = |what: &str| {
        let span = query.body.first().map_or(Span::default(), |first| first.span);
        vec![Diagnostic::new(
            diagnostic::Code::TooManyRegisters,
            span,
            format!("the query needs too many {what}"),
        )]
    };
    if query.vars.len() > MAX_VARIABLES {
        return Err(too_large("variables"));
    }
    // A profiled program has all filters of its query.
    let rewritten = match options.profile || options.trace {
        true => None,
        false => optimize::without_needless_loops(query),
    };
    let query = rewritten.as_ref().unwrap_or(query);
    let mut builder = Builder::new(query, options, conditions);
    let mut list = Vec::new();
    conjuncts(&query.body, &mut list);
    let need = Need::of(&query.body, &builder.analysis);
    // A trace or a profile shows each filter at each position.
    let visit = match options.trace || !builder.uses_conditions() {
        true => VisitPlan::ALL,
        false => VisitPlan::of(&need),
    };
    let (prefilter, mut guard) = if builder.uses_conditions() {
        let guard = GameGuard::of(&need, query, &builder.analysis);
        (Prefilter::of_need(&need, &builder.analysis), guard)
    } else {
        (None, GameGuard::default())
    };
    let is_silent = builder.uses_conditions()
        && query.similar.is_none()
        && query.like.is_none()
        && query.body.iter().all(|filter| {
            let effects = builder.analysis.effects(filter);
            !effects.state && effects.errors == hir::Errors::None
        });
    let comments = query.body.iter().any(|filter| builder.analysis.effects(filter).comments);
    let prefilter = prefilter.map(|prefilter| builder.prefilters.push(prefilter));
    let (again, done) = (builder.label(), builder.label());
    builder.runs_once = visit.is_first();
    builder.entry("query");
    builder.bind(again);
    builder.emit(Op::Visit { prefilter, done });
    let value = if options.value {
        Some(builder.conjunction_with_value(&query.body, again))
    } else {
        builder.query(&query.body, again);
        None
    };
    builder.emit(Op::PositionMatches { again });
    builder.bind(done);
    builder.emit(Op::Return { matched: true });

    builder.runs_once = true;
    let [begin, end] =
        [("cqlbegin", &query.begin), ("cqlend", &query.end)].map(|(name, filters)| {
            let fail = builder.label();
            (!filters.is_empty()).then(|| {
                let entry = builder.entry(name);
                builder.conjunction(filters, fail);
                builder.bind(fail);
                builder.emit(Op::Return { matched: true });
                entry
            })
        });

    builder.runs_once = false;
    if visit != VisitPlan::ALL {
        builder.notes.push(visit.to_string());
    }
    let needs = needs::needs(query, visit, &builder.analysis);
    let [tags_required, game_required] = match visit.is_first() {
        // The only position evaluates the tests itself.
        true => [None, None],
        false => builder.requirements(&query.body),
    };
    let mut code = builder.finish(query, visit, needs).ok_or_else(|| too_large("registers"))?;
    (code.begin, code.end) = (begin, end);
    code.value = value;
    if options.trace {
        code.traced = trace::traced(query, &code.profiled);
    }
    (code.tags_required, code.game_required) = (tags_required, game_required);
    for entry in [tags_required, game_required].into_iter().flatten() {
        let EntryPoint { pc, name } = code.entries[entry];
        code.notes.push(format!("{name}: code at {pc}"));
    }
    code.prefilter = prefilter;
    guard.describe(&code);
    code.guard = guard;
    code.is_silent = is_silent && code.game_lists.is_empty();
    code.comments = comments;
    let from_root = code.prefilter.is_none() && visit.has_first();
    code.shared = sharing::shared(query, from_root, code.uses_files);
    code.similar = match &query.similar {
        Some(similar) => {
            Some(SimilarPositions::read(similar, query.dialect.usual_start, &*options.host)?)
        }
        None => None,
    };
    debug_assert_eq!(validation::fault(&code), None);
    Ok(code)
}
