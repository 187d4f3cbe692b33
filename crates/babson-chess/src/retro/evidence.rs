//! Rules 2 to 12 of `docs/src/retro.md#reachable`: proofs from what is on the board.

use std::ops::ControlFlow::{self, Continue};

use super::camp::Camp;
use super::pawns::{PawnCosts, PawnOrigins};
use super::promotions::{OriginalPieces, Surplus};
use super::verdict::{Unreachability, promotions};
use super::{cages, reverse};
use crate::{Color, Kind, Position, SquareSet};

/// What the arguments need to know about a position.
pub(super) struct Evidence<'p> {
    position: &'p Position,
    pub(super) camps: [Camp; 2],
    originals: [OriginalPieces; 2],
    /// By color, how many captures its pawns on the board made at least; `None` if they cannot be
    /// where they are.
    pub(super) captures: [Option<u32>; 2],
}

impl Evidence<'_> {
    pub(super) fn new<'p>(position: &'p Position, costs: &mut PawnCosts) -> Evidence<'p> {
        let camps = Color::ALL.map(|color| Camp::new(position, color));
        let originals = [0, 1].map(|index| OriginalPieces::new(&camps[index]));
        let captures = [0, 1].map(|index| PawnOrigins::new(&camps[index]).cost(costs));
        Evidence { position, camps, originals, captures }
    }

    /// The camp of the other color.
    pub(super) fn other(&self, camp: &Camp) -> &Camp {
        &self.camps[camp.color.not().index()]
    }

    /// How many promotions the pieces of the color imply.
    pub(super) fn promotions(&self, color: Color) -> u32 {
        self.originals[color.index()].promotions(&self.camps[color.index()])
    }

    /// Calls `report` with each reason by rules 2 to 12, in order, until it breaks. `checks`:
    /// whether to test that some move can have given the check.
    pub(super) fn reasons(
        &self,
        checks: bool,
        costs: &mut PawnCosts,
        report: &mut impl FnMut(Unreachability) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (position, camps, pawn_captures) = (self.position, &self.camps, &self.captures);
        for camp in camps {
            if pawn_captures[camp.color.index()].is_none() {
                report(Unreachability::PawnStructure {
                    color: camp.color,
                    pawns: camp.real(camp.pieces(Kind::Pawn)),
                })?;
            }
        }
        for camp in camps {
            let missing = self.other(camp).missing;
            if let Some(captures) = pawn_captures[camp.color.index()]
                && captures > missing
            {
                report(Unreachability::PawnCaptures { color: camp.color, captures, missing })?;
            }
        }
        for camp in camps {
            let captor = self.other(camp);
            if camp.missing == 0 || pawn_captures[captor.color.index()] != Some(camp.missing) {
                continue;
            }
            // A pawn that captures on the last rank promotes, and one that captures on the rank
            // before stays there.
            let pawns = captor.real(captor.pieces(Kind::Pawn));
            for home in &self.originals[camp.color.index()].captured_at_home {
                if !pawns.intersects(home.area) {
                    report(Unreachability::CapturedAtHome {
                        color: camp.color,
                        kind: home.kind,
                        start: home.start,
                    })?;
                }
            }
        }
        for camp in camps {
            if cages::swapped_royals(camp) {
                report(Unreachability::SwappedRoyals(camp.color))?;
            }
        }
        for camp in camps {
            if let Some(king) = cages::king_without_path(camp, self.other(camp)) {
                let color = camp.color;
                report(Unreachability::KingPath { color, king })?;
            }
        }
        self.promoted(costs, report)?;
        if checks && position.in_check() && !reverse::has_legal(position) {
            report(Unreachability::ImpossibleCheck(position.side()))?;
        }
        for camp in camps {
            if let Some(reason) = cages::bishop_color(camp, self.other(camp)) {
                report(reason)?;
            }
        }
        if cages::wrong_parity(position, camps) {
            report(Unreachability::ColorParity(position.side()))?;
        }
        cages::trapped_bishops(camps, &mut |color, square| {
            report(Unreachability::TrappedBishop { color, square })
        })?;
        cages::trapped_rooks(camps, &mut |color, square| {
            report(Unreachability::TrappedRook { color, square })
        })?;
        for camp in camps {
            cages::rooks_past_the_wall(camp, self.other(camp), report)?;
        }
        Continue(())
    }

    /// Rules 7 and 8: the promotions that the pieces imply.
    fn promoted(
        &self,
        costs: &mut PawnCosts,
        report: &mut impl FnMut(Unreachability) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let camps = &self.camps;
        if camps.iter().all(|camp| self.promotions(camp.color) == 0) {
            return Continue(());
        }
        let surpluses = [0, 1].map(|index| self.originals[index].surpluses(&camps[index]));
        for (camp, surpluses) in camps.iter().zip(&surpluses) {
            if promotions(surpluses) > camp.missing_pawns {
                report(Unreachability::TooManyPromotions {
                    color: camp.color,
                    possible: camp.missing_pawns,
                    surpluses: surpluses.clone(),
                })?;
            }
        }
        for (camp, surpluses) in camps.iter().zip(surpluses) {
            let captures = self.captures[camp.color.index()];
            let other = self.other(camp);
            if let Some(reason) = costly_promotions(camp, other, captures, surpluses, costs) {
                report(reason)?;
            }
        }
        Continue(())
    }
}

/// Rule 8: enough pawns are missing, but they needed too many captures to promote.
fn costly_promotions(
    camp: &Camp,
    other: &Camp,
    pawn_captures: Option<u32>,
    surpluses: Vec<Surplus>,
    costs: &mut PawnCosts,
) -> Option<Unreachability> {
    let captures = pawn_captures?;
    let needed = promotions(&surpluses);
    if needed == 0 || needed > camp.missing_pawns {
        return None;
    }
    let cost = PawnOrigins::new(camp).promoting(needed, other).cost(costs);
    if cost.is_some_and(|cost| cost <= other.missing) {
        return None;
    }
    Some(Unreachability::CostlyPromotions {
        color: camp.color,
        surpluses,
        captures,
        more: cost.map(|cost| cost - captures),
        missing: other.missing,
        starts: camp.real(SquareSet(u64::from(!camp.home) << 8)),
        // An enemy pawn that never moved bars its file.
        files: !other.home,
    })
}
