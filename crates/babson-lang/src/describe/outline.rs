//! Sentences and what is listed below them.

use std::fmt::Write as _;

use crate::limits::{MAX_DESCRIBED_LINES, MAX_JOINED_SENTENCE};

/// A sentence, or a part of one, with the parts that are listed below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) text: String,
    pub(super) parts: Vec<Item>,
}

impl Item {
    /// A sentence without parts.
    pub(super) fn plain(text: impl Into<String>) -> Item {
        Item { text: text.into(), parts: Vec::new() }
    }

    /// A sentence with the parts that all hold. Its text ends with a colon. A single short part is
    /// written on the same line.
    pub(super) fn with_parts(text: impl Into<String>, parts: Vec<Item>) -> Item {
        let mut text = text.into();
        if parts.len() > 1 {
            text = of_several(&text);
        }
        Item::with_actions(text, parts)
    }

    /// Like [`Self::with_parts`], but the parts are actions, done one after the other, so the text
    /// does not say that all of them hold.
    pub(super) fn with_actions(text: impl Into<String>, mut parts: Vec<Item>) -> Item {
        let mut text = text.into();
        if let [part] = parts.as_slice()
            && part.parts.is_empty()
            && text.len() + part.text.len() <= MAX_JOINED_SENTENCE
        {
            text.push(' ');
            text.push_str(&part.text);
            parts.clear();
        }
        Item { text, parts }
    }

    /// The text, if nothing is listed below it.
    pub(super) fn inline(&self) -> Option<&str> {
        self.parts.is_empty().then_some(self.text.as_str())
    }
}

/// The beginning of a sentence, for several parts instead of one.
fn of_several(text: &str) -> String {
    const ALL: &str = "all of these hold:";
    let text = text.strip_suffix(':').unwrap_or(text);
    if let Some(begin) =
        text.strip_suffix("this holds").or(text.strip_suffix("the following holds"))
    {
        return format!("{begin}{ALL}");
    }
    if let Some(begin) = text.strip_suffix("this must hold") {
        return format!("{begin}all of these must hold:");
    }
    match text.ends_with("which") {
        true => format!("{text} {ALL}"),
        false => format!("{text}, {ALL}"),
    }
}

/// The text without the parentheses around it.
pub(super) fn without_parentheses(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let Some(inner) = inner else { return text };
    let mut depth = 0_i32;
    let closes_early = inner.chars().any(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth < 0
    });
    if closes_early { text } else { inner }
}

/// The items as lines, parts indented below the sentence that they belong to.
pub(super) fn lines(items: &[Item]) -> Vec<String> {
    let mut lines = Vec::new();
    for item in items {
        lines.push(item.text.clone());
        add_parts(&item.parts, 0, &mut lines);
    }
    let more = lines.len().saturating_sub(MAX_DESCRIBED_LINES);
    if more > 0 {
        lines.truncate(MAX_DESCRIBED_LINES);
        lines.push(format!("… and {more} more lines"));
    }
    lines
}

fn add_parts(parts: &[Item], depth: usize, lines: &mut Vec<String>) {
    for part in parts {
        // The items after the last line that is shown are only counted.
        let mut line = String::new();
        if lines.len() <= MAX_DESCRIBED_LINES {
            let _ = write!(line, "{}- {}", "  ".repeat(depth), part.text);
        }
        lines.push(line);
        add_parts(&part.parts, depth + 1, lines);
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn list(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// `2 to 4`; an interval without numbers says so.
pub(super) fn from_to(least: i64, greatest: i64) -> String {
    let note = if least > greatest { " (an impossible number)" } else { "" };
    format!("{least} to {greatest}{note}")
}

/// The word for one thing, or for several.
pub(super) fn plural<'w>(count: i64, one: &'w str, several: &'w str) -> &'w str {
    if count == 1 { one } else { several }
}

/// A text in quotes, on one line.
pub(super) fn quoted(text: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(text))
}
