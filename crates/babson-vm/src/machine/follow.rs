//! The identities of the pieces after a mutation, and which of them were pawns
//! (`docs/src/language/imaginary.md#new-pieces`).

use babson_chess::retro::{ReverseMove, ReverseSpecial};
use babson_chess::{CastlingSide, PieceIds, Position, Rules, Square, SquareSet};

use super::mutation::Mutation;

/// The highest identity that a piece can be given.
pub(super) const LAST_ID: u8 = PieceIds::NONE - 1;

/// The identities after a mutation. `board` is the board after all mutations that made it, `count`
/// the number of pieces with which the game began.
pub(super) fn follow_ids(ids: &mut PieceIds, mutation: &Mutation, board: &Position, count: u8) {
    let fresh = |ids: &PieceIds| {
        let highest = ids.highest().unwrap_or(0).max(count);
        Some(highest.saturating_add(1).min(LAST_ID))
    };
    match *mutation {
        Mutation::Place { square, new, .. } => {
            let id = if new.is_some() { fresh(ids) } else { None };
            ids.set(square, id);
        }
        Mutation::Swap([(a, _), (b, _)]) => {
            let (on_a, on_b) = (ids.id_at(a), ids.id_at(b));
            ids.set(a, on_b);
            ids.set(b, on_a);
        }
        Mutation::Side(_) => {}
        Mutation::Move(mv) => ids.play(mv, board),
        Mutation::Back(mv) => {
            let moved = ids.id_at(mv.to);
            ids.set(mv.to, None);
            ids.set(mv.from, moved);
            if let Some((from, to)) = rook_back(&mv, board) {
                let rook = ids.id_at(to);
                ids.set(to, None);
                ids.set(from, rook);
            }
            if mv.captured.is_some() {
                let id = fresh(ids);
                ids.set(victim(&mv), id);
            }
        }
    }
}

/// The set after the contents of two squares were exchanged.
pub(super) fn swapped(set: SquareSet, a: Square, b: Square) -> SquareSet {
    let both = SquareSet::of(a) | SquareSet::of(b);
    match set.contains(a) == set.contains(b) {
        true => set,
        false => set ^ both,
    }
}

/// The squares of pieces that were pawns, after a mutation that led to the board.
pub(super) fn follow_promoted(
    mut promoted: SquareSet,
    mutation: &Mutation,
    board: &Position,
) -> SquareSet {
    let mut carry = |from: Square, to: Square| {
        let moved = promoted.contains(from);
        promoted -= SquareSet::of(from);
        promoted -= SquareSet::of(to);
        if moved {
            promoted |= SquareSet::of(to);
        }
    };
    match *mutation {
        Mutation::Place { square, .. } => promoted -= SquareSet::of(square),
        Mutation::Swap([(a, _), (b, _)]) => promoted = swapped(promoted, a, b),
        Mutation::Side(_) => {}
        Mutation::Move(mv) if mv.is_null() => {}
        Mutation::Move(mv) if mv.dropped().is_some() => promoted -= SquareSet::of(mv.to()),
        Mutation::Move(mv) => {
            carry(mv.from(), mv.to());
            if let (Some(from), Some(to)) = (mv.rook_from(), mv.rook_to()) {
                carry(from, to);
            }
            if mv.promotion().is_some() {
                promoted |= SquareSet::of(mv.to());
            }
            if let Some(victim) = mv.en_passant_victim() {
                promoted -= SquareSet::of(victim);
            }
            promoted &= board.occupied();
        }
        Mutation::Back(mv) => {
            carry(mv.to, mv.from);
            if let Some((from, to)) = rook_back(&mv, board) {
                carry(to, from);
            }
            if matches!(mv.special, ReverseSpecial::Promotion(_)) {
                promoted -= SquareSet::of(mv.from);
            }
        }
    }
    promoted
}

/// The rook of a castling move that was taken back: its square after that and before.
fn rook_back(mv: &ReverseMove, board: &Position) -> Option<(Square, Square)> {
    let ReverseSpecial::Castling(side) = mv.special else {
        return None;
    };
    let file = match side {
        CastlingSide::King => 5,
        CastlingSide::Queen => 3,
    };
    let color = board.side();
    let stood = Square::at(file, color.back_rank());
    Some((Rules::STANDARD.rook(color, side), stood))
}

/// The square to which the captured piece returns when the move is taken back.
pub(super) fn victim(mv: &ReverseMove) -> Square {
    match mv.special {
        ReverseSpecial::EnPassant => Square::at(mv.to.file(), mv.from.rank()),
        ReverseSpecial::None | ReverseSpecial::Promotion(_) | ReverseSpecial::Castling(_) => mv.to,
    }
}
