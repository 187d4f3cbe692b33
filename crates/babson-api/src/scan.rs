//! The answers that scans give: a game, and groups.

use std::ops::ControlFlow;
use std::sync::mpsc;

use babson::scan::Silent;
use babson::sink::{
    Format, GroupKeys, GroupSink, GroupTable, GroupTally, GroupValue, MatchText, MatchedGame,
    Omitted, TextSink,
};
use babson::{Error, Observer, Query, Scan, Task};

use crate::game::GameAnswer;
use crate::group::{GroupAnswer, GroupCell, GroupRequest};
use crate::query::RequestQuery;
use crate::search::name_list;
use crate::{ApiError, ErrorCode};

/// The answer for a game of a scan that has no task yet, in JSON; `None` if the scan does not come
/// to the game.
///
/// # Errors
/// As [`Scan::observe`].
///
/// ```
/// use babson::{Input, Scan};
///
/// let games = Input::bytes("mine", &b"1. e4 *\n\n1. d4 *\n"[..]);
/// let answer = babson_api::scanned_game(&babson_api::game_query()?, Scan::of([games]), 2)?;
/// assert!(answer.is_some_and(|answer| answer.starts_with(r#"{"game":2,"#)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scanned_game(query: &Query, scan: Scan, number: u64) -> Result<Option<String>, Error> {
    let (sender, answer) = mpsc::channel();
    let sink = TextSink::new("the answer", GameFormat, move |text| {
        sender.send(String::from_utf8_lossy(text).into_owned())?;
        Ok(ControlFlow::Break(()))
    });
    let task = Task::new(query).range(number..=number).limit(1).sink(sink);
    scan.task(task).observe(&mut Silent)?;
    Ok(answer.try_recv().ok())
}

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

impl From<&GroupTable> for GroupAnswer {
    fn from(table: &GroupTable) -> GroupAnswer {
        let key = |value: &GroupValue| match value {
            GroupValue::Number(number) => GroupCell::Number(*number),
            GroupValue::Text(text) => GroupCell::Text(text.clone()),
            GroupValue::None | _ => GroupCell::None,
        };
        let number = |number: u64| GroupCell::Number(i64::try_from(number).unwrap_or(i64::MAX));
        let rows = table.rows().iter().map(|row| {
            let counts = [row.games(), row.positions, row.won, row.drawn, row.lost, row.other];
            let score = row.score().map_or(GroupCell::None, GroupCell::Percent);
            let performance = row.performance().map_or(GroupCell::None, GroupCell::Number);
            let keys = row.keys.iter().map(key);
            let last = [score, performance, GroupCell::Percent(row.share())];
            keys.chain(counts.map(number)).chain(last).collect()
        });
        let columns = table.headings().map(str::to_owned).collect();
        GroupAnswer::new(columns, rows.collect())
    }
}

/// Groups that can be counted.
#[derive(Debug)]
pub struct GroupSearch {
    query: Query,
    keys: GroupKeys,
    limit: Option<u64>,
}

/// What a scan has counted.
#[derive(Debug)]
#[non_exhaustive]
pub struct GroupCount {
    /// Games searched.
    pub games: u64,
    /// Games that matched.
    pub matches: u64,
    /// The groups, or the run-time error that ended the query.
    pub answer: Result<GroupAnswer, ApiError>,
}

impl GroupSearch {
    /// The groups of a request.
    ///
    /// # Errors
    /// The limit, a key or the query is wrong.
    ///
    /// ```
    /// use babson::{Input, Scan, scan::Silent};
    /// use babson_api::{GroupRequest, GroupSearch, body};
    ///
    /// let request: GroupRequest = body(r#"{"query": "true", "by": ["white"]}"#)?;
    /// let games = Input::bytes("mine", &b"[White \"Ann\"]\n\n1. e4 *\n"[..]);
    /// let counted = GroupSearch::new(&request)?.count(Scan::of([games]), &mut Silent)?;
    /// assert_eq!((counted.games, counted.answer?.rows.len()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(request: &GroupRequest) -> Result<GroupSearch, ApiError> {
        let limit = request.match_limit()?;
        let wrong = |message: String| ApiError::new(ErrorCode::Request, message);
        let keys =
            GroupKeys::parse(&name_list(&request.by)).map_err(|error| wrong(error.to_string()))?;
        let source = RequestQuery::new(&request.query, request.dialect)?;
        let query = source.compile_search(request.variations)?;
        keys.check(&query.column_names()).map_err(|error| wrong(error.to_string()))?;
        Ok(GroupSearch { query, keys, limit })
    }

    /// The query.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// The number of matching games after which the search ends, if there is one.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// What counts the matches of the query, for a caller that finds them without a scan.
    ///
    /// # Errors
    /// Never after [`GroupSearch::new`], which has checked the keys.
    pub fn tally(&self) -> Result<GroupTally, ApiError> {
        let tally = GroupTally::new(self.keys.clone(), &self.query);
        tally.map_err(|error| ApiError::new(ErrorCode::Request, error.to_string()))
    }

    /// Counts the games of a scan that has no task yet.
    ///
    /// # Errors
    /// As [`Scan::observe`].
    pub fn count(self, scan: Scan, observer: &mut dyn Observer) -> Result<GroupCount, Error> {
        let (sender, table) = mpsc::channel();
        let sink = GroupSink::new(self.keys, move |table| {
            // Nobody receives the table of a search that failed.
            let _ = sender.send(GroupAnswer::from(&table));
        });
        let mut task = Task::new(&self.query).sink(sink);
        if let Some(limit) = self.limit {
            task = task.limit(limit);
        }
        let summary = scan.task(task).observe(observer)?;
        let counted = summary.queries.into_iter().next().unwrap_or_default();
        let answer = match counted.stopped {
            Some(fatal) => Err(ApiError::new(ErrorCode::Runtime, fatal.message)),
            None => table
                .recv()
                .map_err(|_| ApiError::new(ErrorCode::Internal, "the groups are missing")),
        };
        Ok(GroupCount { games: summary.games, matches: counted.matches, answer })
    }
}
