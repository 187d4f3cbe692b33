//! Proofs beyond those of CQLi: rules 13 to 18 of `docs/src/retro.md#reachable`.

use std::ops::ControlFlow::{Break, Continue};

use super::analysis::{Evidence, refuted};
use super::camp::Camp;
use super::pawns::Origins;
use super::verdict::Unreachability;
use super::{reverse, structure};
use crate::{Color, Kind, Position, Square, SquareSet, attacks};

/// What the men on the board alone tell, if rules 1 to 12 are silent.
pub(super) fn on_the_board(evidence: &Evidence<'_>) -> Option<Unreachability> {
    let mut camps = evidence.camps.iter();
    crossed(evidence).or_else(|| {
        camps.find_map(|camp| {
            promoted_past(evidence, camp)
                .or_else(|| bishop_out_of_reach(evidence, camp))
                .or_else(|| behind_closed_doors(evidence, camp))
        })
    })
}

/// Men on a stretch of the camp's first rank that only knights can have left or entered: they must
/// be among those that began there, and the king must be there if it began there.
fn behind_closed_doors(evidence: &Evidence<'_>, camp: &Camp) -> Option<Unreachability> {
    let other = evidence.other(camp);
    // In the camp's view, on its first rank.
    let ours = |kind| camp.men(kind).0 as u8;
    let theirs = |kind| camp.real(other.real(other.men(kind))).0 as u8;
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
            wrong |= camp.men(Kind::King);
        }
        if !wrong.is_empty() {
            return Some(Unreachability::ClosedArea {
                color: camp.color,
                area: camp.real(SquareSet(area.into())),
                men: camp.real(wrong),
            });
        }
    }
    None
}

/// A white and a black pawn that have passed each other on their file: one of them has left it and
/// come back, or began elsewhere. Whichever it was of each such pair, it takes too many captures.
fn crossed(evidence: &Evidence<'_>) -> Option<Unreachability> {
    let [white, black] = &evidence.camps;
    let (whites, blacks) = (white.moved, black.real(black.moved));
    // What lies behind a pawn on its file.
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
        Origins::new(camp).promoting(promotions, evidence.other(camp))
    });
    let possible = [black.missing, white.missing];
    // Two captures more bring any pawn that has the time for them off its file and back.
    for (camp, origins) in evidence.camps.iter().zip(&origins) {
        let strays = camp.real(pairs) & camp.moved;
        let time = !strays.intersects(SquareSet::rank(2));
        let least = origins.cost()?;
        if time && least + 2 * strays.len() <= possible[camp.color.index()] {
            return None;
        }
    }
    let cheap = |color: Color, strays: SquareSet| {
        let camp = &evidence.camps[color.index()];
        let cost = origins[color.index()].straying(camp.real(strays)).cost();
        cost.is_some_and(|cost| cost <= possible[color.index()])
    };
    let way =
        |strays: [SquareSet; 2]| cheap(Color::White, strays[0]) && cheap(Color::Black, strays[1]);
    if any_way(pairs & whites, pairs & blacks, [SquareSet::EMPTY; 2], &way) {
        return None;
    }
    Some(Unreachability::Crossed { pawns: pairs, missing: [white.missing, black.missing] })
}

/// Whether `way` accepts who left the file, for some choice in each file. Either all the white
/// pawns of the file did; or one did not, and then all the black ones that passed that one.
fn any_way(
    whites: SquareSet,
    blacks: SquareSet,
    strays: [SquareSet; 2],
    way: &impl Fn([SquareSet; 2]) -> bool,
) -> bool {
    let Some(first) = whites.first() else {
        return way(strays);
    };
    let file = SquareSet::file(first.file());
    let next = |[white, black]: [SquareSet; 2]| {
        let all = [strays[0] | white, strays[1] | black];
        any_way(whites - file, blacks, all, way)
    };
    let mut stayed = (whites & file).iter();
    stayed.any(|pawn| next([SquareSet::EMPTY, blacks & below(pawn)]))
        || next([whites & file, SquareSet::EMPTY])
}

/// The camp's pawns have promoted beyond pawns that never left their files: none of these went all
/// the way on its own file, and this takes captures.
///
/// A pawn of the other side never left its file if its side has not captured often enough for
/// that.
fn promoted_past(evidence: &Evidence<'_>, camp: &Camp) -> Option<Unreachability> {
    let other = evidence.other(camp);
    let promotions = evidence.promotions(camp.color);
    if promotions == 0 {
        return None;
    }
    let origins = Origins::new(other).promoting(evidence.promotions(other.color), camp);
    let least = origins.cost()?;
    let mut wall = SquareSet::EMPTY;
    for pawn in other.moved {
        // Two captures more bring any pawn that has the time for them off its file and back.
        let time = pawn.rank() > 2;
        if time && least + 2 <= camp.missing {
            continue;
        }
        let strayed = origins.straying(pawn.into()).cost();
        if strayed.is_none_or(|cost| cost > camp.missing) {
            wall.insert(pawn);
        }
    }
    let files = wall.iter().fold(0, |files, pawn| files | 1 << pawn.file());
    let captures = Origins::new(camp).promoting(promotions, other).barred(files).cost();
    captures.is_none_or(|captures| captures > other.missing).then_some(
        Unreachability::PromotedPast {
            color: camp.color,
            wall: other.real(wall),
            captures,
            missing: other.missing,
        },
    )
}

/// The squares of the file nearer to White.
fn below(pawn: Square) -> SquareSet {
    SquareSet::file(pawn.file()) & SquareSet((1 << pawn.index()) - 1)
}

/// The other side's pawns that are on the board captured all that the camp misses; but a bishop is
/// gone, and none of their captures can have been on a square of its colour.
fn bishop_out_of_reach(evidence: &Evidence<'_>, camp: &Camp) -> Option<Unreachability> {
    let captor = evidence.other(camp);
    let bishops = camp.real(camp.men(Kind::Bishop));
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
        let origins = Origins::new(captor);
        let captured = captor.moved.iter().any(|pawn| {
            let steps = pawn.rank() - 1;
            let on_shade = shade.contains(captor.real_square(pawn));
            (0..8u8).any(|start| {
                let away = start.abs_diff(pawn.file());
                // A pawn that went diagonally all the way captured on squares of one colour.
                let can = away > 0 && (away < steps || away == steps && on_shade);
                can && origins.begun(pawn, start).cost().is_some_and(|cost| cost <= camp.missing)
            })
        });
        if !captured {
            return Some(Unreachability::BishopOutOfReach { color: camp.color, light });
        }
    }
    None
}

/// Whether a piece can have made a last move that neither captured nor gave check nor got its king
/// out of one, between squares on which it matters to no argument: what is not known against
/// the position is not known against the one before either. Most positions have such a past, and
/// it is found without making a board.
fn has_quiet_past(position: &Position) -> bool {
    let us = position.side().not();
    let (Some(king), Some(other)) = (position.king(us), position.king(us.not())) else {
        return false;
    };
    // Outside chess an attacked king is not always in check.
    let attacked = || !position.is_ordinary() && !position.checkers().is_empty();
    if position.in_check() || attacked() {
        return false;
    }
    let occupied = position.occupied();
    // Where all pieces are on the board and only pawns of the outer files have moved, the parity of
    // moves may speak against what was before.
    let inner = SquareSet(0x007e_0000_0000_7e00);
    if inner.is_subset(position.kind(Kind::Pawn)) && occupied.len() >= 32 {
        return false;
    }
    let relevant = structure::relevant(position);
    let queens = position.kind(Kind::Queen);
    let straight = position.kind(Kind::Rook) | queens;
    let diagonal = position.kind(Kind::Bishop) | queens;
    // Sliders of a colour that attack the king of the other one.
    let hit = |king: Square, color: Color, occupied: SquareSet| {
        let sliders =
            attacks::rook(king, occupied) & straight | attacks::bishop(king, occupied) & diagonal;
        (sliders & occupied).intersects(position.color(color))
    };
    let kinds = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
    kinds.into_iter().any(|kind| {
        let free = !relevant[kind.index()];
        (position.pieces(us, kind) & free).iter().any(|to| {
            let origins = attacks::of(kind, us, to, occupied) & (free - occupied);
            let left = occupied - SquareSet::of(to);
            // From where it was it gives no check, and it stood in no line that its move closed.
            let checking = attacks::of(kind, us, other, left);
            (origins - checking).iter().any(|from| {
                let before = left | SquareSet::of(from);
                !hit(king, us.not(), before) && !hit(other, us, before)
            })
        })
    })
}

/// What the last move tells of the legal position: there must be one, and it must come from a
/// position against which nothing is known. Nothing is known against the position itself but for
/// that.
pub(super) fn in_the_past(position: &Position) -> Option<Unreachability> {
    match has_quiet_past(position) {
        true => None,
        false => tried_past(position),
    }
}

/// [`in_the_past`], by trying all moves back.
fn tried_past(position: &Position) -> Option<Unreachability> {
    let mut any = false;
    let sound = reverse::try_legal(position, &mut |_, before| {
        any = true;
        match refuted(before, true) {
            true => Continue(()),
            false => Break(()),
        }
    });
    if sound.is_break()
        || position.side() == Color::White && position.same_placement(&Position::start())
    {
        return None;
    }
    let color = position.side().not();
    Some(match (any, position.in_check()) {
        (true, _) => Unreachability::UnreachablePast(color),
        (false, true) => Unreachability::ImpossibleCheck(position.side()),
        (false, false) => Unreachability::NoLastMove(color),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retro::analysis::refuted_by_men;
    use crate::retro::{is_legal, structure};

    #[test]
    fn a_quiet_past_is_one_that_is_found_by_trying() {
        let asked = std::cell::Cell::new((0, 0));
        structure::tests::boards(11, 40, |board| {
            if is_legal(board) && !refuted_by_men(board) {
                let (all, quiet) = asked.get();
                let found = has_quiet_past(board);
                assert!(!found || tried_past(board).is_none(), "{board:?}");
                asked.set((all + 1, quiet + u32::from(found)));
            }
        });
        let (all, quiet) = asked.get();
        assert_eq!((quiet, all), (14_148, 15_598));
    }
}
