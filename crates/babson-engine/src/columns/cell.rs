//! The cells of a row.

use std::borrow::Cow;

use babson_chess::Color;
use babson_pgn::tags::{decode, normal};
use babson_vm::{SortValue, tag_value};
use serde::{Deserialize, Serialize};

use super::Column;
use crate::sink::MatchedGame;
use crate::sink::position::PositionHit;

/// The content of a cell: see [`Columns::for_each_row`](crate::Columns::for_each_row).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Cell<'c> {
    /// A tag that the game does not have, a move that was not played, a key that was never bound.
    None,
    /// A number.
    Number(i64),
    /// A text.
    #[serde(borrow)]
    Text(Cow<'c, str>),
}

impl<'c> Cell<'c> {
    fn unsigned(number: u64) -> Cell<'c> {
        Cell::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn text(text: impl Into<Cow<'c, str>>) -> Cell<'c> {
        Cell::Text(text.into())
    }

    fn value(value: &'c SortValue) -> Cell<'c> {
        match value {
            SortValue::Number(number) => Cell::Number(i64::from(*number)),
            SortValue::Text(text) => Cell::Text(decode(text)),
        }
    }

    /// A text that is missing where it is empty.
    fn text_if_any(text: impl Into<Cow<'c, str>>) -> Cell<'c> {
        let text = text.into();
        if text.is_empty() { Cell::None } else { Cell::Text(text) }
    }
}

/// The value of a tag; empty if there is none.
pub(crate) fn tag<'c>(matched: &MatchedGame<'c>, name: &str) -> Cow<'c, str> {
    tag_value(matched.game, matched.outcome, name)
}

/// The year of the game.
fn year(matched: &MatchedGame<'_>) -> Option<u32> {
    normal::year(tag(matched, "Date").as_bytes())
}

fn number_if_any(number: Option<u32>) -> Cell<'static> {
    number.map_or(Cell::None, |number| Cell::Number(i64::from(number)))
}

/// Returns the cell of a column in the row of the matching position `place`. Without a position,
/// returns the cell of a column that is the same in all rows of a game, and `None` for a column
/// that depends on the position.
pub(crate) fn of<'c>(
    column: &Column,
    matched: &MatchedGame<'c>,
    place: Option<&PositionHit<'c>>,
) -> Option<Cell<'c>> {
    let MatchedGame { game, outcome, job, .. } = *matched;
    Some(match column {
        Column::Game => Cell::unsigned(matched.number),
        Column::Input => Cell::text(matched.input),
        Column::Number => Cell::unsigned(matched.input_number),
        Column::Offset => Cell::unsigned(matched.offset),
        Column::Query => Cell::text(&*job.title),
        Column::Tag(name) => Cell::text_if_any(tag(matched, name)),
        Column::Elo(Color::White) => {
            number_if_any(normal::elo(tag(matched, "WhiteElo").as_bytes()))
        }
        Column::Elo(Color::Black) => {
            number_if_any(normal::elo(tag(matched, "BlackElo").as_bytes()))
        }
        Column::Date => {
            let date = normal::full_date(tag(matched, "Date").as_bytes());
            date.map_or(Cell::None, |date| Cell::text(date.to_string()))
        }
        Column::Year => number_if_any(year(matched)),
        Column::Decade => number_if_any(year(matched).map(|year| year / 10 * 10)),
        Column::Month => number_if_any(normal::month(tag(matched, "Date").as_bytes())),
        Column::EcoPrefix(letters) => {
            let code = tag(matched, "ECO");
            let end = code.char_indices().nth(*letters).map_or(code.len(), |(at, _)| at);
            match code {
                code if code.starts_with(['?', '-']) => Cell::None,
                Cow::Borrowed(code) => Cell::text_if_any(code.split_at(end).0),
                Cow::Owned(mut code) => {
                    code.truncate(end);
                    Cell::text_if_any(code)
                }
            }
        }
        Column::Sort(name) => {
            let mut keys = job.program.sorts().iter().zip(&outcome.sort);
            let value =
                keys.find(|(key, _)| key.name == *name).and_then(|(_, value)| value.as_ref());
            value.map_or(Cell::None, Cell::value)
        }
        Column::Id => Cell::Number(i64::from(place?.id)),
        Column::Ply => Cell::Number(i64::from(place?.node.ply)),
        Column::MoveNumber => Cell::Number(i64::from(place?.position.full_moves())),
        Column::Side => Cell::text(match place?.position.side() {
            Color::White => "white",
            Color::Black => "black",
        }),
        Column::Move => Cell::text_if_any(place?.mv(game)),
        Column::San => Cell::text_if_any(place?.san(game)),
        Column::Uci => Cell::text_if_any(place?.uci(game)),
        Column::Next => {
            Cell::text_if_any(place?.next(game).map(|next| next.mv(game)).unwrap_or_default())
        }
        Column::NextSan => {
            Cell::text_if_any(place?.next(game).map(|next| next.san(game)).unwrap_or_default())
        }
        Column::NextUci => {
            Cell::text_if_any(place?.next(game).map(|next| next.uci(game)).unwrap_or_default())
        }
        Column::Fen => Cell::text(place?.fen(game)),
        Column::Comment => {
            let comments: Vec<_> = place?.comments(outcome).collect();
            Cell::text_if_any(comments.join("; "))
        }
        Column::Field(name) => {
            let mut fields = outcome.fields_at(place?.id).iter();
            let field = fields.find(|field| field.name == *name);
            field.map_or(Cell::None, |field| Cell::value(&field.value))
        }
    })
}
