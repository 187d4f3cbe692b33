//! The matches of a query that are written if not all are ([`Job::choice`](crate::Job::choice)).
//! They are the best by their merit: their rank by the sort keys of the query, or a random one.
//! This module says which matches a worker makes text for, and which the collector holds.
//!
//! A worker leaves out a match that many better ones precede: among those that it has seen itself,
//! or among all that are merged. Games of one worker come in ascending order and matches are merged
//! in the order of the games, so these better matches count whenever the match does.

use std::collections::BinaryHeap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::spool::{Spool, SpoolEntry};
use crate::collect::ChosenMatch;
use crate::job::MatchChoice;
use crate::rank::Rank;

/// The merit of a match by its rank: the matches of the least merits are written.
fn merit(choice: MatchChoice, rank: &Rank) -> Rank {
    match choice {
        MatchChoice::Top(_) => rank.clone(),
        MatchChoice::Sample { seed, .. } => Rank::random(seed, rank.game()),
    }
}

/// The merit of the last of the best matches that are merged, which all workers see.
#[derive(Debug, Default)]
pub(super) struct SharedBound {
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
pub(super) struct BestRanks {
    choice: MatchChoice,
    ranks: BinaryHeap<Rank>,
    shared: Arc<SharedBound>,
    /// The shared bound as it was last read.
    version: u64,
    bound: Option<Arc<Rank>>,
}

impl BestRanks {
    pub(super) fn new(choice: MatchChoice, shared: Arc<SharedBound>) -> BestRanks {
        let (ranks, bound) = (BinaryHeap::new(), None);
        BestRanks { choice, ranks, shared, version: 0, bound }
    }

    /// Whether the match may be among the best. The games must come in ascending order.
    pub(super) fn admit(&mut self, rank: &Rank) -> bool {
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

/// One of the best matches, by its merit.
struct Ranked {
    merit: Rank,
    /// Its place in the output.
    rank: Rank,
    entry: SpoolEntry,
    /// As in [`ChosenMatch`].
    ignored_comments: u32,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.merit == other.merit
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> std::cmp::Ordering {
        self.merit.cmp(&other.merit)
    }
}

/// The best matches of those that are merged.
pub(super) struct BestMatches {
    choice: MatchChoice,
    matches: BinaryHeap<Ranked>,
    spool: Spool,
    /// Bytes of the spool that the best matches need.
    needed: u64,
    shared: Arc<SharedBound>,
}

impl BestMatches {
    pub(super) fn new(choice: MatchChoice, shared: Arc<SharedBound>) -> BestMatches {
        let (matches, spool) = (BinaryHeap::new(), Spool::default());
        BestMatches { choice, matches, spool, needed: 0, shared }
    }

    /// The last of the best matches, if there are as many as are written.
    fn last(&self) -> Option<&Ranked> {
        self.matches.peek().filter(|_| self.matches.len() >= self.choice.games())
    }

    /// Adds a match, if it is among the best now. `put` writes its text.
    pub(super) fn add(
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
        self.matches.push(Ranked { merit, rank, entry, ignored_comments });
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

    /// The best matches of those that were added, in the order of the games.
    pub(super) fn chosen(&self) -> Vec<ChosenMatch> {
        let chosen = |hit: &Ranked| ChosenMatch {
            game: hit.rank.game(),
            ignored_comments: hit.ignored_comments,
        };
        let mut chosen: Vec<ChosenMatch> = self.matches.iter().map(chosen).collect();
        chosen.sort_unstable_by_key(|hit| hit.game);
        chosen
    }

    /// The best matches in the order of the output, and their texts.
    pub(super) fn finish(self) -> (Vec<SpoolEntry>, Spool) {
        let mut matches = self.matches.into_vec();
        matches.sort_unstable_by(|one, two| one.rank.cmp(&two.rank));
        (matches.into_iter().map(|hit| hit.entry).collect(), self.spool)
    }
}
