//! The calls `games` and `why`: one game of a database.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response};
use babson::files::InputGame;
use babson::pgn::{Needs, Reader};
use babson::why::{GameWhy, WhyError};
use babson::{Error, Query, Scan};
use babson_api::{
    ApiError, ErrorCode, GameAnswer, RequestQuery, WhyAnswer, WhyRequest, body, check_game,
    game_query, scanned_game,
};

use crate::databases::{Database, DatabaseChoice};
use crate::job::{RunningCall, TimeLimit, read_games, scan_error};
use crate::respond::{json, read_body};
use crate::state::ServerState;

/// Answers `games`.
pub(crate) async fn game(
    state: Arc<ServerState>,
    database: &str,
    number: &str,
) -> Result<Response<Body>, ApiError> {
    let database = state.databases.named(database)?;
    let number: u64 = number
        .parse()
        .map_err(|_| ApiError::new(ErrorCode::Game, "the number of a game is a number from 1"))?;
    check_game(&database.name, database.games, number)?;
    let answer = read_games(&state, &state.looks, move |state, _, running| {
        read_game(state, &database, number, running)
    });
    Ok(json(answer.await?))
}

/// The answer for a game of a database.
fn read_game(
    state: &ServerState,
    database: &Arc<Database>,
    number: u64,
    running: &RunningCall,
) -> Result<String, ApiError> {
    let query = game_query()?;
    let time = TimeLimit::new(state, None);
    let failed = |error| scan_error(state, &DatabaseChoice::of(database), time, error);
    let unreadable = || ApiError::new(ErrorCode::Game, "the game cannot be read");
    if let Some(found) = database.game_of_table(number) {
        let found = found.map_err(failed)?;
        let mut reader = Reader::new();
        let game = found.read(&mut reader, Needs::ALL).map_err(|_| unreadable())?;
        let mut matcher = query.matcher();
        let hit = matcher.run_as(&game, number).ok().flatten().ok_or_else(unreadable)?;
        let answer = GameAnswer::new(number, &game, &hit.pgn());
        return serde_json::to_string(&answer).map_err(|error| state.internal(&error.to_string()));
    }
    let scan = Scan::of(database.inputs.iter().cloned()).threads(1);
    let answer = scanned_game(&query, scan.stop(running.stop(time)), number).map_err(failed)?;
    answer.ok_or_else(unreadable)
}

/// Answers `why`.
pub(crate) async fn why(
    state: Arc<ServerState>,
    request: Request<Body>,
) -> Result<Response<Body>, ApiError> {
    let text = read_body(&state.config, request).await?;
    let prepared = state.short(move |state| {
        let request: WhyRequest = body(&text)?;
        let database = state.databases.named(&request.database)?;
        check_game(&database.name, database.games, request.game)?;
        let source = RequestQuery::new(&request.query, request.dialect)?;
        let query = source.compile_search(request.variations)?;
        Ok((request, database, source, query))
    });
    let (request, database, source, query) = prepared.await?;
    let answer = read_games(&state, &state.looks, move |state, _, running| {
        let time = TimeLimit::new(state, None);
        let stop = running.stop(time);
        let query = query.with_stop(stop.clone());
        let failed = |error| Err(scan_error(state, &DatabaseChoice::of(&database), time, error));
        let found = match database.game_of_table(request.game) {
            Some(Ok(found)) => why_in_table(&query, &found, &request)?,
            Some(Err(error)) => return failed(error),
            None => query.why(database.inputs.iter().cloned(), request.game, request.ply),
        };
        if let (Err(WhyError::Runtime(_)), Some(stopped)) = (&found, stop.stopped()) {
            return failed(Error::Stopped { stopped, games: 0 });
        }
        let found = match found {
            Err(WhyError::Scan(error)) => return failed(error),
            found => found,
        };
        let answer = WhyAnswer::of_request(&source, found)?;
        serde_json::to_string(&answer).map_err(|error| state.internal(&error.to_string()))
    });
    Ok(json(answer.await?))
}

/// Why a query matches in a game of a table or does not.
fn why_in_table(
    query: &Query,
    found: &InputGame,
    request: &WhyRequest,
) -> Result<Result<GameWhy, WhyError>, ApiError> {
    let mut reader = Reader::new();
    let game = found.read(&mut reader, Needs::ALL).map_err(|damaged| {
        ApiError::new(ErrorCode::Game, format!("the game cannot be read: {}", damaged.reason))
    })?;
    let mut why = query.why_in_game(&game, request.game, request.ply);
    if let Ok(why) = &mut why {
        why.game.origin = found.origin();
    }
    Ok(why)
}
