//! JSON Lines: one object for each matching game, as `docs/src/command-line.md#outputs` describes
//! it. It is written directly, without a tree of values: the order of the members is fixed.

use std::collections::HashSet;
use std::io::Write;

use babson_chess::fen;
use babson_pgn::Game;
use babson_vm::{Outcome, SortValue};

use crate::job::Job;
use crate::tags;

pub(crate) fn append(
    out: &mut Vec<u8>,
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
    number: u64,
) {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{{\"game\": {number}, \"positions\": [");
    let mut separator = "";
    for &id in &outcome.positions {
        let (Some(position), Some(node)) =
            (game.positions().get(id as usize), game.nodes().get(id as usize))
        else {
            continue;
        };
        let _ = write!(out, "{separator}{{\"id\": {id}, \"ply\": {}, \"fen\": ", node.ply);
        string(out, fen::write(position, game.rules()).as_bytes());
        out.push(b'}');
        separator = ", ";
    }
    out.push(b']');
    list(out, "sort", job.program.sorts().iter().zip(&outcome.sort), |out, (key, value)| {
        out.extend_from_slice(b"{\"name\": ");
        string(out, key.name.as_bytes());
        out.extend_from_slice(b", \"value\": ");
        match value {
            None => out.extend_from_slice(b"null"),
            Some(SortValue::Number(number)) => {
                let _ = write!(out, "{number}");
            }
            Some(SortValue::Text(text)) => string(out, text),
        }
        out.push(b'}');
    });
    list(out, "comments", outcome.comments.iter(), |out, (id, text)| {
        let _ = write!(out, "{{\"id\": {id}, \"text\": ");
        string(out, text);
        out.push(b'}');
    });
    // The tags are those of the PGN output, whatever its layout does to them.
    super::pgn::tags(game, outcome, job, |tags| {
        let mut separator = ", \"tags\": {";
        let mut names: HashSet<&[u8]> = HashSet::with_capacity(tags.len());
        for (name, value) in &tags {
            // If a name occurs twice in the file, its first tag counts, as in filters.
            if !names.insert(name) {
                continue;
            }
            out.extend_from_slice(separator.as_bytes());
            string(out, name);
            out.extend_from_slice(b": ");
            string(out, value);
            separator = ", ";
        }
        out.extend_from_slice(if separator == ", " { b"}}\n" } else { b"}\n" });
    });
}

/// Appends a member with a list; nothing if the list is empty.
fn list<T>(
    out: &mut Vec<u8>,
    name: &str,
    items: impl Iterator<Item = T>,
    mut item: impl FnMut(&mut Vec<u8>, T),
) {
    let mut any = false;
    for value in items {
        if any {
            out.extend_from_slice(b", ");
        } else {
            let _ = write!(out, ", \"{name}\": [");
        }
        any = true;
        item(out, value);
    }
    if any {
        out.push(b']');
    }
}

/// Appends a JSON string. Bytes that are not UTF-8 are read as Latin-1, the encoding of PGN.
fn string(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    let text = tags::decode(text);
    text.chars().for_each(|letter| character(out, letter));
    out.push(b'"');
}

fn character(out: &mut Vec<u8>, letter: char) {
    match letter {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        control if u32::from(control) < 0x20 || control == '\u{7f}' => {
            let _ = write!(out, "\\u{:04x}", u32::from(control));
        }
        other => out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        let mut out = Vec::new();
        string(&mut out, "a\"b\\c\n\u{1}é".as_bytes());
        string(&mut out, b"M\xfcller");
        assert_eq!(String::from_utf8(out).unwrap(), "\"a\\\"b\\\\c\\n\\u0001é\"\"Müller\"");
    }

    #[test]
    fn empty_lists_are_left_out() {
        let mut out = Vec::new();
        list(&mut out, "none", std::iter::empty::<u8>(), |out, item| out.push(item));
        list(&mut out, "two", [b'1', b'2'].into_iter(), |out, item| out.push(item));
        assert_eq!(out, b", \"two\": [1, 2]");
    }
}
