//! Patterns of pieces that no game leads to (rules 5, 6 and 10 to 12 of
//! `docs/src/retro.md#reachable`).

use std::ops::ControlFlow::{self, Continue};

use super::camp::Camp;
use super::verdict::Unreachability;
use crate::{Color, Kind, Position, Square, SquareSet};

/// Rule 5: king and queen are on each other's start square, behind pawns and bishops that never
/// moved.
pub(super) fn swapped_royals(camp: &Camp) -> bool {
    camp.pieces(Kind::King).contains(Square::D1)
        && camp.pieces(Kind::Queen).contains(Square::E1)
        && SquareSet(0b0010_0100).is_subset(camp.pieces(Kind::Bishop))
        && camp.home & 0x7e == 0x7e
}

/// Rule 6: the king is on its last two ranks, behind a rank that enemy pawns have always guarded.
pub(super) fn king_without_path(camp: &Camp, other: &Camp) -> Option<Square> {
    let guarded = other.home << 1 | other.home >> 1;
    let king = camp.pieces(Kind::King) & (SquareSet::rank(6) | SquareSet::rank(7));
    king.first().filter(|_| guarded == 0xff).map(|king| camp.real_square(king))
}

/// Rule 10: pawns of `other` captured all missing pieces of the camp on squares of one color, but
/// the bishop on squares of the other color is missing.
pub(super) fn bishop_color(camp: &Camp, other: &Camp) -> Option<Unreachability> {
    // A pawn in front of one that never moved has captured on its square.
    let files = other.third & other.home;
    if files == 0 || files.count_ones() != camp.missing {
        return None;
    }
    let captures = other.real(SquareSet(u64::from(files) << 16));
    let bishops = camp.real(camp.pieces(Kind::Bishop));
    let light = !captures.intersects(SquareSet::LIGHT);
    let own = if light { SquareSet::LIGHT } else { SquareSet::DARK };
    if captures.intersects(own) || bishops.intersects(own) {
        return None;
    }
    Some(Unreachability::BishopColor { color: camp.color, light, captures })
}

/// Rule 11: only knights, rooks in their corners and edge pawns by single steps can have moved.
/// Each such move changes the number of pieces on light squares by one, so that number tells the
/// side to move.
pub(super) fn wrong_parity(position: &Position, camps: &[Camp; 2]) -> bool {
    let still = |camp: &Camp| {
        camp.missing == 0
            && camp.home & 0x7e == 0x7e
            && (camp.home | camp.third) == 0xff
            && camp.moved.len() == (camp.third & 0x81).count_ones()
    };
    if !camps.iter().all(still) {
        return false;
    }
    let light = (position.occupied() & SquareSet::LIGHT).len();
    light.is_multiple_of(2) != (position.side() == Color::White)
}

/// Rule 12: bishops on a first rank that can neither have moved nor have promoted there, in the
/// order of their squares.
pub(super) fn trapped_bishops(
    camps: &[Camp; 2],
    report: &mut impl FnMut(Color, Square) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for owner in camps {
        let other = &camps[owner.color.not().index()];
        let shut = owner.between_home();
        if shut == 0 {
            continue;
        }
        // The bishops of the owner start on c1 and f1.
        let own = owner.pieces(Kind::Bishop).0 as u8 & shut & !0b0010_0100;
        let enemy = owner.real(other.real(other.pieces(Kind::Bishop))).0 as u8 & shut & owner.home;
        for square in SquareSet((own | enemy).into()) {
            let color = match own >> square.file() & 1 {
                0 => other.color,
                _ => owner.color,
            };
            report(color, owner.real_square(square))?;
        }
    }
    Continue(())
}

/// Rule 12: rooks between a pawn in front of them and a bishop behind them, with pawns that never
/// moved on both sides.
pub(super) fn trapped_rooks(
    camps: &[Camp; 2],
    report: &mut impl FnMut(Color, Square) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for owner in camps {
        let shut = owner.between_home() & owner.third;
        if shut == 0 {
            continue;
        }
        let other = &camps[owner.color.not().index()];
        let theirs = |kind| owner.real(other.real(other.pieces(kind)));
        let bishops = (owner.pieces(Kind::Bishop) | theirs(Kind::Bishop)).0 as u8;
        let files = SquareSet(u64::from(shut & bishops) << 8);
        for square in files & (owner.pieces(Kind::Rook) | theirs(Kind::Rook)) {
            let own = owner.pieces(Kind::Rook).contains(square);
            let color = if own { owner.color } else { other.color };
            report(color, owner.real_square(square))?;
        }
    }
    Continue(())
}

/// Rule 12: rooks on the wrong side of a wall of eight pawns that was never open.
pub(super) fn rooks_past_the_wall(
    owner: &Camp,
    other: &Camp,
    report: &mut impl FnMut(Unreachability) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let wall = owner.home ^ owner.third == 0xff
        && owner.home & owner.third == 0
        && owner.moved.len() == owner.third.count_ones();
    // Two captures by pawns of neighboring files can open a wall and close it again.
    if !wall || other.missing >= 2 && owner.third & owner.third >> 1 != 0 {
        return Continue(());
    }
    let behind = SquareSet::rank(0) | SquareSet::rank(1);
    let mut escaped = |camp: &Camp, rooks: SquareSet| {
        report(Unreachability::EscapedRooks { color: camp.color, rooks })
    };
    let out = owner.real(owner.pieces(Kind::Rook) - behind);
    if !out.is_empty() {
        escaped(owner, out)?;
    }
    let rooks = other.real(other.pieces(Kind::Rook));
    let out = rooks - owner.real(behind);
    if out.len() > 2 {
        escaped(other, out)?;
    }
    let entrenched = rooks & owner.real(behind);
    if !entrenched.is_empty() && (other.missing_pawns == 0 || owner.missing == 0) {
        report(Unreachability::EntrenchedRooks { color: other.color, rooks: entrenched })?;
    }
    Continue(())
}
