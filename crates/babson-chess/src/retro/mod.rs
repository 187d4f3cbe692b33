//! Retro-analysis: what a position tells of the game before it (spec page retro.md).
//!
//! [`legality`] says whether a position keeps the laws of chess as it stands; [`reverse`] takes
//! moves back.

mod legality;
mod names;
pub mod reverse;

pub use legality::{Illegality, Legality, is_legal, legality};
pub use reverse::{ReverseMove, ReverseSpecial};
