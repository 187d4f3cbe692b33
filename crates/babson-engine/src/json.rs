//! Values as JSON.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Appends a value. Returns whether it could be written: a map whose keys are not strings cannot.
pub(crate) fn append(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> bool {
    let start = out.len();
    let written = value.serialize(&mut Serializer::with_formatter(&mut *out, Spaced)).is_ok();
    if !written {
        out.truncate(start);
    }
    written
}

/// Appends a value, if it [can be written](append).
pub(crate) fn push_json(out: &mut String, value: &(impl Serialize + ?Sized)) {
    let mut bytes = Vec::new();
    append(&mut bytes, value);
    out.push_str(std::str::from_utf8(&bytes).unwrap_or_default());
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
        let mut out = String::new();
        push_json(&mut out, &["a\"b\\c\n\u{1}é\u{7f}|", "x"]);
        let expected = "[\"a\\\"b\\\\c\\n\\u0001é\\u007f|\", \"x\"]";
        assert_eq!(out, expected);
    }
}
