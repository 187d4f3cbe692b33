//! Counting the leaves of the move tree, the standard test of move generation.

use crate::{Move, Position, Rules};

/// The number of sequences of `depth` legal moves.
///
/// ```
/// use babson_chess::{perft, Position, Rules};
/// assert_eq!(perft::perft(&Position::start(), &Rules::STANDARD, 3), 8902);
/// ```
pub fn perft(position: &Position, rules: &Rules, depth: u32) -> u64 {
    count(position, rules, depth)
}

/// [`perft`] for each first move, in the order of generation. Depth 0 counts as 1.
pub fn divide(position: &Position, rules: &Rules, depth: u32) -> Vec<(Move, u64)> {
    let moves = position.legal_moves(rules);
    let leaves = |mv| count(&position.make(mv, rules), rules, depth.saturating_sub(1));
    moves.iter().map(|&mv| (mv, leaves(mv))).collect()
}

fn count(position: &Position, rules: &Rules, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal(rules)),
        _ => {
            let moves = position.legal_moves(rules);
            moves.iter().map(|&mv| count(&position.make(mv, rules), rules, depth - 1)).sum()
        }
    }
}
