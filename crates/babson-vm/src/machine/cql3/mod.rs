//! Filters that only CQL 3 has (`docs/src/language/cql3.md`).

mod lists;
mod recurrence;
mod steps;

pub(super) use steps::StepTask;

use babson_chess::SquareSet;
use babson_lang::hir::SquarePairKind;

use super::Run;
use crate::filters::{attacks, pairs};
use crate::limits::MAX_RAY_SETS;
use crate::op::{Id, PairsSpec};

impl Run<'_, '_> {
    /// Whether the number of pairs is in the range.
    pub(super) fn pairs(&mut self, spec: Id<PairsSpec>) -> bool {
        let program = self.program;
        let spec = &program.code.pairs[spec];
        let mut sets = [SquareSet::EMPTY; MAX_RAY_SETS];
        let len = usize::from(spec.sets);
        let count = match sets.get_mut(..len) {
            // No ray is so long.
            None => 0,
            Some(sets) => {
                let words = self.state.registers.run(spec.first, len);
                for (set, word) in sets.iter_mut().zip(words) {
                    *set = SquareSet(*word);
                }
                let sets = &sets[..];
                let contents = self.contents();
                match spec.kind {
                    SquarePairKind::Attack => {
                        let (from, to) = (sets[0], sets[1]);
                        (from & contents.occupied())
                            .iter()
                            .map(|square| (attacks::from_square(contents, square) & to).len())
                            .sum()
                    }
                    SquarePairKind::Ray { directions, attack } => {
                        pairs::on_rays(contents, directions, attack, sets)
                    }
                }
            }
        };
        let count = count as i32;
        spec.range.0 <= count && count <= spec.range.1
    }

    /// Whether an option asks for variations even if the query keeps to the main line.
    fn is_everywhere(&self) -> bool {
        self.context.options.variations == Some(true)
    }

    /// The move that a filter looks at after `tie`: its alternatives, or none.
    fn alternative(&self, tie: u32, main_line: bool) -> Option<u32> {
        if main_line && !self.is_everywhere() { None } else { self.next_sibling(tie) }
    }
}
