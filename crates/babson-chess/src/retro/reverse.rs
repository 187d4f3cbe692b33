//! Retractions: moves that are taken back (`docs/src/retro.md#retractions`).

use std::fmt;
use std::ops::ControlFlow;

use super::legal_past::LegalPast;
use super::legality::checkers_if_legal;
use crate::{
    CastlingRights, CastlingSide, Color, Kind, Piece, Position, Rules, Square, SquareSet, attacks,
};

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

/// The kinds that a move may have captured, in the order of generation.
const CAPTURABLE: [Kind; 5] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

impl ReverseMove {
    /// The position before the move. The side to move is the side that made the move. The half-move
    /// clock is 0. There is an en passant square only before an en passant capture. Castling rights
    /// are those of the position, plus the right to a castling that is taken back.
    pub fn predecessor(&self, position: &Position) -> Position {
        self.undo(&turned(position))
    }

    /// [`ReverseMove::predecessor`] of a position that [`turned`] has changed.
    fn undo(&self, turned: &Position) -> Position {
        let mut before = self.undo_pieces(turned);
        before.refresh();
        before
    }

    /// [`ReverseMove::undo`] for a move whose position before is legal.
    fn undo_legal(&self, turned: &Position) -> Position {
        let mut before = self.undo_pieces(turned);
        before.refresh_legal(!before.checkers().is_empty());
        before
    }

    /// [`ReverseMove::undo`] without the update of the flags.
    fn undo_pieces(&self, turned: &Position) -> Position {
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

/// All retractions to legal positions whose numbers of pieces promotions can explain.
pub fn legal(position: &Position) -> Vec<ReverseMove> {
    list(position, true)
}

/// All retractions, also to illegal positions.
pub fn pseudolegal(position: &Position) -> Vec<ReverseMove> {
    list(position, false)
}

fn list(position: &Position, legal: bool) -> Vec<ReverseMove> {
    let mut moves = Vec::new();
    let _ = each(position, legal, &mut |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

/// Whether [`legal`] has a move.
pub fn has_legal(position: &Position) -> bool {
    likeliest_first(position, &mut |_| ControlFlow::Break(())).is_break()
}

/// Calls `f` with each move of [`legal`] and the position before it, until it breaks. Moves of
/// pieces that give check come first: of other pieces few can have moved last.
pub(super) fn try_legal(
    position: &Position,
    f: &mut impl FnMut(ReverseMove, &Position) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let turned = turned(position);
    likeliest_first(position, &mut |mv| f(mv, &mv.undo_legal(&turned)))
}

/// [`each`] with the legal retractions, those of pieces that give check first.
fn likeliest_first(
    position: &Position,
    f: &mut impl FnMut(ReverseMove) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let checkers = position.checkers();
    if !checkers.is_empty() {
        of(position, checkers, true, f)?;
    }
    of(position, !checkers, true, f)
}

/// Calls `f` with each retraction until it breaks. With `legal`, only with those to legal positions
/// whose numbers of pieces promotions can explain.
///
/// The order is by the present square of the moved piece, then moves without a capture before
/// captures, then by origin, then by the captured kind, pawn to queen.
pub fn each(
    position: &Position,
    legal: bool,
    f: &mut impl FnMut(ReverseMove) -> ControlFlow<()>,
) -> ControlFlow<()> {
    of(position, SquareSet::ALL, legal, f)
}

/// [`each`] for the moved pieces on some squares.
fn of(
    position: &Position,
    pieces: SquareSet,
    legal: bool,
    f: &mut impl FnMut(ReverseMove) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let us = position.side().not();
    if position.is_attacked_king(us) {
        return ControlFlow::Continue(());
    }
    let past = match legal {
        true => match LegalPast::of(position) {
            Some(past) => Some(past),
            None => return ControlFlow::Continue(()),
        },
        false => None,
    };
    let retractor =
        Retractor { position, turned: turned(position), us, empty: !position.occupied(), past };
    for to in position.color(us) & pieces {
        match position.kind_at(to) {
            Some(Kind::Pawn) => retractor.pawn(to, f)?,
            Some(kind) => retractor.piece(kind, to, f)?,
            None => {}
        }
    }
    ControlFlow::Continue(())
}

/// The position with the other side to move, the half-move clock at 0, no en passant square, and
/// the move number of the move before.
fn turned(position: &Position) -> Position {
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
fn castled_rook(color: Color, side: CastlingSide) -> Square {
    let file = match side {
        CastlingSide::King => 5,
        CastlingSide::Queen => 3,
    };
    Square::at(file, color.back_rank())
}

struct Retractor<'a> {
    position: &'a Position,
    turned: Position,
    /// The side that made the move.
    us: Color,
    empty: SquareSet,
    /// `Some` if only legal retractions are generated.
    past: Option<LegalPast>,
}

impl Retractor<'_> {
    fn piece(
        &self,
        kind: Kind,
        to: Square,
        f: &mut impl FnMut(ReverseMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let plain = attacks::of(kind, self.us, to, self.position.occupied()) & self.empty;
        let promotes = to.rank() == self.us.relative_rank(7) && kind != Kind::King;
        let behind = SquareSet::rank(self.us.relative_rank(6)) & self.empty;
        let (mut straight, mut diagonal) = (SquareSet::EMPTY, SquareSet::EMPTY);
        if promotes {
            straight = SquareSet::file(to.file()) & behind;
            diagonal = attacks::pawn(self.us.not(), to) & behind;
        }
        if kind == Kind::King {
            self.castling(to, f)?;
        }
        let (free, taking) = self.origins(kind, to);
        if promotes {
            let (free, taking) = self.origins(Kind::Pawn, to);
            straight &= free;
            diagonal &= taking;
        }
        let back = |from, captured, promotes| ReverseMove {
            from,
            to,
            kind: if promotes { Kind::Pawn } else { kind },
            captured,
            special: if promotes { ReverseSpecial::Promotion(kind) } else { ReverseSpecial::None },
        };
        let (quiet, captor) = (plain & free, plain & taking);
        for from in quiet | straight {
            if quiet.contains(from) {
                self.emit(back(from, None, false), f)?;
            }
            if straight.contains(from) {
                self.emit(back(from, None, true), f)?;
            }
        }
        for from in captor | diagonal {
            if captor.contains(from) {
                self.captures(back(from, None, false), f)?;
            }
            if diagonal.contains(from) {
                self.captures(back(from, None, true), f)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn pawn(
        &self,
        to: Square,
        f: &mut impl FnMut(ReverseMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let up = if self.us == Color::White { 1 } else { -1 };
        // Rank 0 is the first rank of the side.
        let rank = self.us.relative_rank(to.rank());
        // A pawn on its first two ranks has not moved, and on its last rank it has promoted.
        if !(2..7).contains(&rank) {
            return ControlFlow::Continue(());
        }
        let empty = |square: Option<Square>| square.filter(|&square| self.empty.contains(square));
        let back =
            |from, captured, special| ReverseMove { from, to, kind: Kind::Pawn, captured, special };
        let once = empty(to.offset(0, -up));
        let twice = once.and_then(|_| empty(to.offset(0, -2 * up)).filter(|_| rank == 3));
        let straight: SquareSet = once.into_iter().chain(twice).collect();
        let (free, taking) = self.origins(Kind::Pawn, to);
        for from in straight & free {
            self.emit(back(from, None, ReverseSpecial::None), f)?;
        }
        // The captured pawn passed the target and was in front of it.
        let passed = rank == 5 && once.is_some() && empty(to.offset(0, up)).is_some();
        for from in attacks::pawn(self.us.not(), to) & self.empty {
            if taking.contains(from) {
                self.captures(back(from, None, ReverseSpecial::None), f)?;
            }
            if passed {
                let captured = Some(Kind::Pawn);
                self.emit(back(from, captured, ReverseSpecial::EnPassant), f)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn castling(
        &self,
        to: Square,
        f: &mut impl FnMut(ReverseMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let rank = self.us.back_rank();
        let from = Square::at(4, rank);
        for side in CastlingSide::ALL {
            let (file, corner) = match side {
                CastlingSide::King => (6, SquareSet::file(7)),
                CastlingSide::Queen => (2, SquareSet::file(0) | SquareSet::file(1)),
            };
            let rook = castled_rook(self.us, side);
            let free = SquareSet::from(from) | corner & SquareSet::rank(rank);
            if to != Square::at(file, rank)
                || !self.position.pieces(self.us, Kind::Rook).contains(rook)
                || !free.is_subset(self.empty)
            {
                continue;
            }
            let mv = ReverseMove {
                from,
                to,
                kind: Kind::King,
                captured: None,
                special: ReverseSpecial::Castling(side),
            };
            let before = mv.undo(&self.turned);
            let guarded = |square| {
                let attackers = before.attackers_of(self.us.not(), square, before.occupied());
                !attackers.is_empty()
            };
            if !guarded(from) && !guarded(rook) {
                self.emit(mv, f)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `f` with the move for each kind of piece that it may have captured.
    fn captures(
        &self,
        mv: ReverseMove,
        f: &mut impl FnMut(ReverseMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for kind in CAPTURABLE {
            if kind == Kind::Pawn && SquareSet::BACK_RANKS.contains(mv.to) {
                continue;
            }
            let captured = Some(kind);
            self.emit(ReverseMove { captured, ..mv }, f)?;
        }
        ControlFlow::Continue(())
    }

    /// The squares from which a piece of the kind, now on `to`, can have come by a legal move:
    /// without a capture, and with a capture.
    fn origins(&self, kind: Kind, to: Square) -> (SquareSet, SquareSet) {
        let Some(past) = &self.past else {
            return (SquareSet::ALL, SquareSet::ALL);
        };
        let occupied = self.position.occupied();
        let free = occupied - SquareSet::of(to);
        let origins = |occupied| past.origins(self.position, kind, to, occupied);
        (origins(free), origins(occupied))
    }

    /// Whether the position before the move is legal.
    fn is_legal_before(&self, mv: ReverseMove) -> bool {
        checkers_if_legal(&mv.undo_pieces(&self.turned)).is_some()
    }

    fn emit(
        &self,
        mv: ReverseMove,
        f: &mut impl FnMut(ReverseMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some(past) = &self.past
            && !(past.explains_pieces(mv) && (!past.is_doubtful(mv) || self.is_legal_before(mv)))
        {
            return ControlFlow::Continue(());
        }
        f(mv)
    }
}
