//! Generation by the rules of chess.

use std::ops::ControlFlow;

use super::{MoveGroup, MoveKind, MoveSelection, castling_move, en_passant};
use crate::{CastlingSide, Color, Direction, Kind, Position, Rules, Square, SquareSet, attacks};

/// [`groups`](super::groups) by the rules of chess, for any variant.
#[inline]
pub(crate) fn chess_groups(
    position: &Position,
    rules: &Rules,
    selection: MoveSelection,
    f: &mut impl FnMut(MoveGroup) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match (position.side(), selection.legal) {
        (Color::White, true) => Generator::<0, true>::new(position, selection).run(rules, f),
        (Color::Black, true) => Generator::<1, true>::new(position, selection).run(rules, f),
        (Color::White, false) => Generator::<0, false>::new(position, selection).run(rules, f),
        (Color::Black, false) => Generator::<1, false>::new(position, selection).run(rules, f),
    }
}

struct Generator<'a, const SIDE: u8, const LEGAL: bool> {
    position: &'a Position,
    selection: MoveSelection,
    occupied: SquareSet,
    own: SquareSet,
    enemy: SquareSet,
    /// The royal king; `None` if there is not exactly one or if legality does not matter.
    king: Option<Square>,
    /// The targets of pieces other than the king: all squares, or those that answer a check.
    evasions: SquareSet,
    pinned: SquareSet,
}

impl<'a, const SIDE: u8, const LEGAL: bool> Generator<'a, SIDE, LEGAL> {
    const US: Color = if SIDE == 0 { Color::White } else { Color::Black };
    const THEM: Color = if SIDE == 0 { Color::Black } else { Color::White };

    #[inline]
    fn new(position: &'a Position, selection: MoveSelection) -> Self {
        let occupied = position.occupied();
        let mut generator = Generator {
            position,
            selection,
            occupied,
            own: position.color(Self::US),
            enemy: position.color(Self::THEM),
            king: None,
            evasions: SquareSet::ALL,
            pinned: SquareSet::EMPTY,
        };
        if LEGAL && let Some(king) = position.king(Self::US) {
            generator.king = Some(king);
            let checkers = if position.in_check() {
                position.attackers_of(Self::THEM, king, occupied)
            } else {
                SquareSet::EMPTY
            };
            if let Some(checker) = checkers.first() {
                generator.evasions = if checkers.is_many() {
                    SquareSet::EMPTY
                } else {
                    attacks::between(king, checker) | checker.into()
                };
            }
            generator.pinned = position.pinned(Self::US);
        }
        generator
    }

    #[inline]
    fn run(
        &self,
        rules: &Rules,
        f: &mut impl FnMut(MoveGroup) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.king_moves(f)?;
        if !self.evasions.is_empty() {
            self.pieces(f)?;
            self.pawns(f)?;
        }
        self.castling(rules, f)
    }

    /// The targets of the piece that do not leave the line of a pin.
    #[inline(always)]
    fn unpinned(&self, from: Square, to: SquareSet) -> SquareSet {
        match self.king {
            Some(king) if LEGAL && self.pinned.contains(from) => to & attacks::line(king, from),
            _ => to,
        }
    }

    #[inline(always)]
    fn emit(
        &self,
        kind: Kind,
        from: Square,
        to: SquareSet,
        f: &mut impl FnMut(MoveGroup) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let to = to & self.selection.to;
        if to.is_empty() {
            return ControlFlow::Continue(());
        }
        f(MoveGroup { kind, from, to, move_kind: MoveKind::Normal })
    }

    #[inline]
    fn king_moves(&self, f: &mut impl FnMut(MoveGroup) -> ControlFlow<()>) -> ControlFlow<()> {
        for from in self.position.pieces(Self::US, Kind::King) & self.selection.from {
            let mut to = attacks::king(from) & !self.own & self.selection.to;
            if LEGAL && self.king.is_some() {
                let without = self.occupied - from.into();
                for square in to {
                    if !self.position.attackers_of(Self::THEM, square, without).is_empty() {
                        to.remove(square);
                    }
                }
            }
            self.emit(Kind::King, from, to, f)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pieces(&self, f: &mut impl FnMut(MoveGroup) -> ControlFlow<()>) -> ControlFlow<()> {
        let position = self.position;
        let mask = self.evasions & !self.own;
        // A pinned knight cannot move.
        for from in position.pieces(Self::US, Kind::Knight) & (self.selection.from - self.pinned) {
            self.emit(Kind::Knight, from, attacks::knight(from) & mask, f)?;
        }
        for from in position.pieces(Self::US, Kind::Bishop) & self.selection.from {
            let to = self.unpinned(from, attacks::bishop(from, self.occupied) & mask);
            self.emit(Kind::Bishop, from, to, f)?;
        }
        for from in position.pieces(Self::US, Kind::Rook) & self.selection.from {
            let to = self.unpinned(from, attacks::rook(from, self.occupied) & mask);
            self.emit(Kind::Rook, from, to, f)?;
        }
        for from in position.pieces(Self::US, Kind::Queen) & self.selection.from {
            let to = self.unpinned(from, attacks::queen(from, self.occupied) & mask);
            self.emit(Kind::Queen, from, to, f)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(&self, f: &mut impl FnMut(MoveGroup) -> ControlFlow<()>) -> ControlFlow<()> {
        let up = if SIDE == 0 { Direction::North } else { Direction::South };
        let empty = !self.occupied;
        // A pawn may make a double step from its own first or second rank
        // (docs/src/language/odd-positions.md#pawns-on-edge-ranks).
        let doubled =
            SquareSet::rank(Self::US.relative_rank(2)) | SquareSet::rank(Self::US.relative_rank(1));
        for from in self.position.pieces(Self::US, Kind::Pawn) & self.selection.from {
            let once = SquareSet::of(from).shift(up) & empty;
            let twice = (once & doubled).shift(up) & empty;
            let takes = attacks::pawn(Self::US, from) & self.enemy;
            let to = self.unpinned(from, (once | twice | takes) & self.evasions);
            self.emit(Kind::Pawn, from, to, f)?;
        }
        let Some((to, victim)) = en_passant(self.position) else {
            return ControlFlow::Continue(());
        };
        if !self.selection.to.contains(to) {
            return ControlFlow::Continue(());
        }
        let origins = attacks::pawn(Self::THEM, to) & self.position.pieces(Self::US, Kind::Pawn);
        for from in origins & self.selection.from {
            if let Some(king) = self.king {
                let after = (self.occupied ^ from.into() ^ victim.into()) | to.into();
                let attackers = self.position.attackers_of(Self::THEM, king, after);
                if !(attackers - victim.into()).is_empty() {
                    continue;
                }
            }
            f(MoveGroup { kind: Kind::Pawn, from, to: to.into(), move_kind: MoveKind::EnPassant })?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn castling(
        &self,
        rules: &Rules,
        f: &mut impl FnMut(MoveGroup) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.position.castling().any(Self::US) {
            return ControlFlow::Continue(());
        }
        for side in CastlingSide::ALL {
            if let Some(mv) = castling_move(self.position, rules, Self::US, side)
                && self.selection.from.contains(mv.from())
                && self.selection.to.contains(mv.to())
            {
                let to = mv.raw_to().into();
                f(MoveGroup {
                    kind: Kind::King,
                    from: mv.from(),
                    to,
                    move_kind: MoveKind::Castling,
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}
