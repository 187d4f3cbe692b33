//! Generation: that of chess, with what each variant adds or forbids.

use std::ops::ControlFlow;

use crate::movegen::{self, Group, Special, Wanted};
use crate::{Kind, Move, Position, Rules, Square, SquareSet, Variant, attacks};

/// The groups of wanted moves: none when the variant's rule has ended the game.
#[cold]
pub(crate) fn groups(
    position: &Position,
    rules: &Rules,
    wanted: Wanted,
    f: &mut dyn FnMut(Group) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if position.end_on_board(rules).is_some() {
        return ControlFlow::Continue(());
    }
    unended(position, rules, wanted, f)
}

/// Whether the side to move is in check and has no legal move, even if its game were not over.
#[cold]
pub(crate) fn is_mate(position: &Position, rules: &Rules) -> bool {
    position.in_check()
        && !unended(position, rules, Wanted::LEGAL, &mut |_| ControlFlow::Break(())).is_break()
}

/// [`groups`] that does not ask whether the game is over.
pub(super) fn unended(
    position: &Position,
    rules: &Rules,
    wanted: Wanted,
    mut f: &mut dyn FnMut(Group) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let legal = wanted.legal;
    match rules.variant {
        Variant::Crazyhouse => {
            movegen::chess_groups(position, rules, wanted, &mut f)?;
            drops(position, wanted, f)
        }
        Variant::Atomic if legal => {
            filtered(position, rules, wanted, false, f, &|mv| survives(position, rules, mv))
        }
        Variant::RacingKings if legal => {
            filtered(position, rules, wanted, true, f, &|mv| !position.make(mv, rules).in_check())
        }
        Variant::Antichess | Variant::Suicide => {
            let must = legal && must_capture(position, rules, Wanted::PSEUDOLEGAL);
            filtered(position, rules, wanted, false, f, &|mv| !must || captures(position, mv))
        }
        Variant::Losers if legal => {
            let must = must_capture(position, rules, Wanted::LEGAL);
            filtered(position, rules, wanted, true, f, &|mv| !must || captures(position, mv))
        }
        _ => movegen::chess_groups(position, rules, wanted, &mut f),
    }
}

/// The moves of chess, legal ones or all, that pass the test.
fn filtered(
    position: &Position,
    rules: &Rules,
    wanted: Wanted,
    legal: bool,
    f: &mut dyn FnMut(Group) -> ControlFlow<()>,
    test: &dyn Fn(Move) -> bool,
) -> ControlFlow<()> {
    let common = matches!(rules.variant, Variant::Antichess | Variant::Suicide);
    let wanted = Wanted { legal, ..wanted };
    movegen::chess_groups(position, rules, wanted, &mut |mut group: Group| {
        if common {
            match group.special {
                Special::Castling => return ControlFlow::Continue(()),
                Special::None => group.special = Special::Common,
                _ => {}
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
fn must_capture(position: &Position, rules: &Rules, wanted: Wanted) -> bool {
    let enemy = position.color(position.side().not());
    let passed = position.ep().map_or(SquareSet::EMPTY, SquareSet::from);
    let to = enemy | passed;
    let wanted = Wanted { to, ..wanted };
    movegen::chess_groups(position, rules, wanted, &mut |group: Group| {
        // A castling group holds the rook's square.
        let captures = match group.special {
            Special::EnPassant => true,
            Special::Castling => false,
            _ => group.to.intersects(enemy),
        };
        if captures { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .is_break()
}

/// Whether an atomic move spares the own king and leaves it safe, unless the other king is gone.
fn survives(position: &Position, rules: &Rules, mv: Move) -> bool {
    let us = position.side();
    let next = position.make(mv, rules);
    !next.pieces(us, Kind::King).is_empty()
        && (next.pieces(us.not(), Kind::King).is_empty() || !next.is_attacked_king(us))
}

/// The men of the pocket on all empty squares; in check, if that matters, only between.
fn drops(
    position: &Position,
    wanted: Wanted,
    f: &mut dyn FnMut(Group) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // A drop comes from nowhere.
    if wanted.from != SquareSet::ALL {
        return ControlFlow::Continue(());
    }
    let us = position.side();
    let mut empty = !position.occupied() & wanted.to;
    if wanted.legal
        && position.in_check()
        && let Some(king) = position.king(us)
    {
        for checker in position.checkers() {
            empty &= attacks::between(king, checker);
        }
    }
    for kind in [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        let to = match kind {
            Kind::Pawn => empty - SquareSet::BACK_RANKS,
            _ => empty,
        };
        if position.pocket(us, kind) > 0 && !to.is_empty() {
            f(Group { kind, from: Square::A1, to, special: Special::Drop })?;
        }
    }
    ControlFlow::Continue(())
}
