//! `babson plan DB... --slices N`: the slices of databases, one on a line.

use std::path::Path;

use babson::Scan;

use crate::console::Console;
use crate::failure::{BrokenInputAdvice, Failure};
use crate::options::CommandLine;
use crate::search_config::{expand_input, tell_repeated};
use crate::terminal;

/// The number of slices without `--slices`.
const DEFAULT_SLICES: usize = 16;

/// The message about a broken input of a plan.
const ADVICE: BrokenInputAdvice = BrokenInputAdvice {
    lost: "no slice is printed",
    needs: "plan",
    help: BrokenInputAdvice::NEW_COPIES,
};

/// Prints the slices.
pub(crate) fn plan(line: &CommandLine) -> Result<u8, Failure> {
    let mut inputs = Vec::new();
    for name in &line.operands {
        inputs.extend(expand_input(Path::new(name), false)?);
    }
    tell_repeated(&inputs, "");
    let config = line.config()?;
    let count = config.run.command.slices.unwrap_or(DEFAULT_SLICES);
    let mut text = String::new();
    let scan = Scan::of(inputs.clone()).mapped(!config.inputs.unmapped);
    let mut console = Console::new(Vec::new());
    let slices = scan.plan_observed(count, &mut console);
    let slices = slices.map_err(|error| match console.has_told(&error) {
        true => console.failure(error),
        // A plan reports no damaged games.
        false => Failure::of_broken_input(error, &inputs, 0, &ADVICE),
    })?;
    for slice in slices {
        let row = serde_json::to_string(&slice);
        text.push_str(&row.map_err(|error| Failure::Io(error.to_string()))?);
        text.push('\n');
    }
    terminal::print_text(&text)
}
