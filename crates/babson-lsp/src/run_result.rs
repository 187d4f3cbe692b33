//! What a search has found.

use std::fmt::Write as _;

use serde_json::{Value, json};

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
}

impl RunResult {
    /// The numbers in a few words.
    pub(crate) fn summary(&self) -> String {
        let plural = |count: u64, one: &str, many: &str| {
            format!("{} {}", grouped(count), if count == 1 { one } else { many })
        };
        let mut text = format!(
            "{} in {}, {:.2} s",
            plural(self.matches, "match", "matches"),
            plural(self.games, "game", "games"),
            self.seconds
        );
        if let Some(why) = &self.stopped {
            let _ = write!(text, " ({why})");
        }
        text
    }

    /// The answer of `babson.run`.
    pub(crate) fn answer(&self) -> Value {
        json!({
            "matches": self.matches,
            "games": self.games,
            "seconds": (self.seconds * 1000.0).round() / 1000.0,
            "items": self.items,
            "stopped": self.stopped,
        })
    }
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
    fn numbers_have_groups() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234), "1,234");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
