//! One query over games, one game after another.

use babson_pgn::{Game, Needs};

use super::RunEnd;
use crate::{GameContext, Machine, Outcome, Program, RunOptions, StopSignal, Stopped};

/// A range of game numbers, from the first to the last.
pub type GameRange = (u64, u64);

/// Returns whether a game is in a range. Without a range, every game is.
#[inline]
pub fn is_inside(range: Option<GameRange>, number: u64) -> bool {
    range.is_none_or(|(low, high)| (low..=high).contains(&number))
}

/// Returns the number of the last game that a run with this range reads. CQL 6.2 reads and counts
/// the first game after the range.
pub fn last_read(range: Option<GameRange>, options: &RunOptions) -> u64 {
    let last = range.map_or(u64::MAX, |range| range.1);
    last.saturating_add(u64::from(options.cql6_output))
}

/// What a query says about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameAnswer {
    /// The game matches.
    Match,
    /// The game does not match.
    NoMatch,
    /// A run-time error has ended the evaluation of the game: [`Outcome::error`]. If the error is
    /// fatal, the run has ended.
    Failed,
    /// The run was stopped in the game: [`GameRun::stopped`].
    Stopped,
}

/// Runs one query on one game after another, until its limit of matches is reached or an error ends
/// it. It belongs to one thread.
#[derive(Debug)]
pub struct GameRun {
    machine: Machine,
    options: RunOptions,
    needs: Needs,
    low: u64,
    high: u64,
    limit: Option<u64>,
    last_number: Option<u64>,
    end: RunEnd,
    stopped: Option<Stopped>,
}

impl GameRun {
    /// A run over the games in the range that the header of the query names. Its
    /// [time](RunOptions::timeout) begins now.
    pub fn new(program: Program, mut options: RunOptions) -> GameRun {
        options.stop = options.stop.within(options.timeout.take());
        let needs = program.needs_with(&options);
        let (low, high) = program.header().game_range().unwrap_or((0, u64::MAX));
        let (limit, last_number, end) = (None, None, RunEnd::default());
        GameRun {
            machine: Machine::new(program),
            options,
            needs,
            low,
            high,
            limit,
            last_number,
            end,
            stopped: None,
        }
    }

    /// The same run over the games in this range.
    #[must_use]
    pub fn with_range(mut self, range: Option<GameRange>) -> GameRun {
        (self.low, self.high) = range.unwrap_or((0, u64::MAX));
        self
    }

    /// The same run, which ends after this many matches. With 0 it ends after the first.
    #[must_use]
    pub fn with_limit(self, limit: Option<u64>) -> GameRun {
        GameRun { limit, end: RunEnd::new(limit), ..self }
    }

    /// The same run, stopped by this signal, too.
    #[must_use]
    pub fn with_stop(mut self, stop: StopSignal) -> GameRun {
        self.options.stop = stop.or(&self.options.stop);
        self
    }

    /// The same run, for a query that asks for the number of the last game of the inputs.
    #[must_use]
    pub fn with_last_number(self, last_number: Option<u64>) -> GameRun {
        GameRun { last_number, ..self }
    }

    /// A run of some of the games, forked from this one before its first game: see
    /// [`Machine::fork`].
    #[must_use]
    pub fn fork(&self) -> GameRun {
        GameRun {
            machine: self.machine.fork(),
            options: self.options.clone(),
            end: RunEnd::new(self.limit),
            ..*self
        }
    }

    /// What a reader must read of each game.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// Returns whether the game of this number is in the range of the run.
    #[inline]
    pub fn is_inside(&self, number: u64) -> bool {
        self.low <= number && number <= self.high
    }

    /// Returns whether the run has ended.
    #[inline]
    pub fn has_ended(&self) -> bool {
        self.end.has_ended()
    }

    /// Whether and why the run is to stop from outside, before the next game.
    #[inline]
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped.or_else(|| self.options.stop.stopped())
    }

    /// Ends the run.
    pub fn stop(&mut self) {
        self.end.end();
    }

    /// Says that another run searches the games between the last one and the next.
    pub fn end_streak(&mut self) {
        self.end.end_streak();
    }

    /// The number of matches so far.
    pub fn matches(&self) -> u64 {
        self.end.matches()
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The machine, with the state that games share.
    pub fn machine_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// The outcome of the last game or block.
    pub fn outcome(&self) -> &Outcome {
        self.machine.outcome()
    }

    /// What the machine gets to know of the game of this number.
    #[inline]
    pub fn context(&self, number: u64) -> GameContext<'_> {
        GameContext { number, last_number: self.last_number, options: &self.options }
    }

    /// Evaluates the `cqlbegin` blocks. An error ends the run.
    pub fn begin(&mut self) -> &Outcome {
        if self.machine.begin(&self.options, self.last_number).error.is_some() {
            self.end.end();
        }
        self.machine.outcome()
    }

    /// Evaluates the `cqlend` blocks.
    pub fn end(&mut self) -> &Outcome {
        self.machine.end(&self.options, self.last_number)
    }

    /// Returns whether the game can match, to judge by its tags: see [`Machine::can_match`].
    #[inline]
    pub fn can_match(&mut self, head: &Game<'_>, number: u64) -> bool {
        let GameRun { machine, options, last_number, .. } = self;
        machine.can_match(head, &GameContext { number, last_number: *last_number, options })
    }

    /// Counts games that cannot match and are not evaluated.
    #[inline]
    pub fn skip(&mut self, games: u64) {
        self.end.add_games(games);
    }

    /// Counts a match that the last [search](GameRun::search) has found. A match that cannot be
    /// written is not counted.
    #[inline]
    pub fn add_match(&mut self) {
        self.end.add_match();
    }

    /// Takes a game that the [deciding guard](Program::deciding_guard) of the query has found to
    /// match, in place of a [search](GameRun::search). The outcome does not have its matching
    /// positions.
    pub fn match_by_guard(&mut self) {
        self.machine.match_by_guard();
        self.end.add_games(1);
    }

    /// Evaluates the query on a game, which was read with at least the [needs](GameRun::needs) of
    /// the run: unlike [`Machine::run`], this is not checked for each game.
    #[inline]
    pub fn search(&mut self, game: &Game<'_>, number: u64) -> GameAnswer {
        let GameRun { machine, options, last_number, .. } = self;
        let context = GameContext { number, last_number: *last_number, options };
        debug_assert!(machine.check_needs(game, &context).is_ok());
        let outcome = match machine.run_prepared(game, &context) {
            Ok(outcome) => outcome,
            Err(stopped) => {
                self.stopped = Some(stopped);
                self.end.end();
                return GameAnswer::Stopped;
            }
        };
        let answer = match &mut outcome.error {
            None if !outcome.matched => GameAnswer::NoMatch,
            None => GameAnswer::Match,
            Some(error) => {
                self.end.add_failure(error);
                GameAnswer::Failed
            }
        };
        self.end.add_games(1);
        answer
    }
}
