//! The results of a function, game by game.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanBuilder, Int64Builder, StringBuilder};
use babson_vm::Value;
use babson_vm::lang::hir::Type;

use crate::evaluator::Answer;
use crate::query_function::QueryFunction;

/// The results of some games.
pub(crate) enum Results {
    Matches(BooleanBuilder),
    Counts(Int64Builder),
    Errors(StringBuilder),
    BooleanValues(BooleanBuilder),
    NumberValues(Int64Builder),
    TextValues(StringBuilder),
}

impl Results {
    /// Room for the results of these many games. `value_type` is the type of the last filter.
    pub(crate) fn new(function: QueryFunction, value_type: Type, games: usize) -> Results {
        match (function, value_type) {
            (QueryFunction::Matches, _) => Results::Matches(BooleanBuilder::with_capacity(games)),
            (QueryFunction::Count, _) => Results::Counts(Int64Builder::with_capacity(games)),
            (QueryFunction::Error, _) => Results::Errors(StringBuilder::new()),
            (QueryFunction::Value, Type::Bool) => {
                Results::BooleanValues(BooleanBuilder::with_capacity(games))
            }
            (QueryFunction::Value, Type::Number) => {
                Results::NumberValues(Int64Builder::with_capacity(games))
            }
            (QueryFunction::Value, Type::Set | Type::String | Type::Position | Type::Piece) => {
                Results::TextValues(StringBuilder::new())
            }
        }
    }

    /// Adds what a query says of a game.
    pub(crate) fn add(&mut self, answer: &Answer<'_>) {
        let Answer { matches, outcome, trouble, .. } = answer;
        let value = || outcome.values.first().filter(|_| *matches == Some(true));
        match self {
            Results::Matches(results) => results.append_option(*matches),
            Results::Counts(results) => {
                let count = |matches| if matches { outcome.positions.len() as i64 } else { 0 };
                results.append_option(matches.map(count));
            }
            Results::Errors(results) => results.append_option(trouble.as_deref()),
            Results::BooleanValues(results) => {
                results.append_option(value().map(|value| *value != Value::Bool(false)));
            }
            Results::NumberValues(results) => results.append_option(value().and_then(number)),
            Results::TextValues(results) => results.append_option(value().map(Value::to_string)),
        }
    }

    /// Adds a game that cannot be read.
    pub(crate) fn add_broken(&mut self, reason: &str) {
        match self {
            Results::Errors(results) => results.append_value(reason),
            Results::Matches(_)
            | Results::Counts(_)
            | Results::BooleanValues(_)
            | Results::NumberValues(_)
            | Results::TextValues(_) => self.add_null(),
        }
    }

    /// Adds a game that does not exist.
    pub(crate) fn add_null(&mut self) {
        match self {
            Results::Matches(results) | Results::BooleanValues(results) => results.append_null(),
            Results::Counts(results) | Results::NumberValues(results) => results.append_null(),
            Results::Errors(results) | Results::TextValues(results) => results.append_null(),
        }
    }

    /// All results.
    pub(crate) fn finish(self) -> ArrayRef {
        match self {
            Results::Matches(mut results) | Results::BooleanValues(mut results) => {
                Arc::new(results.finish())
            }
            Results::Counts(mut results) | Results::NumberValues(mut results) => {
                Arc::new(results.finish())
            }
            Results::Errors(mut results) | Results::TextValues(mut results) => {
                Arc::new(results.finish())
            }
        }
    }
}

/// The number that a value is. A filter of numbers may match without one.
fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => Some(i64::from(*number)),
        Value::Bool(_)
        | Value::Set(_)
        | Value::Text(_)
        | Value::Position(_)
        | Value::Piece(..)
        | Value::AbsentPiece => None,
    }
}
