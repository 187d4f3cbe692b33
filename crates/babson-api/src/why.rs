//! The call `why`: what the filters of a query did in a game.

use babson::why::{GameWhy, TraceEntry, WhyError};
use serde::{Deserialize, Serialize};

use crate::limits::MAX_SHOWN_FILTER;
use crate::query::{DialectName, RequestQuery};
use crate::search::file_name;
use crate::{ApiError, ErrorCode};

/// The body of `why`: a position of a game. Without a ply, it is the first match, or the
/// position that is nearest to a match.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WhyRequest {
    /// The query.
    pub query: String,
    /// The name of the database.
    pub database: String,
    /// The number of the game in the database, from 1.
    pub game: u64,
    /// Plies of the main line from the initial position.
    #[serde(default)]
    pub ply: Option<u32>,
    /// The dialect of the query, if the query does not name one.
    #[serde(default)]
    pub dialect: Option<DialectName>,
    /// Whether variations are searched, too. Otherwise the header of the query decides.
    #[serde(default)]
    pub variations: bool,
}

/// The answer of `why`, also of `babson why --json`: what the filters did, with their texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct WhyAnswer {
    /// What the filters did.
    #[serde(flatten)]
    pub found: GameWhy,
    /// The text of each filter of the trace on one line; of a long one the beginning.
    pub filters: Vec<String>,
}

impl WhyAnswer {
    /// The answer with the texts that `text` gives for the filters.
    pub fn new(found: GameWhy, text: impl FnMut(&TraceEntry) -> String) -> WhyAnswer {
        let filters = found.why.trace.entries.iter().map(text).collect();
        WhyAnswer { found, filters }
    }

    /// The answer to a request. Inputs are named without their folders.
    ///
    /// ```
    /// use babson::pgn::{Needs, Reader};
    /// use babson_api::{RequestQuery, WhyAnswer};
    ///
    /// let source = RequestQuery::new("check mate", None)?;
    /// let query = source.compile(|builder| builder)?;
    /// let mut reader = Reader::new();
    /// let game = reader.read(b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", Needs::ALL);
    /// let answer = WhyAnswer::of_request(&source, query.why_in_game(&game, 1, None))?;
    /// assert_eq!(answer.filters, ["check", "mate"]);
    /// assert!(answer.found.matched);
    /// let error = WhyAnswer::of_request(&source, query.why_in_game(&game, 1, Some(9)));
    /// assert_eq!(error.unwrap_err().code.status(), 404);
    /// # Ok::<(), babson_api::ApiError>(())
    /// ```
    ///
    /// # Errors
    /// The game or the ply does not exist, or a run-time error ended the query.
    pub fn of_request(
        query: &RequestQuery,
        found: Result<GameWhy, WhyError>,
    ) -> Result<WhyAnswer, ApiError> {
        let mut found = found?;
        let name = file_name(&found.game.origin.input).to_owned();
        found.game.origin.input = name;
        if let Some(damage) = &mut found.damage {
            damage.input = file_name(&damage.input).to_owned();
        }
        Ok(WhyAnswer::new(found, |entry| filter_text(entry.span.text(query.text()))))
    }
}

impl From<WhyError> for ApiError {
    fn from(error: WhyError) -> ApiError {
        if let WhyError::Runtime(error) = error {
            return ApiError::new(ErrorCode::Runtime, error.to_string());
        }
        if matches!(error, WhyError::NoSuchGame { .. } | WhyError::NoSuchPly { .. }) {
            return ApiError::new(ErrorCode::Game, error.to_string());
        }
        // The reason may have the path of a file.
        ApiError::new(ErrorCode::Unreadable, "the database cannot be read up to the game")
    }
}

/// The text of a filter on one line; of a long one the beginning.
pub fn filter_text(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_SHOWN_FILTER) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
