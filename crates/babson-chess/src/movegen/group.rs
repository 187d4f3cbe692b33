//! A group of moves: the moves of one piece of one kind.

use crate::{Kind, Move, Square, SquareSet};

/// The moves of one piece to a set of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveGroup {
    /// The kind of the piece that moves.
    pub kind: Kind,
    /// The origin; meaningless for drops.
    pub from: Square,
    /// The targets, as [`Move::raw_to`] returns them: for castling the squares of the rooks.
    pub to: SquareSet,
    /// The kind of all of these moves.
    pub move_kind: MoveKind,
}

/// A kind of move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// A plain move or capture; a pawn that moves to its last rank promotes.
    Normal,
    /// En passant capture.
    EnPassant,
    /// Castling.
    Castling,
    /// A plain move or capture where a pawn may also promote to a king (Antichess, Suicide).
    KingPromotion,
    /// A piece from the pocket is put on the board (Crazyhouse).
    Drop,
}

impl MoveGroup {
    /// The number of moves; each choice of a promotion piece is a move.
    #[inline]
    pub fn count(&self) -> u32 {
        let promotions =
            if self.kind == Kind::Pawn { (self.to & SquareSet::BACK_RANKS).len() } else { 0 };
        let choices = if self.move_kind == MoveKind::KingPromotion { 4 } else { 3 };
        self.to.len() + choices * promotions
    }

    /// The move to one of the targets; a promotion is to a queen.
    #[inline]
    pub fn mv(&self, to: Square) -> Move {
        match self.move_kind {
            MoveKind::EnPassant => Move::en_passant(self.from, to),
            MoveKind::Castling => Move::castling(self.from, to),
            MoveKind::Drop => Move::drop(self.kind, to),
            MoveKind::Normal | MoveKind::KingPromotion => {
                if self.kind == Kind::Pawn && SquareSet::BACK_RANKS.contains(to) {
                    Move::promoting(self.from, to, Kind::Queen)
                } else {
                    Move::normal(self.from, to)
                }
            }
        }
    }

    /// Calls `f` with each move; of promotions the one to a queen comes first.
    #[inline]
    pub fn each(&self, f: &mut impl FnMut(Move)) {
        for to in self.to {
            let mv = self.mv(to);
            f(mv);
            if mv.promotion().is_some() {
                for kind in &Kind::PROMOTIONS[1..] {
                    f(mv.with_promotion(*kind));
                }
                if self.move_kind == MoveKind::KingPromotion {
                    f(mv.with_promotion(Kind::King));
                }
            }
        }
    }
}
