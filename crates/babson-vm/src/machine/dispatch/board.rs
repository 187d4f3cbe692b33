//! Instructions that look at the board, the node and the game.

use babson_chess::SquareSet;
use babson_lang::hir::{
    BinaryFilter, Condition, Content, Designator, Directions, PinValue, Property, UnaryFilter,
};

use super::registers::number;
use crate::analysis::Pattern;
use crate::filters;
use crate::filters::contents::{content_squares, piece_squares};
use crate::machine::{Run, Stop};
use crate::op::{ContentBit, Id, Pc, Register, SquareMask};

#[inline(always)]
pub(super) fn check(run: &mut Run<'_, '_>) -> bool {
    run.here.board.in_check()
}

#[inline(always)]
pub(super) fn mate(run: &mut Run<'_, '_>) -> bool {
    run.here.board.is_mate(run.game.rules())
}

#[inline(always)]
pub(super) fn initial(run: &mut Run<'_, '_>) -> bool {
    run.here.node == 0
}

#[inline(never)]
pub(super) fn condition(run: &mut Run<'_, '_>, at: Pc, which: Condition) -> Result<bool, Stop> {
    run.condition(at, which)
}

#[inline(always)]
pub(super) fn designator_is_there(
    run: &mut Run<'_, '_>,
    squares: SquareMask,
    content: Content,
) -> bool {
    content_squares(&run.here.board, content.0) & squares.0 != 0
}

#[inline(always)]
pub(super) fn piece_is_there(
    run: &mut Run<'_, '_>,
    squares: SquareMask,
    piece: ContentBit,
) -> bool {
    piece_squares(&run.here.board, piece.0) & squares.0 != 0
}

#[inline(always)]
pub(super) fn attack(run: &mut Run<'_, '_>, a: u64, b: u64) -> bool {
    attacking(run, a, b) != 0
}

#[inline(never)]
pub(super) fn attacking(run: &mut Run<'_, '_>, a: u64, b: u64) -> u64 {
    filters::attacks::attacks(&*run.here.board, SquareSet(a), SquareSet(b)).0
}

#[inline(never)]
pub(super) fn attacked_by(run: &mut Run<'_, '_>, a: u64, b: u64) -> u64 {
    filters::attacks::attacked_by(&*run.here.board, SquareSet(a), SquareSet(b)).0
}

#[inline(always)]
pub(super) fn designator_attacks(
    run: &mut Run<'_, '_>,
    a: Id<Designator>,
    b: Id<Designator>,
) -> bool {
    let designators = &run.program.code.designators;
    let [a, b] = [a, b].map(|id| {
        let designator = designators[id];
        content_squares(&run.here.board, designator.content.0) & designator.squares
    });
    a != 0 && b != 0 && attack(run, a, b)
}

#[inline(always)]
pub(super) fn pattern(run: &mut Run<'_, '_>, pattern: Id<Pattern>) -> bool {
    let board = &*run.here.board;
    run.program.code.patterns[pattern].holds(|content| content_squares(board, content.0))
}

pub(super) fn fen(run: &mut Run<'_, '_>, first: Id<Designator>, len: u16) -> bool {
    let program = run.program;
    let parts = program.code.designators.run(first, usize::from(len));
    filters::fen::matches(run.contents(), parts)
}

pub(super) fn similar(run: &mut Run<'_, '_>, at: Pc) -> Result<bool, Stop> {
    run.similar_position(at)
}

/// Out of line, since few queries have a likeness and its code is long.
#[inline(never)]
pub(super) fn likeness(run: &mut Run<'_, '_>) -> u64 {
    let like = run.program.code.like.as_ref();
    like.map_or(0, |like| u64::from(like.likeness.of(&run.here.board)))
}

#[inline(always)]
pub(super) fn has_nag(run: &mut Run<'_, '_>, nag: u8) -> bool {
    let node = run.here.node;
    node != 0 && run.game.nags(node).any(|other| other == nag)
}

#[inline(always)]
pub(super) fn piece(run: &mut Run<'_, '_>, squares: SquareMask, piece: ContentBit) -> u64 {
    piece_squares(&run.here.board, piece.0) & squares.0
}

#[inline(always)]
pub(super) fn designator(run: &mut Run<'_, '_>, squares: SquareMask, content: Content) -> u64 {
    content_squares(&run.here.board, content.0) & squares.0
}

#[inline(always)]
pub(super) fn count_designator(
    run: &mut Run<'_, '_>,
    squares: SquareMask,
    content: Content,
) -> u64 {
    u64::from(designator(run, squares, content).count_ones())
}

#[inline(always)]
pub(super) fn count(_: &mut Run<'_, '_>, set: u64) -> u64 {
    u64::from(set.count_ones())
}

#[inline(always)]
pub(super) fn power(run: &mut Run<'_, '_>, set: u64) -> u64 {
    let board = &*run.here.board;
    u64::from(filters::pieces::power(|kind| board.kind(kind), SquareSet(set)) as u32)
}

#[inline(never)]
pub(super) fn property(
    run: &mut Run<'_, '_>,
    at: Pc,
    which: Property,
) -> Result<Option<u64>, Stop> {
    run.property(at, which)
}

#[inline(never)]
pub(super) fn unary(
    run: &mut Run<'_, '_>,
    at: Pc,
    a: u64,
    op: UnaryFilter,
) -> Result<Option<u64>, Stop> {
    run.unary(at, op, a)
}

#[inline(never)]
pub(super) fn binary(
    run: &mut Run<'_, '_>,
    at: Pc,
    a: u64,
    b: u64,
    op: BinaryFilter,
) -> Result<Option<u64>, Stop> {
    let value = run.binary(op, a, b);
    if op == BinaryFilter::Concat {
        run.check_memory(at)?;
    }
    Ok(value)
}

#[inline(never)]
pub(super) fn direction(
    run: &mut Run<'_, '_>,
    at: Pc,
    set: u64,
    min: u64,
    max: u64,
    directions: Directions,
) -> Result<u64, Stop> {
    let (min, max) = (number(min), number(max));
    match filters::direction::direction(SquareSet(set), directions, min, max) {
        Ok(squares) => Ok(squares.0),
        Err(error) => run.stop(at, "direction", error.to_string(), false),
    }
}

#[inline(always)]
pub(super) fn ray(
    run: &mut Run<'_, '_>,
    sets: Register,
    len: u16,
    directions: Directions,
    attack: bool,
    first: bool,
) -> u64 {
    run.ray(sets, len, directions, attack, first)
}

#[inline(always)]
pub(super) fn pin(run: &mut Run<'_, '_>, sets: Register, value: PinValue) -> u64 {
    let [from, through, to] = [0, 1, 2].map(|index| SquareSet(run.state.registers[sets + index]));
    filters::pin::pin(&*run.here.board, from, through, to, value).0
}
