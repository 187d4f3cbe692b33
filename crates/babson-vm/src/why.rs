//! Why a query matches in a game or does not, from the traces of its positions.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Trace, Verdict};

/// Why a query matches in a game or does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Why {
    /// The ids of the positions at which the query matches, ascending.
    pub matches: Vec<u32>,
    /// The number of positions that were evaluated.
    pub positions: u32,
    /// The filters that failed first, in the order of the query: each with its positions.
    pub failures: Vec<FirstFailure>,
    /// What every filter did at one position: the asked one, otherwise the first match, otherwise
    /// the position that is nearest to a match.
    pub trace: Trace,
    /// The entry of the trace that failed first; `None` if the query matches there.
    pub failed: Option<u32>,
}

/// A filter that failed first at some positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FirstFailure {
    /// Its index among the entries of a trace.
    pub entry: u32,
    /// The number of positions at which it failed first.
    pub positions: u32,
    /// The id of the first of them.
    pub first: u32,
}

impl Why {
    /// What the traces of the positions of a game say; `None` if there are none, or none of the
    /// `asked` position.
    pub fn of(traces: Vec<Trace>, asked: Option<u32>) -> Option<Why> {
        let matches: Vec<u32> =
            traces.iter().filter(|trace| trace.matched).map(|trace| trace.position).collect();
        let mut failures: BTreeMap<u32, FirstFailure> = BTreeMap::new();
        for trace in &traces {
            let Some(entry) = trace.first_failure() else { continue };
            let first = FirstFailure { entry, positions: 0, first: trace.position };
            failures.entry(entry).or_insert(first).positions += 1;
        }
        let shown = match asked {
            Some(asked) => traces.iter().position(|trace| trace.position == asked)?,
            // Of equally near positions, the first.
            None => (0..traces.len()).max_by_key(|&at| (traces[at].nearness(), Reverse(at)))?,
        };
        let positions = u32::try_from(traces.len()).unwrap_or(u32::MAX);
        let trace = traces.into_iter().nth(shown)?;
        let failed = trace.first_failure();
        let failures = failures.into_values().collect();
        Some(Why { matches, positions, failures, trace, failed })
    }
}

impl Trace {
    /// The index of the entry that failed first; `None` if the query matches. A filter whose
    /// operands are conditions of a conjunction gives the operand at which it ended.
    pub fn first_failure(&self) -> Option<u32> {
        if self.matched {
            return None;
        }
        let mut failed = self
            .entries
            .iter()
            .position(|entry| entry.depth == 0 && entry.verdict() == Verdict::Failed)?;
        while let Some(operand) = self.end_of_conjunction(failed) {
            failed = operand;
        }
        u32::try_from(failed).ok()
    }

    /// The operand of a filter that failed after all operands before it had matched, and before any
    /// after it was evaluated.
    fn end_of_conjunction(&self, filter: usize) -> Option<usize> {
        let depth = self.entries[filter].depth;
        let inside = self.entries.iter().enumerate().skip(filter + 1);
        let inside = inside.take_while(|(_, entry)| entry.depth > depth);
        let mut operands = inside.filter(|(_, entry)| entry.depth == depth + 1);
        let (failed, _) = operands.find(|(_, entry)| entry.verdict() != Verdict::Matched)?;
        let ended = self.entries[failed].verdict() == Verdict::Failed
            && operands.all(|(_, entry)| entry.verdict() == Verdict::Unevaluated);
        ended.then_some(failed)
    }

    /// Returns how near the position is to a match, for comparison with other positions: whether it
    /// is a match, then how many filters of the query matched before one failed, then how many
    /// filters matched in all, operands included.
    fn nearness(&self) -> (bool, usize, usize) {
        let matched = self.entries.iter().filter(|entry| entry.verdict() == Verdict::Matched);
        let outer = matched.clone().filter(|entry| entry.depth == 0).count();
        (self.matched, outer, matched.count())
    }
}
