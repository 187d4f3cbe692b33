//! The options of the command: parsing and help.
//!
//! The options of CQL have one hyphen or two, any case, and one or two numbers after them, so this
//! crate has its own parser. [`table`] has everything about an option in one row.

mod config;
mod help;
mod table;

use std::iter::Peekable;

pub(crate) use config::command_line;
pub(crate) use help::{
    COMMANDS, Command, HHDB_HELP, INTRODUCTION, command_help, help, help_command,
};
pub(crate) use table::OPTIONS;

/// The operands of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionValue {
    /// Nothing.
    None,
    /// Nothing. With `no` before the name it has the opposite meaning.
    Switch,
    /// One word, with its name in the help.
    Word(&'static str),
    /// A whole number with this minimum.
    Number(i64),
    /// One number, or the two ends of a range.
    Range,
    /// As `Range`, or nothing.
    OptionalRange,
    /// Two words.
    Pair(&'static str),
    /// Any of `nosort` and `notransform`, and a file.
    Similar,
    /// A key of the filter `hhdb`, and the words that belong to it.
    Hhdb,
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
        OptionGroup::General,
    ];

    /// Its heading.
    pub(crate) fn title(self) -> &'static str {
        match self {
            OptionGroup::Files => "Inputs and outputs",
            OptionGroup::Search => "The search",
            OptionGroup::Filters => "Filters before those of the query",
            OptionGroup::Comments => "Comments and tags",
            OptionGroup::Layout => "Layout of written games",
            OptionGroup::Console => "Progress and messages",
            OptionGroup::Convert => "Conversions of queries, with the names of CQL 6.2",
            OptionGroup::Debug => "Inspecting a query",
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

/// The meaning of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[rustfmt::skip]
pub(crate) enum OptionId {
    Input, NoMmap, Output, Append, Range, MatchCount, SortMatchCount, Limit, Variations, MainLine, VirtualMainLine,
    SingleThreaded, MultiThreaded, Threads, Cql, Player, White, Black, Event, Site, ResultTag, Year, Fen, Wtm,
    Btm, Assign, SimilarPosition, Hhdb, Transform, MatchString, NoHeader, Quiet, Silent, AlwaysComment,
    NoSortComments, UniqueComments, NoRemoveComment, NoSetTag, NoRemoveTag, KeepAllBest, NoSort, NoLinearize,
    IncludeTags, ExcludeTags, SkipUnknownVariants, VariantAlias,
    CoalesceComments, CompactComments, CompactMoves, CompactVariations, ElideComments, ElideNags, SafeCsv,
    ElideVariations, MoveNumbers, NumberAfterComment, NumberAfterNag, SplitMoves, LineWidth, OutputBuffer,
    LineIncrement, NoProgress, ShowMatches, ShowOutput, ShowDictionaries, Count, Rejects, Dialect, Cql6Output,
    Color, AnsiColors, Gui, GuiStdin, GuiStdout, Steps, Secure, PipeTimeout, MaxOpen, CreateDirectories, DryRun, NoClobber,
    Vi, Vii, ToUnicode, ToUtf8, ToHtml, Echo, Colorize, Parse, Lex, Debug, ConsoleUnicode, NoConfig, Help, Version, License,
    /// Accepted without effect: it is always so, or cannot matter.
    Always,
}

/// One option.
#[derive(Debug)]
pub(crate) struct OptionSpec {
    pub(crate) group: OptionGroup,
    pub(crate) who: OptionOwner,
    /// The usual name first. All are lower case, without leading hyphens.
    pub(crate) names: &'static [&'static str],
    pub(crate) value: OptionValue,
    pub(crate) id: OptionId,
    pub(crate) help: &'static str,
}

/// An option of the command line or of the file of default options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedOption {
    pub(crate) id: OptionId,
    /// Its usual name.
    pub(crate) name: &'static str,
    /// The name that was written, in lower case.
    pub(crate) written: String,
    /// False for the negative form of a switch.
    pub(crate) on: bool,
    /// The words after it.
    pub(crate) words: Vec<String>,
    /// Whether it comes from the file of default options.
    pub(crate) is_default: bool,
}

impl ParsedOption {
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

/// An error of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OptionError {
    /// The word of the option.
    pub(crate) word: String,
    /// One sentence.
    pub(crate) why: String,
}

/// Splits a command line into options and other words.
///
/// # Errors
/// The first option that cannot be parsed.
pub(crate) fn parse(
    words: impl IntoIterator<Item = String>,
) -> Result<(Vec<ParsedOption>, Vec<String>), OptionError> {
    let mut words = words.into_iter().peekable();
    let mut options = Vec::new();
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
        options.push(option(&word, &mut words).map_err(|why| OptionError { word, why })?);
    }
    Ok((options, others))
}

/// Parses one option with the words after it that belong to it.
fn option(
    word: &str,
    words: &mut Peekable<impl Iterator<Item = String>>,
) -> Result<ParsedOption, String> {
    let bare = word.strip_prefix("--").or(word.strip_prefix('-')).unwrap_or(word);
    let (name, attached) = match bare.split_once('=') {
        Some((name, value)) => (name.to_ascii_lowercase(), Some(value.to_owned())),
        None => (bare.to_ascii_lowercase(), None),
    };
    let (option, on) = find(&name).ok_or_else(|| unknown(word, &name))?;
    let mut values = Vec::new();
    let wants = match option.value {
        OptionValue::None | OptionValue::Switch | OptionValue::OptionalRange => 0,
        OptionValue::Pair(_) => 2,
        OptionValue::Word(_)
        | OptionValue::Number(_)
        | OptionValue::Range
        | OptionValue::Similar
        | OptionValue::Hhdb => 1,
    };
    if wants == 0 && attached.is_some() && option.value != OptionValue::OptionalRange {
        return Err(format!("{word}: --{name} takes no value"));
    }
    values.extend(attached);
    if option.value == OptionValue::Similar {
        while let Some(flag) = words.next_if(|word| is_one_of(word, &["nosort", "notransform"])) {
            values.push(flag.to_ascii_lowercase());
        }
        values.push(words.next().ok_or_else(|| format!("{word} needs FILE after it"))?);
    }
    while values.len() < wants {
        values.push(words.next().ok_or_else(|| match option.value {
            OptionValue::Word(what) | OptionValue::Pair(what) => {
                format!("{word} needs {what} after it")
            }
            OptionValue::Hhdb => format!("{word} needs a word after it; {word} help names them"),
            // The others need nothing, or a file that is read above.
            OptionValue::Number(_)
            | OptionValue::Range
            | OptionValue::None
            | OptionValue::Switch
            | OptionValue::OptionalRange
            | OptionValue::Similar => format!("{word} needs a number after it"),
        })?);
    }
    if matches!(option.value, OptionValue::Range | OptionValue::OptionalRange) {
        while values.len() < 2
            && let Some(number) = words.next_if(|word| word.parse::<i64>().is_ok())
        {
            values.push(number);
        }
    }
    if option.value == OptionValue::Hhdb {
        while let Some(more) = words.next_if(|word| is_hhdb_part(word)) {
            values.push(more);
        }
    }
    let least = match option.value {
        OptionValue::Number(least) => Some(least),
        OptionValue::Range | OptionValue::OptionalRange => Some(i64::MIN),
        OptionValue::None
        | OptionValue::Switch
        | OptionValue::Word(_)
        | OptionValue::Pair(_)
        | OptionValue::Similar
        | OptionValue::Hhdb => None,
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
    Ok(ParsedOption {
        id: option.id,
        name: option.names[0],
        written: name,
        on,
        words: values,
        is_default: false,
    })
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// Whether the word belongs to a key of `hhdb` before it.
fn is_hhdb_part(word: &str) -> bool {
    babson_lang::sema::hhdb_parts().any(|other| word.eq_ignore_ascii_case(other))
}

/// The option of this name, and whether the name is the positive form.
fn find(name: &str) -> Option<(&'static OptionSpec, bool)> {
    let positive = OPTIONS.iter().find(|option| option.names.contains(&name));
    positive.map(|option| (option, true)).or_else(|| {
        let name = name.strip_prefix("no")?.trim_start_matches('-');
        let negative = OPTIONS
            .iter()
            .find(|option| option.value == OptionValue::Switch && option.names.contains(&name));
        negative.map(|option| (option, false))
    })
}

/// The message for an unknown option, with the nearest known one.
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

    fn words(text: &str) -> Result<(Vec<ParsedOption>, Vec<String>), String> {
        parse(text.split_whitespace().map(str::to_owned)).map_err(|mistake| mistake.why)
    }

    #[test]
    fn names_are_unique_and_lower_case() {
        let mut seen = std::collections::HashSet::new();
        for name in OPTIONS.iter().flat_map(|option| option.names) {
            assert!(seen.insert(name), "{name} occurs twice");
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }

    #[test]
    fn hyphens_case_and_ranges() {
        let (options, others) = words("-GameNumber 1 100 --I a.pgn -g 5 q.cql -s").unwrap();
        assert_eq!(options[0].range(), (1, 100));
        assert_eq!((options[1].id, options[1].word()), (OptionId::Input, "a.pgn"));
        assert_eq!(options[2].range(), (5, 5));
        assert_eq!(options[3].id, OptionId::SingleThreaded);
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
    fn errors_are_reported() {
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
