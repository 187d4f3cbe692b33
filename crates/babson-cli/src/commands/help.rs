//! `babson help [COMMAND]`: what `--help` prints.

use crate::failure::Failure;
use crate::options::{self, CommandId, CommandLine, CommandSpec};
use crate::terminal;

/// Prints the help of the search or of a command.
pub(crate) fn help(line: &CommandLine) -> Result<u8, Failure> {
    let page = match line.texts()?.first() {
        None => options::page(CommandSpec::of(CommandId::Search)),
        Some(name) => options::help_of_word(name).map_err(Failure::Usage)?,
    };
    terminal::print_text(&page)
}
