//! Generation of legal and pseudolegal moves on any board.
//!
//! The generator produces *groups*: an origin and a set of targets. Lists, counts and tests are
//! built on groups, so that counting needs no list and a test can stop early.

mod bound;
mod chess;
mod group;
mod list;
mod position;
mod special_moves;

use std::ops::ControlFlow;

pub use bound::move_bound;
pub(crate) use chess::chess_groups;
pub use group::{MoveGroup, MoveKind};
pub use list::MoveList;
pub use special_moves::en_passant;
pub(crate) use special_moves::{castling_move, castling_path_ok};

use crate::{Move, Position, Rules, SquareSet, variants};

/// Which moves to generate.
#[derive(Clone, Copy, Debug)]
pub struct MoveSelection {
    /// Only moves that do not leave the single king of the side to move attacked.
    pub legal: bool,
    /// Only moves of pieces on these squares. Drops are generated only if these are all squares.
    pub from: SquareSet,
    /// Only moves to these squares ([`Move::to`]: for castling the target of the king).
    pub to: SquareSet,
}

impl MoveSelection {
    /// All legal moves.
    pub const LEGAL: MoveSelection =
        MoveSelection { legal: true, from: SquareSet::ALL, to: SquareSet::ALL };
    /// All pseudolegal moves: they may leave the king attacked, and they need not capture in a
    /// variant where captures are compulsory. Castling obeys all of its rules.
    pub const PSEUDOLEGAL: MoveSelection =
        MoveSelection { legal: false, from: SquareSet::ALL, to: SquareSet::ALL };
}

/// Calls `f` with each group of selected moves of the side to move until `f` breaks.
///
/// The null move is never generated. There are no moves if the rule of the variant has ended the
/// game.
#[inline]
pub fn groups(
    position: &Position,
    rules: &Rules,
    selection: MoveSelection,
    f: &mut impl FnMut(MoveGroup) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if rules.variant.is_chess() {
        chess_groups(position, rules, selection, f)
    } else {
        variants::groups(position, rules, selection, f)
    }
}

/// Calls `f` with each legal move.
///
/// ```
/// use babson_chess::{movegen, Position, Rules};
/// let mut count = 0;
/// movegen::legal(&Position::start(), &Rules::STANDARD, &mut |_| count += 1);
/// assert_eq!(count, 20);
/// ```
pub fn legal(position: &Position, rules: &Rules, f: &mut impl FnMut(Move)) {
    each(position, rules, MoveSelection::LEGAL, f);
}

/// Calls `f` with each pseudolegal move.
pub fn pseudolegal(position: &Position, rules: &Rules, f: &mut impl FnMut(Move)) {
    each(position, rules, MoveSelection::PSEUDOLEGAL, f);
}

/// Calls `f` with each selected move.
pub fn each(
    position: &Position,
    rules: &Rules,
    selection: MoveSelection,
    f: &mut impl FnMut(Move),
) {
    let _ = groups(position, rules, selection, &mut |group| {
        group.each(f);
        ControlFlow::Continue(())
    });
}
