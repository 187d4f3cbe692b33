//! The record of a match: its query, and for each of its groups how the game ended, the rating of
//! the opponent, the number of positions, and the values of the keys.
//!
//! The bytes of the values of a group are the same wherever the values are, so they are what groups
//! are told apart by, without reading them.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use babson_chess::Color;

use super::{GroupKeys, GroupValue, Key, NamedKey};
use crate::columns::Column;
use crate::columns::cell::{self, Cell};
use crate::limits::MAX_GROUP_TEXT;
use crate::sink::MatchedGame;
use crate::sink::position::matched_positions;

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

    /// The half points of White, or of the player of the group; `None` without a result.
    pub(super) fn half_points(self) -> Option<u64> {
        match self {
            GameEnd::Won => Some(2),
            GameEnd::Drawn => Some(1),
            GameEnd::Lost => Some(0),
            GameEnd::Other => None,
        }
    }
}

/// The player for whom the results of a game count, or White.
struct GroupSide<'m> {
    /// The name of the player; empty for White.
    player: &'m str,
    end: GameEnd,
    /// The rating of the opponent.
    opponent: Option<u16>,
}

/// Appends the record of a match.
pub(super) fn append(groups: &GroupKeys, matched: &MatchedGame<'_>, out: &mut Vec<u8>) {
    push_text(out, if groups.query_key().is_some() { &matched.job.title } else { "" });
    let result = cell::tag(matched, "Result");
    let (of_white, of_black) =
        (GameEnd::of_result(&result, false), GameEnd::of_result(&result, true));
    let has_positions = groups.keys.iter().any(NamedKey::is_of_position);
    let positions = has_positions.then(|| count_positions(groups, matched));
    let mut append = |side| append_side(groups, matched, &side, positions.as_ref(), out);
    let rating = |color| elo(matched, color);
    if !groups.keys.iter().any(|key| key.key == Key::Player) {
        return append(GroupSide { player: "", end: of_white, opponent: rating(Color::Black) });
    }
    let (white, black) = (cell::tag(matched, "White"), cell::tag(matched, "Black"));
    if white == black {
        // The name won as often as it lost, against itself.
        let end = if of_white == of_black { of_white } else { GameEnd::Other };
        append(GroupSide { player: &white, end, opponent: None });
    } else {
        append(GroupSide { player: &white, end: of_white, opponent: rating(Color::Black) });
        append(GroupSide { player: &black, end: of_black, opponent: rating(Color::White) });
    }
}

/// The rating of a player.
fn elo(matched: &MatchedGame<'_>, color: Color) -> Option<u16> {
    match cell::of(&Column::Elo(color), matched, None)? {
        Cell::Number(rating) => u16::try_from(rating).ok(),
        Cell::None | Cell::Text(_) => None,
    }
}

/// The number of positions that have the same values of the keys of the position, by the bytes of
/// these values.
pub(super) type PositionCounts = BTreeMap<Vec<u8>, u64>;

/// Counts the matching positions. The values of the keys of the game, which may be long, are not
/// repeated for each.
pub(super) fn count_positions(groups: &GroupKeys, matched: &MatchedGame<'_>) -> PositionCounts {
    let mut counts = PositionCounts::new();
    let mut values = Vec::new();
    for place in matched_positions(matched.game, matched.outcome) {
        values.clear();
        for key in &groups.keys {
            let cell = match &key.key {
                Key::Column(column) if column.is_of_position() => {
                    cell::of(column, matched, Some(&place))
                }
                Key::Column(_) | Key::Player => None,
            };
            cell.into_iter().for_each(|cell| push_cell(&mut values, cell, key.band));
        }
        match counts.get_mut(&values) {
            Some(count) => *count += 1,
            None => drop(counts.insert(values.clone(), 1)),
        }
    }
    counts
}

/// Appends the groups of a game, or of one of its players. Without a key of the position, there is
/// one group.
fn append_side(
    groups: &GroupKeys,
    matched: &MatchedGame<'_>,
    side: &GroupSide<'_>,
    positions: Option<&PositionCounts>,
    out: &mut Vec<u8>,
) {
    let Some(positions) = positions else {
        let count = matched.outcome.positions.len() as u64;
        push_group(out, side, count, |out| push_game_values(groups, matched, side.player, out));
        return;
    };
    let mut of_game = Vec::new();
    push_game_values(groups, matched, side.player, &mut of_game);
    for (of_position, &count) in positions {
        let (mut of_game, mut of_position) = (of_game.as_slice(), of_position.as_slice());
        push_group(out, side, count, |out| {
            for key in &groups.keys {
                let values = if key.is_of_position() { &mut of_position } else { &mut of_game };
                out.extend_from_slice(take_value(values).unwrap_or_default());
            }
        });
    }
}

/// Appends a group, whose values `push` appends.
fn push_group(
    out: &mut Vec<u8>,
    side: &GroupSide<'_>,
    positions: u64,
    push: impl FnOnce(&mut Vec<u8>),
) {
    out.push(side.end as u8);
    out.extend_from_slice(&side.opponent.unwrap_or(NO_RATING).to_le_bytes());
    out.extend_from_slice(&positions.to_le_bytes());
    // The length of the values is known after them.
    let begin = out.len();
    out.extend_from_slice(&[0; size_of::<u64>()]);
    push(out);
    let length = (out.len() - begin - size_of::<u64>()) as u64;
    out[begin..][..size_of::<u64>()].copy_from_slice(&length.to_le_bytes());
}

/// Appends the values of the keys that have one in a game.
fn push_game_values(
    groups: &GroupKeys,
    matched: &MatchedGame<'_>,
    player: &str,
    out: &mut Vec<u8>,
) {
    for key in &groups.keys {
        match &key.key {
            Key::Column(column) => {
                let cell = cell::of(column, matched, None);
                cell.into_iter().for_each(|cell| push_cell(out, cell, key.band));
            }
            Key::Player if player.is_empty() => out.push(NONE),
            Key::Player => push_text(out, player),
        }
    }
}

/// A number rounded down to a multiple of `band`; nothing if it is not a number.
fn in_band(cell: Cell<'_>, band: NonZeroU32) -> Cell<'static> {
    let band = i64::from(band.get());
    let number = match cell {
        Cell::None => None,
        Cell::Number(number) => Some(number),
        Cell::Text(text) => text.trim().parse().ok(),
    };
    let rounded = number.and_then(|number: i64| number.div_euclid(band).checked_mul(band));
    rounded.map_or(Cell::None, Cell::Number)
}

/// In place of a rating that is not there.
const NO_RATING: u16 = 0;

/// The first byte of a value.
const NONE: u8 = 0;
const NUMBER: u8 = 1;
const TEXT: u8 = 2;

/// Appends the value of a key.
fn push_cell(out: &mut Vec<u8>, cell: Cell<'_>, band: Option<NonZeroU32>) {
    let cell = match band {
        Some(band) => in_band(cell, band),
        None => cell,
    };
    match cell {
        Cell::None => out.push(NONE),
        Cell::Number(number) => {
            out.push(NUMBER);
            out.extend_from_slice(&number.to_le_bytes());
        }
        Cell::Text(text) => push_text(out, &text),
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
    /// The rating of the opponent.
    pub(super) opponent: Option<u16>,
    pub(super) positions: u64,
    /// The bytes of its values.
    pub(super) values: &'r [u8],
}

/// Reads a record: the bytes of the title of the query, and the groups.
pub(super) fn read(record: &[u8]) -> Option<(&[u8], impl Iterator<Item = GroupRecord<'_>>)> {
    let mut rest = record;
    let title = take_value(&mut rest)?;
    let groups = std::iter::from_fn(move || {
        let end = *GameEnd::ALL.get(usize::from(*take(&mut rest, 1)?.first()?))?;
        let rating = u16::from_le_bytes(take(&mut rest, size_of::<u16>())?.try_into().ok()?);
        let positions = take_number(&mut rest)?;
        let length = usize::try_from(take_number(&mut rest)?).ok()?;
        let opponent = (rating != NO_RATING).then_some(rating);
        Some(GroupRecord { end, opponent, positions, values: take(&mut rest, length)? })
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

/// The bytes of the next value.
fn take_value<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let mut after_kind = bytes.get(1..)?;
    let length = match *bytes.first()? {
        NUMBER => 1 + size_of::<i64>(),
        TEXT => {
            let length = usize::try_from(take_number(&mut after_kind)?).ok()?;
            length.checked_add(1 + size_of::<u64>())?
        }
        _ => 1,
    };
    take(bytes, length)
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(take(bytes, 8)?.try_into().ok()?))
}
