//! `babson plan DB... --slices N`: the slices of databases, one on a line.

use std::path::Path;

use babson::Scan;

use crate::failure::Failure;
use crate::options::{CommandLine, OptionId};
use crate::search_config::expand_input;
use crate::terminal;

/// The number of slices without `--slices`.
const DEFAULT_SLICES: usize = 16;

/// Prints the slices.
pub(crate) fn plan(line: &CommandLine) -> Result<u8, Failure> {
    let mut inputs = Vec::new();
    for name in &line.operands {
        inputs.extend(expand_input(Path::new(name), false)?);
    }
    let count = line
        .option(OptionId::Slices)
        .map_or(DEFAULT_SLICES, |option| option.word().parse().unwrap_or(usize::MAX));
    let mut text = String::new();
    let scan = Scan::of(inputs).mapped(!line.has(OptionId::NoMmap));
    for slice in scan.plan(count)? {
        let row = serde_json::to_string(&slice);
        text.push_str(&row.map_err(|error| Failure::Io(error.to_string()))?);
        text.push('\n');
    }
    terminal::print_text(&text)
}
