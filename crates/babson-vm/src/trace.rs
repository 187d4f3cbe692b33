//! The trace of an evaluation: why a query matches at a position or does not.

use std::fmt;
use std::sync::Arc;

use babson_chess::SquareSet;
use babson_lang::Span;
use serde::{Deserialize, Serialize};

use crate::Value;
use crate::profile::ProfiledFilter;

/// What every filter of a query did at one position: [`Machine::trace`](crate::Machine::trace).
///
/// Its text ([`Display`](fmt::Display)) is a line for each filter with its verdict and its value,
/// operands indented below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Trace {
    /// The id of the position.
    pub position: u32,
    /// Whether the query matches there.
    pub matched: bool,
    /// One for each filter of the query that is evaluated by itself, operands after the filter that
    /// they belong to. The images of a filter under a transform are one entry, and so are the calls
    /// of a function.
    pub entries: Vec<TraceEntry>,
}

/// What a filter did at a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TraceEntry {
    /// Where it stands in the query.
    pub span: Span,
    /// A few words for its kind, as in the typed tree of `babson explain`.
    pub label: String,
    /// The number of filters that it is an operand of.
    pub depth: u32,
    /// Whether its value is a set of squares or a piece.
    pub names_squares: bool,
    /// How often it was evaluated; also at other positions, for an operand of `find`.
    pub evaluated: u64,
    /// How often it matched. A set of squares matches if it is not empty.
    pub matched: u64,
    /// Its value, if it has one, in the first evaluation that matched. Among evaluations that
    /// matched, those at this position come first. An operand has the value that it had when the
    /// filter around it matched, if it matched then. If no evaluation matched, the value is the
    /// empty set or nothing.
    pub value: Option<Value>,
    /// The id of the position at which it had that value, if it is another one, as for an operand
    /// of `find`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<u32>,
}

/// A filter that leaves a trace.
#[derive(Debug)]
pub(crate) struct TracedFilter {
    /// Its index among the filters with [counters](ProfiledFilter).
    pub(crate) counter: usize,
    /// What is known of it before it is evaluated.
    pub(crate) entry: TraceEntry,
}

/// The outcome of a filter in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It was never reached.
    Unevaluated,
    /// It was evaluated and never matched.
    Failed,
    /// It matched at least once.
    Matched,
}

impl TraceEntry {
    /// Returns the squares that the filter names at the position itself: its set, or the square of
    /// its piece.
    pub fn squares(&self) -> SquareSet {
        match &self.value {
            Some(value) if self.elsewhere.is_none() => value.squares(),
            Some(_) | None => SquareSet::EMPTY,
        }
    }

    /// Whether the filter matched.
    pub fn verdict(&self) -> Verdict {
        if self.matched > 0 {
            Verdict::Matched
        } else if self.evaluated > 0 {
            Verdict::Failed
        } else {
            Verdict::Unevaluated
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Unevaluated => "not evaluated",
            Verdict::Failed => "no",
            Verdict::Matched => "yes",
        })
    }
}

impl fmt::Display for TraceEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.label, self.verdict())?;
        if let Some(value) = &self.value {
            write!(f, ", {value}")?;
        }
        if let Some(position) = self.elsewhere {
            write!(f, " at position {position}")?;
        }
        if self.evaluated > 1 {
            write!(f, " ({} of {} times)", self.matched, self.evaluated)?;
        }
        Ok(())
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in &self.entries {
            writeln!(f, "{}{entry}", "  ".repeat(entry.depth as usize))?;
        }
        Ok(())
    }
}

/// A value that a filter had while the evaluation goes on.
#[derive(Clone, Debug)]
pub(crate) enum TracedValue {
    Value(Value),
    /// A packed text of the game's memory.
    Text(u64),
}

/// A value of a filter, and the id of the position at which the filter had it.
pub(crate) type PlacedValue = (TracedValue, u32);

/// An evaluation of a filter that matched.
#[derive(Debug)]
struct MatchingEvaluation {
    /// The value, if the filter has one.
    value: Option<TracedValue>,
    /// The id of the position.
    position: u32,
    /// What its operands did in it: for each that matched, the first evaluation that did.
    operands: Vec<(usize, Arc<MatchingEvaluation>)>,
}

/// What a filter of a traced program did so far.
#[derive(Debug, Default)]
struct FilterLog {
    /// The indexes of its operands.
    operands: Vec<usize>,
    /// The value of the evaluation that goes on.
    value: Option<TracedValue>,
    /// The first evaluation that matched. One at the traced position replaces those at others.
    first: Option<Arc<MatchingEvaluation>>,
    /// The same within the current evaluation of the filter that it is an operand of.
    current: Option<Arc<MatchingEvaluation>>,
    /// The empty set that the filter had when it did not match.
    empty: Option<PlacedValue>,
}

/// The evaluations that a traced program has recorded.
#[derive(Debug, Default)]
pub(crate) struct TraceLog {
    /// One for each counted filter; none if the program is not traced.
    filters: Vec<FilterLog>,
    /// The position whose evaluations are not replaced by those at other positions.
    position: u32,
}

impl TraceLog {
    /// The log for the traced filters among the counted ones.
    pub(crate) fn of(traced: &[TracedFilter], counted: &[ProfiledFilter]) -> TraceLog {
        let mut filters: Vec<FilterLog> = traced.iter().map(|_| FilterLog::default()).collect();
        for (index, filter) in counted.iter().enumerate() {
            if let Some(parent) = filter.parent
                && let Some(log) = filters.get_mut(parent as usize)
            {
                log.operands.push(index);
            }
        }
        TraceLog { filters, position: 0 }
    }

    /// Forgets all evaluations, for that at this position.
    pub(crate) fn start(&mut self, position: u32) {
        for filter in &mut self.filters {
            let operands = std::mem::take(&mut filter.operands);
            *filter = FilterLog { operands, ..FilterLog::default() };
        }
        self.position = position;
    }

    /// An evaluation of a filter begins.
    pub(crate) fn begin(&mut self, filter: u32) {
        let Some(log) = self.filters.get_mut(filter as usize) else { return };
        log.value = None;
        let operands = std::mem::take(&mut log.operands);
        for &operand in &operands {
            self.filters[operand].current = None;
        }
        self.filters[filter as usize].operands = operands;
    }

    /// Records the value that a filter has at a position.
    pub(crate) fn record(&mut self, filter: u32, value: TracedValue, position: u32) {
        let own = position == self.position;
        let Some(log) = self.filters.get_mut(filter as usize) else { return };
        if is_empty(&value)
            && (own || log.empty.as_ref().is_none_or(|(_, at)| *at != self.position))
        {
            log.empty = Some((value.clone(), position));
        }
        log.value = Some(value);
    }

    /// The evaluation of a filter ends, and the filter has not failed. Returns whether it matched:
    /// an empty set is a value that does not match.
    pub(crate) fn end(&mut self, filter: u32, position: u32) -> bool {
        let own = position == self.position;
        let Some(log) = self.filters.get_mut(filter as usize) else { return true };
        let value = log.value.take();
        if value.as_ref().is_some_and(is_empty) {
            return false;
        }
        let replaces = |known: &Option<Arc<MatchingEvaluation>>| {
            known.as_ref().is_none_or(|known| own && known.position != self.position)
        };
        let (first, current) = (replaces(&log.first), replaces(&log.current));
        if !first && !current {
            return true;
        }
        let operands = std::mem::take(&mut log.operands);
        let matched = operands.iter().filter_map(|&operand| {
            let current = self.filters[operand].current.clone()?;
            Some((operand, current))
        });
        let evaluation =
            Arc::new(MatchingEvaluation { value, position, operands: matched.collect() });
        let log = &mut self.filters[filter as usize];
        log.operands = operands;
        if first {
            log.first = Some(Arc::clone(&evaluation));
        }
        if current {
            log.current = Some(evaluation);
        }
        true
    }

    /// The value of each filter, if it has one, and the position at which it had it. A filter that
    /// matched has the value of its first evaluation that matched. An operand has the value within
    /// the evaluation that is chosen for the whole filter, if it matched there.
    pub(crate) fn values(&self, counted: &[ProfiledFilter]) -> Vec<Option<PlacedValue>> {
        let mut shown: Vec<Option<&MatchingEvaluation>> = vec![None; self.filters.len()];
        // A filter is counted before its operands.
        for (index, (log, filter)) in self.filters.iter().zip(counted).enumerate() {
            let around = filter.parent.and_then(|parent| shown[parent as usize]);
            let within = around.and_then(|around| {
                // The operands are in ascending order.
                let at = around.operands.binary_search_by_key(&index, |(operand, _)| *operand);
                at.ok().map(|at| &around.operands[at].1)
            });
            shown[index] = within.or(log.first.as_ref()).map(Arc::as_ref);
        }
        let value = |(log, shown): (&FilterLog, Option<&MatchingEvaluation>)| match shown {
            Some(evaluation) => evaluation.value.clone().map(|value| (value, evaluation.position)),
            None => log.empty.clone(),
        };
        self.filters.iter().zip(shown).map(value).collect()
    }

    /// The position, if it is another one than the traced one.
    pub(crate) fn elsewhere(&self, position: u32) -> Option<u32> {
        Some(position).filter(|position| *position != self.position)
    }
}

fn is_empty(value: &TracedValue) -> bool {
    matches!(value, TracedValue::Value(Value::Set(SquareSet::EMPTY)))
}
