//! CSV: one row for each matching position.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::MatchedGame;
use super::position::matched_positions;
use crate::job::Job;
use crate::match_text::{MatchText, SharedText};
use crate::tags;

/// The tags that have a column.
const TAGS: [&str; 7] = ["White", "Black", "Result", "Event", "Site", "Date", "Round"];

/// The line with the names of the columns.
pub(crate) fn head(job: &Job) -> String {
    let mut out = String::from("game,id,ply,move,fen");
    for name in TAGS {
        let _ = write!(out, ",{}", name.to_ascii_lowercase());
    }
    for key in job.program.sorts() {
        out.push(',');
        field(&mut out, &key.name, job.plain_cells);
    }
    out.push_str(",comment,input,number,offset\n");
    out
}

pub(crate) fn append(matched: &MatchedGame<'_>, out: &mut MatchText) {
    let MatchedGame { game, outcome, job, number, .. } = *matched;
    let mut same = String::new();
    for name in TAGS {
        same.push(',');
        field(&mut same, &tags::value(game, outcome, name), job.plain_cells);
    }
    for value in outcome.sort.iter().take(job.program.sorts().len()) {
        same.push(',');
        field(
            &mut same,
            &value.as_ref().map(ToString::to_string).unwrap_or_default(),
            job.plain_cells,
        );
    }
    let mut same = SharedText::new(same);
    let mut origin = String::from(",");
    field(&mut origin, matched.input, job.plain_cells);
    let _ = writeln!(origin, ",{},{}", matched.input_number, matched.offset);
    let mut row = String::new();
    for matched in matched_positions(game, outcome) {
        row.clear();
        let _ = write!(row, "{number},{},{},", matched.id, matched.node.ply);
        field(&mut row, &matched.mv(game), job.plain_cells);
        row.push(',');
        field(&mut row, &matched.fen(game), job.plain_cells);
        out.bytes().extend_from_slice(row.as_bytes());
        out.push_shared(&mut same);
        row.clear();
        row.push(',');
        let comments: Vec<_> = matched.comments(outcome).collect();
        field(&mut row, &comments.join("; "), job.plain_cells);
        row.push_str(&origin);
        out.bytes().extend_from_slice(row.as_bytes());
    }
}

/// Appends a field, quoted if necessary. With `plain`, a spreadsheet does not read it as a formula.
fn field(out: &mut String, text: &str, plain: bool) {
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
            super::field(&mut out, text, false);
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
            super::field(&mut out, text, true);
            assert_eq!(out, cell, "{text:?}");
        }
    }
}
