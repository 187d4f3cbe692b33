//! One color's pieces, seen from its side of the board, and the homes that pieces never left (rules
//! 4 and 7 of `docs/src/retro.md#reachable`).

use crate::{Color, Kind, Position, Square, SquareSet};

/// A colour's men as its player sees them: the board is turned for Black, so that its pawns go up.
pub(super) struct Camp {
    pub(super) color: Color,
    /// The colour's men.
    men: [SquareSet; 6],
    /// The files of pawns that never moved.
    pub(super) home: u8,
    /// The files with a pawn on the third rank.
    pub(super) third: u8,
    /// The pawns that have moved.
    pub(super) moved: SquareSet,
    /// How many men were captured.
    pub(super) missing: u32,
    /// How many pawns were captured or have promoted.
    pub(super) missing_pawns: u32,
}

/// A home that a piece has never left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// What lives there.
    pub(super) kind: Kind,
    /// Where it began, on the real board.
    pub(super) start: Square,
    /// Where it can have been, on the real board.
    pub(super) area: SquareSet,
}

/// What is known of a piece's home.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// The piece may have left.
    Free,
    /// It has never left, and it or its like is there.
    Kept,
    /// It has never left, and it is gone.
    Lost,
}

impl Camp {
    pub(super) fn new(position: &Position, color: Color) -> Camp {
        let men = Kind::ALL.map(|kind| seen_by(color, position.pieces(color, kind)));
        let pawns = men[Kind::Pawn.index()];
        let rank = |rank: u8| (pawns.0 >> (8 * rank)) as u8;
        Camp {
            color,
            men,
            home: rank(1),
            third: rank(2),
            moved: pawns - SquareSet::rank(1),
            missing: 16u32.saturating_sub(position.color(color).len()),
            missing_pawns: 8u32.saturating_sub(pawns.len()),
        }
    }

    /// The colour's men of the kind, from its own side.
    pub(super) fn men(&self, kind: Kind) -> SquareSet {
        self.men[kind.index()]
    }

    /// The set on the real board, or the other way round.
    pub(super) fn real(&self, set: SquareSet) -> SquareSet {
        seen_by(self.color, set)
    }

    /// The square on the real board, or the other way round.
    pub(super) fn real_square(&self, square: Square) -> Square {
        match self.color {
            Color::White => square,
            Color::Black => square.mirror(),
        }
    }

    /// The files whose neighbour files, as far as they exist, hold pawns that never moved.
    pub(super) fn between_home(&self) -> u8 {
        between(self.home)
    }

    /// The home of the bishop of this file, c or f: it is left by b2 or d2, e2 or g2 only.
    pub(super) fn bishop_home(&self, file: u8) -> Home {
        if self.between_home() >> file & 1 == 0 {
            return Home::Free;
        }
        match self.men(Kind::Bishop).contains(Square::at(file, 0)) {
            true => Home::Kept,
            false => Home::Lost,
        }
    }

    /// The squares of the first two ranks, from a1 = bit 0 to h2 = bit 15, that nothing can have
    /// entered.
    fn walls(&self) -> u32 {
        let bishops = [2, 5]
            .into_iter()
            .filter(|&file| self.bishop_home(file) == Home::Kept)
            .fold(0, |set, file| set | 1 << file);
        u32::from(self.home) << 8 | bishops
    }

    /// Where the rook from this corner can have been, if it never got beyond the second rank; in
    /// the camp's view.
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

    /// Where the queen can have been, if it never left the first rank; in the camp's view. From
    /// any square of the second rank it gets out.
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

    /// The stretches of the first rank that nothing but knights can have left or entered: they lie
    /// between bishops that never moved, behind pawns that never moved. As sets of files.
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

    /// A piece's home as a cell of the real board.
    pub(super) fn cell(&self, kind: Kind, start: Square, area: SquareSet) -> Cell {
        Cell { kind, start: self.real_square(start), area: self.real(area) }
    }
}

/// The files whose neighbours, as far as they exist, are all in the set.
pub(super) fn between(files: u8) -> u8 {
    (files << 1 | 1) & (files >> 1 | 0x80)
}

/// The set as the colour's player sees it; for Black the board is turned.
fn seen_by(color: Color, set: SquareSet) -> SquareSet {
    match color {
        Color::White => set,
        Color::Black => set.mirror(),
    }
}
