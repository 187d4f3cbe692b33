//! The record of a match: its query, and for each of its groups how the game ended, the number of
//! positions, and the values of the keys.
//!
//! The bytes of the values of a group are the same wherever the values are, so they are what groups
//! are told apart by, without reading them.

use super::{GroupValue, Groups, Key, NamedKey};
use crate::columns::Column;
use crate::columns::cell::{self, Cell};
use crate::limits::MAX_GROUP_TEXT;
use crate::sink::MatchedGame;
use crate::sink::position::{MatchedPosition, matched_positions};

/// How a game ended for White, or for the player of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameEnd {
    Won,
    Drawn,
    Lost,
    Other,
}

impl GameEnd {
    const ALL: [GameEnd; 4] = [GameEnd::Won, GameEnd::Drawn, GameEnd::Lost, GameEnd::Other];

    fn of_result(result: &str, is_black: bool) -> GameEnd {
        match (result, is_black) {
            ("1/2-1/2", _) => GameEnd::Drawn,
            ("1-0", false) | ("0-1", true) => GameEnd::Won,
            ("1-0", true) | ("0-1", false) => GameEnd::Lost,
            _ => GameEnd::Other,
        }
    }
}

/// Appends the record of a match.
pub(super) fn append(groups: &Groups, matched: &MatchedGame<'_>, out: &mut Vec<u8>) {
    push_text(out, if groups.query_key().is_some() { &matched.job.title } else { "" });
    let result = cell::tag(matched, "Result");
    let has_player = groups.keys.iter().any(|key| key.key == Key::Player);
    let white = has_player.then(|| cell::tag(matched, "White"));
    let black = has_player.then(|| cell::tag(matched, "Black"));
    append_side(groups, matched, white.as_deref(), GameEnd::of_result(&result, false), out);
    if white != black {
        append_side(groups, matched, black.as_deref(), GameEnd::of_result(&result, true), out);
    }
}

/// Appends the groups of a game, or those of one of its players.
fn append_side(
    groups: &Groups,
    matched: &MatchedGame<'_>,
    player: Option<&str>,
    end: GameEnd,
    out: &mut Vec<u8>,
) {
    if !groups.keys.iter().any(NamedKey::is_of_position) {
        let positions = matched.outcome.positions.len() as u64;
        push_group(out, end, positions, |out| push_values(groups, matched, player, None, out));
        return;
    }
    let mut values = Vec::new();
    // For each of the matching positions, where its values end.
    let mut ends = Vec::new();
    for place in matched_positions(matched.game, matched.outcome) {
        push_values(groups, matched, player, Some(&place), &mut values);
        ends.push(values.len());
    }
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let mut found: Vec<&[u8]> =
        begins.zip(&ends).filter_map(|(begin, &end)| values.get(begin..end)).collect();
    found.sort_unstable();
    for same in found.chunk_by(|one, other| one == other) {
        let values = same.first().copied().unwrap_or_default();
        push_group(out, end, same.len() as u64, |out| out.extend_from_slice(values));
    }
}

/// Appends a group, whose values `push` appends.
fn push_group(out: &mut Vec<u8>, end: GameEnd, positions: u64, push: impl FnOnce(&mut Vec<u8>)) {
    out.push(end as u8);
    out.extend_from_slice(&positions.to_le_bytes());
    // The length of the values is known after them.
    let begin = out.len();
    out.extend_from_slice(&[0; size_of::<u64>()]);
    push(out);
    let length = (out.len() - begin - size_of::<u64>()) as u64;
    out[begin..][..size_of::<u64>()].copy_from_slice(&length.to_le_bytes());
}

/// Appends the values of the keys in a game, at one of its matching positions.
fn push_values<'c>(
    groups: &Groups,
    matched: &MatchedGame<'c>,
    player: Option<&str>,
    place: Option<&MatchedPosition<'c>>,
    out: &mut Vec<u8>,
) {
    for key in &groups.keys {
        let column = match &key.key {
            Key::Column(column) => column,
            Key::Player => {
                match player.unwrap_or_default() {
                    "" => out.push(NONE),
                    name => push_text(out, name),
                }
                continue;
            }
        };
        let cell = value(column, matched, place);
        match key.band {
            Some(band) => push_cell(out, &in_band(cell, i64::from(band.get()))),
            None => push_cell(out, &cell),
        }
    }
}

fn value<'c>(
    column: &Column,
    matched: &MatchedGame<'c>,
    place: Option<&MatchedPosition<'c>>,
) -> Cell<'c> {
    let of_position = || cell::of_position(column, matched, place?);
    cell::of_game(column, matched).or_else(of_position).unwrap_or(Cell::None)
}

/// A number rounded down to a multiple of `band`; nothing if it is not a number.
fn in_band(cell: Cell<'_>, band: i64) -> Cell<'static> {
    let number = match cell {
        Cell::None => None,
        Cell::Number(number) => Some(number),
        Cell::Text(text) => text.trim().parse().ok(),
    };
    let rounded = number.and_then(|number: i64| number.div_euclid(band).checked_mul(band));
    rounded.map_or(Cell::None, Cell::Number)
}

/// The first byte of a value.
const NONE: u8 = 0;
const NUMBER: u8 = 1;
const TEXT: u8 = 2;

fn push_cell(out: &mut Vec<u8>, cell: &Cell<'_>) {
    match cell {
        Cell::None => out.push(NONE),
        Cell::Number(number) => {
            out.push(NUMBER);
            out.extend_from_slice(&number.to_le_bytes());
        }
        Cell::Text(text) => push_text(out, text),
    }
}

/// Appends a text, of a long one the beginning.
fn push_text(out: &mut Vec<u8>, text: &str) {
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let most = (0..=MAX_GROUP_TEXT.min(text.len())).rev().find(is_boundary);
    let (begin, rest) = text.split_at(most.unwrap_or_default());
    let end = if rest.is_empty() { "" } else { "…" };
    out.push(TEXT);
    out.extend_from_slice(&((begin.len() + end.len()) as u64).to_le_bytes());
    out.extend_from_slice(begin.as_bytes());
    out.extend_from_slice(end.as_bytes());
}

/// A group of a match.
pub(super) struct GroupRecord<'r> {
    pub(super) end: GameEnd,
    pub(super) positions: u64,
    /// The bytes of its values.
    pub(super) values: &'r [u8],
}

/// Reads a record: the bytes of the title of the query, and the groups.
pub(super) fn read(record: &[u8]) -> Option<(&[u8], impl Iterator<Item = GroupRecord<'_>>)> {
    let mut rest = record;
    read_value(&mut rest)?;
    let (title, mut rest) = record.split_at_checked(record.len() - rest.len())?;
    let groups = std::iter::from_fn(move || {
        let end = *GameEnd::ALL.get(usize::from(*take(&mut rest, 1)?.first()?))?;
        let positions = take_number(&mut rest)?;
        let length = usize::try_from(take_number(&mut rest)?).ok()?;
        Some(GroupRecord { end, positions, values: take(&mut rest, length)? })
    });
    Some((title, groups))
}

/// Reads the values of a group.
pub(super) fn read_values(mut bytes: &[u8]) -> Vec<GroupValue> {
    std::iter::from_fn(|| read_value(&mut bytes)).collect()
}

fn read_value(bytes: &mut &[u8]) -> Option<GroupValue> {
    match *take(bytes, 1)?.first()? {
        NUMBER => take_number(bytes).map(|number| GroupValue::Number(number.cast_signed())),
        TEXT => {
            let length = usize::try_from(take_number(bytes)?).ok()?;
            let text = String::from_utf8_lossy(take(bytes, length)?);
            Some(GroupValue::Text(text.into_owned()))
        }
        _ => Some(GroupValue::None),
    }
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(take(bytes, 8)?.try_into().ok()?))
}
