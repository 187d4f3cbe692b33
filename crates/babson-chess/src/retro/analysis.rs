//! `reachableposition`: whether a game can have led to a position (`docs/src/retro.md#reachable`).
//!
//! A reason is a proof: where a check is in doubt it is silent, so 'reachable' only means that
//! nothing is known against it. The reasons of rules 1 to 12 come first, all of them; only where
//! there is none our [further arguments](super::further) are tried, one by one, so that no text of
//! those rules ever changes.

use std::ops::ControlFlow::{self, Break, Continue};

use super::camp::Camp;
use super::legality;
use super::pawns::Origins;
use super::promotions::{Homes, Surplus};
use super::verdict::{Unreachability, Verdict, promotions};
use super::{cages, further, reverse, structure};
use crate::{Color, Kind, Position, SquareSet};

/// Everything that is known against a game that leads to the position. Only the placement and
/// the side to move are looked at.
pub fn analyse(position: &Position) -> Verdict {
    let legality = legality::legality(position);
    if !legality.is_legal() {
        let reasons = legality.reasons.into_iter();
        return Verdict { reasons: reasons.map(Unreachability::Illegal).collect() };
    }
    let mut reasons = Vec::new();
    let evidence = Evidence::new(position);
    let _ = evidence.reasons(true, &mut |reason| {
        reasons.push(reason);
        Continue(())
    });
    if reasons.is_empty() {
        reasons.extend(further::on_the_board(&evidence));
    }
    if reasons.is_empty() {
        reasons.extend(further::in_the_past(position));
    }
    Verdict { reasons }
}

/// Whether nothing is known against the position: [`analyse`] without the reasons, which stops at
/// the first.
pub fn is_reachable(position: &Position) -> bool {
    // A check that no move can have given is found when the last move is looked for, and too many
    // pieces with what else the structure tells.
    legality::is_legal_but_for_numbers(position)
        && !refuted(position, false)
        && further::in_the_past(position).is_none()
}

/// Whether the legal position itself, without a look at the moves before it but for an impossible
/// check if `checks` is set, speaks against it.
pub(super) fn refuted(position: &Position, checks: bool) -> bool {
    structure::answer(position, || refuted_by_men(position))
        || checks && position.in_check() && !reverse::has_legal(position)
}

/// [`refuted`] without a look at checks.
pub(super) fn refuted_by_men(position: &Position) -> bool {
    if legality::is_crowded(position) {
        return true;
    }
    let evidence = Evidence::new(position);
    let any = evidence.reasons(false, &mut |_| Break(()));
    any.is_break() || further::on_the_board(&evidence).is_some()
}

/// What the arguments rest on.
pub(super) struct Evidence<'p> {
    position: &'p Position,
    pub(super) camps: [Camp; 2],
    homes: [Homes; 2],
    /// The captures that the colours' pawns on the board made; none if they cannot have come.
    pub(super) captures: [Option<u32>; 2],
}

impl Evidence<'_> {
    pub(super) fn new(position: &Position) -> Evidence<'_> {
        let camps = Color::ALL.map(|color| Camp::new(position, color));
        let homes = [0, 1].map(|index| Homes::new(&camps[index]));
        let captures = [0, 1].map(|index| Origins::new(&camps[index]).cost());
        Evidence { position, camps, homes, captures }
    }

    /// The camp on the other side.
    pub(super) fn other(&self, camp: &Camp) -> &Camp {
        &self.camps[camp.color.not().index()]
    }

    /// How many promotions the colour's men tell of.
    pub(super) fn promotions(&self, color: Color) -> u32 {
        self.homes[color.index()].promotions(&self.camps[color.index()])
    }

    /// Hands out the reasons of rules 2 to 12 in their order until `found` breaks. `checks`:
    /// whether to look for the move that gave a check, too.
    fn reasons(
        &self,
        checks: bool,
        found: &mut impl FnMut(Unreachability) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (position, camps, base) = (self.position, &self.camps, &self.captures);
        for camp in camps {
            if base[camp.color.index()].is_none() {
                found(Unreachability::PawnStructure {
                    color: camp.color,
                    pawns: camp.real(camp.men(Kind::Pawn)),
                })?;
            }
        }
        for camp in camps {
            let missing = self.other(camp).missing;
            if let Some(captures) = base[camp.color.index()]
                && captures > missing
            {
                found(Unreachability::PawnCaptures { color: camp.color, captures, missing })?;
            }
        }
        for camp in camps {
            let captor = self.other(camp);
            if camp.missing == 0 || base[captor.color.index()] != Some(camp.missing) {
                continue;
            }
            // On the last rank a captor promotes, on the one before it stands still.
            let pawns = captor.real(captor.men(Kind::Pawn));
            for cell in &self.homes[camp.color.index()].lost {
                if !pawns.intersects(cell.area) {
                    found(Unreachability::CapturedAtHome {
                        color: camp.color,
                        kind: cell.kind,
                        start: cell.start,
                    })?;
                }
            }
        }
        for camp in camps {
            if cages::swapped_royals(camp) {
                found(Unreachability::SwappedRoyals(camp.color))?;
            }
        }
        for camp in camps {
            if let Some(king) = cages::king_without_path(camp, self.other(camp)) {
                let color = camp.color;
                found(Unreachability::KingPath { color, king })?;
            }
        }
        self.promoted(found)?;
        if checks && position.in_check() && !reverse::has_legal(position) {
            found(Unreachability::ImpossibleCheck(position.side()))?;
        }
        for camp in camps {
            if let Some(reason) = cages::bishop_color(camp, self.other(camp)) {
                found(reason)?;
            }
        }
        if cages::wrong_parity(position, camps) {
            found(Unreachability::ColorParity(position.side()))?;
        }
        cages::trapped_bishops(camps, &mut |color, square| {
            found(Unreachability::TrappedBishop { color, square })
        })?;
        cages::trapped_rooks(camps, &mut |color, square| {
            found(Unreachability::TrappedRook { color, square })
        })?;
        for camp in camps {
            cages::rooks_past_the_wall(camp, self.other(camp), found)?;
        }
        Continue(())
    }

    /// Rules 7 and 8: what the pieces imply of promotions.
    fn promoted(
        &self,
        found: &mut impl FnMut(Unreachability) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let camps = &self.camps;
        if camps.iter().all(|camp| self.promotions(camp.color) == 0) {
            return Continue(());
        }
        let surpluses = [0, 1].map(|index| self.homes[index].surpluses(&camps[index]));
        for (camp, surpluses) in camps.iter().zip(&surpluses) {
            if promotions(surpluses) > camp.missing_pawns {
                found(Unreachability::TooManyPromotions {
                    color: camp.color,
                    possible: camp.missing_pawns,
                    surpluses: surpluses.clone(),
                })?;
            }
        }
        for (camp, surpluses) in camps.iter().zip(surpluses) {
            let captures = self.captures[camp.color.index()];
            if let Some(reason) = costly_promotions(camp, self.other(camp), captures, surpluses) {
                found(reason)?;
            }
        }
        Continue(())
    }
}

/// Rule 8: enough pawns are missing, but their way to promotion needs too many captures.
fn costly_promotions(
    camp: &Camp,
    other: &Camp,
    base: Option<u32>,
    surpluses: Vec<Surplus>,
) -> Option<Unreachability> {
    let captures = base?;
    let needed = promotions(&surpluses);
    if needed == 0 || needed > camp.missing_pawns {
        return None;
    }
    let cost = Origins::new(camp).promoting(needed, other).cost();
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
        // A pawn that never moved bars its file.
        files: !other.home,
    })
}
