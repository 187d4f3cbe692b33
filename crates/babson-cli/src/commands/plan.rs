//! `babson plan DB... --slices N`: the slices of databases, one on a line.

use babson::engine::Input;

use crate::failure::Failure;
use crate::options::{CommandLine, OptionId};
use crate::terminal;

/// The number of slices without `--slices`.
const DEFAULT_SLICES: usize = 16;

/// Prints the slices.
pub(crate) fn plan(line: &CommandLine) -> Result<u8, Failure> {
    let mut inputs = Vec::new();
    for name in &line.operands {
        inputs.extend(Input::expand(name)?);
    }
    let count = line
        .option(OptionId::Slices)
        .map_or(DEFAULT_SLICES, |option| option.word().parse().unwrap_or(usize::MAX));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = String::new();
    for slice in babson::engine::plan(&inputs, count, threads)? {
        let row = serde_json::to_string(&slice);
        text.push_str(&row.map_err(|error| Failure::Io(error.to_string()))?);
        text.push('\n');
    }
    terminal::print_text(&text)
}
