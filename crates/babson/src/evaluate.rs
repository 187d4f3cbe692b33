//! The value of a query at one position.

use babson_chess::{Position, Rules};
use babson_lang::{Diagnostic, Span};
use babson_pgn::{Needs, Reader};
use babson_vm::{CompileOptions, GameContext, Machine, Program, RunOptions, RuntimeError, Value};

use crate::Query;

impl Query {
    /// The value of the query's last filter at a position of standard chess; `Value::Bool(true)` if
    /// the filter is a condition, `Value::Bool(false)` if the query does not match there.
    /// [`Query::evaluator`] is faster for many positions and knows the rules of variants.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation.
    ///
    /// ```
    /// use babson::{Position, Query, Value};
    ///
    /// let start = Position::start();
    /// assert_eq!(Query::compile("#P")?.evaluate(&start)?, Value::Number(8));
    /// assert_eq!(Query::compile("wtm")?.evaluate(&start)?, Value::Bool(true));
    /// assert_eq!(Query::compile("wtm K attacks a")?.evaluate(&start)?, Value::Bool(false));
    /// let board: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse()?;
    /// assert_eq!(Query::compile("R")?.evaluate(&board)?.to_string(), "[a1,h1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&self, position: &Position) -> Result<Value, RuntimeError> {
        self.evaluator()?.evaluate(position, &Rules::STANDARD)
    }

    /// An evaluator of the query. The first call compiles the query again, for its value.
    ///
    /// # Errors
    /// The query is too large for that.
    pub fn evaluator(&self) -> Result<Evaluator<'_>, RuntimeError> {
        let program = self.valued.get_or_init(|| {
            let host = self.options.host.clone();
            let options = CompileOptions { value: true, host, ..CompileOptions::default() };
            Program::compile_with(&self.typed, self.dialect, &options)
        });
        let program = program.as_ref().map_err(|errors| too_large(errors))?;
        Ok(Evaluator {
            options: &self.options,
            needs: program.needs(),
            machine: Machine::new(program),
            reader: Reader::new(),
        })
    }
}

/// The errors of a program with values as a run-time error: the query itself has none.
fn too_large(errors: &[Diagnostic]) -> RuntimeError {
    RuntimeError {
        filter: "limit".into(),
        span: errors.first().map_or(Span::default(), |error| error.span),
        position: 0,
        message: errors.first().map_or(String::new(), |error| error.message.clone()),
        fatal: true,
        limit: None,
    }
}

/// Evaluates a query at one position after another: [`Query::evaluator`]. Each thread has its own
/// evaluator.
#[derive(Debug)]
pub struct Evaluator<'q> {
    options: &'q RunOptions,
    needs: Needs,
    machine: Machine<'q>,
    reader: Reader,
}

impl Evaluator<'_> {
    /// The value of the query's last filter at a position of a game with these rules;
    /// `Value::Bool(true)` if the filter is a condition, `Value::Bool(false)` if the query does not
    /// match there. Persistent variables keep their values from one position to the next.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation.
    ///
    /// ```
    /// use babson::chess::fen;
    /// use babson::{Query, Value};
    ///
    /// let query = Query::compile("#R")?;
    /// let mut evaluator = query.evaluator()?;
    /// for (text, count) in [("4k3/8/8/8/8/8/8/R3K2R w KQ -", 2), ("8/8/8/8/8/k7/8/K1R5 w", 1)] {
    ///     let (position, rules) = fen::parse(text)?;
    ///     assert_eq!(evaluator.evaluate(&position, &rules)?, Value::Number(count));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&mut self, position: &Position, rules: &Rules) -> Result<Value, RuntimeError> {
        let game = self.reader.one_position(position, rules, self.needs);
        let context = GameContext { number: 1, last_number: Some(1), options: self.options };
        let outcome = self.machine.run(&game, &context);
        if let Some(error) = &outcome.error {
            return Err(error.clone());
        }
        Ok(match outcome.matched {
            true => outcome.values.first().cloned().unwrap_or(Value::Bool(true)),
            false => Value::Bool(false),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_at_a_position_does_not_end_the_evaluator() {
        let query = Query::compile("6 / #Q").unwrap();
        let mut evaluator = query.evaluator().unwrap();
        let one: Position = "8/8/8/8/8/8/8/Q6Q w - - 0 1".parse().unwrap();
        let mut value = |position: &Position| evaluator.evaluate(position, &Rules::STANDARD);
        let first = value(&Position::empty());
        assert_eq!(value(&one).unwrap(), Value::Number(3));
        assert_eq!(value(&Position::empty()), first);
        let asserted = Query::compile("assert #Q == 2 Q").unwrap();
        let error = asserted.evaluate(&Position::start()).unwrap_err();
        assert!(error.fatal && error.filter == "assert", "{error:?}");
    }

    #[test]
    fn persistent_variables_last_from_position_to_position() {
        let query = Query::compile("persistent $n += 1 $n").unwrap();
        let mut evaluator = query.evaluator().unwrap();
        for count in 1..=3 {
            let value = evaluator.evaluate(&Position::start(), &Rules::STANDARD).unwrap();
            assert_eq!(value, Value::Number(count));
        }
        assert_eq!(query.evaluate(&Position::start()).unwrap(), Value::Number(1));
    }
}
