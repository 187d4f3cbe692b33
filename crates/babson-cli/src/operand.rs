//! Words of the command line that are neither a file nor a command: what they are, and the line
//! that was meant.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use babson::Query;
use babson::files::{is_foreign_name, may_be_database_name};
use babson::sink::{Columns, FileFormat};
use babson::terminal::Shown;
use babson::text::leading_fen;

use crate::failure::Failure;
use crate::options::{
    CommandId, CommandLine, CommandSpec, OperandKind, OptionId, ParsedOption, nearest,
    nearest_command, nearest_option,
};
use crate::query::with_extension;
use crate::shell_word::shell_word;
use crate::terminal;

/// The names that other programs have for a command, and the command.
const FOREIGN_COMMANDS: &[(&[&str], CommandId)] = &[
    (
        &["search", "find", "grep", "query", "scout", "run", "match", "filter", "select"],
        CommandId::Search,
    ),
    (&["make", "import", "build"], CommandId::Pack),
    (&["format"], CommandId::Fmt),
    (&["lint", "validate"], CommandId::Check),
    (&["board", "show", "view"], CommandId::Position),
];

/// The failure for a first word that is not a query, but is what another program calls a command,
/// or is close to the name of a command or of an option.
pub(crate) fn misspelled_command(words: &[OsString]) -> Option<Failure> {
    let (first, rest) = words.split_first()?;
    let word = first.to_str()?;
    if word.starts_with('-') || CommandSpec::named(word).is_some() || names_file(first) {
        return None;
    }
    let foreign = |name: &str| {
        let row = FOREIGN_COMMANDS.iter().find(|(names, _)| names.contains(&name));
        row.map(|(_, command)| *command)
    };
    if let Some(command) = foreign(word) {
        return Some(other_command(&format!("'{word}' is not a command"), command, rest));
    }
    if is_query(word) {
        return None;
    }
    let head = format!("'{word}' is neither a command nor a query");
    let did_you_mean = |meant: &str| Failure::Usage(format!("{head}; did you mean {meant}?"));
    if let Some(command) = nearest_command(word) {
        return Some(did_you_mean(&format!("babson {command}")));
    }
    let names = FOREIGN_COMMANDS.iter().flat_map(|(names, _)| names.iter().copied());
    if let Some(command) = nearest(word, names).and_then(foreign) {
        return Some(other_command(&head, command, rest));
    }
    let option = nearest_option(CommandSpec::of(CommandId::Search), word)?;
    Some(did_you_mean(&format!("--{option}")))
}

/// The failure for a word that stands for this command by mistake, with the words after it.
fn other_command(head: &str, command: CommandId, rest: &[OsString]) -> Failure {
    let name = CommandSpec::of(command).name;
    if command != CommandId::Search {
        return Failure::Usage(format!("{head}; did you mean babson {name}?"));
    }
    let line = CommandLine::of_search(rest).map(|line| meant(&line));
    let write = line.map_or(String::new(), |line| format!(": write `{line}`"));
    Failure::Usage(format!("{head}; babson searches without a command{write}"))
}

/// The failure for an operand or an input that is not a file, if it is plain what it is.
pub(crate) fn misplaced(line: &CommandLine) -> Option<Failure> {
    if !matches!(line.command.operands.kind, OperandKind::Files | OperandKind::Recipe) {
        return None;
    }
    let inputs = line.options.iter().filter(|option| option.id == OptionId::Input);
    let mut files = inputs.map(|option| &option.file).chain(&line.operands);
    if let Some(url) = files.find(|word| is_url(word) && !names_file(word)) {
        return Some(Failure::Usage(format!(
            "'{}' is a URL, and Babson reads files: download it first, for instance with curl -LO {}",
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
    let found = (0..line.operands.len()).find_map(|at| Misplaced::of(&line.operands[at..]))?;
    let line = meant(line);
    Some(Failure::Usage(match found {
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
    }))
}

/// The failure for columns after the first one of `--columns`, which are operands: `--columns white
/// black`.
fn several_columns(line: &CommandLine) -> Option<Failure> {
    let option = line.options.iter().find(|option| option.id == OptionId::Columns)?;
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
}

impl Misplaced<'_> {
    /// What the first of these operands is, if it is a text and not a file.
    fn of(operands: &[OsString]) -> Option<Misplaced<'_>> {
        let first = operands.first()?;
        let word = first.to_str()?;
        if word == "-" || names_file(first) {
            return None;
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
            || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("cql"));
        // Words with spaces are hardly the name of a file that is missing.
        let has_words = word.contains(char::is_whitespace) && !word.contains(['/', '\\']);
        (!has_ending && (has_words || is_query(word))).then_some(Misplaced::Query(word))
    }
}

/// The command line with `--cql` before what is a query, and with the games first.
fn meant(line: &CommandLine) -> String {
    let (mut files, mut filters, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for option in line.options.iter().filter(|option| !option.is_default) {
        match option.id == OptionId::Input {
            true => files.push(shell_word(&option.file)),
            false => others.extend(option_words(option)),
        }
    }
    if files.is_empty() && line.command.takes(OptionId::Input) && !terminal::stdin_is_redirected() {
        files.push("GAMES.pgn".to_owned());
    }
    let mut filter = |text: &str| {
        filters.extend(["--cql".to_owned(), shell_word(text.as_ref())]);
    };
    let mut at = 0;
    while let Some(word) = line.operands.get(at) {
        at += match Misplaced::of(&line.operands[at..]) {
            Some(Misplaced::Fen { fen, operands }) => {
                filter(&format!("fen \"{fen}\""));
                operands
            }
            Some(Misplaced::Query(text)) => {
                filter(text);
                1
            }
            None => {
                // `babson explain mate games.pgn`
                let is_taken =
                    line.command.takes(OptionId::Input) || !may_be_database_name(Path::new(word));
                files.extend(is_taken.then(|| shell_word(word)));
                1
            }
        };
    }
    let name = Some(line.command.name.to_owned()).filter(|name| !name.is_empty());
    let words = name.into_iter().chain(files).chain(filters).chain(others);
    words.fold("babson".to_owned(), |line, word| line + " " + &word)
}

/// An option with its words.
fn option_words(option: &ParsedOption) -> Vec<String> {
    let hyphens = if option.written.len() == 1 { "-" } else { "--" };
    let mut words = vec![format!("{hyphens}{}", option.written)];
    words.extend(option.words.iter().map(|word| shell_word(word.as_ref())));
    words.extend(Some(&option.file).filter(|file| !file.is_empty()).map(|file| shell_word(file)));
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
