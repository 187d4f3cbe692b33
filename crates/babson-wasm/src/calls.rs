//! The calls that look at games and answer at once.

use babson::scan::Silent;
use babson::{Error, Scan};
use babson_api::{
    ApiError, ErrorCode, GroupRequest, GroupSearch, RequestQuery, WhyAnswer, WhyRequest, body,
    check_game, game_query, scanned_game,
};
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
fn json(answer: &impl serde::Serialize) -> Result<String, ApiError> {
    serde_json::to_string(answer)
        .map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))
}

fn scan_error(error: Error) -> ApiError {
    if let Error::Fatal(fatal) = error {
        return ApiError::new(ErrorCode::Runtime, fatal.message);
    }
    ApiError::new(ErrorCode::Unreadable, error.to_string())
}

/// A game of a database with its positions.
///
/// # Errors
/// The database or the game does not exist.
pub fn game(databases: &Databases, text: &str) -> Result<String, ApiError> {
    let request: GameRequest = body(text)?;
    let database = databases.named(&request.database)?;
    check_game(&database.name, database.games, request.game)?;
    let scan = Scan::of([database.input()]).threads(1);
    let answer = scanned_game(&game_query()?, scan, request.game).map_err(scan_error)?;
    answer.ok_or_else(|| ApiError::new(ErrorCode::Game, "the game cannot be read"))
}

/// Why a query matches at a position of a game or does not.
///
/// # Errors
/// The query has an error, or there is no such database, game or ply.
pub fn why(databases: &Databases, text: &str) -> Result<String, ApiError> {
    let request: WhyRequest = body(text)?;
    let database = databases.named(&request.database)?;
    check_game(&database.name, database.games, request.game)?;
    let source = RequestQuery::new(&request.query, request.dialect)?;
    let query = source.compile_search(request.variations)?;
    let found = query.why([database.input()], request.game, request.ply);
    json(&WhyAnswer::of_request(&source, found)?)
}

/// How many games match, in groups.
///
/// # Errors
/// The query or a key has an error, or a run-time error ended the query.
pub fn group(databases: &Databases, text: &str) -> Result<String, ApiError> {
    let request: GroupRequest = body(text)?;
    let chosen = databases.chosen(request.databases.as_deref())?;
    let search = GroupSearch::new(&request)?;
    let inputs: Vec<_> = chosen.iter().map(|database| database.input()).collect();
    let counted = search.count(Scan::of(inputs).threads(1), &mut Silent).map_err(scan_error)?;
    json(&counted.answer?)
}
