//! `babson merge PART... -o FILE`: the outputs of all slices.

use babson::SliceResult;

use crate::failure::Failure;
use crate::options::CommandLine;
use crate::part_note::PartNote;
use crate::run::{self, Work};
use crate::search_config::SearchConfig;

/// Merges parts. The queries and options are those of the first one.
pub(crate) fn merge(line: &CommandLine) -> Result<u8, Failure> {
    let mut results = Vec::new();
    for path in &line.operands {
        results.push(SliceResult::open(path)?);
    }
    // The order of the parts on the command line must not matter.
    let Some(first) = results.iter().min_by_key(|result| result.slice().index) else {
        return Err(Failure::Usage(line.command.usage()));
    };
    let (mut options, queries, several) = PartNote::read(first.note(), first.name())?;
    options.extend(line.options.iter().cloned());
    let config = SearchConfig::new(&options)?;
    run::run_queries(&options, &config, &queries, several, Work::Merge(results))
}
