//! The pieces of one color, seen from its side of the board, and the home areas that pieces never
//! left (rules 4 and 7 of `docs/src/retro.md#reachable`).

use crate::{Color, Kind, Position, Square, SquareSet};

/// The pieces of a color. The board is mirrored for Black, so that pawns always move up.
pub(super) struct Camp {
    pub(super) color: Color,
    /// By kind.
    pieces: [SquareSet; 6],
    /// The files with a pawn on its start square; such a pawn never moved.
    pub(super) home: u8,
    /// The files with a pawn on the third rank.
    pub(super) third: u8,
    /// The pawns that have moved.
    pub(super) moved: SquareSet,
    /// How many pieces were captured.
    pub(super) missing: u32,
    /// How many pawns were captured or have promoted.
    pub(super) missing_pawns: u32,
}

/// The area that a piece cannot have left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HomeArea {
    /// The kind of the piece.
    pub(super) kind: Kind,
    /// Its start square, on the real board.
    pub(super) start: Square,
    /// The squares on which it can have been, on the real board.
    pub(super) area: SquareSet,
}

/// What is known about the home of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HomeState {
    /// The piece may have left its home.
    Open,
    /// The piece cannot have left its home, and a piece of its kind is there.
    Occupied,
    /// The piece cannot have left its home, and it is gone.
    Vacant,
}

impl Camp {
    pub(super) fn new(position: &Position, color: Color) -> Camp {
        let pieces = Kind::ALL.map(|kind| seen_by(color, position.pieces(color, kind)));
        let pawns = pieces[Kind::Pawn.index()];
        let rank = |rank: u8| (pawns.0 >> (8 * rank)) as u8;
        Camp {
            color,
            pieces,
            home: rank(1),
            third: rank(2),
            moved: pawns - SquareSet::rank(1),
            missing: 16u32.saturating_sub(position.color(color).len()),
            missing_pawns: 8u32.saturating_sub(pawns.len()),
        }
    }

    /// The pieces of the kind, in the view of the camp.
    pub(super) fn pieces(&self, kind: Kind) -> SquareSet {
        self.pieces[kind.index()]
    }

    /// Converts a set between the view of the camp and the real board.
    pub(super) fn real(&self, set: SquareSet) -> SquareSet {
        seen_by(self.color, set)
    }

    /// Converts a square between the view of the camp and the real board.
    pub(super) fn real_square(&self, square: Square) -> Square {
        match self.color {
            Color::White => square,
            Color::Black => square.mirror(),
        }
    }

    /// The files whose neighboring files, as far as they exist, have pawns that never moved.
    pub(super) fn between_home(&self) -> u8 {
        between(self.home)
    }

    /// The home of the bishop of this file, c or f. The bishop leaves it only by b2 or d2, or by e2
    /// or g2.
    pub(super) fn bishop_home(&self, file: u8) -> HomeState {
        if self.between_home() >> file & 1 == 0 {
            return HomeState::Open;
        }
        match self.pieces(Kind::Bishop).contains(Square::at(file, 0)) {
            true => HomeState::Occupied,
            false => HomeState::Vacant,
        }
    }

    /// The squares of the first two ranks, from a1 = bit 0 to h2 = bit 15, that have always been
    /// occupied by the same piece.
    fn walls(&self) -> u32 {
        let bishops = [2, 5]
            .into_iter()
            .filter(|&file| self.bishop_home(file) == HomeState::Occupied)
            .fold(0, |set, file| set | 1 << file);
        u32::from(self.home) << 8 | bishops
    }

    /// The squares on which the rook of this corner can have been, in the view of the camp. `None`
    /// if it can have left the first two ranks.
    pub(super) fn rook_area(&self, corner: Square) -> Option<SquareSet> {
        let open = !(self.home | self.third & self.between_home());
        let walls = self.walls();
        let mut area = 1u32 << corner.index();
        loop {
            let sideways = (area & 0x7f7f) << 1 | (area & 0xfefe) >> 1;
            let next = (area | sideways | area << 8 | area >> 8) & !walls & 0xffff;
            if (next >> 8) as u8 & open != 0 {
                return None;
            }
            if next == area {
                return Some(SquareSet(area.into()));
            }
            area = next;
        }
    }

    /// The squares on which the queen can have been, in the view of the camp. `None` if it can have
    /// left the first rank: from any square of the second rank it has a way out.
    pub(super) fn queen_area(&self) -> Option<SquareSet> {
        let walls = self.walls() as u8;
        let mut area = 1u8 << 3;
        loop {
            let wide = area | area << 1 | area >> 1;
            if wide & !self.home != 0 {
                return None;
            }
            let next = wide & !walls;
            if next == area {
                return Some(SquareSet(area.into()));
            }
            area = next;
        }
    }

    /// The stretches of the first rank that only knights can have left or entered, as sets of
    /// files: they lie between bishops that never moved, behind pawns that never moved.
    pub(super) fn closed(&self) -> impl Iterator<Item = u8> + use<> {
        let walls = self.walls() as u8;
        let home = self.home;
        let mut rest = if home.count_ones() < 3 { 0 } else { !walls };
        std::iter::from_fn(move || {
            while rest != 0 {
                // The lowest run of files without a wall.
                let run = rest & !rest.wrapping_add(rest & rest.wrapping_neg());
                rest &= !run;
                if (run | run << 1 | run >> 1) & !home == 0 {
                    return Some(run);
                }
            }
            None
        })
    }

    /// A home area on the real board, from one in the view of the camp.
    pub(super) fn home_area(&self, kind: Kind, start: Square, area: SquareSet) -> HomeArea {
        HomeArea { kind, start: self.real_square(start), area: self.real(area) }
    }
}

/// The files whose neighboring files, as far as they exist, are all in the set.
pub(super) fn between(files: u8) -> u8 {
    (files << 1 | 1) & (files >> 1 | 0x80)
}

/// The set in the view of the color: mirrored for Black.
fn seen_by(color: Color, set: SquareSet) -> SquareSet {
    match color {
        Color::White => set,
        Color::Black => set.mirror(),
    }
}
