//! The machine.
use crate::{GameContext, Outcome, Program};
use babson_pgn::Game;

/// Evaluates a program on one game after the other: one for each thread.
#[derive(Debug)]
pub struct Machine {
    outcome: Outcome,
}

impl Machine {
    /// A machine for this program (and no other).
    pub fn new(_program: &Program) -> Machine {
        Machine { outcome: Outcome::default() }
    }

    /// Evaluates the program on a game.
    pub fn run(&mut self, _program: &Program, _game: &Game<'_>, _context: &GameContext<'_>) -> &Outcome {
        self.outcome.clear();
        &self.outcome
    }

    /// The lines of the summary for the persistent variables: `cnt: 4`, `myset: a1`, `str1: "yyyy"`.
    pub fn persistents(&self) -> Vec<String> {
        Vec::new()
    }
}
