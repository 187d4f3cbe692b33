//! Rows: the cells of a matching position, as CSV, as TSV or as a JSON object.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::Columns;
use super::cell::{self, Cell};
use crate::json::push_json;
use crate::match_text::{MatchText, SharedText};
use crate::sink::MatchedGame;
use crate::sink::position::matched_positions;

/// How the cells of a line are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellStyle {
    pub(crate) separator: Separator,
    /// Whether a spreadsheet reads no cell as a formula.
    pub(crate) safe_csv: bool,
}

/// What separates the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// A cell with a comma, a quote or the end of a line is in quotes.
    Comma,
    /// A tab, the end of a line or a backslash in a cell is written as a backslash and a letter.
    Tab,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowStyle {
    /// As lines of cells.
    Cells(CellStyle),
    /// As JSON objects.
    Json(JsonStyle),
}

/// What comes between JSON objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonStyle {
    /// Each object is a line.
    Lines,
    /// The objects of a match are items of an array. Their sink writes what comes before the first
    /// of them.
    Array,
}

/// A part of all rows of a game.
enum RowSegment {
    /// Cells that are the same in all of them. They may be long.
    Shared(SharedText),
    /// The cell of the column of this index, which each position has its own of.
    Own(usize),
}

impl RowStyle {
    /// Appends the cell of the column with this index.
    fn push(self, out: &mut String, index: usize, columns: &Columns, cell: &Cell<'_>) {
        match self {
            RowStyle::Cells(style) => {
                style.separate(out, index);
                match cell {
                    Cell::None => style.push_missing(out, columns.columns.len()),
                    Cell::Number(number) => {
                        let _ = write!(out, "{number}");
                    }
                    Cell::Text(text) => style.push(out, text),
                }
            }
            RowStyle::Json(_) => {
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

    /// What comes before a row, which is the first one of its match or not.
    fn begin(self, is_first: bool) -> &'static str {
        match self {
            RowStyle::Json(JsonStyle::Array) if !is_first => ",\n",
            RowStyle::Cells(_) | RowStyle::Json(JsonStyle::Lines | JsonStyle::Array) => "",
        }
    }

    /// What comes after the last cell.
    fn end(self) -> &'static str {
        match self {
            RowStyle::Cells(_) => "\n",
            RowStyle::Json(JsonStyle::Lines) => "}\n",
            RowStyle::Json(JsonStyle::Array) => "}",
        }
    }
}

impl CellStyle {
    /// Appends what comes before the cell of a column with this index.
    pub(crate) fn separate(self, out: &mut String, index: usize) {
        out.push_str(match self.separator {
            _ if index == 0 => "",
            Separator::Comma => ",",
            Separator::Tab => "\t",
        });
    }

    /// Appends a cell without a value to a line with this number of cells.
    pub(crate) fn push_missing(self, out: &mut String, cells: usize) {
        // Readers skip an empty line.
        if cells == 1 && self.separator == Separator::Comma {
            out.push_str("\"\"");
        }
    }

    /// Appends a cell.
    pub(crate) fn push(self, out: &mut String, text: &str) {
        let text = if self.safe_csv { safe_csv(text) } else { Cow::Borrowed(text) };
        match self.separator {
            Separator::Comma if text.contains(['"', ',', '\n', '\r']) => {
                out.push('"');
                out.push_str(&text.replace('"', "\"\""));
                out.push('"');
            }
            Separator::Comma => out.push_str(&text),
            Separator::Tab => text.chars().for_each(|letter| match letter {
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\\' => out.push_str("\\\\"),
                letter => out.push(letter),
            }),
        }
    }

    /// Appends the line with the headings.
    pub(crate) fn push_headings<'h>(
        self,
        out: &mut String,
        headings: impl IntoIterator<Item = &'h str>,
    ) {
        for (index, heading) in headings.into_iter().enumerate() {
            self.separate(out, index);
            self.push(out, heading);
        }
        out.push('\n');
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
    let places = matched_positions(matched.game, matched.outcome);
    for (place, is_first) in places.zip(std::iter::once(true).chain(std::iter::repeat(false))) {
        row.push_str(style.begin(is_first));
        for part in &mut parts {
            match part {
                RowSegment::Shared(text) => {
                    out.bytes().extend_from_slice(row.as_bytes());
                    row.clear();
                    out.push_shared(text);
                }
                RowSegment::Own(index) => {
                    let cell = cell::of(&columns.columns[*index].column, matched, Some(&place));
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
fn parts(columns: &Columns, style: RowStyle, matched: &MatchedGame<'_>) -> Vec<RowSegment> {
    let mut parts = Vec::new();
    let mut shared = String::new();
    for (index, column) in columns.columns.iter().enumerate() {
        match cell::of(&column.column, matched, None) {
            Some(cell) => style.push(&mut shared, index, columns, &cell),
            None => {
                if !shared.is_empty() {
                    parts.push(RowSegment::Shared(SharedText::new(std::mem::take(&mut shared))));
                }
                parts.push(RowSegment::Own(index));
            }
        }
    }
    if !shared.is_empty() {
        parts.push(RowSegment::Shared(SharedText::new(shared)));
    }
    parts
}

/// The line with the headings.
pub(crate) fn head(columns: &Columns, style: CellStyle) -> String {
    let mut out = String::new();
    style.push_headings(&mut out, columns.headings());
    out
}

/// The text of a cell, with a `'` before it if a spreadsheet would read it as a formula: if it
/// begins with `=`, `+`, `-`, `@`, one of their full-width forms, a tab, a carriage return or a
/// line feed, and is not a whole number.
pub fn safe_csv(text: &str) -> Cow<'_, str> {
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
    use super::{CellStyle, Separator};

    const CSV: CellStyle = CellStyle { separator: Separator::Comma, safe_csv: false };
    const TSV: CellStyle = CellStyle { separator: Separator::Tab, safe_csv: false };

    #[test]
    fn cells() {
        let mut out = String::new();
        for text in ["plain", "a, \"b\"", "two\nlines", "", "=1+1", "-3"] {
            CSV.push(&mut out, text);
            out.push('|');
        }
        assert_eq!(out, "plain|\"a, \"\"b\"\"\"|\"two\nlines\"||=1+1|-3|");
    }

    /// No cell has a tab or the end of a line, and different texts have different cells.
    #[test]
    fn cells_between_tabs() {
        let mut out = String::new();
        for text in ["plain", "a, \"b\"", "two\r\nlines", "a\tb", "a\\tb", "", "é"] {
            TSV.push(&mut out, text);
            out.push('|');
        }
        assert_eq!(out, "plain|a, \"b\"|two\\r\\nlines|a\\tb|a\\\\tb||é|");
        out.clear();
        CellStyle { safe_csv: true, ..TSV }.push(&mut out, "\t=1");
        assert_eq!(out, "'\\t=1");
    }

    #[test]
    fn cells_of_safe_csv() {
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
            CellStyle { safe_csv: true, ..CSV }.push(&mut out, text);
            assert_eq!(out, cell, "{text:?}");
        }
    }
}
