//! The call that reads one game, and answers as JSON.

use babson_api::{ApiError, ErrorCode, GameAnswer, body, game_query};
use serde::Deserialize;

use crate::database::Databases;

/// The body of `game`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameRequest {
    /// The name of the database.
    database: String,
    /// The number of the game in it, from 1.
    game: u64,
}

/// The answer to a body, as JSON.
pub(crate) fn json(answer: &impl serde::Serialize) -> Result<String, ApiError> {
    serde_json::to_string(answer)
        .map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))
}

/// A game of a database with its positions.
///
/// # Errors
/// The database or the game does not exist, or the game cannot be read.
pub fn game(databases: &Databases, text: &str) -> Result<String, ApiError> {
    let request: GameRequest = body(text)?;
    let query = game_query()?;
    databases.named(&request.database)?.with_game(request.game, |found| {
        let mut matcher = query.matcher();
        let hit = matcher.run_as(found.game, request.game).ok().flatten();
        let hit = hit.ok_or_else(|| ApiError::new(ErrorCode::Game, "the game cannot be read"))?;
        json(&GameAnswer::new(request.game, found.game, &hit.pgn()))
    })
}
