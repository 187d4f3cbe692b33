//! Legal and pseudolegal moves on any board.
//!
//! Generation hands out *groups*: an origin and a set of targets. Lists, counts and tests are
//! made of these, so counting needs no list and a test can stop early.

mod chess;
mod group;
mod list;
mod questions;
mod special;

use std::ops::ControlFlow;

pub(crate) use chess::chess_groups;
pub use group::{Group, Special};
pub use list::MoveList;
pub use special::{castling_move, castling_path_ok, en_passant};

use crate::{Move, Position, Rules, SquareSet, variants};

/// Which moves to generate.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Only moves that do not leave the side's single king attacked.
    pub legal: bool,
    /// Only moves of pieces on these squares; drops only if these are all squares.
    pub from: SquareSet,
    /// Only moves to these squares ([`Move::to`]; in castling the king's target).
    pub to: SquareSet,
}

impl Wanted {
    /// All legal moves.
    pub const LEGAL: Wanted = Wanted { legal: true, from: SquareSet::ALL, to: SquareSet::ALL };
    /// All pseudolegal moves: the same without the king test for moves and en passant captures,
    /// and without the duty to capture.
    pub const PSEUDOLEGAL: Wanted =
        Wanted { legal: false, from: SquareSet::ALL, to: SquareSet::ALL };
}

/// Hands out the groups of wanted moves of the side to move until `f` breaks.
///
/// The null move is never generated. When the variant's rule has ended the game there are none.
#[inline]
pub fn groups(
    position: &Position,
    rules: &Rules,
    wanted: Wanted,
    f: &mut impl FnMut(Group) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if rules.variant.is_chess() {
        chess_groups(position, rules, wanted, f)
    } else {
        variants::groups(position, rules, wanted, f)
    }
}

/// Hands out every legal move.
///
/// ```
/// use babson_chess::{movegen, Position, Rules};
/// let mut count = 0;
/// movegen::legal(&Position::start(), &Rules::STANDARD, &mut |_| count += 1);
/// assert_eq!(count, 20);
/// ```
pub fn legal(position: &Position, rules: &Rules, f: &mut impl FnMut(Move)) {
    each(position, rules, Wanted::LEGAL, f);
}

/// Hands out every pseudolegal move.
pub fn pseudolegal(position: &Position, rules: &Rules, f: &mut impl FnMut(Move)) {
    each(position, rules, Wanted::PSEUDOLEGAL, f);
}

/// Hands out the wanted moves.
pub fn each(position: &Position, rules: &Rules, wanted: Wanted, f: &mut impl FnMut(Move)) {
    let _ = groups(position, rules, wanted, &mut |group| {
        group.each(f);
        ControlFlow::Continue(())
    });
}
