//! Words of the command line that are neither a file nor a command: what they are, and the line
//! that was meant.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use babson::Query;
use babson::command::terminal::Shown;
use babson::command::{is_foreign_name, is_remote_name, may_be_database_name};
use babson::sink::{Columns, FileFormat, GroupKeys};
use babson::text::leading_fen;

use crate::failure::Failure;
use crate::options::{
    self, CommandId, CommandLine, CommandSpec, OperandKind, OptionId, ParsedOption, nearest,
    nearest_command,
};
use crate::query::with_extension;
use crate::query_folder::is_query_file;
use crate::shell_word::shell_word;
use crate::terminal;

/// A row: names that other programs have for a command, the command, and the options that a search
/// needs for the same. If the command takes no databases, the search is meant where one is named.
type ForeignCommand = (&'static [&'static str], CommandId, &'static [&'static str]);

const FOREIGN_COMMANDS: &[ForeignCommand] = &[
    (
        &["search", "find", "grep", "query", "scout", "run", "match", "filter", "select"],
        CommandId::Search,
        &[],
    ),
    (&["count"], CommandId::Search, &["--count"]),
    (&["report"], CommandId::Search, &["-o", "found.html"]),
    (&["list"], CommandId::Search, &["-o", "found.csv"]),
    (&["unpack"], CommandId::Search, &["-o", "back.pgn"]),
    (&["make", "import", "build"], CommandId::Pack, &[]),
    (&["format"], CommandId::Fmt, &[]),
    (&["lint", "validate"], CommandId::Check, &[]),
    (&["board", "show", "view"], CommandId::Position, &["-o", "-", "--silent"]),
];

/// Words between those that mean something: `mate in games.pgn`.
const FILLERS: [&str; 4] = ["by", "from", "in", "of"];

/// The options that take a number, with what it is then.
const NUMBERS: [(OptionId, &str, &str); 3] = [
    (OptionId::Range, "-g", "game {} is"),
    (OptionId::Limit, "--limit", "the first {} matches"),
    (OptionId::Year, "--year", "the year"),
];

/// The failure for a first word that is not a query, but is what another program calls a command,
/// or is close to the name of a command or of an option.
pub(crate) fn misspelled_command(words: &[OsString]) -> Option<Failure> {
    let (first, rest) = words.split_first()?;
    let word = first.to_str()?;
    if word.starts_with('-') || CommandSpec::named(word).is_some() || names_file(first) {
        return None;
    }
    let foreign = |name: &str| FOREIGN_COMMANDS.iter().find(|(names, ..)| names.contains(&name));
    if let Some(row) = foreign(word) {
        return Some(other_command(&format!("'{word}' is not a command"), row, rest));
    }
    if is_query(word) {
        return None;
    }
    let head = format!("'{word}' is neither a command nor a query");
    let did_you_mean = |meant: &str| Failure::Usage(format!("{head}; did you mean {meant}?"));
    if let Some(command) = nearest_command(word) {
        return Some(did_you_mean(&format!("babson {command}")));
    }
    let names = FOREIGN_COMMANDS.iter().flat_map(|(names, ..)| names.iter().copied());
    let options = CommandSpec::of(CommandId::Search).options();
    let options = options.flat_map(|option| option.names.iter().copied());
    let near = nearest(word, names.chain(options))?;
    Some(match foreign(near) {
        Some(row) => other_command(&head, row, rest),
        None => did_you_mean(&format!("--{near}")),
    })
}

/// The failure for a word that stands for the command of this row by mistake, with the words after
/// it.
fn other_command(head: &str, row: &ForeignCommand, rest: &[OsString]) -> Failure {
    let (_, command, added) = row;
    let command = CommandSpec::of(*command);
    let line = CommandLine::of_search(rest);
    let has_games = line.as_ref().is_some_and(|line| line.has(OptionId::Input));
    let is_search = command.id == CommandId::Search
        || has_games && !command.takes(OptionId::Input) && !added.is_empty();
    if !is_search {
        return Failure::Usage(format!("{head}; did you mean babson {}?", command.name));
    }
    let line = line.and_then(|mut line| {
        let added = options::search_options(added.iter().map(OsString::from)).ok()?;
        for mut option in added {
            if !line.options.iter().any(|own| std::ptr::eq(own.row, option.row)) {
                option.is_default = false;
                line.options.push(option);
            }
        }
        Some(meant(&line))
    });
    let write = line.map_or(String::new(), |line| format!(": write `{line}`"));
    Failure::Usage(format!("{head}; babson searches without a command{write}"))
}

/// The failure for an operand or an input that is not a file, if it is plain what it is.
pub(crate) fn misplaced(line: &CommandLine) -> Option<Failure> {
    if !matches!(line.command.operands.kind, OperandKind::Files | OperandKind::Recipe) {
        return None;
    }
    let inputs = line.options.iter().filter(|option| option.is(OptionId::Input));
    let mut files = inputs.flat_map(|option| &option.words).chain(&line.operands);
    let is_read = |word: &OsStr| cfg!(feature = "remote") && is_remote_name(Path::new(word));
    if let Some(url) = files.find(|word| is_url(word) && !is_read(word) && !names_file(word)) {
        let why = match is_remote_name(Path::new(url)) {
            true => "this program was built without the feature remote, which reads URLs",
            false => "Babson reads files",
        };
        return Some(Failure::Usage(format!(
            "'{}' is a URL, and {why}: download it first, for instance with curl -LO {}",
            Shown(&url.to_string_lossy()),
            shell_word(url)
        )));
    }
    if let Some(failure) = several_columns(line) {
        return Some(failure);
    }
    // The operand of the cookbook is a topic.
    if !line.command.takes(OptionId::Cql) || line.command.has_options_of_search() {
        return None;
    }
    let found = pieces(line).into_iter().filter_map(|(_, found)| found);
    let found = found.min_by_key(Misplaced::rank)?;
    let command = line.command;
    let line = meant(line);
    Some(Failure::Usage(match found {
        Misplaced::Number(number) => {
            format!("'{number}' is not a file; {}", numbers(command, number).join(", "))
        }
        Misplaced::Fen { fen, .. } => format!(
            "'{}' is a FEN, not a file: write `{line}`, or `babson position {}` for the \
             position alone",
            Shown(&fen),
            shell_word(fen.as_ref())
        ),
        Misplaced::Query(text) => {
            let text = Shown(text);
            format!("'{text}' is not a file; for a query on the command line write `{line}`")
        }
        Misplaced::Group(key) => {
            format!("'by {}' is not a file; for a row for each value write `{line}`", Shown(key))
        }
        Misplaced::Filler(word) => format!("'{word}' is not a file: write `{line}`"),
    }))
}

/// What this number may be on the command line of a command: the option for each.
fn numbers(command: &CommandSpec, number: &str) -> Vec<String> {
    let fits = |id: OptionId, option: &str| {
        let words = [option, number].map(OsString::from);
        command.takes(id) && options::search_options(words).is_ok()
    };
    let rows = NUMBERS.iter().filter(|(id, option, _)| fits(*id, option));
    let told =
        rows.map(|(_, option, what)| format!("{} `{option} {number}`", what.replace("{}", number)));
    told.collect()
}

/// The failure for columns after the first one of `--columns`, which are operands: `--columns white
/// black`.
fn several_columns(line: &CommandLine) -> Option<Failure> {
    let option = line.options.iter().find(|option| option.is(OptionId::Columns))?;
    let is_column = |word: &&str| !names_file(word.as_ref()) && Columns::parse(word).is_ok();
    let more: Vec<&str> =
        line.operands.iter().filter_map(|word| word.to_str()).filter(is_column).collect();
    let (columns, commas) = (option.word(), more.join(","));
    let message = format!("the columns are one word: `--columns {columns},{commas}`");
    (!more.is_empty()).then_some(Failure::Usage(message))
}

/// What an operand is that names no file.
enum Misplaced<'l> {
    /// A FEN, perhaps in several operands.
    Fen {
        fen: String,
        operands: usize,
    },
    Query(&'l str),
    /// A number, which some option of the command takes.
    Number(&'l str),
    /// A key of `--group` after the word `by`.
    Group(&'l str),
    /// A word that means nothing.
    Filler(&'l str),
}

/// The operands, each with what it is if it names no file.
fn pieces(line: &CommandLine) -> Vec<(&OsString, Option<Misplaced<'_>>)> {
    let mut pieces = Vec::new();
    let mut rest = line.operands.as_slice();
    while let Some(first) = rest.first() {
        let piece = Misplaced::of(line, rest);
        let taken = piece.as_ref().map_or(1, Misplaced::operands);
        pieces.push((first, piece));
        rest = rest.get(taken..).unwrap_or_default();
    }
    pieces
}

impl Misplaced<'_> {
    /// How many operands it is.
    fn operands(&self) -> usize {
        match self {
            Misplaced::Fen { operands, .. } => *operands,
            Misplaced::Group(_) => 2,
            Misplaced::Query(_) | Misplaced::Number(_) | Misplaced::Filler(_) => 1,
        }
    }

    /// Its rank among several, with the one that needs an answer first.
    fn rank(&self) -> u8 {
        match self {
            Misplaced::Number(_) => 0,
            Misplaced::Fen { .. } | Misplaced::Query(_) => 1,
            Misplaced::Group(_) => 2,
            Misplaced::Filler(_) => 3,
        }
    }

    /// What the first of these operands of a line is, if it is a text and not a file.
    fn of<'l>(line: &'l CommandLine, operands: &'l [OsString]) -> Option<Misplaced<'l>> {
        let first = operands.first()?;
        let word = first.to_str()?;
        if word == "-" || names_file(first) {
            return None;
        }
        let command = line.command;
        if FILLERS.contains(&word) && command.takes(OptionId::Input) {
            let key = operands.get(1).filter(|key| !names_file(key)).and_then(|key| key.to_str());
            let is_key = |key: &&str| {
                let is_free = command.takes(OptionId::Group) && !line.has(OptionId::Group);
                word == "by" && is_free && GroupKeys::parse(key).is_ok()
            };
            return Some(key.filter(is_key).map_or(Misplaced::Filler(word), Misplaced::Group));
        }
        if word.bytes().all(|byte| byte.is_ascii_digit()) && !numbers(command, word).is_empty() {
            return Some(Misplaced::Number(word));
        }
        let texts: Vec<&str> = operands.iter().map_while(|word| word.to_str()).collect();
        let joined = texts.join(" ");
        if let Some(fen) = leading_fen(&joined) {
            let ends = texts.iter().scan(0, |end, text| {
                *end += text.len() + 1;
                Some(*end)
            });
            let operands = 1 + ends.take_while(|end| *end < fen.len()).count();
            return Some(Misplaced::Fen { fen: fen.to_owned(), operands });
        }
        let path = Path::new(word);
        let has_ending = may_be_database_name(path)
            || is_foreign_name(path)
            || FileFormat::of_name(word).is_some()
            || is_query_file(path);
        // Words with spaces are hardly the name of a file that is missing.
        let has_words = word.contains(char::is_whitespace) && !word.contains(['/', '\\']);
        (!has_ending && (has_words || is_query(word))).then_some(Misplaced::Query(word))
    }
}

/// The command line with `--cql` before what is a query, and with the games first. Words that mean
/// nothing are left out, and a search without a query finds all games.
fn meant(line: &CommandLine) -> String {
    let (mut files, mut filters, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let pieces = pieces(line);
    // A table of groups has the numbers of games.
    let has_group = pieces.iter().any(|(_, piece)| matches!(piece, Some(Misplaced::Group(_))));
    for option in line.options.iter().filter(|option| !option.is_default) {
        if option.is(OptionId::Input) {
            files.extend(option.words.iter().map(|file| shell_word(file)));
        } else if !option.is(OptionId::Count) || !has_group {
            others.extend(option_words(option));
        }
    }
    let takes_games = line.command.takes(OptionId::Input);
    if files.is_empty() && takes_games && !terminal::stdin_is_redirected() {
        files.push("GAMES.pgn".to_owned());
    }
    let mut has_query = line.options.iter().any(|option| option.row.class.is_filter());
    let mut filter = |text: &str| {
        filters.extend(["--cql".to_owned(), shell_word(text.as_ref())]);
    };
    for (word, piece) in pieces {
        match piece {
            Some(Misplaced::Fen { fen, .. }) => {
                filter(&format!("fen \"{fen}\""));
                has_query = true;
            }
            Some(Misplaced::Query(text)) => {
                filter(text);
                has_query = true;
            }
            Some(Misplaced::Number(number)) => {
                others.extend(["-g".to_owned(), number.to_owned()]);
            }
            Some(Misplaced::Group(key)) => {
                others.extend(["--group".to_owned(), shell_word(key.as_ref())]);
            }
            Some(Misplaced::Filler(_)) => {}
            None => {
                // `babson explain mate games.pgn`
                let is_query = !may_be_database_name(Path::new(word));
                has_query |= is_query;
                files.extend((takes_games || is_query).then(|| shell_word(word)));
            }
        }
    }
    if takes_games && !has_query {
        filter("true");
    }
    let name = Some(line.command.name.to_owned()).filter(|name| !name.is_empty());
    let words = name.into_iter().chain(files).chain(filters).chain(others);
    words.fold("babson".to_owned(), |line, word| line + " " + &word)
}

/// An option with its words.
fn option_words(option: &ParsedOption) -> Vec<String> {
    let hyphens = if option.written.len() == 1 { "-" } else { "--" };
    let mut words = vec![format!("{hyphens}{}", option.written)];
    words.extend(option.words.iter().map(|word| shell_word(word)));
    words
}

/// Whether a file, or a query without its ending, has this name.
fn names_file(word: &OsStr) -> bool {
    with_extension(Path::new(word)).exists()
}

/// Whether a word is a query.
fn is_query(word: &str) -> bool {
    Query::compile(word).is_ok()
}

fn is_url(word: &OsStr) -> bool {
    let scheme = word.to_str().and_then(|word| word.split_once("://")).map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}
