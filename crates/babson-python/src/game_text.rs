//! The games of a record batch as PGN text.

use std::io::Write as _;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Date32Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch, StringArray};
use arrow_schema::DataType;
use arrow_select::take::take;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The columns that a game can be in. The first one that a row has counts.
pub(crate) const MOVES: [&str; 2] = ["movetext", "moves"];

/// The tags that a column can be, without the `_` and the capitals of its name.
const TAGS: [(&str, &str); 19] = [
    ("event", "Event"),
    ("site", "Site"),
    ("datetag", "Date"),
    ("date", "Date"),
    ("utcdate", "UTCDate"),
    ("utctime", "UTCTime"),
    ("round", "Round"),
    ("white", "White"),
    ("black", "Black"),
    ("result", "Result"),
    ("eco", "ECO"),
    ("opening", "Opening"),
    ("whiteelo", "WhiteElo"),
    ("blackelo", "BlackElo"),
    ("whitetitle", "WhiteTitle"),
    ("blacktitle", "BlackTitle"),
    ("timecontrol", "TimeControl"),
    ("fentag", "FEN"),
    ("fen", "FEN"),
];

/// The columns of a batch that make a game.
pub(crate) struct GameColumns {
    tags: Vec<(&'static str, StringArray)>,
    moves: Vec<StringArray>,
}

impl GameColumns {
    /// The columns of a batch.
    ///
    /// # Errors
    /// The batch lacks a column of moves, or the column holds something else.
    pub(crate) fn of(batch: &RecordBatch) -> PyResult<GameColumns> {
        let mut moves = Vec::new();
        for name in MOVES {
            let Some(column) = batch.column_by_name(name) else { continue };
            moves.push(move_texts(column).ok_or_else(|| {
                PyValueError::new_err(format!(
                    "the column {name} holds {}, which is not the text of games or a list of moves",
                    column.data_type()
                ))
            })?);
        }
        if moves.is_empty() {
            let schema = batch.schema();
            let names: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
            return Err(PyValueError::new_err(format!(
                "the batch has no column `movetext` or `moves`, which has the games; it has {}",
                names.join(", ")
            )));
        }
        let mut tags: Vec<(&'static str, StringArray)> = Vec::new();
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            let name = field.name().replace('_', "").to_ascii_lowercase();
            let Some((_, tag)) = TAGS.iter().find(|(known, _)| *known == name) else { continue };
            if tags.iter().all(|(other, _)| other != tag)
                && let Some(texts) = texts(column)
            {
                tags.push((tag, texts));
            }
        }
        Ok(GameColumns { tags, moves })
    }

    /// Writes the game of a row; `false` if the row has none.
    pub(crate) fn write(&self, row: usize, out: &mut Vec<u8>) -> bool {
        out.clear();
        let mut moves = self.moves.iter();
        let Some(moves) = moves.find(|moves| moves.is_valid(row)) else { return false };
        let moves = moves.value(row).trim();
        for (tag, values) in self.tags.iter().filter(|(_, values)| values.is_valid(row)) {
            let value = values.value(row).replace('\\', "\\\\").replace('"', "\\\"");
            let value = value.replace(['\n', '\r'], " ");
            if !value.is_empty() {
                // Writing to a vector cannot fail.
                let _ = writeln!(out, "[{tag} \"{value}\"]");
            }
        }
        // A text with tags of its own continues the section.
        if !moves.starts_with('[') {
            out.push(b'\n');
        }
        out.extend_from_slice(moves.as_bytes());
        out.push(b'\n');
        true
    }
}

/// The moves of games, as texts: texts, lists of texts, or the codes of a game table.
fn move_texts(column: &ArrayRef) -> Option<StringArray> {
    let item = match column.data_type() {
        DataType::List(item) | DataType::LargeList(item) => item.data_type().clone(),
        _ => return texts(column).filter(|_| !column.data_type().is_integer()),
    };
    let joined = |row: ArrayRef| -> Option<String> {
        let moves = texts(&row)?;
        // The codes of a game table. Spark and others read them as numbers of another type.
        if item.is_integer() {
            // What is not a code is damage.
            let code = |text: &str| text.parse().map_or_else(|_| "x".to_owned(), uci);
            let moves: Vec<String> = moves.iter().map(|text| code(text.unwrap_or(""))).collect();
            return Some(moves.join(" "));
        }
        // A move that is missing is damage, too.
        Some(moves.iter().map(|text| text.unwrap_or("x")).collect::<Vec<_>>().join(" "))
    };
    let rows: Vec<Option<String>> = match column.data_type() {
        DataType::List(_) => column.as_list::<i32>().iter().map(|row| joined(row?)).collect(),
        _ => column.as_list::<i64>().iter().map(|row| joined(row?)).collect(),
    };
    Some(rows.into_iter().collect())
}

/// A move of a game table in UCI notation: `docs/src/tables.md#moves`.
fn uci(code: u16) -> String {
    let square = |at: u16| [b'a' + (at & 7) as u8, b'1' + (at >> 3 & 7) as u8].map(char::from);
    let kind = code >> 12;
    match kind {
        8 => return "O-O".to_owned(),
        9 => return "O-O-O".to_owned(),
        14.. => return "x".to_owned(),
        _ => {}
    }
    let mut text: String = square(code & 63).into_iter().chain(square(code >> 6 & 63)).collect();
    if let Some(piece) = kind.checked_sub(10).and_then(|piece| "nbrq".chars().nth(piece.into())) {
        text.push(piece);
    }
    text
}

/// A column as texts; `None` if its values have no text.
fn texts(column: &ArrayRef) -> Option<StringArray> {
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().clone(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().collect(),
        DataType::Utf8View => column.as_string_view().iter().collect(),
        DataType::Binary => bytes(column.as_binary::<i32>().iter()),
        DataType::LargeBinary => bytes(column.as_binary::<i64>().iter()),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let values: ArrayRef = Arc::new(texts(dictionary.values())?);
            take(&values, dictionary.keys(), None).ok()?.as_string::<i32>().clone()
        }
        DataType::Int8 => numbers::<Int8Type>(column),
        DataType::Int16 => numbers::<Int16Type>(column),
        DataType::Int32 => numbers::<Int32Type>(column),
        DataType::Int64 => numbers::<Int64Type>(column),
        DataType::UInt8 => numbers::<UInt8Type>(column),
        DataType::UInt16 => numbers::<UInt16Type>(column),
        DataType::UInt32 => numbers::<UInt32Type>(column),
        DataType::UInt64 => numbers::<UInt64Type>(column),
        DataType::Date32 => {
            let days = column.as_primitive::<Date32Type>().iter();
            days.map(|days| days.map(day)).collect()
        }
        _ => return None,
    })
}

fn numbers<T: ArrowPrimitiveType>(column: &ArrayRef) -> StringArray
where
    T::Native: ToString,
{
    let numbers = column.as_primitive::<T>().iter();
    numbers.map(|number| number.map(|number| number.to_string())).collect()
}

/// Bytes that are not UTF-8 are read as Latin-1, the encoding of PGN.
fn bytes<'b>(values: impl Iterator<Item = Option<&'b [u8]>>) -> StringArray {
    let text = |bytes: &[u8]| babson::pgn::tags::decode(bytes).into_owned();
    values.map(|value| value.map(text)).collect()
}

/// A number of days after 1970-01-01 as PGN writes a day.
fn day(days: i32) -> String {
    let days = i64::from(days) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (year + era * 400, month + 3);
    let (year, month) = if month > 12 { (year + 1, month - 12) } else { (year, month) };
    format!("{year:04}.{month:02}.{day:02}")
}
