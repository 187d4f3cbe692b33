//! The values of options: the words that a row allows, what was read, and what it sets.

use std::ffi::OsString;
use std::fmt;

use crate::config::{ConfigBuilder, Template};

/// What an option does with its value.
pub(crate) enum Update<T: 'static> {
    /// Nothing: it is always so, or cannot matter, or the program looks for the option itself.
    Nothing,
    Set(fn(&mut ConfigBuilder, T)),
    /// Sets what the value means. The error is what is wrong with it.
    Read(fn(&mut ConfigBuilder, T) -> Result<(), String>),
    /// Becomes a part of the query.
    Filter(fn(T) -> Result<Template, String>),
}

impl<T> Update<T> {
    fn apply(&self, config: &mut ConfigBuilder, value: T) -> Result<(), String> {
        match self {
            Update::Nothing => {}
            Update::Set(set) => set(config, value),
            Update::Read(read) => read(config, value)?,
            Update::Filter(template) => config.filter(template(value)),
        }
        Ok(())
    }
}

impl<T> fmt::Debug for Update<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Update")
    }
}

/// The words after an option, and what it does with its value.
#[derive(Debug)]
pub(crate) enum OptionValue {
    /// Nothing.
    Flag(Update<()>),
    /// Nothing. With `no` before the name it has the opposite meaning.
    Switch(Update<bool>),
    /// A text of one word, with its name in the help.
    Text(&'static str, Update<String>),
    /// One of a few words, with their name in the help.
    Choice(&'static str, &'static [&'static str], Update<String>),
    /// The name of a file, with its name in the help. It need not be UTF-8.
    File(&'static str, Update<OsString>),
    /// A whole number with this minimum and this maximum.
    Number(u64, u64, Update<u64>),
    /// One number, or the two ends of a range.
    Range(Update<(i64, i64)>),
    /// A whole number with this minimum, or nothing.
    OptionalNumber(u64, Update<Option<u64>>),
    /// As `Range`, or nothing.
    OptionalRange(Update<Option<(i64, i64)>>),
    /// Two texts.
    Pair(&'static str, Update<[String; 2]>),
    /// Any of `nosort` and `notransform`, and a file, whose name becomes a text of the query.
    Similar(Update<(Vec<String>, String)>),
    /// A key of the filter `hhdb`, and the words that belong to it.
    Hhdb(Update<Vec<String>>),
}

/// The value of an option, and what its row does with it.
#[derive(Clone, Debug)]
pub(crate) enum ParsedValue {
    Flag(&'static Update<()>),
    Switch(bool, &'static Update<bool>),
    /// Also one of a few words.
    Text(String, &'static Update<String>),
    File(OsString, &'static Update<OsString>),
    Number(u64, &'static Update<u64>),
    Range((i64, i64), &'static Update<(i64, i64)>),
    OptionalNumber(Option<u64>, &'static Update<Option<u64>>),
    OptionalRange(Option<(i64, i64)>, &'static Update<Option<(i64, i64)>>),
    Pair([String; 2], &'static Update<[String; 2]>),
    Similar((Vec<String>, String), &'static Update<(Vec<String>, String)>),
    Hhdb(Vec<String>, &'static Update<Vec<String>>),
}

impl ParsedValue {
    /// Does to the configuration what the row of the option says.
    ///
    /// # Errors
    /// What is wrong with the value.
    pub(super) fn update(&self, config: &mut ConfigBuilder) -> Result<(), String> {
        match self {
            ParsedValue::Flag(update) => update.apply(config, ()),
            ParsedValue::Switch(on, update) => update.apply(config, *on),
            ParsedValue::Text(text, update) => update.apply(config, text.clone()),
            ParsedValue::File(file, update) => update.apply(config, file.clone()),
            ParsedValue::Number(number, update) => update.apply(config, *number),
            ParsedValue::Range(range, update) => update.apply(config, *range),
            ParsedValue::OptionalNumber(number, update) => update.apply(config, *number),
            ParsedValue::OptionalRange(range, update) => update.apply(config, *range),
            ParsedValue::Pair(texts, update) => update.apply(config, texts.clone()),
            ParsedValue::Similar(words, update) => update.apply(config, words.clone()),
            ParsedValue::Hhdb(words, update) => update.apply(config, words.clone()),
        }
    }
}
