//! A group: the moves of one piece.

use crate::{Kind, Move, Square, SquareSet};

/// Moves of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What moves.
    pub kind: Kind,
    /// The origin; meaningless in drops.
    pub from: Square,
    /// The targets, in castling those of [`Move::raw_to`].
    pub to: SquareSet,
    /// What is special about all of these moves.
    pub special: Special,
}

/// What is special about a group of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// Nothing, but a pawn's moves to its last rank promote.
    None,
    /// En passant capture.
    EnPassant,
    /// Castling.
    Castling,
    /// Nothing, but a pawn may become a king as well (Antichess, Suicide).
    Common,
    /// The man comes from the pocket (Crazyhouse).
    Drop,
}

impl Group {
    /// The number of moves; each promotion piece counts.
    #[inline]
    pub fn count(&self) -> u32 {
        let promotions = match self.kind {
            Kind::Pawn => (self.to & SquareSet::BACK_RANKS).len(),
            _ => 0,
        };
        let choices = if self.special == Special::Common { 4 } else { 3 };
        self.to.len() + choices * promotions
    }

    /// The move to one of the targets; of promotions the queen's.
    #[inline]
    pub fn mv(&self, to: Square) -> Move {
        match self.special {
            Special::EnPassant => Move::en_passant(self.from, to),
            Special::Castling => Move::castling(self.from, to),
            Special::Drop => Move::drop(self.kind, to),
            Special::None | Special::Common => {
                if self.kind == Kind::Pawn && SquareSet::BACK_RANKS.contains(to) {
                    Move::promoting(self.from, to, Kind::Queen)
                } else {
                    Move::normal(self.from, to)
                }
            }
        }
    }

    /// Hands out the moves, promotions queen first.
    #[inline]
    pub fn each(&self, f: &mut impl FnMut(Move)) {
        for to in self.to {
            let mv = self.mv(to);
            f(mv);
            if mv.promotion().is_some() {
                for kind in &Kind::PROMOTIONS[1..] {
                    f(mv.with_promotion(*kind));
                }
                if self.special == Special::Common {
                    f(mv.with_promotion(Kind::King));
                }
            }
        }
    }
}
