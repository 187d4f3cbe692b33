//! `babson completions SHELL`: a script that completes command lines, generated from the table.

mod bash;
mod fish;
mod powershell;
mod zsh;

use babson::diagnostic::Code;
use babson::sink::{COLUMN_FORMS, COLUMNS, GROUP_KEYS};
use babson::text;

use crate::cookbook::Recipe;
use crate::failure::Failure;
use crate::options::{
    COMMANDS, CommandId, CommandLine, CommandSpec, OptionId, OptionSpec, OptionValue,
};
use crate::terminal;

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
#[derive(Clone, PartialEq, Eq)]
enum Completion {
    Nothing,
    File,
    /// One of some words.
    Words(Vec<String>),
    /// Some of these words, with commas between them.
    List(Vec<String>),
    /// A word that only the user knows, or two.
    Other(usize),
}

impl Completion {
    fn of(option: &OptionSpec) -> Completion {
        if option.is(OptionId::Cql) {
            return Completion::Words(words_of_language());
        } else if option.is(OptionId::Columns) {
            return Completion::List(columns());
        } else if option.is(OptionId::Group) {
            let is_key = |name: &String| GROUP_KEYS.iter().any(|key| key.name == name);
            let columns = columns().into_iter().filter(|name| !is_key(name));
            let keys = GROUP_KEYS.iter().map(|key| key.name.to_owned());
            return Completion::List(keys.chain(columns).collect());
        }
        match option.value {
            OptionValue::Flag(_)
            | OptionValue::Switch(_)
            | OptionValue::OptionalNumber(..)
            | OptionValue::OptionalRange(_) => Completion::Nothing,
            OptionValue::File(..) | OptionValue::Similar(_) => Completion::File,
            OptionValue::Choice(_, words, _) => {
                Completion::Words(words.iter().map(|word| (*word).to_owned()).collect())
            }
            OptionValue::Text(..)
            | OptionValue::Number(..)
            | OptionValue::Range(_)
            | OptionValue::Hhdb(_) => Completion::Other(1),
            OptionValue::Pair(..) => Completion::Other(2),
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

/// What `babson help` explains and a shell completes: commands, words of the language and codes of
/// diagnostics.
fn topics() -> String {
    let commands = named_commands().map(|command| command.name.to_owned());
    let codes = Code::ALL.iter().map(|code| code.as_str().to_owned());
    let mut topics: Vec<String> = commands.chain(words_of_language()).chain(codes).collect();
    topics.sort();
    topics.dedup();
    topics.join(" ")
}

/// The topics of `babson cookbook`.
fn recipe_topics() -> String {
    Recipe::topics().join(" ")
}

/// The words of the language that the book explains, if they have only letters and digits.
fn words_of_language() -> Vec<String> {
    let terms = text::entries().flat_map(|entry| entry.terms);
    let words = terms.filter(|term| !term.header).map(|term| term.text);
    let is_word = |word: &String| {
        word.len() > 1
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let mut words: Vec<String> = words.filter(is_word).collect();
    words.sort();
    words.dedup();
    words
}

/// The columns. A column whose name the user completes has only its beginning: `tag:`.
fn columns() -> Vec<String> {
    let names = COLUMNS.iter().map(|column| column.name);
    let forms = COLUMN_FORMS.iter().filter_map(|form| form.name.split_inclusive(':').next());
    names.chain(forms).map(str::to_owned).collect()
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
