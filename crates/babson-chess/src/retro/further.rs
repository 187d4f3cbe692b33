//! Arguments that CQLi does not have and that need only the board: rules 13 to 16 of
//! `docs/src/retro.md#reachable`.

use super::camp::Camp;
use super::evidence::Evidence;
use super::pawns::{PawnCosts, PawnOrigins};
use super::verdict::Unreachability;
use crate::{Color, Kind, Square, SquareSet};

/// The first reason by rules 13 to 16.
pub(super) fn on_the_board(
    evidence: &Evidence<'_>,
    costs: &mut PawnCosts,
) -> Option<Unreachability> {
    let mut camps = evidence.camps.iter();
    crossed(evidence, costs).or_else(|| {
        camps.find_map(|camp| {
            promoted_past(evidence, camp, costs)
                .or_else(|| bishop_out_of_reach(evidence, camp, costs))
                .or_else(|| closed_area(evidence, camp))
        })
    })
}

/// Rule 16: only knights can have entered or left some adjacent squares of the first rank of the
/// camp. But a piece on these squares did not begin there, or the king that began there is
/// elsewhere.
fn closed_area(evidence: &Evidence<'_>, camp: &Camp) -> Option<Unreachability> {
    let other = evidence.other(camp);
    // Sets of files on the first rank of the camp.
    let ours = |kind| camp.pieces(kind).0 as u8;
    let theirs = |kind| camp.real(other.real(other.pieces(kind))).0 as u8;
    for area in camp.closed() {
        let mut wrong = 0;
        for (kind, homes) in
            [(Kind::King, 0b0001_0000u8), (Kind::Queen, 0b0000_1000), (Kind::Rook, 0b1000_0001)]
        {
            let inside = ours(kind) & area;
            if inside.count_ones() > (homes & area).count_ones() {
                wrong |= inside;
            }
            wrong |= theirs(kind) & area;
        }
        let mut wrong = SquareSet(wrong.into());
        if area & 0b0001_0000 != 0 && ours(Kind::King) & area == 0 {
            wrong |= camp.pieces(Kind::King);
        }
        if !wrong.is_empty() {
            return Some(Unreachability::ClosedArea {
                color: camp.color,
                area: camp.real(SquareSet(area.into())),
                pieces: camp.real(wrong),
            });
        }
    }
    None
}

/// Rule 13: a white and a black pawn have passed each other on a file. At least one of the two left
/// the file and came back, or began on another file. The position is refuted if each choice of
/// these pawns, one of each pair, needs too many captures.
fn crossed(evidence: &Evidence<'_>, costs: &mut PawnCosts) -> Option<Unreachability> {
    let [white, black] = &evidence.camps;
    let (whites, blacks) = (white.moved, black.real(black.moved));
    // All squares behind a white pawn on its file.
    let behind = whites.0 >> 8 | whites.0 >> 16;
    let behind = behind | behind >> 16;
    let passed = SquareSet(behind | behind >> 32) & blacks;
    if passed.is_empty() {
        return None;
    }
    let files = (0..8).map(SquareSet::file).filter(|file| file.intersects(passed));
    let pairs: SquareSet = files.fold(SquareSet::EMPTY, |set, file| {
        let lowest = (passed & file).first().map_or(SquareSet::EMPTY, |pawn| !below(pawn));
        set | file & (passed | whites & lowest)
    });
    let origins = [white, black].map(|camp| {
        let promotions = evidence.promotions(camp.color);
        PawnOrigins::new(camp).promoting(promotions, evidence.other(camp))
    });
    let possible = [black.missing, white.missing];
    // With two more captures any pawn can leave its file and come back, if it is not on its third
    // rank.
    for (camp, origins) in evidence.camps.iter().zip(&origins) {
        let strays = camp.real(pairs) & camp.moved;
        let has_room = !strays.intersects(SquareSet::rank(2));
        let least = origins.cost(costs)?;
        if has_room && least + 2 * strays.len() <= possible[camp.color.index()] {
            return None;
        }
    }
    let mut cheap = |color: Color, strays: SquareSet| {
        let camp = &evidence.camps[color.index()];
        let cost = origins[color.index()].straying(camp.real(strays)).cost(costs);
        cost.is_some_and(|cost| cost <= possible[color.index()])
    };
    let mut way =
        |strays: [SquareSet; 2]| cheap(Color::White, strays[0]) && cheap(Color::Black, strays[1]);
    if any_way(pairs & whites, pairs & blacks, [SquareSet::EMPTY; 2], &mut way) {
        return None;
    }
    Some(Unreachability::Crossed { pawns: pairs, missing: [white.missing, black.missing] })
}

/// Whether `way` accepts some choice of the pawns that strayed from their files. On each file
/// either all white pawns strayed, or one white pawn stayed, and all black pawns that passed it
/// strayed.
fn any_way(
    whites: SquareSet,
    blacks: SquareSet,
    strays: [SquareSet; 2],
    way: &mut impl FnMut([SquareSet; 2]) -> bool,
) -> bool {
    let Some(first) = whites.first() else {
        return way(strays);
    };
    let file = SquareSet::file(first.file());
    let mut next = |[white, black]: [SquareSet; 2]| {
        let all = [strays[0] | white, strays[1] | black];
        any_way(whites - file, blacks, all, way)
    };
    let mut stayed = (whites & file).iter();
    stayed.any(|pawn| next([SquareSet::EMPTY, blacks & below(pawn)]))
        || next([whites & file, SquareSet::EMPTY])
}

/// Rule 14: pawns of the camp must have promoted past enemy pawns that never left their files,
/// which takes captures.
///
/// An enemy pawn never left its file if its side has made too few captures for that.
fn promoted_past(
    evidence: &Evidence<'_>,
    camp: &Camp,
    costs: &mut PawnCosts,
) -> Option<Unreachability> {
    let other = evidence.other(camp);
    let promotions = evidence.promotions(camp.color);
    if promotions == 0 {
        return None;
    }
    let origins = PawnOrigins::new(other).promoting(evidence.promotions(other.color), camp);
    let least = origins.cost(costs)?;
    let mut wall = SquareSet::EMPTY;
    for pawn in other.moved {
        // With two more captures any pawn can leave its file and come back, if it is not on its
        // third rank.
        let has_room = pawn.rank() > 2;
        if has_room && least + 2 <= camp.missing {
            continue;
        }
        let strayed = origins.straying(pawn.into()).cost(costs);
        if strayed.is_none_or(|cost| cost > camp.missing) {
            wall.insert(pawn);
        }
    }
    let files = wall.iter().fold(0, |files, pawn| files | 1 << pawn.file());
    let captures = PawnOrigins::new(camp).promoting(promotions, other).barred(files).cost(costs);
    captures.is_none_or(|captures| captures > other.missing).then_some(
        Unreachability::PromotedPast {
            color: camp.color,
            wall: other.real(wall),
            captures,
            missing: other.missing,
        },
    )
}

/// The squares of the file of the pawn that are nearer to White.
fn below(pawn: Square) -> SquareSet {
    SquareSet::file(pawn.file()) & SquareSet((1 << pawn.index()) - 1)
}

/// Rule 15: enemy pawns that are on the board captured all missing pieces of the camp, a bishop is
/// missing, and none of these captures can have been on a square of its color.
fn bishop_out_of_reach(
    evidence: &Evidence<'_>,
    camp: &Camp,
    costs: &mut PawnCosts,
) -> Option<Unreachability> {
    let captor = evidence.other(camp);
    let bishops = camp.real(camp.pieces(Kind::Bishop));
    if camp.missing == 0 || evidence.captures[captor.color.index()] != Some(camp.missing) {
        return None;
    }
    for light in [true, false] {
        let shade = match light {
            true => SquareSet::LIGHT,
            false => SquareSet::DARK,
        };
        if bishops.intersects(shade) {
            continue;
        }
        let origins = PawnOrigins::new(captor);
        let captured = captor.moved.iter().any(|pawn| {
            let steps = pawn.rank() - 1;
            let on_shade = shade.contains(captor.real_square(pawn));
            (0..8u8).any(|start| {
                let away = start.abs_diff(pawn.file());
                // A pawn that captured with every move captured on squares of one color.
                let possible = away > 0 && (away < steps || away == steps && on_shade);
                possible
                    && origins
                        .starting_on(pawn, start)
                        .cost(costs)
                        .is_some_and(|cost| cost <= camp.missing)
            })
        });
        if !captured {
            return Some(Unreachability::BishopOutOfReach { color: camp.color, light });
        }
    }
    None
}
