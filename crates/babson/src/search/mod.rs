//! The search of a stream of games on the calling thread.

mod stream;

use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::ControlFlow;

use babson_pgn::{Games, Reader, count_lines};
use babson_vm::{
    DamagedGame, Event, GameContext, MAX_GAMES_AT_LIMIT, Machine, Match, RunLimit, RuntimeError,
    SortValue,
};

use crate::limits::{MAX_GAME, MAX_KEPT_DAMAGED, MAX_SAMPLE};
use crate::{Hit, Query};
use stream::{GameBlock, GameStream};

/// Iterator over the matches of a query in a stream of games: [`Query::search`].
///
/// A run-time error is an item, like a match, and the search goes on after it unless it is
/// [fatal](RuntimeError::fatal). The range of games, `matchcount` and the sort keys of the query
/// work as in the command: if the query sorts, its matches come after the last game, the best one
/// first, and wait in memory until then.
///
/// Damaged games are searched up to the damage: see [`Search::damaged`]. [`Search::events`] gives
/// everything in order, also the lines of `message` filters.
pub struct Search<'q, R: Read> {
    query: &'q Query,
    stream: GameStream<Text<R>>,
    /// The games that were read but not searched yet.
    block: Option<BlockCursor>,
    machine: Machine,
    reader: Reader,
    /// Reads a matching game again, with everything that its row needs.
    writer: Reader,
    limit: Option<u64>,
    sort: bool,
    last_number: Option<u64>,
    name: String,
    stage: Stage,
    /// Games in a row that used up their steps.
    at_limit: u64,
    ready: VecDeque<Result<Event, SearchError>>,
    /// The matches that wait to be sorted.
    unsorted: Vec<(Vec<Option<SortValue>>, Match)>,
    damaged: Vec<DamagedGame>,
    counts: SearchCounts,
}

/// The text of the reader's bytes, which may be compressed.
#[cfg(feature = "engine")]
type Text<R> = babson_engine::DecompressedText<R>;

#[cfg(feature = "engine")]
fn text<R: Read>(reader: R) -> Text<R> {
    babson_engine::DecompressedText::new(reader)
}

/// The text of the reader's bytes.
#[cfg(not(feature = "engine"))]
type Text<R> = R;

#[cfg(not(feature = "engine"))]
fn text<R: Read>(reader: R) -> Text<R> {
    reader
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Begin,
    Games,
    /// All games that count are searched.
    End,
    Done,
}

/// The next game of a block.
struct BlockCursor {
    block: GameBlock,
    /// The start and the end of its games.
    games: std::vec::IntoIter<(usize, usize)>,
    /// The offset whose line is known.
    counted: usize,
    line: u64,
}

/// What a search has counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchCounts {
    /// Games read, without those after the range of the query.
    pub games: u64,
    /// Damaged games among them.
    pub damaged: u64,
    /// Games that matched.
    pub matches: u64,
    /// Games that were skipped because of a run-time error.
    pub failed: u64,
}

/// Why an item of a search is not a match.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The reader failed. The games before the failure were searched.
    #[error("cannot read after game {games}: {source}")]
    Read {
        /// The number of games before the failure.
        games: u64,
        /// The reason of the reader.
        source: io::Error,
    },
    /// A run-time error ended the evaluation on a game.
    #[error("{}{error}", place(*game))]
    Runtime {
        /// The number of the game; 0 outside the games.
        game: u64,
        /// The error. If it is fatal, it also ends the search.
        error: RuntimeError,
    },
    /// The query asks for the number of the last game, which a stream does not tell before its end:
    /// see [`Search::last_number`].
    #[error("the query asks for the number of the last game, which is not known in a stream")]
    UnknownLastNumber,
}

fn place(game: u64) -> String {
    if game == 0 { String::new() } else { format!("game {game}: ") }
}

impl Query {
    /// Searches the games of a PGN text, one after another, on the calling thread. The reader may
    /// be anything: a file, a socket, standard input, bytes in memory. It is read in pieces, and a
    /// game is searched when the next one begins.
    ///
    /// The text must be PGN; with the feature `engine` it may be compressed with gzip, zstd, xz or
    /// bzip2. An archive, a game table or another format than text is an error that names it; a
    /// `Scan` reads archives and tables. A text without a tag pair or a move is an error, too.
    pub fn search<R: Read>(&self, reader: R) -> Search<'_, R> {
        Search::new(self, reader)
    }
}

impl<'q, R: Read> Search<'q, R> {
    fn new(query: &'q Query, reader: R) -> Search<'q, R> {
        Search {
            query,
            stream: GameStream::new(text(reader)),
            block: None,
            machine: Machine::new(query.program().clone()),
            reader: query.reader(),
            writer: query.reader(),
            limit: None,
            sort: true,
            last_number: None,
            name: String::new(),
            stage: Stage::Begin,
            at_limit: 0,
            ready: VecDeque::new(),
            unsorted: Vec::new(),
            damaged: Vec::new(),
            counts: SearchCounts::default(),
        }
    }

    /// Ends the search after this many matches, in the order of the games.
    #[must_use]
    pub fn limit(mut self, matches: u64) -> Search<'q, R> {
        self.limit = Some(matches);
        self
    }

    /// Whether matches are sorted by the keys of the query (the default).
    #[must_use]
    pub fn sorted(mut self, sort: bool) -> Search<'q, R> {
        self.sort = sort;
        self
    }

    /// The number of games that will come, for a query that asks for the number of the last game.
    #[must_use]
    pub fn last_number(mut self, games: u64) -> Search<'q, R> {
        self.last_number = Some(games);
        self
    }

    /// The name of the input in matches and reports of damage. By default it is empty.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Search<'q, R> {
        self.name = name.into();
        self
    }

    /// The damaged games so far, at most 1,000; [`Search::counts`] counts all of them, and
    /// [`Search::events`] gives all.
    pub fn damaged(&self) -> &[DamagedGame] {
        &self.damaged
    }

    /// What was counted so far.
    pub fn counts(&self) -> SearchCounts {
        self.counts
    }

    /// Iterator over everything that happens, in the order of the games: matches, lines of
    /// `message` filters, damaged games, run-time errors. The item of a reader that fails is an
    /// error.
    pub fn events(self) -> SearchEvents<'q, R> {
        SearchEvents { search: self }
    }

    /// Calls `take` with each match and each error, until it breaks. It is faster than the iterator
    /// if not everything of a [`Match`] is needed: the FENs and moves of all matching positions
    /// take longer than the search of the game. The matches come in the order of the games, also
    /// those of a query that sorts.
    ///
    /// The matches are those of the games that are not searched yet. A search that sorts has
    /// searched all games before its first match; its other matches come only from the iterator.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// let games = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";
    /// let query = babson::Query::compile("btm")?;
    /// let mut positions = 0;
    /// let end = query.search(games.as_bytes()).for_each_hit(|hit| match hit {
    ///     Ok(hit) => {
    ///         positions += hit.positions().len();
    ///         ControlFlow::Continue(())
    ///     }
    ///     Err(error) => ControlFlow::Break(error),
    /// });
    /// assert!(end.is_continue());
    /// assert_eq!(positions, 3);
    /// # Ok::<(), babson::CompileError>(())
    /// ```
    pub fn for_each_hit<B>(
        &mut self,
        mut take: impl FnMut(Result<Hit<'_>, SearchError>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut rows = VecDeque::new();
        let flow = self.visit_hits(&mut take, &mut rows);
        rows.append(&mut self.ready);
        self.ready = rows;
        flow
    }

    /// As [`Search::for_each_hit`]. The matches that are rows already are moved to `rows`.
    fn visit_hits<B>(
        &mut self,
        take: &mut dyn FnMut(Result<Hit<'_>, SearchError>) -> ControlFlow<B>,
        rows: &mut VecDeque<Result<Event, SearchError>>,
    ) -> ControlFlow<B> {
        loop {
            while let Some(event) = self.ready.pop_front() {
                let error = match event {
                    Ok(Event::RuntimeError { game, error, .. }) => {
                        SearchError::Runtime { game, error }
                    }
                    Ok(Event::Match { .. }) => {
                        rows.push_back(event);
                        continue;
                    }
                    // What the iterator leaves out too.
                    Ok(_) => continue,
                    Err(error) => error,
                };
                take(Err(error))?;
            }
            let mut flow = ControlFlow::Continue(());
            match self.stage {
                Stage::Begin => self.begin(),
                Stage::Games => self.next_game(&mut |hit| {
                    flow = take(Ok(hit));
                    None
                }),
                Stage::End => self.end(),
                Stage::Done => return flow,
            }
            flow?;
        }
    }

    fn next_event(&mut self) -> Option<Result<Event, SearchError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            match self.stage {
                Stage::Begin => self.begin(),
                Stage::Games => self.next_game(&mut |hit| Some(hit.row())),
                Stage::End => self.end(),
                Stage::Done => return None,
            }
        }
    }

    fn begin(&mut self) {
        if self.query.typed().wants_last_number() && self.last_number.is_none() {
            self.ready.push_back(Err(SearchError::UnknownLastNumber));
            self.stage = Stage::Done;
            return;
        }
        self.stage = if self.limit == Some(0) { Stage::End } else { Stage::Games };
        self.machine.begin(self.query.options(), self.last_number);
        self.take_block();
    }

    fn end(&mut self) {
        self.machine.end(self.query.options(), self.last_number);
        self.stage = Stage::Done;
        if self.take_block()
            && let Some(error) = self.machine.close_pipes()
        {
            self.ready.push_back(Ok(Event::RuntimeError { query: 0, game: 0, error }));
            self.unsorted.clear();
        }
        let program = self.query.program();
        let mut sorted = std::mem::take(&mut self.unsorted);
        sorted.sort_by(|(one, a), (two, b)| program.compare(one, two).then(a.game.cmp(&b.game)));
        let hits = sorted.into_iter().map(|(_, hit)| Ok(Event::Match { query: 0, hit }));
        self.ready.extend(hits);
    }

    /// Reports what a block outside the games did. Returns whether the search goes on.
    fn take_block(&mut self) -> bool {
        let outcome = self.machine.outcome();
        let (lines, error) = (outcome.messages.clone(), outcome.error.clone());
        self.message(lines);
        let Some(error) = error else { return true };
        self.stop(0, error);
        false
    }

    fn message(&mut self, lines: Vec<u8>) {
        if !lines.is_empty() {
            self.ready.push_back(Ok(Event::Message { query: 0, lines }));
        }
    }

    /// Ends the search. Sorted matches are lost with the run, as in the command.
    fn stop(&mut self, game: u64, error: RuntimeError) {
        self.ready.push_back(Ok(Event::RuntimeError { query: 0, game, error }));
        self.unsorted.clear();
        self.stage = Stage::Done;
    }

    /// Searches the next game. `row` makes of a match the row that is kept, if one is.
    fn next_game(&mut self, row: &mut dyn FnMut(Hit<'_>) -> Option<Match>) {
        let Some(cursor) = &mut self.block else {
            match self.stream.next() {
                Ok(Some(block)) => self.block = Some(BlockCursor::new(block)),
                Ok(None) => self.stage = Stage::End,
                Err(source) => {
                    let games = self.counts.games;
                    self.ready.push_back(Err(SearchError::Read { games, source }));
                    self.stage = Stage::Done;
                }
            }
            return;
        };
        let Some((start, end)) = cursor.games.next() else {
            self.block = None;
            return;
        };
        let number = self.counts.games + 1;
        let range = self.query.program().header().game_range();
        // CQL 6.2 reads and counts the first game after the range.
        let after = u64::from(self.query.options().cql6_output);
        if range.is_some_and(|(_, last)| number > last.saturating_add(after)) {
            self.stage = Stage::End;
            return;
        }
        self.counts.games = number;
        if range.is_none_or(|(first, last)| (first..=last).contains(&number))
            && let Some(cursor) = self.block.take()
        {
            let cursor = self.search_game(cursor, start, end, number, row);
            self.block = Some(cursor);
        }
    }

    /// Runs the query on a game of a block.
    fn search_game(
        &mut self,
        mut cursor: BlockCursor,
        start: usize,
        end: usize,
        number: u64,
        row: &mut dyn FnMut(Hit<'_>) -> Option<Match>,
    ) -> BlockCursor {
        let text = &cursor.block.text[start..end];
        if cursor.block.overlong || text.len() > MAX_GAME {
            let reason = format!(
                "a game of more than {} MiB (is this a PGN file?): skipped",
                MAX_GAME >> 20
            );
            let text = text[..text.len().min(MAX_SAMPLE)].to_vec();
            let input = self.name.clone();
            let line = cursor.line_of(start);
            self.damage(false, DamagedGame { input, line, game: number, reason, text, more: 0 });
            return cursor;
        }
        let query = self.query;
        let needs = query.needs();
        let Search { machine, reader, writer, last_number, .. } = self;
        let context = GameContext { number, last_number: *last_number, options: query.options() };
        // A game that cannot match, to judge by its tags, is not replayed.
        let by_tags = needs.moves && !needs.damage;
        let (game, can_match) =
            reader.read_if(text, needs, |head| !by_tags || machine.can_match(head, &context));
        let mut damages = GameDamages::default();
        damages.add(&game);
        let mut hit = None;
        let mut lines = Vec::new();
        let mut failure = None;
        let mut keys = Vec::new();
        if can_match {
            let outcome = match machine.run(&game, &context) {
                Ok(outcome) => Some(outcome),
                Err(error) => {
                    failure = Some(error.into());
                    None
                }
            };
            if let Some(outcome) = outcome {
                lines.clone_from(&outcome.messages);
                failure.clone_from(&outcome.error);
            }
            if let Some(outcome) = outcome.filter(|outcome| outcome.matched && failure.is_none()) {
                let whole = if game.is_whole() {
                    game
                } else {
                    let whole = writer.read(game.text(), query.whole_needs());
                    damages.add(&whole);
                    whole
                };
                let offset = cursor.block.offset + start as u64;
                keys.clone_from(&outcome.sort);
                let input = self.name.as_str();
                hit = Some(row(Hit { query, game: whole, outcome, number, input, offset }));
            }
        }
        // The order of a scan's events.
        self.message(lines);
        if let Some(hit) = hit {
            self.take_match(keys, hit);
        }
        match failure {
            Some(error) => self.fail(number, error),
            None => self.at_limit = 0,
        }
        for (note, damage) in damages.reports() {
            let line = cursor.line_of(start + damage.start);
            let GameDamage { reason, shown, more, .. } = damage;
            let input = self.name.clone();
            self.damage(note, DamagedGame { input, line, game: number, reason, text: shown, more });
        }
        cursor
    }

    /// Counts a match and keeps its row, if it has one.
    fn take_match(&mut self, keys: Vec<Option<SortValue>>, row: Option<Match>) {
        self.counts.matches += 1;
        if let Some(hit) = row {
            if self.sort && !self.query.program().sorts().is_empty() {
                self.unsorted.push((keys, hit));
            } else {
                self.ready.push_back(Ok(Event::Match { query: 0, hit }));
            }
        }
        if self.limit.is_some_and(|limit| self.counts.matches >= limit) {
            self.stage = Stage::End;
        }
    }

    /// Takes a run-time error.
    fn fail(&mut self, game: u64, mut error: RuntimeError) {
        match error.limit {
            Some(RunLimit::Steps) => self.at_limit += 1,
            Some(RunLimit::AnswerTime) | None => self.at_limit = 0,
        }
        if self.at_limit >= MAX_GAMES_AT_LIMIT {
            error.fatal = true;
            error.message += &format!(" by {MAX_GAMES_AT_LIMIT} games in a row");
        }
        if error.fatal {
            self.stop(game, error);
        } else {
            self.counts.failed += 1;
            self.ready.push_back(Ok(Event::RuntimeError { query: 0, game, error }));
        }
    }

    fn damage(&mut self, note: bool, game: DamagedGame) {
        if note {
            self.ready.push_back(Ok(Event::Noted(game)));
            return;
        }
        self.counts.damaged += 1;
        if self.damaged.len() < MAX_KEPT_DAMAGED {
            self.damaged.push(game.clone());
        }
        self.ready.push_back(Ok(Event::Damaged(game)));
    }
}

impl<R: Read> Iterator for Search<'_, R> {
    type Item = Result<Match, SearchError>;

    fn next(&mut self) -> Option<Result<Match, SearchError>> {
        loop {
            let event = match self.next_event()? {
                Ok(event) => event,
                Err(error) => return Some(Err(error)),
            };
            if let Event::RuntimeError { game, error, .. } = event {
                return Some(Err(SearchError::Runtime { game, error }));
            }
            // `damaged` has the damaged games, and `events` has everything.
            if let Event::Match { hit, .. } = event {
                return Some(Ok(hit));
            }
        }
    }
}

/// Iterator over the events of a search: [`Search::events`].
pub struct SearchEvents<'q, R: Read> {
    search: Search<'q, R>,
}

impl<R: Read> SearchEvents<'_, R> {
    /// What was counted so far.
    pub fn counts(&self) -> SearchCounts {
        self.search.counts
    }
}

impl<R: Read> Iterator for SearchEvents<'_, R> {
    type Item = Result<Event, SearchError>;

    fn next(&mut self) -> Option<Result<Event, SearchError>> {
        self.search.next_event()
    }
}

impl BlockCursor {
    fn new(block: GameBlock) -> BlockCursor {
        let games: Vec<(usize, usize)> = if block.overlong {
            vec![(0, block.text.len())]
        } else {
            Games::new(&block.text).map(|(start, text)| (start, start + text.len())).collect()
        };
        BlockCursor { counted: 0, line: block.line, games: games.into_iter(), block }
    }

    /// The line of an offset in the block. Offsets mostly ascend.
    fn line_of(&mut self, offset: usize) -> u64 {
        if offset > self.counted {
            self.line += count_lines(&self.block.text, self.counted..offset);
            self.counted = offset;
        }
        self.line
    }
}

/// The worst damage and the first note of a game.
#[derive(Default)]
struct GameDamages {
    damage: Option<GameDamage>,
    note: Option<GameDamage>,
}

struct GameDamage {
    start: usize,
    reason: String,
    shown: Vec<u8>,
    more: usize,
}

impl GameDamages {
    /// Adds those of a reading of the game, if no earlier reading has any.
    fn add(&mut self, game: &babson_pgn::Game<'_>) {
        let damages = game.damages();
        if damages.is_empty() {
            return;
        }
        let notes = damages.iter().filter(|damage| damage.reason.is_note()).count();
        let of = |damage: &babson_pgn::Damage, count: usize| {
            let shown = game.damaged_text(damage);
            GameDamage {
                start: damage.start,
                reason: damage.reason.to_string(),
                shown: shown[..shown.len().min(MAX_SAMPLE)].to_vec(),
                more: count.saturating_sub(1),
            }
        };
        if self.damage.is_none() {
            self.damage = game.damage().map(|damage| of(damage, damages.len() - notes));
        }
        if self.note.is_none() {
            let note = damages.iter().find(|damage| damage.reason.is_note());
            self.note = note.map(|note| of(note, notes));
        }
    }

    /// The damages in the order of the text, each with whether it is a note.
    fn reports(self) -> impl Iterator<Item = (bool, GameDamage)> {
        let mut reports: Vec<(bool, GameDamage)> = self
            .damage
            .map(|damage| (false, damage))
            .into_iter()
            .chain(self.note.map(|note| (true, note)))
            .collect();
        reports.sort_by_key(|(_, damage)| damage.start);
        reports.into_iter()
    }
}

#[cfg(test)]
mod tests;
