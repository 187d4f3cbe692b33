//! Groups of the matches that a caller finds without a scan.

use babson_vm::Hit;

use super::{GroupCounter, GroupKeys, GroupTable, TooManyGroups, record};
use crate::columns::ColumnNames;
use crate::error::GroupKeysError;
use crate::job::Job;
use crate::sink::MatchedGame;

/// Counts matches in groups, one after another, for a caller that finds them itself. A scan has
/// [`GroupSink`](crate::GroupSink).
///
/// ```
/// use babson_engine::{GroupKeys, GroupTally, Job};
/// use babson_vm::run::GameStream;
/// use babson_vm::{Dialect, Machine, Program, RunOptions};
///
/// let program = Program::parse("mate", Dialect::CQLI)?;
/// let query = babson_lang::analyze("mate", Dialect::CQLI).unwrap().query;
/// let job = Job::of_program(program.clone(), &query);
/// let mut tally = GroupTally::new(GroupKeys::parse("san")?, job)?;
/// let mut machine = Machine::new(program);
/// for text in ["1. f3 e5 2. g4 Qh4# 0-1", "1. g4 e5 2. f3 Qh4# 0-1", "1. d4 *"] {
///     if let Some(hit) = machine.run_text(text.as_bytes())? {
///         tally.add(&hit)?;
///     }
/// }
/// assert_eq!(tally.finish()?.rows()[0].lost, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GroupTally {
    job: Job,
    groups: GroupKeys,
    counter: GroupCounter,
    record: Vec<u8>,
}

impl GroupTally {
    /// Counts the matches of a query in groups of these keys.
    ///
    /// # Errors
    /// The query has no sort key or field of the name of a key.
    pub fn new(groups: GroupKeys, query: impl Into<Job>) -> Result<GroupTally, GroupKeysError> {
        let job = query.into();
        groups.check(&ColumnNames::of([&job.program]))?;
        let counter = GroupCounter::new(groups.clone());
        Ok(GroupTally { job, groups, counter, record: Vec::new() })
    }

    /// Counts a match.
    ///
    /// # Errors
    /// There are more groups than a table holds.
    pub fn add(&mut self, hit: &Hit<'_>) -> Result<(), TooManyGroups> {
        let (game, origin) = (hit.game(), hit.origin());
        let matched = MatchedGame {
            game: &game,
            outcome: hit.outcome(),
            traces: &[],
            job: &self.job,
            number: hit.number(),
            input: origin.input,
            input_number: origin.number,
            offset: origin.offset,
            // No key is made of them.
            length: 0,
            line: 0,
        };
        self.record.clear();
        record::append(&self.groups, &matched, &mut self.record);
        self.counter.take(&self.record, true)
    }

    /// The table of all matches.
    ///
    /// # Errors
    /// There are more groups than a table holds.
    pub fn finish(self) -> Result<GroupTable, TooManyGroups> {
        self.counter.finish()
    }
}
