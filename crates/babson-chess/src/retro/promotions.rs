//! The promotions that a color's pieces imply (rules 7 and 8 of `docs/src/retro.md#reachable`).

use super::camp::{Camp, HomeArea, HomeState};
use crate::{Kind, Square, SquareSet};

/// More pieces of a kind than a color can still have of those that it began with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surplus {
    /// The kind.
    pub kind: Kind,
    /// For bishops: whether they are on light squares.
    pub light: bool,
    /// The squares of all pieces of the kind.
    pub squares: SquareSet,
    /// How many of them must be promoted pawns.
    pub promotions: u32,
    /// The original pieces that were captured in their home areas.
    pub lost: Vec<LostAtHome>,
}

/// An original piece that was captured in its home area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostAtHome {
    /// Its start square.
    pub start: Square,
    /// The squares on which it can have been.
    pub area: SquareSet,
}

impl From<HomeArea> for LostAtHome {
    fn from(home_area: HomeArea) -> LostAtHome {
        LostAtHome { start: home_area.start, area: home_area.area }
    }
}

/// How many of the original pieces of a camp can still be on the board, and which were captured in
/// their home areas.
pub(super) struct OriginalPieces {
    /// 1 if the bishop of the light squares, which starts on f1 or c8, can still be on the board,
    /// else 0.
    light: u32,
    dark: u32,
    rooks: u32,
    queens: u32,
    pub(super) captured_at_home: Vec<HomeArea>,
}

impl OriginalPieces {
    pub(super) fn new(camp: &Camp) -> OriginalPieces {
        let mut originals =
            OriginalPieces { light: 1, dark: 1, rooks: 0, queens: 1, captured_at_home: Vec::new() };
        for file in [2, 5] {
            if camp.bishop_home(file) == HomeState::Vacant {
                let start = Square::at(file, 0);
                let home_area = camp.home_area(Kind::Bishop, start, start.into());
                match SquareSet::LIGHT.contains(home_area.start) {
                    true => originals.light = 0,
                    false => originals.dark = 0,
                }
                originals.captured_at_home.push(home_area);
            }
        }
        let rooks = camp.pieces(Kind::Rook);
        let areas = [Square::A1, Square::H1].map(|corner| camp.rook_area(corner));
        if let [Some(area), Some(other)] = areas
            && area == other
        {
            originals.rooks = (rooks & area).len().min(2);
            // If one rook is left in a common area, the rook of the a-file counts as captured.
            let gone = 2 - originals.rooks as usize;
            for corner in [Square::A1, Square::H1].into_iter().take(gone) {
                originals.captured_at_home.push(camp.home_area(Kind::Rook, corner, area));
            }
        } else {
            for (corner, area) in [Square::A1, Square::H1].into_iter().zip(areas) {
                match area {
                    Some(area) if !rooks.intersects(area) => {
                        originals.captured_at_home.push(camp.home_area(Kind::Rook, corner, area));
                    }
                    _ => originals.rooks += 1,
                }
            }
        }
        if let Some(area) = camp.queen_area()
            && !camp.pieces(Kind::Queen).intersects(area)
        {
            originals.queens = 0;
            originals.captured_at_home.push(camp.home_area(Kind::Queen, Square::D1, area));
        }
        originals
    }

    /// How many promotions the pieces imply: the sum over [`OriginalPieces::surpluses`].
    pub(super) fn promotions(&self, camp: &Camp) -> u32 {
        let more = |pieces: SquareSet, originals: u32| pieces.len().saturating_sub(originals);
        let bishops = camp.real(camp.pieces(Kind::Bishop));
        more(camp.pieces(Kind::Knight), 2)
            + more(bishops & SquareSet::LIGHT, self.light)
            + more(bishops & SquareSet::DARK, self.dark)
            + more(camp.pieces(Kind::Rook), self.rooks)
            + more(camp.pieces(Kind::Queen), self.queens)
    }

    /// The pieces in excess of the original ones: knights, bishops on light squares, bishops on
    /// dark squares, rooks, queens.
    pub(super) fn surpluses(&self, camp: &Camp) -> Vec<Surplus> {
        let mut surpluses = Vec::new();
        let mut add = |kind: Kind, light: bool, squares: SquareSet, originals: u32| {
            let promotions = squares.len().saturating_sub(originals);
            if promotions == 0 {
                return;
            }
            let lost = self.captured_at_home.iter().filter(|home_area| {
                home_area.kind == kind
                    && (kind != Kind::Bishop || SquareSet::LIGHT.contains(home_area.start) == light)
            });
            let lost = lost
                .filter(|home_area| kind != Kind::Rook || !squares.intersects(home_area.area))
                .map(|&home_area| home_area.into())
                .collect();
            surpluses.push(Surplus { kind, light, squares, promotions, lost });
        };
        let pieces = |kind| camp.real(camp.pieces(kind));
        add(Kind::Knight, false, pieces(Kind::Knight), 2);
        let bishops = pieces(Kind::Bishop);
        add(Kind::Bishop, true, bishops & SquareSet::LIGHT, self.light);
        add(Kind::Bishop, false, bishops & SquareSet::DARK, self.dark);
        add(Kind::Rook, false, pieces(Kind::Rook), self.rooks);
        add(Kind::Queen, false, pieces(Kind::Queen), self.queens);
        surpluses
    }
}
