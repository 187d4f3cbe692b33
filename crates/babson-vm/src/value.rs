//! The value of a query at a position.

use std::fmt;

use babson_chess::{Color, Piece, Square, SquareSet};
use serde::{Deserialize, Serialize};

use crate::filters::text;

/// The value of a filter at a position.
///
/// Its text ([`Display`](fmt::Display)) is what the filter `str` prints. It serializes as one pair
/// of its type and a plain value:
///
/// ```
/// use babson_chess::SquareSet;
/// use babson_vm::Value;
///
/// let corners = Value::Set(SquareSet(0x8100_0000_0000_0081));
/// assert_eq!(corners.to_string(), "[a1,h1,a8,h8]");
/// let json = serde_json::to_string(&corners).unwrap();
/// assert_eq!(json, r#"{"set":["a1","h1","a8","h8"]}"#);
/// assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), corners);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "SerializedValue", try_from = "SerializedValue")]
pub enum Value {
    /// Whether a filter without another value matches.
    Bool(bool),
    /// A number.
    Number(i32),
    /// A set of squares.
    Set(SquareSet),
    /// A string of bytes. Strings from games are often not UTF-8.
    Text(Vec<u8>),
    /// A position of the game.
    Position(PositionValue),
    /// A piece and its square.
    Piece(Piece, Square),
    /// A variable for a piece that is not on the board.
    AbsentPiece,
}

impl Value {
    /// Returns the squares of a set, or the square of a piece on the board. Empty for any other
    /// value.
    pub fn squares(&self) -> SquareSet {
        match self {
            Value::Set(set) => *set,
            Value::Piece(_, square) => SquareSet::of(*square),
            Value::Bool(_)
            | Value::Number(_)
            | Value::Text(_)
            | Value::Position(_)
            | Value::AbsentPiece => SquareSet::EMPTY,
        }
    }
}

/// A position of the game that a query evaluates, or a saved one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PositionValue {
    /// Its id in the game. A saved position has a greater id than any position of the game.
    pub id: u32,
    /// The number of the move that is to be made.
    pub move_number: i32,
    /// The side to move.
    #[serde(with = "SerializedColor")]
    pub side: Color,
    /// Whether it is a position of the main line.
    pub in_main_line: bool,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        match self {
            Value::Bool(true) => return f.pad("<true>"),
            Value::Bool(false) => return f.pad("<false>"),
            Value::Number(number) => text::number(&mut out, *number),
            Value::Set(set) => text::set(&mut out, *set),
            Value::Text(bytes) => return f.pad(&String::from_utf8_lossy(bytes)),
            Value::Position(position) => return position.fmt(f),
            Value::Piece(piece, square) => text::piece(&mut out, *piece, *square),
            Value::AbsentPiece => return f.pad("[absent]"),
        }
        f.pad(&String::from_utf8_lossy(&out))
    }
}

impl fmt::Display for PositionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Color::White => "wtm",
            Color::Black => "btm",
        };
        write!(f, "move {}({side})", self.move_number)?;
        if self.in_main_line { Ok(()) } else { write!(f, "[{}]", self.id) }
    }
}

/// How a [`Value`] is written by serde.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SerializedValue {
    Bool(bool),
    Number(i32),
    Set(Vec<String>),
    Text(String),
    /// A text that is not UTF-8.
    Bytes(Vec<u8>),
    Position(PositionValue),
    /// The letter and the square, such as `Ke1`; without a square if the piece is absent.
    Piece(Option<String>),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Color", rename_all = "snake_case")]
enum SerializedColor {
    White,
    Black,
}

/// A serialized value whose squares or piece cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum ReadValueError {
    #[error("not the name of a square")]
    Square(#[from] babson_chess::ParseSquareError),
    #[error("not a piece and its square")]
    Piece,
}

impl From<Value> for SerializedValue {
    fn from(value: Value) -> SerializedValue {
        match value {
            Value::Bool(matches) => SerializedValue::Bool(matches),
            Value::Number(number) => SerializedValue::Number(number),
            Value::Set(set) => {
                SerializedValue::Set(set.iter().map(|square| square.to_string()).collect())
            }
            Value::Text(bytes) => match String::from_utf8(bytes) {
                Ok(text) => SerializedValue::Text(text),
                Err(error) => SerializedValue::Bytes(error.into_bytes()),
            },
            Value::Position(position) => SerializedValue::Position(position),
            Value::Piece(piece, square) => SerializedValue::Piece(Some(format!("{piece}{square}"))),
            Value::AbsentPiece => SerializedValue::Piece(None),
        }
    }
}

impl TryFrom<SerializedValue> for Value {
    type Error = ReadValueError;

    fn try_from(value: SerializedValue) -> Result<Value, ReadValueError> {
        Ok(match value {
            SerializedValue::Bool(matches) => Value::Bool(matches),
            SerializedValue::Number(number) => Value::Number(number),
            SerializedValue::Set(names) => {
                let mut set = SquareSet::EMPTY;
                for name in names {
                    set.insert(name.parse()?);
                }
                Value::Set(set)
            }
            SerializedValue::Text(text) => Value::Text(text.into_bytes()),
            SerializedValue::Bytes(bytes) => Value::Text(bytes),
            SerializedValue::Position(position) => Value::Position(position),
            SerializedValue::Piece(Some(text)) => {
                let (letter, square) = text.split_at_checked(1).ok_or(ReadValueError::Piece)?;
                let letter = letter.bytes().next().and_then(Piece::from_letter);
                Value::Piece(letter.ok_or(ReadValueError::Piece)?, square.parse()?)
            }
            SerializedValue::Piece(None) => Value::AbsentPiece,
        })
    }
}

#[cfg(test)]
mod tests {
    use babson_chess::Kind;

    use super::*;

    /// The text and the JSON of a value, which is read back from it.
    fn forms(value: &Value) -> [String; 2] {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<Value>(&json).unwrap(), value);
        [value.to_string(), json]
    }

    #[test]
    fn each_type_has_a_text_and_a_json_form() {
        assert_eq!(forms(&Value::Bool(false)), ["<false>", r#"{"bool":false}"#]);
        assert_eq!(forms(&Value::Number(-3)), ["-3", r#"{"number":-3}"#]);
        assert_eq!(forms(&Value::Set(SquareSet::EMPTY)), ["[]", r#"{"set":[]}"#]);
        assert_eq!(forms(&Value::Text(b"a\"".to_vec())), ["a\"", r#"{"text":"a\""}"#]);
        let latin1 = Value::Text(b"\xFC".to_vec());
        assert_eq!(forms(&latin1), ["\u{FFFD}", r#"{"bytes":[252]}"#]);
        let king = Value::Piece(Piece::new(Color::White, Kind::King), Square::E1);
        assert_eq!(forms(&king), ["Ke1", r#"{"piece":"Ke1"}"#]);
        assert_eq!(forms(&Value::AbsentPiece), ["[absent]", r#"{"piece":null}"#]);
        let side = Color::Black;
        let here = PositionValue { id: 7, move_number: 4, side, in_main_line: false };
        let json = r#"{"position":{"id":7,"move_number":4,"side":"black","in_main_line":false}}"#;
        assert_eq!(forms(&Value::Position(here)), ["move 4(btm)[7]", json]);
    }

    #[test]
    fn what_is_not_a_value_is_not_read() {
        for wrong in [r#"{"set":["i9"]}"#, r#"{"piece":"é1"}"#, r#"{"piece":"K"}"#, "3"] {
            assert!(serde_json::from_str::<Value>(wrong).is_err(), "{wrong}");
        }
    }
}
