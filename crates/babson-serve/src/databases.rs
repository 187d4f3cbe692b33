//! The databases of a server, which are opened once.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use babson::command::FileIdentity;
use babson::files::InputGame;
use babson::scan::count;
use babson::sink::COLUMNS;
use babson::{Error, Input};
use babson_api::{ApiError, ErrorCode};
use serde::Serialize;

use crate::config::DatabaseSpec;
use crate::error::ServeError;
use crate::limits::MAX_TOLD_NAMES;

/// The databases, in the order of the command line.
#[derive(Debug, Default)]
pub(crate) struct Databases(Vec<Arc<Database>>);

/// A database: the inputs of its file, folder or archive.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) name: String,
    /// The name of its file without folders.
    file: String,
    pub(crate) inputs: Vec<Input>,
    /// The names of the inputs, which have their paths.
    names: HashSet<String>,
    pub(crate) games: u64,
    bytes: u64,
    stamps: Vec<Stamp>,
}

/// A database in the answer of `databases`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DatabaseAnswer {
    pub(crate) name: String,
    /// The name of its file, without folders.
    pub(crate) file: String,
    pub(crate) games: u64,
    pub(crate) bytes: u64,
    /// The columns that a search can name, without the columns of its query and of tags.
    pub(crate) columns: Vec<&'static str>,
}

/// What tells a file of a name apart from another one, or from the same one after a change.
#[derive(Debug)]
struct Stamp {
    path: PathBuf,
    identity: Option<FileIdentity>,
    data: Option<(u64, Option<SystemTime>)>,
}

impl Stamp {
    fn of(path: &Path) -> Stamp {
        let data = std::fs::metadata(path).ok();
        let data = data.map(|data| (data.len(), data.modified().ok()));
        Stamp { path: path.to_owned(), identity: FileIdentity::of(path), data }
    }

    fn is_unchanged(&self) -> bool {
        let now = Stamp::of(&self.path);
        (&now.identity, now.data) == (&self.identity, self.data) && now.data.is_some()
    }
}

impl Databases {
    /// Opens the databases and counts their games.
    ///
    /// # Errors
    /// There is none, two have the same name, or one cannot be read.
    pub(crate) fn open(specs: &[DatabaseSpec]) -> Result<Databases, ServeError> {
        if specs.is_empty() {
            return Err(ServeError::NoDatabase);
        }
        let mut all: Vec<Arc<Database>> = Vec::new();
        for spec in specs {
            let name = &spec.name;
            if name.is_empty() || name.contains(|letter: char| letter.is_control()) {
                return Err(ServeError::BadName { name: name.clone() });
            }
            if all.iter().any(|other| other.name == *name) {
                return Err(ServeError::SameName { name: name.clone() });
            }
            all.push(Arc::new(Database::open(spec)?));
        }
        Ok(Databases(all))
    }

    /// The names, and the games of each.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|database| (database.name.as_str(), database.games))
    }

    /// The answer of `databases`.
    pub(crate) fn answer(&self) -> Vec<DatabaseAnswer> {
        let columns: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        let answer = |database: &Arc<Database>| DatabaseAnswer {
            name: database.name.clone(),
            file: database.file.clone(),
            games: database.games,
            bytes: database.bytes,
            columns: columns.clone(),
        };
        self.0.iter().map(answer).collect()
    }

    /// The database of a name, with the files as they were opened.
    ///
    /// # Errors
    /// There is none, or its file has changed.
    pub(crate) fn named(&self, name: &str) -> Result<Arc<Database>, ApiError> {
        let found = self.0.iter().find(|database| database.name == name).ok_or_else(|| {
            let names = self.0.iter().take(MAX_TOLD_NAMES).map(|one| format!("`{}`", one.name));
            let names = names.collect::<Vec<_>>().join(", ");
            let more = if self.0.len() > MAX_TOLD_NAMES { ", …" } else { "" };
            let wrong = name.escape_debug();
            let message = format!("there is no database `{wrong}`; the server has {names}{more}");
            ApiError::new(ErrorCode::Database, message)
        })?;
        found.check_unchanged()?;
        Ok(Arc::clone(found))
    }

    /// The databases of these names, or all.
    ///
    /// # Errors
    /// As [`Databases::named`]; or a name occurs twice, or there is no name.
    pub(crate) fn chosen(&self, names: Option<&[String]>) -> Result<DatabaseChoice, ApiError> {
        let Some(names) = names else {
            self.0.iter().try_for_each(|database| database.check_unchanged())?;
            return Ok(DatabaseChoice::new(self.0.clone()));
        };
        let wrong = |message| Err(ApiError::new(ErrorCode::Request, message));
        if names.is_empty() {
            return wrong("the list of databases is empty: leave it out to search all".to_owned());
        }
        let mut chosen: Vec<Arc<Database>> = Vec::new();
        for name in names {
            if chosen.iter().any(|other| other.name == *name) {
                return wrong(format!("the database `{name}` is named twice"));
            }
            chosen.push(self.named(name)?);
        }
        Ok(DatabaseChoice::new(chosen))
    }
}

impl Database {
    fn open(spec: &DatabaseSpec) -> Result<Database, ServeError> {
        if spec.path == Path::new("-") {
            return Err(ServeError::StandardInput);
        }
        let mut inputs = Vec::new();
        for input in Input::expand(&spec.path).map_err(Error::from)? {
            inputs.push(input.opened().map_err(Error::from)?);
        }
        let mut paths: Vec<&Path> = inputs.iter().filter_map(Input::path).collect();
        paths.dedup();
        let stamps = paths.into_iter().map(Stamp::of).collect();
        let mut games = 0;
        let mut texts = Vec::new();
        for input in &inputs {
            let rows = if let Input::Opened(file) = input { file.games_of_table() } else { None };
            match rows {
                Some(rows) => games += rows,
                None => texts.push(input.clone()),
            }
        }
        if !texts.is_empty() {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            games += count(&texts, threads, true)?;
        }
        let (name, bytes) = (spec.name.clone(), Input::total_size(&inputs));
        if games == 0 {
            return Err(ServeError::NoGames { name });
        }
        let file = babson_api::file_name(&spec.path.display().to_string()).to_owned();
        let names = inputs.iter().map(Input::name).collect();
        Ok(Database { name, file, inputs, names, games, bytes, stamps })
    }

    /// The game of this number, without a look at the games before it; `None` if a file of the
    /// database is not an open table.
    pub(crate) fn game_of_table(&self, number: u64) -> Option<Result<InputGame, Error>> {
        let mut number = number;
        for input in &self.inputs {
            let Input::Opened(file) = input else { return None };
            let games = file.games_of_table()?;
            if number <= games {
                return input.game_of_table(number).map(|game| game.map_err(Error::from));
            }
            number -= games;
        }
        None
    }

    /// Checks that its files are those that were opened.
    fn check_unchanged(&self) -> Result<(), ApiError> {
        match self.stamps.iter().all(Stamp::is_unchanged) {
            true => Ok(()),
            false => Err(self.changed()),
        }
    }

    /// The error of a database whose file has changed.
    pub(crate) fn changed(&self) -> ApiError {
        let message = format!(
            "the database `{}` has changed or disappeared since the server opened it: the server \
             has to be started again",
            self.name
        );
        ApiError::new(ErrorCode::Changed, message)
    }
}

/// The databases of a search, one after another.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseChoice(Arc<[Arc<Database>]>);

impl DatabaseChoice {
    fn new(chosen: Vec<Arc<Database>>) -> DatabaseChoice {
        DatabaseChoice(chosen.into())
    }

    /// One database.
    pub(crate) fn of(database: &Arc<Database>) -> DatabaseChoice {
        DatabaseChoice::new(vec![Arc::clone(database)])
    }

    /// The inputs of the search.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        self.0.iter().flat_map(|database| database.inputs.iter().cloned()).collect()
    }

    /// The number of all games.
    pub(crate) fn games(&self) -> u64 {
        self.0.iter().map(|database| database.games).sum()
    }

    /// The database of a game, and the number of the game in it. `number` counts over all
    /// databases.
    pub(crate) fn place(&self, number: u64) -> (&str, u64) {
        let mut number = number;
        let last = self.0.len().saturating_sub(1);
        for database in &self.0[..last] {
            if number <= database.games {
                return (&database.name, number);
            }
            number -= database.games;
        }
        (self.0.last().map_or("", |database| &database.name), number)
    }

    /// A text of a game; if it is the name of an input, without the folder.
    pub(crate) fn without_folder<'t>(&self, text: &'t str) -> &'t str {
        let has_folder = text.contains(['/', '\\']);
        match has_folder && self.0.iter().any(|database| database.names.contains(text)) {
            true => babson_api::file_name(text),
            false => text,
        }
    }

    /// The first database whose file has changed.
    pub(crate) fn changed(&self) -> Option<ApiError> {
        self.0.iter().find_map(|database| database.check_unchanged().err())
    }

    /// The database that has an input of this name.
    pub(crate) fn of_input(&self, name: &str) -> &str {
        let has = |database: &&Arc<Database>| database.names.contains(name);
        self.0.iter().find(has).map_or("", |database| &database.name)
    }
}
