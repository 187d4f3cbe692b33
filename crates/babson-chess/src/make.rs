//! Making a move.

use crate::position::state;
use crate::{
    CastlingRights, CastlingSide, Color, Kind, Move, Piece, Position, Rules, Square, SquareSet,
    variants,
};

/// By kind: for each kind all squares if it is this one, else none. So the boards of all kinds are
/// changed in one way, and the next move need not wait for a store to one of them.
pub(crate) static ONLY: [[SquareSet; 6]; 6] = {
    let mut table = [[SquareSet::EMPTY; 6]; 6];
    let mut kind = 0;
    while kind < 6 {
        table[kind][kind] = SquareSet::ALL;
        kind += 1;
    }
    table
};

impl Position {
    /// The position after the move. The move must be a generated move of this position, a move that
    /// was read from SAN for this position, or the null move. After any other move the position is
    /// unspecified, and the function does not panic.
    pub fn make(&self, mv: Move, rules: &Rules) -> Position {
        if rules.variant.is_chess() {
            self.make_as_chess(mv, rules)
        } else {
            variants::make(self, mv, rules)
        }
    }

    /// The position after the move by the rules of chess. A drop only passes the turn.
    #[inline]
    pub(crate) fn make_as_chess(&self, mv: Move, rules: &Rules) -> Position {
        let mut next = *self;
        let us = self.side();
        let mut rights = self.castling();
        let mut ep = None;
        let mut resets = false;
        if !mv.is_null() && mv.dropped().is_none() {
            let from = mv.from();
            let to = mv.raw_to();
            rights = rights.without(self.lost_rights(from, rules));
            rights = rights.without(self.lost_rights(to, rules));
            if let (Some(king_to), Some(rook_to)) = (mv.king_to(), mv.rook_to()) {
                next.put(from, None);
                next.put(to, None);
                next.put(king_to, Some(Piece::new(us, Kind::King)));
                next.put(rook_to, Some(Piece::new(us, Kind::Rook)));
            } else if let Some(moving) = self.piece_at(from) {
                resets = moving.kind == Kind::Pawn || self.occupied().contains(to);
                let kind = mv.promotion().unwrap_or(moving.kind);
                next.put(from, None);
                next.put(to, Some(Piece::new(moving.color, kind)));
                if let Some(victim) = mv.en_passant_victim() {
                    next.put(victim, None);
                }
                let second = us.relative_rank(1);
                if moving.kind == Kind::Pawn
                    && from.rank() == second
                    && to == Square::at(from.file(), us.relative_rank(3))
                {
                    ep = Some(Square::at(from.file(), us.relative_rank(2)));
                }
            }
        }
        next.set_ep(ep);
        next.set_half_moves(if resets { 0 } else { self.half_moves() + 1 });
        next.set_full_moves(self.full_moves() + us.index() as u32);
        next.state = next.state & !(state::CASTLING | state::SIDE)
            | u64::from(rights.0) << state::CASTLING_SHIFT
            | us.not().index() as u64;
        next.refresh();
        next
    }

    /// Sets `next` to this position after a piece of the side `SIDE` has moved or captured. State
    /// and check are left to the caller. `arrives` is the row of [`ONLY`] of the kind that is
    /// then on the target.
    #[inline(always)]
    pub(crate) fn move_piece<const SIDE: u8>(
        &self,
        from: SquareSet,
        to: SquareSet,
        arrives: &[SquareSet; 6],
        next: &mut Position,
    ) {
        let keep = !(from | to);
        let kind = |at: usize| self.kinds[at] & keep | arrives[at] & to;
        next.kinds = [kind(0), kind(1), kind(2), kind(3), kind(4), kind(5)];
        next.colors[SIDE as usize] = self.colors[SIDE as usize] ^ (from | to);
        next.colors[1 - SIDE as usize] = self.colors[1 - SIDE as usize] & !to;
        next.extra = 0;
    }

    /// Whether the color may castle in an ordinary position as far as its right and the squares
    /// between king and rook tell. Attacks are not tested.
    #[inline(always)]
    pub(crate) fn may_castle(&self, us: Color, side: CastlingSide) -> bool {
        let empty = match side {
            CastlingSide::King => 0x60,
            CastlingSide::Queen => 0x0e,
        };
        // In an ordinary position king and rook are in place if the right is recorded.
        self.castling().has(us, side) && self.occupied().0 >> (8 * us.back_rank()) & empty == 0
    }

    /// Sets `next` to this ordinary position after the side `SIDE`, which [may
    /// castle](Position::may_castle), has castled, and returns the move. Check is left to the
    /// caller.
    #[inline(always)]
    pub(crate) fn castle<const SIDE: u8>(&self, side: CastlingSide, next: &mut Position) -> Move {
        let rank = 56 * SIDE;
        let (rook, kings, rooks) = match side {
            CastlingSide::King => (7, 0x50_u64, 0xa0_u64),
            CastlingSide::Queen => (0, 0x14, 0x09),
        };
        let (kings, rooks) = (SquareSet(kings << rank), SquareSet(rooks << rank));
        let [from, rook] = [4, rook].map(|file| Square::from_index(usize::from(rank + file)));
        *next = *self;
        next.kinds[Kind::King.index()] ^= kings;
        next.kinds[Kind::Rook.index()] ^= rooks;
        next.colors[SIDE as usize] ^= kings ^ rooks;
        next.state = state::advance::<SIDE>(self.state & state::kept(from));
        Move::castling(from, rook)
    }

    /// The castling rights that are lost when a piece leaves or enters the square.
    pub(crate) fn lost_rights(&self, square: Square, rules: &Rules) -> CastlingRights {
        let mut lost = CastlingRights::NONE;
        for color in Color::ALL {
            let king_moves = self.pieces(color, Kind::King).contains(square);
            for side in CastlingSide::ALL {
                if king_moves || rules.rook(color, side) == square {
                    lost = lost.with(CastlingRights::of(color, side));
                }
            }
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The null move leads from a1 to a1, but the rook there keeps its right to castle.
    #[test]
    fn a_null_move_only_passes_the_turn() {
        let start = Position::start();
        let next = start.make(Move::NULL, &Rules::STANDARD);
        assert_eq!((next.side(), next.half_moves(), next.full_moves()), (Color::Black, 1, 1));
        let again = next.make(Move::NULL, &Rules::STANDARD);
        assert_eq!((again.side(), again.half_moves(), again.full_moves()), (Color::White, 2, 2));
        for position in [next, again] {
            assert_eq!(position.castling(), start.castling());
            assert_eq!((position.kinds, position.colors), (start.kinds, start.colors));
        }
    }
}
