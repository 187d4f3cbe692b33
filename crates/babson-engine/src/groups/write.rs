//! A table of groups as text, CSV, TSV or JSON.

use std::fmt::Write as _;

use super::{GroupRow, GroupTable, GroupValue};
use crate::columns::{CellStyle, JsonStyle};
use crate::json::push_json;
use crate::terminal::is_command;

/// How the rows of a table of groups are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupTableFormat {
    /// With aligned columns.
    Text,
    /// As lines of cells.
    Cells(CellStyle),
    /// As JSON objects.
    Json(JsonStyle),
}

/// A cell of a table of groups.
enum TableCell<'r> {
    Key(&'r GroupValue),
    Number(u64),
    Percent(Option<f64>),
    Rating(Option<i64>),
}

impl GroupTable {
    /// Writes the lines of the table, with their ends.
    pub(crate) fn lines<E>(
        &self,
        format: GroupTableFormat,
        mut write: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let headings: Vec<&str> = self.headings().collect();
        match format {
            GroupTableFormat::Text => self.text_lines(&headings, write),
            GroupTableFormat::Cells(style) => {
                let mut line = String::new();
                style.push_headings(&mut line, headings);
                write(&line)?;
                self.rows().iter().try_for_each(|row| write(&cell_line(row, style)))
            }
            GroupTableFormat::Json(JsonStyle::Lines) => {
                let mut rows = self.rows().iter();
                rows.try_for_each(|row| write(&(json_object(&headings, row) + "\n")))
            }
            GroupTableFormat::Json(JsonStyle::Array) => {
                let before = std::iter::once("[\n").chain(std::iter::repeat(",\n"));
                let mut rows = self.rows().iter().zip(before);
                rows.try_for_each(|(row, before)| {
                    write(&format!("{before}{}", json_object(&headings, row)))
                })?;
                write(if self.rows().is_empty() { "[\n]\n" } else { "\n]\n" })
            }
        }
    }

    fn text_lines<E>(
        &self,
        headings: &[&str],
        mut write: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let heads: Vec<String> = headings.iter().map(|heading| shown(heading)).collect();
        let mut widths: Vec<usize> = heads.iter().map(|head| head.chars().count()).collect();
        let keys = self.groups.headings().count();
        // A key is aligned as a number if all of its values are numbers.
        let mut is_text = vec![false; keys];
        for row in self.rows() {
            for ((width, cell), index) in widths.iter_mut().zip(cells(row)).zip(0..) {
                *width = (*width).max(text(&cell).chars().count());
                let has_text = matches!(cell, TableCell::Key(GroupValue::Text(_)));
                is_text.get_mut(index).into_iter().for_each(|is_text| *is_text |= has_text);
            }
        }
        let mut line = |cells: &mut dyn Iterator<Item = String>| {
            let mut line = String::new();
            for (index, (cell, width)) in cells.zip(&widths).enumerate() {
                line.push_str(if index == 0 { "" } else { "  " });
                let _ = match is_text.get(index) {
                    Some(true) => write!(line, "{cell:width$}"),
                    Some(false) | None => write!(line, "{cell:>width$}"),
                };
            }
            line.push('\n');
            write(&line)
        };
        line(&mut heads.into_iter())?;
        self.rows().iter().try_for_each(|row| line(&mut cells(row).map(|cell| text(&cell))))
    }
}

/// The cells of a row, in the order of the headings.
fn cells(row: &GroupRow) -> impl Iterator<Item = TableCell<'_>> {
    let counts = [row.games(), row.positions, row.won, row.drawn, row.lost, row.other];
    let last = [
        TableCell::Percent(row.score()),
        TableCell::Rating(row.performance()),
        TableCell::Percent(Some(row.share())),
    ];
    let keys = row.keys.iter().map(TableCell::Key);
    keys.chain(counts.map(TableCell::Number)).chain(last)
}

fn text(cell: &TableCell<'_>) -> String {
    match cell {
        TableCell::Key(GroupValue::None) => "(none)".to_owned(),
        TableCell::Key(GroupValue::Number(number)) => number.to_string(),
        TableCell::Key(GroupValue::Text(text)) => shown(text),
        TableCell::Number(number) => number.to_string(),
        TableCell::Percent(None) | TableCell::Rating(None) => "-".to_owned(),
        TableCell::Rating(Some(rating)) => rating.to_string(),
        TableCell::Percent(Some(percent)) => format!("{percent:.1}"),
    }
}

/// A text in one line, without characters that would move the columns after it.
fn shown(text: &str) -> String {
    let letter =
        |letter: char| if letter.is_control() || is_command(letter) { ' ' } else { letter };
    text.chars().map(letter).collect()
}

fn cell_line(row: &GroupRow, style: CellStyle) -> String {
    let mut line = String::new();
    for (index, cell) in cells(row).enumerate() {
        style.separate(&mut line, index);
        match cell {
            TableCell::Key(GroupValue::None)
            | TableCell::Percent(None)
            | TableCell::Rating(None) => {}
            TableCell::Key(GroupValue::Text(text)) => style.push(&mut line, text),
            TableCell::Key(GroupValue::Number(_))
            | TableCell::Number(_)
            | TableCell::Percent(Some(_))
            | TableCell::Rating(Some(_)) => {
                line += &text(&cell);
            }
        }
    }
    line + "\n"
}

fn json_object(headings: &[&str], row: &GroupRow) -> String {
    let mut line = String::new();
    for ((index, heading), cell) in headings.iter().enumerate().zip(cells(row)) {
        line.push_str(if index == 0 { "{" } else { ", " });
        push_json(&mut line, heading);
        line.push_str(": ");
        match cell {
            TableCell::Key(value) => push_json(&mut line, value),
            TableCell::Number(number) => push_json(&mut line, &number),
            TableCell::Percent(percent) => push_json(&mut line, &percent),
            TableCell::Rating(rating) => push_json(&mut line, &rating),
        }
    }
    line + "}"
}
