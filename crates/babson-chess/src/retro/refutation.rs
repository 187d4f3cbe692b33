//! Whether the board of a position refutes it, without the reasons: rules 1 to 16 of
//! `docs/src/retro.md#reachable`.

use std::ops::ControlFlow::Break;

use super::evidence::Evidence;
use super::{further, legality, reverse, structure};
use crate::Position;

/// Whether the board of the legal position is a proof against it. With `checks`, a check that no
/// move can have given counts, too.
pub(super) fn refuted(position: &Position, checks: bool) -> bool {
    structure::answer(position, || refuted_by_board(position))
        || checks && position.in_check() && !reverse::has_legal(position)
}

/// [`refuted`] without `checks`, and without the memory of structures.
pub(super) fn refuted_by_board(position: &Position) -> bool {
    if legality::is_crowded(position) {
        return true;
    }
    let evidence = Evidence::new(position);
    let any = evidence.reasons(false, &mut |_| Break(()));
    any.is_break() || further::on_the_board(&evidence).is_some()
}
