//! Instructions of loops over squares, positions and images.

use babson_chess::Square;

use super::answer::GoesTo;
use crate::machine::{Run, Stop, push};
use crate::op::{FindSpec, Id, ImagesSpec, Pc, Register};
use crate::prefilter::Prefilter;

#[inline(always)]
pub(super) fn next_square(
    run: &mut Run<'_, '_>,
    at: Pc,
    set: Register,
    current: Register,
    var: Register,
) -> Result<bool, Stop> {
    let left = run.state.registers[set];
    if left == 0 {
        return Ok(false);
    }
    run.step(at)?;
    let square = left & left.wrapping_neg();
    run.state.registers.set([(set, left ^ square), (current, square), (var, square)]);
    run.state.bound[var.index()] = true;
    Ok(true)
}

#[inline(always)]
pub(super) fn next_piece(
    run: &mut Run<'_, '_>,
    at: Pc,
    set: Register,
    current: Register,
    var: Register,
) -> Result<bool, Stop> {
    let left = run.state.registers[set] & run.here.board.occupied().0;
    if left == 0 {
        return Ok(false);
    }
    run.step(at)?;
    let square = Square::from_index(left.trailing_zeros() as usize);
    let id = run.piece_ids().id_at(square).unwrap_or(u8::MAX);
    run.state.registers.set([
        (set, left & (left - 1)),
        (current, left & left.wrapping_neg()),
        (current + 1, run.here.stamp),
        (var, u64::from(id)),
    ]);
    run.state.bound[var.index()] = true;
    Ok(true)
}

#[inline(always)]
pub(super) fn find_start(run: &mut Run<'_, '_>, state: Register, backward: bool) {
    run.find_start(state, backward);
}

#[inline(always)]
pub(super) fn find_next(
    run: &mut Run<'_, '_>,
    at: Pc,
    state: Register,
    backward: bool,
    prefilter: Option<Id<Prefilter>>,
) -> Result<bool, Stop> {
    run.find_next(at, state, backward, prefilter)
}

#[inline(always)]
pub(super) fn find_found(run: &mut Run<'_, '_>, quiet: bool) -> u64 {
    let node = run.here.node;
    if run.comments_itself(quiet) {
        let text = run.state.intern(b"Found");
        run.comment_at(node, text);
    }
    run.leave();
    u64::from(node)
}

#[inline(always)]
pub(super) fn find_hit(run: &mut Run<'_, '_>, state: Register, quiet: bool) {
    run.state.registers[state + 2] += 1;
    if run.comments_itself(quiet) {
        let place = run.state.log.len();
        if !push(&mut run.state.hits, place) {
            run.state.overflow();
        }
        run.comment_at(run.here.node, 0);
    }
}

/// Whether the search goes on: it does if its comments stay even if it fails.
#[inline(always)]
pub(super) fn find_limit(run: &mut Run<'_, '_>, state: Register, most: i32) -> bool {
    let count = i32::try_from(run.state.registers[state + 2]).unwrap_or(i32::MAX);
    count <= most || run.context.options.always_comment
}

#[inline(always)]
pub(super) fn find_end(run: &mut Run<'_, '_>, state: Register, unnumbered: bool) {
    let from = run.state.registers[state + 3] as usize;
    if unnumbered {
        run.state.hits.truncate(from);
    } else {
        run.number_hits(from);
    }
}

#[inline(never)]
pub(super) fn find_once(
    run: &mut Run<'_, '_>,
    at: Pc,
    spec: Id<FindSpec>,
) -> Result<Option<u64>, Stop> {
    run.find_once(at, spec)
}

#[inline(never)]
pub(super) fn count_nodes(run: &mut Run<'_, '_>, backward: bool) -> u64 {
    u64::from(run.nodes_to_find(backward))
}

#[inline(never)]
pub(super) fn echo_start(run: &mut Run<'_, '_>, state: Register, source: Register) {
    run.echo_start(state, source);
}

#[inline(never)]
pub(super) fn echo_next(
    run: &mut Run<'_, '_>,
    at: Pc,
    state: Register,
    target: Register,
    in_all: bool,
) -> Result<bool, Stop> {
    run.step(at)?;
    Ok(run.echo_next(state, target, in_all))
}

#[inline(never)]
#[allow(clippy::too_many_arguments)] // The operands of the instruction.
pub(super) fn echo_hit(
    run: &mut Run<'_, '_>,
    at: Pc,
    state: Register,
    value: Option<u64>,
    source: Register,
    target: Register,
    quiet: bool,
    best_only: bool,
) -> Result<(), Stop> {
    run.echo_hit(state, value, (source, target), quiet, best_only);
    run.check_memory(at)
}

#[inline(never)]
pub(super) fn echo_stop(run: &mut Run<'_, '_>, state: Register) {
    run.state.registers[state] = run.nodes.len() as u64;
}

#[inline(never)]
pub(super) fn images_start(
    run: &mut Run<'_, '_>,
    at: Pc,
    spec: Id<ImagesSpec>,
    cursor: Register,
) -> Result<bool, Stop> {
    run.state.registers[cursor] = 0;
    run.images_start(at, spec)
}

#[inline(never)]
pub(super) fn next_image(run: &mut Run<'_, '_>, spec: Id<ImagesSpec>, cursor: Register) -> GoesTo {
    let image = run.next_image(spec, run.state.registers[cursor]);
    GoesTo(image.and_then(|image| {
        run.state.registers[cursor] = image + 1;
        let code = &run.program.code;
        let entry = code.images[spec].entries.get(image as usize)?;
        Some(code.entries[*entry].pc)
    }))
}
