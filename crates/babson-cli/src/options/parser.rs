//! The parser of command lines.
//!
//! The options of CQL have one hyphen or two, any case, and one or two numbers after them, so this
//! crate has its own parser.

use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::ops::RangeInclusive;

use clap_lex::OsStrExt as _;

use super::suggest::unknown_option;
use super::{CommandLine, CommandSpec, OperandKind, OptionValue, ParsedOption};
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
    let Some((spec, on)) = command.option(&name) else {
        let next = words.peek().and_then(|next| next.to_str());
        return Err(unknown_option(command, &word, &name, next));
    };
    let is_attached = attached.is_some();
    let mut values = Values { word: &word, attached, words };
    let mut texts = Vec::new();
    let mut file = OsString::new();
    match spec.value {
        OptionValue::None | OptionValue::Switch if is_attached => {
            return Err(format!("{word}: --{name} takes no value"));
        }
        OptionValue::None | OptionValue::Switch => {}
        OptionValue::Text(what) | OptionValue::Choice(what, _) => texts.push(values.text(what)?),
        OptionValue::Pair(what) => texts.extend([values.text(what)?, values.text(what)?]),
        OptionValue::File(what) => file = values.file(what, command)?,
        OptionValue::Number(least) => {
            texts.push(values.text("a number")?);
            numbers(&word, &texts, least..=i64::MAX)?;
        }
        OptionValue::NumberUpTo(least, most) => {
            texts.push(values.text("a number")?);
            numbers(&word, &texts, least..=most)?;
        }
        OptionValue::OptionalNumber(least) => {
            match is_attached {
                true => texts.push(values.text("a number")?),
                false => texts.extend(values.next_if(|word| word.parse::<i64>().is_ok())),
            }
            numbers(&word, &texts, least..=i64::MAX)?;
        }
        OptionValue::Range | OptionValue::OptionalRange => {
            if spec.value == OptionValue::Range || is_attached {
                texts.push(values.text("a number")?);
            }
            while texts.len() < 2
                && let Some(number) = values.next_if(|word| word.parse::<i64>().is_ok())
            {
                texts.push(number);
            }
            if let [text] = texts.as_slice()
                && let Some((low, high)) = range_in_one(text)
            {
                let option = word.split('=').next().unwrap_or_default();
                let mend = format!("the two numbers are two words: write `{option} {low} {high}`");
                return Err(format!("{word}: '{text}' is not a number; {mend}"));
            }
            numbers(&word, &texts, i64::MIN..=i64::MAX)?;
        }
        OptionValue::Similar => {
            while let Some(flag) = values.next_if(|word| is_one_of(word, ["nosort", "notransform"]))
            {
                texts.push(flag.to_ascii_lowercase());
            }
            texts.push(values.text("FILE")?);
        }
        OptionValue::Hhdb => {
            texts.push(values.text("a word (--hhdb help names them)")?);
            while let Some(more) =
                values.next_if(|word| is_one_of(word, babson::text::hhdb_parts()))
            {
                texts.push(more);
            }
        }
    }
    Ok(ParsedOption {
        id: spec.id,
        name: spec.names[0],
        written: name,
        on,
        words: texts,
        file,
        is_default: false,
    })
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
}

impl<W: Iterator<Item = OsString>> Values<'_, W> {
    /// The next word, which the help calls `what`.
    fn next(&mut self, what: &str) -> Result<OsString, String> {
        let next = self.attached.take().or_else(|| self.words.next());
        next.ok_or_else(|| format!("{} needs {what} after it", self.word))
    }

    /// The next word as the name of a file. An option of the command stands there by mistake.
    fn file(&mut self, what: &str, command: &CommandSpec) -> Result<OsString, String> {
        let is_option = |next: &&OsString| {
            let (name, _) = split(next);
            next.starts_with("-") && command.option(&name).is_some()
        };
        match self.words.peek().filter(is_option) {
            Some(next) if self.attached.is_none() => {
                let next = next.shown();
                Err(format!(
                    "{} needs {what} after it, but {next} is an option (./{next} is a file)",
                    self.word
                ))
            }
            Some(_) | None => self.next(what),
        }
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
        next?.into_string().ok()
    }
}

/// The two numbers of a range in one word: `1920-1930`, `1920..1930`.
fn range_in_one(text: &str) -> Option<(u32, u32)> {
    let separators = ["..", "-", ":", ","];
    let (low, high) = separators.iter().find_map(|separator| text.split_once(separator))?;
    Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
}

/// Checks the numbers after an option.
fn numbers(word: &str, texts: &[String], range: RangeInclusive<i64>) -> Result<(), String> {
    let (least, most) = range.into_inner();
    let mut numbers = Vec::new();
    for text in texts {
        let number: i64 = text.parse().map_err(|_| format!("{word}: '{text}' is not a number"))?;
        if number < least {
            return Err(format!("{word}: {number} is less than {least}"));
        }
        if number > most {
            return Err(format!("{word}: {number} is more than {most}"));
        }
        numbers.push(number);
    }
    match numbers[..] {
        [low, high] if high < low => {
            Err(format!("{word}: the range {low} {high} is empty: the second number is smaller"))
        }
        _ => Ok(()),
    }
}

fn is_one_of(word: &str, words: impl IntoIterator<Item = &'static str>) -> bool {
    words.into_iter().any(|other| word.eq_ignore_ascii_case(other))
}
