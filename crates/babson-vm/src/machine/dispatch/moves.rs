//! Instructions of moves and sequences of moves.

use babson_lang::hir::{Promotion, Recurrence};

use super::positions::enter_node;
use super::registers::number;
use crate::machine::{Run, Stop};
use crate::op::{
    ConsecutiveMovesSpec, DashSpec, GameListsSpec, Id, LineSpec, MoveSpec, PairsSpec, PathSpec, Pc,
    Register, StepsSpec,
};

#[inline(never)]
pub(super) fn move_filter(run: &mut Run<'_, '_>, spec: Id<MoveSpec>) -> bool {
    run.move_filter(spec)
}

#[inline(never)]
pub(super) fn move_start(run: &mut Run<'_, '_>, spec: Id<MoveSpec>, cursor: Register) {
    run.move_begin(spec, cursor);
}

#[inline(never)]
pub(super) fn move_next(run: &mut Run<'_, '_>, spec: Id<MoveSpec>, cursor: Register) -> bool {
    let node = run.move_next(spec, cursor);
    enter_tail(run, node)
}

/// Enters the tail of a move, if there is one.
fn enter_tail(run: &mut Run<'_, '_>, node: Option<u32>) -> bool {
    if let Some(node) = node {
        enter_node(run, node);
    }
    node.is_some()
}

#[inline(never)]
pub(super) fn dash(
    run: &mut Run<'_, '_>,
    spec: Id<DashSpec>,
    previous: bool,
    count: bool,
) -> Option<u64> {
    run.dash(spec, previous, count)
}

#[inline(never)]
pub(super) fn dash_next(
    run: &mut Run<'_, '_>,
    spec: Id<DashSpec>,
    cursor: Register,
    previous: bool,
) -> bool {
    let node = run.dash_next(spec, cursor, previous);
    enter_tail(run, node)
}

#[inline(never)]
pub(super) fn own_squares(run: &mut Run<'_, '_>, parts: u64, to: bool) -> u64 {
    if to { run.own_destinations(parts) } else { run.own_origins(parts) }
}

#[inline(never)]
pub(super) fn promotion_kinds(run: &mut Run<'_, '_>, text: u64) -> u64 {
    u64::from(Promotion::kinds(run.state.bytes(text)))
}

#[inline(never)]
pub(super) fn line(
    run: &mut Run<'_, '_>,
    at: Pc,
    spec: Id<LineSpec>,
    min: u64,
    max: u64,
) -> Result<Option<u64>, Stop> {
    run.line(at, spec, (number(min), number(max)))
}

#[inline(never)]
pub(super) fn path(
    run: &mut Run<'_, '_>,
    at: Pc,
    spec: Id<PathSpec>,
    min: Option<u64>,
    max: Option<u64>,
) -> Result<Option<u64>, Stop> {
    let range = min.zip(max).map(|(min, max)| (number(min), number(max)));
    run.path(at, spec, range)
}

#[inline(never)]
pub(super) fn consecutive_moves(
    run: &mut Run<'_, '_>,
    at: Pc,
    operands: Register,
    spec: Id<ConsecutiveMovesSpec>,
) -> Result<Option<u64>, Stop> {
    run.consecutive_moves(at, operands, spec)
}

#[inline(never)]
pub(super) fn game_lists(
    run: &mut Run<'_, '_>,
    at: Pc,
    spec: Id<GameListsSpec>,
) -> Result<bool, Stop> {
    run.game_lists(at, spec)
}

#[inline(never)]
pub(super) fn steps(run: &mut Run<'_, '_>, at: Pc, spec: Id<StepsSpec>) -> Result<bool, Stop> {
    run.steps(at, spec)
}

#[inline(never)]
pub(super) fn pairs(run: &mut Run<'_, '_>, spec: Id<PairsSpec>) -> bool {
    run.pairs(spec)
}

#[inline(never)]
pub(super) fn recurrence(
    run: &mut Run<'_, '_>,
    at: Pc,
    spec: Id<Recurrence>,
) -> Result<bool, Stop> {
    run.recurrence(at, spec)
}
