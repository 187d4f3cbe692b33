//! The plan of a scan, which all workers share.

use std::sync::atomic::AtomicBool;

use babson_chess::VariantNames;
use babson_pgn::Needs;

use crate::job::Job;

/// The plan of a scan, which all workers share.
pub(crate) struct Plan<'j> {
    pub(crate) jobs: &'j [Job],
    pub(crate) input_names: Vec<String>,
    pub(crate) last_number: Option<u64>,
    pub(crate) want_rejects: bool,
    pub(crate) skip_unknown_variants: bool,
    pub(crate) variants: VariantNames,
    /// The ways in which games are read, each for some of the jobs.
    pub(super) views: Vec<View>,
    /// Which jobs have ended. The merging thread sets it for the others.
    pub(super) ended: Vec<AtomicBool>,
}

/// A way to read a game.
pub(super) struct View {
    variations: bool,
    /// Whether a move that cannot be read becomes a comment, as in CQL 6.2.
    pub(super) error_comments: bool,
    /// The union of the needs of its jobs.
    pub(super) needs: Needs,
}

impl View {
    /// Whether a job reads games in this way.
    pub(super) fn is_of(&self, job: &Job) -> bool {
        self.variations == job.variations() && self.error_comments == job.options.cql6_output
    }
}

impl<'j> Plan<'j> {
    pub(crate) fn new(jobs: &'j [Job], input_names: Vec<String>, want_rejects: bool) -> Plan<'j> {
        // A query that needs only the tags does not pay for a replay that would find illegal moves.
        // An output of damaged games needs all of them.
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
        // The main line comes first: its damage is also damage of the tree.
        plan.views.sort_by_key(|view| view.variations);
        for view in &mut plan.views {
            // Only the first reading of a game reports damage.
            view.needs.damage = std::mem::take(&mut damage);
        }
        plan
    }

    /// The number of the last game for a job, if games were counted. For the query, its range ends
    /// the input.
    pub(super) fn last_number(&self, job: &Job) -> Option<u64> {
        let last = self.last_number?;
        Some(job.range.map_or(last, |(_, end)| last.min(end)))
    }

    /// Whether any job needs the game of this number.
    pub(super) fn wants(&self, number: u64) -> bool {
        self.jobs.iter().any(|job| is_inside(job, number))
    }
}

/// Whether a game is in the range of a job.
pub(super) fn is_inside(job: &Job, number: u64) -> bool {
    job.range.is_none_or(|(low, high)| (low..=high).contains(&number))
}
