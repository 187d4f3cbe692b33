//! The promotions that a color's pieces imply (rules 7 and 8 of `docs/src/retro.md#reachable`).

use super::camp::{Camp, Cell, Home};
use crate::{Kind, Square, SquareSet};

/// More men of a kind than can have been there from the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surplus {
    /// What they are.
    pub kind: Kind,
    /// Of bishops: whether they stand on light squares.
    pub light: bool,
    /// Where they stand.
    pub squares: SquareSet,
    /// How many of them must have been pawns.
    pub promotions: u32,
    /// The pieces of the beginning that never left home and are gone.
    pub lost: Vec<LostAtHome>,
}

/// A piece that never left home and is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostAtHome {
    /// Where it began.
    pub start: Square,
    /// Where it can have been.
    pub area: SquareSet,
}

impl From<Cell> for LostAtHome {
    fn from(cell: Cell) -> LostAtHome {
        LostAtHome { start: cell.start, area: cell.area }
    }
}

/// The homes of a camp that were never left and whose pieces are gone, and how many rooks, queens
/// and bishops of each square colour may be those of the beginning.
pub(super) struct Homes {
    /// White: f1; Black: c8.
    light: u32,
    dark: u32,
    rooks: u32,
    queens: u32,
    pub(super) lost: Vec<Cell>,
}

impl Homes {
    pub(super) fn new(camp: &Camp) -> Homes {
        let mut homes = Homes { light: 1, dark: 1, rooks: 0, queens: 1, lost: Vec::new() };
        for file in [2, 5] {
            if camp.bishop_home(file) == Home::Lost {
                let start = Square::at(file, 0);
                let cell = camp.cell(Kind::Bishop, start, start.into());
                match SquareSet::LIGHT.contains(cell.start) {
                    true => homes.light = 0,
                    false => homes.dark = 0,
                }
                homes.lost.push(cell);
            }
        }
        let rooks = camp.men(Kind::Rook);
        let areas = [Square::A1, Square::H1].map(|corner| camp.rook_area(corner));
        if let [Some(area), Some(other)] = areas
            && area == other
        {
            homes.rooks = (rooks & area).len().min(2);
            // With one rook left in a common area, that of the a-file counts as lost.
            let gone = 2 - homes.rooks as usize;
            for corner in [Square::A1, Square::H1].into_iter().take(gone) {
                homes.lost.push(camp.cell(Kind::Rook, corner, area));
            }
        } else {
            for (corner, area) in [Square::A1, Square::H1].into_iter().zip(areas) {
                match area {
                    Some(area) if !rooks.intersects(area) => {
                        homes.lost.push(camp.cell(Kind::Rook, corner, area));
                    }
                    _ => homes.rooks += 1,
                }
            }
        }
        if let Some(area) = camp.queen_area()
            && !camp.men(Kind::Queen).intersects(area)
        {
            homes.queens = 0;
            homes.lost.push(camp.cell(Kind::Queen, Square::D1, area));
        }
        homes
    }

    /// How many promotions the men tell of: the sum of [`Homes::surpluses`].
    pub(super) fn promotions(&self, camp: &Camp) -> u32 {
        let more = |men: SquareSet, originals: u32| men.len().saturating_sub(originals);
        let bishops = camp.real(camp.men(Kind::Bishop));
        more(camp.men(Kind::Knight), 2)
            + more(bishops & SquareSet::LIGHT, self.light)
            + more(bishops & SquareSet::DARK, self.dark)
            + more(camp.men(Kind::Rook), self.rooks)
            + more(camp.men(Kind::Queen), self.queens)
    }

    /// What is there beyond what may have been there from the beginning: knights, light bishops,
    /// dark ones, rooks, queens.
    pub(super) fn surpluses(&self, camp: &Camp) -> Vec<Surplus> {
        let mut found = Vec::new();
        let mut note = |kind: Kind, light: bool, squares: SquareSet, originals: u32| {
            let promotions = squares.len().saturating_sub(originals);
            if promotions == 0 {
                return;
            }
            let lost = self.lost.iter().filter(|cell| {
                cell.kind == kind
                    && (kind != Kind::Bishop || SquareSet::LIGHT.contains(cell.start) == light)
            });
            let lost = lost
                .filter(|cell| kind != Kind::Rook || !squares.intersects(cell.area))
                .map(|&cell| cell.into())
                .collect();
            found.push(Surplus { kind, light, squares, promotions, lost });
        };
        let men = |kind| camp.real(camp.men(kind));
        note(Kind::Knight, false, men(Kind::Knight), 2);
        let bishops = men(Kind::Bishop);
        note(Kind::Bishop, true, bishops & SquareSet::LIGHT, self.light);
        note(Kind::Bishop, false, bishops & SquareSet::DARK, self.dark);
        note(Kind::Rook, false, men(Kind::Rook), self.rooks);
        note(Kind::Queen, false, men(Kind::Queen), self.queens);
        found
    }
}
