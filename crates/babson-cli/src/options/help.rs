//! What is said about the options: help, and the parts that man page and book share with it.

use super::{Group, OPTIONS, Opt, Value};

/// A command: a word before the options.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    pub(crate) usage: &'static str,
    pub(crate) help: &'static str,
}

/// The commands, in the order of the help.
#[rustfmt::skip]
pub(crate) const COMMANDS: &[Command] = &[
    Command { name: "check", usage: "check FILE...", help: "diagnostics of queries; nothing is run" },
    Command { name: "explain", usage: "explain FILE [--json]", help: "what a query is compiled to" },
    Command { name: "profile", usage: "profile FILE -i DB", help: "evaluations, matches and time of every filter" },
    Command { name: "fmt", usage: "fmt FILE... [--check]", help: "put queries into one style, in place; - for stdin" },
    Command { name: "convert", usage: "convert --to ascii|unicode|modern FILE", help: "the other spelling of a query; CQL 3 to modern" },
    Command { name: "position", usage: "position FEN [--cql FILTERS] [--json]", help: "look at one position; - for a FEN a line" },
    Command { name: "perft", usage: "perft [FEN] DEPTH [--divide]", help: "count moves" },
    Command { name: "completions", usage: "completions bash|zsh|fish|powershell", help: "a script for the shell" },
    Command { name: "man", usage: "man", help: "the manual page" },
];

pub(crate) const INTRODUCTION: &str =
    "Babson searches chess games with CQL, the Chess Query Language.";

impl Opt {
    /// All names with their hyphens, short ones first; of a switch also the negative one.
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
        if self.value == Value::Switch {
            let negative: Vec<String> = self.names.iter().map(|n| format!("--no{n}")).collect();
            names.extend(negative);
        }
        names
    }

    /// What follows it, as the help shows it.
    pub(crate) fn operand(&self) -> &'static str {
        match self.value {
            Value::None | Value::Switch => "",
            Value::Word(name) | Value::Pair(name) => name,
            Value::Number(_) => "N",
            Value::Range => "LO [HI]",
            Value::OptionalRange => "[LO [HI]]",
            Value::Similar => "FILE",
            Value::Hhdb => "WORDS",
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
    for group in Group::ALL {
        text.push_str(&format!("\n{}:\n", group.title()));
        for option in OPTIONS.iter().filter(|option| option.group == *group) {
            let left = format!("  {} {}", option.spellings().join(", "), option.operand());
            let left = left.trim_end();
            if left.len() > 34 {
                text.push_str(&format!("{left}\n{:<35}{}\n", "", option.help));
            } else {
                text.push_str(&format!("{left:<34} {}\n", option.help));
            }
        }
    }
    text
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
