//! Counters of every filter, for `babson profile`.
//!
//! A profiled program has an instruction where each filter begins and one where it has matched.
//! Other programs have neither.

use std::time::Duration;

use babson_lang::Span;
use serde::{Deserialize, Serialize};

use crate::host::Host;

/// A filter of a profiled program. The images of a filter under a transform count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfiledFilter {
    /// Where it stands in the query.
    pub span: Span,
    /// Index of the filter that it is an operand of.
    pub parent: Option<u32>,
}

/// What a filter did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Counter {
    /// How often it was evaluated.
    pub evaluations: u64,
    /// How often it matched (had a value).
    pub matches: u64,
    /// Time spent in it and not in its operands, by the clock of the [`Host`].
    pub own_time: Duration,
}

/// The counters of a running machine, and the filter whose time is running.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    pub(crate) counters: Vec<Counter>,
    /// The filter, and since when.
    current: Option<(usize, Duration)>,
}

impl Clock {
    /// The time so far goes to the filter that was running, from now on to another.
    fn switch(&mut self, host: &dyn Host, to: Option<u32>) {
        let now = host.now();
        if let Some((index, since)) = self.current
            && let Some(counter) = self.counters.get_mut(index)
        {
            counter.own_time += now.saturating_sub(since);
        }
        self.current = to.map(|index| (index as usize, now));
    }

    /// Counts from zero.
    pub(crate) fn clear(&mut self) {
        self.counters.fill(Counter::default());
    }

    pub(crate) fn begin(&mut self, host: &dyn Host, filter: u32) {
        if let Some(counter) = self.counters.get_mut(filter as usize) {
            counter.evaluations += 1;
        }
        self.switch(host, Some(filter));
    }

    /// The filter has ended, and counts as one that matched if `matches`.
    pub(crate) fn matched(
        &mut self,
        host: &dyn Host,
        filter: u32,
        parent: Option<u32>,
        matches: bool,
    ) {
        if let Some(counter) = self.counters.get_mut(filter as usize) {
            counter.matches += u64::from(matches);
        }
        self.switch(host, parent);
    }

    /// The evaluation at a position has ended.
    pub(crate) fn stop(&mut self, host: &dyn Host) {
        if self.current.is_some() {
            self.switch(host, None);
        }
    }
}
