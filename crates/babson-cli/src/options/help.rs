//! The help, for the search and for each command.

use super::{
    COMMANDS, CommandId, CommandLine, CommandSpec, OPTIONS, OptionGroup, OptionId, OptionSpec,
    OptionValue,
};

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
        if self.is_switch() {
            let negative: Vec<String> = self.names.iter().map(|n| format!("--no{n}")).collect();
            names.extend(negative);
        }
        names
    }

    /// Its line of help, with its default.
    pub(crate) fn help(&self) -> String {
        match self.default {
            Some(default) => format!("{} (default: {default})", self.help),
            None => self.help.to_owned(),
        }
    }

    /// The option as messages recommend it: its usual name and its line of help.
    pub(crate) fn mention(&self) -> String {
        let name = format!("--{} {}", self.names[0], self.operand());
        format!("`{}`: {}", name.trim_end(), self.help())
    }

    /// The operand, as the help shows it.
    pub(crate) fn operand(&self) -> &'static str {
        match self.value {
            OptionValue::Flag(_) | OptionValue::Switch(_) => "",
            OptionValue::Text(name, _)
            | OptionValue::Choice(name, ..)
            | OptionValue::File(name, _)
            | OptionValue::Pair(name, _) => name,
            OptionValue::Number(..) => "N",
            OptionValue::Range(_) => "LO [HI]",
            OptionValue::OptionalNumber(..) => "[N]",
            OptionValue::OptionalRange(_) => "[LO [HI]]",
            OptionValue::Similar(_) => "FILE",
            OptionValue::Hhdb(_) => "WORDS",
        }
    }
}

/// The page of a command: the text of `babson --help` or `babson COMMAND --help`.
pub(crate) fn page(command: &CommandSpec) -> String {
    if command.id == CommandId::Search {
        return search_page(command);
    }
    let mut text = format!("{}\n\n{}\n", command.usage(), command.help);
    if !command.details.is_empty() {
        text.push_str(&format!("\n{}\n", command.details));
    }
    if command.has_options_of_search() {
        return text + "\noptions: all options of the search (babson --help)\n";
    }
    let entries: String = command.options().map(entry).collect();
    text + "\noptions:\n" + &entries
}

/// The text of `babson -h` and of `babson` alone: examples, the usual options and the names of the
/// commands. The page of a command is short already.
pub(crate) fn short_page(command: &CommandSpec) -> String {
    if command.id != CommandId::Search {
        return page(command);
    }
    let mut text = format!("{INTRODUCTION}\n\n{}\n\n{EXAMPLES}\n", command.usage());
    for option in command.options().filter(|option| option.is_usual) {
        text.push_str(&entry(option));
    }
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    text.push_str(&format!(
        "\ncommands:{}\n\n\
         babson --help has all options, babson help TOPIC explains a command, an option or a word \
         of the\nlanguage.\n",
        names.join(" ")
    ));
    text
}

/// The first things that people want.
const EXAMPLES: &str = "\
examples:
  babson games.pgn --cql mate -o mates.pgn        write the games that end with mate
  babson games.pgn theme.cql --count              count the games that a query file matches
  babson base/ --cql 'player \"Tal\" Qh7' -o tal.csv
                                                  a row for each matching position
";

/// The introduction, the commands, and the options of the search in groups.
fn search_page(search: &CommandSpec) -> String {
    let mut text = overview();
    for group in OptionGroup::ALL {
        let options = search.options().filter(|option| option.group == *group);
        let entries: String = options.map(entry).collect();
        if !entries.is_empty() {
            text.push_str(&format!("\n{}:\n{entries}", group.title()));
        }
    }
    text
}

/// The introduction and the commands.
fn overview() -> String {
    let mut text = format!("{INTRODUCTION}\n\n");
    for command in COMMANDS {
        match command.id == CommandId::Search {
            true => text.push_str(&format!("{}\n", command.usage())),
            false => {
                let usage = format!("       babson {}", command.usage);
                text.push_str(&columns(&usage, 60, command.help));
            }
        }
    }
    text.push_str(
        "\nexample: babson games.pgn mate.cql -o mates.pgn\n\n\
         Options have one hyphen or two, in any case. babson COMMAND --help lists those of a command.\n",
    );
    text
}

/// The entry of an option: one line or two.
fn entry(option: &OptionSpec) -> String {
    let left = format!("{} {}", option.spellings().join(", "), option.operand());
    columns(&format!("  {}", left.trim_end()), 34, &option.help())
}

/// Two columns, on two lines if the left text is wider than `width`.
fn columns(left: &str, width: usize, right: &str) -> String {
    if left.len() > width {
        format!("{left}\n{:<width$} {right}\n", "")
    } else {
        format!("{left:<width$} {right}\n")
    }
}

/// The text of the first option that only asks for a text: `--help`, `--version`, `--license`,
/// `--hhdb help`.
pub(crate) fn information(line: &CommandLine) -> Option<String> {
    line.options.iter().find_map(|option| {
        if option.is(OptionId::Help) && option.written == "h" {
            Some(short_page(line.command))
        } else if option.is(OptionId::Help) {
            Some(page(line.command))
        } else if option.is(OptionId::Version) {
            Some(format!("babson {}\n", env!("CARGO_PKG_VERSION")))
        } else if option.is(OptionId::License) {
            Some("Babson is licensed under MIT or Apache-2.0.\n".to_owned())
        } else if option.is(OptionId::Hhdb) && option.word() == "help" {
            Some(HHDB_HELP.to_owned())
        } else {
            None
        }
    })
}

/// The entries of the options with this name, of any command, each once.
pub(crate) fn options_named(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let mut out = String::new();
    for option in OPTIONS.iter().filter(|option| option.names.contains(&name.as_str())) {
        let commands = COMMANDS.iter().filter(|command| option.commands.contains(&command.id));
        let owners: Vec<&str> = commands.map(CommandSpec::title).collect();
        out.push_str(&format!("{}  (option of {})\n", entry(option), owners.join(", ")));
    }
    if out.is_empty() { None } else { Some(out) }
}

/// The options of the search whose help passes `has_word`.
pub(crate) fn options_that(has_word: impl Fn(&str) -> bool) -> String {
    let options = CommandSpec::of(CommandId::Search).options();
    options.filter(|option| has_word(option.help)).map(entry).collect()
}

/// The keys of `hhdb`, for `--hhdb help`.
const HHDB_HELP: &str = "\
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
