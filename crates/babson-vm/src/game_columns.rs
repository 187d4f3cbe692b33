//! The columns of a game that come from its tags, the same in every output with columns.

use std::borrow::Cow;

use babson_pgn::Game;
use babson_pgn::tags::{normal, value_text};
use serde::{Deserialize, Serialize};

use crate::Outcome;

/// The tags of a game that are columns of their own, after `settag` and `removetag`. A column is
/// `None` if the game does not have its tag, or if the tag does not say what the column holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct GameColumns {
    /// The `White` tag.
    pub white: Option<String>,
    /// The `Black` tag.
    pub black: Option<String>,
    /// The rating of White, from 1 to 4000.
    pub white_elo: Option<u32>,
    /// The rating of Black.
    pub black_elo: Option<u32>,
    /// The result after the moves, otherwise the `Result` tag.
    pub result: Option<String>,
    /// The `Event` tag.
    pub event: Option<String>,
    /// The `Site` tag.
    pub site: Option<String>,
    /// The `Round` tag.
    pub round: Option<String>,
    /// The day of the game, as `1921-05-07`.
    pub date: Option<String>,
    /// The year of the game.
    pub year: Option<u32>,
    /// The month of the game, from 1 to 12.
    pub month: Option<u32>,
    /// The `ECO` tag.
    pub eco: Option<String>,
}

impl GameColumns {
    /// The columns of a game with what a query changed of it.
    pub fn of(game: &Game<'_>, outcome: &Outcome) -> GameColumns {
        let text = |name| {
            let value = tag_value(game, outcome, name);
            (!value.is_empty()).then(|| value.into_owned())
        };
        let elo = |name| normal::elo(tag_value(game, outcome, name).as_bytes());
        let date = tag_value(game, outcome, "Date");
        GameColumns {
            white: text("White"),
            black: text("Black"),
            white_elo: elo("WhiteElo"),
            black_elo: elo("BlackElo"),
            result: text("Result"),
            event: text("Event"),
            site: text("Site"),
            round: text("Round"),
            date: normal::full_date(date.as_bytes()).map(|date| date.to_string()),
            year: normal::year(date.as_bytes()),
            month: normal::month(date.as_bytes()),
            eco: text("ECO"),
        }
    }

    /// The bytes of its texts.
    pub(crate) fn bytes(&self) -> usize {
        let GameColumns { white, black, result, event, site, round, date, eco, .. } = self;
        let texts = [white, black, result, event, site, round, date, eco];
        texts.into_iter().flatten().map(String::len).sum()
    }
}

/// The value of a tag as it is written, as text without the backslashes of PGN: the value of
/// `settag`, otherwise the tag of the game. Empty if there is none, or the query removed it.
pub fn tag_value<'t>(game: &Game<'t>, outcome: &'t Outcome, name: &str) -> Cow<'t, str> {
    if outcome.removed_tags.iter().any(|removed| removed == name) {
        return Cow::Borrowed("");
    }
    let set = outcome.tags.iter().find(|tag| tag.0 == name);
    match set {
        Some((_, value)) => value_text(value),
        None if name == "Result" => value_text(game.result_tag()),
        None => value_text(game.tag(name.as_bytes()).unwrap_or_default()),
    }
}
