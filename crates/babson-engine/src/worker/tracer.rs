//! The traces of the matching positions of a game, for the outputs that show them.

use babson_pgn::Game;
use babson_vm::{GameContext, Machine, Outcome, Program, Sharing, Trace, Tracing};

use crate::job::Job;

/// Evaluates the matching games of a job again, with a trace of each filter.
pub(super) struct Tracer<'j> {
    program: &'j Program,
    machine: Machine,
}

impl<'j> Tracer<'j> {
    /// The tracer of a job, if its filters can be traced.
    pub(super) fn new(job: &'j Job) -> Option<Tracer<'j>> {
        match job.tracing.get() {
            Tracing::On(program) => {
                Some(Tracer { program, machine: Machine::new(program.clone()) })
            }
            Tracing::Off | Tracing::Impossible(_) => None,
        }
    }

    /// Returns the traces at the matching positions. A trace evaluates every filter, which takes
    /// more steps than the query alone, so it may reach the step limit. If it fails, the list is
    /// empty.
    pub(super) fn traces(
        &mut self,
        game: &Game<'_>,
        context: &GameContext<'_>,
        outcome: &Outcome,
    ) -> Vec<Trace> {
        if self.program.sharing() != Sharing::Nothing {
            // The values of persistent variables would depend on the games before this one.
            self.machine = Machine::new(self.program.clone());
        }
        self.machine.traces(game, context, &outcome.positions).unwrap_or_default()
    }
}
