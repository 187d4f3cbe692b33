//! The matches of a query that are written if not all are ([`Job::choice`](crate::Job::choice)).
//! They are the best by their merit: their rank by the sort keys of the query, or a random one.
//! This module says which matches a worker makes text for, and which the merge holds.
//!
//! A worker leaves out a match that many better ones precede: among those that it has seen itself,
//! or among all that are merged. Games of one worker come in ascending order and matches are merged
//! in the order of the games, so these better matches count whenever the match does.

use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::job::MatchChoice;
use crate::rank::Rank;
use crate::report::DamagedGame;
use crate::spool::{Spool, SpoolEntry};

/// The merit of a match by its rank: the matches of the least merits are written.
fn merit(choice: MatchChoice, rank: &Rank) -> Rank {
    match choice {
        MatchChoice::Top(_) => rank.clone(),
        MatchChoice::Sample { seed, .. } => Rank::random(seed, rank.game()),
    }
}

/// The merit of the last of the best matches that are merged, which all workers see.
#[derive(Debug, Default)]
pub(crate) struct SharedBound {
    /// Changes with the rank.
    version: AtomicU64,
    rank: Mutex<Option<Arc<Rank>>>,
}

impl SharedBound {
    fn set(&self, rank: Rank) {
        *self.rank.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(rank));
        self.version.fetch_add(1, Ordering::Release);
    }
}

/// The merits of the best matches that one worker has seen.
pub(crate) struct BestRanks<'p> {
    choice: MatchChoice,
    ranks: BinaryHeap<Rank>,
    shared: &'p SharedBound,
    /// The shared bound as it was last read.
    version: u64,
    bound: Option<Arc<Rank>>,
}

impl<'p> BestRanks<'p> {
    pub(crate) fn new(choice: MatchChoice, shared: &'p SharedBound) -> BestRanks<'p> {
        let (ranks, bound) = (BinaryHeap::new(), None);
        BestRanks { choice, ranks, shared, version: 0, bound }
    }

    /// Whether the match may be among the best. The games must come in ascending order.
    pub(crate) fn admit(&mut self, rank: &Rank) -> bool {
        let rank = merit(self.choice, rank);
        let version = self.shared.version.load(Ordering::Acquire);
        if version != self.version {
            self.version = version;
            let bound = self.shared.rank.lock().unwrap_or_else(PoisonError::into_inner);
            self.bound.clone_from(&bound);
        }
        if self.bound.as_deref().is_some_and(|bound| rank > *bound) {
            return false;
        }
        push(&mut self.ranks, self.choice.games(), rank)
    }
}

/// Adds a rank to the `top` least ones, unless it is not among them.
fn push<T: Ord>(least: &mut BinaryHeap<T>, top: usize, new: T) -> bool {
    if least.len() < top {
        least.push(new);
        return true;
    }
    match least.peek_mut() {
        Some(mut last) if new < *last => {
            *last = new;
            true
        }
        Some(_) | None => false,
    }
}

/// A damage or a note that was found when a match was read to be written. It is reported only if
/// the match is written.
#[derive(Debug)]
pub(crate) struct WriteRemark {
    pub(crate) report: DamagedGame,
    pub(crate) note: bool,
    /// The text of the damaged game, if it is collected.
    pub(crate) rejected: Option<Vec<u8>>,
}

/// One of the best matches, by its merit.
struct BestMatch {
    merit: Rank,
    /// Its place in the output.
    rank: Rank,
    entry: SpoolEntry,
    /// As in [`GameMatch`](crate::worker::GameMatch).
    ignored_comments: u32,
}

impl PartialEq for BestMatch {
    fn eq(&self, other: &BestMatch) -> bool {
        self.merit == other.merit
    }
}

impl Eq for BestMatch {}

impl PartialOrd for BestMatch {
    fn partial_cmp(&self, other: &BestMatch) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BestMatch {
    fn cmp(&self, other: &BestMatch) -> std::cmp::Ordering {
        self.merit.cmp(&other.merit)
    }
}

/// The best matches of those that are merged.
pub(crate) struct BestMatches<'p> {
    choice: MatchChoice,
    matches: BinaryHeap<BestMatch>,
    /// By game; also of some that are not among the best any more.
    remarks: BTreeMap<u64, Vec<WriteRemark>>,
    spool: Spool,
    /// Bytes of the spool that the best matches need.
    needed: u64,
    shared: &'p SharedBound,
}

/// The matches that wait until the order is known, at the end.
#[derive(Default)]
pub(crate) struct FinalMatches {
    /// The matches in the order of the output.
    pub(crate) entries: Vec<SpoolEntry>,
    pub(crate) spool: Spool,
    /// The games with ignored comments, in ascending order, each with the number of positions.
    pub(crate) ignored_comments: Vec<(u64, u32)>,
    pub(crate) remarks: BTreeMap<u64, Vec<WriteRemark>>,
}

impl<'p> BestMatches<'p> {
    pub(crate) fn new(choice: MatchChoice, shared: &'p SharedBound) -> BestMatches<'p> {
        BestMatches {
            choice,
            matches: BinaryHeap::new(),
            remarks: BTreeMap::new(),
            spool: Spool::default(),
            needed: 0,
            shared,
        }
    }

    /// The last of the best matches, if there are as many as are written.
    fn last(&self) -> Option<&BestMatch> {
        self.matches.peek().filter(|_| self.matches.len() >= self.choice.games())
    }

    /// Adds a match, if it is among the best now. `put` writes its text.
    pub(crate) fn add(
        &mut self,
        rank: Rank,
        ignored_comments: u32,
        put: impl FnOnce(&mut Spool) -> io::Result<SpoolEntry>,
    ) -> io::Result<()> {
        let merit = merit(self.choice, &rank);
        if let Some(last) = self.last() {
            if merit >= last.merit {
                return Ok(());
            }
            self.needed -= last.entry.bytes();
            self.matches.pop();
        }
        let entry = put(&mut self.spool)?;
        self.needed += entry.bytes();
        self.matches.push(BestMatch { merit, rank, entry, ignored_comments });
        if self.spool.has_waste(self.needed) {
            self.drop_waste()?;
        }
        if let Some(last) = self.last() {
            self.shared.set(last.merit.clone());
        }
        Ok(())
    }

    /// Copies the texts that are needed to a new spool.
    fn drop_waste(&mut self) -> io::Result<()> {
        let mut matches = std::mem::take(&mut self.matches).into_vec();
        matches.sort_unstable_by_key(|hit| hit.entry.place());
        let old = std::mem::take(&mut self.spool);
        old.copy(matches.iter_mut().map(|hit| &mut hit.entry), &mut self.spool)?;
        self.matches = matches.into();
        Ok(())
    }

    /// Keeps a remark until it is known whether the match of its game is among the best.
    pub(crate) fn keep_remark(&mut self, remark: WriteRemark) {
        self.remarks.entry(remark.report.game).or_default().push(remark);
        if self.remarks.len() / 2 > self.matches.len() {
            self.drop_remarks();
        }
    }

    fn drop_remarks(&mut self) {
        let games: HashSet<u64> = self.matches.iter().map(|hit| hit.rank.game()).collect();
        self.remarks.retain(|game, _| games.contains(game));
    }

    pub(crate) fn finish(mut self) -> FinalMatches {
        self.drop_remarks();
        let mut matches = self.matches.into_vec();
        matches.sort_unstable_by(|one, two| one.rank.cmp(&two.rank));
        let ignored = matches.iter().filter(|hit| hit.ignored_comments > 0);
        let mut ignored_comments: Vec<_> =
            ignored.map(|hit| (hit.rank.game(), hit.ignored_comments)).collect();
        ignored_comments.sort_unstable();
        FinalMatches {
            entries: matches.into_iter().map(|hit| hit.entry).collect(),
            spool: self.spool,
            ignored_comments,
            remarks: self.remarks,
        }
    }
}
