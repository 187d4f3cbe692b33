//! One thread's work: replay each game of a chunk once and run all queries on it.

mod evaluate;
mod limit_row;
mod plan;
mod remarks;
mod results;

use std::sync::atomic::Ordering;
use std::time::Instant;

use babson_pgn::{DamageReason, Game, Reader};
use babson_vm::{GameContext, Machine};

use crate::chunk::{Chunk, MAX_GAME};
use crate::job::Job;
use crate::limits::MAX_WAITING;
use crate::report::DamagedGame;
use evaluate::evaluate;
pub(crate) use limit_row::{LimitRow, MAX_GAMES_AT_LIMIT};
pub(crate) use plan::Plan;
use plan::is_inside;
use remarks::{Lines, SHOWN, Seen, see};
pub(crate) use results::{Block, Found, FoundByJob, Kept, Rejected, Remark};

/// The state of one searching thread. Its buffers are kept from game to game.
pub(crate) struct Worker<'j> {
    plan: &'j Plan<'j>,
    machines: Vec<Machine<'j>>,
    reader: Reader,
    /// Reads a matching game once more with everything that the writer wants.
    writer: Reader,
    /// Matches of each job so far, for `--limit`: nothing after the last one is evaluated, which
    /// matters to persistent variables.
    matched: Vec<u64>,
    ended: Vec<bool>,
    /// How many games each job was evaluated on, and those at the limit of steps.
    evaluated: Vec<u64>,
    rows: Vec<LimitRow>,
    /// What its games leave behind goes with what it found.
    is_fork: bool,
}

impl<'j> Worker<'j> {
    pub(crate) fn new(plan: &'j Plan<'j>) -> Worker<'j> {
        let machines = plan.jobs.iter().map(|job| Machine::new(&job.program));
        Worker::with_machines(plan, machines.collect())
    }

    /// A worker for some of the chunks: what its games leave behind comes with what it
    /// [found](Worker::search), to be [joined](Worker::join) to this one.
    pub(crate) fn fork(&self) -> Worker<'j> {
        let forks = self.machines.iter().map(Machine::fork);
        Worker { is_fork: true, ..Worker::with_machines(self.plan, forks.collect()) }
    }

    fn with_machines(plan: &'j Plan<'j>, machines: Vec<Machine<'j>>) -> Worker<'j> {
        let reader = || Reader::new().with_variants(plan.variants.clone());
        Worker {
            plan,
            machines,
            reader: reader(),
            writer: reader(),
            matched: vec![0; plan.jobs.len()],
            ended: vec![false; plan.jobs.len()],
            evaluated: vec![0; plan.jobs.len()],
            rows: vec![LimitRow::default(); plan.jobs.len()],
            is_fork: false,
        }
    }

    /// What the machine of each job holds in the end; dictionaries, which may be large, on demand.
    pub(crate) fn kept(&self, dictionaries: bool) -> Vec<Kept> {
        let kept = |machine: &Machine<'_>| Kept {
            persistents: machine.persistents(),
            dictionaries: if dictionaries { machine.dictionaries() } else { Vec::new() },
            profile: machine.profile().to_vec(),
        };
        self.machines.iter().map(kept).collect()
    }

    /// What each query does before the first game.
    pub(crate) fn begin(&mut self) -> Vec<Block> {
        let jobs = self.machines.iter_mut().zip(self.plan.jobs);
        let ended = self.ended.iter_mut();
        let plan = self.plan;
        let run = |((machine, job), ended): ((&mut Machine<'j>, &Job), &mut bool)| {
            let last = plan.last_number(job);
            let block = Block::of(machine.begin(&job.options, last));
            *ended |= block.error.is_some();
            block
        };
        jobs.zip(ended).map(run).collect()
    }

    /// What each query does after the last game, unless it has given up.
    pub(crate) fn end(&mut self) -> Vec<Block> {
        let jobs = self.machines.iter_mut().zip(self.plan.jobs);
        let plan = self.plan;
        let run = |(machine, job): (&mut Machine<'j>, &Job)| {
            Block::of(machine.end(&job.options, plan.last_number(job)))
        };
        jobs.map(run).collect()
    }

    /// Takes over what the next games left behind, for the jobs that still run.
    pub(crate) fn join(&mut self, chunk: &Chunk, found: &mut Found, runs: impl Fn(usize) -> bool) {
        let plan = self.plan;
        for (index, job) in plan.jobs.iter().enumerate() {
            let Some(part) = found.jobs[index].part.take().filter(|_| runs(index)) else {
                continue;
            };
            if self.machines[index].may_overflow(&part, &job.options) {
                found.jobs[index] = self.search_again(chunk, found, index);
            } else {
                self.machines[index].join(part);
            }
        }
    }

    /// What one job finds in the same games after all before them.
    fn search_again(&mut self, chunk: &Chunk, found: &Found, job: usize) -> FoundByJob {
        let mut again = Found::new(self.plan.jobs, found.first_game);
        let first = (found.first_game - chunk.first_game) as usize;
        self.rows[job] = LimitRow::default();
        let mut lines = Lines { offset: 0, line: chunk.first_line };
        for index in first..first + found.games as usize {
            self.chunk_game(chunk, index, &mut lines, Some(job), &mut again);
        }
        again.jobs.swap_remove(job)
    }

    /// Tells all forks which jobs still run.
    pub(crate) fn tell(&self, runs: impl Fn(usize) -> bool) {
        for (index, ended) in self.plan.ended.iter().enumerate() {
            if !runs(index) {
                ended.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Ends the conversations with other programs: what was wrong with one ends its query's run.
    pub(crate) fn close(&mut self) -> Vec<Block> {
        let close = |machine: &mut Machine<'j>| Block {
            messages: Vec::new(),
            error: machine.close_pipes(),
        };
        self.machines.iter_mut().map(close).collect()
    }

    /// Searches one chunk. `take` gets what was found, in parts where that is much, and says
    /// whether to go on.
    pub(crate) fn search(&mut self, chunk: &Chunk, mut take: impl FnMut(Found) -> bool) {
        if self.is_fork {
            // The chunk before this one was another worker's.
            self.rows.fill(LimitRow::default());
        }
        let mut lines = Lines { offset: 0, line: chunk.first_line };
        let mut found = Found::new(self.plan.jobs, chunk.first_game);
        (found.bytes, found.input_bytes) = (chunk.length, chunk.input_length);
        for index in 0..chunk.games() {
            self.chunk_game(chunk, index, &mut lines, None, &mut found);
            if found.size().saturating_add(self.held()) > MAX_WAITING {
                let next = Found::new(self.plan.jobs, found.first_game + found.games);
                self.add_parts(&mut found);
                if !take(std::mem::replace(&mut found, next)) {
                    return;
                }
            }
        }
        self.add_parts(&mut found);
        found.is_last = true;
        take(found);
    }

    /// Bytes of what the games since the last part left behind.
    fn held(&self) -> usize {
        if !self.is_fork {
            return 0;
        }
        self.machines.iter().map(Machine::part_bytes).sum()
    }

    /// Adds to the results of a fork what their games left behind.
    fn add_parts(&mut self, found: &mut Found) {
        if !self.is_fork {
            return;
        }
        for (machine, results) in self.machines.iter_mut().zip(&mut found.jobs) {
            results.part = machine.take_part();
        }
    }

    /// Runs all queries, or the only one that is wanted, on one game of a chunk.
    fn chunk_game(
        &mut self,
        chunk: &Chunk,
        index: usize,
        lines: &mut Lines,
        only: Option<usize>,
        found: &mut Found,
    ) {
        found.games += 1;
        let text = chunk.bytes();
        let Some(&[start, end]) = chunk.starts.get(index..index + 2) else { return };
        let number = chunk.first_game + index as u64;
        let game = text.get(start..end).unwrap_or_default();
        if !chunk.overlong && game.len() <= MAX_GAME {
            let line = |damage| lines.at(text, start + damage);
            return self.game(game, number, only, found, line, chunk);
        }
        if !self.plan.wants(number) {
            return;
        }
        let report = DamagedGame {
            input: self.plan.input_names.get(chunk.input).cloned().unwrap_or_default(),
            line: lines.at(text, start),
            game: number,
            reason: format!(
                "a game of more than {} MiB (is this a PGN file?): passed over",
                MAX_GAME >> 20
            ),
            text: game[..game.len().min(SHOWN)].to_vec(),
            more: 0,
        };
        let rejected = chunk.long_text.clone().map(Rejected::Long);
        found.remarks.push(Remark { report, note: false, jobs: None, rank: 0, rejected });
    }

    /// Runs all queries on one game.
    fn game(
        &mut self,
        text: &[u8],
        number: u64,
        only: Option<usize>,
        found: &mut Found,
        mut line: impl FnMut(usize) -> u64,
        chunk: &Chunk,
    ) {
        let plan = self.plan;
        let inside = |job: &Job| is_inside(job, number);
        if !plan.wants(number) {
            return;
        }
        let mut seen = Vec::new();
        let context = |job: &'j Job| GameContext {
            number,
            last_number: plan.last_number(job),
            options: &job.options,
        };
        for view in &plan.views {
            self.reader.write_error_comments(view.error_comments);
            self.writer.write_error_comments(view.error_comments);
            let needs = view.needs;
            // A game that no query can match is not replayed: as where tags are all that a query
            // needs, moves that nobody asked for are not said to be illegal.
            let depends_on_jobs = needs.moves && !needs.damage;
            let mut can_match = Vec::new();
            let (game, _) = self.reader.read_if(text, needs, |head| {
                if !depends_on_jobs {
                    return true;
                }
                let jobs = plan.jobs.iter().zip(&mut self.machines).zip(&self.ended).enumerate();
                let asked = jobs
                    .filter(|(_, ((job, _), ended))| view.is_of(job) && inside(job) && !**ended);
                let asked = asked.map(|(index, ((job, machine), _))| (index, job, machine));
                can_match.extend(asked.filter_map(|(index, job, machine)| {
                    machine.can_match(head, &context(job)).then_some(index)
                }));
                !can_match.is_empty()
            });
            if plan.skip_unknown_variants && has_unknown_variant(&game) {
                return;
            }
            if can_match.is_empty() {
                see(&mut seen, &game, None);
            } else {
                // Whether one of these jobs has ended before this game is known only after the
                // chunks before this one. If all have, only the tags are read.
                see(&mut seen, &game, Some(&can_match));
                if !game.damages().is_empty() {
                    let (tags, _) = self.writer.read_if(text, needs, |_| false);
                    see(&mut seen, &tags, None);
                }
            }
            for (index, job) in plan.jobs.iter().enumerate() {
                let ended = self.ended[index] || plan.ended[index].load(Ordering::Relaxed);
                let is_wanted = only.is_none_or(|only| only == index);
                if !view.is_of(job) || !inside(job) || ended || !is_wanted {
                    continue;
                }
                let results = &mut found.jobs[index];
                if depends_on_jobs && !can_match.contains(&index) {
                    results.evaluated += 1;
                    self.evaluated[index] += 1;
                    continue;
                }
                let began = (plan.jobs.len() > 1).then(Instant::now);
                let context = context(job);
                let matched = evaluate(
                    job,
                    &mut self.machines[index],
                    &mut self.writer,
                    game,
                    &context,
                    results,
                    |whole| see(&mut seen, whole, Some(&[index])),
                );
                self.matched[index] += u64::from(matched);
                let last = results.errors.last();
                let failed = last.filter(|failure| failure.game == number);
                self.ended[index] = job.limit.is_some_and(|limit| self.matched[index] >= limit)
                    || failed.is_some_and(|failure| {
                        failure.error.fatal
                            || failure.error.out_of_steps
                                && self.rows[index].add(self.evaluated[index])
                    });
                self.evaluated[index] += 1;
                if let Some(began) = began {
                    results.seconds += began.elapsed().as_secs_f64();
                }
            }
        }
        let mut seen: Vec<(usize, Seen)> = seen.into_iter().enumerate().collect();
        seen.sort_by_key(|(_, seen)| seen.start);
        for (rank, seen) in seen {
            let report = DamagedGame {
                input: plan.input_names.get(chunk.input).cloned().unwrap_or_default(),
                line: line(seen.start),
                game: number,
                reason: seen.reason,
                text: seen.shown,
                more: seen.more,
            };
            let rejected = (plan.want_rejects && !seen.note).then(|| {
                let begin = found.rejects.len();
                found.rejects.extend_from_slice(text.trim_ascii_end());
                Rejected::Text(begin..found.rejects.len())
            });
            found.remarks.push(Remark { report, note: seen.note, jobs: seen.jobs, rank, rejected });
        }
    }
}

fn has_unknown_variant(game: &Game<'_>) -> bool {
    let mut reasons = game.damages().iter().map(|damage| damage.reason);
    reasons.any(|reason| reason == DamageReason::UnknownVariant)
}
