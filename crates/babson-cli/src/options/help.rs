//! The help, and the commands, which the manual page and the book share with it.

use super::{OPTIONS, OptionGroup, OptionId, OptionSpec, OptionValue};

/// A command: a first word such as `check`.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    pub(crate) usage: &'static str,
    pub(crate) help: &'static str,
    /// Options of this command only, or with another meaning than for a search, with their help.
    pub(crate) own: &'static [(&'static str, &'static str)],
    /// Options that it shares with the search.
    takes: &'static [OptionId],
}

/// The commands, in the order of the help.
#[rustfmt::skip]
pub(crate) const COMMANDS: &[Command] = &[
    Command { name: "check", usage: "check FILE...", help: "diagnostics of queries; nothing is run",
        own: &[], takes: &[OptionId::Cql, OptionId::Dialect, OptionId::VariantAlias, OptionId::Secure, OptionId::Color] },
    Command { name: "explain", usage: "explain FILE [--json]", help: "what a query is compiled to",
        own: &[("--json", "one JSON object a query")], takes: &[OptionId::Cql, OptionId::Dialect, OptionId::VariantAlias, OptionId::Secure, OptionId::Color] },
    Command { name: "profile", usage: "profile FILE -i DB", help: "evaluations, matches and time of every filter",
        own: &[], takes: &[OptionId::Input, OptionId::Cql, OptionId::Range, OptionId::Variations, OptionId::Dialect, OptionId::VariantAlias, OptionId::Steps, OptionId::Secure, OptionId::Color] },
    Command { name: "fmt", usage: "fmt FILE... [--check]", help: "put queries into one style, in place; - for stdin",
        own: &[("--check", "write nothing, name the files that would change; then the exit code is 1")],
        takes: &[OptionId::Dialect, OptionId::Secure, OptionId::Color] },
    Command { name: "convert", usage: "convert --to ascii|unicode|modern FILE", help: "the other spelling of a query; CQL 3 to modern",
        own: &[("--to SPELLING", "ascii, unicode, or modern for a query of CQL 3"),
            ("-o, --output FILE", "where the converted query is written (default: stdout)")],
        takes: &[OptionId::Dialect, OptionId::Secure, OptionId::Color] },
    Command { name: "position", usage: "position FEN [--cql FILTERS] [--json]", help: "look at one position; - for a FEN a line",
        own: &[("--legal", "is it legal?"), ("--reachable", "can it occur in a game, and if not, why?"),
            ("--reverse", "the positions one move before"), ("--json", "one JSON object a position")],
        takes: &[OptionId::Cql, OptionId::Dialect, OptionId::Steps, OptionId::Secure, OptionId::Color] },
    Command { name: "perft", usage: "perft [FEN] DEPTH [--divide]", help: "count moves",
        own: &[("--variant NAME", "the rules of a variant of chess"), ("--divide", "a line for each first move")], takes: &[] },
    Command { name: "completions", usage: "completions bash|zsh|fish|powershell", help: "a script for the shell",
        own: &[], takes: &[] },
    Command { name: "man", usage: "man", help: "the manual page",
        own: &[("--markdown", "the tables of options, as the book has them")], takes: &[] },
];

impl Command {
    /// Whether the command of this name shares an option with the search.
    pub(crate) fn takes(name: &str, id: OptionId) -> bool {
        let command = COMMANDS.iter().find(|command| command.name == name);
        command.is_some_and(|command| command.takes.contains(&id))
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
        text.push_str(&format!("{usage:<56} {}\n", command.help));
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
    if left.len() > 32 {
        format!("  {left}\n{:<35}{help}\n", "")
    } else {
        format!("  {left:<32} {help}\n")
    }
}

/// The text of `babson COMMAND --help`, if the words are such a command line.
pub(crate) fn command_help(words: &[String]) -> Option<String> {
    let (name, rest) = words.split_first()?;
    let command = COMMANDS.iter().find(|command| command.name == name)?;
    let mut options = rest.iter().take_while(|word| *word != "--");
    options.find(|word| {
        ["-h", "--h", "-help", "--help"].contains(&word.to_ascii_lowercase().as_str())
    })?;
    let mut text = format!("usage: babson {}\n\n{}\n", command.usage, command.help);
    let own = command.own.iter().map(|(left, help)| line(left, help));
    let shared = command.takes.iter().filter_map(|id| {
        let option = OPTIONS.iter().find(|option| option.id == *id);
        option.map(entry)
    });
    let entries: String = own.chain(shared).collect();
    if !entries.is_empty() {
        text.push_str(&format!("\noptions:\n{entries}"));
    }
    Some(text)
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
