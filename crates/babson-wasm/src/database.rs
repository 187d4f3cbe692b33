//! The databases of the page: games in memory, or in files that stay where they are.

use std::io::{self, BufReader};
use std::sync::Arc;

use babson::event::DamagedGame;
use babson::matches::GameOrigin;
use babson::pgn::{Game, Needs, Reader};
use babson::run::{DamageSummary, GameDamages, ReadPurpose};
use babson::search::{GameGuard, GameSource, GameStream, NextGame, SourceGame};
use babson::table::{OpenTable, TableGames};
use babson_api::{ApiError, ErrorCode, check_game};
use serde::Serialize;

use crate::limits::GAMES_A_PLACE;
use crate::source::{ByteSource, SourceReader};

/// A database that the page has opened.
#[derive(Clone, Debug)]
pub struct Database {
    /// Its name in requests and answers.
    pub name: String,
    /// How many games it has.
    pub games: u64,
    /// The bytes of the file.
    pub(crate) bytes: u64,
    pub(crate) content: Content,
}

/// The games of a database.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Text(IndexedText),
    Table(Arc<OpenTable>),
}

/// The text of games, with the places of some of them.
#[derive(Clone, Debug)]
pub(crate) struct IndexedText {
    pub(crate) text: Arc<dyn ByteSource>,
    /// The place of each game whose number, counted from 0, is a multiple of [`GAMES_A_PLACE`].
    pub(crate) places: Vec<TextPlace>,
}

/// Where a game is in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextPlace {
    pub(crate) offset: u64,
    /// From 1.
    pub(crate) line: u64,
}

/// The games of a database, one after another.
pub(crate) enum DatabaseGames {
    Text(Box<GameStream<BufReader<SourceReader>>>),
    Table(Box<TableGames>),
}

/// What the page knows of a database, as the server tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct DatabaseAnswer<'d> {
    name: &'d str,
    games: u64,
    bytes: u64,
    columns: Vec<&'static str>,
}

/// The databases that are open.
#[derive(Debug, Default)]
pub struct Databases {
    open: Vec<Arc<Database>>,
}

/// A game of a database, and where it comes from.
pub(crate) struct FoundGame<'g> {
    pub(crate) game: &'g Game<'g>,
    pub(crate) origin: GameOrigin<'g>,
    /// Its damage, if it has any.
    pub(crate) damage: Option<DamagedGame>,
}

impl Database {
    /// The games.
    pub(crate) fn games(&self) -> DatabaseGames {
        match &self.content {
            Content::Text(IndexedText { text, .. }) => DatabaseGames::of_text(text, 0),
            Content::Table(table) => DatabaseGames::of_table(table, 0),
        }
    }

    /// Reads the game of this number, from 1, and calls `take` with it.
    ///
    /// # Errors
    /// There is no such game, it cannot be read, or `take` fails.
    pub(crate) fn with_game<T>(
        &self,
        number: u64,
        take: impl FnOnce(FoundGame<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        check_game(&self.name, self.games, number)?;
        let unreadable = |reason: &dyn std::fmt::Display| {
            let message = format!("the game cannot be read: {reason}");
            ApiError::new(ErrorCode::Game, message)
        };
        let index = number - 1;
        let (mut games, before, place) = match &self.content {
            Content::Text(IndexedText { text, places }) => {
                let known = usize::try_from(index / GAMES_A_PLACE).unwrap_or(usize::MAX);
                let place = places.get(known).copied().unwrap_or(TextPlace::START);
                (DatabaseGames::of_text(text, place.offset), index % GAMES_A_PLACE, place)
            }
            Content::Table(table) => (DatabaseGames::of_table(table, index), 0, TextPlace::START),
        };
        for _ in 0..before {
            games.find_next(None).map_err(|error| unreadable(&error))?;
        }
        let next = games.find_next(None).map_err(|error| unreadable(&error))?;
        let Some(NextGame::Game(mut next)) = next else {
            return Err(unreadable(&"the database has changed"));
        };
        if let SourceGame::Text(game) = &next
            && game.is_overlong
        {
            return Err(unreadable(&"it is too long"));
        }
        let mut origin = next.origin(&self.name, number);
        if let SourceGame::Text(_) = next {
            origin.offset += place.offset;
        }
        let (mut reader, mut damages) = (Reader::new(), GameDamages::default());
        let text = next.text();
        let game = text.read(&mut reader, Needs::ALL).map_err(|error| unreadable(&error))?;
        damages.add(&game, None, ReadPurpose::Search);
        let worst = damages.ranked().map(|(_, damage)| damage).find(|damage| !damage.note);
        let damage = worst.map(|damage: DamageSummary| {
            let line = next.line_of(damage.start) + place.line - 1;
            let mut report = damage.report(origin.input, line, number);
            next.blame(&mut report);
            report
        });
        take(FoundGame { game: &game, origin, damage })
    }

    fn answer(&self) -> DatabaseAnswer<'_> {
        let columns = babson::sink::COLUMNS.iter().map(|column| column.name).collect();
        DatabaseAnswer { name: &self.name, games: self.games, bytes: self.bytes, columns }
    }

    /// What the server tells of it, in JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.answer()).unwrap_or_default()
    }
}

impl TextPlace {
    /// The beginning of a text.
    pub(crate) const START: TextPlace = TextPlace { offset: 0, line: 1 };
}

impl DatabaseGames {
    /// The games of a text from an offset on.
    pub(crate) fn of_text(text: &Arc<dyn ByteSource>, offset: u64) -> DatabaseGames {
        let reader = SourceReader::buffered(Arc::clone(text), offset);
        DatabaseGames::Text(Box::new(GameStream::new(reader)))
    }

    /// The games of a table from a row on.
    fn of_table(table: &Arc<OpenTable>, row: u64) -> DatabaseGames {
        DatabaseGames::Table(Box::new(TableGames::new(Arc::clone(table), row..u64::MAX)))
    }
}

impl GameSource for DatabaseGames {
    fn find_next(&mut self, guard: Option<&GameGuard>) -> io::Result<Option<NextGame<'_>>> {
        match self {
            DatabaseGames::Text(stream) => stream.find_next(guard),
            DatabaseGames::Table(games) => games.find_next(guard),
        }
    }
}

impl Databases {
    /// Opens a database. It takes the place of an open one with this name.
    pub fn add(&mut self, database: Database) -> Arc<Database> {
        let database = Arc::new(database);
        match self.open.iter_mut().find(|one| one.name == database.name) {
            Some(old) => *old = Arc::clone(&database),
            None => self.open.push(Arc::clone(&database)),
        }
        database
    }

    /// Closes the database of a name. Returns whether there was one.
    pub fn close(&mut self, name: &str) -> bool {
        let before = self.open.len();
        self.open.retain(|one| one.name != name);
        self.open.len() < before
    }

    /// The database of a name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(&self, name: &str) -> Result<Arc<Database>, ApiError> {
        let found = self.open.iter().find(|one| one.name == name);
        found.cloned().ok_or_else(|| {
            ApiError::new(ErrorCode::Database, format!("there is no database `{name}`"))
        })
    }

    /// The databases that a request names, in its order; all if it names none.
    ///
    /// # Errors
    /// One of them does not exist, or there is none at all.
    pub fn chosen(&self, names: Option<&[String]>) -> Result<Vec<Arc<Database>>, ApiError> {
        let chosen: Vec<Arc<Database>> = match names {
            Some(names) => names.iter().map(|name| self.named(name)).collect::<Result<_, _>>()?,
            None => self.open.clone(),
        };
        match chosen.is_empty() {
            true => Err(ApiError::new(ErrorCode::Database, "no database is open")),
            false => Ok(chosen),
        }
    }

    /// The list of the databases in JSON.
    pub fn to_json(&self) -> String {
        let all: Vec<DatabaseAnswer<'_>> = self.open.iter().map(|one| one.answer()).collect();
        serde_json::to_string(&all).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of games; every 50th is damaged.
    fn text(games: u64) -> String {
        let game = |number: u64| {
            let second = if number.is_multiple_of(50) { "Ke5" } else { "d5" };
            format!("[White \"{number}\"]\n\n1. d4\n{second} 2. c4 *\n\n")
        };
        (1..=games).map(game).collect()
    }

    #[test]
    fn every_game_is_found_at_its_place() {
        let text = text(300);
        let database = Database::read("mine", text.clone().into_bytes()).unwrap();
        assert_eq!(database.games, 300);
        for number in [1, 2, 64, 65, 66, 128, 129, 200, 299, 300] {
            let found = database.with_game(number, |found| {
                let white = found.game.tag(b"White").map(<[u8]>::to_vec);
                let line = found.damage.map(|damage| damage.line);
                Ok((white, found.origin.offset as usize, line))
            });
            let (white, offset, line) = found.unwrap();
            assert_eq!(white, Some(number.to_string().into_bytes()));
            assert!(text[offset..].starts_with(&format!("[White \"{number}\"]")), "{number}");
            assert_eq!(line, number.is_multiple_of(50).then_some(number * 5 - 1), "{number}");
        }
        let error = database.with_game(301, |_| Ok(())).unwrap_err();
        assert_eq!(error.code, ErrorCode::Game);
    }
}
