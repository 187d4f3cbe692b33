//! Attack sets as functions of square and occupancy.
//!
//! The one module over cozy-chess's tables: other tables could take their place here alone.

use crate::{Color, Kind, Square, SquareSet};

#[inline(always)]
fn cozy(square: Square) -> cozy_chess::Square {
    // The index is below 64, so the fallback is never taken and the search folds to a cast.
    cozy_chess::Square::try_index(square.index()).unwrap_or(cozy_chess::Square::A1)
}

#[inline(always)]
fn cozy_color(color: Color) -> cozy_chess::Color {
    match color {
        Color::White => cozy_chess::Color::White,
        Color::Black => cozy_chess::Color::Black,
    }
}

/// What a rook attacks, up to and including the first occupied square of each line.
#[inline(always)]
pub fn rook(square: Square, occupied: SquareSet) -> SquareSet {
    SquareSet(cozy_chess::get_rook_moves(cozy(square), cozy_chess::BitBoard(occupied.0)).0)
}

/// What a bishop attacks, up to and including the first occupied square of each line.
#[inline(always)]
pub fn bishop(square: Square, occupied: SquareSet) -> SquareSet {
    SquareSet(cozy_chess::get_bishop_moves(cozy(square), cozy_chess::BitBoard(occupied.0)).0)
}

/// What a queen attacks: rook and bishop together.
#[inline(always)]
pub fn queen(square: Square, occupied: SquareSet) -> SquareSet {
    rook(square, occupied) | bishop(square, occupied)
}

/// What a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> SquareSet {
    SquareSet(cozy_chess::get_knight_moves(cozy(square)).0)
}

/// What a king attacks.
#[inline(always)]
pub fn king(square: Square) -> SquareSet {
    SquareSet(cozy_chess::get_king_moves(cozy(square)).0)
}

/// What a pawn of the colour attacks (diagonally).
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> SquareSet {
    SquareSet(cozy_chess::get_pawn_attacks(cozy(square), cozy_color(color)).0)
}

/// What a piece of the kind and colour on the square attacks.
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

/// The squares strictly between two squares of one rank, file or diagonal; else nothing.
#[inline(always)]
pub fn between(a: Square, b: Square) -> SquareSet {
    SquareSet(cozy_chess::get_between_rays(cozy(a), cozy(b)).0)
}

/// The whole rank, file or diagonal through both squares, both included; nothing if there is none
/// or the squares are the same.
#[inline(always)]
pub fn line(a: Square, b: Square) -> SquareSet {
    SquareSet(cozy_chess::get_line_rays(cozy(a), cozy(b)).0)
}

/// What a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> SquareSet {
    SquareSet(cozy_chess::get_rook_rays(cozy(square)).0)
}

/// What a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> SquareSet {
    SquareSet(cozy_chess::get_bishop_rays(cozy(square)).0)
}
