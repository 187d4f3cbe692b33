//! `babson completions SHELL`: a script that completes command lines, generated from the table.

mod bash;
mod fish;
mod powershell;
mod zsh;

use babson::diagnostic::Code;

use crate::failure::Failure;
use crate::options::{COMMANDS, CommandId, CommandLine, CommandSpec, OptionSpec, OptionValue};
use crate::terminal;

/// The shells that have a script.
pub(crate) const SHELLS: &[&str] = &["bash", "zsh", "fish", "powershell"];

/// Prints the script for a shell.
pub(crate) fn completions(line: &CommandLine) -> Result<u8, Failure> {
    let shell = line.texts()?.first().map(|shell| shell.to_ascii_lowercase());
    let script = match shell.as_deref() {
        Some("bash") => bash::script(),
        Some("zsh") => zsh::script(),
        Some("fish") => fish::script(),
        Some("powershell") => powershell::script(),
        _ => return Err(Failure::Usage(line.command.usage())),
    };
    terminal::print_text(&script)
}

/// What may follow an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Completion {
    Nothing,
    File,
    /// One of a few words.
    Words(&'static [&'static str]),
    /// A word that only the user knows, or two.
    Other(usize),
}

impl Completion {
    fn of(option: &OptionSpec) -> Completion {
        match option.value {
            OptionValue::None
            | OptionValue::Switch
            | OptionValue::OptionalNumber(_)
            | OptionValue::OptionalRange => Completion::Nothing,
            OptionValue::File(_) | OptionValue::Similar => Completion::File,
            OptionValue::Choice(_, words) => Completion::Words(words),
            OptionValue::Text(_)
            | OptionValue::Number(_)
            | OptionValue::NumberUpTo(..)
            | OptionValue::Range
            | OptionValue::Hhdb => Completion::Other(1),
            OptionValue::Pair(_) => Completion::Other(2),
        }
    }
}

/// The commands with a name: all but the search.
fn named_commands() -> impl Iterator<Item = &'static CommandSpec> {
    COMMANDS.iter().filter(|command| command.id != CommandId::Search)
}

/// The names of the commands, separated by spaces.
fn command_names() -> String {
    named_commands().map(|command| command.name).collect::<Vec<_>>().join(" ")
}

/// What `babson help` explains and a shell completes: commands and codes of diagnostics.
fn topics() -> String {
    let codes = Code::ALL.iter().map(|code| code.as_str());
    named_commands().map(|command| command.name).chain(codes).collect::<Vec<_>>().join(" ")
}

/// Text for single quotes, with `quote` in place of each quote.
fn single(text: &str, quote: &str) -> String {
    text.replace('\'', quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_in_every_script() {
        for script in [bash::script(), zsh::script(), fish::script(), powershell::script()] {
            for command in COMMANDS {
                assert!(script.contains(command.name));
                for option in command.options() {
                    assert!(script.contains(option.names[0]), "{:?}", option.names);
                }
            }
        }
    }
}
