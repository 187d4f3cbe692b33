//! Tag values of a match as UTF-8 text, without the backslashes of PGN.

use std::borrow::Cow;

use babson_pgn::Game;
use babson_vm::Outcome;

use babson_pgn::tags::value_text;

pub(crate) use babson_pgn::tags::decode;

/// The value of a tag as it is written: the value of `settag`, otherwise that of the file.
pub(crate) fn value<'t>(game: &Game<'t>, outcome: &'t Outcome, name: &str) -> Cow<'t, str> {
    let set = outcome.tags.iter().find(|tag| tag.0 == name);
    match set {
        Some((_, value)) => value_text(value),
        None if name == "Result" => value_text(game.result_tag()),
        None => value_text(game.tag(name.as_bytes()).unwrap_or_default()),
    }
}
