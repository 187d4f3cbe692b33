//! The options of the command: how they are read, and what is said about them.
//!
//! CQL's options have one hyphen or two, any case, and one or two numbers after them; so the
//! parser is our own. All there is to know of an option stands in [`table`].

mod config;
mod help;
mod table;

use std::iter::Peekable;

pub(crate) use config::command_line;
pub(crate) use help::{COMMANDS, Command, HHDB_HELP, INTRODUCTION, command_help, help};
pub(crate) use table::OPTIONS;

/// What follows an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Nothing.
    None,
    /// Nothing; with `no` before the name it means the opposite.
    Switch,
    /// One word; the text is its name in the help.
    Word(&'static str),
    /// A whole number of at least this.
    Number(i64),
    /// One number or two, the ends of a range.
    Range,
    /// The same, or nothing.
    OptionalRange,
    /// Two words.
    Pair(&'static str),
    /// `nosort` and `notransform`, each or none, and a file.
    Similar,
    /// A key of the filter `hhdb`, and the words that belong to it.
    Hhdb,
}

/// Where an option stands in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Files,
    Search,
    Filters,
    Comments,
    Layout,
    Console,
    Convert,
    Debug,
    General,
}

impl Group {
    /// All groups in the order of the help.
    pub(crate) const ALL: &'static [Group] = &[
        Group::Files,
        Group::Search,
        Group::Filters,
        Group::Comments,
        Group::Layout,
        Group::Console,
        Group::Convert,
        Group::Debug,
        Group::General,
    ];

    /// Its heading.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Group::Files => "Games in, matches out",
            Group::Search => "The search",
            Group::Filters => "Filters in front of the query's",
            Group::Comments => "Comments and tags",
            Group::Layout => "Layout of written games",
            Group::Console => "What is told meanwhile",
            Group::Convert => "Conversions of queries, as CQL 6.2 names them",
            Group::Debug => "Looking into a query",
            Group::General => "General",
        }
    }
}

/// Whose option it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// CQL 6.2 and CQLi.
    Both,
    /// CQL 6.2.
    Cql6,
    /// CQLi.
    Cqli,
    /// Ours.
    Babson,
}

impl Who {
    /// Its name in the book.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Who::Both => "CQL 6.2, CQLi",
            Who::Cql6 => "CQL 6.2",
            Who::Cqli => "CQLi",
            Who::Babson => "Babson",
        }
    }
}

/// What an option means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[rustfmt::skip]
pub(crate) enum Id {
    Input, Output, Append, Range, MatchCount, SortMatchCount, Limit, Variations, MainLine, VirtualMainLine,
    SingleThreaded, MultiThreaded, Threads, Cql, Player, White, Black, Event, Site, ResultTag, Year, Fen, Wtm,
    Btm, Assign, SimilarPosition, Hhdb, Transform, MatchString, NoHeader, Quiet, Silent, AlwaysComment,
    NoSortComments, UniqueComments, NoRemoveComment, NoSetTag, NoRemoveTag, KeepAllBest, NoSort, NoLinearize,
    IncludeTags, ExcludeTags, SkipUnknownVariants, VariantAlias,
    CoalesceComments, CompactComments, CompactMoves, CompactVariations, ElideComments, ElideNags, SafeCsv,
    ElideVariations, MoveNumbers, NumberAfterComment, NumberAfterNag, SplitMoves, LineWidth, OutputBuffer,
    LineIncrement, NoProgress, ShowMatches, ShowOutput, ShowDictionaries, Count, Rejects, Dialect, Cql6Output,
    Color, AnsiColors, Gui, GuiStdin, GuiStdout, Steps, Secure, PipeTimeout, MaxOpen, CreateDirectories, DryRun, NoClobber,
    Vi, Vii, ToUnicode, ToUtf8, ToHtml, Echo, Colorize, Parse, Lex, Debug, ConsoleUnicode, NoConfig, Help, Version, License,
    /// Accepted: what it asks for is always so, or can have no effect.
    Always,
}

/// One option.
#[derive(Debug)]
pub(crate) struct Opt {
    pub(crate) group: Group,
    pub(crate) who: Who,
    /// The first is the usual one; all are lower case, without hyphens in front.
    pub(crate) names: &'static [&'static str],
    pub(crate) value: Value,
    pub(crate) id: Id,
    pub(crate) help: &'static str,
}

/// An option as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) id: Id,
    /// Its usual name.
    pub(crate) name: &'static str,
    /// The name that was written, in lower case.
    pub(crate) written: String,
    /// False for the negative form of a switch.
    pub(crate) on: bool,
    /// The words after it.
    pub(crate) words: Vec<String>,
    /// It stands in the file of default options.
    pub(crate) by_default: bool,
}

impl Given {
    /// The first word, or nothing.
    pub(crate) fn word(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// The words as numbers: one, or the two ends of a range.
    pub(crate) fn range(&self) -> (i64, i64) {
        let number = |index: usize| self.words.get(index).and_then(|word| word.parse().ok());
        let low = number(0).unwrap_or(0);
        (low, number(1).unwrap_or(low))
    }
}

/// What is wrong with a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The word that names the option, or should.
    pub(crate) word: String,
    /// One sentence.
    pub(crate) why: String,
}

/// Splits a command line into options and the other words.
///
/// # Errors
/// What is wrong with the first option that cannot be read.
pub(crate) fn parse(
    words: impl IntoIterator<Item = String>,
) -> Result<(Vec<Given>, Vec<String>), Mistake> {
    let mut words = words.into_iter().peekable();
    let mut given = Vec::new();
    let mut others = Vec::new();
    while let Some(word) = words.next() {
        if !word.starts_with('-') || word == "-" {
            others.push(word);
            continue;
        }
        if word == "--" {
            others.extend(words);
            break;
        }
        given.push(option(&word, &mut words).map_err(|why| Mistake { word, why })?);
    }
    Ok((given, others))
}

/// One option, with the words after it that belong to it.
fn option(word: &str, words: &mut Peekable<impl Iterator<Item = String>>) -> Result<Given, String> {
    let bare = word.strip_prefix("--").or(word.strip_prefix('-')).unwrap_or(word);
    let (name, attached) = match bare.split_once('=') {
        Some((name, value)) => (name.to_ascii_lowercase(), Some(value.to_owned())),
        None => (bare.to_ascii_lowercase(), None),
    };
    let (option, on) = find(&name).ok_or_else(|| unknown(word, &name))?;
    let mut values = Vec::new();
    let wants = match option.value {
        Value::None | Value::Switch | Value::OptionalRange => 0,
        Value::Pair(_) => 2,
        _ => 1,
    };
    if wants == 0 && attached.is_some() && option.value != Value::OptionalRange {
        return Err(format!("{word}: --{name} takes no value"));
    }
    values.extend(attached);
    if option.value == Value::Similar {
        while let Some(flag) = words.next_if(|word| is_one_of(word, &["nosort", "notransform"])) {
            values.push(flag.to_ascii_lowercase());
        }
        values.push(words.next().ok_or_else(|| format!("{word} needs FILE after it"))?);
    }
    while values.len() < wants {
        values.push(words.next().ok_or_else(|| match option.value {
            Value::Word(what) | Value::Pair(what) => format!("{word} needs {what} after it"),
            Value::Hhdb => format!("{word} needs a word after it; {word} help names them"),
            _ => format!("{word} needs a number after it"),
        })?);
    }
    if matches!(option.value, Value::Range | Value::OptionalRange) {
        while values.len() < 2
            && let Some(number) = words.next_if(|word| word.parse::<i64>().is_ok())
        {
            values.push(number);
        }
    }
    if option.value == Value::Hhdb {
        while let Some(more) = words.next_if(|word| is_hhdb_part(word)) {
            values.push(more);
        }
    }
    let least = match option.value {
        Value::Number(least) => Some(least),
        Value::Range | Value::OptionalRange => Some(i64::MIN),
        _ => None,
    };
    if let Some(least) = least {
        let mut numbers = Vec::new();
        for value in &values {
            let number: i64 =
                value.parse().map_err(|_| format!("{word}: '{value}' is not a number"))?;
            if number < least {
                return Err(format!("{word}: {number} is less than {least}"));
            }
            numbers.push(number);
        }
        if let [low, high] = numbers[..]
            && high < low
        {
            return Err(format!(
                "{word}: the range {low} {high} is empty: the second number is smaller"
            ));
        }
    }
    Ok(Given {
        id: option.id,
        name: option.names[0],
        written: name,
        on,
        words: values,
        by_default: false,
    })
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// Whether the word belongs to a key of `hhdb` before it.
fn is_hhdb_part(word: &str) -> bool {
    babson_lang::sema::hhdb_parts().any(|other| word.eq_ignore_ascii_case(other))
}

/// The option of this name, and whether it is the positive form.
fn find(name: &str) -> Option<(&'static Opt, bool)> {
    let positive = OPTIONS.iter().find(|option| option.names.contains(&name));
    positive.map(|option| (option, true)).or_else(|| {
        let name = name.strip_prefix("no")?.trim_start_matches('-');
        let negative = OPTIONS
            .iter()
            .find(|option| option.value == Value::Switch && option.names.contains(&name));
        negative.map(|option| (option, false))
    })
}

/// What to say about an option that does not exist, with the nearest one that does.
fn unknown(word: &str, name: &str) -> String {
    let nearest = OPTIONS
        .iter()
        .flat_map(|option| option.names)
        .map(|known| (distance(name, known), known))
        .min();
    match nearest {
        Some((distance, known)) if distance <= 2 && known.len() > 2 => {
            format!("unknown option {word}; did you mean --{known}?")
        }
        _ => format!("unknown option {word}; see babson --help"),
    }
}

/// The number of letters to change, add or drop between two words.
fn distance(one: &str, two: &str) -> usize {
    let two = two.as_bytes();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in two.iter().enumerate() {
            let change = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<(Vec<Given>, Vec<String>), String> {
        parse(text.split_whitespace().map(str::to_owned)).map_err(|mistake| mistake.why)
    }

    #[test]
    fn names_are_unique_and_lower_case() {
        let mut seen = std::collections::HashSet::new();
        for name in OPTIONS.iter().flat_map(|option| option.names) {
            assert!(seen.insert(name), "{name} stands twice");
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }

    #[test]
    fn hyphens_case_and_ranges() {
        let (given, others) = words("-GameNumber 1 100 --I a.pgn -g 5 q.cql -s").unwrap();
        assert_eq!(given[0].range(), (1, 100));
        assert_eq!((given[1].id, given[1].word()), (Id::Input, "a.pgn"));
        assert_eq!(given[2].range(), (5, 5));
        assert_eq!(given[3].id, Id::SingleThreaded);
        assert_eq!(others, ["q.cql"]);
        assert_eq!(words("--limit=3").unwrap().0[0].word(), "3");
        assert_eq!(words("-i - x").unwrap().0[0].word(), "-");
    }

    #[test]
    fn switches_and_words_after_an_option() {
        let one = |text: &str| words(text).unwrap().0.remove(0);
        assert!(one("--CompactMoves").on);
        assert!(!one("-noCompactMoves").on && !one("--no-compactmoves").on);
        assert!(words("--nolimit").is_err());
        assert_eq!(one("--hhdb special prize mate.cql").words, ["special", "prize"]);
        assert_eq!(one("-similarposition nosort F.pgn q.cql").words, ["nosort", "F.pgn"]);
        assert_eq!(one("--sortmatchcount q.cql").words.len(), 0);
        assert_eq!(one("--sortmatchcount 2 9 q.cql").words, ["2", "9"]);
        assert_eq!(one("--sortmatchcount=2 9 q.cql").words, ["2", "9"]);
        assert_eq!(words("-g 1 2 3").unwrap().1, ["3"]);
        assert_eq!(one("-A x.pgn").written, "a");
    }

    #[test]
    fn mistakes_are_told() {
        assert!(words("--limti 3").unwrap_err().contains("did you mean --limit?"));
        assert!(words("--pipetimeout x").unwrap_err().contains("number"));
        assert!(words("--threads 0").unwrap_err().contains("less than 1"));
        assert!(words("-i").unwrap_err().contains("needs FILE"));
        assert!(words("-g x").unwrap_err().contains("not a number"));
        for empty in ["-g 3 2", "-matchcount 2 1", "--sortmatchcount=2 -1", "-year 2000 1999"] {
            assert!(words(empty).unwrap_err().contains("is empty"), "{empty}");
        }
    }

    #[test]
    fn the_help_names_every_option_that_works() {
        let help = help();
        for option in OPTIONS {
            assert!(help.contains(option.names[0]), "{:?}", option.names);
        }
    }
}
