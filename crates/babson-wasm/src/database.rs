//! The databases of the page: games in memory.

use std::io::{Cursor, Read};
use std::sync::Arc;

use babson::Input;
use babson::files::DecompressedText;
use babson::pgn::{
    FileSignature, Games, NOT_PGN, Needs, Reader, count_lines, is_not_pgn, plain_text,
};
use babson_api::{ApiError, ErrorCode};
use serde::Serialize;

use crate::limits::MAX_TABLE_TEXT;

/// A database that the page has opened: its games as PGN in memory.
#[derive(Clone, Debug)]
pub struct Database {
    /// Its name in requests and answers.
    pub name: String,
    pub(crate) text: Arc<[u8]>,
    /// How many games it has.
    pub games: u64,
    /// How many lines its text has.
    pub(crate) lines: u64,
    /// The bytes of the file.
    bytes: u64,
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

impl Database {
    /// Reads a database: PGN, also compressed with gzip, or a game table.
    ///
    /// # Errors
    /// The bytes are something else, or damaged.
    ///
    /// ```
    /// use babson_wasm::Database;
    ///
    /// let database = Database::read("mine", b"1. e4 *\n\n[White \"Ann\"]\n\n1. d4 *\n".to_vec())?;
    /// assert_eq!(database.games, 2);
    /// assert!(Database::read("mine", b"GIF89a".to_vec()).is_err());
    /// # Ok::<(), babson_api::ApiError>(())
    /// ```
    pub fn read(name: &str, bytes: Vec<u8>) -> Result<Database, ApiError> {
        let length = bytes.len() as u64;
        let text = match FileSignature::of(&bytes) {
            None => bytes,
            Some(FileSignature::ArrowFile) => text_of_table(name, bytes)?,
            Some(_) => decompressed(bytes)?,
        };
        if is_not_pgn(&text) {
            return Err(unreadable(NOT_PGN));
        }
        let games = Games::new(&text).count() as u64;
        let lines = count_lines(&text, 0..text.len());
        Ok(Database { name: name.to_owned(), text: text.into(), games, lines, bytes: length })
    }

    /// The games as the input of a scan.
    pub(crate) fn input(&self) -> Input {
        Input::bytes(self.name.as_str(), Arc::clone(&self.text))
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

fn unreadable(reason: impl std::fmt::Display) -> ApiError {
    ApiError::new(ErrorCode::Unreadable, format!("the file cannot be read: {reason}"))
}

/// The text of compressed bytes.
fn decompressed(bytes: Vec<u8>) -> Result<Vec<u8>, ApiError> {
    let mut text = Vec::new();
    DecompressedText::new(Cursor::new(bytes)).read_to_end(&mut text).map_err(unreadable)?;
    Ok(text)
}

/// The games of a table as PGN.
fn text_of_table(name: &str, bytes: Vec<u8>) -> Result<Vec<u8>, ApiError> {
    let input = Input::bytes(name, bytes);
    let (mut reader, mut text) = (Reader::new(), Vec::new());
    for game in input.games() {
        let game = game.map_err(unreadable)?;
        let game = game.read(&mut reader, Needs::ALL).map_err(unreadable)?;
        match game.has_move_text() {
            true => text.extend_from_slice(game.text().trim_ascii_end()),
            false => text.extend_from_slice(plain_text(&game).trim_ascii_end()),
        }
        text.extend_from_slice(b"\n\n");
        if text.len() > MAX_TABLE_TEXT {
            return Err(unreadable("its games are too long for a browser"));
        }
    }
    Ok(text)
}
