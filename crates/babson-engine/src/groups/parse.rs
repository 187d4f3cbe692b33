//! The text of a list of keys.

use std::num::NonZeroU32;

use babson_lang::nearest_of;

use super::{GroupKeys, Key, NamedKey};
use crate::columns::Column;
use crate::columns::parse::{self, ListedName};
use crate::error::{ColumnsError, GroupKeysError};

/// The key of either player, which is not a column.
const PLAYER: &str = "player";

impl From<ColumnsError> for GroupKeysError {
    fn from(error: ColumnsError) -> GroupKeysError {
        match error {
            ColumnsError::NoName { .. } => GroupKeysError::NoName { keys: all() },
            ColumnsError::Unknown { word, near, .. } => {
                // `player` is a key and no column.
                let words = near.as_deref().into_iter().chain([PLAYER]);
                let nearest = nearest_of(&word.to_ascii_lowercase(), words).map(str::to_owned);
                GroupKeysError::Unknown { near: nearest.or(near), word, keys: all() }
            }
            ColumnsError::Repeated { word } => GroupKeysError::Repeated { word },
            ColumnsError::OpenQuote
            | ColumnsError::AfterQuote { .. }
            | ColumnsError::UnknownSortKey { .. }
            | ColumnsError::UnknownField { .. } => GroupKeysError::List(error),
        }
    }
}

fn all() -> String {
    let (player, columns) = (PLAYER, parse::all());
    format!("{player}, {columns}; with /N a number is rounded down to a multiple of N")
}

/// Parses a list.
pub(super) fn groups(text: &str) -> Result<GroupKeys, GroupKeysError> {
    let mut groups = GroupKeys { keys: Vec::new() };
    let mut rest = text;
    loop {
        let (name, after) = parse::name(rest)?;
        let key = named_key(&groups, &name)?;
        if groups.keys.iter().any(|other| other.key == key.key && other.band == key.band) {
            return Err(GroupKeysError::Repeated { word: name.word });
        }
        groups.keys.push(key);
        match after {
            Some(after) => rest = after,
            None => return Ok(groups),
        }
    }
}

/// The key of a name, with a heading that no key before it has.
fn named_key(groups: &GroupKeys, name: &ListedName<'_>) -> Result<NamedKey, GroupKeysError> {
    let (plain, band) = match name.suffix {
        None => banded(&name.word),
        // The name in quotes may itself contain a slash.
        Some("") => (name.word.as_str(), None),
        Some(suffix) => match banded(suffix) {
            ("", Some(band)) => (name.word.as_str(), Some(band)),
            _ => return Err(ColumnsError::AfterQuote { rest: suffix.to_owned() }.into()),
        },
    };
    let band_text = band.map(|band| format!("/{band}")).unwrap_or_default();
    let (heading, key) = match own_key(plain) {
        Some(key) => (plain.to_owned(), key),
        None => {
            let (heading, column) =
                parse::column(plain).map_err(|error| wrong_band(plain).unwrap_or(error.into()))?;
            (groups.free_heading(&format!("{heading}{band_text}"), &column), Key::Column(column))
        }
    };
    if band.is_some() && !has_numbers(&key) {
        let (word, key) = (format!("{plain}{band_text}"), plain.to_owned());
        return Err(GroupKeysError::NoNumbers { word, key });
    }
    Ok(NamedKey { heading, key, band })
}

/// The error of a name that is a key with something else than `/N` after it, such as `year/0`.
fn wrong_band(name: &str) -> Option<GroupKeysError> {
    let (plain, _) = name.rsplit_once('/')?;
    let key = own_key(plain).or_else(|| Some(Key::Column(parse::column(plain).ok()?.1)))?;
    let (word, key_name) = (name.to_owned(), plain.to_owned());
    Some(match has_numbers(&key) {
        true => GroupKeysError::WrongBand { word, key: key_name },
        false => GroupKeysError::NoNumbers { word, key: key_name },
    })
}

fn has_numbers(key: &Key) -> bool {
    match key {
        Key::Column(column) => column.has_numbers(),
        Key::Player => false,
    }
}

/// The key of a name with a meaning of its own. Moves have no numbers: the same move is one group
/// also if it was played after different numbers of moves.
fn own_key(name: &str) -> Option<Key> {
    match name.to_ascii_lowercase().as_str() {
        PLAYER => Some(Key::Player),
        "move" => Some(Key::Column(Column::San)),
        "next" => Some(Key::Column(Column::NextSan)),
        _ => None,
    }
}

/// A name without its suffix `/N`, and this number.
fn banded(word: &str) -> (&str, Option<NonZeroU32>) {
    let suffix = word.rsplit_once('/').and_then(|(plain, band)| Some((plain, band.parse().ok()?)));
    suffix.map_or((word, None), |(plain, band)| (plain, Some(band)))
}
