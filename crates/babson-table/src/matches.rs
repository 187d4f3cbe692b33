//! The columns of matches. The table that a search writes has them after the columns of the
//! games.

use std::sync::Arc;

use arrow_array::builder::{
    Int32Builder, ListBuilder, PrimitiveBuilder, StringBuilder, UInt32Builder,
};
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, Int32Array, StringArray, UInt64Array};
use arrow_schema::{DataType, Field};

use crate::match_row::{MatchQuery, MatchRow, SortCell, SortType};

/// The arrays of some matches, in the order of
/// [`match_fields`](crate::schema::match_fields). The name of the query is its number, 0.
pub(crate) fn arrays(query: &MatchQuery, rows: &[MatchRow]) -> Vec<ArrayRef> {
    let ids = |row: &MatchRow| row.positions.iter().map(|position| position.id).collect();
    let plies = |row: &MatchRow| row.positions.iter().map(|position| position.ply).collect();
    let comment_ids = |row: &MatchRow| row.comments.iter().map(|(id, _)| *id).collect();
    let field_ids = |row: &MatchRow| row.fields.iter().map(|field| field.id).collect();
    let mut arrays: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![0; rows.len()])),
        Arc::new(rows.iter().map(|row| row.game).collect::<UInt64Array>()),
        numbers(rows, UInt32Builder::new(), ids),
        numbers(rows, UInt32Builder::new(), plies),
        optional_texts(rows, |row| {
            row.positions.iter().map(|position| some_text(position.mv.as_str()))
        }),
        optional_texts(rows, |row| {
            row.positions.iter().map(|position| some_text(position.next.as_str()))
        }),
        texts(rows, |row| row.positions.iter().map(|position| position.fen.as_str())),
        optional_texts(rows, |row| row.positions.iter().map(|position| row.comment(position.id))),
        numbers(rows, UInt32Builder::new(), comment_ids),
        texts(rows, |row| row.comments.iter().map(|(_, text)| text.as_str())),
        numbers(rows, UInt32Builder::new(), field_ids),
        texts(rows, |row| row.fields.iter().map(|field| field.name.as_str())),
        texts(rows, |row| row.fields.iter().map(|field| field.value.as_str())),
        texts(rows, |row| row.tags.iter().map(|(name, _)| name.as_str())),
        optional_texts(rows, |row| row.tags.iter().map(|(_, value)| value.clone())),
    ];
    for (at, (_, sort_type)) in query.sorts.iter().enumerate() {
        let cells = rows.iter().map(|row| row.sort.get(at).and_then(Option::as_ref));
        arrays.push(match sort_type {
            SortType::Number => {
                let mut numbers = Int32Builder::with_capacity(rows.len());
                for cell in cells {
                    numbers.append_option(match cell {
                        Some(SortCell::Number(number)) => Some(*number),
                        Some(SortCell::Text(_)) | None => None,
                    });
                }
                Arc::new(numbers.finish())
            }
            SortType::Text => {
                let text = |cell: Option<&SortCell>| match cell {
                    Some(SortCell::Text(text)) => Some(text.clone()),
                    Some(SortCell::Number(number)) => Some(number.to_string()),
                    None => None,
                };
                Arc::new(cells.map(text).collect::<StringArray>())
            }
        });
    }
    arrays
}

fn numbers<T: ArrowPrimitiveType>(
    rows: &[MatchRow],
    values: PrimitiveBuilder<T>,
    of_row: impl Fn(&MatchRow) -> Vec<T::Native>,
) -> ArrayRef {
    let field = Field::new("item", T::DATA_TYPE, false);
    let mut list = ListBuilder::with_capacity(values, rows.len()).with_field(field);
    for row in rows {
        list.values().append_slice(&of_row(row));
        list.append(true);
    }
    Arc::new(list.finish())
}

fn texts<'r, I: Iterator<Item = &'r str>>(
    rows: &'r [MatchRow],
    of_row: impl Fn(&'r MatchRow) -> I,
) -> ArrayRef {
    let field = Field::new("item", DataType::Utf8, false);
    let builder = ListBuilder::with_capacity(StringBuilder::new(), rows.len());
    let mut list = builder.with_field(field);
    for row in rows {
        of_row(row).for_each(|text| list.values().append_value(text));
        list.append(true);
    }
    Arc::new(list.finish())
}

fn some_text(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn optional_texts<'r, T: AsRef<str>, I: Iterator<Item = Option<T>>>(
    rows: &'r [MatchRow],
    of_row: impl Fn(&'r MatchRow) -> I,
) -> ArrayRef {
    let builder = ListBuilder::with_capacity(StringBuilder::new(), rows.len());
    let mut list = builder.with_field(Field::new("item", DataType::Utf8, true));
    for row in rows {
        of_row(row).for_each(|text| list.values().append_option(text));
        list.append(true);
    }
    Arc::new(list.finish())
}

#[cfg(test)]
mod tests;
