//! Options of other programs, with the option or the filter that does the same.
//!
//! The programs are grep, ripgrep, pgn-extract, Scoutfish, servers, and programs whose options
//! newcomers guess. Of CQL 6.2 and CQLi all options are in the table of options.

use std::path::Path;

use babson::Query;
use babson::command::is_database_file;

use super::parser::parse;
use super::{CommandId, CommandSpec};
use crate::limits::MAX_VALUE;
use crate::shell_word::shell_word;

/// A row: the option of another program, and what to write.
pub(super) struct ForeignOption {
    /// The names of the option without hyphens. A name of one letter has the case that the program
    /// uses, a longer name is in lower case.
    names: &'static [&'static str],
    /// What to write. `{}` is the value that follows the option, or else the example.
    line: &'static str,
    example: &'static str,
    /// What the reader must know besides; may be empty.
    note: &'static str,
    value: ForeignValue,
}

/// What the value in a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ForeignValue {
    /// A text that does not name a file, or a number if the example is one.
    Text,
    File,
    /// An output with the ending of the example. A database that exists is an input.
    Output,
}

const fn foreign(names: &'static [&'static str], line: &'static str) -> ForeignOption {
    ForeignOption { names, line, example: "", note: "", value: ForeignValue::Text }
}

/// The row of a format.
const fn format(names: &'static [&'static str], example: &'static str) -> ForeignOption {
    let value = ForeignValue::Output;
    ForeignOption { names, line: "-o {}", example, note: ENDING, value }
}

const ENDING: &str = "the ending of the output chooses the format";

impl ForeignOption {
    const fn example(self, example: &'static str) -> ForeignOption {
        ForeignOption { example, ..self }
    }

    const fn note(self, note: &'static str) -> ForeignOption {
        ForeignOption { note, ..self }
    }

    const fn file(self) -> ForeignOption {
        ForeignOption { value: ForeignValue::File, ..self }
    }

    /// What to write, with the value of the reader, or with the example if the line cannot have it.
    fn told(&self, command: &CommandSpec, value: Option<&str>) -> String {
        let is_output = self.value == ForeignValue::Output;
        if let Some(database) = value.filter(|value| is_output && self.is_database(value)) {
            return format!("write `-i {}`", shell_word(database.as_ref()));
        }
        let line = self.line_with(command, value);
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        format!("write `{line}`{note}")
    }

    /// The line with the value of the reader, or with the example if the line cannot have it.
    fn line_with(&self, command: &CommandSpec, value: Option<&str>) -> String {
        let value = value.filter(|value| self.takes(command, value)).unwrap_or(self.example);
        match self.line.contains('\'') {
            true => self.line.replace("{}", value),
            false => self.line.replace("{}", &shell_word(value.as_ref())),
        }
    }

    /// Whether it is a database that exists, with the ending of the example.
    fn is_database(&self, value: &str) -> bool {
        self.has_ending(value) && Path::new(value).exists() && is_database_file(value)
    }

    fn has_ending(&self, value: &str) -> bool {
        let ending = Path::new(value).extension();
        let expected = Path::new(self.example).extension();
        ending.zip(expected).is_some_and(|(ending, expected)| ending.eq_ignore_ascii_case(expected))
    }

    /// Whether the line can have this value: a number where the example is one, in a query what
    /// makes another query, and a file only where one is meant. The command takes the line.
    fn takes(&self, command: &CommandSpec, value: &str) -> bool {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if value.is_empty() || value.len() > MAX_VALUE || value.contains(char::is_control) {
            return false;
        }
        if is_number(self.example) && !is_number(value) {
            return false;
        }
        match self.value {
            ForeignValue::Text if Path::new(value).exists() => return false,
            ForeignValue::Output if !self.has_ending(value) => return false,
            ForeignValue::Text | ForeignValue::File | ForeignValue::Output => {}
        }
        let Some(query) = self.line.strip_prefix("--cql ") else {
            let words = self.line.split(' ').map(|word| word.replace("{}", value).into());
            return parse(CommandSpec::of(command.id), words).is_ok();
        };
        // A line with quotes has the value within quotes of the shell, and perhaps of the query.
        let is_plain = !query.contains('\'') || !value.contains(['\'', '"', '\\', '`']);
        let query = query.trim_matches('\'').replace("{}", value);
        is_plain && Query::compile(query.as_str()).is_ok()
    }
}

#[rustfmt::skip]
const FOREIGN_OPTIONS: &[ForeignOption] = &[
    // The query.
    foreign(&["e", "regexp", "query", "pattern", "filter", "q", "where"], "--cql {}").example("mate").note("the query stands after it"),
    foreign(&["f", "file", "query-file"], "{}").file().example("QUERY.cql").note("the file of a query has no option before it"),
    foreign(&["sort", "sort-by", "sortby", "order", "order-by"], "--cql 'sort {}'").example("elo").note("a filter of the query; --nosort leaves it out"),
    // Tags.
    foreign(&["eco"], "--cql 'eco \"{}\"'").example("C50").note("a filter of the query"),
    foreign(&["elo", "minelo", "min-elo", "rating"], "--cql 'elo >= {}'").example("2500").note("a filter of the query; also `elo white`"),
    foreign(&["whiteelo", "white-elo"], "--cql 'elo white >= {}'").example("2500").note("a filter of the query"),
    foreign(&["blackelo", "black-elo"], "--cql 'elo black >= {}'").example("2500").note("a filter of the query"),
    foreign(&["date"], "--cql 'date \"{}\"'").example("1920.05").note("a filter of the query; for years there is --year"),
    foreign(&["since", "after", "from"], "--year {} 9999").example("1990").note("it takes the first and the last year"),
    foreign(&["until", "before"], "--year 1 {}").example("1990").note("it takes the first and the last year"),
    foreign(&["round"], "--cql 'tag \"Round\" == \"{}\"'").example("3").note("a filter of the query"),
    foreign(&["opening"], "--cql '\"{}\" in tag \"Opening\"'").example("Sicilian").note("a filter of the query; see also `eco`"),
    foreign(&["name", "players"], "--player {}").example("Tal").note("also --white and --black"),
    foreign(&["tournament"], "--event {}").example("Linares"),
    // The board.
    foreign(&["material"], "--cql 'materialkey == \"KRvKR\"'").note("a filter of the query"),
    foreign(&["similar", "similarity", "nearest"], "--like {}").example("4k3/pp3ppp/4p3/8/3P4/8/PP3PPP/4K3").note("the games with the position that is most similar to a FEN"),
    foreign(&["position", "positions", "pos"], "--fen '8/8/8/8/8/8/8/K1k5'").note("or the filter `fen`"),
    // How much.
    foreign(&["n", "m", "max-count", "max", "maxgames", "head"], "--limit {}").example("10").note("it ends the search after this number of matching games"),
    foreign(&["random", "rand", "shuffle"], "--sample {}").example("20").note("it writes this number of the matching games, chosen at random"),
    foreign(&["time", "time-limit", "timelimit", "max-time", "maxtime", "seconds"], "--timeout {}").example("60").note("seconds after which the run is stopped"),
    foreign(&["c"], "--count"),
    foreign(&["invert-match", "inverse"], "--nonmatching others.pgn").note("it writes the games that do not match"),
    foreign(&["skip", "start", "games"], "-g 1 100").note("the numbers of the first and the last game"),
    foreign(&["game"], "-g {}").example("1").note("the number of the game"),
    // Inputs.
    foreign(&["continue", "checkpoint", "restart"], "--resume {}").example("kept").note("a folder that keeps the results of finished slices"),
    foreign(&["db", "database"], "-i {}").file().example("GAMES.pgn"),
    foreign(&["j", "jobs", "workers", "cores"], "--threads {}").example("4"),
    foreign(&["dedup", "dedupe", "deduplicate", "uniq", "distinct", "duplicates", "noduplicates", "no-duplicates"], "--unique").note("of equal games it keeps the first"),
    // Outputs.
    foreign(&["out", "outfile", "out-file"], "-o {}").file().example("matches.pgn"),
    foreign(&["force", "overwrite", "y", "yes"], "-o matches.pgn").note("an output replaces the file of its name without being told to"),
    format(&["csv", "xlsx", "excel"], "matches.csv"),
    format(&["tsv"], "matches.tsv"),
    format(&["json"], "matches.json"),
    format(&["jsonl", "ndjson"], "matches.jsonl"),
    format(&["pgn"], "matches.pgn"),
    format(&["epd", "F"], "matches.epd"),
    format(&["arrow", "parquet", "feather"], "matches.arrow"),
    foreign(&["output-format", "outputformat"], "--format jsonl -o -"),
    foreign(&["A", "B", "context", "after-context"], "--fragment {}").example("10").note("it writes the games from the match on, for this number of plies"),
    foreign(&["r", "R", "recursive"], "-i FOLDER").note("the files of a folder are read"),
    foreign(&["verbose"], "--showmatches"),
    // Layout.
    foreign(&["C", "nocomments"], "--elidecomments"),
    foreign(&["N", "nonags"], "--elidenags"),
    foreign(&["novars"], "--elidevariations"),
    foreign(&["linelength", "line-length"], "--pgnlinewidth {}").example("80"),
];

/// The options of other servers.
#[rustfmt::skip]
const OF_SERVERS: &[ForeignOption] = &[
    foreign(&["p", "port"], "--listen {}").example("8080"),
    foreign(&["a", "addr", "address", "b", "bind", "ip", "interface"], "--listen {}").example("0.0.0.0:8080").note("an address that others reach needs --token or --public"),
    foreign(&["auth", "key", "password", "secret"], "--token {}").example("TOKEN"),
    foreign(&["browser", "launch", "o"], "--open"),
    foreign(&["j", "threads", "workers", "cores"], "--jobs {}").example("4").note("searches that run at once"),
    foreign(&["limit", "max", "max-results"], "--max-matches {}").example("1000"),
    foreign(&["name"], "NAME=DB").note("the name stands before the database"),
];

/// What to write instead of an option that a command does not have and other programs do, by its
/// name in lower case, the word as it was written, and the word after it. The lines are options of
/// the search, or of the server.
pub(super) fn instead(
    command: &CommandSpec,
    name: &str,
    word: &str,
    next: Option<&str>,
) -> Option<String> {
    let is_server = command.id == CommandId::Serve;
    let (rows, command) = match is_server {
        true => (OF_SERVERS, command),
        false => (FOREIGN_OPTIONS, CommandSpec::of(CommandId::Search)),
    };
    let bare = word.trim_start_matches('-');
    let (bare, attached) = bare.split_once('=').map_or((bare, None), |(a, b)| (a, Some(b)));
    // `-j4`
    let letter = bare.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let digits = Some(&bare[letter.len()..]).filter(|digits| !digits.is_empty());
    let (name, attached) = match letter.len() {
        1 => (letter, digits.or(attached)),
        _ => (name, attached),
    };
    let row = rows.iter().find(|row| row.names.contains(&name))?;
    Some(row.told(command, attached.or(next.filter(|next| !next.starts_with('-')))))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::OptionId;
    use super::*;

    /// The words of a line; the texts have no other quotes.
    fn words(line: &str) -> Vec<std::ffi::OsString> {
        let pieces = line.split('\'').enumerate().flat_map(|(at, piece)| match at % 2 {
            0 => piece.split_whitespace().collect(),
            _ => vec![piece],
        });
        pieces.map(Into::into).collect()
    }

    #[test]
    fn each_row_names_what_works() {
        let of = |id, rows: &'static [ForeignOption]| rows.iter().map(move |row| (id, row));
        let all = of(CommandId::Search, FOREIGN_OPTIONS).chain(of(CommandId::Serve, OF_SERVERS));
        let mut seen = HashSet::new();
        for (id, row) in all {
            let command = CommandSpec::of(id);
            for name in row.names {
                assert!(seen.insert((id, name)), "{name} twice");
                let is_known = command.option(&name.to_ascii_lowercase()).is_some();
                assert!(!is_known || name.len() == 1, "{name} is an option");
                let told = instead(command, name, &format!("--{name}"), None).unwrap();
                assert!(told.starts_with("write `"), "{told}");
            }
            let mut line = words(&row.line_with(command, None));
            if id == CommandId::Serve {
                line.push("games.pgn".into());
            }
            let line = parse(command, line).unwrap();
            for option in line.options.iter().filter(|option| option.is(OptionId::Cql)) {
                assert!(babson::Query::compile(option.word()).is_ok(), "{}", row.line);
            }
        }
    }

    #[test]
    fn values_and_letters() {
        let search = CommandSpec::of(CommandId::Search);
        for (word, next, start) in [
            ("-j4", None, "write `--threads 4`"),
            ("-j", None, "write `--threads 4`"),
            ("--jobs=2", None, "write `--threads 2`"),
            ("-n", None, "write `--limit 10`"),
            ("-n", Some("5"), "write `--limit 5`"),
            ("-n", Some("games.pgn"), "write `--limit 10`"),
            ("--max-count=3", None, "write `--limit 3`"),
            ("-N", None, "write `--elidenags`"),
            ("-csv", None, "write `-o matches.csv`"),
            ("--eco", Some("B20"), "write `--cql 'eco \"B20\"'`"),
            ("--eco", Some("B\"20"), "write `--cql 'eco \"C50\"'`"),
            ("--eco", Some("Cargo.toml"), "write `--cql 'eco \"C50\"'`"),
            ("--eco=B20", Some("C20"), "write `--cql 'eco \"B20\"'`"),
            ("--eco", Some("--count"), "write `--cql 'eco \"C50\"'`"),
            ("--elo", Some("2700"), "write `--cql 'elo >= 2700'`"),
            ("--elo", Some("high"), "write `--cql 'elo >= 2500'`"),
            ("--name", Some("Van Wely"), "write `--player 'Van Wely'`"),
            ("--name", Some("Cargo.toml"), "write `--player Tal`"),
            ("-e", Some("wtm mate"), "write `--cql 'wtm mate'`"),
            ("--filter", Some("games.pgn"), "write `--cql mate`"),
            ("--filter", Some("Cargo.toml"), "write `--cql mate`"),
            ("--where", Some("wtm \"a"), "write `--cql mate`"),
            ("--until", Some("1700"), "write `--year 1 1700`"),
            ("--since", Some("2150"), "write `--year 2150 9999`"),
            ("--since", Some("20000"), "write `--year 1990 9999`"),
            ("--game", Some("7"), "write `-g 7`"),
            ("--db", Some("games.pgn"), "write `-i games.pgn`"),
            ("--file", Some("mate.cql"), "write `mate.cql`"),
            ("--csv", Some("out.csv"), "write `-o out.csv`"),
            ("--csv", Some("out.pgn"), "write `-o matches.csv`"),
            ("--pgn", Some("out.PGN"), "write `-o out.PGN`"),
            ("--duplicates", None, "write `--unique`"),
            ("--sort", Some("date"), "write `--cql 'sort date'`"),
            ("--sort", Some("whatever"), "write `--cql 'sort elo'`"),
            ("--out", Some("a.pgn"), "write `-o a.pgn`"),
            ("--random", Some("5"), "write `--sample 5`"),
            ("--similar", Some("8/8/8/8/8/8/8/K1k5"), "write `--like 8/8/8/8/8/8/8/K1k5`"),
            ("--max-time", Some("ten"), "write `--timeout 60`"),
            ("--checkpoint", Some("work"), "write `--resume work`"),
        ] {
            let name = word.trim_start_matches('-').to_ascii_lowercase();
            let name = name.split('=').next().unwrap();
            let told = instead(search, name, word, next).unwrap();
            assert!(told.starts_with(start), "{word} {next:?}: {told}");
        }
        assert_eq!(instead(search, "nothing", "--nothing", None), None);
        assert_eq!(instead(search, "é1", "-é1", None), None);
    }
}
