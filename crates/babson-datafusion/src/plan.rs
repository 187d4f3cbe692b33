//! What a scan of a table reads.

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use babson_input::chunk::GuardColumns;
use datafusion::physical_expr::PhysicalExpr;

use crate::columns::TableData;
use crate::query::CompiledQuery;

/// What all partitions of a scan share.
#[derive(Debug)]
pub(crate) struct ScanPlan {
    pub(crate) table: Arc<TableData>,
    /// The columns of the table that are read.
    pub(crate) projection: Vec<usize>,
    /// Their schema.
    pub(crate) schema: SchemaRef,
    /// The conditions on games. All must hold.
    pub(crate) queries: Vec<CqlFilter>,
    /// The other conditions.
    pub(crate) rows: Option<RowFilter>,
    /// The most rows that are needed.
    pub(crate) limit: Option<usize>,
}

/// The condition that a query matches in a game.
#[derive(Debug)]
pub(crate) struct CqlFilter {
    pub(crate) query: Arc<CompiledQuery>,
    /// What its guard asks of the table.
    pub(crate) guard: GuardColumns,
}

/// A condition on the columns of a row.
#[derive(Debug)]
pub(crate) struct RowFilter {
    /// The condition, on a batch of these columns.
    pub(crate) test: Arc<dyn PhysicalExpr>,
    pub(crate) columns: Vec<usize>,
}

impl CqlFilter {
    pub(crate) fn new(query: Arc<CompiledQuery>) -> CqlFilter {
        let guard = GuardColumns::of(&[query.guard()]);
        CqlFilter { query, guard }
    }
}
