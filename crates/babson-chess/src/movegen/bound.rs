//! A bound of the number of moves, without generating them.

use crate::attacks::slide;
use crate::{Color, Direction, Kind, SquareSet};

/// The most moves that a knight or a king has, without castling.
pub(super) const MAX_LEAPS: u32 = 8;

/// Castling to both sides, and two pawns that capture en passant.
const MAX_SPECIAL_MOVES: u32 = 4;

/// To three squares a pawn on the seventh rank can move, and to four kinds more than one it can
/// promote: in some variants to a king, too.
const MAX_MORE_PROMOTIONS: u32 = 3 * 4;

/// At least the number of pseudolegal moves, given the pieces of each kind in the order of
/// [`Kind::ALL`], the pieces of the side to move and of the other side, and the side to move. The
/// state of a variant, as a pocket of pieces that may be dropped, allows more.
///
/// It has no branches: the compiler can make a loop of it that works on several boards at once.
///
/// ```
/// use babson_chess::movegen::move_bound;
/// use babson_chess::{Color, Position};
/// let start = Position::start();
/// let [own, theirs] = Color::ALL.map(|color| start.color(color));
/// // The moves of the pawns, and eight for each knight, the king, and what is not looked at.
/// let bound = move_bound(start.kinds(), own, theirs, Color::White);
/// assert_eq!(bound, 16 + 2 * 8 + 8 + 4);
/// ```
#[inline(always)]
pub fn move_bound(kinds: &[SquareSet; 6], own: SquareSet, theirs: SquareSet, side: Color) -> u32 {
    let of = |kind: Kind| own & kinds[kind.index()];
    let empty = !(own | theirs);
    // As White sees them.
    let turned = |set: SquareSet| if side == Color::White { set } else { set.mirror() };
    let (pawns, free, targets) = (turned(of(Kind::Pawn)), turned(empty), turned(theirs));
    let step = pawns.shift(Direction::North) & free;
    // Some variants have pawns on the first rank that may go two squares.
    let double = (step & (SquareSet::rank(1) | SquareSet::rank(2))).shift(Direction::North) & free;
    let east = pawns.shift(Direction::NorthEast) & targets;
    let west = pawns.shift(Direction::NorthWest) & targets;
    let of_pawns = (step.len() + double.len())
        + (east.len() + west.len())
        + MAX_MORE_PROMOTIONS * (pawns & SquareSet::rank(6)).len();
    let of_leapers = MAX_LEAPS * (of(Kind::Knight) | of(Kind::King)).len();
    let (orthogonal, diagonal) =
        (of(Kind::Rook) | of(Kind::Queen), of(Kind::Bishop) | of(Kind::Queen));
    // Of two sliders on one line only the nearer attacks a square in the same direction.
    let slides = |from, direction| (slide(from, direction, empty) - own).len();
    let straight = slides(orthogonal, Direction::North)
        + slides(orthogonal, Direction::South)
        + slides(orthogonal, Direction::East)
        + slides(orthogonal, Direction::West);
    let slanting = slides(diagonal, Direction::NorthEast)
        + slides(diagonal, Direction::SouthWest)
        + slides(diagonal, Direction::NorthWest)
        + slides(diagonal, Direction::SouthEast);
    MAX_SPECIAL_MOVES + of_pawns + of_leapers + (straight + slanting)
}
