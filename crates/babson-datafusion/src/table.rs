//! A game table as a table of SQL.

use std::path::Path;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use babson_input::{Input, OpenInput};
use babson_table::Column;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::DFSchema;
use datafusion::common::tree_node::TreeNode;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::expr_rewriter::unnormalize_col;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;

use crate::columns::{TableData, external};
use crate::exec::BabsonExec;
use crate::function::condition;
use crate::plan::{CqlFilter, RowFilter, ScanPlan};

/// A game table: an Arrow file that `babson pack` has written.
///
/// It has the columns of the file, but `moves` is the whole game: the functions see its tags,
/// variations and comments, its own start and its damage, as the command does. It is a struct:
/// `get_field(moves, 'codes')` are the codes of the moves, and `get_field(moves, 'movetext')` the
/// text that the column `movetext` of the file has.
///
/// A condition `cql(moves, 'QUERY')` of a `WHERE` is pushed into the scan: only the games that pass
/// the guard of the query, and the other conditions, are replayed.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
///
/// use babson_datafusion::{BabsonTable, register};
/// use datafusion::prelude::SessionContext;
///
/// let context = SessionContext::new();
/// register(&context);
/// context.register_table("games", Arc::new(BabsonTable::open("games.arrow")?))?;
/// let mates = context.sql("SELECT white, black FROM games WHERE cql(moves, 'mate')").await?;
/// mates.show().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct BabsonTable {
    data: Arc<TableData>,
}

impl BabsonTable {
    /// Opens a table. Its file is mapped: if another process truncates it, the system ends this
    /// process. [`BabsonTable::read`] does without.
    ///
    /// # Errors
    /// The file cannot be read, or is not a game table, or is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<BabsonTable> {
        BabsonTable::of_input(&Input::File(path.as_ref().to_owned()), true)
    }

    /// Reads a table into memory.
    ///
    /// # Errors
    /// As [`BabsonTable::open`].
    pub fn read(path: impl AsRef<Path>) -> Result<BabsonTable> {
        BabsonTable::of_input(&Input::File(path.as_ref().to_owned()), false)
    }

    /// A table in memory, with a name for messages.
    ///
    /// # Errors
    /// As [`BabsonTable::open`].
    pub fn of_bytes(name: &str, bytes: impl Into<Arc<[u8]>>) -> Result<BabsonTable> {
        BabsonTable::of_input(&Input::bytes(name, bytes), false)
    }

    fn of_input(input: &Input, mapped: bool) -> Result<BabsonTable> {
        let name = input.name();
        let open = match input.open(mapped).map_err(external)? {
            OpenInput::Table(open) => open,
            OpenInput::Mapped(_) | OpenInput::Stream { .. } => {
                let message = format!(
                    "cannot read {name}: it is not a game table; `babson pack {name} -o \
                     games.arrow` makes one of a PGN file"
                );
                return Err(DataFusionError::Plan(message));
            }
        };
        Ok(BabsonTable { data: Arc::new(TableData::new(open, name)?) })
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.data.open.rows()
    }

    /// The other conditions, on the columns that they need.
    fn row_filter(&self, state: &dyn Session, filter: Expr) -> Result<RowFilter> {
        let schema = &self.data.schema;
        let names = filter.column_refs();
        let columns = (0..schema.fields().len())
            .filter(|&index| names.iter().any(|name| name.name == *schema.field(index).name()));
        let columns: Vec<usize> = columns.collect();
        // The names are without the table here, whatever its name is in the query.
        let filter = unnormalize_col(filter);
        let of_columns = DFSchema::try_from(schema.project(&columns)?)?;
        let test = state.create_physical_expr(filter, &of_columns)?;
        Ok(RowFilter { test, columns })
    }
}

/// The condition on whole games that an expression is, compiled.
fn game_condition(expr: &Expr) -> Option<Result<CqlFilter>> {
    let (query, column) = condition(expr)?;
    (column == Column::MOVES.name()).then(|| query.map(CqlFilter::new))
}

/// Whether an expression needs nothing but the columns of the table.
fn is_of_rows(expr: &Expr) -> bool {
    let is_of_other = |expr: &Expr| {
        matches!(
            expr,
            Expr::ScalarSubquery(_)
                | Expr::InSubquery(_)
                | Expr::Exists(_)
                | Expr::SetComparison(_)
                | Expr::OuterReferenceColumn(..)
                | Expr::Placeholder(_)
        )
    };
    !expr.exists(|expr| Ok(is_of_other(expr))).unwrap_or(true)
}

#[async_trait]
impl TableProvider for BabsonTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.data.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    /// Conditions on games are tested by the scan, and so are the others beside them: a game that
    /// they rule out is not replayed.
    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let tests_games = filters.iter().any(|filter| game_condition(filter).is_some());
        let supported = filters.iter().map(|filter| match tests_games && is_of_rows(filter) {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Unsupported,
        });
        Ok(supported.collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (mut queries, mut others) = (Vec::new(), Vec::new());
        for filter in filters {
            match game_condition(filter) {
                Some(query) => queries.push(query?),
                None => others.push(filter.clone()),
            }
        }
        let rows = match conjunction(others) {
            Some(filter) => Some(self.row_filter(state, filter)?),
            None => None,
        };
        let every: Vec<usize> = (0..self.data.schema.fields().len()).collect();
        let projection = projection.cloned().unwrap_or(every);
        let partitions = state.config().target_partitions();
        let schema = Arc::new(self.data.schema.project(&projection)?);
        let table = Arc::clone(&self.data);
        let plan = ScanPlan { table, projection, schema, queries, rows, limit };
        Ok(Arc::new(BabsonExec::new(plan, partitions)))
    }
}
