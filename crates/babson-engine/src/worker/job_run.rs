//! The search of one thread with one query.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use babson_pgn::{Game, Reader, ReplayError};
use babson_vm::{GameContext, Machine, RunLimit};

use super::evaluate::InputGame;
use super::game_text::GameText;
use super::limit_streak::LimitStreak;
use super::plan::{Plan, SinkNeeds};
use super::remarks::{DamageSummary, add_damage};
use super::results::{GameFailure, JobResult, ReadPurpose};
use super::tracer::Tracer;
use crate::best::BestRanks;
use crate::job::{Job, is_inside};

/// What a thread keeps for one job, from game to game.
pub(super) struct JobRun<'j> {
    pub(super) job: &'j Job,
    pub(super) needs: &'j SinkNeeds,
    /// The index of the job.
    pub(super) index: usize,
    /// The index of its range of games.
    pub(super) range: usize,
    /// Whether it leaves out the current game, which is equal to an earlier one of its range.
    pub(super) leaves_out: bool,
    pub(super) machine: Machine,
    /// What traces its matches if an output shows them.
    pub(super) tracer: Option<Tracer<'j>>,
    /// What tells which matches may be among the best.
    pub(super) best: Option<BestRanks<'j>>,
    /// Matches so far, for `--limit`. No game after the last match is evaluated, since it could
    /// change persistent variables.
    matched: u64,
    /// Whether the job has ended on this thread.
    pub(super) ended: bool,
    /// The same for all threads: the merging thread sets it.
    ended_for_all: &'j AtomicBool,
    /// The number of games that it was evaluated on.
    pub(super) evaluated: u64,
    /// The last games in a row that reached the limit of steps.
    pub(super) streak: LimitStreak,
}

/// A game that a query searches.
#[derive(Clone, Copy)]
pub(super) struct SearchedGame<'g> {
    /// The parts of the game that the query needs.
    pub(super) game: Game<'g>,
    /// The text, from which an output reads all of it.
    pub(super) text: &'g GameText<'g>,
    pub(super) context: GameContext<'g>,
    pub(super) origin: InputGame<'g>,
}

/// What a query says about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameAnswer {
    Match,
    NoMatch,
    /// The query has an error on the game, which then is in neither output.
    Error,
}

impl<'j> JobRun<'j> {
    /// The runs of all jobs, each with its machine.
    pub(super) fn all(plan: &'j Plan, machines: Vec<Machine>) -> Vec<JobRun<'j>> {
        let jobs = plan.jobs.iter().zip(&plan.needs).zip(plan.best()).zip(&plan.ended);
        let run = |(index, (machine, (((job, needs), best), ended_for_all)))| JobRun {
            job,
            needs,
            index,
            range: plan.range_indexes[index],
            leaves_out: false,
            machine,
            tracer: Tracer::new(job, needs),
            best,
            matched: 0,
            ended: false,
            ended_for_all,
            evaluated: 0,
            streak: LimitStreak::default(),
        };
        machines.into_iter().zip(jobs).enumerate().map(run).collect()
    }

    /// Whether the job has ended, on this thread or on all.
    pub(super) fn has_ended(&self) -> bool {
        self.ended || self.ended_for_all.load(Ordering::Relaxed)
    }

    /// Whether it searches the game of this number, the current one, if it has not ended.
    pub(super) fn takes(&self, number: u64) -> bool {
        is_inside(self.job.range, number) && !self.leaves_out
    }

    /// What the query knows of the game of this number.
    pub(super) fn context(&self, plan: &Plan, number: u64) -> GameContext<'j> {
        let job = self.job;
        GameContext { number, last_number: plan.last_number(job), options: &job.options }
    }

    /// Counts a game that cannot match, and is not evaluated.
    pub(super) fn count_unmatchable(&mut self, number: u64, results: &mut JobResult) {
        results.evaluated += 1;
        results.add_unread(number..number + 1);
        self.evaluated += 1;
    }

    /// Searches a game: evaluates the query on it, and adds what that finds to the results. The
    /// damages that a reading for the output finds are added to `damages`; `line` tells the line
    /// that the game begins on; `is_timed` whether the time is measured.
    ///
    /// # Errors
    /// The game is read again and the codes of its moves are damaged.
    pub(super) fn search(
        &mut self,
        game: SearchedGame<'_>,
        writer: &mut Reader,
        results: &mut JobResult,
        damages: &mut Vec<DamageSummary>,
        line: &mut dyn FnMut() -> u64,
        is_timed: bool,
    ) -> Result<GameAnswer, ReplayError> {
        let began = is_timed.then(Instant::now);
        let index = self.index;
        let matched = self.evaluate(game, writer, results, line, |whole| {
            add_damage(damages, whole, Some(&[index]), ReadPurpose::Match);
        })?;
        self.matched += u64::from(matched);
        let number = game.context.number;
        let failed = results.errors.last().filter(|failure| failure.game == number);
        self.ended = self.job.limit.is_some_and(|limit| self.matched >= limit)
            || failed.is_some_and(|failure| self.ends_with(failure));
        self.evaluated += 1;
        let answer = match (matched, failed) {
            (true, _) => GameAnswer::Match,
            (false, None) => GameAnswer::NoMatch,
            (false, Some(_)) => GameAnswer::Error,
        };
        if let Some(began) = began {
            results.seconds += began.elapsed().as_secs_f64();
        }
        Ok(answer)
    }

    /// Whether the job ends with this failure in a game.
    fn ends_with(&mut self, GameFailure { error, .. }: &GameFailure) -> bool {
        error.fatal || error.limit == Some(RunLimit::Steps) && self.streak.add(self.evaluated)
    }
}
