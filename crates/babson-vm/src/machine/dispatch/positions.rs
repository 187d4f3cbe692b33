//! Instructions that go to other positions and boards.

use babson_chess::Color;
use babson_chess::Piece;

use crate::machine::{Run, Stop};
use crate::op::{Alteration, Id, ImagineSpec, MoveSpec, Pc, Place, Register};

#[inline(always)]
pub(super) fn enter(run: &mut Run<'_, '_>, position: u64) {
    run.enter();
    run.here = run.at_position(position as u32);
}

#[inline(always)]
pub(super) fn enter_parent(run: &mut Run<'_, '_>) -> bool {
    match run.parent(run.here.node) {
        Some(parent) => {
            enter_node(run, parent);
            true
        }
        None => false,
    }
}

/// Enters a node of the game.
#[inline(always)]
pub(super) fn enter_node(run: &mut Run<'_, '_>, node: u32) {
    run.enter();
    run.here = run.at(node);
}

#[inline(always)]
pub(super) fn leave(run: &mut Run<'_, '_>) {
    run.leave();
}

#[inline(always)]
pub(super) fn imagine(run: &mut Run<'_, '_>, spec: Id<ImagineSpec>) -> bool {
    run.imagine(spec)
}

#[inline(never)]
pub(super) fn place(run: &mut Run<'_, '_>, place: Place, piece: Option<Piece>) {
    run.change(Alteration::Place(place, piece));
}

#[inline(never)]
pub(super) fn swap(run: &mut Run<'_, '_>, first: Place, second: Place) {
    run.change(Alteration::Swap([first, second]));
}

#[inline(never)]
pub(super) fn turn(run: &mut Run<'_, '_>, side: Option<Color>) {
    run.change(Alteration::Turn(side));
}

#[inline(never)]
pub(super) fn speculate(run: &mut Run<'_, '_>, spec: Id<MoveSpec>, cursor: Register) {
    run.speculate(spec, cursor);
}

#[inline(never)]
pub(super) fn speculate_next(
    run: &mut Run<'_, '_>,
    at: Pc,
    cursor: Register,
    check: bool,
) -> Result<bool, Stop> {
    run.speculate_next(at, cursor, check)
}

#[inline(never)]
pub(super) fn speculate_hit(run: &mut Run<'_, '_>, spec: Id<MoveSpec>, cursor: Register) {
    run.speculate_hit(spec, cursor);
}

#[inline(never)]
pub(super) fn speculate_end(run: &mut Run<'_, '_>, cursor: Register) {
    run.speculate_end(cursor);
}
