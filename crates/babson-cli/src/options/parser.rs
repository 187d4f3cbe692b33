//! The parser of command lines.
//!
//! The options of CQL have one hyphen or two, any case, and one or two numbers after them, so this
//! crate has its own parser.

use std::ffi::{OsStr, OsString};
use std::iter::{self, Peekable};
use std::num::{IntErrorKind, ParseIntError};
use std::ops::RangeInclusive;

use clap_lex::OsStrExt as _;

use super::suggest::unknown_option;
use super::{CommandLine, CommandSpec, OperandKind, OptionValue, ParsedOption, ParsedValue};
use crate::show_name::ShowName as _;

/// An error of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordError {
    /// The word of the option.
    pub(crate) word: String,
    /// One sentence.
    pub(crate) why: String,
}

/// Splits the words of a command into its options and the other words.
///
/// # Errors
/// The first option that cannot be parsed or is not an option of the command.
pub(crate) fn parse(
    command: &'static CommandSpec,
    words: impl IntoIterator<Item = OsString>,
) -> Result<CommandLine, WordError> {
    let mut words = words.into_iter().peekable();
    let mut line = CommandLine { command, options: Vec::new(), operands: Vec::new() };
    while let Some(word) = words.next() {
        let is_topic = command.operands.kind == OperandKind::Topic
            && !matches!(split(&word).0.as_str(), "h" | "help" | "no-config" | "noconfig");
        if !word.starts_with("-") || word == "-" || is_topic {
            line.operands.push(word);
            continue;
        }
        if word == "--" {
            line.operands.extend(words);
            break;
        }
        let option = option(command, &word, &mut words);
        line.options.push(option.map_err(|why| WordError { word: word.shown(), why })?);
    }
    Ok(line)
}

/// Parses one option with the words after it that belong to it.
fn option(
    command: &CommandSpec,
    word: &OsStr,
    words: &mut Peekable<impl Iterator<Item = OsString>>,
) -> Result<ParsedOption, String> {
    let (name, attached) = split(word);
    let word = word.shown();
    let Some((row, on)) = command.option(&name) else {
        let next = words.peek().and_then(|next| next.to_str());
        return Err(unknown_option(command, &word, &name, next));
    };
    let is_attached = attached.is_some();
    let mut values = Values { word: &word, attached, words, taken: Vec::new() };
    let value = match &row.value {
        OptionValue::Flag(_) | OptionValue::Switch(_) if is_attached => {
            return Err(format!("{word}: --{name} takes no value"));
        }
        OptionValue::Flag(update) => ParsedValue::Flag(update),
        OptionValue::Switch(update) => ParsedValue::Switch(on, update),
        OptionValue::Text(what, update) | OptionValue::Choice(what, _, update) => {
            ParsedValue::Text(values.text(what)?, update)
        }
        OptionValue::Pair(what, update) => {
            ParsedValue::Pair([values.text(what)?, values.text(what)?], update)
        }
        OptionValue::File(what, update) => ParsedValue::File(values.file(what, command)?, update),
        OptionValue::Number(least, most, update) => {
            let text = values.number_word(command)?;
            ParsedValue::Number(values.number(&text, *least..=*most)?, update)
        }
        OptionValue::OptionalNumber(least, update) => {
            let text = values.first_number(!is_attached)?;
            let number = text.map(|text| values.number(&text, *least..=u64::MAX)).transpose()?;
            ParsedValue::OptionalNumber(number, update)
        }
        OptionValue::Range(update) => {
            let first = values.number_word(command)?;
            ParsedValue::Range(values.range(first)?, update)
        }
        OptionValue::OptionalRange(update) => {
            let first = values.first_number(!is_attached)?;
            let range = first.map(|first| values.range(first)).transpose()?;
            ParsedValue::OptionalRange(range, update)
        }
        OptionValue::Similar(update) => {
            let is_flag = |word: &str| is_one_of(word, ["nosort", "notransform"]);
            let flags = iter::from_fn(|| values.next_if(is_flag));
            let flags: Vec<String> = flags.map(|flag| flag.to_ascii_lowercase()).collect();
            values.taken.iter_mut().for_each(|flag| flag.make_ascii_lowercase());
            ParsedValue::Similar((flags, values.text("FILE")?), update)
        }
        OptionValue::Hhdb(update) => {
            let mut words = vec![values.text("a word (--hhdb help names them)")?];
            let is_part = |word: &str| is_one_of(word, babson::text::hhdb_parts());
            words.extend(iter::from_fn(|| values.next_if(is_part)));
            ParsedValue::Hhdb(words, update)
        }
    };
    Ok(ParsedOption { row, written: name, words: values.taken, value, is_default: false })
}

/// The name of an option in lower case, and the value after `=`.
fn split(word: &OsStr) -> (String, Option<OsString>) {
    let bare = word.strip_prefix("--").or(word.strip_prefix("-")).unwrap_or(word);
    let (name, attached) = match bare.split_once("=") {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (bare, None),
    };
    (name.shown().to_ascii_lowercase(), attached)
}

/// The words that may belong to an option: the one after `=`, then those after the option.
struct Values<'w, W: Iterator<Item = OsString>> {
    /// The word of the option.
    word: &'w str,
    attached: Option<OsString>,
    words: &'w mut Peekable<W>,
    /// The words that were taken.
    taken: Vec<OsString>,
}

impl<W: Iterator<Item = OsString>> Values<'_, W> {
    /// The next word, which the help calls `what`.
    fn next(&mut self, what: &str) -> Result<OsString, String> {
        let next = self.attached.take().or_else(|| self.words.next());
        let next = next.ok_or_else(|| format!("{} needs {what} after it", self.word))?;
        self.taken.push(next.clone());
        Ok(next)
    }

    /// The next word as the name of a file. An option of the command stands there by mistake.
    fn file(&mut self, what: &str, command: &CommandSpec) -> Result<OsString, String> {
        match self.next_option(command) {
            Some(next) => Err(format!(
                "{} needs {what} after it, but {next} is an option (./{next} is a file)",
                self.word
            )),
            None => self.next(what),
        }
    }

    /// The next word as the text of a number. An option of the command stands there by mistake.
    fn number_word(&mut self, command: &CommandSpec) -> Result<String, String> {
        match self.next_option(command) {
            Some(next) => {
                Err(format!("{} needs a number after it, but {next} is an option", self.word))
            }
            None => self.text("a number"),
        }
    }

    /// The next word, if no value follows `=` and the word is an option of the command.
    fn next_option(&mut self, command: &CommandSpec) -> Option<String> {
        let next = self.words.peek().filter(|_| self.attached.is_none())?;
        let (name, _) = split(next);
        (next.starts_with("-") && command.option(&name).is_some()).then(|| next.shown())
    }

    /// The next word as a text.
    fn text(&mut self, what: &str) -> Result<String, String> {
        let next = self.next(what)?;
        next.into_string().map_err(|next| format!("{}: '{}' is not UTF-8", self.word, next.shown()))
    }

    /// The next word if it is a text that is wanted.
    fn next_if(&mut self, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
        let is_wanted = |word: &OsString| word.to_str().is_some_and(&is_wanted);
        let next = match &self.attached {
            Some(attached) if is_wanted(attached) => self.attached.take(),
            Some(_) => None,
            None => self.words.next_if(is_wanted),
        };
        self.taken.extend(next.clone());
        next?.into_string().ok()
    }

    /// The next word as a number; nothing if it is optional and another word stands there.
    fn first_number(&mut self, is_optional: bool) -> Result<Option<String>, String> {
        match is_optional {
            true => Ok(self.next_if(|word| word.parse::<i64>().is_ok())),
            false => self.text("a number").map(Some),
        }
    }

    /// The number of a text, if it is in a range.
    fn number(&self, text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
        let most = i64::try_from(*range.end()).unwrap_or(i64::MAX);
        let (number, word) = (self.integer(text, most)?, self.word);
        match u64::try_from(number) {
            Ok(number) if range.contains(&number) => Ok(number),
            Ok(number) if number > *range.end() => {
                Err(format!("{word}: {number} is more than {}", range.end()))
            }
            Ok(_) | Err(_) => Err(format!("{word}: {number} is less than {}", range.start())),
        }
    }

    /// The number of a text; `most` is the largest that the message names.
    fn integer(&self, text: &str, most: i64) -> Result<i64, String> {
        text.parse().map_err(|error: ParseIntError| {
            let what = if *error.kind() == IntErrorKind::PosOverflow {
                format!("is more than {most}")
            } else if text.parse::<f64>().is_ok_and(f64::is_finite) {
                "is not a whole number".to_owned()
            } else {
                "is not a number".to_owned()
            };
            format!("{}: '{text}' {what}", self.word)
        })
    }

    /// The range that begins with this number, and ends with the next word if it is one.
    fn range(&mut self, first: String) -> Result<(i64, i64), String> {
        let second = self.first_number(true)?;
        let word = self.word;
        if second.is_none()
            && let Some((low, high)) = range_in_one(&first)
        {
            let option = word.split('=').next().unwrap_or_default();
            let mend = format!("the two numbers are two words: write `{option} {low} {high}`");
            return Err(format!("{word}: '{first}' is not a number; {mend}"));
        }
        let low = self.integer(&first, i64::MAX)?;
        let high = second.map_or(Ok(low), |second| self.integer(&second, i64::MAX))?;
        match high < low {
            true => Err(format!(
                "{word}: the range {low} {high} is empty: the second number is smaller"
            )),
            false => Ok((low, high)),
        }
    }
}

/// The two numbers of a range in one word: `1920-1930`, `1920..1930`.
fn range_in_one(text: &str) -> Option<(u32, u32)> {
    let separators = ["..", "-", ":", ","];
    let (low, high) = separators.iter().find_map(|separator| text.split_once(separator))?;
    Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
}

fn is_one_of(word: &str, words: impl IntoIterator<Item = &'static str>) -> bool {
    words.into_iter().any(|other| word.eq_ignore_ascii_case(other))
}
