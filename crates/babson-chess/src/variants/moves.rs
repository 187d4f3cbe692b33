//! Move generation in variants: the moves of chess, with those that a variant adds or forbids.

use std::ops::ControlFlow;

use crate::movegen::{self, MoveGroup, MoveKind, MoveSelection};
use crate::{Kind, Move, Position, Rules, Square, SquareSet, Variant, attacks};

/// [`movegen::groups`] for a variant: there are no moves if its rule has ended the game.
#[cold]
pub(crate) fn groups(
    position: &Position,
    rules: &Rules,
    selection: MoveSelection,
    f: &mut dyn FnMut(MoveGroup) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if position.end_on_board(rules).is_some() {
        return ControlFlow::Continue(());
    }
    groups_before_end(position, rules, selection, f)
}

/// Whether the side to move is in check and would have no legal move even if the rule of the
/// variant had not ended the game.
#[cold]
pub(crate) fn is_mate(position: &Position, rules: &Rules) -> bool {
    position.in_check()
        && !groups_before_end(
            position,
            rules,
            MoveSelection::LEGAL,
            &mut |_| ControlFlow::Break(()),
        )
        .is_break()
}

/// [`groups`] without the test whether the game is over.
pub(super) fn groups_before_end(
    position: &Position,
    rules: &Rules,
    selection: MoveSelection,
    mut f: &mut dyn FnMut(MoveGroup) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let legal = selection.legal;
    match rules.variant {
        Variant::Crazyhouse => {
            movegen::chess_groups(position, rules, selection, &mut f)?;
            drops(position, selection, f)
        }
        Variant::Atomic if legal => {
            filtered(position, rules, selection, false, f, &|mv| survives(position, rules, mv))
        }
        Variant::RacingKings if legal => filtered(position, rules, selection, true, f, &|mv| {
            !position.make(mv, rules).in_check()
        }),
        Variant::Antichess | Variant::Suicide => {
            let must = legal && must_capture(position, rules, MoveSelection::PSEUDOLEGAL);
            filtered(position, rules, selection, false, f, &|mv| !must || captures(position, mv))
        }
        Variant::Losers if legal => {
            let must = must_capture(position, rules, MoveSelection::LEGAL);
            filtered(position, rules, selection, true, f, &|mv| !must || captures(position, mv))
        }
        Variant::Standard
        | Variant::Chess960
        | Variant::Atomic
        | Variant::Losers
        | Variant::Horde
        | Variant::KingOfTheHill
        | Variant::RacingKings
        | Variant::ThreeCheck => movegen::chess_groups(position, rules, selection, &mut f),
    }
}

/// The moves of chess, legal or pseudolegal, that pass the test.
fn filtered(
    position: &Position,
    rules: &Rules,
    selection: MoveSelection,
    legal: bool,
    f: &mut dyn FnMut(MoveGroup) -> ControlFlow<()>,
    test: &dyn Fn(Move) -> bool,
) -> ControlFlow<()> {
    let kings_are_common = matches!(rules.variant, Variant::Antichess | Variant::Suicide);
    let selection = MoveSelection { legal, ..selection };
    movegen::chess_groups(position, rules, selection, &mut |mut group: MoveGroup| {
        if kings_are_common {
            match group.move_kind {
                MoveKind::Castling => return ControlFlow::Continue(()),
                MoveKind::Normal => group.move_kind = MoveKind::KingPromotion,
                MoveKind::EnPassant | MoveKind::KingPromotion | MoveKind::Drop => {}
            }
        }
        group.to = group.to.iter().filter(|&to| test(group.mv(to))).collect();
        if group.to.is_empty() {
            return ControlFlow::Continue(());
        }
        f(group)
    })
}

/// Whether the move captures.
pub(super) fn captures(position: &Position, mv: Move) -> bool {
    mv.is_en_passant() || !mv.is_castling() && position.occupied().contains(mv.to())
}

/// Whether there is a capture among the moves of chess.
fn must_capture(position: &Position, rules: &Rules, selection: MoveSelection) -> bool {
    let enemy = position.color(position.side().not());
    let passed = position.ep().map_or(SquareSet::EMPTY, SquareSet::from);
    let to = enemy | passed;
    let selection = MoveSelection { to, ..selection };
    movegen::chess_groups(position, rules, selection, &mut |group: MoveGroup| {
        // The target of a castling group is the square of the rook.
        let captures = match group.move_kind {
            MoveKind::EnPassant => true,
            MoveKind::Castling => false,
            MoveKind::Normal | MoveKind::KingPromotion | MoveKind::Drop => {
                group.to.intersects(enemy)
            }
        };
        if captures { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .is_break()
}

/// Whether a move of Atomic does not explode the own king and does not leave it attacked. An attack
/// does not matter if the move explodes the other king.
fn survives(position: &Position, rules: &Rules, mv: Move) -> bool {
    let us = position.side();
    let next = position.make(mv, rules);
    !next.pieces(us, Kind::King).is_empty()
        && (next.pieces(us.not(), Kind::King).is_empty() || !next.is_attacked_king(us))
}

/// The drops of the pieces in the pocket on empty squares. A legal drop in check must stand between
/// the checker and the king.
fn drops(
    position: &Position,
    selection: MoveSelection,
    f: &mut dyn FnMut(MoveGroup) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // A drop has no origin.
    if selection.from != SquareSet::ALL {
        return ControlFlow::Continue(());
    }
    let us = position.side();
    let mut empty = !position.occupied() & selection.to;
    if selection.legal
        && position.in_check()
        && let Some(king) = position.king(us)
    {
        for checker in position.checkers() {
            empty &= attacks::between(king, checker);
        }
    }
    for kind in [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        let to = if kind == Kind::Pawn { empty - SquareSet::BACK_RANKS } else { empty };
        if position.pocket(us, kind) > 0 && !to.is_empty() {
            f(MoveGroup { kind, from: Square::A1, to, move_kind: MoveKind::Drop })?;
        }
    }
    ControlFlow::Continue(())
}
