//! Retro-analysis: what a position tells about the game before it (`docs/src/retro.md`).
//!
//! [`legality`] tests the board alone, [`analyze`] whether a game can have led to the position, and
//! [`reverse`] takes moves back. An [`Analyzer`] analyzes many positions.

mod analysis;
mod cages;
mod camp;
mod evidence;
mod explain;
mod format;
mod further;
mod last_move;
mod legal_past;
mod legality;
mod memory;
mod pawns;
mod promotions;
mod refutation;
pub mod reverse;
mod reverse_move;
mod structure;
mod text;
mod verdict;

pub use analysis::{Analyzer, analyze, is_reachable};
pub use legality::{Illegality, Legality, is_legal, legality};
pub use promotions::{LostAtHome, Surplus};
pub use reverse_move::{ReverseMove, ReverseSpecial};
pub use verdict::{Unreachability, Verdict};
