//! The work of one thread: replays each game of a chunk once and runs all queries on it.

mod job_run;
mod match_writer;
mod plan;
mod restore;
mod results;
mod rows;
mod tracer;

use std::sync::atomic::Ordering;
use std::time::Instant;

use babson_input::chunk::{Chunk, ChunkRows};
use babson_pgn::{Game, Reader, ReplayError};
use babson_vm::run::{
    DamageSummary, GameAnswer, GameDamages, GameRun, GameText, LineCounter, ReadPurpose,
    overlong_game,
};
use babson_vm::{PipeFailure, Stopped};

use crate::collect::{
    DamagedText, Fillers, InputGame, SearchedGame, TextGame, has_unknown_variant,
};
use crate::limits::MAX_WAITING;
use crate::summary::FinalState;
use job_run::{GameReading, JobRun};
pub(crate) use match_writer::ignored_comments;
pub(crate) use plan::Plan;
use plan::View;
pub(crate) use results::{BlockResult, ChunkResult, GameMatch, JobLog, JobResult, Remark};

/// The state of one searching thread. Its buffers are reused from game to game.
pub(crate) struct Worker<'j> {
    plan: &'j Plan,
    runs: Vec<JobRun<'j>>,
    reader: Reader,
    /// Reads a matching game again, with everything that the outputs need.
    writer: Reader,
    /// What fills the batches of the collectors.
    fillers: Fillers<'j>,
    /// The text of a game of a table, whose tags and moves are stored apart.
    joined: Vec<u8>,
    /// Whether it is a fork: its changes to persistent state are part of its results.
    is_fork: bool,
    /// Why the scan was stopped, if it was stopped in a game.
    stopped: Option<Stopped>,
}

impl<'j> Worker<'j> {
    pub(crate) fn new(plan: &'j Plan, fillers: Fillers<'j>) -> Worker<'j> {
        let runs: Vec<GameRun> = plan.runs(&fillers).collect();
        Worker::with_runs(plan, runs, fillers)
    }

    /// A worker for some of the chunks. Its changes to persistent state are part of the results of
    /// [`search`](Worker::search), to be [joined](Worker::join) to this worker.
    pub(crate) fn fork(&self, fillers: Fillers<'j>) -> Worker<'j> {
        let forks = self.runs.iter().map(|run| run.run.fork());
        Worker { is_fork: true, ..Worker::with_runs(self.plan, forks, fillers) }
    }

    fn with_runs(
        plan: &'j Plan,
        runs: impl IntoIterator<Item = GameRun>,
        fillers: Fillers<'j>,
    ) -> Worker<'j> {
        let reader = || Reader::new().with_variants(plan.variants.clone());
        Worker {
            plan,
            runs: runs
                .into_iter()
                .enumerate()
                .map(|(index, run)| JobRun::new(plan, index, run, &fillers))
                .collect(),
            reader: reader(),
            writer: reader(),
            fillers,
            joined: Vec::new(),
            is_fork: false,
            stopped: None,
        }
    }

    /// The final state of each job, with dictionaries only if requested, since they may be large.
    pub(crate) fn final_states(&self, dictionaries: bool) -> Vec<FinalState> {
        let machines = self.runs.iter().map(|run| run.run.machine());
        let state = machines.map(|machine| FinalState {
            persistents: machine.persistents(),
            dictionaries: if dictionaries { machine.dictionaries() } else { Vec::new() },
            profile: machine.profile().to_vec(),
        });
        state.collect()
    }

    /// Runs `cqlbegin` of each query.
    pub(crate) fn begin(&mut self) -> Vec<BlockResult> {
        self.runs.iter_mut().map(|run| BlockResult::of(run.run.begin())).collect()
    }

    /// Runs `cqlend` of each query that has not stopped.
    pub(crate) fn end(&mut self) -> Vec<BlockResult> {
        self.runs.iter_mut().map(|run| BlockResult::of(run.run.end())).collect()
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
            let machine = self.runs[index].run.machine_mut();
            if machine.may_overflow(&changes, &job.options) {
                results.jobs[index] = self.search_again(chunk, results, index);
                self.fillers.replace(&mut results.collected, index);
            } else {
                machine.join(changes);
            }
        }
    }

    /// Searches the same games again with one job, after all games before them.
    fn search_again(&mut self, chunk: &Chunk, results: &ChunkResult, job: usize) -> JobResult {
        let mut again = ChunkResult::new(self.runs.len(), results.first_game);
        let first = (results.first_game - chunk.start.game) as usize;
        self.runs[job].run.end_streak();
        let mut lines = LineCounter::new(chunk.start.line);
        for index in first..first + results.games as usize {
            self.chunk_game(chunk, index, &mut lines, Some(job), &mut again);
        }
        again.jobs.swap_remove(job)
    }

    /// Tells this worker and all forks which jobs have ended.
    pub(crate) fn tell(&self, runs: impl Fn(usize) -> bool) {
        for (index, ended) in self.plan.ended.iter().enumerate() {
            if !runs(index) {
                ended.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Closes the pipes to other programs. Returns the errors of the programs of each job.
    pub(crate) fn close(&mut self) -> Vec<Vec<PipeFailure>> {
        self.runs.iter_mut().map(|run| run.run.machine_mut().close_each_pipe()).collect()
    }

    /// Whether and why the scan is to stop now.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        self.stopped.or_else(|| self.plan.stop.stopped())
    }

    /// Searches one chunk. `take` gets the results, in batches if they are large, and returns
    /// whether to continue.
    ///
    /// # Errors
    /// The scan is stopped. Then the results of the last batch are missing.
    pub(crate) fn search(
        &mut self,
        chunk: &Chunk,
        mut take: impl FnMut(ChunkResult) -> bool,
    ) -> Result<(), Stopped> {
        if self.is_fork {
            // Another worker searched the chunk before this one.
            self.runs.iter_mut().for_each(|run| run.run.end_streak());
        }
        let mut lines = LineCounter::new(chunk.start.line);
        let mut results = ChunkResult::new(self.runs.len(), chunk.start.game);
        (results.bytes, results.input_bytes) = (chunk.length, chunk.input_length);
        let rewritten_table = chunk.rows.as_ref().and_then(ChunkRows::rewritten_table);
        results.rewritten_table = rewritten_table.map(str::to_owned);
        let selected = chunk.rows.as_ref().filter(|_| !self.plan.reads_all());
        let (mut index, games) = (0, chunk.games());
        while index < games {
            if let Some(rows) = selected {
                let next = rows.next_selected(index);
                self.skip_decided(chunk, rows, index..next, &mut results);
                index = next;
                if index == games {
                    break;
                }
            }
            self.chunk_game(chunk, index, &mut lines, None, &mut results);
            if let Some(stopped) = self.stopped() {
                return Err(stopped);
            }
            index += 1;
            if results.size().saturating_add(self.changed_bytes()) > MAX_WAITING {
                let next = ChunkResult::new(self.runs.len(), results.first_game + results.games);
                self.end_batch(chunk, &mut results);
                if !take(std::mem::replace(&mut results, next)) {
                    return Ok(());
                }
            }
        }
        self.end_batch(chunk, &mut results);
        results.is_last = true;
        take(results);
        Ok(())
    }

    /// Bytes of the changes to persistent state since the last batch.
    fn changed_bytes(&self) -> usize {
        if !self.is_fork {
            return 0;
        }
        self.runs.iter().map(|run| run.run.machine().changed_bytes()).sum()
    }

    /// Adds to the results of a batch what is known at its end.
    fn end_batch(&mut self, chunk: &Chunk, results: &mut ChunkResult) {
        self.add_changes(results);
        let first = (results.first_game - chunk.start.game) as usize;
        results.collected = self.fillers.end(chunk, first..first + results.games as usize);
    }

    /// Adds the changes to persistent state to the results of a fork.
    fn add_changes(&mut self, results: &mut ChunkResult) {
        if !self.is_fork {
            return;
        }
        for (run, results) in self.runs.iter_mut().zip(&mut results.jobs) {
            results.changes = run.run.machine_mut().take_changes();
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
                Some(row) => {
                    let is_decided = |query| rows.is_decided(query, index);
                    self.row(chunk.input, (&row, is_decided), number, only, results);
                }
                None => {
                    self.skip(number, 1, only, results);
                    if let Some(row) = rows.any_row(index).filter(|_| only.is_none()) {
                        self.skipped_row(chunk.input, &row, number, results);
                    }
                }
            };
        }
        results.games += 1;
        let (text, game, start) = (chunk.bytes(), chunk.text(index), chunk.starts[index]);
        let number = chunk.start.game + index as u64;
        let origin = InputGame {
            input: chunk.input,
            input_name: self.plan.input_names.get(chunk.input).map_or("", String::as_str),
            row: None,
            number: chunk.start.input_game + index as u64,
            offset: chunk.offset + start as u64,
            length: None,
            is_torn: chunk.torn == Some(index),
        };
        if !chunk.is_overlong(game) {
            let line = |damage| lines.at(text, start + damage);
            let game = TextGame { text: GameText::Pgn(chunk.split_text(index)), number, origin };
            return self.game(&game, only, results, line);
        }
        if !self.plan.wants(number) {
            return;
        }
        let report = overlong_game(origin.input_name, lines.at(text, start), number, game);
        if let Some(text) = &chunk.long_text {
            results.held += self.fillers.damaged(number, DamagedText::Long(text));
        }
        results.remarks.push(Remark {
            report,
            note: false,
            left_out: true,
            jobs: None,
            purpose: ReadPurpose::Search,
            rank: 0,
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
        game: &TextGame<'_>,
        only: Option<usize>,
        results: &mut ChunkResult,
        mut line: impl FnMut(usize) -> u64,
    ) {
        if !self.plan.wants(game.number) {
            return;
        }
        let mut damages = GameDamages::default();
        let begin = &mut || line(0);
        match self.run_jobs(game, only, results, &mut damages, begin) {
            Ok(Some(matched)) if only.is_none() && !self.fillers.is_empty() => {
                self.collect(game, matched, results, &mut damages, begin);
            }
            Ok(_) => {}
            Err(error) => damages.push(DamageSummary::of_codes(&error)),
        }
        if game.origin.is_torn {
            damages.push(DamageSummary::of_torn(&game.text));
        }
        if !damages.is_empty() {
            self.report(game, damages, results, line);
        }
    }

    /// Whether the games that no query matches are collected, and every query searches the game of
    /// this number: it is in the range of each, none leaves it out, and none has ended.
    fn all_search(&self, number: u64) -> bool {
        let searches = |run: &JobRun<'_>| run.takes(number) && !run.has_ended();
        self.plan.collects_others && self.runs.iter().all(searches)
    }

    /// Hands a game to the collectors: one that a query matches, or one that all have searched and
    /// none matches.
    fn collect(
        &mut self,
        game: &TextGame<'_>,
        matched: bool,
        results: &mut ChunkResult,
        damages: &mut GameDamages,
        line: &mut dyn FnMut() -> u64,
    ) {
        let reader = &mut self.writer;
        let mut searched = SearchedGame { game, matched, reader, damages, line };
        results.held += self.fillers.searched(&mut searched);
    }

    /// Runs all queries on one game. Returns whether a query matches it, `Some(false)` only if all
    /// have searched it and none matches. Its damages are added to `damages`; `line` tells the line
    /// that it begins on.
    ///
    /// # Errors
    /// The game is one of a table, and the codes of its moves are damaged.
    fn run_jobs(
        &mut self,
        game: &TextGame<'_>,
        only: Option<usize>,
        results: &mut ChunkResult,
        damages: &mut GameDamages,
        line: &mut dyn FnMut() -> u64,
    ) -> Result<Option<bool>, ReplayError> {
        let (plan, number) = (self.plan, game.number);
        let (mut matched, mut is_nonmatching) = (false, self.all_search(number));
        let Worker { runs, reader, writer, fillers, stopped, .. } = self;
        let is_timed = runs.len() > 1;
        for view in &plan.views {
            reader.write_error_comments(view.error_comments);
            writer.write_error_comments(view.error_comments);
            // A game that no job can match is not replayed, so its illegal moves are not reported.
            let by_tags = view.depends_on_jobs();
            let mut read = None;
            if view.jobs.iter().any(|&index| !runs[index].is_decided) {
                let (found, _) = game.text.read_if(reader, view.needs, |head| {
                    let mut can_match = !by_tags;
                    if by_tags {
                        for &index in &view.jobs {
                            can_match |= runs[index].test_tags(head, number);
                        }
                    }
                    can_match
                })?;
                if !found.damages().is_empty() {
                    if plan.skip_unknown_variants && has_unknown_variant(&found) {
                        damages.clear();
                        return Ok(None);
                    }
                    add_view_damage(damages, view, &found, runs, &game.text, writer)?;
                }
                read = Some(found);
            }
            let mut clock = is_timed.then(Instant::now);
            for &index in &view.jobs {
                let run = &mut runs[index];
                if !run.takes(number) || run.has_ended() || only.is_some_and(|only| only != index) {
                    continue;
                }
                let results = &mut results.jobs[index];
                let Some(read) = read.as_ref().filter(|_| !run.is_decided) else {
                    let reading = &mut GameReading { game, writer, fillers, damages, line };
                    run.take_decided(reading, results)?;
                    (matched, is_nonmatching) = (true, false);
                    continue;
                };
                if by_tags && !run.can_match {
                    run.skip(number..number + 1, results);
                    continue;
                }
                if !view.reads_moves() || read.is_cut() {
                    results.log.add_unread(number..number + 1);
                }
                let reading = &mut GameReading { game, writer, fillers, damages, line };
                let answer = run.search(read, reading, results)?;
                if let Some(began) = &mut clock {
                    // The end of one search is the beginning of the next.
                    let ended = Instant::now();
                    results.log.seconds += (ended - *began).as_secs_f64();
                    *began = ended;
                }
                is_nonmatching &= answer == GameAnswer::NoMatch;
                matched |= answer == GameAnswer::Match;
                if answer == GameAnswer::Stopped {
                    *stopped = run.run.stopped();
                    return Ok(None);
                }
            }
        }
        Ok((matched || is_nonmatching).then_some(matched))
    }

    /// Adds the damages of a game to the results.
    #[cold]
    fn report(
        &mut self,
        &TextGame { text, number, origin }: &TextGame<'_>,
        damages: GameDamages,
        results: &mut ChunkResult,
        mut line: impl FnMut(usize) -> u64,
    ) {
        let mut is_damaged = false;
        for (rank, damage) in damages.ranked() {
            let mut report = damage.report(origin.input_name, line(damage.start), number);
            // A table has the text of a game that was damaged when it was packed.
            if let (GameText::Coded(_), Some(row)) = (text, origin.row) {
                row.blame(&mut report, origin.number);
            }
            let DamageSummary { note, left_out, queries: jobs, purpose, .. } = damage;
            is_damaged |= !note;
            results.remarks.push(Remark { report, note, left_out, jobs, purpose, rank });
        }
        if is_damaged {
            let text = DamagedText::Text(text.rejected());
            results.held += self.fillers.damaged(number, text);
        }
    }
}

/// Adds the damages that the reading of a game for a view has found.
///
/// # Errors
/// The codes of its moves are damaged.
#[cold]
fn add_view_damage(
    damages: &mut GameDamages,
    view: &View,
    game: &Game<'_>,
    runs: &[JobRun<'_>],
    text: &GameText<'_>,
    writer: &mut Reader,
) -> Result<(), ReplayError> {
    let can_match = |index: &usize| view.depends_on_jobs() && runs[*index].can_match;
    let can_match: Vec<usize> = view.jobs.iter().copied().filter(can_match).collect();
    if can_match.is_empty() {
        damages.add(game, None, ReadPurpose::Search);
        return Ok(());
    }
    // Whether one of these jobs has ended before this game is known only after the chunks before
    // this one. If all have, only the tags are read.
    damages.add(game, Some(&can_match), ReadPurpose::Search);
    let (tags, _) = text.read_if(writer, view.needs, |_| false)?;
    damages.add(&tags, None, ReadPurpose::Search);
    Ok(())
}
