//! Instructions about the order of evaluation.

use babson_lang::hir::Type;

use super::answer::{Ends, Jumps};
use crate::machine::once::OnceResult;
use crate::machine::{Run, Stop};
use crate::op::{Id, OnceSpec, Pc};
use crate::prefilter::Prefilter;

#[inline(always)]
pub(super) fn jump(_: &mut Run<'_, '_>) -> Jumps {
    Jumps
}

#[inline(always)]
pub(super) fn end(_: &mut Run<'_, '_>, matched: bool) -> Ends {
    Ends { matched }
}

#[inline(always)]
pub(super) fn visit(
    run: &mut Run<'_, '_>,
    at: Pc,
    prefilter: Option<Id<Prefilter>>,
) -> Result<bool, Stop> {
    run.visit(at, prefilter)
}

/// Whether the search ends with the match.
#[inline(never)]
pub(super) fn match_here(run: &mut Run<'_, '_>, at: Pc) -> Result<bool, Stop> {
    run.match_here(at)
}

#[inline(always)]
pub(super) fn step(run: &mut Run<'_, '_>, at: Pc) -> Result<(), Stop> {
    run.step(at)
}

pub(super) fn begin(run: &mut Run<'_, '_>, filter: u32) {
    let carryover = &mut run.state.carryover;
    carryover.trace.begin(filter);
    carryover.clock.begin(&*run.context.options.host, filter);
}

pub(super) fn matched(run: &mut Run<'_, '_>, filter: u32) {
    let parent = run.program.code.profiled[filter as usize].parent;
    let carryover = &mut run.state.carryover;
    let matches = carryover.trace.end(filter, run.here.node);
    carryover.clock.matched(&*run.context.options.host, filter, parent, matches);
}

pub(super) fn trace_value(run: &mut Run<'_, '_>, filter: u32, value: u64, ty: Type) {
    let value = run.traced_value(value, ty);
    run.state.carryover.trace.record(filter, value, run.here.node);
}

#[inline(always)]
pub(super) fn once_in_game(
    run: &mut Run<'_, '_>,
    filter: Id<OnceSpec>,
) -> Result<OnceResult, Stop> {
    match run.state.once[filter.index()] {
        Some(outcome) => Ok(outcome),
        None => run.once_in_game(filter),
    }
}

#[inline(never)]
pub(super) fn once_at_position(
    run: &mut Run<'_, '_>,
    filter: Id<OnceSpec>,
) -> Result<OnceResult, Stop> {
    run.once_at_position(filter)
}

#[cold]
pub(super) fn assert_failed(run: &mut Run<'_, '_>, at: Pc) -> Result<(), Stop> {
    let position = run.here.id;
    let message = format!("the assertion failed at position {position}");
    run.stop(at, "assert", message, true)
}
