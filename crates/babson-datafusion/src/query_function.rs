//! The kinds of functions.

use arrow::datatypes::DataType;
use babson_vm::lang::hir::Type;

/// A function that runs a query on games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum QueryFunction {
    /// Whether a game matches.
    Matches,
    /// The number of matching positions.
    Count,
    /// The value of the last filter at the first matching position.
    Value,
    /// What is wrong with the game, or with the query in it.
    Error,
}

impl QueryFunction {
    /// All functions.
    pub(crate) const ALL: [QueryFunction; 4] =
        [QueryFunction::Matches, QueryFunction::Count, QueryFunction::Value, QueryFunction::Error];

    /// The name in SQL.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            QueryFunction::Matches => "cql",
            QueryFunction::Count => "cql_count",
            QueryFunction::Value => "cql_value",
            QueryFunction::Error => "cql_error",
        }
    }

    /// Whether the first matching position of a game decides.
    pub(crate) const fn needs_one_position(self) -> bool {
        match self {
            QueryFunction::Matches | QueryFunction::Value | QueryFunction::Error => true,
            QueryFunction::Count => false,
        }
    }

    /// The type of its results.
    pub(crate) fn result_type(self, value_type: Type) -> DataType {
        match (self, value_type) {
            (QueryFunction::Matches, _) => DataType::Boolean,
            (QueryFunction::Count, _) => DataType::Int64,
            (QueryFunction::Error, _) => DataType::Utf8,
            (QueryFunction::Value, Type::Bool) => DataType::Boolean,
            (QueryFunction::Value, Type::Number) => DataType::Int64,
            (QueryFunction::Value, Type::Set | Type::String | Type::Position | Type::Piece) => {
                DataType::Utf8
            }
        }
    }
}
