//! Patterns that no game can have led to (rules 5, 6 and 10 to 12 of
//! `docs/src/retro.md#reachable`).

use std::ops::ControlFlow::{self, Continue};

use super::camp::Camp;
use super::verdict::Unreachability;
use crate::{Color, Kind, Position, Square, SquareSet};

/// Rule 5: king and queen on each other's squares, behind pawns and bishops that never moved.
pub(super) fn swapped_royals(camp: &Camp) -> bool {
    camp.men(Kind::King).contains(Square::D1)
        && camp.men(Kind::Queen).contains(Square::E1)
        && SquareSet(0b0010_0100).is_subset(camp.men(Kind::Bishop))
        && camp.home & 0x7e == 0x7e
}

/// Rule 6: the king on its last two ranks, which pawns that never moved have always guarded.
pub(super) fn king_without_path(camp: &Camp, other: &Camp) -> Option<Square> {
    let guarded = other.home << 1 | other.home >> 1;
    let king = camp.men(Kind::King) & (SquareSet::rank(6) | SquareSet::rank(7));
    king.first().filter(|_| guarded == 0xff).map(|king| camp.real_square(king))
}

/// Rule 10: where `other` captured all of the camp's pieces, if these are squares of one color and
/// the camp misses the bishop of the other color.
pub(super) fn bishop_color(camp: &Camp, other: &Camp) -> Option<Unreachability> {
    // A pawn before one that never moved has captured onto its square.
    let files = other.third & other.home;
    if files == 0 || files.count_ones() != camp.missing {
        return None;
    }
    let captures = other.real(SquareSet(u64::from(files) << 16));
    let bishops = camp.real(camp.men(Kind::Bishop));
    let light = !captures.intersects(SquareSet::LIGHT);
    let own = if light { SquareSet::LIGHT } else { SquareSet::DARK };
    if captures.intersects(own) || bishops.intersects(own) {
        return None;
    }
    Some(Unreachability::BishopColor { color: camp.color, light, captures })
}

/// Rule 11: nothing but knights, corner rooks and edge pawns by single steps can have moved, so
/// each move changed the number of pieces on light squares by one.
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

/// Rule 12: bishops on a first rank that could neither come nor be promoted there, by square.
pub(super) fn trapped_bishops(
    camps: &[Camp; 2],
    found: &mut impl FnMut(Color, Square) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for owner in camps {
        let other = &camps[owner.color.not().index()];
        let shut = owner.between_home();
        if shut == 0 {
            continue;
        }
        // c1 and f1 are where the own bishops begin.
        let own = owner.men(Kind::Bishop).0 as u8 & shut & !0b0010_0100;
        let enemy = owner.real(other.real(other.men(Kind::Bishop))).0 as u8 & shut & owner.home;
        for square in SquareSet((own | enemy).into()) {
            let color = match own >> square.file() & 1 {
                0 => other.color,
                _ => owner.color,
            };
            found(color, owner.real_square(square))?;
        }
    }
    Continue(())
}

/// Rule 12: rooks shut in between a pawn before and a bishop behind them.
pub(super) fn trapped_rooks(
    camps: &[Camp; 2],
    found: &mut impl FnMut(Color, Square) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for owner in camps {
        let shut = owner.between_home() & owner.third;
        if shut == 0 {
            continue;
        }
        let other = &camps[owner.color.not().index()];
        let theirs = |kind| owner.real(other.real(other.men(kind)));
        let bishops = (owner.men(Kind::Bishop) | theirs(Kind::Bishop)).0 as u8;
        let files = SquareSet(u64::from(shut & bishops) << 8);
        for square in files & (owner.men(Kind::Rook) | theirs(Kind::Rook)) {
            let own = owner.men(Kind::Rook).contains(square);
            let color = if own { owner.color } else { other.color };
            found(color, owner.real_square(square))?;
        }
    }
    Continue(())
}

/// Rule 12: rooks on the wrong side of a wall of eight pawns that never opened.
pub(super) fn rooks_past_the_wall(
    owner: &Camp,
    other: &Camp,
    found: &mut impl FnMut(Unreachability) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let wall = owner.home ^ owner.third == 0xff
        && owner.home & owner.third == 0
        && owner.moved.len() == owner.third.count_ones();
    // Two captures by neighbours can open a wall and close it again.
    if !wall || other.missing >= 2 && owner.third & owner.third >> 1 != 0 {
        return Continue(());
    }
    let behind = SquareSet::rank(0) | SquareSet::rank(1);
    let mut escaped = |camp: &Camp, rooks: SquareSet| {
        found(Unreachability::EscapedRooks { color: camp.color, rooks })
    };
    let out = owner.real(owner.men(Kind::Rook) - behind);
    if !out.is_empty() {
        escaped(owner, out)?;
    }
    let rooks = other.real(other.men(Kind::Rook));
    let out = rooks - owner.real(behind);
    if out.len() > 2 {
        escaped(other, out)?;
    }
    let entrenched = rooks & owner.real(behind);
    if !entrenched.is_empty() && (other.missing_pawns == 0 || owner.missing == 0) {
        found(Unreachability::EntrenchedRooks { color: other.color, rooks: entrenched })?;
    }
    Continue(())
}
