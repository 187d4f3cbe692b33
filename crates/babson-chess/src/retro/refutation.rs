//! Whether the board of a position refutes it, without the reasons: rules 1 to 16 of
//! `docs/src/retro.md#reachable`.

use std::ops::ControlFlow::Break;

use super::evidence::Evidence;
use super::memory::Memory;
use super::pawns::PawnCosts;
use super::structure::Structure;
use super::{further, legality, reverse};
use crate::Position;

/// Whether the board of the legal position is a proof against it. With `checks`, a check that no
/// move can have given counts, too.
pub(super) fn refuted(position: &Position, checks: bool, memory: &mut Memory) -> bool {
    answer(position, memory) || checks && position.in_check() && !reverse::has_legal(position)
}

/// [`refuted_by_board`], or its result for a position of the same structure.
fn answer(position: &Position, memory: &mut Memory) -> bool {
    let structure = Structure::of(position, &mut memory.relevant);
    if let Some(answer) = memory.structures.find(&structure) {
        return answer;
    }
    let answer = refuted_by_board(position, &mut memory.costs);
    memory.structures.insert(structure, answer);
    answer
}

/// [`refuted`] without `checks`, and without the memory of structures.
pub(super) fn refuted_by_board(position: &Position, costs: &mut PawnCosts) -> bool {
    if legality::is_crowded(position) {
        return true;
    }
    let evidence = Evidence::new(position, costs);
    let any = evidence.reasons(false, costs, &mut |_| Break(()));
    any.is_break() || further::on_the_board(&evidence, costs).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retro::is_legal;
    use crate::retro::structure::tests::boards;

    #[test]
    fn positions_of_one_structure_have_one_answer() {
        let mut memory = Memory::default();
        let (mut all, mut refuted) = (0, 0);
        boards(5, 60, |board| {
            if is_legal(board) {
                let expected = refuted_by_board(board, &mut PawnCosts::default());
                assert_eq!(answer(board, &mut memory), expected, "{board:?}");
                (all, refuted) = (all + 1, refuted + u32::from(expected));
            }
        });
        assert_eq!((all, refuted), (24_311, 1_079));
    }
}
