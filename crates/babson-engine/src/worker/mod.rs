//! One thread's work: replay each game of a chunk once and run all queries on it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use babson_chess::VariantNames;
use babson_pgn::{Game, Needs, Reader, Reason};
use babson_vm::{Counter, GameContext, Machine, Outcome, Part, RuntimeError, SortValue};

use crate::chunk::{self, Chunk, LongText, MAX_GAME};
use crate::job::Job;
use crate::limits::MAX_WAITING;
use crate::report::DamagedGame;
use crate::sink;
use crate::text::{Mark, Text};

/// After so many games in a row at the limit of steps the run ends: each of them takes about a
/// second, and a query that needs more steps needs them for most games.
pub(crate) const MAX_GAMES_AT_LIMIT: u64 = 20;

/// How many bytes of offending text are shown.
const SHOWN: usize = 80;

/// What outlives the games of a job.
pub(crate) struct Kept {
    /// The lines of its persistent variables.
    pub(crate) persistents: Vec<String>,
    /// The lines of its dictionaries.
    pub(crate) dictionaries: Vec<String>,
    pub(crate) profile: Vec<Counter>,
}

/// What `cqlbegin` or `cqlend` of a query did.
pub(crate) struct Block {
    pub(crate) messages: Vec<u8>,
    pub(crate) error: Option<RuntimeError>,
}

impl Block {
    fn of(outcome: &Outcome) -> Block {
        Block { messages: outcome.messages.clone(), error: outcome.error.clone() }
    }
}

/// A game that was given up.
pub(crate) struct Failure {
    pub(crate) game: u64,
    /// How many games of the chunk were evaluated before it.
    pub(crate) before: u64,
    pub(crate) error: RuntimeError,
}

/// Counts the games in a row, of those that a query is evaluated on, that used up their steps.
#[derive(Clone, Copy, Default)]
pub(crate) struct LimitRow {
    length: u64,
    /// How many games were evaluated up to the last one of the row.
    end: u64,
}

impl LimitRow {
    /// Adds a game at the limit, given how many games were evaluated before it. Whether the run
    /// ends.
    pub(crate) fn add(&mut self, before: u64) -> bool {
        self.length = if before == self.end { self.length + 1 } else { 1 };
        self.end = before + 1;
        self.length >= MAX_GAMES_AT_LIMIT
    }
}

/// What was found in the games of a chunk, or of a part of it.
pub(crate) struct Found {
    /// No part of the chunk comes after it.
    pub(crate) is_last: bool,
    pub(crate) first_game: u64,
    pub(crate) games: u64,
    /// Of the whole chunk, with its first part.
    pub(crate) bytes: u64,
    pub(crate) input_bytes: u64,
    pub(crate) remarks: Vec<Remark>,
    /// The texts of damaged games, if they are wanted: see [`Rejected::Text`].
    pub(crate) rejects: Vec<u8>,
    pub(crate) jobs: Vec<FoundByJob>,
}

impl Found {
    fn new(jobs: &[Job], first_game: u64) -> Found {
        let of_job = |job: &Job| FoundByJob {
            texts: job.sinks.iter().map(|_| Text::default()).collect(),
            ..FoundByJob::default()
        };
        Found {
            is_last: false,
            first_game,
            games: 0,
            bytes: 0,
            input_bytes: 0,
            remarks: Vec::new(),
            rejects: Vec::new(),
            jobs: jobs.iter().map(of_job).collect(),
        }
    }

    /// How many bytes it holds.
    fn size(&self) -> usize {
        self.rejects.len() + self.jobs.iter().map(FoundByJob::size).sum::<usize>()
    }

    /// Whether it is too large to wait for the results before it.
    pub(crate) fn is_large(&self) -> bool {
        let entries = self.jobs.iter().filter_map(|job| job.part.as_ref()).map(Part::bytes);
        self.size().saturating_add(entries.sum()) > MAX_WAITING
    }
}

/// What one query found in some games; everything in game order.
#[derive(Default)]
pub(crate) struct FoundByJob {
    pub(crate) matches: Vec<Match>,
    /// The text for each sink: that of all matches, one after another.
    pub(crate) texts: Vec<Text>,
    pub(crate) messages: Vec<u8>,
    /// Game and end of its messages.
    pub(crate) message_ends: Vec<(u64, usize)>,
    pub(crate) errors: Vec<Failure>,
    /// Bytes of the sort keys, names of files and errors.
    more: usize,
    /// How many games were evaluated.
    pub(crate) evaluated: u64,
    pub(crate) seconds: f64,
    /// What these games left behind in what games share, if they do not all run on one thread.
    pub(crate) part: Option<Part>,
}

impl FoundByJob {
    fn size(&self) -> usize {
        self.more + self.messages.len() + self.texts.iter().map(Text::len).sum::<usize>()
    }
}

/// A damage or a note that is to be told.
pub(crate) struct Remark {
    pub(crate) report: DamagedGame,
    /// Nothing is lost: the game is not damaged.
    pub(crate) note: bool,
    /// The jobs for whose output it was found, if the queries' own reading did not come upon it: it
    /// counts if the game does for one of them.
    pub(crate) jobs: Option<Vec<usize>>,
    /// The text of the damaged game, if it is wanted.
    pub(crate) rejected: Option<Rejected>,
}

/// The text of a damaged game.
pub(crate) enum Rejected {
    /// Its place in [`Found::rejects`].
    Text(Range<usize>),
    Long(LongText),
}

/// A game that matched.
pub(crate) struct Match {
    pub(crate) game: u64,
    pub(crate) positions: u64,
    pub(crate) keys: Box<[Option<SortValue>]>,
    /// Where its text ends in each of [`FoundByJob::texts`].
    pub(crate) ends: Box<[Mark]>,
    /// The names of its files, one for each output that is many.
    pub(crate) names: Box<[String]>,
}

/// What all workers share.
pub(crate) struct Plan<'j> {
    pub(crate) jobs: &'j [Job],
    pub(crate) input_names: Vec<String>,
    pub(crate) last_number: Option<u64>,
    pub(crate) want_rejects: bool,
    pub(crate) skip_unknown_variants: bool,
    pub(crate) variants: VariantNames,
    /// The ways in which a game is read, each for some of the jobs.
    views: Vec<View>,
    /// The jobs for which no further game counts, as the merging thread tells the others.
    ended: Vec<AtomicBool>,
}

/// A way to read a game.
struct View {
    variations: bool,
    /// A move that cannot be read leaves a comment, as in CQL 6.2.
    error_comments: bool,
    /// What its jobs need.
    needs: Needs,
}

impl View {
    /// Whether a job sees games so.
    fn is_of(&self, job: &Job) -> bool {
        self.variations == job.variations() && self.error_comments == job.options.cql6_output
    }
}

impl<'j> Plan<'j> {
    pub(crate) fn new(jobs: &'j [Job], input_names: Vec<String>, want_rejects: bool) -> Plan<'j> {
        // A query that looks at the tags need not pay for a replay to learn that a move it never
        // asked for is illegal; who collects the damaged games wants them all.
        let mut damage = want_rejects;
        let mut plan = Plan {
            jobs,
            input_names,
            last_number: None,
            want_rejects,
            skip_unknown_variants: false,
            variants: VariantNames::default(),
            views: Vec::new(),
            ended: jobs.iter().map(|_| AtomicBool::new(false)).collect(),
        };
        for job in jobs {
            let needs = Needs { variations: job.variations(), ..job.program.needs() };
            match plan.views.iter_mut().find(|view| view.is_of(job)) {
                Some(view) => view.needs = view.needs.union(needs),
                None => plan.views.push(View {
                    variations: job.variations(),
                    error_comments: job.options.cql6_output,
                    needs,
                }),
            }
        }
        // The main line first: its damage is that of the tree, too.
        plan.views.sort_by_key(|view| view.variations);
        for view in &mut plan.views {
            // The first reading of a game tells it.
            view.needs.damage = std::mem::take(&mut damage);
        }
        plan
    }

    /// The number of the last game for a job, if games were counted: a range ends the input early,
    /// as far as a query can tell.
    fn last_number(&self, job: &Job) -> Option<u64> {
        let last = self.last_number?;
        Some(job.range.map_or(last, |(_, end)| last.min(end)))
    }

    /// Whether any job asks for the game of this number.
    fn wants(&self, number: u64) -> bool {
        self.jobs.iter().any(|job| is_inside(job, number))
    }
}

/// Whether a game is in the range of a job.
fn is_inside(job: &Job, number: u64) -> bool {
    job.range.is_none_or(|(low, high)| (low..=high).contains(&number))
}

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
        found.remarks.push(Remark { report, note: false, jobs: None, rejected });
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
            let (game, wanted) = self.reader.read_if(text, needs, |head| {
                if !needs.moves || needs.damage {
                    return true;
                }
                let jobs = plan.jobs.iter().zip(&mut self.machines).zip(&self.ended);
                let mut asked =
                    jobs.filter(|((job, _), ended)| view.is_of(job) && inside(job) && !**ended);
                asked.any(|((job, machine), _)| machine.can_match(head, &context(job)))
            });
            if plan.skip_unknown_variants && has_unknown_variant(&game) {
                return;
            }
            see(&mut seen, &game, None);
            for (index, job) in plan.jobs.iter().enumerate() {
                let ended = self.ended[index] || plan.ended[index].load(Ordering::Relaxed);
                let is_wanted = only.is_none_or(|only| only == index);
                if !view.is_of(job) || !inside(job) || ended || !is_wanted {
                    continue;
                }
                let results = &mut found.jobs[index];
                if !wanted {
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
                    |whole| see(&mut seen, whole, Some(index)),
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
        seen.sort_by_key(|seen| seen.start);
        for seen in seen {
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
            found.remarks.push(Remark { report, note: seen.note, jobs: seen.jobs, rejected });
        }
    }
}

fn has_unknown_variant(game: &Game<'_>) -> bool {
    let mut reasons = game.damages().iter().map(|damage| damage.reason);
    reasons.any(|reason| reason == Reason::UnknownVariant)
}

/// The worst damage of a game, or its first note, and how many others it has.
struct Seen {
    start: usize,
    reason: String,
    shown: Vec<u8>,
    more: usize,
    note: bool,
    /// As in [`Remark`].
    jobs: Option<Vec<usize>>,
}

/// Adds what a reading of the game came upon: one for all queries, or the one for a job's output.
/// Of all readings one tells, and not that for an output if a query's own has something to tell.
fn see(seen: &mut Vec<Seen>, game: &Game<'_>, job: Option<usize>) {
    if game.damages().is_empty() {
        return;
    }
    let notes = || game.damages().iter().filter(|damage| damage.reason.is_note());
    for (worst, count, note) in [
        (game.damage(), game.damages().len() - notes().count(), false),
        (notes().next(), notes().count(), true),
    ] {
        let Some(worst) = worst else { continue };
        let known = seen.iter().position(|seen| seen.note == note);
        if let Some(known) = known {
            match (&mut seen[known].jobs, job) {
                (None, _) => continue,
                (Some(jobs), Some(job)) => {
                    jobs.push(job);
                    continue;
                }
                (Some(_), None) => {
                    seen.remove(known);
                }
            }
        }
        let shown = game.damaged_text(worst);
        seen.push(Seen {
            start: worst.start,
            reason: worst.reason.to_string(),
            shown: shown[..shown.len().min(SHOWN)].to_vec(),
            more: count - 1,
            note,
            jobs: job.map(|job| vec![job]),
        });
    }
}

/// Runs one query on one game; `seen` is given the game if it is read once more to be written.
/// Returns whether the game matched.
#[allow(clippy::too_many_arguments)] // The parts of one worker, borrowed apart.
fn evaluate(
    job: &Job,
    machine: &mut Machine<'_>,
    writer: &mut Reader,
    game: Game<'_>,
    context: &GameContext<'_>,
    results: &mut FoundByJob,
    seen: impl FnOnce(&Game<'_>),
) -> bool {
    let outcome = machine.run(&game, context);
    if !outcome.messages.is_empty() {
        results.messages.extend_from_slice(&outcome.messages);
        results.message_ends.push((context.number, results.messages.len()));
    }
    let before = results.evaluated;
    results.evaluated += 1;
    if let Some(error) = &outcome.error {
        results.more += error.message.len();
        results.errors.push(Failure { game: context.number, before, error: error.clone() });
        return false;
    }
    if !outcome.matched {
        return false;
    }
    let mut names: Box<[String]> = Box::default();
    if !job.sinks.is_empty() {
        // The query saw what it needs; the output has it all.
        let whole = if game.is_whole() {
            game
        } else {
            let needs = Needs { usual_start: job.program.needs().usual_start, ..Needs::ALL };
            let whole = writer.read(game.text(), needs);
            seen(&whole);
            whole
        };
        names = job.patterns().map(|pattern| pattern.fill(&whole, outcome, job)).collect();
        for (sink, text) in job.sinks.iter().zip(&mut results.texts) {
            let written = sink::append(sink.format, text, &whole, outcome, job, context);
            for _ in 0..written.ignored_comments {
                let line = format!("Ignoring long comment in game: {}\n", context.number);
                results.messages.extend_from_slice(line.as_bytes());
            }
            if written.ignored_comments > 0 {
                let end = results.messages.len();
                results.message_ends.push((context.number, end));
            }
        }
    }
    let keys: Box<[Option<SortValue>]> =
        if job.sorts() { outcome.sort.as_slice().into() } else { Box::default() };
    let names_bytes: usize = names.iter().map(String::len).sum();
    let key_bytes = |key: &SortValue| match key {
        SortValue::Number(_) => 0,
        SortValue::Text(text) => text.len(),
    };
    results.more += names_bytes + keys.iter().flatten().map(key_bytes).sum::<usize>();
    results.matches.push(Match {
        game: context.number,
        positions: outcome.positions.len() as u64,
        keys,
        ends: results.texts.iter().map(Text::mark).collect(),
        names,
    });
    true
}

/// Counts lines from one place of a chunk to a later one.
struct Lines {
    offset: usize,
    line: u64,
}

impl Lines {
    fn at(&mut self, text: &[u8], offset: usize) -> u64 {
        // Damages of one chunk are asked for in order, but for a game that is read twice.
        if let Some(passed) = text.get(self.offset..offset) {
            self.line += chunk::lines(passed);
            self.offset = offset;
        }
        self.line
    }
}
