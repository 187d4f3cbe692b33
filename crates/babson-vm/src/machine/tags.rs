//! Tags as filters see them, in the reading of the dialect (`docs/src/language/tags.md`).

use babson_lang::hir::{BuiltInTag, Color, GameResult};
use babson_pgn::Game;
use babson_pgn::tags::{cql6, normal};
use hashbrown::HashMap;

use super::Run;
use crate::limits::MAX_LISTED_TAGS;

/// The tags of a game, collected when a filter first asks for one.
#[derive(Debug)]
pub(super) enum TagTable<'g> {
    /// In file order.
    Few(Vec<(&'g [u8], &'g [u8])>),
    /// The first value of each name.
    Many(HashMap<&'g [u8], &'g [u8]>),
}

impl<'g> TagTable<'g> {
    fn of(game: &Game<'g>) -> TagTable<'g> {
        let tags: Vec<_> = game.tags().collect();
        if tags.len() <= MAX_LISTED_TAGS {
            return TagTable::Few(tags);
        }
        // In reverse, so that the first of several values remains.
        TagTable::Many(tags.into_iter().rev().collect())
    }

    fn get(&self, name: &[u8]) -> Option<&'g [u8]> {
        match self {
            TagTable::Few(tags) => tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1),
            TagTable::Many(tags) => tags.get(name).copied(),
        }
    }
}

impl<'g> Run<'_, 'g> {
    /// The value of a tag as it is in the file.
    fn raw_tag(&self, name: &[u8]) -> Option<&'g [u8]> {
        let table = self.tags.get_or_init(|| TagTable::of(&self.game));
        table.get(name)
    }

    pub(super) fn has_result(&self, wanted: GameResult) -> bool {
        let marker = match wanted {
            GameResult::WhiteWins => babson_pgn::GameResult::WhiteWins,
            GameResult::BlackWins => babson_pgn::GameResult::BlackWins,
            GameResult::Draw => babson_pgn::GameResult::Draw,
        };
        self.game.result() == marker
    }

    /// The tags as CQL 6.2 reads them; none in the dialect that reads them as they are in the file.
    fn cql6_tags(&self) -> Option<&cql6::Cql6Tags<'g>> {
        (!self.program.dialect.raw_tags).then(|| {
            let read = || Box::new(cql6::Cql6Tags::read(self.game.tags()));
            &**self.cql6_tags.get_or_init(read)
        })
    }

    fn player(&self, side: Color) -> Vec<u8> {
        let name = match self.cql6_tags() {
            None => self.raw_tag(player_tag(side)),
            Some(tags) => player_of(tags, side).name.as_deref(),
        };
        name.unwrap_or(b"?").to_vec()
    }

    fn one_elo(&self, side: Color) -> Option<i32> {
        let rating = match self.cql6_tags() {
            Some(tags) => Some(player_of(tags, side).rating).filter(|&rating| rating > 0),
            None => {
                let kinds: [&[u8]; 7] =
                    [b"Elo", b"Rating", b"Rapid", b"ICCF", b"USCF", b"DWZ", b"BCF"];
                let tag = |kind: &&[u8]| self.raw_tag(&[player_tag(side), kind].concat());
                kinds.iter().find_map(tag).and_then(normal::elo)
            }
        };
        rating.and_then(|rating| i32::try_from(rating).ok())
    }

    pub(super) fn elo(&self, side: Option<Color>) -> Option<i32> {
        match side {
            Some(side) => self.one_elo(side),
            None => self.one_elo(Color::White).max(self.one_elo(Color::Black)),
        }
    }

    pub(super) fn year(&self) -> Option<i32> {
        let year = match self.cql6_tags() {
            None => normal::year(self.raw_tag(b"Date")?)?,
            Some(tags) => Some(tags.date.year).filter(|&year| year > 0)?,
        };
        i32::try_from(year).ok()
    }

    /// The text of a filter for a built-in tag; none where it does not match.
    pub(super) fn built_in_tag(&self, which: BuiltInTag) -> Option<Vec<u8>> {
        let rewritten = self.cql6_tags();
        let plain = |name: &[u8], of: fn(&cql6::Cql6Tags<'g>) -> Option<&'g [u8]>| {
            let value = rewritten.map_or_else(|| self.raw_tag(name), of);
            value.unwrap_or(b"?").to_vec()
        };
        let date = |name: &[u8], of: fn(&cql6::Cql6Tags<'g>) -> cql6::Date| match rewritten {
            None => normal::date(self.raw_tag(name).unwrap_or_default()).into_bytes(),
            Some(tags) => of(tags).to_string().into_bytes(),
        };
        let text = match which {
            BuiltInTag::Player(Some(side)) => self.player(side),
            BuiltInTag::Player(None) => {
                let mut both = self.player(Color::White);
                both.extend_from_slice(b"\\n");
                both.extend_from_slice(&self.player(Color::Black));
                both
            }
            BuiltInTag::Event => plain(b"Event", |tags| tags.event),
            BuiltInTag::Site => plain(b"Site", |tags| tags.site),
            BuiltInTag::Date => date(b"Date", |tags| tags.date),
            BuiltInTag::EventDate => date(b"EventDate", |tags| tags.event_date),
            BuiltInTag::Eco => match rewritten {
                None => self.raw_tag(b"ECO")?.to_vec(),
                Some(tags) => tags.eco?.as_bytes().to_vec(),
            },
        };
        (!text.is_empty()).then_some(text)
    }

    /// `tag "NAME"`
    pub(super) fn tag(&self, name: &str) -> Option<Vec<u8>> {
        match name {
            "White" => self.built_in_tag(BuiltInTag::Player(Some(Color::White))),
            "Black" => self.built_in_tag(BuiltInTag::Player(Some(Color::Black))),
            "Event" => self.built_in_tag(BuiltInTag::Event),
            "Site" => self.built_in_tag(BuiltInTag::Site),
            "Date" => self.built_in_tag(BuiltInTag::Date),
            "EventDate" => self.built_in_tag(BuiltInTag::EventDate),
            "ECO" => self.built_in_tag(BuiltInTag::Eco),
            _ => match self.cql6_tags() {
                None => self.raw_tag(name.as_bytes()).map(<[u8]>::to_vec),
                Some(tags) if name == "FEN" => {
                    let given = tags.has_fen && !self.game.has_bad_fen();
                    given.then(|| {
                        let start = &self.game.positions()[0];
                        babson_chess::fen::write(start, self.game.rules()).into_bytes()
                    })
                }
                Some(tags) => {
                    let extra = tags.extra_tag(name.as_bytes());
                    let value = extra.or_else(|| self.raw_tag(name.as_bytes()));
                    value.map(<[u8]>::to_vec)
                }
            },
        }
    }
}

fn player_tag(side: Color) -> &'static [u8] {
    match side {
        Color::White => b"White",
        Color::Black => b"Black",
    }
}

fn player_of<'t>(tags: &'t cql6::Cql6Tags<'_>, side: Color) -> &'t cql6::Player {
    match side {
        Color::White => &tags.white,
        Color::Black => &tags.black,
    }
}
