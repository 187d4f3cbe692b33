//! A retraction, and the position before it (`docs/src/retro.md#retractions`).

use std::fmt;

use crate::{CastlingRights, CastlingSide, Color, Kind, Piece, Position, Rules, Square};

/// A kind of retraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReverseSpecial {
    /// A plain move or capture is taken back.
    None,
    /// An en passant capture is taken back.
    EnPassant,
    /// A promotion to this kind is taken back.
    Promotion(Kind),
    /// Castling to this side is taken back.
    Castling(CastlingSide),
}

/// A retraction: a move of the side that is not to move is taken back. Origin and target are those
/// of the forward move.
///
/// Displays the notation of CQLi without move number and `+`: `~Pc2x(N)d3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReverseMove {
    /// The origin, to which the piece goes back.
    pub from: Square,
    /// The target, on which the piece is now; for castling the square of the king.
    pub to: Square,
    /// The kind of the piece at its origin: a pawn, if the move promoted.
    pub kind: Kind,
    /// The kind of the captured piece.
    pub captured: Option<Kind>,
    /// The kind of retraction.
    pub special: ReverseSpecial,
}

impl ReverseMove {
    /// The position before the move. The side to move is the side that made the move. The half-move
    /// clock is 0. There is an en passant square only before an en passant capture. The castling
    /// rights are the same as in `position`; if castling is taken back, its right is added.
    pub fn predecessor(&self, position: &Position) -> Position {
        self.undo(&turned(position))
    }

    /// [`ReverseMove::predecessor`] of a position that [`turned`] has changed.
    pub(super) fn undo(&self, turned: &Position) -> Position {
        let mut before = self.undo_pieces(turned);
        before.refresh();
        before
    }

    /// [`ReverseMove::undo`] for a move whose position before is legal.
    pub(super) fn undo_legal(&self, turned: &Position) -> Position {
        let mut before = self.undo_pieces(turned);
        before.refresh_legal(!before.checkers().is_empty());
        before
    }

    /// [`ReverseMove::undo`] without the update of the flags.
    pub(super) fn undo_pieces(&self, turned: &Position) -> Position {
        let mut before = *turned;
        let us = turned.side();
        let piece = |color, kind| Some(Piece { color, kind });
        match self.special {
            ReverseSpecial::EnPassant => {
                before.put_two([self.to, self.from], [None, piece(us, self.kind)]);
                let victim = Square::at(self.to.file(), self.from.rank());
                before.put(victim, piece(us.not(), Kind::Pawn));
                before.set_ep(Some(self.to));
            }
            ReverseSpecial::Castling(side) => {
                before.put_two([self.to, self.from], [None, piece(us, self.kind)]);
                let rooks = [castled_rook(us, side), Rules::STANDARD.rook(us, side)];
                before.put_two(rooks, [None, piece(us, Kind::Rook)]);
                let right = CastlingRights::of(us, side);
                before.set_castling(before.castling().with(right));
            }
            ReverseSpecial::None | ReverseSpecial::Promotion(_) => {
                let captured = self.captured.and_then(|kind| piece(us.not(), kind));
                before.put_two([self.from, self.to], [piece(us, self.kind), captured]);
            }
        }
        before
    }

    /// The notation, with `+` if the forward move gives check in `position`, the position after it.
    ///
    /// ```
    /// use babson_chess::{fen, retro::reverse};
    /// let (position, _) = fen::parse("8/8/8/8/1k6/P7/8/K7 b").unwrap();
    /// let texts = reverse::legal(&position).iter().map(|mv| mv.notation(&position)).collect::<Vec<_>>();
    /// assert_eq!(texts[..3], ["~Pa2a3+", "~Pb2x(P)a3+", "~Pb2x(N)a3+"]);
    /// ```
    pub fn notation(&self, position: &Position) -> String {
        let check = if position.in_check() { "+" } else { "" };
        format!("{self}{check}")
    }
}

impl fmt::Display for ReverseMove {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.special {
            ReverseSpecial::Castling(CastlingSide::King) => return out.write_str("~O-O"),
            ReverseSpecial::Castling(CastlingSide::Queen) => return out.write_str("~O-O-O"),
            ReverseSpecial::None | ReverseSpecial::EnPassant | ReverseSpecial::Promotion(_) => {
                write!(out, "~{}{}", self.kind.letter(), self.from)?
            }
        }
        if let Some(kind) = self.captured {
            write!(out, "x({})", kind.letter())?;
        }
        write!(out, "{}", self.to)?;
        match self.special {
            ReverseSpecial::Promotion(kind) => write!(out, "={}", kind.letter()),
            ReverseSpecial::None | ReverseSpecial::EnPassant | ReverseSpecial::Castling(_) => {
                Ok(())
            }
        }
    }
}

/// The position with the other side to move, the half-move clock at 0, no en passant square, and
/// the move number of the move before.
pub(super) fn turned(position: &Position) -> Position {
    let mut turned = *position;
    let us = position.side().not();
    let number = position.full_moves();
    // The flags are updated when a move is undone.
    turned.turn(us);
    turned.set_ep(None);
    turned.set_half_moves(0);
    turned.set_full_moves(number.saturating_sub(us.index() as u32));
    turned
}

/// The square where the rook arrives when it castles.
pub(super) fn castled_rook(color: Color, side: CastlingSide) -> Square {
    let file = match side {
        CastlingSide::King => 5,
        CastlingSide::Queen => 3,
    };
    Square::at(file, color.back_rank())
}
