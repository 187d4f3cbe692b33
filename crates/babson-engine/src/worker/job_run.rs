//! The search of one thread with one query.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use babson_pgn::{Game, Reader, ReplayError};
use babson_vm::run::{GameAnswer, GameDamages, GameFailure, GameRun};

use super::match_writer::MatchWriter;
use super::plan::Plan;
use super::results::JobResult;
use crate::collect::{Fillers, TextGame};
use crate::job::Job;

/// What a thread keeps for one job, from game to game.
pub(super) struct JobRun<'j> {
    pub(super) job: &'j Job,
    /// The index of the job.
    pub(super) index: usize,
    /// The index of its range of games.
    pub(super) range: usize,
    /// Whether it leaves out the current game, which is equal to an earlier one of its range.
    pub(super) leaves_out: bool,
    /// Whether it can match the current game, to judge by its tags.
    pub(super) can_match: bool,
    /// Whether it matches the current game by the decision of its guard.
    pub(super) is_decided: bool,
    pub(super) run: GameRun,
    /// What its matches are handed to.
    pub(super) matches: MatchWriter<'j>,
    /// Whether the job has ended. The merging thread sets it for all threads.
    ended_for_all: &'j AtomicBool,
}

/// A game that queries search, and what they need to write its matches.
pub(super) struct GameReading<'r, 'g, 'j> {
    pub(super) game: &'r TextGame<'g>,
    /// Reads the game again, with everything that the outputs need.
    pub(super) writer: &'r mut Reader,
    /// What collects the matches.
    pub(super) fillers: &'r mut Fillers<'j>,
    /// The damages that its readings have found.
    pub(super) damages: &'r mut GameDamages,
    /// Tells the line that the game begins on.
    pub(super) line: &'r mut dyn FnMut() -> u64,
}

impl<'j> JobRun<'j> {
    /// The run of a job, with its machine. These collectors take its matches.
    pub(super) fn new(
        plan: &'j Plan,
        index: usize,
        run: GameRun,
        fillers: &Fillers<'_>,
    ) -> JobRun<'j> {
        JobRun {
            job: &plan.jobs[index],
            index,
            range: plan.range_indexes[index],
            leaves_out: false,
            can_match: false,
            is_decided: false,
            run,
            matches: MatchWriter::new(plan, index, fillers),
            ended_for_all: &plan.ended[index],
        }
    }

    /// Whether the job has ended, on this thread or on all.
    pub(super) fn has_ended(&self) -> bool {
        self.run.has_ended() || self.ended_for_all.load(Ordering::Relaxed)
    }

    /// Whether it searches the game of this number, the current one, if it has not ended.
    pub(super) fn takes(&self, number: u64) -> bool {
        self.run.is_inside(number) && !self.leaves_out
    }

    /// Notes whether the current game can match, to judge by its tags.
    pub(super) fn test_tags(&mut self, head: &Game<'_>, number: u64) -> bool {
        let is_open = self.takes(number) && !self.run.has_ended();
        self.can_match = is_open && self.run.can_match(head, number);
        self.can_match
    }

    /// Returns the games of this range that the job searches. The range is empty if the job has
    /// ended or leaves out the current game.
    pub(super) fn searched(&self, games: &Range<u64>) -> Range<u64> {
        if self.has_ended() || self.leaves_out {
            return games.start..games.start;
        }
        let (low, high) = self.job.range.unwrap_or((0, u64::MAX));
        let start = games.start.max(low);
        start..games.end.min(high.saturating_add(1)).max(start)
    }

    /// Counts a match in a game that was skipped.
    pub(super) fn add_decided_match(&mut self, game: u64, results: &mut JobResult) {
        results.add_decided_match(game);
        self.run.add_match();
    }

    /// Takes the match in a game that the guard has decided, and adds it to the results. The game
    /// is read only to be written.
    ///
    /// # Errors
    /// The codes of its moves are damaged.
    pub(super) fn take_decided(
        &mut self,
        reading: &mut GameReading<'_, '_, '_>,
        results: &mut JobResult,
    ) -> Result<(), ReplayError> {
        let number = reading.game.number;
        results.log.evaluated += 1;
        results.log.add_unread(number..number + 1);
        self.run.match_by_guard();
        self.write_match(None, reading, results)?;
        results.count_one_position();
        self.run.add_match();
        Ok(())
    }

    /// Counts games that cannot match, and are not evaluated.
    pub(super) fn skip(&mut self, games: Range<u64>, results: &mut JobResult) {
        let count = games.end.saturating_sub(games.start);
        results.log.evaluated += count;
        results.log.add_unread(games);
        self.run.skip(count);
    }

    /// Searches a game, which was read as the query needs it: evaluates the query, and adds what
    /// that finds to the results.
    ///
    /// # Errors
    /// The game is read again and the codes of its moves are damaged.
    #[inline]
    pub(super) fn search(
        &mut self,
        game: &Game<'_>,
        reading: &mut GameReading<'_, '_, '_>,
        results: &mut JobResult,
    ) -> Result<GameAnswer, ReplayError> {
        let (number, before) = (reading.game.number, results.log.evaluated);
        results.log.evaluated += 1;
        let answer = self.run.search(game, number);
        let outcome = self.run.outcome();
        if !outcome.messages.is_empty() {
            results.add_messages(number, &outcome.messages);
        }
        match (answer, &outcome.error) {
            (GameAnswer::NoMatch | GameAnswer::Stopped, _) | (GameAnswer::Failed, None) => {}
            (GameAnswer::Match, _) => {
                self.write_match(Some(game), reading, results)?;
                self.run.add_match();
            }
            (GameAnswer::Failed, Some(error)) => {
                results.held += error.message.len();
                let error = error.clone();
                results.log.errors.push(GameFailure { game: number, before, error });
            }
        }
        Ok(answer)
    }
}
