//! Retractions: moves that are taken back (`docs/src/retro.md#retractions`).

use std::ops::ControlFlow;

use super::legal_past::LegalPast;
use super::legality::checkers_if_legal;
use super::reverse_move::{ReverseMove, ReverseSpecial, castled_rook, turned};
use crate::{CastlingSide, Color, Kind, Position, Square, SquareSet, attacks};

/// The kinds that a move may have captured, in the order of generation.
const CAPTURABLE: [Kind; 5] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

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

/// Like [`each`] with `legal`, but takes back moves of the pieces that give check first.
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
