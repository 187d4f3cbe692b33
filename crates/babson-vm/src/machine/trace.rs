//! Why a query matches at a position or does not.

use babson_lang::Span;
use babson_lang::hir::Type;
use babson_pgn::Game;

use super::{Machine, Run, Stop};
use crate::trace::TracedFilter;
use crate::trace::{TraceEntry, TracedValue};
use crate::{GameContext, RuntimeError, Trace, Value};

impl Machine {
    /// What every filter of the query did at one position of a game. The program must have been
    /// compiled [for it](crate::CompileOptions::trace); the trace of any other has no entries.
    ///
    /// The positions before this one are evaluated first, since variables keep their values from
    /// one position to the next; only the evaluation at this position is in the trace. The header
    /// of the query is not asked. Filters with effects act.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation; also if the game has no such position, or
    /// only in its variations and they are not visited, or if the game was read with less than the
    /// program [needs](crate::Program::needs_with).
    ///
    /// ```
    /// use babson_lang::{Dialect, analyze};
    /// use babson_pgn::{Needs, Reader};
    /// use babson_vm::{CompileOptions, GameContext, Machine, Program, RunOptions, Verdict};
    ///
    /// let query = analyze("check mate", Dialect::CQLI).unwrap().query;
    /// let options = CompileOptions { trace: true, ..CompileOptions::default() };
    /// let program = Program::compile_with(&query, &options).unwrap();
    /// let mut reader = Reader::new();
    /// let game = reader.read(b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", Needs::MAIN_LINE);
    /// let context = GameContext { number: 1, last_number: None, options: &RunOptions::default() };
    /// let trace = Machine::new(program.clone()).trace(&game, &context, 3).unwrap();
    /// assert!(!trace.matched);
    /// assert_eq!(trace.to_string(), "Check: no\nMate: not evaluated\n");
    /// assert_eq!(trace.entries[0].verdict(), Verdict::Failed);
    /// ```
    pub fn trace(
        &mut self,
        game: &Game<'_>,
        context: &GameContext<'_>,
        position: u32,
    ) -> Result<Trace, RuntimeError> {
        let traces = self.traces(game, context, &[position])?;
        // There is one for each position.
        traces.into_iter().next().ok_or_else(|| missing(position))
    }

    /// As [`trace`](Machine::trace), at several positions, whose ids ascend. The game is evaluated
    /// once.
    ///
    /// # Errors
    /// As [`trace`](Machine::trace).
    pub fn traces(
        &mut self,
        game: &Game<'_>,
        context: &GameContext<'_>,
        positions: &[u32],
    ) -> Result<Vec<Trace>, RuntimeError> {
        self.check_needs(game, context)?;
        self.admitted = None;
        self.with_run(game, context, false, |run| run.traces(positions))
    }
}

/// The error for a position that the game does not have.
fn missing(position: u32) -> RuntimeError {
    RuntimeError {
        filter: "trace".into(),
        span: Span::default(),
        position,
        message: format!("no position {position} is visited in this game"),
        fatal: false,
        limit: None,
    }
}

impl Run<'_, '_> {
    fn traces(&mut self, positions: &[u32]) -> Result<Vec<Trace>, RuntimeError> {
        let code = &self.program.code;
        let mut traces = Vec::with_capacity(positions.len());
        let Some(&last) = positions.last() else { return Ok(traces) };
        if last as usize >= self.nodes.len() {
            return Err(missing(last));
        }
        let mut asked = positions.iter().copied().peekable();
        for id in 0..=last {
            let carryover = &mut self.state.carryover;
            carryover.clock.clear();
            carryover.trace.start(id);
            self.start_visits(id..id + 1, None);
            self.execute(code.query())
                .map_err(|Stop| self.state.error.take().unwrap_or_else(|| missing(id)))?;
            let matched = self.visits.matched;
            if code.like.is_some() && matched {
                // Only the most similar position of the game counts.
                traces.iter_mut().for_each(|earlier: &mut Trace| earlier.matched = false);
            }
            if asked.next_if_eq(&id).is_some() {
                traces.push(Trace { position: id, matched, entries: self.trace_entries() });
            }
        }
        self.outcome.clear();
        Ok(traces)
    }

    /// The entries of all filters, operands after the filter that they belong to.
    fn trace_entries(&self) -> Vec<TraceEntry> {
        let carryover = &self.state.carryover;
        let code = &self.program.code;
        let mut values = carryover.trace.values(&code.profiled);
        let entry = |filter: &TracedFilter| {
            let counter = carryover.clock.counters.get(filter.counter);
            let counter = counter.copied().unwrap_or_default();
            let (value, position) = values.get_mut(filter.counter).and_then(Option::take).unzip();
            TraceEntry {
                evaluated: counter.evaluations,
                matched: counter.matches,
                value: value.map(|value| match value {
                    TracedValue::Value(value) => value,
                    TracedValue::Text(word) => Value::Text(self.state.bytes(word).to_vec()),
                }),
                elsewhere: position.and_then(|at| carryover.trace.elsewhere(at)),
                ..filter.entry.clone()
            }
        };
        code.traced.iter().map(entry).collect()
    }

    /// The value of a register, for a trace. A text is not copied, but kept in the memory of the
    /// game: most texts are not shown.
    pub(super) fn traced_value(&mut self, word: u64, ty: Type) -> TracedValue {
        match ty {
            Type::String => {
                self.state.kept_text = self.state.text.len();
                TracedValue::Text(word)
            }
            Type::Bool | Type::Number | Type::Set | Type::Position | Type::Piece => {
                TracedValue::Value(self.value_of(word, ty))
            }
        }
    }
}
