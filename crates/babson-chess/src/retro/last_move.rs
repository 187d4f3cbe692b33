//! The last move before a position: rules 17 and 18 of `docs/src/retro.md#reachable`.

use std::ops::ControlFlow::{Break, Continue};

use super::memory::Memory;
use super::refutation::refuted;
use super::reverse;
use super::structure::RelevantSquares;
use super::verdict::Unreachability;
use crate::{Color, Kind, Position, Square, SquareSet, attacks};

/// Whether a piece can have made a quiet last move: no capture, no check and no answer to a check,
/// between two squares on which no argument depends on the piece. Then no argument refutes the
/// position before that move if none refutes this one. Most positions have such a move, and the
/// test makes no board.
fn has_quiet_past(position: &Position, relevant: &mut RelevantSquares) -> bool {
    let us = position.side().not();
    let (Some(king), Some(other)) = (position.king(us), position.king(us.not())) else {
        return false;
    };
    // In some variants an attacked king is not always in check.
    let attacked = || !position.is_ordinary() && !position.checkers().is_empty();
    if position.in_check() || attacked() {
        return false;
    }
    let occupied = position.occupied();
    // If all pieces are on the board and only pawns on the a- and h-files have moved, rule 11 may
    // refute the position before the move.
    let inner = SquareSet(0x007e_0000_0000_7e00);
    if inner.is_subset(position.kind(Kind::Pawn)) && occupied.len() >= 32 {
        return false;
    }
    let relevant = relevant.of(position);
    let queens = position.kind(Kind::Queen);
    let straight = position.kind(Kind::Rook) | queens;
    let diagonal = position.kind(Kind::Bishop) | queens;
    // Whether sliders of the color attack the king.
    let is_attacked = |king: Square, color: Color, occupied: SquareSet| {
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
            // The piece gave no check from its origin, and its move closed no line to a king.
            let checking = attacks::of(kind, us, other, left);
            (origins - checking).iter().any(|from| {
                let before = left | SquareSet::of(from);
                !is_attacked(king, us.not(), before) && !is_attacked(other, us, before)
            })
        })
    })
}

/// Rules 17 and 18: there must be a last move, and it must lead from a position that no argument
/// refutes. The position itself is legal and not refuted.
pub(super) fn impossible_last_move(
    position: &Position,
    memory: &mut Memory,
) -> Option<Unreachability> {
    match has_quiet_past(position, &mut memory.relevant) {
        true => None,
        false => refuted_by_retractions(position, memory),
    }
}

/// [`impossible_last_move`], which tries all retractions.
fn refuted_by_retractions(position: &Position, memory: &mut Memory) -> Option<Unreachability> {
    let mut any = false;
    let found = reverse::try_legal(position, &mut |_, before| {
        any = true;
        match refuted(before, true, memory) {
            true => Continue(()),
            false => Break(()),
        }
    });
    if found.is_break()
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
    use crate::retro::refutation::refuted_by_board;
    use crate::retro::{is_legal, structure};

    #[test]
    fn a_quiet_last_move_is_among_the_retractions() {
        let mut memory = Memory::default();
        let (mut all, mut quiet) = (0, 0);
        structure::tests::boards(11, 40, |board| {
            if is_legal(board) && !refuted_by_board(board, &mut memory.costs) {
                let found = has_quiet_past(board, &mut memory.relevant);
                let refuted = refuted_by_retractions(board, &mut memory);
                assert!(!found || refuted.is_none(), "{board:?}");
                (all, quiet) = (all + 1, quiet + u32::from(found));
            }
        });
        assert_eq!((quiet, all), (14_148, 15_598));
    }
    #[test]
    fn a_move_that_closed_a_line_to_a_king_is_not_quiet() {
        let mut relevant = RelevantSquares::default();
        let mut has_quiet = |fen: &str| {
            let (position, _) = crate::fen::parse(fen).expect(fen);
            has_quiet_past(&position, &mut relevant)
        };
        // The knight is the only piece that can have moved. It answered a check.
        for (closed, open) in [
            ("7k/6n1/8/8/8/8/1B6/K7 w", "7k/6n1/8/8/8/8/2B5/K7 w"),
            ("7k/6n1/8/8/8/8/1Q6/K7 w", "7k/6n1/8/8/8/8/2Q5/K7 w"),
            ("7k/8/7n/8/8/8/8/K6R w", "7k/8/7n/8/8/8/8/K5R1 w"),
            ("7k/8/7n/8/8/8/8/K6Q w", "7k/8/7n/8/8/8/8/K5Q1 w"),
        ] {
            assert!(!has_quiet(closed), "{closed}");
            assert!(has_quiet(open), "{open}");
        }
        // Before a move of the knight the king could have been taken.
        assert!(!has_quiet("7K/4p1n1/5b2/4p1p1/8/8/8/k7 w"));
        assert!(!has_quiet("7K/8/7n/6pr/7p/8/8/k7 w"));
    }
}
