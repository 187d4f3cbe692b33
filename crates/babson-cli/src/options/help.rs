//! The help, and the commands, which the manual page and the book share with it.

use super::{OPTIONS, OptionGroup, OptionId, OptionSpec, OptionValue, distance};

/// A command: a first word such as `check`.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    pub(crate) usage: &'static str,
    pub(crate) help: &'static str,
    /// Options of this command only, or with another meaning than for a search, with their help.
    pub(crate) own: &'static [(&'static str, &'static str)],
    /// Options that it shares with the search. The help in `own` replaces that of the search.
    takes: &'static [OptionId],
}

/// The commands, in the order of the help.
#[rustfmt::skip]
pub(crate) const COMMANDS: &[Command] = &[
    Command { name: "check", usage: "check [QUERY...] [--cql FILTERS]", help: "diagnostics of queries; nothing is run",
        own: &[], takes: &[OptionId::Cql, OptionId::Dialect, OptionId::VariantAlias, OptionId::Secure, OptionId::Color] },
    Command { name: "explain", usage: "explain [QUERY...] [--cql FILTERS] [--json]", help: "what a query is compiled to",
        own: &[("--json", "one JSON object for each query")], takes: &[OptionId::Cql, OptionId::Dialect, OptionId::VariantAlias, OptionId::Secure, OptionId::Color] },
    Command { name: "profile", usage: "profile [QUERY] [--cql FILTERS] -i FILE", help: "evaluations, matches and time of every filter",
        own: &[], takes: &[OptionId::Input, OptionId::Cql, OptionId::Range, OptionId::Variations, OptionId::Dialect, OptionId::VariantAlias, OptionId::Steps, OptionId::Secure, OptionId::Color] },
    Command { name: "fmt", usage: "fmt QUERY... [--check]", help: "put queries into one style, in place; the QUERY - is standard input",
        own: &[("--check", "write nothing, name the files that would change; then the exit code is 1")],
        takes: &[OptionId::Dialect, OptionId::Secure, OptionId::Color] },
    Command { name: "convert", usage: "convert --to ascii|unicode|modern QUERY [-o FILE]", help: "the other spelling of a query; CQL 3 to modern",
        own: &[("--to SPELLING", "ascii, unicode, or modern for a query of CQL 3"),
            ("-o, --output FILE", "where the converted query is written (default: stdout)")],
        takes: &[OptionId::Dialect, OptionId::Secure, OptionId::Color] },
    Command { name: "position", usage: "position FEN [--cql FILTERS] [--legal] [--reachable] [--reverse] [--json]",
        help: "draw one position and evaluate filters on it; the FEN - reads one FEN from each line of standard input",
        own: &[("--cql FILTERS", "filters to evaluate on the position; repeatable"),
            ("--legal", "is it legal?"), ("--reachable", "can it occur in a game, and if not, why?"),
            ("--reverse", "the positions one move before"), ("--json", "one JSON object for each position")],
        takes: &[OptionId::Cql, OptionId::Dialect, OptionId::Steps, OptionId::Secure, OptionId::Color] },
    Command { name: "perft", usage: "perft [FEN] DEPTH [--variant NAME] [--divide]", help: "count moves",
        own: &[("--variant NAME", "the rules of a variant of chess"), ("--divide", "a line for each first move")], takes: &[] },
    Command { name: "completions", usage: "completions bash|zsh|fish|powershell", help: "a script for the shell",
        own: &[], takes: &[] },
    Command { name: "man", usage: "man", help: "the manual page",
        own: &[("--markdown", "the tables of options, as the book has them")], takes: &[] },
    Command { name: "help", usage: "help [COMMAND]", help: "the help of babson or of a command",
        own: &[], takes: &[] },
];

impl Command {
    /// The command of this name.
    fn named(name: &str) -> Option<&'static Command> {
        COMMANDS.iter().find(|command| command.name == name)
    }

    /// The usage line of the command of this name.
    pub(crate) fn usage(name: &str) -> String {
        let usage = Command::named(name).map_or("COMMAND", |command| command.usage);
        format!("usage: babson {usage}")
    }

    /// The name of the command that a word probably misspells.
    pub(crate) fn nearest(word: &str) -> Option<&'static str> {
        let limit = match word.len() {
            0..=2 => return None,
            3..=4 => 1,
            _ => 2,
        };
        // A long word is not compared with anything.
        let near =
            COMMANDS.iter().filter(|command| command.name.len().abs_diff(word.len()) <= limit);
        let nearest = near.map(|command| (distance(word, command.name), command.name)).min();
        nearest.filter(|(distance, _)| *distance <= limit).map(|(_, name)| name)
    }

    /// Whether the command of this name shares an option with the search.
    pub(crate) fn takes(name: &str, id: OptionId) -> bool {
        Command::named(name).is_some_and(|command| command.takes.contains(&id))
    }

    /// The text of `babson COMMAND --help`.
    fn page(&self) -> String {
        let mut text = format!("{}\n\n{}\n", Command::usage(self.name), self.help);
        let own = self.own.iter().map(|(left, help)| line(left, help));
        let shared = self.takes.iter().filter_map(|id| {
            let option = OPTIONS.iter().find(|option| option.id == *id)?;
            let name = format!("--{} ", option.names[0]);
            let is_own = self.own.iter().any(|(left, _)| left.starts_with(&name));
            (!is_own).then(|| entry(option))
        });
        let entries: String = own.chain(shared).collect();
        if !entries.is_empty() {
            text.push_str(&format!("\noptions:\n{entries}"));
        }
        text
    }
}

pub(crate) const INTRODUCTION: &str =
    "Babson searches chess games with CQL, the Chess Query Language.";

impl OptionSpec {
    /// All names with their hyphens, short ones first. A switch also has its negative names.
    pub(crate) fn spellings(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .names
            .iter()
            .map(|name| match name.len() {
                1 => format!("-{name}"),
                _ => format!("--{name}"),
            })
            .collect();
        names.sort_by_key(String::len);
        if self.value == OptionValue::Switch {
            let negative: Vec<String> = self.names.iter().map(|n| format!("--no{n}")).collect();
            names.extend(negative);
        }
        names
    }

    /// The operand, as the help shows it.
    pub(crate) fn operand(&self) -> &'static str {
        match self.value {
            OptionValue::None | OptionValue::Switch => "",
            OptionValue::Word(name) | OptionValue::Pair(name) => name,
            OptionValue::Number(_) => "N",
            OptionValue::Range => "LO [HI]",
            OptionValue::OptionalRange => "[LO [HI]]",
            OptionValue::Similar => "FILE",
            OptionValue::Hhdb => "WORDS",
        }
    }
}

/// The text of `--help`.
pub(crate) fn help() -> String {
    let mut text = format!("{INTRODUCTION}\n\nusage: babson [OPTIONS] QUERY.cql...\n");
    for command in COMMANDS {
        let usage = format!("       babson {}", command.usage);
        text.push_str(&columns(&usage, 60, command.help));
    }
    text.push_str(
        "\nexample: babson -i games.pgn -o mates.pgn mate.cql\n\n\
         Options have one hyphen or two, in any case.\n",
    );
    for group in OptionGroup::ALL {
        text.push_str(&format!("\n{}:\n", group.title()));
        for option in OPTIONS.iter().filter(|option| option.group == *group) {
            text.push_str(&entry(option));
        }
    }
    text
}

/// The entry of an option: one line or two.
fn entry(option: &OptionSpec) -> String {
    let left = format!("{} {}", option.spellings().join(", "), option.operand());
    line(left.trim_end(), option.help)
}

fn line(left: &str, help: &str) -> String {
    columns(&format!("  {left}"), 34, help)
}

/// Two columns, on two lines if the left text is wider than `width`.
fn columns(left: &str, width: usize, right: &str) -> String {
    if left.len() > width {
        format!("{left}\n{:<width$} {right}\n", "")
    } else {
        format!("{left:<width$} {right}\n")
    }
}

/// The text of `babson COMMAND --help`, if the words are such a command line.
pub(crate) fn command_help(words: &[String]) -> Option<String> {
    let (name, rest) = words.split_first()?;
    let command = Command::named(name)?;
    let mut options = rest.iter().take_while(|word| *word != "--");
    options.find(|word| {
        ["-h", "--h", "-help", "--help"].contains(&word.to_ascii_lowercase().as_str())
    })?;
    Some(command.page())
}

/// The text of `babson help [COMMAND]`.
///
/// # Errors
/// The word is not a command, or there are several words.
pub(crate) fn help_command(words: &[String]) -> Result<String, String> {
    let word = match words {
        [] => return Ok(help()),
        [word] => word,
        _ => return Err(Command::usage("help")),
    };
    match Command::named(word) {
        Some(command) => Ok(command.page()),
        None => Err(match Command::nearest(word) {
            Some(near) => format!("'{word}' is not a command; did you mean {near}?"),
            None => format!("'{word}' is not a command; see babson --help"),
        }),
    }
}

/// The keys of `hhdb`, for `--hhdb help`.
pub(crate) const HHDB_HELP: &str = "\
--hhdb WORDS adds the filter `hhdb WORDS`: quote several words, as in --hhdb 'special prize'.

keys of White, Black and Event:
  (c) correction, (m) modification, (s) corrected_solution, (v) version, AN anticipation,
  CR colors_reversed, MC too_many_composers, PH posthumous, TE theoretical_ending, TT theme_tourney,
  TW twin, U1 dual_at_move_1, U2 dual_after_move_1, U3 white_fails, U4 white_wins_in_draw, U5 unreachable
marks in comments: <cook> <eg> <main> <minor_dual> <or>
verdicts: cooked, dual, sound, unsound; mainline and variation need --variations
texts: composer, diagram, egdiagram, firstcomment, search, stipulation,
  gbr, gbr material, gbr pieces, gbr pawns, gbr kings
tourneys: distinction, tourney_edition, tourney_name, tourney_year, tourney_year_end, tourney_year_part
awards: [max] [special|nonspecial] [sort|sortable] [award|prize|hm|commendation], in any order
";
