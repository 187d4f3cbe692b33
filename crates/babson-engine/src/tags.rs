//! Tag values of a match as UTF-8 text.

use std::borrow::Cow;

use babson_pgn::Game;
use babson_vm::Outcome;

/// Text of a file. Bytes that are not UTF-8 are read as Latin-1, the encoding of PGN.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// The value of a tag as it is written: the value of `settag`, otherwise that of the file.
pub(crate) fn value<'t>(game: &Game<'t>, outcome: &'t Outcome, name: &str) -> Cow<'t, str> {
    let set = outcome.tags.iter().find(|tag| tag.0 == name);
    match set {
        Some((_, value)) => decode(value),
        None if name == "Result" => decode(game.result_tag()),
        None => decode(game.tag(name.as_bytes()).unwrap_or_default()),
    }
}
