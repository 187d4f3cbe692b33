//! Tests of what pieces attack.

use babson_chess::attacks;
use babson_chess::{Color, Kind, Position, Square, SquareSet};

use super::BoardSet;
use super::scan::{Column, ROW, Scan, wide};
use crate::filters::attacks::leaper_map;
use crate::limits::MAX_PREFILTER_TARGETS;

/// What the scan finds with [`attacks`].
#[inline(always)]
pub(super) fn scan_attacks<S: Scan>(
    scan: S,
    from: &BoardSet,
    to: &BoardSet,
    least: u32,
) -> S::Found {
    let Some((color, masks)) = from.masks_of_color() else {
        return scan.count(
            #[inline(always)]
            |board| {
                let targets = to.of(board);
                match targets.single() {
                    Some(square) => attack_one(board, from.of(board), square, least),
                    None => !targets.is_empty() && attack_several(board, from, targets, least),
                }
            },
        );
    };
    scan.count(
        #[inline(always)]
        |board| {
            let targets = to.of(board);
            match targets.single() {
                Some(square) => {
                    let candidates = unblocked_attackers_of(board, color, &masks, square);
                    at_least(candidates, least)
                        && at_least(attackers_among(board, candidates, square), least)
                }
                None => !targets.is_empty() && attack_several(board, from, targets, least),
            }
        },
    )
}

/// What the scan finds with [`attacked`].
#[inline(always)]
pub(super) fn scan_attacked<S: Scan>(
    scan: S,
    targets: &BoardSet,
    by: &BoardSet,
    least: u32,
) -> S::Found {
    scan.count(
        #[inline(always)]
        |board| (targets.of(board) & reach(board, by.of(board))).len() >= least,
    )
}

/// On which of the boards the pieces attack at least `least` of the targets, as bits.
#[inline(never)]
pub(super) fn row_attacked(
    boards: &[Position],
    targets: &BoardSet,
    by: &BoardSet,
    least: u32,
) -> u64 {
    let (mut from, mut to): (Column, Column) = ([0; ROW], [0; ROW]);
    by.fill(boards, &mut from);
    targets.fill(boards, &mut to);
    wide(
        boards,
        #[inline(always)]
        |index, board| {
            let from = SquareSet(from[index]);
            let (orthogonal, diagonal) = sliders(board, from);
            let empty = !board.occupied();
            let found = leaper_map(board, from)
                | attacks::rooks(orthogonal, empty)
                | attacks::bishops(diagonal, empty);
            (found & SquareSet(to[index])).len() >= least
        },
    )
}

/// Returns false if the pieces attack fewer than `least` of the targets.
#[inline(never)]
pub(super) fn attacked(board: &Position, targets: &BoardSet, by: &BoardSet, least: u32) -> bool {
    let (targets, by) = (targets.of(board), by.of(board));
    at_least(targets & reach(board, by), least)
}

/// Returns false if fewer than `least` squares of `from` hold a piece that attacks a square of
/// `to`. If there are many targets, it only counts the squares of `from`.
#[inline(never)]
pub(super) fn attacks(board: &Position, from: &BoardSet, to: &BoardSet, least: u32) -> bool {
    let targets = to.of(board);
    match targets.single() {
        Some(square) => attack_one(board, from.of(board), square, least),
        None => attack_several(board, from, targets, least),
    }
}

/// [`attacks()`] for one target.
#[inline(always)]
fn attack_one(board: &Position, from: SquareSet, target: Square, least: u32) -> bool {
    // Usually too few pieces could attack it even if nothing stood between.
    let candidates = from & unblocked_attackers(board, target);
    at_least(candidates, least) && at_least(attackers_among(board, candidates, target), least)
}

/// [`attacks()`] for no target or several.
#[inline(never)]
fn attack_several(board: &Position, from: &BoardSet, targets: SquareSet, least: u32) -> bool {
    if targets.is_empty() {
        return false;
    }
    let from = from.of(board);
    if from.is_empty() {
        return least == 0;
    }
    if counts(targets, MAX_PREFILTER_TARGETS + 1) {
        return at_least(from, least);
    }
    let attackers = |square| {
        let candidates = from & unblocked_attackers(board, square);
        attackers_among(board, candidates, square)
    };
    let found =
        targets.into_iter().fold(SquareSet::EMPTY, |found, square| found | attackers(square));
    at_least(found, least)
}

/// The pieces that attack the square, or would attack it if nothing stood between.
#[inline(always)]
fn unblocked_attackers(board: &Position, square: Square) -> SquareSet {
    let pawns = attacks::pawn(Color::Black, square) & board.color(Color::White)
        | attacks::pawn(Color::White, square) & board.color(Color::Black);
    let queens = board.kind(Kind::Queen);
    pawns & board.kind(Kind::Pawn)
        | attacks::knight(square) & board.kind(Kind::Knight)
        | attacks::king(square) & board.kind(Kind::King)
        | attacks::rook_rays(square) & (board.kind(Kind::Rook) | queens)
        | attacks::bishop_rays(square) & (board.kind(Kind::Bishop) | queens)
}

/// [`unblocked_attackers`] of one color, of each kind only those on the squares of its mask.
#[inline(always)]
fn unblocked_attackers_of(
    board: &Position,
    color: Color,
    masks: &[u64; 6],
    square: Square,
) -> SquareSet {
    let of = |kind: Kind| board.kind(kind) & SquareSet(masks[kind.index()]);
    let queens = of(Kind::Queen);
    let found = attacks::pawn(color.not(), square) & of(Kind::Pawn)
        | attacks::knight(square) & of(Kind::Knight)
        | attacks::king(square) & of(Kind::King)
        | attacks::rook_rays(square) & (of(Kind::Rook) | queens)
        | attacks::bishop_rays(square) & (of(Kind::Bishop) | queens);
    found & board.color(color)
}

/// Returns the candidates that attack the square. All candidates must be
/// [unblocked attackers](unblocked_attackers) of the square.
#[inline]
fn attackers_among(board: &Position, candidates: SquareSet, square: Square) -> SquareSet {
    let queens = board.kind(Kind::Queen);
    let sliders = candidates & (board.kind(Kind::Rook) | board.kind(Kind::Bishop) | queens);
    if sliders.is_empty() {
        return candidates;
    }
    let occupied = board.occupied();
    let is_free = |slider| (attacks::between(slider, square) & occupied).is_empty();
    let blocked = sliders.into_iter().filter(|&slider| !is_free(slider));
    candidates & !blocked.fold(SquareSet::EMPTY, |sum, slider| sum | SquareSet::of(slider))
}

/// All squares that the pieces attack.
#[inline]
fn reach(board: &Position, from: SquareSet) -> SquareSet {
    let occupied = board.occupied();
    let (orthogonal, diagonal) = sliders(board, from);
    let mut sum = leaper_map(board, from);
    for square in orthogonal {
        sum |= attacks::rook(square, occupied);
    }
    for square in diagonal {
        sum |= attacks::bishop(square, occupied);
    }
    sum
}

/// The pieces that move along ranks and files, and those that move along diagonals.
#[inline(always)]
fn sliders(board: &Position, from: SquareSet) -> (SquareSet, SquareSet) {
    let queens = board.kind(Kind::Queen);
    (from & (board.kind(Kind::Rook) | queens), from & (board.kind(Kind::Bishop) | queens))
}

#[inline]
fn at_least(set: SquareSet, least: u32) -> bool {
    match least {
        0 => true,
        1 => !set.is_empty(),
        2 => set.is_many(),
        _ => counts(set, least),
    }
}

/// Out of line: the constants of counting would be loaded before the usual tests.
#[inline(never)]
fn counts(set: SquareSet, least: u32) -> bool {
    set.len() >= least
}
