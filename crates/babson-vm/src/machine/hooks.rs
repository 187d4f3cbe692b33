//! `cqlbegin` and `cqlend`: blocks before the first game and after the last one.

use babson_pgn::{Needs, Reader};

use super::{Machine, Run, Stop};
use crate::op::{EntryPoint, Id};
use crate::{GameContext, Outcome, RunError, RunOptions};

impl Machine {
    /// Evaluates the `cqlbegin` blocks, before the first game. The outcome has the messages and
    /// perhaps an error. Filters see the initial position of chess. `last_number` means the same as
    /// [`GameContext::last_number`].
    pub fn begin(&mut self, options: &RunOptions, last_number: Option<u64>) -> &Outcome {
        self.outside(options, last_number, self.program.parts().code.begin)
    }

    /// Evaluates the `cqlend` blocks, after the last game; otherwise like [`Machine::begin`].
    pub fn end(&mut self, options: &RunOptions, last_number: Option<u64>) -> &Outcome {
        self.outside(options, last_number, self.program.parts().code.end)
    }

    fn outside(
        &mut self,
        options: &RunOptions,
        last_number: Option<u64>,
        block: Option<Id<EntryPoint>>,
    ) -> &Outcome {
        if block.is_none() {
            self.outcome.clear();
            return &self.outcome;
        }
        let mut reader = Reader::new();
        let game = reader.read(b"*\n", Needs::TAGS);
        let context = GameContext { number: 0, last_number, options };
        self.run_code(&game, &context, block);
        if let Some(stopped) = self.stopped.take() {
            self.outcome.error = Some(RunError::Stopped(stopped).into());
        }
        &self.outcome
    }
}

impl Run<'_, '_> {
    /// Evaluates the filters of a block, up to the first that fails. Comments and tags have no game
    /// and are dropped.
    pub(super) fn block(&mut self, entry: Id<EntryPoint>) {
        let pc = self.program.code.entries[entry].pc;
        let matched = match self.execute(pc) {
            Ok(_) if self.state.full => self.out_of_memory(pc),
            matched => matched,
        };
        self.outcome.tags.clear();
        self.outcome.removed_tags.clear();
        if let Err(Stop) = matched {
            // There is no game to skip, so every error ends the run.
            self.outcome.error = self.state.error.take();
            if let Some(error) = &mut self.outcome.error {
                error.fatal = true;
            }
        }
    }
}
