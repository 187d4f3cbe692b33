//! Retro-analysis: what a position tells of the game before it (`docs/src/retro.md`).
//!
//! [`legality`] says whether a position keeps the laws of chess as it stands, [`analyse`] whether
//! a game can have led to it; [`reverse`] takes moves back.

mod analysis;
mod cages;
mod camp;
mod explain;
mod further;
mod legality;
mod names;
mod past;
mod pawns;
mod promotions;
pub mod reverse;
mod structure;
mod text;
mod verdict;

pub use analysis::{analyse, is_reachable};
pub use legality::{Illegality, Legality, is_legal, legality};
pub use promotions::{LostAtHome, Surplus};
pub use reverse::{ReverseMove, ReverseSpecial};
pub use verdict::{Unreachability, Verdict};
