//! Making a move by the rules of a variant.

use super::moves::captures;
use crate::{Color, Kind, Move, Piece, Position, Rules, SquareSet, Variant, attacks};

/// The position after the move (see [`Position::make`]).
#[cold]
pub(crate) fn make(position: &Position, mv: Move, rules: &Rules) -> Position {
    let mut next = position.make_as_chess(mv, rules);
    match rules.variant {
        Variant::Crazyhouse => update_pockets(position, mv, &mut next),
        Variant::Atomic if !mv.is_null() && captures(position, mv) => {
            explode(position, mv, rules, &mut next);
        }
        Variant::ThreeCheck if !mv.is_null() && next.in_check() => {
            let us = position.side();
            next.set_checks_left(us, next.checks_left(us).saturating_sub(1));
        }
        Variant::Standard
        | Variant::Chess960
        | Variant::Atomic
        | Variant::Antichess
        | Variant::Suicide
        | Variant::Losers
        | Variant::Horde
        | Variant::KingOfTheHill
        | Variant::RacingKings
        | Variant::ThreeCheck => {}
    }
    next
}

/// Updates the pockets and the marks of promoted pieces after the move (Crazyhouse).
fn update_pockets(position: &Position, mv: Move, next: &mut Position) {
    let us = position.side();
    if mv.is_null() {
        return;
    }
    if let Some(kind) = mv.dropped() {
        next.put(mv.to(), Some(Piece::new(us, kind)));
        next.set_pocket(us, kind, position.pocket(us, kind).saturating_sub(1));
        if kind == Kind::Pawn {
            next.set_half_moves(0);
        }
        next.refresh();
        return;
    }
    let promoted = position.promoted();
    if captures(position, mv) {
        let victim = mv.en_passant_victim().unwrap_or(mv.to());
        let kind = match position.kind_at(victim) {
            Some(_) if promoted.contains(victim) => Kind::Pawn,
            Some(kind) => kind,
            None => Kind::King,
        };
        if kind != Kind::King {
            next.set_pocket(us, kind, position.pocket(us, kind) + 1);
        }
    }
    if promoted.contains(mv.from()) || mv.promotion().is_some() {
        next.set_promoted(next.promoted() | mv.to().into());
    }
}

/// Removes the capturing piece and all pieces around it other than pawns (Atomic).
fn explode(position: &Position, mv: Move, rules: &Rules, next: &mut Position) {
    let center = mv.to();
    let around = attacks::king(center) & (next.occupied() - next.kind(Kind::Pawn));
    let mut rights = next.castling();
    for square in around | SquareSet::from(center) {
        rights = rights.without(position.lost_rights(square, rules));
        next.put(square, None);
    }
    // A side whose king has exploded loses its castling rights.
    for color in Color::ALL {
        if next.king(color).is_none() {
            for side in crate::CastlingSide::ALL {
                rights = rights.without(crate::CastlingRights::of(color, side));
            }
        }
    }
    next.set_castling(rights);
}
