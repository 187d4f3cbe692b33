//! The command line: its table, parser and help.
//!
//! [`table`] has everything about a command or an option in one row. The parser reads the value of
//! an option once, and [`config_of`] lets each option do to the configuration what its row says.

mod default_options;
mod error;
mod foreign;
mod help;
mod parser;
mod spec;
mod suggest;
mod table;
mod value;

use std::ffi::OsString;
use std::path::Path;

use babson::command::is_database_file;

pub(crate) use error::OptionError;
pub(crate) use help::{INTRODUCTION, information, options_named, options_that, page, short_page};
#[cfg(test)]
pub(crate) use parser::parse;
pub(crate) use spec::{
    CommandId, CommandSpec, OperandKind, OptionGroup, OptionId, OptionOwner, OptionSpec,
};
pub(crate) use suggest::{nearest, nearest_command, nearest_topic};
pub(crate) use table::{COMMANDS, OPTIONS};
pub(crate) use value::{OptionValue, ParsedValue};

use crate::config::{ConfigBuilder, OptionClass, SearchConfig, WrittenOption};
use crate::query_folder::is_folder_of_games;

/// A parsed command line.
#[derive(Debug)]
pub(crate) struct CommandLine {
    pub(crate) command: &'static CommandSpec,
    /// The options: first the default options from the file, then the options of the command line,
    /// in their order.
    pub(crate) options: Vec<ParsedOption>,
    /// The words that are neither options nor belong to one.
    pub(crate) operands: Vec<OsString>,
}

impl CommandLine {
    /// Parses the words after the name of the program, and adds the default options.
    ///
    /// # Errors
    /// A word cannot be parsed or does not belong to the command, or the file of default options
    /// cannot be read.
    pub(crate) fn read(words: Vec<OsString>) -> Result<CommandLine, OptionError> {
        let (command, name_words) = CommandSpec::of_words(&words);
        let line = parser::parse(command, words.into_iter().skip(name_words));
        let mut line = line.map_err(|mistake| OptionError::Usage(mistake.why))?;
        line.name_inputs();
        default_options::add_defaults(&mut line)?;
        Ok(line)
    }

    /// Parses the words of a search, without default options; `None` if they have an error.
    pub(crate) fn of_search(words: &[OsString]) -> Option<CommandLine> {
        let search = CommandSpec::of(CommandId::Search);
        let mut line = parser::parse(search, words.iter().cloned()).ok()?;
        line.name_inputs();
        Some(line)
    }

    /// Makes inputs of the databases and the folders of games among the operands.
    fn name_inputs(&mut self) {
        if !self.command.takes(OptionId::Input) {
            return;
        }
        let is_database = |word: &mut OsString| match Path::new(&*word).is_dir() {
            true => is_folder_of_games(word),
            false => is_database_file(&*word),
        };
        let inputs = self.operands.extract_if(.., is_database);
        self.options.extend(inputs.map(ParsedOption::input));
    }

    /// The configurations that the options set.
    ///
    /// # Errors
    /// The value of an option is not one that it can have, or two options exclude each other.
    pub(crate) fn config(&self) -> Result<SearchConfig, OptionError> {
        config_of(&self.options)
    }

    /// Checks the number of operands.
    ///
    /// # Errors
    /// There are too few or too many.
    pub(crate) fn check_operands(&self) -> Result<(), OptionError> {
        let CommandSpec { operands, .. } = self.command;
        let usage = self.command.usage();
        if let Some(extra) = self.operands.get(operands.most) {
            let extra = extra.to_string_lossy();
            let hint = match operands.kind {
                OperandKind::Texts => " (a text with spaces is put in quotes)",
                OperandKind::Files
                | OperandKind::OneOf(_)
                | OperandKind::Topic
                | OperandKind::Recipe => "",
            };
            return Err(OptionError::Usage(format!(
                "'{extra}' is one word too many{hint}; {usage}"
            )));
        }
        match self.operands.len() < operands.least {
            true => Err(OptionError::Usage(match self.taken_word() {
                Some(why) => format!("{why}; {usage}"),
                None => usage,
            })),
            false => Ok(()),
        }
    }

    /// Why a word after an option, which may be meant as an operand, is not one of its choices.
    fn taken_word(&self) -> Option<String> {
        self.options.iter().filter(|option| !option.is_default).find_map(|option| {
            let OptionValue::Choice(_, choices, _) = &option.row.value else { return None };
            let word = option.word();
            let is_choice = choices.iter().any(|choice| choice.eq_ignore_ascii_case(word));
            let choices = choices.join(" or ");
            (!is_choice).then(|| format!("--{}: '{word}' is not {choices}", option.written))
        })
    }

    /// The option with this meaning, the last one if there are several.
    pub(crate) fn option(&self, id: OptionId) -> Option<&ParsedOption> {
        self.options.iter().rev().find(|option| option.is(id))
    }

    /// Whether there is an option with this meaning.
    pub(crate) fn has(&self, id: OptionId) -> bool {
        self.option(id).is_some()
    }

    /// The operands as texts.
    ///
    /// # Errors
    /// One of them is not UTF-8.
    pub(crate) fn texts(&self) -> Result<Vec<&str>, OptionError> {
        let text = |word: &'_ OsString| format!("'{}' is not UTF-8", word.to_string_lossy());
        let texts = self.operands.iter();
        texts.map(|word| word.to_str().ok_or_else(|| OptionError::Usage(text(word)))).collect()
    }
}

/// Parses words as options of the search. They count as default options, which the options of a
/// command line override.
///
/// # Errors
/// A word cannot be parsed.
pub(crate) fn search_options(
    words: impl IntoIterator<Item = OsString>,
) -> Result<Vec<ParsedOption>, OptionError> {
    let line = parser::parse(CommandSpec::of(CommandId::Search), words);
    let mut options = line.map_err(|mistake| OptionError::Usage(mistake.why))?.options;
    options.iter_mut().for_each(|option| option.is_default = true);
    Ok(options)
}

/// The configurations that these options set, in their order.
///
/// # Errors
/// The value of an option is not one that it can have, or two options exclude each other.
pub(crate) fn config_of(options: &[ParsedOption]) -> Result<SearchConfig, OptionError> {
    let mut config = ConfigBuilder::default();
    for option in options {
        let wrong = |why| OptionError::Usage(format!("--{}: {why}", option.name()));
        config.begin(option.as_written());
        option.value.update(&mut config).map_err(wrong)?;
    }
    config.finish().map_err(OptionError::Usage)
}

/// An option of the command line or of the file of default options.
#[derive(Clone, Debug)]
pub(crate) struct ParsedOption {
    pub(crate) row: &'static OptionSpec,
    /// The name that was written, in lower case.
    pub(crate) written: String,
    /// The words after it, as they were written.
    pub(crate) words: Vec<OsString>,
    value: ParsedValue,
    /// Whether it comes from the file of default options.
    pub(crate) is_default: bool,
}

impl ParsedOption {
    /// The option that names an input.
    pub(crate) fn input(file: OsString) -> ParsedOption {
        ParsedOption {
            row: OptionSpec::of(OptionId::Input),
            written: String::new(),
            words: vec![file.clone()],
            value: ParsedValue::File(file, &table::ADD_INPUT),
            is_default: false,
        }
    }

    /// The option of `babson scan` with this name and these words after it; `None` if there is no
    /// such option, or it cannot have these words.
    pub(crate) fn of_scan(
        written: &str,
        words: impl Iterator<Item = OsString>,
    ) -> Option<ParsedOption> {
        // A value with `=` before it may begin with a hyphen.
        let mut words: Vec<OsString> = words.collect();
        let mut first = OsString::from(format!("--{written}"));
        if !words.is_empty() {
            first.push("=");
            first.push(words.remove(0));
        }
        let words = std::iter::once(first).chain(words);
        let line = parser::parse(CommandSpec::of(CommandId::Scan), words).ok()?;
        let CommandLine { mut options, operands, .. } = line;
        options.pop().filter(|_| options.is_empty() && operands.is_empty())
    }

    /// Its usual name.
    pub(crate) fn name(&self) -> &'static str {
        self.row.names[0]
    }

    /// Whether it has this meaning.
    pub(crate) fn is(&self, id: OptionId) -> bool {
        self.row.is(id)
    }

    /// The first word after it for messages, if it is a text.
    pub(crate) fn word(&self) -> &str {
        self.words.first().and_then(|word| word.to_str()).unwrap_or_default()
    }

    fn as_written(&self) -> WrittenOption {
        // The words that may become texts of a query are UTF-8.
        let words = self.words.iter().map(|word| word.to_string_lossy().into_owned());
        WrittenOption {
            name: self.name(),
            written: self.written.clone(),
            words: words.collect(),
            class: self.row.class,
            is_default: self.is_default,
        }
    }
}

#[cfg(test)]
mod tests;
