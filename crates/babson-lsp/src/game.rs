//! One game of a search, for an editor that shows boards: `babson.game` has its positions, and
//! `babson.why` what the filters of the query did at one of them.

use babson::{CancelToken, Scan, StopSignal};
use babson_api::{WhyAnswer, file_name, filter_text, game_query, scanned_game};
use lsp_types::Url;
use serde::Deserialize;
use serde_json::Value;

use crate::diagnostics::QueryReading;
use crate::failure::Failure;
use crate::run::{compiled, inputs_of, scan_failure};
use crate::snapshot::Snapshot;

/// A game of the databases of a document. Numbers count over all of them, as in the answer of
/// `babson.run`.
#[derive(Deserialize)]
struct GameParams {
    uri: Url,
    /// The query that was searched: the document may have changed since, and with it the input of
    /// its header. Without it, it is the text of the document.
    query: Option<String>,
    game: u64,
}

/// A position of such a game.
#[derive(Deserialize)]
struct WhyParams {
    uri: Url,
    /// The query that was searched: the document may have changed since.
    query: String,
    game: u64,
    /// Plies of the main line. Otherwise it is the first match, or the position nearest to one.
    ply: Option<u32>,
}

/// Answers `babson.game`.
///
/// # Errors
/// There is no database or no such game, or it cannot be read.
pub(crate) fn game(
    snapshot: &Snapshot,
    argument: Option<&Value>,
    cancel: CancelToken,
) -> Result<Value, Failure> {
    let GameParams { uri, query: searched, game: number } = params(argument)?;
    let text = match &searched {
        Some(text) => text,
        None => snapshot.document(&uri)?.text(),
    };
    let query = game_query().map_err(|error| Failure::Internal(error.message))?;
    let stop = StopSignal { cancel: Some(cancel), deadline: None };
    let scan = Scan::of(inputs_of(snapshot, &uri, text)?).threads(1).stop(stop);
    let found = scanned_game(&query, scan, number).map_err(scan_failure)?;
    let json = found.ok_or_else(|| Failure::Refused(format!("there is no game {number}")))?;
    serde_json::from_str(&json).map_err(|error| Failure::Internal(error.to_string()))
}

/// Answers `babson.why`.
///
/// # Errors
/// The query has errors, or there is no database, no such game or no such ply.
pub(crate) fn why(
    snapshot: &Snapshot,
    argument: Option<&Value>,
    cancel: CancelToken,
) -> Result<Value, Failure> {
    let WhyParams { uri, query: text, game: number, ply } = params(argument)?;
    let reading = QueryReading::new(&text, snapshot.dialect(&uri), &snapshot.files(&uri));
    let query = compiled(&reading)?.with_stop(StopSignal { cancel: Some(cancel), deadline: None });
    let found = query.why(inputs_of(snapshot, &uri, &text)?, number, ply);
    let mut found = found.map_err(|error| Failure::Refused(error.to_string()))?;
    found.game.origin.input = file_name(&found.game.origin.input).to_owned();
    let answer = WhyAnswer::new(found, |entry| filter_text(entry.span.text(&reading.text)));
    serde_json::to_value(&answer).map_err(|error| Failure::Internal(error.to_string()))
}

/// The argument of a command.
fn params<'a, T: Deserialize<'a>>(argument: Option<&'a Value>) -> Result<T, Failure> {
    let argument = argument.ok_or_else(|| Failure::Params("an argument is missing".to_owned()))?;
    T::deserialize(argument).map_err(|error| Failure::Params(error.to_string()))
}
