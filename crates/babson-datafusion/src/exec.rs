//! The scan of a game table in a plan.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Statistics, internal_err};
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{
    Boundedness, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
};

use crate::limits::MIN_PARTITION_ROWS;
use crate::partition::PartitionScan;
use crate::plan::{CqlFilter, RowFilter, ScanPlan};

/// Reads the games of a table that pass some conditions.
#[derive(Debug)]
pub(crate) struct BabsonExec {
    scan: Arc<ScanPlan>,
    /// The rows of each partition.
    partitions: Vec<Range<u64>>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl BabsonExec {
    /// The scan on at most this number of partitions.
    pub(crate) fn new(scan: ScanPlan, partitions: usize) -> BabsonExec {
        let partitions = partition(scan.table.open.rows(), partitions);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&scan.schema)),
            Partitioning::UnknownPartitioning(partitions.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        BabsonExec {
            scan: Arc::new(scan),
            partitions,
            properties: Arc::new(properties),
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }
}

/// Cuts these rows into ranges of the same length.
fn partition(rows: u64, most: usize) -> Vec<Range<u64>> {
    let count = rows.div_ceil(MIN_PARTITION_ROWS).clamp(1, most.max(1) as u64);
    let cut = |index: u64| (u128::from(rows) * u128::from(index) / u128::from(count)) as u64;
    (0..count).map(|index| cut(index)..cut(index + 1)).collect()
}

impl DisplayAs for BabsonExec {
    fn fmt_as(&self, form: DisplayFormatType, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScanPlan { table, queries, rows, limit, .. } = &*self.scan;
        let separator = match form {
            DisplayFormatType::Default | DisplayFormatType::Verbose => {
                out.write_str("BabsonExec: ")?;
                ", "
            }
            DisplayFormatType::TreeRender => "\n",
        };
        write!(out, "table={}", table.name)?;
        for CqlFilter { query, .. } in queries {
            write!(out, "{separator}cql=[{}]", query.text())?;
            match query.guard() {
                Some(guard) => write!(out, "{separator}guard=[{guard}]")?,
                None => write!(out, "{separator}guard=none")?,
            }
        }
        if let Some(RowFilter { test, .. }) = rows {
            write!(out, "{separator}filter={test}")?;
        }
        if let Some(limit) = limit {
            write!(out, "{separator}limit={limit}")?;
        }
        Ok(())
    }
}

impl ExecutionPlan for BabsonExec {
    fn name(&self) -> &str {
        "BabsonExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        match &self.scan.rows {
            Some(filter) => visit(&filter.test),
            None => Ok(TreeNodeRecursion::Continue),
        }
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let Some(rows) = self.partitions.get(partition) else {
            return internal_err!("the table has no partition {partition}");
        };
        let batch_size = context.session_config().batch_size();
        let scan = Arc::clone(&self.scan);
        let scan = PartitionScan::new(scan, rows.clone(), batch_size, &self.metrics, partition);
        let schema = Arc::clone(&self.scan.schema);
        let stream = futures::stream::iter(scan);
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, stream)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn statistics_from_inputs(
        &self,
        _: &[Arc<Statistics>],
        args: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let mut statistics = Statistics::new_unknown(&self.scan.schema);
        let is_filtered = !self.scan.queries.is_empty() || self.scan.rows.is_some();
        let rows = match args.partition().and_then(|partition| self.partitions.get(partition)) {
            Some(rows) => rows.end - rows.start,
            None => self.scan.table.open.rows(),
        };
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        let rows = rows.min(self.scan.limit.unwrap_or(usize::MAX));
        statistics.num_rows = if is_filtered { Precision::Absent } else { Precision::Exact(rows) };
        Ok(Arc::new(statistics))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_have_all_rows() {
        for (rows, most) in [(0, 4), (1, 4), (1024, 4), (1025, 4), (100_000, 16), (4097, 0)] {
            let ranges = partition(rows, most);
            assert!(!ranges.is_empty() && ranges.len() <= most.max(1));
            let ends = ranges.iter().map(|range| range.end);
            let starts = ranges.iter().skip(1).map(|range| range.start);
            assert!(ends.take(ranges.len() - 1).eq(starts), "{rows} {most}");
            assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, rows));
        }
        assert_eq!(partition(1025, 4), [0..512, 512..1025]);
    }
}
