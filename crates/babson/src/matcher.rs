//! Running a query on games and positions that the caller has.

use babson_chess::{Position, Rules};
use babson_lang::{Diagnostic, Span};
use babson_pgn::{Game, Needs, Reader};
use babson_vm::{GameContext, Hit, Machine, Program, RuntimeError, Trace, Value, Why};

use crate::Query;

/// Runs a query on one game or position after another: [`Query::matcher`]. It has all that one
/// thread needs, so each thread has its own.
///
/// Persistent variables and dictionaries keep their values from one run to the next.
///
/// ```
/// use babson::pgn::{Needs, Reader};
/// use babson::Query;
///
/// let query = Query::compile("sort \"pieces\" #[Aa] mate comment(\"the end\")")?;
/// let mut matcher = query.matcher();
/// let mut reader = Reader::new();
/// let game = reader.read(b"[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n", Needs::ALL);
/// let hit = matcher.run(&game)?.expect("a mate");
/// assert_eq!(hit.positions(), [4]);
/// assert_eq!(hit.row().tag("White"), Some("Adams"));
/// assert!(String::from_utf8(hit.pgn())?.contains("Qh4# {"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Matcher<'q> {
    query: &'q Query,
    machine: Machine,
    /// The machine of traces, made on first use.
    tracer: Option<Machine>,
    /// Why there are no values.
    unvalued: Option<&'q [Diagnostic]>,
    /// Reads a game again that was read in part, once there is one.
    reader: Option<Reader>,
    games: u64,
    last_number: Option<u64>,
}

impl Query {
    /// The value of the query's last filter at a position of standard chess; `Value::Bool(true)` if
    /// the filter is a condition, `Value::Bool(false)` if the query does not match there.
    /// [`Matcher::evaluate`] is faster for many positions and knows the rules of variants.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation.
    ///
    /// ```
    /// use babson::{Position, Query, Value};
    ///
    /// let start = Position::start();
    /// assert_eq!(Query::compile("#P")?.evaluate(&start)?, Value::Number(8));
    /// assert_eq!(Query::compile("wtm")?.evaluate(&start)?, Value::Bool(true));
    /// assert_eq!(Query::compile("wtm K attacks a")?.evaluate(&start)?, Value::Bool(false));
    /// let board: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse()?;
    /// assert_eq!(Query::compile("R")?.evaluate(&board)?.to_string(), "[a1,h1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&self, position: &Position) -> Result<Value, RuntimeError> {
        self.matcher().evaluate(position, &Rules::STANDARD)
    }

    /// What every filter of the query does at a position of standard chess, and so why the query
    /// matches there or not. [`Matcher::trace`] does the same at a position of a game.
    ///
    /// # Errors
    /// As [`Matcher::trace`].
    ///
    /// ```
    /// use babson::{Position, Query};
    ///
    /// let query = Query::compile("check mate")?;
    /// assert_eq!(query.trace(&Position::start())?.to_string(), "Check: no\nMate: not evaluated\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trace(&self, position: &Position) -> Result<Trace, RuntimeError> {
        let mut reader = Reader::new();
        let game = reader.one_position(position, &Rules::STANDARD, Needs::ALL);
        self.matcher().trace(&game, 0)
    }

    /// A matcher: what one thread needs to run the query on games and positions. The first call
    /// compiles the query again, for its values, unless it was built with
    /// [them](crate::QueryBuilder::values).
    pub fn matcher(&self) -> Matcher<'_> {
        Matcher::new(self)
    }
}

impl<'q> Matcher<'q> {
    fn new(query: &'q Query) -> Matcher<'q> {
        let (program, unvalued): (&Program, _) = match query.valued() {
            Ok(program) => (program, None),
            Err(errors) => (query.program(), Some(errors)),
        };
        Matcher {
            query,
            machine: Machine::with_options(program.clone(), query.options().clone()),
            tracer: None,
            unvalued,
            reader: None,
            games: 0,
            last_number: None,
        }
    }

    /// The number of games that will come, for a query that asks for the number of the last game.
    /// Without it, `lastgamenumber` is a run-time error that is fatal; for the one position of
    /// [`Matcher::evaluate`] it is always 1.
    ///
    /// ```
    /// use babson::pgn::{Games, Needs, Reader};
    /// use babson::Query;
    ///
    /// let games = b"[White \"Adams\"]\n\n1. e4 *\n\n[White \"Zukertort\"]\n\n1. d4 *\n";
    /// let query = Query::compile("gamenumber == lastgamenumber")?;
    /// let mut matcher = query.matcher().last_number(2);
    /// let mut reader = Reader::new();
    /// let mut numbers = Vec::new();
    /// for (_, text) in Games::new(games) {
    ///     let hit = matcher.run(&reader.read(text, Needs::ALL))?.map(|hit| hit.number());
    ///     numbers.extend(hit);
    /// }
    /// assert_eq!(numbers, [2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn last_number(mut self, games: u64) -> Matcher<'q> {
        self.last_number = Some(games);
        self
    }

    /// Runs the query on a game. Games are numbered from 1 in the order of the calls; see
    /// [`Matcher::run_as`]. A game that was not read as a whole is read again, and so is a damaged
    /// game if the outputs have the layout of CQL 6.2, where the damaged text is a comment.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation. If it is [fatal](RuntimeError::fatal), the
    /// query asked to end the whole run. Also if a game of a table was replayed with less than the
    /// query [needs](Query::needs).
    pub fn run<'m>(&'m mut self, game: &Game<'m>) -> Result<Option<Hit<'m>>, RuntimeError> {
        self.run_as(game, self.games + 1)
    }

    /// As [`Matcher::run`], for the game of this number. A game outside the range of numbers that
    /// the header of the query has does not match.
    ///
    /// A game of a table cannot be read again from its text, so it must have been replayed with
    /// what the query [needs](Query::needs).
    ///
    /// # Errors
    /// As [`Matcher::run`].
    pub fn run_as<'m>(
        &'m mut self,
        game: &Game<'m>,
        number: u64,
    ) -> Result<Option<Hit<'m>>, RuntimeError> {
        self.games = number;
        let query = self.query;
        let range = query.program().header().game_range();
        if range.is_some_and(|(low, high)| !(low..=high).contains(&number)) {
            self.machine.clear_outcome();
            return Ok(None);
        }
        let game = whole(query, &mut self.reader, game);
        let last_number = self.last_number;
        let context = GameContext { number, last_number, options: query.options() };
        let outcome = self.machine.run(&game, &context)?;
        if let Some(error) = &outcome.error {
            return Err(error.clone());
        }
        Ok(outcome.matched.then(|| query.hit(game, outcome, number)))
    }

    /// The value of the query's last filter at a position of a game with these rules;
    /// `Value::Bool(true)` if the filter is a condition, `Value::Bool(false)` if the query does not
    /// match there.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation, or the query is too large to be compiled for
    /// its value (65,535 registers).
    ///
    /// ```
    /// use babson::chess::fen;
    /// use babson::{Query, Value};
    ///
    /// let query = Query::compile("#R")?;
    /// let mut matcher = query.matcher();
    /// for (text, count) in [("4k3/8/8/8/8/8/8/R3K2R w KQ -", 2), ("8/8/8/8/8/k7/8/K1R5 w", 1)] {
    ///     let (position, rules) = fen::parse(text)?;
    ///     assert_eq!(matcher.evaluate(&position, &rules)?, Value::Number(count));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&mut self, position: &Position, rules: &Rules) -> Result<Value, RuntimeError> {
        if let Some(errors) = self.unvalued {
            self.machine.clear_outcome();
            return Err(too_large(errors));
        }
        self.machine.evaluate(position, rules)
    }

    /// What every filter of the query does at one position of a game, and so why the query matches
    /// there or not. The positions before it are evaluated first, since variables keep their
    /// values; other games are not, and the header of the query is ignored. The first call compiles
    /// the query again.
    ///
    /// The game has the number of the last [run](Matcher::run), so trace a game before the next one
    /// is run, or with [`Matcher::trace_as`]. Before the first run, the number is 1.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation; also if the game has no such position, or if
    /// the query is too large to be compiled for traces.
    ///
    /// ```
    /// use babson::pgn::{Needs, Reader};
    ///
    /// let query = babson::Query::compile("check mate")?;
    /// let mut reader = Reader::new();
    /// let game = reader.read(b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", Needs::ALL);
    /// let trace = query.matcher().trace(&game, 3)?;
    /// assert_eq!(trace.to_string(), "Check: no\nMate: not evaluated\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trace(&mut self, game: &Game<'_>, position: u32) -> Result<Trace, RuntimeError> {
        self.trace_as(game, self.games.max(1), position)
    }

    /// As [`Matcher::trace`], for the game of this number.
    ///
    /// # Errors
    /// As [`Matcher::trace`].
    pub fn trace_as(
        &mut self,
        game: &Game<'_>,
        number: u64,
        position: u32,
    ) -> Result<Trace, RuntimeError> {
        let query = self.query;
        let program = query.traced().map_err(too_large)?;
        let game = whole(query, &mut self.reader, game);
        let last_number = self.last_number;
        let context = GameContext { number, last_number, options: query.options() };
        self.tracer
            .get_or_insert_with(|| Machine::new(program.clone()))
            .trace(&game, &context, position)
    }

    /// Why the query matches in the game of this number or does not: the filters that fail first,
    /// and what all filters do at one position. The position is `asked`, if it is given; otherwise
    /// the first match, or if there is none, the position that is nearest to a match.
    ///
    /// # Errors
    /// As [`Matcher::trace`].
    ///
    /// ```
    /// use babson::pgn::{Needs, Reader};
    ///
    /// let query = babson::Query::compile("check mate")?;
    /// let mut reader = Reader::new();
    /// let game = reader.read(b"1. e4 e5 2. Qh5 Ke7 3. Qxe5+ *", Needs::ALL);
    /// let why = query.matcher().why_as(&game, 1, None)?;
    /// assert_eq!((why.matches.len(), why.trace.position, why.failed), (1, 5, None));
    /// let why = query.matcher().why_as(&game, 1, Some(3))?;
    /// assert_eq!(why.failed, Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn why_as(
        &mut self,
        game: &Game<'_>,
        number: u64,
        asked: Option<u32>,
    ) -> Result<Why, RuntimeError> {
        let query = self.query;
        let program = query.traced().map_err(too_large)?;
        let game = whole(query, &mut self.reader, game);
        let last_number = self.last_number;
        let context = GameContext { number, last_number, options: query.options() };
        let count = if query.variations() { game.len() } else { game.main_line_len() };
        let positions: Vec<u32> = (0..count).collect();
        let tracer = self.tracer.get_or_insert_with(|| Machine::new(program.clone()));
        let traces = tracer.traces(&game, &context, &positions)?;
        Why::of(traces, asked).ok_or_else(|| {
            let message = "the game has no such position";
            let mut error = RuntimeError::new("trace", Span::default(), message);
            error.position = asked.unwrap_or(0);
            error
        })
    }

    /// What the `message` filters printed in the last run: whole lines, whether or not the game
    /// matched. Empty if the game was outside the range of the query.
    pub fn messages(&self) -> &[u8] {
        &self.machine.outcome().messages
    }

    /// Runs the `cqlbegin` blocks of the query. [`Matcher::run`] does not run them: call this
    /// before the first game if the query may have such a block.
    ///
    /// # Errors
    /// The run-time error that ended the block.
    pub fn begin(&mut self) -> Result<(), RuntimeError> {
        let outcome = self.machine.begin(self.query.options(), self.last_number);
        outcome.error.clone().map_or(Ok(()), Err)
    }

    /// Runs the `cqlend` blocks of the query, after the last game.
    ///
    /// # Errors
    /// The run-time error that ended the block.
    pub fn end(&mut self) -> Result<(), RuntimeError> {
        let outcome = self.machine.end(self.query.options(), self.last_number);
        outcome.error.clone().map_or(Ok(()), Err)
    }

    /// Closes the conversations with programs of `commandpipe`.
    ///
    /// # Errors
    /// A program wrote more than its answers.
    pub fn close(mut self) -> Result<(), RuntimeError> {
        self.machine.close_pipes().map_or(Ok(()), Err)
    }
}

/// The game with everything that the output of a match needs.
fn whole<'g>(query: &Query, reader: &'g mut Option<Reader>, game: &Game<'g>) -> Game<'g> {
    // The caller's reader perhaps does not make comments of damaged text.
    let lacks_comments = query.options().cql6_output && game.damage().is_some();
    match (game.is_whole() && !lacks_comments) || !game.has_move_text() {
        true => *game,
        false => {
            let reader = reader.get_or_insert_with(|| query.reader());
            reader.read(game.text(), query.program().output_needs())
        }
    }
}

/// The errors of a program with values as a run-time error: the query itself has none.
fn too_large(errors: &[Diagnostic]) -> RuntimeError {
    let span = errors.first().map_or(Span::default(), |error| error.span);
    let message = errors.first().map_or(String::new(), |error| error.message.clone());
    let mut error = RuntimeError::new("limit", span, message);
    error.fatal = true;
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_at_a_position_does_not_end_the_matcher() {
        let query = Query::compile("6 / #Q").unwrap();
        let mut matcher = query.matcher();
        let one: Position = "8/8/8/8/8/8/8/Q6Q w - - 0 1".parse().unwrap();
        let mut value = |position: &Position| matcher.evaluate(position, &Rules::STANDARD);
        let first = value(&Position::empty());
        assert_eq!(value(&one).unwrap(), Value::Number(3));
        assert_eq!(value(&Position::empty()), first);
        let asserted = Query::compile("assert #Q == 2 Q").unwrap();
        let error = asserted.evaluate(&Position::start()).unwrap_err();
        assert!(error.fatal && error.filter == "assert", "{error:?}");
    }

    #[test]
    fn persistent_variables_last_from_position_to_position() {
        let query = Query::compile("persistent $n += 1 $n").unwrap();
        let mut matcher = query.matcher();
        for count in 1..=3 {
            let value = matcher.evaluate(&Position::start(), &Rules::STANDARD).unwrap();
            assert_eq!(value, Value::Number(count));
        }
        assert_eq!(query.evaluate(&Position::start()).unwrap(), Value::Number(1));
    }

    #[test]
    fn a_game_that_was_read_in_part_is_read_again() {
        let query = Query::compile("cql(gamenumber 2 3) originalcomment \"x\" #p").unwrap();
        let mut matcher = query.matcher();
        let mut reader = Reader::new();
        let text = b"[White \"Adams\"]\n\n1. f3 {x} e5 2. g4 Qh4# 0-1\n";
        for needs in [Needs::TAGS, Needs::MAIN_LINE, Needs::ALL] {
            let game = reader.read(text, needs);
            assert!(matcher.run_as(&game, 1).unwrap().is_none());
            let hit = matcher.run(&game).unwrap().unwrap();
            assert_eq!((hit.positions(), hit.values()), (&[1][..], &[Value::Number(8)][..]));
            assert_eq!((hit.number(), hit.row().positions[0].mv.as_str()), (2, "1.f3"));
        }
    }

    #[test]
    fn the_number_of_the_last_game_is_that_of_the_caller() {
        let text = "cqlbegin {message lastgamenumber} cqlend {message lastgamenumber} \
                    gamenumber == lastgamenumber";
        let query = Query::compile(text).unwrap();
        let mut reader = Reader::new();
        let game = reader.read(b"*", Needs::ALL);
        let mut matcher = query.matcher();
        for error in [matcher.begin().unwrap_err(), matcher.run(&game).unwrap_err()] {
            assert!(error.fatal && error.filter == "lastgamenumber", "{error:?}");
        }
        assert!(matcher.trace(&game, 0).is_err());
        let mut matcher = query.matcher().last_number(2);
        matcher.begin().unwrap();
        assert_eq!(matcher.messages(), b"2\n");
        assert!(matcher.run(&game).unwrap().is_none());
        assert!(matcher.run(&game).unwrap().is_some());
        let trace = matcher.trace(&game, 0).unwrap().to_string();
        assert!(trace.contains("yes"), "{trace}");
        matcher.end().unwrap();
        assert_eq!(matcher.messages(), b"2\n");
        assert_eq!(query.evaluate(&Position::start()).unwrap(), Value::Number(1));
    }

    #[test]
    fn a_game_outside_the_range_has_no_messages() {
        let query = Query::compile("cql(gamenumber 2 2) message quiet(gamenumber) true").unwrap();
        let mut matcher = query.matcher();
        let mut reader = Reader::new();
        let game = reader.read(b"*", Needs::ALL);
        for (number, messages) in [(1, &b""[..]), (2, b"2\n"), (3, b"")] {
            let is_match = matcher.run(&game).unwrap().is_some();
            assert_eq!((is_match, matcher.messages()), (number == 2, messages), "{number}");
        }
    }

    #[test]
    fn a_trace_may_be_of_any_game() {
        let query = Query::compile("gamenumber == 1").unwrap();
        let mut reader = Reader::new();
        let game = reader.read(b"*", Needs::ALL);
        let mut matcher = query.matcher();
        let text = |trace: Result<Trace, _>| trace.unwrap().to_string();
        let first = text(matcher.trace(&game, 0));
        for _ in 1..=2 {
            matcher.run(&game).unwrap();
        }
        assert_ne!(text(matcher.trace(&game, 0)), first);
        assert_eq!(text(matcher.trace_as(&game, 1, 0)), first);
    }

    #[test]
    fn messages_and_blocks_outside_the_games() {
        let query = Query::compile(
            "cqlbegin {message \"a\"} cqlend {message \"z\"} message quiet(\"b\") false",
        );
        let query = query.unwrap();
        let mut matcher = query.matcher();
        matcher.begin().unwrap();
        assert_eq!(matcher.messages(), b"a\n");
        assert!(matcher.run(&Reader::new().read(b"*", Needs::ALL)).unwrap().is_none());
        assert_eq!(matcher.messages(), b"b\n");
        matcher.end().unwrap();
        assert_eq!(matcher.messages(), b"z\n");
        matcher.close().unwrap();
        let failing = Query::compile("cqlbegin {assert false} true").unwrap();
        assert!(failing.matcher().begin().unwrap_err().fatal);
    }
}
