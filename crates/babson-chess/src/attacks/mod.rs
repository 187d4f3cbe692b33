//! Attack sets as functions of square and occupancy.

mod fills;
mod lines;
mod magics;
#[cfg(test)]
mod search;
mod sliders;
#[cfg(test)]
mod tests;

use crate::{Color, Kind, Square, SquareSet};
pub use fills::{bishops, rooks, slide};
use lines::LINES;
use sliders::SLIDERS;

/// For each square, the squares that the steps lead to.
const fn leaps(steps: &[(i8, i8)]) -> [SquareSet; 64] {
    let mut table = [SquareSet::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < steps.len() {
            let file = (index % 8) as i8 + steps[i].0;
            let rank = (index / 8) as i8 + steps[i].1;
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[index].0 |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        index += 1;
    }
    table
}

static KNIGHT: [SquareSet; 64] =
    leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);

static KING: [SquareSet; 64] =
    leaps(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);

static PAWN: [[SquareSet; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];

/// By kind and square: what a piece attacks on an empty board; nothing for pawns, whose attacks
/// depend on the color.
static REACH: [[SquareSet; 64]; 6] = {
    let mut table = [[SquareSet::EMPTY; 64]; 6];
    let mut at = 0;
    while at < 64 {
        let (rook, bishop) = (SLIDERS[at].rook_rays, SLIDERS[at].bishop_rays);
        table[Kind::Knight.index()][at] = KNIGHT[at];
        table[Kind::Bishop.index()][at] = bishop;
        table[Kind::Rook.index()][at] = rook;
        table[Kind::Queen.index()][at] = SquareSet(rook.0 | bishop.0);
        table[Kind::King.index()][at] = KING[at];
        at += 1;
    }
    table
};

/// What a rook attacks, up to and including the first occupied square in each direction.
#[inline(always)]
pub fn rook(square: Square, occupied: SquareSet) -> SquareSet {
    SLIDERS[square.index()].rook.get(occupied)
}

/// What a bishop attacks, up to and including the first occupied square in each direction.
#[inline(always)]
pub fn bishop(square: Square, occupied: SquareSet) -> SquareSet {
    SLIDERS[square.index()].bishop.get(occupied)
}

/// What a queen attacks: the squares that a rook or a bishop attacks.
#[inline(always)]
pub fn queen(square: Square, occupied: SquareSet) -> SquareSet {
    rook(square, occupied) | bishop(square, occupied)
}

/// What a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> SquareSet {
    KNIGHT[square.index()]
}

/// What a king attacks.
#[inline(always)]
pub fn king(square: Square) -> SquareSet {
    KING[square.index()]
}

/// What a pawn of the color attacks (diagonally).
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> SquareSet {
    PAWN[color.index()][square.index()]
}

/// What a piece of the kind, which is not a pawn, attacks from the square on an empty board.
#[inline(always)]
pub(crate) fn on_empty_board(kind: Kind, square: Square) -> SquareSet {
    REACH[kind.index()][square.index()]
}

/// What a piece of the kind and color on the square attacks.
#[inline]
pub fn of(kind: Kind, color: Color, square: Square, occupied: SquareSet) -> SquareSet {
    match kind {
        Kind::Pawn => pawn(color, square),
        Kind::Knight => knight(square),
        Kind::Bishop => bishop(square, occupied),
        Kind::Rook => rook(square, occupied),
        Kind::Queen => queen(square, occupied),
        Kind::King => king(square),
    }
}

/// The squares strictly between two squares of one rank, file or diagonal; empty for other squares.
#[inline(always)]
pub fn between(a: Square, b: Square) -> SquareSet {
    LINES.between[a.index()][b.index()]
}

/// The whole rank, file or diagonal through both squares; empty if there is none or if the squares
/// are the same.
#[inline(always)]
pub fn line(a: Square, b: Square) -> SquareSet {
    LINES.whole[a.index()][b.index()]
}

/// What a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> SquareSet {
    SLIDERS[square.index()].rook_rays
}

/// What a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> SquareSet {
    SLIDERS[square.index()].bishop_rays
}
