//! The call `search`: its body, and the lines of its answer.

use babson::Query;
use babson::matches::Match;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::limits::{MAX_TIMEOUT, MAX_TOLD_ERRORS};
use crate::query::DialectName;
use crate::{ApiError, ErrorCode};

/// The body of `search`. Every field but the query may be left out.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SearchRequest {
    /// The query.
    pub query: String,
    /// Its dialect, if the query does not name one.
    #[serde(default)]
    pub dialect: Option<DialectName>,
    /// The databases to search, in this order; without it, all.
    #[serde(default)]
    pub databases: Option<Vec<String>>,
    /// The number of matching games after which the search ends.
    #[serde(default)]
    pub limit: Option<u64>,
    /// Whether variations are searched, too. Otherwise the header of the query decides.
    #[serde(default)]
    pub variations: bool,
    /// The columns of flat rows, one a matching position. Without it, a match is one object.
    #[serde(default)]
    pub columns: Option<Vec<String>>,
    /// Whether a match has its game as PGN.
    #[serde(default)]
    pub games: bool,
    /// The seconds after which the search ends.
    #[serde(default)]
    pub timeout: Option<f64>,
}

/// Checks the timeout of a request and returns it in seconds.
///
/// # Errors
/// It is not a positive number.
pub(crate) fn checked_timeout(timeout: Option<f64>) -> Result<Option<f64>, ApiError> {
    match timeout {
        Some(seconds) if seconds.is_nan() || seconds <= 0.0 => {
            let message = "the timeout must be a positive number of seconds";
            Err(ApiError::new(ErrorCode::Request, message))
        }
        Some(seconds) => Ok(Some(seconds.min(MAX_TIMEOUT))),
        None => Ok(None),
    }
}

/// Checks the limit of a request and returns it.
///
/// # Errors
/// It is 0.
pub(crate) fn checked_limit(limit: Option<u64>) -> Result<Option<u64>, ApiError> {
    match limit {
        Some(0) => Err(ApiError::new(ErrorCode::Request, "the limit must be at least 1")),
        limit => Ok(limit),
    }
}

impl SearchRequest {
    /// The seconds after which the search ends, if the request names them.
    ///
    /// # Errors
    /// They are not a positive number.
    pub fn timeout_seconds(&self) -> Result<Option<f64>, ApiError> {
        checked_timeout(self.timeout)
    }

    /// The number of matching games after which the search ends, if the request names it.
    ///
    /// # Errors
    /// It is 0.
    pub fn match_limit(&self) -> Result<Option<u64>, ApiError> {
        checked_limit(self.limit)
    }
}

/// Messages about the files that the header of a query names. A request names the databases, and
/// the answer is the output.
///
/// ```
/// let query = babson::Query::compile("cql(input a.pgn) mate")?;
/// let messages = babson_api::ignored_files(&query);
/// assert_eq!(messages, ["the input `a.pgn` of the query has no effect here"]);
/// # Ok::<(), babson::CompileError>(())
/// ```
pub fn ignored_files(query: &Query) -> Vec<String> {
    let header = query.header();
    let files = [(&header.input, "input"), (&header.output, "output")];
    let named = files.into_iter().filter_map(|(file, role)| Some((file.as_ref()?, role)));
    let note = |name: &str, role| format!("the {role} `{name}` of the query has no effect here");
    named.map(|(file, role)| note(&file.name, role)).collect()
}

/// The names of a request as one text, as the parsers of columns and keys take them.
///
/// ```
/// assert_eq!(babson_api::name_list(&["year".to_owned(), "a,b".to_owned()]), "year,\"a,b\"");
/// ```
pub fn name_list(names: &[String]) -> String {
    let quoted = names.iter().map(|name| match name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    });
    quoted.collect::<Vec<_>>().join(",")
}

/// A line of the answer of `search`: one object of JSON with its `type` first.
///
/// ```
/// use babson_api::{MessageLine, SearchLine};
///
/// let line = SearchLine::Message(MessageLine::new(Some(("m", 17)), "hello"));
/// let expected = r#"{"type":"message","database":"m","game":17,"text":"hello"}"#;
/// assert_eq!(line.to_json(), format!("{expected}\n"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SearchLine {
    /// How far the search has come.
    Progress(ProgressLine),
    /// A game that matches.
    Match(Box<MatchLine>),
    /// What the query says, or what the user should know.
    Message(MessageLine),
    /// A game with a damage, which was searched up to it.
    Damaged(DamagedLine),
    /// The end of the search, the last line.
    Summary(SummaryLine),
    /// An error ended the search; the last line.
    Error(ApiError),
}

impl SearchLine {
    /// The line with its end.
    pub fn to_json(&self) -> String {
        // The keys of all maps are strings.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ProgressLine {
    /// Games searched.
    pub games: u64,
    /// All games of the databases.
    pub total_games: u64,
    /// Games that matched.
    pub matches: u64,
    /// Seconds since the search began.
    #[serde(serialize_with = "milliseconds")]
    pub seconds: f64,
}

/// A game that matches, as the row of `--format jsonl` shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchLine {
    /// The name of its database.
    pub database: String,
    /// The match. Its number is counted in the database, and its input has no folder.
    #[serde(flatten)]
    pub row: Match,
    /// The game with what the query added, if the request asks for games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
}

impl MatchLine {
    /// The line of a match, which is game `number` of the database.
    pub fn new(database: &str, number: u64, mut row: Match, pgn: Option<String>) -> MatchLine {
        row.game = number;
        row.origin.input = file_name(&row.origin.input).to_owned();
        MatchLine { database: database.to_owned(), row, pgn }
    }
}

/// The name of a file without its folders: answers have no path of the server.
///
/// ```
/// assert_eq!(babson_api::file_name("/home/ann/games.pgn"), "games.pgn");
/// ```
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The line of a matching position with chosen columns. Its `type` is `match`.
#[derive(Clone, Copy, Debug)]
pub struct RowLine<'r, V> {
    /// The name of the database.
    pub database: &'r str,
    /// The number of the game in the database.
    pub game: u64,
    /// The columns, each with its heading.
    pub columns: &'r [(&'r str, V)],
    /// The game, if the request asks for games.
    pub pgn: Option<&'r str>,
}

impl<V: Serialize> Serialize for RowLine<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", "match")?;
        map.serialize_entry("database", self.database)?;
        map.serialize_entry("game", &self.game)?;
        for (heading, value) in self.columns {
            match *heading {
                "game" => {}
                // A tag of this name.
                "type" | "database" | "pgn" => {
                    map.serialize_entry(&format!("tag:{heading}"), value)?;
                }
                heading => map.serialize_entry(heading, value)?,
            }
        }
        if let Some(pgn) = self.pgn {
            map.serialize_entry("pgn", pgn)?;
        }
        map.end()
    }
}

/// What a query says in a game with `message`, or what the user should know of the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MessageLine {
    /// The name of the database, if the message is of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// The number of the game in the database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// The text.
    pub text: String,
}

impl MessageLine {
    /// A message, perhaps of a game with this number of a database.
    pub fn new(game: Option<(&str, u64)>, text: impl Into<String>) -> MessageLine {
        let (database, game) = game.map(|(name, number)| (name.to_owned(), number)).unzip();
        MessageLine { database, game, text: text.into() }
    }
}

/// What is said in place of the run-time errors of games after the first [`MAX_TOLD_ERRORS`] of
/// this many.
///
/// ```
/// use babson_api::{MAX_TOLD_ERRORS, untold_errors};
///
/// assert_eq!(untold_errors(MAX_TOLD_ERRORS), None);
/// let text = untold_errors(MAX_TOLD_ERRORS + 2).unwrap();
/// assert_eq!(text, "the query fails in 2 more games");
/// ```
pub fn untold_errors(errors: usize) -> Option<String> {
    let games = errors.checked_sub(MAX_TOLD_ERRORS).filter(|untold| *untold > 0)?;
    Some(format!("the query fails in {games} more game{}", if games == 1 { "" } else { "s" }))
}

/// A game with a damage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DamagedLine {
    /// The name of the database.
    pub database: String,
    /// The number of the game in the database.
    pub game: u64,
    /// The line of the damage in the text of the database, from 1.
    pub line: u64,
    /// What the damage is.
    pub reason: String,
    /// The offending text: at most 80 bytes of it.
    pub text: String,
    /// How many other damages the game has.
    pub more: usize,
}

/// The end of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SummaryLine {
    /// Games searched.
    pub games: u64,
    /// Games that matched.
    pub matches: u64,
    /// Seconds of the search.
    #[serde(serialize_with = "milliseconds")]
    pub seconds: f64,
    /// Why the search ended before the last game, if it did.
    pub stopped: Option<StopReason>,
    /// Whose limit it was, if a limit of matches or of time ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<LimitOwner>,
}

/// Whose limit it is. serde writes it in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitOwner {
    /// The request asks for no more.
    Request,
    /// The server gives no more.
    Server,
}

impl LimitOwner {
    /// Returns the less of what a request asks for and what the server gives, and whose limit it
    /// is.
    ///
    /// ```
    /// use babson_api::LimitOwner;
    ///
    /// assert_eq!(LimitOwner::least(Some(5), 100), (5, LimitOwner::Request));
    /// assert_eq!(LimitOwner::least(Some(500), 100), (100, LimitOwner::Server));
    /// assert_eq!(LimitOwner::least(None, 100), (100, LimitOwner::Server));
    /// ```
    pub fn least<T: PartialOrd>(asked: Option<T>, most: T) -> (T, LimitOwner) {
        match asked {
            Some(asked) if asked <= most => (asked, LimitOwner::Request),
            Some(_) | None => (most, LimitOwner::Server),
        }
    }
}

/// Why a search ended before the last game. serde writes it in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// It found as many matches as it may.
    Limit,
    /// It took as long as it may.
    Timeout,
    /// The query took as many steps in a game as it may.
    Steps,
    /// Somebody cancelled it.
    Cancelled,
}

impl StopReason {
    /// Returns whose limit ended the search, by the owners of its limits of matches and of time;
    /// `None` if it was neither limit.
    ///
    /// ```
    /// use babson_api::{LimitOwner, StopReason};
    ///
    /// let (matches, time) = (LimitOwner::Request, LimitOwner::Server);
    /// assert_eq!(StopReason::Limit.limit_owner(matches, time), Some(matches));
    /// assert_eq!(StopReason::Timeout.limit_owner(matches, time), Some(time));
    /// assert_eq!(StopReason::Cancelled.limit_owner(matches, time), None);
    /// ```
    pub fn limit_owner(self, matches: LimitOwner, time: LimitOwner) -> Option<LimitOwner> {
        match self {
            StopReason::Limit => Some(matches),
            StopReason::Timeout => Some(time),
            StopReason::Steps | StopReason::Cancelled => None,
        }
    }
}

/// Seconds with three digits after the point.
fn milliseconds<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1000.0).round() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_objects_with_their_type_first() {
        let summary = SummaryLine {
            games: 2000,
            matches: 32,
            seconds: 0.020_4,
            stopped: Some(StopReason::Limit),
            stopped_by: Some(LimitOwner::Server),
        };
        let begin = r#"{"type":"summary","games":2000,"matches":32,"seconds":0.02"#;
        let expected = format!("{begin},\"stopped\":\"limit\",\"stopped_by\":\"server\"}}\n");
        assert_eq!(SearchLine::Summary(summary).to_json(), expected);
        let cancelled = Some(StopReason::Cancelled);
        let summary = SummaryLine { stopped: cancelled, stopped_by: None, ..summary };
        let expected = format!("{begin},\"stopped\":\"cancelled\"}}\n");
        assert_eq!(SearchLine::Summary(summary).to_json(), expected);
        let columns = [("game", 5), ("ply", 7), ("type", 1)];
        let row = RowLine { database: "m", game: 17, columns: &columns, pgn: None };
        let expected = r#"{"type":"match","database":"m","game":17,"ply":7,"tag:type":1}"#;
        assert_eq!(serde_json::to_string(&row).unwrap(), expected);
        let error = ApiError::new(ErrorCode::Changed, "gone");
        let expected = r#"{"type":"error","code":"changed","message":"gone"}"#;
        assert_eq!(SearchLine::Error(error).to_json(), format!("{expected}\n"));
    }

    #[test]
    fn a_match_has_no_path() {
        let query = babson::Query::compile("mate").unwrap();
        let found = query.search(&b"1. f3 e5 2. g4 Qh4# 0-1"[..]).next().unwrap().unwrap();
        let mut row = found;
        row.origin.input = "/home/ann/games.pgn".to_owned();
        let line = MatchLine::new("club", 17, row, Some("1. f3".to_owned()));
        let json = SearchLine::Match(Box::new(line)).to_json();
        assert!(json.starts_with(r#"{"type":"match","database":"club","game":17,"#), "{json}");
        assert!(json.contains(r#""input":"games.pgn""#) && !json.contains("ann"), "{json}");
        assert!(json.contains(r#""pgn":"1. f3""#), "{json}");
    }
}
