//! A row a matching position.

use std::fmt::Write as _;

use babson_pgn::Game;
use babson_vm::Outcome;

use super::place::{places, tag};
use crate::job::Job;
use crate::text::{Shared, Text};

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
        field(&mut out, &key.name);
    }
    out.push_str(",comment\n");
    out
}

pub(crate) fn append(out: &mut Text, game: &Game<'_>, outcome: &Outcome, job: &Job, number: u64) {
    let mut same = String::new();
    for name in TAGS {
        same.push(',');
        field(&mut same, &tag(game, outcome, name));
    }
    for value in outcome.sort.iter().take(job.program.sorts().len()) {
        same.push(',');
        field(
            &mut same,
            &value.as_ref().map(ToString::to_string).unwrap_or_default(),
        );
    }
    let mut same = Shared::new(same);
    let mut row = String::new();
    for place in places(game, outcome) {
        row.clear();
        let _ = write!(row, "{number},{},{},", place.id, place.node.ply);
        field(&mut row, &place.mv(game));
        row.push(',');
        field(&mut row, &place.fen(game));
        out.bytes().extend_from_slice(row.as_bytes());
        out.push_shared(&mut same);
        row.clear();
        row.push(',');
        let comments: Vec<_> = place.comments(outcome).collect();
        field(&mut row, &comments.join("; "));
        row.push('\n');
        out.bytes().extend_from_slice(row.as_bytes());
    }
}

/// A field: in quotes if it has to be.
fn field(out: &mut String, text: &str) {
    if text.contains(['"', ',', '\n', '\r']) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn fields() {
        let mut out = String::new();
        for text in ["plain", "a, \"b\"", "two\nlines", ""] {
            super::field(&mut out, text);
            out.push('|');
        }
        assert_eq!(out, "plain|\"a, \"\"b\"\"\"|\"two\nlines\"||");
    }
}
