//! The games that no query matches.

use babson_pgn::Game;
use babson_vm::run::{DamageSummary, GameDamages, ReadPurpose};
use babson_vm::{GameContext, Machine, Outcome, Sharing};

use super::job_run::{JobRun, TextGame};
use super::results::{ChunkResult, NonmatchingGame};
use super::{Worker, has_unknown_variant};
use crate::formats::NonmatchingOutput;
use crate::job::Job;

/// Chooses among the games that no query matches.
pub(super) struct Chooser<'j> {
    job: &'j Job,
    machine: Machine,
}

impl<'j> Chooser<'j> {
    /// The query that chooses, if there is one.
    pub(super) fn new(output: &'j NonmatchingOutput) -> Option<Chooser<'j>> {
        let job = output.choosing()?;
        Some(Chooser { job, machine: Machine::new(job.program.clone()) })
    }

    fn context(&self, number: u64, last_number: Option<u64>) -> GameContext<'j> {
        GameContext { number, last_number, options: &self.job.options }
    }

    /// Whether the query can match a game with these tags.
    fn can_take(&mut self, head: &Game<'_>, number: u64, last_number: Option<u64>) -> bool {
        let context = self.context(number, last_number);
        self.machine.can_match(head, &context)
    }

    /// Whether the query matches the game.
    fn takes(&mut self, game: &Game<'_>, number: u64, last_number: Option<u64>) -> bool {
        if self.job.program.sharing() != Sharing::Nothing {
            // The result must not depend on the games before this one.
            self.machine = Machine::new(self.job.program.clone());
        }
        let context = self.context(number, last_number);
        self.machine.run(game, &context).is_ok_and(|outcome| outcome.matched)
    }
}

impl Worker<'_> {
    /// Whether the games that no query matches are written, and every query searches the game of
    /// this number: it is in the range of each, none leaves it out, and none has ended.
    pub(super) fn all_search(&self, number: u64) -> bool {
        let searches = |run: &JobRun<'_>| run.takes(number) && !run.has_ended();
        self.plan.nonmatching.is_some() && self.runs.iter().all(searches)
    }

    /// Adds a game that no query matches to the results. `line` tells the line that it begins on.
    /// Damage that is found is added to `damages`.
    pub(super) fn write_nonmatching(
        &mut self,
        &TextGame { text, number, origin }: &TextGame<'_>,
        results: &mut ChunkResult,
        damages: &mut GameDamages,
        line: &mut dyn FnMut() -> u64,
    ) {
        let Worker { plan, chooser, writer, .. } = self;
        let Some((output, job)) = plan.nonmatching.as_ref().zip(plan.jobs.first()) else { return };
        let last_number = plan.last_number;
        let written = job.program.output_needs();
        let chosen_by = chooser.as_ref().map(|chooser| chooser.job);
        let needs =
            chosen_by.map_or(written, |job| job.program.needs_with(&job.options).union(written));
        writer.write_error_comments(job.options.cql6_output);
        let read = text.read_if(writer, needs, |head| {
            let chooser = chooser.as_mut();
            chooser.is_none_or(|chooser| chooser.can_take(head, number, last_number))
        });
        let jobs = || (0..plan.jobs.len()).collect::<Vec<_>>();
        let whole = match read {
            Ok((whole, true)) => whole,
            Ok((_, false)) => return,
            Err(error) => {
                let mut damage = DamageSummary::of_codes(&error);
                (damage.queries, damage.purpose) = (Some(jobs()), ReadPurpose::Nonmatch);
                damages.push(damage);
                return;
            }
        };
        let is_unknown = plan.skip_unknown_variants && has_unknown_variant(&whole);
        let is_chosen =
            chooser.as_mut().is_none_or(|chooser| chooser.takes(&whole, number, last_number));
        if is_unknown || !is_chosen {
            return;
        }
        if !whole.damages().is_empty() {
            damages.add(&whole, Some(&jobs()), ReadPurpose::Nonmatch);
        }
        let outcome = Outcome::default();
        let game = origin.matched(&whole, (&outcome, &[]), job, (number, line()));
        let found = &mut results.nonmatching;
        let name = output.file_name(&game);
        let before = found.text.len();
        output.append(&game, &mut found.text);
        results.held += name.as_ref().map_or(0, String::len) + found.text.len() - before;
        found.games.push(NonmatchingGame { game: number, end: found.text.mark(), name });
    }
}
