//! The functions of SQL.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, FieldRef};
use babson_vm::RuntimeError;
use babson_vm::lang::hir::Type;
use datafusion::common::{exec_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use datafusion::scalar::ScalarValue;

use crate::games::{GameColumn, GameRow, Scratch, game_type, text_type};
use crate::limits::MAX_QUERIES;
use crate::query::CompiledQuery;
use crate::query_function::QueryFunction;
use crate::results::Results;

/// A function of SQL: its first argument are games, the second is a query, and the third, which may
/// be left out, the FEN that the game starts from.
#[derive(Debug)]
pub(crate) struct CqlFunction {
    function: QueryFunction,
    signature: Signature,
    /// The queries that were compiled, by their texts.
    queries: Mutex<HashMap<String, Arc<CompiledQuery>>>,
}

impl PartialEq for CqlFunction {
    fn eq(&self, other: &CqlFunction) -> bool {
        self.function == other.function
    }
}

impl Eq for CqlFunction {}

impl Hash for CqlFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}

/// The functions `cql`, `cql_count`, `cql_value` and `cql_error`.
///
/// [`register`](crate::register) makes them known to a session. A program that builds its plans
/// without SQL may call them:
///
/// ```
/// use babson_datafusion::functions;
/// use datafusion::prelude::{col, lit};
///
/// let [cql, ..] = functions();
/// let mates = cql.call(vec![col("moves"), lit("mate")]);
/// assert_eq!(mates.to_string(), "cql(moves, Utf8(\"mate\"))");
/// ```
pub fn functions() -> [ScalarUDF; 4] {
    QueryFunction::ALL.map(|function| {
        let signature = Signature::user_defined(Volatility::Immutable);
        ScalarUDF::new_from_impl(CqlFunction { function, signature, queries: Mutex::default() })
    })
}

/// The query of an expression `cql(COLUMN, 'QUERY')`, and the name of the column.
pub(crate) fn condition(expr: &Expr) -> Option<(Result<Arc<CompiledQuery>>, &str)> {
    let Expr::ScalarFunction(call) = expr else { return None };
    let function = call.func.inner().downcast_ref::<CqlFunction>()?;
    let [Expr::Column(games), Expr::Literal(query, _)] = &call.args[..] else { return None };
    let text = query.try_as_str()??;
    let is_condition = function.function == QueryFunction::Matches;
    is_condition.then(|| (function.query(text), games.name.as_str()))
}

impl CqlFunction {
    /// The query of this text, compiled.
    fn query(&self, text: &str) -> Result<Arc<CompiledQuery>> {
        let queries = || self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(query) = queries().get(text) {
            return Ok(Arc::clone(query));
        }
        let query = Arc::new(CompiledQuery::new(text, self.function)?);
        let mut queries = queries();
        if queries.len() >= MAX_QUERIES {
            queries.clear();
        }
        queries.insert(text.to_owned(), Arc::clone(&query));
        Ok(query)
    }

    /// The results of these many rows.
    fn results(&self, query: &CompiledQuery, games: &GameColumn, rows: usize) -> Result<ArrayRef> {
        if query.uses_numbers() && !games.has_numbers() {
            let reason = "it asks for the number of the game, which only games of a table have";
            return Err(DataFusionError::Execution(query.blame(reason)));
        }
        let mut results = Results::new(self.function, query.value_type(), rows);
        query.with_evaluator(|evaluator| {
            let mut scratch = Scratch::default();
            for row in 0..rows {
                match games.row(row, &mut scratch) {
                    GameRow::Null => results.add_null(),
                    GameRow::Broken(reason) => results.add_broken(&reason),
                    GameRow::Game(number, game) => {
                        let answer = evaluator.answer(&game, number);
                        let answer = answer.map_err(|error: RuntimeError| {
                            DataFusionError::Execution(query.blame(&error.message))
                        })?;
                        results.add(&answer);
                    }
                }
            }
            Ok(())
        })?;
        Ok(results.finish())
    }
}

impl ScalarUDFImpl for CqlFunction {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        match self.function {
            QueryFunction::Value => plan_err!("the query of cql_value must be a constant text"),
            function => Ok(function.result_type(Type::Bool)),
        }
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let text = args.scalar_arguments.get(1).copied().flatten();
        let data_type = match text.and_then(ScalarValue::try_as_str).flatten() {
            Some(text) => self.function.result_type(self.query(text)?.value_type()),
            None => self.return_type(&[])?,
        };
        Ok(Arc::new(Field::new(self.name(), data_type, true)))
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let name = self.name();
        let ([games, query] | [games, query, _]) = given else {
            return plan_err!(
                "{name} takes games and a query, and perhaps the FEN that the games start from, \
                 not {} arguments",
                given.len()
            );
        };
        let Some(games) = game_type(games) else {
            return plan_err!(
                "the first argument of {name} must be games: a list of codes of moves, move text, \
                 or the column moves of a BabsonTable, not {games}"
            );
        };
        let is_text = |data_type: &DataType| data_type.is_string() || data_type.is_null();
        if !is_text(query) {
            return plan_err!(
                "the second argument of {name} must be the text of a query, not {query}"
            );
        }
        let mut types = vec![games, query.clone()];
        if let Some(start) = given.get(2) {
            match text_type(start) {
                Some(start) => types.push(start),
                None => {
                    return plan_err!("the third argument of {name} must be a FEN, not {start}");
                }
            }
        }
        Ok(types)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let ScalarFunctionArgs { args, number_rows, return_field, .. } = args;
        let [games, query, starts @ ..] = &args[..] else {
            return exec_err!("{} takes games and a query", self.name());
        };
        let ColumnarValue::Scalar(query) = query else {
            return exec_err!("the query of {} must be a constant text", self.name());
        };
        let Some(text) = query.try_as_str().flatten() else {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from(return_field.data_type())?));
        };
        let is_scalar = |value: &ColumnarValue| matches!(value, ColumnarValue::Scalar(_));
        let is_constant = is_scalar(games) && starts.iter().all(is_scalar);
        let rows = if is_constant { 1 } else { number_rows };
        let games = games.to_array(rows)?;
        let starts = starts.first().map(|starts| starts.to_array(rows)).transpose()?;
        let games = GameColumn::new(&games, starts.as_ref())?;
        let results = self.results(&*self.query(text)?, &games, rows)?;
        match is_constant {
            true => Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&results, 0)?)),
            false => Ok(ColumnarValue::Array(results)),
        }
    }
}
