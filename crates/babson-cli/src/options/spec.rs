//! The columns of the table: what a row says of an option or of a command.

use std::ffi::OsString;
use std::fmt;

use super::{COMMANDS, OPTIONS, OptionClass, OptionValue};

/// The search, or a command that the first word of the command line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CommandId {
    /// The command line without the name of a command.
    Search,
    Check,
    Explain,
    Why,
    Profile,
    Plan,
    Scan,
    Merge,
    Pack,
    Serve,
    Lsp,
    Fmt,
    Convert,
    Position,
    Perft,
    Completions,
    Man,
    Cookbook,
    Help,
}

/// The words of a command that are not options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operands {
    pub(crate) least: usize,
    pub(crate) most: usize,
    pub(crate) kind: OperandKind,
}

/// What the operands of a command are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandKind {
    /// Names of files, which need not be UTF-8.
    Files,
    /// Texts.
    Texts,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// The name of a command, of an option, or a word of the language; perhaps several words.
    Topic,
    /// The topic of a recipe, then databases.
    Recipe,
}

/// A row of the table of commands.
pub(crate) struct CommandSpec {
    pub(crate) id: CommandId,
    /// Its first word; empty for the search.
    pub(crate) name: &'static str,
    /// The words after `babson` on the usage line.
    pub(crate) usage: &'static str,
    pub(crate) operands: Operands,
    /// One line.
    pub(crate) help: &'static str,
    /// Sentences for the page of the command.
    pub(crate) details: &'static str,
}

impl CommandSpec {
    /// The row of a command.
    pub(crate) fn of(id: CommandId) -> &'static CommandSpec {
        COMMANDS.iter().find(|command| command.id == id).unwrap_or(&COMMANDS[0])
    }

    /// The command of this name, which is not the search.
    pub(crate) fn named(name: &str) -> Option<&'static CommandSpec> {
        COMMANDS.iter().find(|command| command.name == name && command.id != CommandId::Search)
    }

    /// The command with this title, with or without its article: also the search.
    pub(crate) fn titled(name: &str) -> Option<&'static CommandSpec> {
        let title = |command: &&CommandSpec| command.title().trim_start_matches("the ") == name;
        COMMANDS.iter().find(title)
    }

    /// The command of a command line, and how many words name it.
    pub(super) fn of_words(words: &[OsString]) -> (&'static CommandSpec, usize) {
        match words.first().and_then(|word| CommandSpec::named(word.to_str()?)) {
            Some(command) => (command, 1),
            None => (CommandSpec::of(CommandId::Search), 0),
        }
    }

    /// Its name in sentences.
    pub(crate) fn title(&self) -> &'static str {
        if self.id == CommandId::Search { "the search" } else { self.name }
    }

    /// Its usage line.
    pub(crate) fn usage(&self) -> String {
        format!("usage: babson {}", self.usage)
    }

    /// Whether it takes the options of the search.
    pub(crate) fn has_options_of_search(&self) -> bool {
        self.id == CommandId::Cookbook
    }

    /// The rows of its options, in the order of the help.
    pub(crate) fn options(&self) -> impl Iterator<Item = &'static OptionSpec> {
        let id = if self.has_options_of_search() { CommandId::Search } else { self.id };
        OPTIONS.iter().filter(move |option| option.commands.contains(&id))
    }

    /// Its option of this name, and whether the name is the positive form.
    pub(crate) fn option(&self, name: &str) -> Option<(&'static OptionSpec, bool)> {
        if let Some(option) = self.options().find(|option| option.names.contains(&name)) {
            return Some((option, true));
        }
        let name = name.strip_prefix("no")?.trim_start_matches('-');
        self.options()
            .find(|option| option.is_switch() && option.names.contains(&name))
            .map(|option| (option, false))
    }

    /// Whether the option of this row belongs to it, or one with the same meaning.
    pub(super) fn shares(&self, row: &OptionSpec) -> bool {
        self.options().any(|own| std::ptr::eq(own, row) || row.id.is_some_and(|id| own.is(id)))
    }

    /// Whether an option with this meaning belongs to it.
    pub(crate) fn takes(&self, id: OptionId) -> bool {
        self.options().any(|option| option.is(id))
    }
}

impl fmt::Debug for CommandSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(out)
    }
}

/// A row of the table of options.
#[derive(Debug)]
pub(crate) struct OptionSpec {
    pub(crate) group: OptionGroup,
    pub(crate) owner: OptionOwner,
    /// The commands to which it belongs.
    pub(crate) commands: &'static [CommandId],
    /// The usual name first. All are lower case, without leading hyphens.
    pub(crate) names: &'static [&'static str],
    pub(crate) value: OptionValue,
    /// One line.
    pub(crate) help: &'static str,
    /// The value without the option, where there is one.
    pub(crate) default: Option<&'static str>,
    pub(crate) class: OptionClass,
    /// What the program calls it, if it names the option outside of the table.
    pub(crate) id: Option<OptionId>,
    /// Whether the short help has it.
    pub(crate) is_usual: bool,
}

impl OptionSpec {
    /// The first row with this meaning.
    pub(crate) fn of(id: OptionId) -> &'static OptionSpec {
        OPTIONS.iter().find(|option| option.is(id)).unwrap_or(&OPTIONS[0])
    }

    /// Whether it has this meaning.
    pub(crate) fn is(&self, id: OptionId) -> bool {
        self.id == Some(id)
    }

    /// Whether it has a negative form.
    pub(crate) fn is_switch(&self) -> bool {
        matches!(self.value, OptionValue::Switch(_))
    }

    /// The row with a default value.
    pub(super) const fn default(self, default: &'static str) -> OptionSpec {
        OptionSpec { default: Some(default), ..self }
    }

    pub(super) const fn class(self, class: OptionClass) -> OptionSpec {
        OptionSpec { class, ..self }
    }

    pub(super) const fn id(self, id: OptionId) -> OptionSpec {
        OptionSpec { id: Some(id), ..self }
    }

    /// The row, which the short help has.
    pub(super) const fn usual(self) -> OptionSpec {
        OptionSpec { is_usual: true, ..self }
    }
}

/// The section of an option in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionGroup {
    Files,
    Search,
    Filters,
    Comments,
    Layout,
    Console,
    Convert,
    Debug,
    Command,
    General,
}

impl OptionGroup {
    /// All groups in the order of the help.
    pub(crate) const ALL: &'static [OptionGroup] = &[
        OptionGroup::Files,
        OptionGroup::Search,
        OptionGroup::Filters,
        OptionGroup::Comments,
        OptionGroup::Layout,
        OptionGroup::Console,
        OptionGroup::Convert,
        OptionGroup::Debug,
        OptionGroup::Command,
        OptionGroup::General,
    ];

    /// Its heading.
    pub(crate) fn title(self) -> &'static str {
        match self {
            OptionGroup::Files => "Inputs and outputs",
            OptionGroup::Search => "The search",
            OptionGroup::Filters => "Filters before the query",
            OptionGroup::Comments => "Comments and tags",
            OptionGroup::Layout => "Layout of written games",
            OptionGroup::Console => "Progress and messages",
            OptionGroup::Convert => "Conversions of queries, with the names of CQL 6.2",
            OptionGroup::Debug => "Inspecting a query",
            OptionGroup::Command => "Options of one command",
            OptionGroup::General => "General",
        }
    }
}

/// The programs that have an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionOwner {
    /// CQL 6.2 and CQLi.
    Both,
    /// CQL 6.2.
    Cql6,
    /// CQLi.
    Cqli,
    /// Only Babson.
    Babson,
}

impl OptionOwner {
    /// Its name in the book.
    pub(crate) fn name(self) -> &'static str {
        match self {
            OptionOwner::Both => "CQL 6.2, CQLi",
            OptionOwner::Cql6 => "CQL 6.2",
            OptionOwner::Cqli => "CQLi",
            OptionOwner::Babson => "Babson",
        }
    }
}

/// The options that the program names outside of the table. Two rows with one meaning differ only
/// in their help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub(crate) enum OptionId {
    Input, Output, Append, Rejects, Count, Group, Columns, Compress, Unique, NoClobber, CreateDirectories,
    TableOutput, AppendedTable, Slice, PartOutput, GuiStdout, ExitStatus, Range, Limit, Year, Cql, Dialect, ImportPath, VariantAlias,
    Variations, Hhdb, Color, AnsiColors, NoConfig, Help, Version, License,
}
