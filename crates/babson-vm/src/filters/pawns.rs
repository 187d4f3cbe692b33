//! The sets of pawns (`docs/src/language/attacks.md#pawns`). They never change under a transform.

use babson_chess::{Color, Direction, Kind, SquareSet};

use super::PieceSets;
use super::between::beyond;

/// Pawns with no enemy pawn ahead of them on their own or an adjacent file.
pub fn passed(board: &impl PieceSets) -> SquareSet {
    passed_among(board.pieces(Color::White, Kind::Pawn), board.pieces(Color::Black, Kind::Pawn))
}

/// [`passed`], given the pawns of White and of Black.
#[inline]
pub(crate) fn passed_among(white: SquareSet, black: SquareSet) -> SquareSet {
    passed_against(Color::White, white, black) | passed_against(Color::Black, black, white)
}

/// The pawns of a color that are passed, given pawns of it and all enemy pawns.
#[inline]
pub(crate) fn passed_against(color: Color, own: SquareSet, enemies: SquareSet) -> SquareSet {
    let mut guarded = (enemies | neighbors(enemies)).0;
    // All ranks behind, in three steps.
    match color {
        Color::White => {
            guarded >>= 8;
            guarded |= guarded >> 8;
            guarded |= guarded >> 16;
            guarded |= guarded >> 32;
        }
        Color::Black => {
            guarded <<= 8;
            guarded |= guarded << 8;
            guarded |= guarded << 16;
            guarded |= guarded << 32;
        }
    }
    own - SquareSet(guarded)
}

/// Pawns with a pawn of their color on an adjacent file, on any rank.
pub fn connected(board: &impl PieceSets) -> SquareSet {
    Color::ALL.into_iter().fold(SquareSet::EMPTY, |sum, color| {
        let pawns = board.pieces(color, Kind::Pawn);
        sum | (pawns & neighbors(files(pawns)))
    })
}

/// Pawns that are not [`connected`].
pub fn isolated(board: &impl PieceSets) -> SquareSet {
    board.kind(Kind::Pawn) - connected(board)
}

/// Pawns with another pawn of their color on their file.
pub fn doubled(board: &impl PieceSets) -> SquareSet {
    Color::ALL.into_iter().fold(SquareSet::EMPTY, |sum, color| {
        let pawns = board.pieces(color, Kind::Pawn);
        let others = beyond(pawns, Direction::North) | beyond(pawns, Direction::South);
        sum | (pawns & others)
    })
}

#[inline]
fn neighbors(set: SquareSet) -> SquareSet {
    set.shift(Direction::East) | set.shift(Direction::West)
}

/// All squares of the files on which the set has a square.
fn files(set: SquareSet) -> SquareSet {
    let mut bits = set.0;
    bits |= bits >> 32;
    bits |= bits >> 16;
    bits |= bits >> 8;
    SquareSet((bits & 0xff) * 0x0101_0101_0101_0101)
}
