//! The trace of an evaluation: why a query matches at a position or does not.

use std::fmt;

use babson_chess::SquareSet;
use babson_lang::Span;
use serde::{Deserialize, Serialize};

use crate::Value;

/// What every filter of a query did at one position: [`Machine::trace`](crate::Machine::trace).
///
/// Its text ([`Display`](fmt::Display)) is a line for each filter with its verdict and its value,
/// operands indented below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Its last value, if it has one: the last at this position if it has one here.
    pub value: Option<Value>,
    /// The id of the position at which it had that value, if it is another one, as for an operand
    /// of `find`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<u32>,
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
    /// The squares that the filter names at the position itself: those of its set, or of its piece.
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

/// The last value of a filter while the evaluation goes on.
#[derive(Clone, Debug)]
pub(crate) enum TracedValue {
    Value(Value),
    /// A packed text of the game's memory.
    Text(u64),
}

/// The values that a traced program has recorded.
#[derive(Debug, Default)]
pub(crate) struct TraceLog {
    /// The last value of each filter, and the id of the position at which it had it.
    values: Vec<Option<(TracedValue, u32)>>,
    /// The position whose values are not replaced by those at other positions.
    position: u32,
    /// The filter whose value was recorded last, if it is an empty set: it has a value and does
    /// not match.
    empty_set: Option<u32>,
}

impl TraceLog {
    pub(crate) fn of(filters: usize) -> TraceLog {
        TraceLog { values: vec![None; filters], position: 0, empty_set: None }
    }

    /// Forgets all values, for the evaluation at this position.
    pub(crate) fn begin(&mut self, position: u32) {
        self.values.fill(None);
        self.position = position;
        self.empty_set = None;
    }

    /// Records the value that a filter has at a position.
    pub(crate) fn record(&mut self, filter: u32, value: TracedValue, position: u32) {
        let is_empty = matches!(value, TracedValue::Value(Value::Set(SquareSet::EMPTY)));
        self.empty_set = is_empty.then_some(filter);
        let Some(last) = self.values.get_mut(filter as usize) else { return };
        let has_own = last.as_ref().is_some_and(|(_, at)| *at == self.position);
        if position == self.position || !has_own {
            *last = Some((value, position));
        }
    }

    /// Whether the filter, which ends, is an empty set.
    pub(crate) fn is_empty_set(&mut self, filter: u32) -> bool {
        self.empty_set.take() == Some(filter)
    }

    /// The value of a filter, and the position at which it had it if that is another one.
    pub(crate) fn value(&self, filter: usize) -> Option<(&TracedValue, Option<u32>)> {
        let (value, at) = self.values.get(filter)?.as_ref()?;
        Some((value, Some(*at).filter(|at| *at != self.position)))
    }
}
