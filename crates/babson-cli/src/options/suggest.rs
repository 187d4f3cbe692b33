//! The messages for words that name no option and no command, with the nearest name.

use babson::Query;

use super::foreign;
use super::spec::CommandId;
use super::{COMMANDS, CommandSpec, OPTIONS, OptionId, OptionSpec};

/// The message for an option that the command does not have: the commands that do, or the nearest
/// name of an option that it does have. `next` is the word after it.
pub(super) fn unknown_option(
    command: &CommandSpec,
    word: &str,
    name: &str,
    next: Option<&str>,
) -> String {
    let is_server = command.id == CommandId::Serve;
    let has_lines = is_server || command.id == CommandId::Search || command.has_options_of_search();
    let foreign = has_lines.then(|| foreign::instead(command, name, word, next)).flatten();
    // These commands have databases as operands.
    let is_input = matches!(command.id, CommandId::Pack | CommandId::Plan | CommandId::Serve)
        && OptionSpec::of(OptionId::Input).names.contains(&name);
    let mut owners: Vec<&str> = Vec::new();
    for other in COMMANDS.iter().filter(|other| other.option(name).is_some()) {
        owners.push(other.title());
    }
    if let Some((last, before)) = owners.split_last() {
        let before = if before.is_empty() { String::new() } else { before.join(", ") + " and " };
        let command = match command.id == CommandId::Search {
            true => "the search".to_owned(),
            false => format!("babson {}", command.name),
        };
        let hint = match foreign {
            Some(line) if is_server => format!("; {line}"),
            Some(line) => format!("; for the search {line}"),
            None if is_input => "; name the databases without it".to_owned(),
            None => String::new(),
        };
        return format!("{command} does not take {word}: it is an option of {before}{last}{hint}");
    }
    if let Some(line) = foreign {
        return format!("unknown option {word}: {line}");
    }
    match nearest_option(command, name) {
        Some(known) => format!("unknown option {word}; did you mean --{known}?"),
        None if command.takes(OptionId::Cql) && Query::compile(name).is_ok() => {
            format!("unknown option {word}: `{name}` is a filter: write `--cql {name}`")
        }
        None => format!("unknown option {word}; see {}", help_of(command)),
    }
}

/// The command line that prints the help of a command.
pub(super) fn help_of(command: &CommandSpec) -> String {
    match command.id == CommandId::Search {
        true => "babson --help".to_owned(),
        false => format!("babson {} --help", command.name),
    }
}

/// The name of the command that a word probably misspells.
pub(crate) fn nearest_command(word: &str) -> Option<&'static str> {
    nearest(word, COMMANDS.iter().map(|command| command.name))
}

/// The name of the command, option or word of the language that a word probably misspells.
pub(crate) fn nearest_topic(word: &str) -> Option<String> {
    let terms = babson::text::entries().flat_map(|entry| entry.terms);
    let terms: Vec<String> = terms.filter(|term| !term.header).map(|term| term.text).collect();
    let command = nearest_command(word).map(str::to_owned);
    let option = || nearest_option(CommandSpec::of(CommandId::Search), word);
    let functions = babson::imports::library_functions().map(|function| function.name);
    let known = terms.iter().map(String::as_str).chain(functions);
    let term = || nearest(word, known).map(str::to_owned);
    command.or_else(term).or_else(|| option().map(|name| format!("--{name}")))
}

/// The name of the option of a command that a word probably misspells.
fn nearest_option(command: &CommandSpec, word: &str) -> Option<&'static str> {
    nearest(word, command.options().flat_map(|option| option.names.iter().copied()))
}

/// The name that a word probably misspells.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = match word.len() {
        0..=2 => return None,
        3..=4 => 1,
        _ => 2,
    };
    // A long word is not compared with anything.
    let near = names.filter(|name| name.len() > 2 && name.len().abs_diff(word.len()) <= limit);
    let nearest = near.map(|name| (distance(word, name), name)).min();
    nearest.filter(|(distance, _)| *distance <= limit).map(|(_, name)| name)
}

/// Whether any command has an option of this name.
pub(super) fn is_option(name: &str) -> bool {
    OPTIONS.iter().any(|option| option.names.contains(&name))
}

/// The number of letters to change, add or drop, and of neighbors to swap, between two words.
fn distance(one: &str, two: &str) -> usize {
    let (one, two) = (one.as_bytes(), two.as_bytes());
    // The rows of the last two letters of `one`.
    let mut before = Vec::new();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in two.iter().enumerate() {
            let mut least = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *a == two[j - 1] && one[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[two.len()]
}
