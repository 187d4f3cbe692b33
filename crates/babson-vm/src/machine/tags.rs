//! Tags as filters see them (language.md 13.6), in the reading of the dialect.

use babson_lang::hir::{GameResult, Nullary, Side};
use babson_pgn::tags::normal;

use super::Run;

impl<'g> Run<'_, 'g> {
    pub(super) fn has_result(&self, wanted: GameResult) -> bool {
        let marker = match wanted {
            GameResult::WhiteWins => babson_pgn::GameResult::WhiteWins,
            GameResult::BlackWins => babson_pgn::GameResult::BlackWins,
            GameResult::Draw => babson_pgn::GameResult::Draw,
        };
        self.game.result() == marker
    }

    fn player(&self, side: Side) -> Vec<u8> {
        let name = if side == Side::White {
            b"White"
        } else {
            b"Black"
        };
        let raw = self.game.tag(name).unwrap_or(b"?");
        if self.program.dialect.raw_tags {
            raw.to_vec()
        } else {
            normal::name(&normal::latin1(raw)).0
        }
    }

    fn plain(&self, name: &[u8]) -> Vec<u8> {
        let raw = self.game.tag(name).unwrap_or(b"?");
        if self.program.dialect.raw_tags {
            raw.to_vec()
        } else {
            normal::latin1(raw).into_owned()
        }
    }

    fn one_elo(&self, side: Side) -> Option<i32> {
        let color: &[u8] = if side == Side::White {
            b"White"
        } else {
            b"Black"
        };
        let kinds: [&[u8]; 7] = [
            b"Elo", b"Rating", b"Rapid", b"ICCF", b"USCF", b"DWZ", b"BCF",
        ];
        let found = kinds
            .iter()
            .find_map(|kind| self.game.tag(&[color, kind].concat()));
        let rating = found.and_then(normal::elo).or_else(|| {
            let raw = self.game.tag(color)?;
            if self.program.dialect.raw_tags {
                None
            } else {
                normal::name(raw).1
            }
        });
        rating.and_then(|rating| i32::try_from(rating).ok())
    }

    pub(super) fn elo(&self, side: Option<Side>) -> Option<i32> {
        match side {
            Some(side) => self.one_elo(side),
            None => self.one_elo(Side::White).max(self.one_elo(Side::Black)),
        }
    }

    pub(super) fn year(&self) -> Option<i32> {
        let date = self.game.tag(b"Date")?;
        normal::year(date).and_then(|year| i32::try_from(year).ok())
    }

    /// The text of a filter for a built-in tag; none where it does not match.
    pub(super) fn built_in_tag(&self, which: Nullary) -> Option<Vec<u8>> {
        let text = match which {
            Nullary::Player(Some(side)) => self.player(side),
            Nullary::Player(None) => {
                let mut both = self.player(Side::White);
                both.extend_from_slice(b"\\n");
                both.extend_from_slice(&self.player(Side::Black));
                both
            }
            Nullary::Event => self.plain(b"Event"),
            Nullary::Site => self.plain(b"Site"),
            Nullary::Date => normal::date(self.game.tag(b"Date").unwrap_or_default()).into_bytes(),
            Nullary::EventDate => {
                normal::date(self.game.tag(b"EventDate").unwrap_or_default()).into_bytes()
            }
            Nullary::Eco => {
                let raw = self.game.tag(b"ECO")?;
                if self.program.dialect.raw_tags {
                    raw.to_vec()
                } else {
                    normal::eco(raw)?.to_vec()
                }
            }
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    /// `tag "NAME"`
    pub(super) fn tag(&self, name: &str) -> Option<Vec<u8>> {
        match name {
            "White" => self.built_in_tag(Nullary::Player(Some(Side::White))),
            "Black" => self.built_in_tag(Nullary::Player(Some(Side::Black))),
            "Event" => self.built_in_tag(Nullary::Event),
            "Site" => self.built_in_tag(Nullary::Site),
            "Date" => self.built_in_tag(Nullary::Date),
            "EventDate" => self.built_in_tag(Nullary::EventDate),
            "ECO" => self.built_in_tag(Nullary::Eco),
            "FEN" if !self.program.dialect.raw_tags => {
                let given = self.game.tag(b"FEN")?;
                if given.trim_ascii().is_empty() {
                    return None;
                }
                let fen = babson_chess::fen::write(&self.game.positions()[0], self.game.rules());
                Some(fen.into_bytes())
            }
            _ => {
                let raw = self.game.tag(name.as_bytes())?;
                Some(if self.program.dialect.raw_tags {
                    raw.to_vec()
                } else {
                    normal::latin1(raw).into_owned()
                })
            }
        }
    }
}
