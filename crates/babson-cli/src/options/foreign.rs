//! Options of other programs, with the option or the filter that does the same.
//!
//! The programs are grep, ripgrep, pgn-extract, Scoutfish and those whose options newcomers guess.
//! Of CQL 6.2 and CQLi all options are in the table of options.

/// A row: the option of another program, and what to write.
pub(super) struct ForeignOption {
    /// Its names without hyphens. Those of one letter are in the case of the program, the others in
    /// lower case.
    names: &'static [&'static str],
    /// What to write. `N` is the number that was attached, or [`ForeignOption::number`].
    line: &'static str,
    number: &'static str,
    /// What the reader must know besides; may be empty.
    note: &'static str,
}

const fn foreign(names: &'static [&'static str], line: &'static str) -> ForeignOption {
    ForeignOption { names, line, number: "10", note: "" }
}

impl ForeignOption {
    const fn note(self, note: &'static str) -> ForeignOption {
        ForeignOption { note, ..self }
    }
}

#[rustfmt::skip]
const FOREIGN_OPTIONS: &[ForeignOption] = &[
    // The query.
    foreign(&["e", "regexp", "query", "pattern", "filter", "q"], "--cql mate").note("the query stands after it"),
    foreign(&["f", "file", "query-file"], "QUERY.cql").note("the file of a query has no option before it"),
    // Tags.
    foreign(&["eco"], "--cql 'eco \"C50\"'").note("a filter of the query"),
    foreign(&["elo", "minelo", "min-elo", "rating"], "--cql 'elo >= 2500'").note("a filter of the query; also `elo white`"),
    foreign(&["whiteelo", "white-elo"], "--cql 'elo white >= 2500'").note("a filter of the query"),
    foreign(&["blackelo", "black-elo"], "--cql 'elo black >= 2500'").note("a filter of the query"),
    foreign(&["date"], "--cql 'date \"1920.05\"'").note("a filter of the query; for years there is --year"),
    foreign(&["since", "after", "from"], "--year 1990 2100").note("it takes the first and the last year"),
    foreign(&["until", "before"], "--year 1800 1990").note("it takes the first and the last year"),
    foreign(&["round"], "--cql 'tag \"Round\" == \"3\"'").note("a filter of the query"),
    foreign(&["opening"], "--cql '\"Sicilian\" in tag \"Opening\"'").note("a filter of the query; see also `eco`"),
    foreign(&["name", "players"], "--player Tal").note("also --white and --black"),
    foreign(&["tournament"], "--event Linares"),
    // The board.
    foreign(&["material"], "--cql 'materialkey == \"KRvKR\"'").note("a filter of the query"),
    foreign(&["position", "positions", "pos"], "--fen '8/8/8/8/8/8/8/K1k5'").note("or the filter `fen`"),
    // How much.
    foreign(&["n", "m", "max-count", "max", "maxgames", "head"], "--limit N").note("it ends the search after so many matching games"),
    foreign(&["c"], "--count"),
    foreign(&["invert-match", "inverse"], "--nonmatching others.pgn").note("it writes the games that do not match"),
    foreign(&["skip", "start", "games"], "-g 1 100").note("the numbers of the first and the last game"),
    ForeignOption { number: "4", ..foreign(&["j", "jobs", "workers", "cores"], "--threads N") },
    // Outputs.
    foreign(&["csv", "xlsx", "excel"], "-o matches.csv").note("the ending of the output chooses the format"),
    foreign(&["tsv"], "-o matches.tsv").note("the ending of the output chooses the format"),
    foreign(&["json"], "-o matches.json").note("the ending of the output chooses the format"),
    foreign(&["jsonl", "ndjson"], "-o matches.jsonl").note("the ending of the output chooses the format"),
    foreign(&["pgn"], "-o matches.pgn").note("the ending of the output chooses the format"),
    foreign(&["epd", "F"], "-o matches.epd").note("the ending of the output chooses the format"),
    foreign(&["arrow", "parquet", "feather"], "-o matches.arrow").note("the ending of the output chooses the format"),
    foreign(&["output-format", "outputformat"], "--format jsonl -o -"),
    foreign(&["A", "B", "context", "after-context"], "--fragment N").note("it writes the games from the match on, for so many plies"),
    foreign(&["r", "R", "recursive"], "-i FOLDER").note("the files of a folder are read"),
    foreign(&["verbose"], "--showmatches"),
    // Layout.
    foreign(&["C", "nocomments"], "--elidecomments"),
    foreign(&["N", "nonags"], "--elidenags"),
    foreign(&["novars"], "--elidevariations"),
    foreign(&["linelength", "line-length"], "--pgnlinewidth N"),
];

/// What to write instead of an option that only other programs have, by its name in lower case and
/// the word as it was written.
pub(super) fn instead(name: &str, word: &str) -> Option<String> {
    let bare = word.trim_start_matches('-');
    let (bare, value) = bare.split_once('=').unwrap_or((bare, ""));
    // `-j4`
    let letter = bare.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let digits = &bare[letter.len()..];
    let (name, value) = match letter.len() {
        1 => (letter, if digits.is_empty() { value } else { digits }),
        _ => (name, value),
    };
    let row = FOREIGN_OPTIONS.iter().find(|row| row.names.contains(&name))?;
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { value } else { row.number };
    let line = row.line.split(' ').map(|part| if part == "N" { number } else { part });
    let line = line.collect::<Vec<_>>().join(" ");
    let note = if row.note.is_empty() { String::new() } else { format!(" ({})", row.note) };
    Some(format!("write `{line}`{note}"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::{CommandId, CommandSpec, OptionId, parse};
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
        let search = CommandSpec::of(CommandId::Search);
        let mut seen = HashSet::new();
        for row in FOREIGN_OPTIONS {
            for name in row.names {
                assert!(seen.insert(name), "{name} twice");
                let is_known = search.option(&name.to_ascii_lowercase()).is_some();
                assert!(!is_known || name.len() == 1, "{name} is an option");
                let told = instead(name, &format!("--{name}")).unwrap();
                assert!(told.starts_with("write `"), "{told}");
            }
            let line = parse(search, words(&row.line.replace(" N", " 3"))).unwrap();
            for option in line.options.iter().filter(|option| option.id == OptionId::Cql) {
                assert!(babson::Query::compile(option.word()).is_ok(), "{}", row.line);
            }
        }
    }

    #[test]
    fn numbers_and_letters() {
        for (word, start) in [
            ("-j4", "write `--threads 4`"),
            ("-j", "write `--threads 4`"),
            ("--jobs=2", "write `--threads 2`"),
            ("-n", "write `--limit 10`"),
            ("--max-count=3", "write `--limit 3`"),
            ("-N", "write `--elidenags`"),
            ("-csv", "write `-o matches.csv`"),
        ] {
            let name = word.trim_start_matches('-').to_ascii_lowercase();
            let name = name.split('=').next().unwrap();
            let told = instead(name, word).unwrap();
            assert!(told.starts_with(start), "{word}: {told}");
        }
        assert_eq!(instead("nothing", "--nothing"), None);
        assert_eq!(instead("é1", "-é1"), None);
    }
}
