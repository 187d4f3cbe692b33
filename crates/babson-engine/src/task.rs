//! What a scan does: its queries with their sinks, and its settings.

use std::path::PathBuf;

use babson_chess::VariantNames;
use babson_vm::StopSignal;

use crate::destination::{Destination, SplitRules};
use crate::formats::{NonmatchingOutput, SharedOutput};
use crate::job::Job;
use crate::ledger::Ledger;
use crate::limits::MAX_THREADS;
use crate::sink::Sink;

/// A query of a scan, and where its matches go.
pub struct Task {
    /// The query.
    pub job: Job,
    /// The sinks. With none, matches are only counted.
    pub sinks: Vec<Box<dyn Sink>>,
}

impl From<Job> for Task {
    /// A task that only counts.
    fn from(job: Job) -> Task {
        Task { job, sinks: Vec::new() }
    }
}

/// Settings of a whole scan: [`Settings::default`], with its fields changed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Threads that search: 1 for 0, and at most 256.
    pub threads: usize,
    /// Whether plain files are mapped into memory (the default), which is faster. Otherwise, and
    /// where the system cannot map a file, it is read; results, messages and reports of damage are
    /// the same.
    ///
    /// If another process truncates a mapped file during the scan, the system sends this process
    /// the signal SIGBUS, which ends it unless it is handled. The scan cannot prevent this. A
    /// program that cannot exclude it sets this to `false`: then a truncated file is
    /// [`Error::Changed`](crate::Error::Changed).
    pub mapped: bool,
    /// Where the text of damaged games is written.
    pub rejects: Option<Destination>,
    /// The outputs of all queries: see [`SharedOutput`].
    pub shared: Vec<SharedOutput>,
    /// Where the games are written that are searched and that no query matches. A search in slices
    /// does not have them and [refuses](crate::OutputRefusal::SlicedGames) this.
    pub nonmatching: Option<NonmatchingOutput>,
    /// Whether the counts of the summary are needed even if nobody reads the output of the games
    /// that do not match. Otherwise the scan then ends with
    /// [`Error::ClosedPipe`](crate::Error::ClosedPipe), unless another output is still read or the
    /// observer [takes matches](crate::Observer::takes_matches).
    pub needs_counts: bool,
    /// Files that no output may replace, each with its description for messages: the files of the
    /// queries, and files that the caller writes.
    pub other_files: Vec<(PathBuf, String)>,
    /// Whether games of unknown variants are skipped without a report.
    pub skip_unknown_variants: bool,
    /// Whether games are left out that are equal to an earlier one: to a game with the same
    /// players, date and moves, as [`GameHash`](babson_pgn::GameHash) defines it. Of equal games, a
    /// query searches the first one in its range, whether it matches or not: other queries make no
    /// difference. The games keep their numbers, and
    /// [`Summary::equal_games`](crate::Summary::equal_games) counts those that are left out.
    ///
    /// Each game is read a second time for its hash. Until the end, a hash takes 9 to 18 bytes for
    /// each different range of the queries that has the game. A search in slices sees only a part
    /// of the games and [refuses](crate::Error::SlicedUnique) this.
    pub unique: bool,
    /// The names that the `Variant` tag may have, those that the queries know.
    pub variants: VariantNames,
    /// The rules for outputs that are split into many files.
    pub split: SplitRules,
    /// Whether the summary lists the entries of all dictionaries.
    pub dictionaries: bool,
    /// Whether the summary counts the games of tables that the game guard of each query lets
    /// through: see [`JobSummary::guard`](crate::JobSummary::guard).
    pub guard_stats: bool,
    /// Stops the scan before its end. It then ends with [`Error::Stopped`](crate::Error::Stopped),
    /// within a few milliseconds, and writes nothing. An input that is waited for, such as standard
    /// input, is waited for until it gives something.
    pub stop: StopSignal,
    /// Lists the outputs until they are complete. Whoever keeps a clone can
    /// [abandon](Ledger::abandon) them: the scan then ends with an error.
    pub ledger: Ledger,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            mapped: true,
            rejects: None,
            shared: Vec::new(),
            nonmatching: None,
            needs_counts: false,
            other_files: Vec::new(),
            skip_unknown_variants: false,
            unique: false,
            variants: VariantNames::default(),
            split: SplitRules::default(),
            dictionaries: false,
            guard_stats: false,
            stop: StopSignal::default(),
            ledger: Ledger::default(),
        }
    }
}

impl Settings {
    /// Where the text of damaged games is written, unless nothing is written at all.
    pub(crate) fn written_rejects(&self) -> Option<&Destination> {
        self.rejects.as_ref().filter(|_| !self.split.dry_run)
    }

    /// The number of threads that is used.
    pub(crate) fn search_threads(&self) -> usize {
        self.threads.clamp(1, MAX_THREADS)
    }
}
