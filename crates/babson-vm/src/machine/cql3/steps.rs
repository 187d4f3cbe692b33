//! `:sequence`, `:gappedsequence`: a search with its own stack, so that long games need no deep
//! recursion.

use super::super::memo::Memo;
use super::super::{NO_TIE, Run, Stop, push};
use crate::op::{Id, Pc, StepsSpec};

/// A filter to try at a node, with the move that it looks at.
#[derive(Clone, Copy)]
pub(in super::super) struct StepTask {
    filter: u32,
    node: u32,
    tie: u32,
}

impl Run<'_, '_> {
    /// Whether the filters match one after the other from here on.
    pub(in super::super) fn steps(&mut self, pc: Pc, index: Id<StepsSpec>) -> Result<bool, Stop> {
        let program = self.program;
        let spec = &program.code.steps[index];
        let (here, tie) = (self.here, self.tie);
        let bottom = self.state.step_tasks.len();
        let mut memo = std::mem::take(&mut self.state.carryover.step_memos[index.index()]);
        if spec.memo {
            memo.start(spec.entries.len(), 2 * self.nodes.len());
        }
        let found = self.search_steps(pc, spec, &mut memo, bottom);
        self.state.carryover.step_memos[index.index()] = memo;
        self.state.step_tasks.truncate(bottom);
        self.here = here;
        self.tie = tie;
        found
    }

    fn search_steps(
        &mut self,
        pc: Pc,
        spec: &StepsSpec,
        memo: &mut Memo,
        bottom: usize,
    ) -> Result<bool, Stop> {
        self.add_step(0, self.here.node, self.tie);
        while self.state.step_tasks.len() > bottom
            && let Some(step) = self.state.step_tasks.pop()
        {
            self.step(pc)?;
            let StepTask { filter, node, tie } = step;
            if spec.memo {
                // A move belongs to one node; a node without one is numbered after all moves.
                let nodes = self.nodes.len();
                let place = if tie == NO_TIE { nodes as u32 + node } else { tie };
                if !memo.is_new(filter, place) {
                    continue;
                }
            }
            if spec.gapped {
                self.add_steps_after(spec, filter, tie);
            }
            self.here = self.at(node);
            self.tie = tie;
            if self.call(spec.entries[filter as usize])? {
                if filter as usize + 1 == spec.entries.len() {
                    return Ok(true);
                }
                self.add_steps_after(spec, filter + 1, tie);
            }
        }
        Ok(false)
    }

    /// Adds a task for each move after this one, or one task if there is none.
    fn add_steps_after(&mut self, spec: &StepsSpec, filter: u32, mv: u32) {
        if mv == NO_TIE {
            return;
        }
        let mut tie = self.first_child(mv);
        if tie.is_none() {
            self.add_step(filter, mv, NO_TIE);
        }
        while let Some(next) = tie {
            self.add_step(filter, mv, next);
            tie = self.alternative(next, spec.main_line);
        }
    }

    fn add_step(&mut self, filter: u32, node: u32, tie: u32) {
        if !push(&mut self.state.step_tasks, StepTask { filter, node, tie }) {
            self.state.overflow();
        }
    }
}
