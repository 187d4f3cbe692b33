//! The plan of a scan, which all workers share.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use babson_chess::VariantNames;
use babson_lang::hir::CommentLevel;
use babson_pgn::Needs;
use babson_vm::StopSignal;
use babson_vm::run::{GameRange, GameRun, is_inside};

use crate::collect::Fillers;
use crate::job::Job;
use crate::sink::{Sink, reads_positions};
use crate::task::{Settings, Task};

/// The plan of a scan, which all workers share.
pub(crate) struct Plan {
    pub(crate) jobs: Vec<Job>,
    /// Whether the observer of the scan takes matches as data.
    pub(super) observed: bool,
    pub(crate) input_names: Vec<String>,
    pub(crate) last_number: Option<u64>,
    pub(crate) skip_unknown_variants: bool,
    /// Whether games that are equal to earlier ones are left out.
    pub(crate) unique: bool,
    /// The different ranges of games that jobs search.
    pub(crate) ranges: Vec<Option<GameRange>>,
    /// The index of the range of each job.
    pub(super) range_indexes: Vec<usize>,
    pub(crate) variants: VariantNames,
    /// Whether the games that no job matches are collected.
    pub(super) collects_others: bool,
    /// What is done with the matches of each job.
    uses: Vec<MatchUse>,
    /// Whether the scan goes on only to count.
    pub(crate) needs_counts: bool,
    /// The ways in which games are read, each for some of the jobs.
    pub(super) views: Vec<View>,
    /// Stops the scan.
    pub(crate) stop: StopSignal,
    /// Which jobs have ended. The merging thread sets it for the others.
    pub(super) ended: Vec<AtomicBool>,
}

/// What is done with the matches of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MatchUse {
    /// They are counted.
    Counted,
    /// The games are written, without what the query says of their positions.
    Games,
    /// An output or the observer has what the query says of their positions.
    Positions,
}

impl MatchUse {
    /// What is done with the matches of a job that has these sinks and no other readers.
    fn of(job: &Job, sinks: &[Box<dyn Sink>]) -> MatchUse {
        match reads_positions(job, sinks) {
            true => MatchUse::Positions,
            false if sinks.is_empty() => MatchUse::Counted,
            false => MatchUse::Games,
        }
    }
}

/// A way to read a game.
pub(super) struct View {
    variations: bool,
    /// Whether a move that cannot be read becomes a comment, as in CQL 6.2.
    pub(super) error_comments: bool,
    /// The union of the needs of its jobs.
    pub(super) needs: Needs,
    /// The indexes of its jobs.
    pub(super) jobs: Vec<usize>,
}

impl View {
    /// The ways in which these jobs read games. A query that needs only the tags does not pay for a
    /// replay that would find illegal moves, but an output of damaged games needs all of them.
    fn all(jobs: &[Job], writes_damaged: bool) -> Vec<View> {
        let mut views: Vec<View> = Vec::new();
        for (index, job) in jobs.iter().enumerate() {
            let needs = job.program.needs_with(&job.options);
            match views.iter_mut().find(|view| view.is_of(job)) {
                Some(view) => {
                    view.needs = view.needs.union(needs);
                    view.jobs.push(index);
                }
                None => views.push(View {
                    variations: job.variations(),
                    error_comments: job.options.cql6_output,
                    needs,
                    jobs: vec![index],
                }),
            }
        }
        // The main line comes first: its damage is also damage of the tree.
        views.sort_by_key(|view| view.variations);
        // Only the first reading of a game reports damage.
        for (index, view) in views.iter_mut().enumerate() {
            view.needs.damage = writes_damaged && index == 0;
        }
        views
    }

    /// Whether a game is replayed only if one of its jobs can match it. The reading that reports
    /// damage does not depend on jobs.
    pub(super) fn depends_on_jobs(&self) -> bool {
        self.needs.has_moves() && !self.needs.damage
    }

    /// Whether the moves of a game are read, so that its damage is found.
    pub(super) fn reads_moves(&self) -> bool {
        self.needs.has_moves() || self.needs.damage
    }

    /// Whether a job reads games in this way.
    fn is_of(&self, job: &Job) -> bool {
        self.variations == job.variations() && self.error_comments == job.options.cql6_output
    }
}

impl Plan {
    /// The plan of these tasks, and the sinks of each. `observed` tells whether the matches are
    /// observed as data.
    pub(crate) fn new(
        tasks: Vec<Task>,
        input_names: Vec<String>,
        settings: &Settings,
        observed: bool,
    ) -> (Plan, Vec<Vec<Box<dyn Sink>>>) {
        let (jobs, sinks): (Vec<Job>, Vec<Vec<Box<dyn Sink>>>) =
            tasks.into_iter().map(|task| (task.job, task.sinks)).unzip();
        let (ranges, range_indexes) = ranges(&jobs);
        let uses = jobs.iter().zip(&sinks).map(|(job, sinks)| MatchUse::of(job, sinks)).collect();
        let mut plan = Plan {
            uses,
            observed,
            input_names,
            last_number: None,
            skip_unknown_variants: settings.skip_unknown_variants,
            unique: settings.unique,
            ranges,
            range_indexes,
            stop: stop_signal(&jobs, settings),
            variants: settings.variants.clone(),
            collects_others: settings.nonmatching.is_some(),
            needs_counts: settings.needs_counts,
            views: View::all(&jobs, settings.rejects.is_some()),
            ended: jobs.iter().map(|_| AtomicBool::new(false)).collect(),
            jobs,
        };
        if observed || !settings.shared.is_empty() || settings.nonmatching.is_some() {
            plan.read_positions();
        }
        (plan, sinks)
    }

    /// Whatever the sinks are, something has what each query says of the positions of games.
    pub(crate) fn read_positions(&mut self) {
        self.uses.fill(MatchUse::Positions);
    }

    /// The plan of the search of a slice with these jobs, whose matches are stored.
    pub(crate) fn of_slices(jobs: Vec<Job>, inputs: Vec<String>, settings: &Settings) -> Plan {
        // The merge chooses among the matches and sorts them.
        let of_slice = |job| Task::new(Job { choice: None, sort: false, ..job });
        let tasks = jobs.into_iter().map(of_slice).collect();
        let (mut plan, _) = Plan::new(tasks, inputs, settings, false);
        plan.read_positions();
        plan
    }

    /// Whether this much of a game is read to search it with a job.
    pub(super) fn reads(&self, job: &Job, needs: Needs) -> bool {
        let view = self.views.iter().find(|view| view.is_of(job));
        view.is_some_and(|view| needs.are_among(view.needs))
    }

    /// The run of each job, before the first game. Comments are made only if a collector or the
    /// observer has them.
    pub(super) fn runs(&self, fillers: &Fillers<'_>) -> impl Iterator<Item = GameRun> {
        self.jobs.iter().enumerate().map(|(index, job)| {
            let needs = fillers.needs(index);
            // For the query, its range ends the input.
            let end = job.range.map_or(u64::MAX, |range| range.1);
            let mut options = job.options.clone();
            (options.stop, options.timeout) = (self.stop.clone(), None);
            if !self.observed && !needs.is_some_and(|needs| needs.comments) {
                options.comment_level = CommentLevel::Silent;
            }
            GameRun::new(job.program.clone(), options)
                .with_range(job.range)
                .with_limit(job.limit)
                .with_last_number(self.last_number.map(|last| last.min(end)))
        })
    }

    /// Whether each row of a table is read, also one in which no job can match.
    pub(crate) fn reads_all(&self) -> bool {
        self.collects_others || self.unique
    }

    /// For each job, whether a game need not be searched if its guard decides that it matches.
    pub(crate) fn deciding(&self) -> Vec<bool> {
        let jobs = self.jobs.iter().zip(&self.uses);
        let decides = |(job, used): (&Job, &MatchUse)| {
            *used != MatchUse::Positions && job.program.deciding_guard(&job.options).is_some()
        };
        jobs.map(decides).collect()
    }

    /// For each job, whether matching games are read to be written.
    pub(crate) fn writing(&self) -> Vec<bool> {
        self.uses.iter().map(|used| *used != MatchUse::Counted).collect()
    }

    /// Whether any job needs the game of this number.
    pub(crate) fn wants(&self, number: u64) -> bool {
        self.ranges.iter().any(|range| is_inside(*range, number))
    }
}

/// The different ranges of jobs, and the index of the range of each job.
fn ranges(jobs: &[Job]) -> (Vec<Option<GameRange>>, Vec<usize>) {
    let mut ranges = Vec::new();
    let mut known = HashMap::new();
    let index = |job: &Job| {
        *known.entry(job.range).or_insert_with(|| {
            ranges.push(job.range);
            ranges.len() - 1
        })
    };
    let indexes = jobs.iter().map(index).collect();
    (ranges, indexes)
}

/// What stops a scan that begins now: its settings, and the options of its queries.
fn stop_signal(jobs: &[Job], settings: &Settings) -> StopSignal {
    jobs.iter().fold(settings.stop.clone(), |signal, Job { options, .. }| {
        signal.within(options.timeout).or(&options.stop)
    })
}
