//! The calls that look at games and answer at once.

use std::ops::ControlFlow;
use std::sync::mpsc;

use babson::compile::CommentLevel;
use babson::scan::Silent;
use babson::sink::{Format, GroupKeys, GroupSink, MatchText, MatchedGame, Omitted, TextSink};
use babson::{Error, Query, Scan, Task};
use babson_api::{
    ApiError, ErrorCode, GameAnswer, GroupAnswer, GroupRequest, RequestQuery, WhyAnswer,
    WhyRequest, body,
};
use serde::Deserialize;

use crate::database::{Database, Databases};

/// Compiles the query of a request. It has the limits of the query of a stranger, but for the time:
/// there is no clock, and the page ends what takes too long.
pub(crate) fn compile(source: &RequestQuery, variations: bool) -> Result<Query, ApiError> {
    source.compile(|builder| {
        builder.options(|run| {
            run.timeout = None;
            run.variations = variations.then_some(true);
        })
    })
}

/// The body of `game`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameRequest {
    /// The name of the database.
    database: String,
    /// The number of the game in it, from 1.
    game: u64,
}

fn wrong(message: impl std::fmt::Display) -> ApiError {
    ApiError::new(ErrorCode::Request, message.to_string())
}

/// The answer to a body, as JSON.
fn json(answer: &impl serde::Serialize) -> Result<String, ApiError> {
    serde_json::to_string(answer)
        .map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))
}

fn check_number(database: &Database, number: u64) -> Result<(), ApiError> {
    let Database { name, games, .. } = database;
    if (1..=*games).contains(&number) {
        return Ok(());
    }
    let message =
        format!("the database `{name}` has the games 1 to {games}, none of number {number}");
    Err(ApiError::new(ErrorCode::Game, message))
}

fn scan_error(error: Error) -> ApiError {
    if let Error::Fatal(fatal) = error {
        return ApiError::new(ErrorCode::Runtime, fatal.message);
    }
    ApiError::new(ErrorCode::Unreadable, error.to_string())
}

/// The answer for a game, in JSON.
struct GameFormat;

impl Format for GameFormat {
    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        let mut pgn = Vec::new();
        matched.append_pgn(&mut pgn);
        let answer = GameAnswer::new(matched.number, matched.game, &pgn);
        // The keys of all maps are strings.
        let _ = serde_json::to_writer(out.bytes(), &answer);
        Omitted::default()
    }
}

/// A game of a database with its positions.
///
/// # Errors
/// There is no such database or game.
pub fn game(databases: &Databases, text: &str) -> Result<String, ApiError> {
    let request: GameRequest = body(text)?;
    let database = databases.named(&request.database)?;
    check_number(&database, request.game)?;
    let query = Query::builder("true").options(|run| {
        run.variations = Some(true);
        run.comment_level = CommentLevel::Silent;
    });
    let query = query.compile().map_err(wrong)?;
    let (sender, answer) = mpsc::channel();
    let sink = TextSink::new("the answer", GameFormat, move |text| {
        sender.send(String::from_utf8_lossy(text).into_owned())?;
        Ok(ControlFlow::Break(()))
    });
    let number = request.game;
    let task = Task::new(&query).range(number..=number).limit(1).sink(sink);
    let scan = Scan::of([database.input()]).task(task).threads(1);
    scan.observe(&mut Silent).map_err(scan_error)?;
    answer.try_recv().map_err(|_| ApiError::new(ErrorCode::Game, "the game cannot be read"))
}

/// Why a query matches at a position of a game or does not.
///
/// # Errors
/// The query has an error, or there is no such database, game or ply.
pub fn why(databases: &Databases, text: &str) -> Result<String, ApiError> {
    let request: WhyRequest = body(text)?;
    let database = databases.named(&request.database)?;
    check_number(&database, request.game)?;
    let source = RequestQuery::new(&request.query, request.dialect)?;
    let query = compile(&source, request.variations)?;
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
    if request.limit == Some(0) {
        return Err(wrong("the limit must be at least 1"));
    }
    let quoted = request.by.iter().map(|name| match name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    });
    let keys = GroupKeys::parse(&quoted.collect::<Vec<_>>().join(",")).map_err(wrong)?;
    let source = RequestQuery::new(&request.query, request.dialect)?;
    let query = compile(&source, request.variations)?;
    keys.check(&query.column_names()).map_err(wrong)?;
    let (sender, table) = mpsc::channel();
    let sink = GroupSink::new(keys, move |table| {
        // Nobody receives the table of a scan that failed.
        let _ = sender.send(GroupAnswer::from(&table));
    });
    let mut task = Task::new(&query).sink(sink);
    if let Some(limit) = request.limit {
        task = task.limit(limit);
    }
    let inputs: Vec<_> = chosen.iter().map(|database| database.input()).collect();
    let scan = Scan::of(inputs).task(task).threads(1);
    let summary = scan.observe(&mut Silent).map_err(scan_error)?;
    let counted = summary.queries.into_iter().next().unwrap_or_default();
    if let Some(fatal) = counted.stopped {
        return Err(ApiError::new(ErrorCode::Runtime, fatal.message));
    }
    let table = table.recv();
    json(&table.map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))?)
}
