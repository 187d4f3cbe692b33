//! Why a query matches in one game of a database or does not.

#[cfg(feature = "engine")]
use std::ops::ControlFlow;

#[cfg(feature = "engine")]
use babson_engine::{FoundGame, Input, Origin};
use babson_pgn::Game;
use babson_vm::{DamagedGame, Match, Outcome, RuntimeError, Trace, Why};
use serde::{Deserialize, Serialize};

use crate::Query;
#[cfg(feature = "engine")]
use crate::{Error, Event, Scan, Task};

/// Why a query matches in one game or does not: [`Query::why_in_game`], and with the feature
/// `engine` `Query::why`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GameWhy {
    /// The game, with the positions that `why` names.
    pub game: Match,
    /// The number of plies of its main line.
    pub plies: u32,
    /// Whether a search finds the game. It may not find it although positions match, for instance
    /// because the header of the query asks for more of them.
    pub matched: bool,
    /// Whether the query has values that games share. Here they have their first values.
    pub shares: bool,
    /// The damage of the game, if it has any. What follows the damage is not evaluated.
    #[serde(default)]
    pub damage: Option<DamagedGame>,
    /// What the filters did.
    pub why: Why,
}

/// Why there is no [`GameWhy`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WhyError {
    /// The inputs have fewer games.
    #[error("the inputs have fewer games, so none is number {game}")]
    NoSuchGame {
        /// The number of the game.
        game: u64,
    },
    /// The main line of the game is shorter.
    #[error("the game has {plies} plies, so none is number {ply}")]
    NoSuchPly {
        /// The number of the ply.
        ply: u32,
        /// How many plies the main line has.
        plies: u32,
    },
    /// A run-time error ended the evaluation on the game.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The games cannot be read up to this one.
    #[cfg(feature = "engine")]
    #[error(transparent)]
    Scan(#[from] Error),
}

impl Query {
    /// Why the query matches in a game of this number or does not. The trace is for the position
    /// after `ply` plies of the main line; without `ply`, for the first match or for the position
    /// that is nearest to a match. The game is read with
    /// [`Needs::ALL`](babson_pgn::Needs::ALL).
    ///
    /// ```
    /// use babson::Query;
    /// use babson::pgn::{Needs, Reader};
    ///
    /// let query = Query::compile("check mate")?;
    /// let mut reader = Reader::new();
    /// let game = reader.read(b"[White \"Bird\"]\n\n1. e4 e5 2. Qh5 Ke7 *", Needs::ALL);
    /// let why = query.why_in_game(&game, 17, None)?;
    /// assert_eq!((why.game.game, why.game.tag("White"), why.matched), (17, Some("Bird"), false));
    /// assert_eq!(why.why.failures[0].positions, 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The game has no such ply, or a run-time error ended the evaluation.
    pub fn why_in_game(
        &self,
        game: &Game<'_>,
        number: u64,
        ply: Option<u32>,
    ) -> Result<GameWhy, WhyError> {
        let why = self.trace_in_game(game, number, ply)?;
        self.why_of_trace(game, number, why)
    }

    /// The first half of [`Query::why_in_game`]: what the filters do in the game. A caller without
    /// threads may do something else before the second half, [`Query::why_of_trace`]. Each of them
    /// evaluates the game once, and so takes as long as a search of it.
    ///
    /// ```
    /// use babson::Query;
    /// use babson::pgn::{Needs, Reader};
    ///
    /// let query = Query::compile("check mate")?;
    /// let mut reader = Reader::new();
    /// let game = reader.read(b"[White \"Bird\"]\n\n1. e4 e5 2. Qh5 Ke7 *", Needs::ALL);
    /// let trace = query.trace_in_game(&game, 17, None)?;
    /// let why = query.why_of_trace(&game, 17, trace)?;
    /// assert_eq!(why, query.why_in_game(&game, 17, None)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Query::why_in_game`].
    pub fn trace_in_game(
        &self,
        game: &Game<'_>,
        number: u64,
        ply: Option<u32>,
    ) -> Result<Why, WhyError> {
        // The ids of the main line are its plies.
        let plies = plies_of(game);
        if let Some(ply) = ply.filter(|ply| *ply > plies) {
            return Err(WhyError::NoSuchPly { ply, plies });
        }
        Ok(self.matcher().why_as(game, number, ply)?)
    }

    /// The second half of [`Query::why_in_game`]: whether a search finds the game whose
    /// [trace](Query::trace_in_game) is `why`, and the positions that it names.
    ///
    /// # Errors
    /// A run-time error ended the evaluation.
    pub fn why_of_trace(
        &self,
        game: &Game<'_>,
        number: u64,
        why: Why,
    ) -> Result<GameWhy, WhyError> {
        let matched = self.matcher().run_as(game, number)?.is_some();
        let Trace { position, .. } = why.trace;
        let mut positions: Vec<u32> = why.matches.clone();
        positions.extend(why.failures.iter().map(|failure| failure.first));
        positions.push(position);
        positions.sort_unstable();
        positions.dedup();
        let outcome = Outcome { positions, ..Outcome::default() };
        let plies = plies_of(game);
        let game = self.hit(*game, &outcome, number).row();
        let shares = self.untraceable().is_some();
        Ok(GameWhy { game, plies, matched, shares, damage: None, why })
    }

    /// Why the query matches in the game of this number or does not. The trace is for the position
    /// after `ply` plies of the main line; without `ply`, for the first match or for the position
    /// that is nearest to a match.
    ///
    /// ```
    /// use babson::{Input, Query};
    ///
    /// let query = Query::compile("check mate")?;
    /// let games = "[White \"Adams\"]\n\n1. e4 *\n\n[White \"Bird\"]\n\n1. e4 e5 2. Qh5 Ke7 *\n";
    /// let why = query.why([Input::bytes("games", games.as_bytes())], 2, None)?;
    /// assert_eq!((why.game.tag("White"), why.matched), (Some("Bird"), false));
    /// assert_eq!((why.why.failures[0].positions, why.damage), (5, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such game, or no such ply in it, an input before it cannot be read, or a
    /// run-time error ended the evaluation.
    #[cfg(feature = "engine")]
    pub fn why(
        &self,
        inputs: impl IntoIterator<Item = Input>,
        number: u64,
        ply: Option<u32>,
    ) -> Result<GameWhy, WhyError> {
        let all = self.of_all_games()?;
        let task = Task::new(&all).range(number..=number);
        let scan = Scan::of(inputs).task(task).threads(1).stop(self.options().stop.clone());
        let mut damage = None;
        let (summary, games) = scan.matching_games(&mut |event| {
            if let Event::Damaged(game) = event
                && game.game == number
            {
                damage = Some(game);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let found = games.first().map(|found| self.why_in(found, ply));
        match (found, summary.broken_inputs.into_iter().next()) {
            (Some(found), _) => Ok(GameWhy { damage, ..found? }),
            // The game may be one of those that could not be read.
            (None, Some(broken)) => Err(WhyError::Scan(broken.into())),
            (None, None) => Err(WhyError::NoSuchGame { game: number }),
        }
    }

    /// A query that matches every game, and reads games as this one does.
    #[cfg(feature = "engine")]
    fn of_all_games(&self) -> Result<Query, Error> {
        let builder = Query::builder("true").dialect(self.dialect());
        let builder = builder.variants(self.variants().clone());
        let cql6_output = self.options().cql6_output;
        let compiled = builder.options(|options| options.cql6_output = cql6_output).compile();
        let name = self.name().unwrap_or_default();
        compiled.map_err(|error| Error::Sink { name: name.to_owned(), source: error.into() })
    }

    /// Why it matches in a game.
    #[cfg(feature = "engine")]
    fn why_in(&self, found: &FoundGame, ply: Option<u32>) -> Result<GameWhy, WhyError> {
        let mut reader = self.reader();
        let game = reader.read(&found.text, self.program().output_needs());
        let mut why = self.why_in_game(&game, found.number, ply)?;
        why.game.origin = Origin::new(&*found.input, found.input_number, found.offset);
        Ok(why)
    }
}

/// The number of plies of the main line.
fn plies_of(game: &Game<'_>) -> u32 {
    game.main_line_len() - 1
}

#[cfg(all(test, feature = "engine"))]
mod tests {
    use babson_engine::InputError;

    use super::*;

    fn why(query: &str, games: &'static [u8], number: u64, ply: Option<u32>) -> WhyError {
        let query = Query::compile(query).unwrap();
        query.why([Input::bytes("games", games)], number, ply).unwrap_err()
    }

    #[test]
    fn a_question_without_an_answer() {
        let games = b"1. e4 e5 *\n";
        let error = why("mate", games, 2, None);
        assert!(matches!(error, WhyError::NoSuchGame { game: 2 }), "{error:?}");
        assert_eq!(error.to_string(), "the inputs have fewer games, so none is number 2");
        let error = why("mate", games, 1, Some(3));
        assert!(matches!(error, WhyError::NoSuchPly { ply: 3, plies: 2 }), "{error:?}");
        assert_eq!(error.to_string(), "the game has 2 plies, so none is number 3");
        let error = why("assert false", games, 1, None);
        assert!(matches!(&error, WhyError::Runtime(error) if error.fatal), "{error:?}");
        let error = why("mate", b"\x1f\x8b is not gzip", 1, None);
        assert!(
            matches!(error, WhyError::Scan(Error::Input(InputError::Decompress { .. }))),
            "{error:?}"
        );
    }
}
