//! The command line: its table, parser and help.
//!
//! [`table`] has everything about a command or an option in one row.

mod config;
mod error;
mod foreign;
mod help;
mod parser;
mod spec;
mod suggest;
mod table;

use std::ffi::OsString;
use std::path::Path;

use babson::files::is_database_file;

pub(crate) use error::OptionError;
pub(crate) use help::{INTRODUCTION, information, options_named, options_that, page, short_page};
#[cfg(test)]
pub(crate) use parser::parse;
pub(crate) use spec::{
    CommandId, CommandSpec, OperandKind, OptionGroup, OptionId, OptionOwner, OptionSpec,
    OptionValue,
};
pub(crate) use suggest::{nearest, nearest_command, nearest_topic};
pub(crate) use table::{COMMANDS, OPTIONS};

use crate::query_folder::is_folder_of_games;

/// A parsed command line.
#[derive(Debug)]
pub(crate) struct CommandLine {
    pub(crate) command: &'static CommandSpec,
    /// The options: those of the file of default options first, then in the order of the words.
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
        config::add_defaults(&mut line)?;
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
        self.options.extend(inputs.map(|file| ParsedOption {
            id: OptionId::Input,
            name: OptionSpec::of(OptionId::Input).names[0],
            written: String::new(),
            on: true,
            words: Vec::new(),
            file,
            is_default: false,
        }));
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
            let (spec, _) = self.command.option(option.name)?;
            let OptionValue::Choice(_, choices) = spec.value else { return None };
            let word = option.word();
            let is_choice = choices.iter().any(|choice| choice.eq_ignore_ascii_case(word));
            let choices = choices.join(" or ");
            (!is_choice).then(|| format!("--{}: '{word}' is not {choices}", option.written))
        })
    }

    /// The option with this meaning, the last one if there are several.
    pub(crate) fn option(&self, id: OptionId) -> Option<&ParsedOption> {
        self.options.iter().rev().find(|option| option.id == id)
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

/// The options of the search that these words are, as default options: those of a command line
/// override them.
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

/// An option of the command line or of the file of default options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedOption {
    pub(crate) id: OptionId,
    /// Its usual name.
    pub(crate) name: &'static str,
    /// The name that was written, in lower case.
    pub(crate) written: String,
    /// False for the negative form of a switch.
    pub(crate) on: bool,
    /// The texts after it.
    pub(crate) words: Vec<String>,
    /// The name of the file after it; empty if no file belongs to it.
    pub(crate) file: OsString,
    /// Whether it comes from the file of default options.
    pub(crate) is_default: bool,
}

impl ParsedOption {
    /// The first text, or nothing.
    pub(crate) fn word(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// The texts as numbers: one, or the two ends of a range.
    pub(crate) fn range(&self) -> (i64, i64) {
        let number = |index: usize| self.words.get(index).and_then(|word| word.parse().ok());
        let low = number(0).unwrap_or(0);
        (low, number(1).unwrap_or(low))
    }

    /// Whether it decides which parts of a game are written, and in which layout or with which
    /// marks. A game table heeds none of these options.
    pub(crate) fn is_layout(&self) -> bool {
        matches!(
            self.id,
            OptionId::IncludeTags
                | OptionId::ExcludeTags
                | OptionId::CoalesceComments
                | OptionId::CompactComments
                | OptionId::CompactMoves
                | OptionId::CompactVariations
                | OptionId::ElideComments
                | OptionId::ElideNags
                | OptionId::ElideVariations
                | OptionId::MoveNumbers
                | OptionId::NumberAfterComment
                | OptionId::NumberAfterNag
                | OptionId::SplitMoves
                | OptionId::LineWidth
                | OptionId::OutputBuffer
                | OptionId::Marks
                | OptionId::SafeCsv
        )
    }

    /// Whether it is a filter that chooses games by their tags.
    pub(crate) fn chooses_games(&self) -> bool {
        matches!(
            self.id,
            OptionId::Player
                | OptionId::White
                | OptionId::Black
                | OptionId::Event
                | OptionId::Site
                | OptionId::ResultTag
                | OptionId::Year
                | OptionId::Hhdb
        )
    }

    /// Whether it is a filter, so that no query file is needed.
    pub(crate) fn is_filter(&self) -> bool {
        self.chooses_games()
            || matches!(
                self.id,
                OptionId::Cql
                    | OptionId::Fen
                    | OptionId::Wtm
                    | OptionId::Btm
                    | OptionId::VirtualMainLine
                    | OptionId::SimilarPosition
            )
    }
}

#[cfg(test)]
mod tests;
