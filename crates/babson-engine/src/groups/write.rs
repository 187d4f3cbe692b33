//! A table of groups as text, CSV or JSON lines.

use std::fmt::Write as _;

use super::{GroupRow, GroupTable, GroupValue};
use crate::columns::push_field;
use crate::sink::jsonl::push_json;
use crate::terminal::is_command;

/// How the rows of a table of groups are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupTableFormat {
    /// With aligned columns.
    Text,
    /// As CSV. With `plain`, a spreadsheet reads no cell as a formula.
    Csv { plain: bool },
    /// As JSON objects.
    Json,
}

/// A cell of a table of groups.
enum TableCell<'r> {
    Key(&'r GroupValue),
    Number(u64),
    Percent(Option<f64>),
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
            GroupTableFormat::Csv { plain } => {
                let mut line = String::new();
                for (index, heading) in headings.iter().enumerate() {
                    line.push_str(if index == 0 { "" } else { "," });
                    push_field(&mut line, heading, plain);
                }
                write(&(line + "\n"))?;
                self.rows().iter().try_for_each(|row| write(&csv_line(row, plain)))
            }
            GroupTableFormat::Json => {
                self.rows().iter().try_for_each(|row| write(&json_line(&headings, row)))
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
    let percents = [row.score(), Some(row.share())];
    let keys = row.keys.iter().map(TableCell::Key);
    keys.chain(counts.map(TableCell::Number)).chain(percents.map(TableCell::Percent))
}

fn text(cell: &TableCell<'_>) -> String {
    match cell {
        TableCell::Key(GroupValue::None) => "(none)".to_owned(),
        TableCell::Key(GroupValue::Number(number)) => number.to_string(),
        TableCell::Key(GroupValue::Text(text)) => shown(text),
        TableCell::Number(number) => number.to_string(),
        TableCell::Percent(None) => "-".to_owned(),
        TableCell::Percent(Some(percent)) => format!("{percent:.1}"),
    }
}

/// A text in one line, without characters that would move the columns after it.
fn shown(text: &str) -> String {
    let letter =
        |letter: char| if letter.is_control() || is_command(letter) { ' ' } else { letter };
    text.chars().map(letter).collect()
}

fn csv_line(row: &GroupRow, plain: bool) -> String {
    let mut line = String::new();
    for (index, cell) in cells(row).enumerate() {
        line.push_str(if index == 0 { "" } else { "," });
        match cell {
            TableCell::Key(GroupValue::None) | TableCell::Percent(None) => {}
            TableCell::Key(GroupValue::Text(text)) => push_field(&mut line, text, plain),
            TableCell::Key(GroupValue::Number(_))
            | TableCell::Number(_)
            | TableCell::Percent(Some(_)) => {
                line += &text(&cell);
            }
        }
    }
    line + "\n"
}

fn json_line(headings: &[&str], row: &GroupRow) -> String {
    let mut line = String::new();
    for ((index, heading), cell) in headings.iter().enumerate().zip(cells(row)) {
        line.push_str(if index == 0 { "{" } else { ", " });
        push_json(&mut line, heading);
        line.push_str(": ");
        match cell {
            TableCell::Key(value) => push_json(&mut line, value),
            TableCell::Number(number) => push_json(&mut line, &number),
            TableCell::Percent(percent) => push_json(&mut line, &percent),
        }
    }
    line + "}\n"
}
