//! Several databases as one.

use std::io;
use std::sync::Arc;

use babson::Query;
use babson::search::{GameGuard, GameSource, NextGame, SearchCounts, SourceGame, SourceSearch};
use babson_api::ProgressLine;

use crate::clock::SliceClock;
use crate::database::{Database, DatabaseGames};

/// The databases of a search, whose games are numbered one after another.
pub(crate) struct Places(Vec<Place>);

/// A database in a search.
struct Place {
    database: Arc<Database>,
    /// Games before it.
    before: u64,
}

/// The games of some databases, one after another.
pub(crate) struct ChosenGames {
    /// The databases that follow, the next one last.
    waiting: Vec<Arc<Database>>,
    current: Option<(Arc<Database>, DatabaseGames)>,
    /// How many games of the current one come.
    left: u64,
}

impl Places {
    pub(crate) fn new(chosen: Vec<Arc<Database>>) -> Places {
        let mut before = 0;
        let places = chosen.into_iter().map(|database| {
            let place = Place { before, database };
            before += place.database.games;
            place
        });
        Places(places.collect())
    }

    /// How many games all have.
    pub(crate) fn total(&self) -> u64 {
        self.0.last().map_or(0, |last| last.before + last.database.games)
    }

    /// A search of all games, which ends after this number of matches.
    pub(crate) fn search(&self, query: &Query, limit: Option<u64>) -> SourceSearch<ChosenGames> {
        let waiting = self.0.iter().rev().map(|place| Arc::clone(&place.database)).collect();
        let games = ChosenGames { waiting, current: None, left: 0 };
        let search = query.search_source(games).last_number(self.total());
        match limit {
            Some(limit) => search.limit(limit),
            None => search,
        }
    }

    /// How far such a search is.
    pub(crate) fn progress(
        &self,
        search: &SourceSearch<ChosenGames>,
        clock: &SliceClock,
    ) -> ProgressLine {
        let SearchCounts { games, matches, .. } = search.counts();
        ProgressLine { games, total_games: self.total(), matches, seconds: clock.seconds() }
    }

    /// The database with the game of this number, and its number there.
    pub(crate) fn of(&self, game: u64) -> Option<(&Database, u64)> {
        let after = self.0.partition_point(|place| place.before < game);
        let place = self.0.get(after.checked_sub(1)?)?;
        Some((&place.database, game - place.before))
    }
}

impl GameSource for ChosenGames {
    fn find_next(&mut self, guard: Option<&GameGuard>) -> io::Result<Option<NextGame<'_>>> {
        while self.left == 0 {
            let Some(next) = self.waiting.pop() else { return Ok(None) };
            self.left = next.games;
            let games = next.games();
            self.current = Some((next, games));
        }
        let next = match &mut self.current {
            Some((database, games)) => Some((&*database, games.find_next(guard)?)),
            None => None,
        };
        let Some((database, Some(mut next))) = next else {
            return Err(io::Error::other("the file has fewer games than when it was opened"));
        };
        let games = match &mut next {
            NextGame::Skipped(games) => *games,
            NextGame::Game(SourceGame::Text(game)) => {
                game.name = Some((&database.name, database.games - self.left + 1));
                1
            }
            NextGame::Game(SourceGame::Row(_)) => 1,
        };
        self.left = self.left.saturating_sub(games);
        Ok(Some(next))
    }
}
