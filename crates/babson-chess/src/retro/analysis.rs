//! `reachableposition`: whether a game can have led to a position (`docs/src/retro.md#reachable`).
//!
//! A reason is a proof that no game leads to the position. 'Reachable' only means that no proof was
//! found. CQLi has rules 1 to 12 with the same texts, so all reasons by these rules are reported,
//! and no others are added to them. If none of them applies, rules 13 to 18 are tried in order.

use std::ops::ControlFlow::Continue;

use super::evidence::Evidence;
use super::last_move::impossible_last_move;
use super::memory::Memory;
use super::refutation::refuted;
use super::verdict::{Unreachability, Verdict};
use super::{further, legality};
use crate::Position;

/// Retro-analysis of many positions. It remembers what consecutive positions often share, in about
/// 256 KiB, so one for all positions of a thread is faster than one for each.
///
/// ```
/// use babson_chess::{Position, retro};
/// let mut analyzer = retro::Analyzer::default();
/// assert!(analyzer.is_reachable(&Position::start()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Analyzer {
    memory: Memory,
}

impl Analyzer {
    /// The proofs that no game leads to the position. Only the placement and the side to move
    /// matter.
    pub fn analyze(&mut self, position: &Position) -> Verdict {
        let legality = legality::legality(position);
        if !legality.is_legal() {
            let reasons = legality.reasons.into_iter();
            return Verdict { reasons: reasons.map(Unreachability::Illegal).collect() };
        }
        let mut reasons = Vec::new();
        let costs = &mut self.memory.costs;
        let evidence = Evidence::new(position, costs);
        let _ = evidence.reasons(true, costs, &mut |reason| {
            reasons.push(reason);
            Continue(())
        });
        if reasons.is_empty() {
            reasons.extend(further::on_the_board(&evidence, costs));
        }
        if reasons.is_empty() {
            reasons.extend(impossible_last_move(position, &mut self.memory));
        }
        Verdict { reasons }
    }

    /// Whether [`analyze`](Analyzer::analyze) finds no reason. Stops at the first one.
    pub fn is_reachable(&mut self, position: &Position) -> bool {
        // The search for a last move finds an impossible check, and the test of the structure finds
        // that there are too many pieces.
        legality::is_legal_but_for_numbers(position)
            && !refuted(position, false, &mut self.memory)
            && impossible_last_move(position, &mut self.memory).is_none()
    }
}

/// [`Analyzer::analyze`] for one position.
pub fn analyze(position: &Position) -> Verdict {
    Analyzer::default().analyze(position)
}

/// [`Analyzer::is_reachable`] for one position.
pub fn is_reachable(position: &Position) -> bool {
    Analyzer::default().is_reachable(position)
}
