//! `babson merge PART... -o FILE`: the outputs of all slices.

use std::ffi::OsStr;

use babson::slices::SliceResult;

use crate::failure::Failure;
use crate::options::{CommandLine, OptionId, ParsedOption, config_of};
use crate::part_note::PartNote;
use crate::run::{self, Work};
use crate::show_name::ShowName as _;

/// Merges parts. The first part has the queries and options of all. The parts may come from
/// somebody else, so only the command line names the outputs. A `cqlbegin` or `cqlend` of the
/// queries runs here, and may reach files and programs as in a search.
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
    check_rejects(&options, line)?;
    options.retain(|option| !option.is(OptionId::Rejects));
    let counts = [OptionId::Count, OptionId::Group];
    let outputs = [OptionId::Output, OptionId::Append, OptionId::GuiStdout];
    if !outputs.iter().chain(&counts).any(|&id| line.has(id)) {
        return Err(Failure::Usage(
            "merge writes only what its command line names: name an output with -o FILE, or use \
             --count or --group"
                .to_owned(),
        ));
    }
    options.extend(line.options.iter().cloned());
    run::run_queries(&config_of(&options)?, &queries, several, Work::Merge(results))
}

/// Checks that the text of damaged games goes to a file of this command line if the parts hold it.
fn check_rejects(noted: &[ParsedOption], line: &CommandLine) -> Result<(), Failure> {
    let noted = noted.iter().find(|option| option.is(OptionId::Rejects));
    match (noted, line.has(OptionId::Rejects)) {
        (Some(_), true) | (None, false) => Ok(()),
        (Some(noted), false) => Err(Failure::Usage(format!(
            "the slices were searched with --rejects {}: name a file for the damaged games here \
             too, with --rejects FILE",
            noted.words.join(OsStr::new(" ")).shown()
        ))),
        (None, true) => Err(Failure::Usage(
            "--rejects: the slices were searched without it, so the parts do not hold the text of \
             damaged games"
                .to_owned(),
        )),
    }
}
