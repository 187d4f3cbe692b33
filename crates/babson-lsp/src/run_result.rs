//! What a search has found, and what it said.

use std::fmt::Write as _;

use babson_api::{MAX_TOLD_ERRORS, untold_errors};
use serde_json::{Value, json};

use crate::limits::MAX_SHOWN_MESSAGES;

/// A finished search.
#[derive(Clone, Debug)]
pub(crate) struct RunResult {
    /// The query that was searched.
    pub(crate) text: String,
    pub(crate) matches: u64,
    pub(crate) games: u64,
    pub(crate) seconds: f64,
    /// The first matches, as `/api/search` writes them, with their games.
    pub(crate) items: Vec<Value>,
    /// The games of these matches as PGN.
    pub(crate) pgn: String,
    /// Why the search ended before the last game.
    pub(crate) stopped: Option<String>,
    /// Errors of games, damages, broken files, and what the `message` filters printed.
    pub(crate) messages: Messages,
}

/// What a search says besides its matches, in the order of the games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Messages {
    texts: Vec<String>,
    /// The number of games in which the query failed.
    failed: usize,
    /// The number of all others.
    others: usize,
}

impl Messages {
    /// The query failed in a game.
    pub(crate) fn add_error(&mut self, text: impl FnOnce() -> String) {
        self.failed += 1;
        if self.failed <= MAX_TOLD_ERRORS {
            self.texts.push(text());
        }
    }

    pub(crate) fn add(&mut self, text: impl FnOnce() -> String) {
        self.others += 1;
        if self.others <= MAX_TOLD_ERRORS {
            self.texts.push(text());
        }
    }

    /// The texts, and how many are left out.
    fn told(&self) -> Vec<String> {
        let mut told = self.texts.clone();
        told.extend(untold_errors(self.failed));
        if let Some(more @ 1..) = self.others.checked_sub(MAX_TOLD_ERRORS) {
            told.push(format!("and {more} more message{}", if more == 1 { "" } else { "s" }));
        }
        told
    }
}

impl RunResult {
    /// The numbers in a few words.
    pub(crate) fn summary(&self) -> String {
        let mut text = format!(
            "{} in {}, {:.2} s",
            plural(self.matches, "match", "matches"),
            plural(self.games, "game", "games"),
            self.seconds
        );
        if self.messages.failed > 0 {
            let games = plural(self.messages.failed as u64, "game", "games");
            let _ = write!(text, ", the query fails in {games}");
        }
        if self.messages.others > 0 {
            let messages = plural(self.messages.others as u64, "message", "messages");
            let _ = write!(text, ", {messages}");
        }
        if let Some(why) = &self.stopped {
            let _ = write!(text, " ({why})");
        }
        text
    }

    /// The numbers and the first messages, each in a line, for an editor that shows no answer.
    pub(crate) fn text_for_user(&self) -> String {
        let told = self.messages.told();
        let mut lines = vec![self.summary()];
        lines.extend(told.iter().take(MAX_SHOWN_MESSAGES).cloned());
        if told.len() > MAX_SHOWN_MESSAGES {
            lines.push("…".to_owned());
        }
        lines.join("\n")
    }

    /// The answer of `babson.run`.
    pub(crate) fn answer(&self) -> Value {
        json!({
            "matches": self.matches,
            "games": self.games,
            "seconds": (self.seconds * 1000.0).round() / 1000.0,
            "items": self.items,
            "stopped": self.stopped,
            "messages": self.messages.told(),
        })
    }
}

fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// A number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_counted_beyond_what_is_told() {
        let mut messages = Messages::default();
        for number in 0..MAX_TOLD_ERRORS + 3 {
            messages.add_error(|| format!("game {number}: too long"));
        }
        for _ in 0..MAX_TOLD_ERRORS + 1 {
            messages.add(|| "damaged".to_owned());
        }
        let told = messages.told();
        assert_eq!(told.len(), 2 * MAX_TOLD_ERRORS + 2);
        let last = told.last_chunk::<2>().unwrap();
        assert_eq!(last, &["the query fails in 3 more games", "and 1 more message"]);
        let result = RunResult {
            text: String::new(),
            matches: 0,
            games: 2000,
            seconds: 1.0,
            items: Vec::new(),
            pgn: String::new(),
            stopped: None,
            messages,
        };
        let text = result.text_for_user();
        let first = "0 matches in 2,000 games, 1.00 s, the query fails in 103 games, 101 messages";
        assert_eq!(text.lines().next(), Some(first));
        assert_eq!(text.lines().count(), MAX_SHOWN_MESSAGES + 2);
    }

    #[test]
    fn numbers_have_groups() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234), "1,234");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
