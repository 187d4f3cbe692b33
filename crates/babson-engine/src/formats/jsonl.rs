//! JSON: one object for each matching game, on a line or in an array, as
//! `docs/src/command-line.md#outputs` describes it.

use babson_vm::Match;
use serde::Serialize;

use crate::columns::JsonStyle;
use crate::json;
use crate::sink::MatchedGame;

/// The row of a match with the name of its query.
#[derive(Serialize)]
struct NamedRow<'m> {
    query: &'m str,
    #[serde(flatten)]
    row: Match,
}

/// Appends the object of a match. With `names_query`, its first member names the query.
pub(crate) fn append(
    matched: &MatchedGame<'_>,
    names_query: bool,
    style: JsonStyle,
    out: &mut Vec<u8>,
) {
    let row = matched.row();
    // The keys of all maps are strings.
    let is_written = match names_query {
        true => json::append(out, &NamedRow { query: &matched.job.title, row }),
        false => json::append(out, &row),
    };
    match style {
        JsonStyle::Lines if is_written => out.push(b'\n'),
        JsonStyle::Lines | JsonStyle::Array => {}
    }
}
