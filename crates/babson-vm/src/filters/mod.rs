//! The pure functions of boards, strings and numbers that filters are made of.
//!
//! No function has state, knows a game or a variable, or fails on any board: the machine evaluates
//! the operands and then calls the function. A board is any [`PieceSets`], or a [`Contents`],
//! thirteen bitboards made once for each position. Hot functions do not allocate.
//!
//! Definitions: `docs/src/language/attacks.md`, `docs/src/language/mates.md`,
//! `docs/src/language/numbers.md` and `docs/src/language/strings.md`.

pub mod attacks;
pub mod between;
pub mod contents;
pub mod direction;
pub mod fen;
pub mod hhdb;
pub mod legal6;
pub mod likeness;
pub mod numbers;
pub mod pairs;
pub mod participants;
pub mod pawns;
pub mod piece_sets;
pub mod pieces;
pub mod pin;
pub mod ray;
pub mod strings;
pub mod text;
pub mod tourney;

pub use contents::{Contents, designator};
pub use piece_sets::PieceSets;

use babson_chess::SquareSet;

/// The light squares of the set.
#[inline(always)]
pub fn light(set: SquareSet) -> SquareSet {
    set & SquareSet::LIGHT
}

/// The dark squares of the set; a1 is dark.
#[inline(always)]
pub fn dark(set: SquareSet) -> SquareSet {
    set & SquareSet::DARK
}

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;
