//! What a search or a scan reports.

use babson_pgn::Shown;
use serde::{Deserialize, Serialize};

use crate::{GameDamage, InputReason, Match, RuntimeError};

/// What a search or a scan reports. The events come in the order of the games. A query is given by
/// its index among the queries of the scan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// A game matched.
    Match {
        /// The query.
        query: usize,
        /// The match.
        hit: Match,
    },
    /// A game matched. It comes in place of [`Event::Match`] to whoever does not need the match as
    /// data, which costs time.
    Matched {
        /// The query.
        query: usize,
        /// The number of the game, from 1 over all inputs.
        game: u64,
    },
    /// The `message` filters of a query printed these whole lines for one game or for several.
    Message {
        /// The query.
        query: usize,
        /// The number of the game, if they are of one game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<u64>,
        /// The lines.
        #[serde(with = "text")]
        lines: Vec<u8>,
    },
    /// A game is damaged. It was searched up to the damage, or left out if nothing of it can be
    /// read.
    Damaged(DamagedGame),
    /// A game was read leniently, and nothing of it was lost.
    Noted(DamagedGame),
    /// A run-time error ended the evaluation of a query on a game.
    RuntimeError {
        /// The query.
        query: usize,
        /// The number of the game; `None` outside the games.
        game: Option<u64>,
        /// The error.
        error: RuntimeError,
    },
    /// An input could not be read to its end. The games before this event were read.
    BrokenInput(BrokenInput),
    /// The system could start only some of the threads that the run wanted. The results are the
    /// same.
    FewerThreads {
        /// How many threads were started.
        started: usize,
        /// How many threads the run wanted.
        wanted: usize,
    },
    /// More games are finished.
    Progress(Progress),
}

/// A game with a damage or a note. A damaged game is kept and searched up to the damage; one of
/// which nothing can be read, such as a damaged row of a game table, is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DamagedGame {
    /// The input, as it is named in messages.
    pub input: String,
    /// Line of the damage in the (decompressed) input, from 1.
    pub line: u64,
    /// Game number, from 1 over all inputs.
    pub game: u64,
    /// What the damage is.
    pub reason: GameDamage,
    /// The offending text: at most 80 bytes of it.
    #[serde(with = "text")]
    pub text: Vec<u8>,
    /// How many other damages (or notes) the game has.
    pub more: usize,
}

/// An input that could not be read to its end. The scan goes on with the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BrokenInput {
    /// The input, as it is named in messages.
    pub input: String,
    /// What could not be done.
    pub failure: InputFailure,
    /// Why.
    pub reason: InputReason,
    /// How many of its games were read, the last one perhaps not to its end.
    pub games: u64,
    /// The number of the last game that was read before the failure, over all inputs, if there is
    /// one.
    pub last_game: Option<u64>,
}

/// What could not be done with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum InputFailure {
    /// It cannot be opened or read, or is of another kind than its name says.
    Read,
    /// It is compressed or in an archive, and its text cannot be restored.
    Decompress,
    /// It is a damaged game table.
    Table,
    /// It has text, but neither a tag pair nor a move.
    NotPgn,
}

impl DamagedGame {
    /// The damage of a game, without its text.
    pub fn new(
        input: impl Into<String>,
        line: u64,
        game: u64,
        reason: impl Into<GameDamage>,
    ) -> DamagedGame {
        let (input, reason) = (input.into(), reason.into());
        DamagedGame { input, line, game, reason, text: Vec::new(), more: 0 }
    }
}

impl BrokenInput {
    /// An input that could not be read.
    pub fn new(input: String, failure: InputFailure, reason: InputReason) -> BrokenInput {
        BrokenInput { input, failure, reason, games: 0, last_game: None }
    }

    /// Why, and how many of its games were read, as messages tell it.
    pub fn full_reason(&self) -> String {
        match self.games {
            0 => self.reason.to_string(),
            1 => format!("{} (after 1 game)", self.reason),
            games => format!("{} (after {games} games)", self.reason),
        }
    }
}

/// The progress of a scan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// Games read.
    pub games: u64,
    /// Bytes of text read, after decompression.
    pub bytes: u64,
    /// Bytes of the inputs read, before decompression. At the end it is the sum of their sizes, if
    /// all were read to their ends.
    pub input_bytes: u64,
    /// Games that matched, over all queries.
    pub matches: u64,
}

impl std::fmt::Display for DamagedGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let DamagedGame { input, line, game, reason, .. } = self;
        write!(f, "{}:{line}: game {game}: {reason}", Shown(input))
    }
}

impl std::fmt::Display for BrokenInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verb = match self.failure {
            InputFailure::Read | InputFailure::Table | InputFailure::NotPgn => "read",
            InputFailure::Decompress => "decompress",
        };
        write!(f, "cannot {verb} {}: {}", Shown(&self.input), self.full_reason())
    }
}

/// Bytes of text in formats for people: a string if they are UTF-8, otherwise a list of numbers. In
/// other formats they are bytes.
mod text {
    use std::fmt;

    use serde::de::{SeqAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) if serializer.is_human_readable() => serializer.serialize_str(text),
            Ok(_) | Err(_) => bytes.serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<u8>, D::Error> {
        struct TextVisitor;

        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of bytes")
            }

            fn visit_str<E>(self, text: &str) -> Result<Vec<u8>, E> {
                Ok(text.as_bytes().to_vec())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<u8>, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = list.next_element()? {
                    bytes.push(byte);
                }
                Ok(bytes)
            }
        }

        if source.is_human_readable() {
            source.deserialize_any(TextVisitor)
        } else {
            Vec::deserialize(source)
        }
    }
}

#[cfg(test)]
mod tests {
    use babson_lang::Span;
    use babson_pgn::DamageReason;

    use super::*;
    use crate::RunLimit;

    fn json(event: &Event) -> String {
        let json = serde_json::to_string(event).unwrap();
        assert_eq!(&serde_json::from_str::<Event>(&json).unwrap(), event);
        json
    }

    #[test]
    fn events_are_json_objects() {
        let damaged = |text: &[u8]| DamagedGame {
            input: "a.pgn".to_owned(),
            line: 3,
            game: 2,
            reason: DamageReason::IllegalMove.into(),
            text: text.to_vec(),
            more: 0,
        };
        let rest = r#""input":"a.pgn","line":3,"game":2,"reason":"illegal move""#;
        let expected = format!(r#"{{"event":"damaged",{rest},"text":"Ke9","more":0}}"#);
        assert_eq!(json(&Event::Damaged(damaged(b"Ke9"))), expected);
        let expected = format!(r#"{{"event":"noted",{rest},"text":[252],"more":0}}"#);
        assert_eq!(json(&Event::Noted(damaged(b"\xFC"))), expected);
        assert_eq!(
            json(&Event::Message { query: 1, game: Some(7), lines: b"a\n".to_vec() }),
            r#"{"event":"message","query":1,"game":7,"lines":"a\n"}"#
        );
        let error = RuntimeError {
            filter: "while".into(),
            span: Span::new(0, 5),
            position: 0,
            message: "too long".to_owned(),
            fatal: false,
            limit: Some(RunLimit::Steps),
        };
        let text = json(&Event::RuntimeError { query: 0, game: Some(7), error });
        assert!(text.contains(r#""filter":"while""#) && text.contains(r#""limit":"steps""#));
        let mut broken =
            BrokenInput::new("a.gz".to_owned(), InputFailure::Decompress, "it ends early".into());
        assert_eq!(broken.to_string(), "cannot decompress a.gz: it ends early");
        (broken.games, broken.last_game) = (7, Some(9));
        assert_eq!(broken.to_string(), "cannot decompress a.gz: it ends early (after 7 games)");
        assert_eq!(
            json(&Event::BrokenInput(broken)),
            r#"{"event":"broken_input","input":"a.gz","failure":"decompress","reason":"it ends early","games":7,"last_game":9}"#
        );
        let progress = json(&Event::Progress(Progress { games: 4, ..Progress::default() }));
        assert!(progress.starts_with(r#"{"event":"progress","games":4"#), "{progress}");
        let text = json(&Event::Matched { query: 1, game: 5 });
        assert_eq!(text, r#"{"event":"matched","query":1,"game":5}"#);
        let text = json(&Event::FewerThreads { started: 2, wanted: 8 });
        assert_eq!(text, r#"{"event":"fewer_threads","started":2,"wanted":8}"#);
        let hit = Match { game: 5, ..Match::default() };
        let text = json(&Event::Match { query: 0, hit });
        assert!(text.starts_with(r#"{"event":"match","query":0,"hit":{"game":5"#), "{text}");
    }
}
