//! Rows: the cells of a matching position, as CSV or as a JSON object.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::Columns;
use super::cell::{self, Cell};
use crate::match_text::{MatchText, SharedText};
use crate::sink::MatchedGame;
use crate::sink::jsonl::push_json;
use crate::sink::position::matched_positions;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowStyle {
    /// As CSV. With `plain`, a spreadsheet reads no cell as a formula.
    Csv { plain: bool },
    /// As JSON objects.
    Json,
}

/// A part of all rows of a game.
enum RowPart {
    /// Cells that are the same in all of them. They may be long.
    Shared(SharedText),
    /// The cell of the column of this index, which each position has its own of.
    Own(usize),
}

impl RowStyle {
    /// Appends the cell of the column with this index.
    fn push(self, out: &mut String, index: usize, columns: &Columns, cell: &Cell<'_>) {
        match self {
            RowStyle::Csv { plain } => {
                out.push_str(if index == 0 { "" } else { "," });
                match cell {
                    // Readers skip an empty line.
                    Cell::None if columns.columns.len() == 1 => out.push_str("\"\""),
                    Cell::None => {}
                    Cell::Number(number) => {
                        let _ = write!(out, "{number}");
                    }
                    Cell::Text(text) => push_field(out, text, plain),
                }
            }
            RowStyle::Json => {
                out.push_str(if index == 0 { "{" } else { ", " });
                push_json(out, &columns.columns[index].heading);
                out.push_str(": ");
                match cell {
                    Cell::None => out.push_str("null"),
                    Cell::Number(number) => push_json(out, number),
                    Cell::Text(text) => push_json(out, text),
                }
            }
        }
    }

    /// What comes after the last cell.
    fn end(self) -> &'static str {
        match self {
            RowStyle::Csv { .. } => "\n",
            RowStyle::Json => "}\n",
        }
    }
}

/// Appends a row for each matching position of a game.
pub(crate) fn append(
    columns: &Columns,
    style: RowStyle,
    matched: &MatchedGame<'_>,
    out: &mut MatchText,
) {
    let mut parts = parts(columns, style, matched);
    let mut row = String::new();
    for place in matched_positions(matched.game, matched.outcome) {
        for part in &mut parts {
            match part {
                RowPart::Shared(text) => {
                    out.bytes().extend_from_slice(row.as_bytes());
                    row.clear();
                    out.push_shared(text);
                }
                RowPart::Own(index) => {
                    let cell = cell::of_position(&columns.columns[*index].column, matched, &place);
                    style.push(&mut row, *index, columns, &cell.unwrap_or(Cell::None));
                }
            }
        }
        row.push_str(style.end());
        out.bytes().extend_from_slice(row.as_bytes());
        row.clear();
    }
}

/// The parts of the rows of a game.
fn parts(columns: &Columns, style: RowStyle, matched: &MatchedGame<'_>) -> Vec<RowPart> {
    let mut parts = Vec::new();
    let mut shared = String::new();
    for (index, column) in columns.columns.iter().enumerate() {
        match cell::of_game(&column.column, matched) {
            Some(cell) => style.push(&mut shared, index, columns, &cell),
            None => {
                if !shared.is_empty() {
                    parts.push(RowPart::Shared(SharedText::new(std::mem::take(&mut shared))));
                }
                parts.push(RowPart::Own(index));
            }
        }
    }
    if !shared.is_empty() {
        parts.push(RowPart::Shared(SharedText::new(shared)));
    }
    parts
}

/// The row of CSV with the headings.
pub(crate) fn csv_head(columns: &Columns, plain: bool) -> String {
    let mut out = String::new();
    for (index, heading) in columns.headings().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        push_field(&mut out, heading, plain);
    }
    out.push('\n');
    out
}

/// Appends a field, quoted if necessary. With `plain`, a spreadsheet does not read it as a formula.
pub(crate) fn push_field(out: &mut String, text: &str, plain: bool) {
    let text = if plain { plain_cell(text) } else { Cow::Borrowed(text) };
    if text.contains(['"', ',', '\n', '\r']) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(&text);
    }
}

/// The text of a cell, with a `'` before it if a spreadsheet would read it as a formula: if it
/// begins with `=`, `+`, `-`, `@`, one of their full-width forms, a tab, a carriage return or a
/// line feed, and is not a whole number.
pub fn plain_cell(text: &str) -> Cow<'_, str> {
    let is_formula =
        text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if is_formula && text.parse::<i64>().is_err() {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn fields() {
        let mut out = String::new();
        for text in ["plain", "a, \"b\"", "two\nlines", "", "=1+1", "-3"] {
            super::push_field(&mut out, text, false);
            out.push('|');
        }
        assert_eq!(out, "plain|\"a, \"\"b\"\"\"|\"two\nlines\"||=1+1|-3|");
    }

    #[test]
    fn plain_fields() {
        for (text, cell) in [
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1,A2)", "\"'@SUM(A1,A2)\""),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("＝1+1", "'＝1+1"),
            ("-", "'-"),
            ("-17", "-17"),
            ("+5", "+5"),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            let mut out = String::new();
            super::push_field(&mut out, text, true);
            assert_eq!(out, cell, "{text:?}");
        }
    }
}
