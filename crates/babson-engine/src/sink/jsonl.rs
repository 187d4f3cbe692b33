//! JSON: one object for each matching game, on a line or in an array, as
//! `docs/src/command-line.md#outputs` describes it.

use std::io;

use babson_vm::Match;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::MatchedGame;
use crate::columns::JsonStyle;

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
    let start = out.len();
    let serializer = &mut Serializer::with_formatter(&mut *out, Spaced);
    let row = matched.row();
    let written = match names_query {
        true => NamedRow { query: &matched.job.title, row }.serialize(serializer),
        false => row.serialize(serializer),
    };
    // Writing to a vector cannot fail, and the keys of all maps are strings.
    if written.is_err() {
        out.truncate(start);
        return;
    }
    match style {
        JsonStyle::Lines => out.push(b'\n'),
        JsonStyle::Array => {}
    }
}

/// Appends a value as JSON. Only a map whose keys are not strings cannot be written.
pub(crate) fn push_json(out: &mut String, value: &(impl Serialize + ?Sized)) {
    let mut bytes = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, Spaced));
    out.push_str(written.ok().and_then(|()| std::str::from_utf8(&bytes).ok()).unwrap_or_default());
}

/// JSON on one line with a space after each colon and comma. DEL is escaped, since a terminal would
/// interpret it.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for (index, text) in fragment.split('\u{7f}').enumerate() {
            out.write_all(if index == 0 { b"" } else { b"\\u007f" })?;
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        let mut out = Vec::new();
        let value = ["a\"b\\c\n\u{1}é\u{7f}|", "x"];
        value.serialize(&mut Serializer::with_formatter(&mut out, Spaced)).unwrap();
        let expected = "[\"a\\\"b\\\\c\\n\\u0001é\\u007f|\", \"x\"]";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
