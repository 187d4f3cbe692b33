//! The sink that hands over the groups of matches.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::columns::ColumnNames;
use crate::groups::{GroupCounter, GroupFormat, GroupKeys, GroupTable};
use crate::output::Unpublished;
use crate::sink::{Format, Sink, SinkContext, SinkResult, SinkTotals, TextSlice};

/// Counts the matches in groups, and hands over the table of the groups at the end of the scan. To
/// write the table to a file, see [`FileSink::with_groups`](crate::FileSink::with_groups).
///
/// ```
/// use std::sync::mpsc;
///
/// use babson_engine::{GroupKeys, GroupSink, Input, Job, Settings, Silent, Task, scan};
/// use babson_lang::{Dialect, analyze};
///
/// let (sender, receiver) = mpsc::channel();
/// let sink = GroupSink::new(GroupKeys::parse("san").unwrap(), move |table| {
///     // Nobody receives the table of a scan that was given up.
///     let _ = sender.send(table);
/// });
/// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
/// let task = Task::new(job).sink(sink);
/// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n\n1. g4 e5 2. f3 Qh4# 0-1\n");
/// scan(&[games], vec![task], &Settings::default(), &mut Silent)?;
/// let table = receiver.recv().unwrap();
/// assert_eq!(
///     table.to_string(),
///     "san   games  positions  won  drawn  lost  other  score  performance  share\n\
///      Qh4#      2          2    0      0     2      0    0.0            -  100.0\n"
/// );
/// assert_eq!(table.rows()[0].lost, 2);
/// # Ok::<(), babson_engine::Error>(())
/// ```
pub struct GroupSink {
    groups: GroupKeys,
    counter: GroupCounter,
    take: Box<dyn FnOnce(GroupTable) + Send>,
}

impl GroupSink {
    /// A sink that counts in groups of these keys and calls `take` at the end.
    pub fn new(groups: GroupKeys, take: impl FnOnce(GroupTable) + Send + 'static) -> GroupSink {
        let counter = GroupCounter::new(groups.clone());
        GroupSink { groups, counter, take: Box::new(take) }
    }
}

impl Sink for GroupSink {
    fn name(&self) -> String {
        "the table of groups".to_owned()
    }

    fn format(&self) -> Option<Arc<dyn Format>> {
        Some(Arc::new(GroupFormat(self.groups.clone())))
    }

    fn heeds_order(&self) -> bool {
        false
    }

    fn begin(&mut self, context: &SinkContext<'_>) -> SinkResult {
        Ok(self.groups.check(&ColumnNames::of([&context.job.program]))?)
    }

    fn write_text(&mut self, slice: TextSlice<'_>) -> SinkResult<ControlFlow<()>> {
        self.counter.take(slice.bytes, slice.first)?;
        Ok(ControlFlow::Continue(()))
    }

    fn finish(
        self: Box<Self>,
        _outputs: &mut Unpublished,
        _searched: u64,
    ) -> SinkResult<SinkTotals> {
        (self.take)(self.counter.finish()?);
        Ok(SinkTotals::default())
    }
}
