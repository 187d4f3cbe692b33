//! The probable meaning of an unknown word: a tag, a player, a filter in another case.

use super::super::correction::{is_digits, search_filter, takes_search_string};
use crate::hir::Type;
use crate::keywords::{Keyword, KeywordClass};
use crate::lexer::is_designator;
use crate::synonyms::{self, Synonym};

/// Tags of the PGN standard without a filter of their own, in lowercase and in the case of files.
const TAGS: &[(&str, &str)] = &[
    ("annotator", "Annotator"),
    ("opening", "Opening"),
    ("plycount", "PlyCount"),
    ("round", "Round"),
    ("termination", "Termination"),
    ("timecontrol", "TimeControl"),
];

/// `white wins`, `black lost`, `white mates`: the filter for what the player did.
pub(super) fn result_of(color: Keyword, word: &str) -> Option<&'static str> {
    let is_white = color == Keyword::White;
    let wins = match word.to_ascii_lowercase().as_str() {
        // The side to move is mated.
        "mates" | "checkmates" => return Some(if is_white { "btm mate" } else { "wtm mate" }),
        "mated" | "checkmated" => return Some(if is_white { "wtm mate" } else { "btm mate" }),
        "win" | "wins" | "won" => true,
        "loss" | "lost" | "loses" => false,
        // After the move the other side is to move.
        "castle" | "castles" | "castled" => {
            return Some(if is_white { "btm castle" } else { "wtm castle" });
        }
        _ => return None,
    };
    Some(if wins == is_white { "result 1-0" } else { "result 0-1" })
}

/// The probable meaning of an unknown word.
pub(in super::super) enum WordMeaning {
    /// A color, which means one of the players.
    Player(Keyword),
    /// The rating of a player.
    Elo(Keyword),
    /// A tag without a filter of its own.
    Tag(&'static str),
    /// A filter, perhaps with a search string.
    Filter(Keyword),
    /// A word of chess that the language has another word for.
    Synonym(&'static Synonym),
}

impl WordMeaning {
    /// The probable meaning of the name. `lower` is the name in lowercase.
    pub(in super::super) fn of(name: &str, lower: &str) -> Option<WordMeaning> {
        let elo = |color| Some(WordMeaning::Elo(color));
        match lower {
            "whiteelo" => return elo(Keyword::White),
            "blackelo" => return elo(Keyword::Black),
            _ => {}
        }
        if let Some((_, tag)) = TAGS.iter().find(|(word, _)| *word == lower) {
            return Some(WordMeaning::Tag(tag));
        }
        if let Some(synonym) = synonyms::find(name) {
            return Some(WordMeaning::Synonym(synonym));
        }
        let keyword = Keyword::from_word(lower)?;
        // A keyword in its usual case has another error.
        if name == lower || keyword.class() == KeywordClass::Reserved {
            return None;
        }
        if matches!(keyword, Keyword::White | Keyword::Black) {
            Some(WordMeaning::Player(keyword))
        } else {
            let is_parameter = keyword.class() == KeywordClass::Parameter;
            (!is_parameter).then_some(WordMeaning::Filter(keyword))
        }
    }

    /// The tags that are words of their own here, in lowercase.
    pub(in super::super) fn tags() -> impl Iterator<Item = &'static str> {
        ["whiteelo", "blackelo"].into_iter().chain(TAGS.iter().map(|(word, _)| *word))
    }

    pub(super) fn alone(&self) -> String {
        match self {
            WordMeaning::Filter(keyword) => keyword.name().to_owned(),
            WordMeaning::Player(color) => format!("player {}", color.name()),
            WordMeaning::Elo(color) => format!("elo {} >= 2500", color.name()),
            WordMeaning::Tag(tag) => format!("tag \"{tag}\""),
            WordMeaning::Synonym(synonym) => synonym.query.to_owned(),
        }
    }

    /// The filter with the value that follows the word, if the value belongs to it.
    pub(super) fn with(&self, value: &str) -> Option<String> {
        Some(match self {
            WordMeaning::Filter(keyword) if takes_search_string(*keyword) => {
                search_filter(*keyword, None, value)
            }
            WordMeaning::Player(color) => value
                .split_whitespace()
                .next()
                .and_then(|word| result_of(*color, word))
                .map_or_else(|| search_filter(Keyword::Player, Some(*color), value), str::to_owned),
            WordMeaning::Elo(color) if is_digits(value) => {
                format!("elo {} >= {value}", color.name())
            }
            // `Sicilian Defense: Najdorf Variation`
            WordMeaning::Tag("Opening") => format!("\"{value}\" in {}", self.alone()),
            WordMeaning::Tag(_) => format!("{} == \"{value}\"", self.alone()),
            WordMeaning::Elo(_) | WordMeaning::Filter(_) | WordMeaning::Synonym(_) => return None,
        })
    }
}

/// A constant that is assigned to a variable.
pub(in super::super) enum AssignedValue<'q> {
    /// A string with this content.
    Text(&'q str),
    /// A number, or arithmetic as in `1-0`.
    Number,
}

/// The condition that an assignment means, from its name and its value as it is written; `None` if
/// it cannot be known: `eco "C50"` for `ECO = "C50"`.
pub(in super::super) fn condition(
    name: &str,
    value: &AssignedValue<'_>,
    written: &str,
) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let (content, is_text) = match value {
        AssignedValue::Text(content) => (*content, true),
        AssignedValue::Number => (written, false),
    };
    if lower == Keyword::Result.name() {
        let result = crate::hir::GameResult::of_name(content)?;
        return Some(format!("result {}", result.name()));
    }
    let meaning = WordMeaning::of(name, &lower)?;
    match &meaning {
        WordMeaning::Filter(keyword) => meaning.with(content).or_else(|| {
            let is_number = keyword.ty() == Some(Type::Number);
            let value = if is_number && is_digits(content) { content } else { written };
            let is_compared =
                matches!(keyword.class(), KeywordClass::Search | KeywordClass::Colored)
                    || matches!(keyword.ty(), Some(Type::Number | Type::String));
            is_compared.then(|| format!("{} == {value}", keyword.name()))
        }),
        WordMeaning::Player(_) => meaning.with(content).filter(|_| is_text),
        WordMeaning::Elo(color) => {
            is_digits(content).then(|| format!("elo {} == {content}", color.name()))
        }
        WordMeaning::Tag(_) => meaning.with(content),
        // `rooks = 2`
        WordMeaning::Synonym(synonym) => {
            let is_number = is_designator(synonym.query)
                || Keyword::from_word(synonym.query)
                    .is_some_and(|keyword| keyword.ty() == Some(Type::Number));
            let is_compared = is_number && !is_text && !synonym.is_example;
            is_compared.then(|| format!("{} == {written}", synonym.query))
        }
    }
}

/// The filter for a tag of PGN: `player white "Tal, Mihail"` for `[White "Tal, Mihail"]`.
pub(crate) fn tag_filter(name: &str, value: &str) -> String {
    if name == "Result" && crate::hir::GameResult::of_name(value).is_some() {
        return format!("result {value}");
    }
    let meaning = WordMeaning::of(name, &name.to_ascii_lowercase());
    let query = meaning.and_then(|meaning| meaning.with(value));
    query.unwrap_or_else(|| format!("tag \"{name}\" == \"{value}\""))
}
