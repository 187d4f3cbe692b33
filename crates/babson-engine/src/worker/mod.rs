//! The work of one thread: replays each game of a chunk once and runs all queries on it.

mod evaluate;
mod game_text;
mod job_run;
mod limit_streak;
mod nonmatching;
mod overlay;
mod plan;
mod remarks;
mod restore;
mod results;
mod rows;
mod tracer;

use std::sync::atomic::Ordering;

use babson_pgn::{DamageReason, Game, Reader, ReplayError};
use babson_vm::{Machine, PipeFailure};

use crate::chunk::{Chunk, ChunkRows};
use crate::limits::{MAX_GAME, MAX_SHOWN, MAX_WAITING};
use crate::report::{DamagedGame, FinalState};
use evaluate::InputGame;
pub(crate) use evaluate::ignored_comments;
use game_text::GameText;
use job_run::{GameAnswer, JobRun, SearchedGame};
pub(crate) use limit_streak::LimitStreak;
use nonmatching::Chooser;
pub(crate) use overlay::OverlayRewriter;
use plan::View;
pub(crate) use plan::{Plan, Sinks};
#[cfg(feature = "table")]
pub(crate) use remarks::damaged_codes;
pub(crate) use remarks::{DamageSummary, LineCounter, add_damage, overlong_reason};
#[cfg(test)]
pub(crate) use results::NonmatchingGame;
pub(crate) use results::{
    BlockResult, ChunkResult, GameFailure, GameMatch, JobResult, NonmatchingGames, ReadPurpose,
    RejectedText, Remark, StoredMatch,
};

/// The state of one searching thread. Its buffers are reused from game to game.
pub(crate) struct Worker<'j> {
    plan: &'j Plan,
    runs: Vec<JobRun<'j>>,
    reader: Reader,
    /// Reads a matching game again, with everything that the outputs need.
    writer: Reader,
    /// The jobs that can match the current game; kept so that a game needs no allocation.
    can_match: Vec<usize>,
    /// What chooses among the games that no job matches.
    chooser: Option<Chooser<'j>>,
    /// The text of a game of a table, whose tags and moves are stored apart.
    joined: Vec<u8>,
    /// Whether it is a fork: its changes to persistent state are part of its results.
    is_fork: bool,
}

impl<'j> Worker<'j> {
    pub(crate) fn new(plan: &'j Plan) -> Worker<'j> {
        let machines = plan.jobs.iter().map(|job| Machine::new(job.program.clone()));
        Worker::with_machines(plan, machines.collect())
    }

    /// A worker for some of the chunks. Its changes to persistent state are part of the results of
    /// [`search`](Worker::search), to be [joined](Worker::join) to this worker.
    pub(crate) fn fork(&self) -> Worker<'j> {
        let forks = self.runs.iter().map(|run| run.machine.fork());
        Worker { is_fork: true, ..Worker::with_machines(self.plan, forks.collect()) }
    }

    fn with_machines(plan: &'j Plan, machines: Vec<Machine>) -> Worker<'j> {
        let reader = || Reader::new().with_variants(plan.variants.clone());
        Worker {
            plan,
            runs: JobRun::all(plan, machines),
            reader: reader(),
            writer: reader(),
            can_match: Vec::new(),
            chooser: plan.nonmatching.as_ref().and_then(Chooser::new),
            joined: Vec::new(),
            is_fork: false,
        }
    }

    /// The final state of each job, with dictionaries only if requested, since they may be large.
    pub(crate) fn final_states(&self, dictionaries: bool) -> Vec<FinalState> {
        let state = |JobRun { machine, .. }: &JobRun<'_>| FinalState {
            persistents: machine.persistents(),
            dictionaries: if dictionaries { machine.dictionaries() } else { Vec::new() },
            profile: machine.profile().to_vec(),
        };
        self.runs.iter().map(state).collect()
    }

    /// Runs `cqlbegin` of each query.
    pub(crate) fn begin(&mut self) -> Vec<BlockResult> {
        let plan = self.plan;
        let run = |JobRun { machine, job, ended, .. }: &mut JobRun<'j>| {
            let block = BlockResult::of(machine.begin(&job.options, plan.last_number(job)));
            *ended |= block.error.is_some();
            block
        };
        self.runs.iter_mut().map(run).collect()
    }

    /// Runs `cqlend` of each query that has not stopped.
    pub(crate) fn end(&mut self) -> Vec<BlockResult> {
        let plan = self.plan;
        let run = |JobRun { machine, job, .. }: &mut JobRun<'j>| {
            BlockResult::of(machine.end(&job.options, plan.last_number(job)))
        };
        self.runs.iter_mut().map(run).collect()
    }

    /// Joins the changes of the next games to persistent state, for the jobs that have not ended.
    pub(crate) fn join(
        &mut self,
        chunk: &Chunk,
        results: &mut ChunkResult,
        runs: impl Fn(usize) -> bool,
    ) {
        let plan = self.plan;
        for (index, job) in plan.jobs.iter().enumerate() {
            let Some(changes) = results.jobs[index].changes.take().filter(|_| runs(index)) else {
                continue;
            };
            if self.runs[index].machine.may_overflow(&changes, &job.options) {
                let again = self.search_again(chunk, results, index);
                let guard = results.jobs[index].guard.take();
                results.jobs[index] = JobResult { guard, ..again };
            } else {
                self.runs[index].machine.join(changes);
            }
        }
    }

    /// Searches the same games again with one job, after all games before them.
    fn search_again(&mut self, chunk: &Chunk, results: &ChunkResult, job: usize) -> JobResult {
        let mut again = ChunkResult::new(&self.plan.needs, results.first_game);
        let first = (results.first_game - chunk.start.game) as usize;
        self.runs[job].streak = LimitStreak::default();
        let mut lines = LineCounter { offset: 0, line: chunk.start.line };
        for index in first..first + results.games as usize {
            self.chunk_game(chunk, index, &mut lines, Some(job), &mut again);
        }
        again.jobs.swap_remove(job)
    }

    /// Tells all forks which jobs have ended.
    pub(crate) fn tell(&self, runs: impl Fn(usize) -> bool) {
        for (index, ended) in self.plan.ended.iter().enumerate() {
            if !runs(index) {
                ended.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Closes the pipes to other programs. Returns the errors of the programs of each job.
    pub(crate) fn close(&mut self) -> Vec<Vec<PipeFailure>> {
        self.runs.iter_mut().map(|run| run.machine.close_each_pipe()).collect()
    }

    /// Searches one chunk. `take` gets the results, in batches if they are large, and returns
    /// whether to continue.
    pub(crate) fn search(&mut self, chunk: &Chunk, mut take: impl FnMut(ChunkResult) -> bool) {
        if self.is_fork {
            // Another worker searched the chunk before this one.
            self.runs.iter_mut().for_each(|run| run.streak = LimitStreak::default());
        }
        let mut lines = LineCounter { offset: 0, line: chunk.start.line };
        let mut results = ChunkResult::new(&self.plan.needs, chunk.start.game);
        (results.bytes, results.input_bytes) = (chunk.length, chunk.input_length);
        let rewritten_table = chunk.rows.as_ref().and_then(ChunkRows::rewritten_table);
        results.rewritten_table = rewritten_table.map(str::to_owned);
        let mut index = 0;
        while index < chunk.games() {
            let reads_all = self.plan.reads_all();
            if let Some(rows) = chunk.rows.as_ref().filter(|_| !reads_all) {
                let next = rows.next_selected(index);
                self.skip(chunk.start.game + index as u64, next - index, None, &mut results);
                index = next;
                if index == chunk.games() {
                    break;
                }
            }
            self.chunk_game(chunk, index, &mut lines, None, &mut results);
            index += 1;
            if results.size().saturating_add(self.changed_bytes()) > MAX_WAITING {
                let next = ChunkResult::new(&self.plan.needs, results.first_game + results.games);
                self.add_changes(&mut results);
                self.add_guards(chunk, &mut results);
                if !take(std::mem::replace(&mut results, next)) {
                    return;
                }
            }
        }
        self.add_changes(&mut results);
        self.add_guards(chunk, &mut results);
        results.is_last = true;
        take(results);
    }

    /// Bytes of the changes to persistent state since the last batch.
    fn changed_bytes(&self) -> usize {
        if !self.is_fork {
            return 0;
        }
        self.runs.iter().map(|run| run.machine.changed_bytes()).sum()
    }

    /// Adds the changes to persistent state to the results of a fork.
    fn add_changes(&mut self, results: &mut ChunkResult) {
        if !self.is_fork {
            return;
        }
        for (run, results) in self.runs.iter_mut().zip(&mut results.jobs) {
            results.changes = run.machine.take_changes();
        }
    }

    /// Runs all queries, or only the job `only`, on one game of a chunk.
    fn chunk_game(
        &mut self,
        chunk: &Chunk,
        index: usize,
        lines: &mut LineCounter,
        only: Option<usize>,
        results: &mut ChunkResult,
    ) {
        if !chunk.equal.is_empty() && self.leave_out_equal(chunk, index, results) {
            results.games += 1;
            return;
        }
        if let Some(rows) = &chunk.rows {
            let number = chunk.start.game + index as u64;
            return match rows.row(index) {
                Some(row) => self.row(chunk.input, &row, number, only, results),
                None => {
                    self.skip(number, 1, only, results);
                    if let Some(row) = rows.any_row(index).filter(|_| only.is_none()) {
                        self.skipped_row(chunk.input, &row, number, results);
                    }
                }
            };
        }
        results.games += 1;
        let text = chunk.bytes();
        let Some(&[start, end]) = chunk.starts.get(index..index + 2) else { return };
        let number = chunk.start.game + index as u64;
        let game = text.get(start..end).unwrap_or_default();
        let origin = InputGame {
            input: chunk.input,
            input_name: self.plan.input_names.get(chunk.input).map_or("", String::as_str),
            row: None,
            number: chunk.start.input_game + index as u64,
            offset: chunk.offset + start as u64,
            length: None,
            is_torn: chunk.torn == Some(index),
        };
        if !chunk.overlong && game.len() <= MAX_GAME {
            let line = |damage| lines.at(text, start + damage);
            return self.game(&GameText::Pgn(game), number, origin, only, results, line);
        }
        if !self.plan.wants(number) {
            return;
        }
        let report = DamagedGame {
            input: origin.input_name.to_owned(),
            line: lines.at(text, start),
            game: number,
            reason: overlong_reason(),
            text: game[..game.len().min(MAX_SHOWN)].to_vec(),
            more: 0,
        };
        results.long_text.clone_from(&chunk.long_text);
        let rejected = chunk.long_text.as_ref().map(|_| RejectedText::Long);
        results.remarks.push(Remark {
            report,
            note: false,
            left_out: true,
            jobs: None,
            purpose: ReadPurpose::Search,
            rank: 0,
            rejected,
        });
    }

    /// Notes which queries leave out a game, because it is equal to an earlier one of their range.
    /// Returns whether no query is left that searches it.
    fn leave_out_equal(&mut self, chunk: &Chunk, index: usize, results: &mut ChunkResult) -> bool {
        for run in &mut self.runs {
            run.leaves_out = chunk.is_equal(run.range, index);
        }
        if !self.runs.iter().any(|run| run.leaves_out) {
            return false;
        }
        let number = chunk.start.game + index as u64;
        results.equal.push(number);
        !self.runs.iter().any(|run| run.takes(number))
    }

    /// Runs all queries on one game.
    fn game(
        &mut self,
        text: &GameText<'_>,
        number: u64,
        origin: InputGame<'_>,
        only: Option<usize>,
        results: &mut ChunkResult,
        mut line: impl FnMut(usize) -> u64,
    ) {
        let mut damages = Vec::new();
        if !self.plan.wants(number) {
            return;
        }
        let begin = &mut || line(0);
        match self.run_jobs(text, number, origin, only, results, &mut damages, begin) {
            Ok(true) if only.is_none() => {
                self.write_nonmatching(text, number, origin, results, &mut damages, begin);
            }
            Ok(_) => {}
            Err(error) => damages.push(DamageSummary::of_codes(&error)),
        }
        if only.is_none() && !self.plan.overlay_patterns.is_empty() {
            self.overlay_game(text, number, results);
        }
        if origin.is_torn {
            damages.push(DamageSummary::of_torn(text));
        }
        if !damages.is_empty() {
            self.report(text, number, origin, damages, results, line);
        }
    }

    /// Runs all queries on one game, and returns whether all have searched it and none matches. Its
    /// damages are added to `damages`; `line` tells the line that it begins on.
    ///
    /// # Errors
    /// The game is one of a table, and the codes of its moves are damaged.
    #[expect(clippy::too_many_arguments, reason = "what is read and what is written")]
    fn run_jobs(
        &mut self,
        text: &GameText<'_>,
        number: u64,
        origin: InputGame<'_>,
        only: Option<usize>,
        results: &mut ChunkResult,
        damages: &mut Vec<DamageSummary>,
        line: &mut dyn FnMut() -> u64,
    ) -> Result<bool, ReplayError> {
        let plan = self.plan;
        let mut is_nonmatching = self.all_search(number);
        for view in &plan.views {
            self.reader.write_error_comments(view.error_comments);
            self.writer.write_error_comments(view.error_comments);
            let (runs, can_match) = (&mut self.runs, &mut self.can_match);
            let game = read_view(plan, view, text, number, &mut self.reader, runs, can_match)?;
            if plan.skip_unknown_variants && has_unknown_variant(&game) {
                damages.clear();
                return Ok(false);
            }
            add_view_damage(damages, view, &game, can_match, text, &mut self.writer)?;
            for (index, run) in runs.iter_mut().enumerate() {
                let is_wanted = only.is_none_or(|only| only == index);
                if !view.is_of(run.job) || !run.takes(number) {
                    continue;
                }
                if run.has_ended() || !is_wanted {
                    continue;
                }
                let results = &mut results.jobs[index];
                if view.depends_on_jobs() && !can_match.contains(&index) {
                    run.count_unmatchable(number, results);
                    continue;
                }
                if !view.reads_moves() {
                    results.add_unread(number..number + 1);
                }
                let context = run.context(plan, number);
                let game = SearchedGame { game, text, context, origin };
                let is_timed = plan.jobs.len() > 1;
                let writer = &mut self.writer;
                let answer = run.search(game, writer, results, damages, line, is_timed)?;
                is_nonmatching &= answer == GameAnswer::NoMatch;
            }
        }
        Ok(is_nonmatching)
    }

    /// Adds the damages of a game to the results.
    fn report(
        &self,
        text: &GameText<'_>,
        number: u64,
        origin: InputGame<'_>,
        damages: Vec<DamageSummary>,
        results: &mut ChunkResult,
        mut line: impl FnMut(usize) -> u64,
    ) {
        let mut damages: Vec<(usize, DamageSummary)> = damages.into_iter().enumerate().collect();
        damages.sort_by_key(|(_, damage)| damage.start);
        for (rank, damage) in damages {
            let mut report = DamagedGame {
                input: origin.input_name.to_owned(),
                line: line(damage.start),
                game: number,
                reason: damage.reason,
                text: damage.shown,
                more: damage.more,
            };
            // A table has the text of a game that was damaged when it was packed.
            if let (GameText::Coded(_), Some(row)) = (text, origin.row) {
                row.blame(&mut report, origin.number);
            }
            let rejected = (self.plan.want_rejects && !damage.note).then(|| {
                let begin = results.rejects.len();
                results.rejects.extend_from_slice(text.rejected());
                RejectedText::Range(begin..results.rejects.len())
            });
            let DamageSummary { note, left_out, jobs, purpose, .. } = damage;
            let remark = Remark { report, note, left_out, jobs, purpose, rank, rejected };
            results.remarks.push(remark);
        }
    }
}

/// Reads a game as the jobs of a view need it, and tells which of them it can match. A game that
/// none can match is not replayed, so its illegal moves are not reported.
///
/// # Errors
/// The codes of its moves are damaged.
fn read_view<'r, 'g: 'r>(
    plan: &Plan,
    view: &View,
    text: &GameText<'g>,
    number: u64,
    reader: &'r mut Reader,
    runs: &mut [JobRun<'_>],
    can_match: &mut Vec<usize>,
) -> Result<Game<'r>, ReplayError> {
    can_match.clear();
    let (game, _) = text.read_if(reader, view.needs, |head| {
        if !view.depends_on_jobs() {
            return true;
        }
        for run in runs {
            let is_open = view.is_of(run.job) && run.takes(number) && !run.ended;
            if is_open && run.machine.can_match(head, &run.context(plan, number)) {
                can_match.push(run.index);
            }
        }
        !can_match.is_empty()
    })?;
    Ok(game)
}

/// Adds the damages that the reading of a game for a view has found.
///
/// # Errors
/// The codes of its moves are damaged.
fn add_view_damage(
    damages: &mut Vec<DamageSummary>,
    view: &View,
    game: &Game<'_>,
    can_match: &[usize],
    text: &GameText<'_>,
    writer: &mut Reader,
) -> Result<(), ReplayError> {
    if can_match.is_empty() {
        add_damage(damages, game, None, ReadPurpose::Search);
        return Ok(());
    }
    // Whether one of these jobs has ended before this game is known only after the chunks before
    // this one. If all have, only the tags are read.
    add_damage(damages, game, Some(can_match), ReadPurpose::Search);
    if !game.damages().is_empty() {
        let (tags, _) = text.read_if(writer, view.needs, |_| false)?;
        add_damage(damages, &tags, None, ReadPurpose::Search);
    }
    Ok(())
}

fn has_unknown_variant(game: &Game<'_>) -> bool {
    let mut reasons = game.damages().iter().map(|damage| damage.reason);
    reasons.any(|reason| reason == DamageReason::UnknownVariant)
}
