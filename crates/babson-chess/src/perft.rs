//! Counting the leaves of the move tree, the standard test of move generation.

use crate::{Move, Position, Rules, UnsupportedVariant};

/// The number of sequences of `depth` legal moves. An error if the rules of the variant are not
/// built in.
///
/// ```
/// use babson_chess::{perft, Position, Rules};
/// assert_eq!(perft::perft(&Position::start(), &Rules::STANDARD, 3), Ok(8902));
/// ```
pub fn perft(position: &Position, rules: &Rules, depth: u32) -> Result<u64, UnsupportedVariant> {
    rules.check_supported()?;
    Ok(count(position, rules, depth))
}

/// [`perft`] for each first move, in the order of generation. Depth 0 counts as 1.
pub fn divide(
    position: &Position,
    rules: &Rules,
    depth: u32,
) -> Result<Vec<(Move, u64)>, UnsupportedVariant> {
    rules.check_supported()?;
    let moves = position.legal_moves(rules);
    let leaves = |mv| count(&position.make(mv, rules), rules, depth.saturating_sub(1));
    Ok(moves.iter().map(|&mv| (mv, leaves(mv))).collect())
}

fn count(position: &Position, rules: &Rules, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal(rules)),
        _ => {
            let moves = position.legal_moves(rules);
            moves
                .iter()
                .map(|&mv| count(&position.make(mv, rules), rules, depth - 1))
                .sum()
        }
    }
}
