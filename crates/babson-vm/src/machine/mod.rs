//! The machine: registers, arena, effect log, and the loop over the positions of a game.

mod arena;
mod bans;
mod board;
mod carryover;
mod continuation;
mod cql3;
mod dash;
mod defer;
mod dictionary;
mod dispatch;
mod echo;
mod files;
mod find;
mod finish;
mod follow;
mod hhdb;
mod hooks;
mod images;
mod imagine;
mod line;
mod memo;
mod moves;
mod mutation;
mod node_tables;
mod nodes;
mod once;
mod own_reader;
mod path;
mod patterns;
mod pipe;
mod registers;
mod shared_changes;
mod similar;
mod sorting;
mod speculate;
mod state;
mod strings;
mod tags;
mod trace;
mod value;
mod visit;
mod zobrist;

use std::cell::{Cell, OnceCell};

use babson_chess::processor::Processor;
use babson_chess::{Position, SquareSet};
use babson_lang::hir::{CommentLevel, Type};
use babson_pgn::tags::cql6;
use babson_pgn::{Game, Needs, Node};
use bumpalo::Bump;

use crate::filters::Contents;
use crate::op::{EntryPoint, Id, Pc};
use crate::prefilter::{Boards, Candidates};
use crate::profile::Counter;
use crate::program::ProgramData;
use crate::units::in_units;
use crate::{GameContext, Outcome, Program, RunError, RunLimit, RuntimeError, SortValue, Stopped};
use arena::{Arena, extend, push};
use carryover::Carryover;
use own_reader::OwnReader;
pub use pipe::PipeFailure;
pub use shared_changes::{SharedChanges, SharedChangesData};
use state::{LogEntry, State, Stop, logged_at};
use visit::{Visits, visible, visited};

/// Evaluates a program on one game after another. Each thread has its own machine.
#[derive(Debug)]
pub struct Machine {
    program: Program,
    /// The memory of one game, all freed at once when the next one is entered.
    bump: Bump,
    carryover: Carryover,
    outcome: Outcome,
    /// Whether the last run was stopped, and why.
    stopped: Option<Stopped>,
    /// The game that [`Machine::can_match`] has just admitted, until it is run.
    admitted: Option<GameIdentity>,
    /// What reads games and positions, once the machine has to.
    own: Option<Box<OwnReader>>,
    /// The steps that the last run took.
    #[cfg(test)]
    pub(crate) steps_taken: u64,
}

/// Tells one game from the next: where its text begins, and its number.
type GameIdentity = (usize, u64);

fn identity(game: &Game<'_>, context: &GameContext<'_>) -> GameIdentity {
    (game.text().as_ptr().addr(), context.number)
}

/// The board that filters look at.
#[derive(Clone, Copy)]
enum Board<'g> {
    /// The node's own.
    Own(&'g Position),
    /// An imagined or a saved one.
    Other(Position),
}

impl std::ops::Deref for Board<'_> {
    type Target = Position;

    #[inline(always)]
    fn deref(&self) -> &Position {
        match self {
            Board::Own(board) => board,
            Board::Other(board) => board,
        }
    }
}

/// The position that filters look at: a node of the tree and a board over it.
#[derive(Clone, Copy)]
struct View<'g> {
    /// What filters of the tree see, and where comments go.
    node: u32,
    /// The real position: the node, or the id of a saved one.
    id: u32,
    /// Which imagined board on the stack this is, from 1; 0 for the real position itself.
    depth: u32,
    /// Identifies the board: no other board of the game has this stamp.
    stamp: u64,
    board: Board<'g>,
}

/// The value of [`Run::tie`] for all moves.
const NO_TIE: u32 = u32::MAX;

/// The evaluation of one game.
struct Run<'m, 'g> {
    program: &'m ProgramData,
    context: &'m GameContext<'m>,
    /// For the loop over instructions, which a search of a `line` or `path` enters often.
    processor: Processor,
    state: State<'m>,
    outcome: &'m mut Outcome,
    game: Game<'g>,
    nodes: &'g [Node],
    positions: &'g [Position],
    here: View<'g>,
    contents: Contents,
    /// The stamp of the board that `contents` describes.
    contents_of: u64,
    /// The last answer of [`Run::touched`], and its node.
    touched: Cell<(u32, SquareSet)>,
    /// The child whose move is the only one that tied filters look at; [`NO_TIE`] for all moves.
    tie: u32,
    comment_level: CommentLevel,
    visits: Visits,
    /// Whether the lists of a CQL 3 query matched; then the game matches, even without a position.
    lists_matched: bool,
    /// Whether a block before the first game or after the last one is evaluated.
    outside: bool,
    /// The game's tags as CQL 6.2 reads them, made when a filter first asks for them. They own
    /// texts, which the arena would not drop.
    cql6_tags: OnceCell<Box<cql6::Cql6Tags<'g>>>,
    /// Its tags as they are in the file, also made when a filter asks.
    tags: OnceCell<tags::TagTable<'g>>,
}

impl Machine {
    /// A machine for this program. It runs the games and positions that it reads itself with the
    /// default options of the program's dialect; [`Machine::with_options`] sets others.
    pub fn new(program: Program) -> Machine {
        Machine {
            carryover: Carryover::new(program.parts()),
            program,
            bump: Bump::new(),
            outcome: Outcome::default(),
            stopped: None,
            admitted: None,
            own: None,
            #[cfg(test)]
            steps_taken: 0,
        }
    }

    /// Evaluates the program on a game.
    ///
    /// A run-time error is part of the outcome.
    ///
    /// # Errors
    /// The game was read with less than the program [needs](Program::needs_with), and has more; or
    /// the run is [stopped](crate::StopSignal), and the outcome is not complete.
    ///
    /// ```
    /// use babson_lang::{Dialect, analyze};
    /// use babson_pgn::{Needs, Reader};
    /// use babson_vm::{GameContext, Machine, Program, RunError, RunOptions};
    ///
    /// let query = analyze("cql(variations) variation mate", Dialect::CQLI).unwrap().query;
    /// let program = Program::compile(&query).unwrap();
    /// let mut machine = Machine::new(program.clone());
    /// let mut reader = Reader::new();
    /// let options = RunOptions::default();
    /// let context = GameContext { number: 1, last_number: None, options: &options };
    /// let text = b"1. f3 e5 2. g4 (2. h3) Qh4# 0-1";
    /// let error = machine.run(&reader.read(text, Needs::MAIN_LINE), &context).unwrap_err();
    /// assert!(matches!(error, RunError::MissingNeeds(Needs { variations: true, .. })));
    /// let game = reader.read(text, program.needs_with(&options));
    /// assert!(!machine.run(&game, &context)?.matched);
    /// # Ok::<(), RunError>(())
    /// ```
    pub fn run(
        &mut self,
        game: &Game<'_>,
        context: &GameContext<'_>,
    ) -> Result<&Outcome, RunError> {
        self.check_needs(game, context)?;
        if let Some(stopped) = context.options.stop.stopped() {
            return Err(RunError::Stopped(stopped));
        }
        match self.run_prepared(game, context) {
            Ok(outcome) => Ok(outcome),
            Err(stopped) => Err(RunError::Stopped(stopped)),
        }
    }

    /// As [`Machine::run`], for a game that has what the program needs. Whether the run is stopped
    /// already is left to the caller.
    ///
    /// # Errors
    /// The run is stopped.
    #[inline]
    pub(crate) fn run_prepared(
        &mut self,
        game: &Game<'_>,
        context: &GameContext<'_>,
    ) -> Result<&mut Outcome, Stopped> {
        self.run_code(game, context, None);
        match self.stopped {
            Some(stopped) => Err(stopped),
            None => Ok(&mut self.outcome),
        }
    }

    /// # Errors
    /// The game was read with less than the program needs, and has more.
    pub(crate) fn check_needs(
        &self,
        game: &Game<'_>,
        context: &GameContext<'_>,
    ) -> Result<(), RunError> {
        let needs = self.program.needs_with(context.options);
        if needs.are_among(game.needs()) || game.is_whole() {
            return Ok(());
        }
        let missing = needs.without(game.needs());
        let usual_start = missing.usual_start && !game.has_start();
        match (Needs { usual_start, ..missing }) {
            Needs::TAGS => Ok(()),
            missing => Err(RunError::MissingNeeds(missing)),
        }
    }

    /// The outcome of the last game or block.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Makes the outcome of a game that the guard of the query has decided to match, without
    /// running the program: it matches, and its positions are not known.
    pub(crate) fn match_by_guard(&mut self) {
        self.outcome.clear();
        self.outcome.matched = true;
    }

    /// Resets the outcome to 'no match' without running the program.
    pub fn clear_outcome(&mut self) {
        self.outcome.clear();
    }

    /// Whether the game can match, to judge by its tags alone: the moves need not have been read. A
    /// game that cannot match need not be [run](Machine::run).
    pub fn can_match(&mut self, game: &Game<'_>, context: &GameContext<'_>) -> bool {
        let program = self.program.parts();
        let code = &program.code;
        if code.tags_required.is_none() || program.matches_by_count(context.options, false, 0) {
            return true;
        }
        let admitted = self.with_run(game, context, false, |run| {
            // If the test reached a limit, the game is searched.
            run.passes(run.program.code.tags_required).unwrap_or(true)
        });
        self.admitted = admitted.then(|| identity(game, context));
        admitted
    }

    /// [`Machine::run`], or the code of a block outside of all games.
    fn run_code(
        &mut self,
        game: &Game<'_>,
        context: &GameContext<'_>,
        block: Option<Id<EntryPoint>>,
    ) -> &Outcome {
        // The test of the tags need not be repeated.
        let admitted = self.admitted.take() == Some(identity(game, context));
        if let Some(entry) = block {
            self.with_run(game, context, true, |run| run.block(entry));
            return &self.outcome;
        }
        let candidates = self.first_candidates(game, context, admitted);
        if candidates.is_some_and(Candidates::is_empty) {
            self.pass_over();
            return &self.outcome;
        }
        let decided = self.with_run(game, context, false, |run| {
            let passes = run.passes_tests(admitted);
            if let Some(passes) = passes {
                run.evaluate(passes, candidates);
            }
            passes.is_some()
        });
        if !decided {
            // The test has left a state that no filter may see.
            self.with_run(game, context, false, |run| run.evaluate(true, None));
        }
        &self.outcome
    }

    fn with_run<T>(
        &mut self,
        game: &Game<'_>,
        context: &GameContext<'_>,
        outside: bool,
        f: impl FnOnce(&mut Run<'_, '_>) -> T,
    ) -> T {
        let program = self.program.parts();
        self.outcome.clear();
        let (nodes, positions) = visible(game, program, context);
        let comment_level = program.comment_level(context.options);
        let arena = Arena::renewed(&mut self.bump);
        let mut run = Run {
            program,
            context,
            processor: Processor::detect(),
            state: State::new(arena, &mut self.carryover, program, context),
            outcome: &mut self.outcome,
            game: *game,
            nodes,
            positions,
            here: View { node: 0, id: 0, depth: 0, stamp: 0, board: Board::Own(&positions[0]) },
            contents: Contents::of(&positions[0]),
            contents_of: 0,
            touched: Cell::new((0, SquareSet::EMPTY)),
            tie: NO_TIE,
            comment_level,
            visits: Visits::default(),
            lists_matched: false,
            outside,
            cql6_tags: OnceCell::new(),
            tags: OnceCell::new(),
        };
        run.state.start_game(program);
        let result = f(&mut run);
        run.state.carryover.clock.stop(&*context.options.host);
        run.state.save_persistents();
        self.stopped = run.state.stopped;
        #[cfg(test)]
        {
            self.steps_taken = context.options.steps - run.state.steps.left();
        }
        result
    }

    /// What every filter of [`Program::profiled`] did so far.
    pub fn profile(&self) -> &[Counter] {
        &self.carryover.clock.counters
    }

    /// The dictionaries: a line `NAME: N keys` for each, below it a line `  KEY --> VALUE` for each
    /// key in order.
    pub fn dictionaries(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (declared, entries) in
            self.program.parts().code.dictionaries.iter().zip(&self.carryover.dictionaries)
        {
            let plural = if entries.len() == 1 { "key" } else { "keys" };
            lines.push(format!("{}: {} {plural}", declared.name, entries.len()));
            lines.extend(
                entries.sorted().into_iter().map(|(key, value)| format!("  {key} --> {value}")),
            );
        }
        lines
    }

    /// The lines of the summary for the persistent variables: `cnt: 4`, `myset: a1`,
    /// `str1: "yyyy"`, in order of first appearance.
    pub fn persistents(&self) -> Vec<String> {
        let shown = self.carryover.persistents.iter().filter_map(|persistent| {
            let var = &self.program.parts().code.vars[persistent.var.index()];
            let value = match &persistent.value {
                Some(value) => value.to_string(),
                None => "<unbound>".to_owned(),
            };
            (var.persistent == Some(false)).then(|| format!("{}: {value}", var.name))
        });
        shown.collect()
    }
}

impl<'g> Run<'_, 'g> {
    /// Whether the game passes the tests that come before its positions; none if they reached a
    /// limit. If `admitted`, its tags have passed already.
    fn passes_tests(&mut self, admitted: bool) -> Option<bool> {
        let code = &self.program.code;
        let tags_required = code.tags_required.filter(|_| !admitted);
        if !self.game_fits() || !self.passes(tags_required)? {
            return Some(false);
        }
        self.passes(code.game_required)
    }

    /// Searches the game. Unless `passes`, no position can match.
    fn evaluate(&mut self, passes: bool, candidates: Option<Candidates>) {
        let program = self.program;
        // If the initial position is unknown, so are all others.
        if !self.game.has_start() && !self.program.dialect.usual_start {
            return;
        }
        if passes {
            let visited = visited(program, &self.game, self.positions);
            self.start_visits(visited, candidates);
            if let Err(Stop) = self.execute(program.code.query()) {
                self.outcome.positions.clear();
                self.outcome.values.clear();
                self.outcome.tags.clear();
                self.outcome.removed_tags.clear();
                self.outcome.error = self.state.error.take();
                return;
            }
        }
        let count = self.outcome.positions.len() + self.visits.surpassed;
        let count = i32::try_from(count).unwrap_or(i32::MAX);
        self.outcome.matched =
            program.matches_by_count(self.context.options, self.lists_matched, count);
        if self.outcome.matched {
            self.finish(count);
        } else {
            self.outcome.tags.clear();
            self.outcome.removed_tags.clear();
        }
    }

    #[inline]
    fn boards(&self) -> Boards<'g> {
        Boards { positions: self.positions, nodes: self.nodes }
    }

    fn game_fits(&self) -> bool {
        match self.program.query.header.result {
            Some(wanted) => self.has_result(wanted),
            None => true,
        }
    }

    fn match_comment(&mut self) {
        if self.comment_level != CommentLevel::Normal {
            return;
        }
        let text = self.program.match_string(self.context.options).as_bytes();
        if !text.is_empty() {
            let text = self.state.intern(text);
            self.state.log(self.here.node, text);
        }
    }

    fn sort_value(&self, key: usize) -> Option<SortValue> {
        let word = self.state.sorts[key]?;
        Some(match self.program.sorts[key].ty {
            Type::String => SortValue::Text(self.state.bytes(word).to_vec()),
            Type::Bool | Type::Number | Type::Set | Type::Position | Type::Piece => {
                SortValue::Number(word as u32 as i32)
            }
        })
    }

    /// Ends the evaluation of the game (or of the run) with an error.
    #[cold]
    fn stop<T>(
        &mut self,
        pc: Pc,
        filter: &'static str,
        message: String,
        fatal: bool,
    ) -> Result<T, Stop> {
        let span = self.program.code.span(pc);
        let position = self.here.node;
        self.state.error = Some(RuntimeError {
            filter: filter.into(),
            span,
            position,
            message,
            fatal,
            limit: None,
        });
        Err(Stop)
    }

    /// Ends the run because the host refuses what the filter needs.
    #[cold]
    fn refused<T>(&mut self, pc: Pc, filter: &'static str) -> Result<T, Stop> {
        self.stop(pc, filter, format!("{filter} is not allowed here"), true)
    }

    #[inline]
    fn step(&mut self, pc: Pc) -> Result<(), Stop> {
        if self.state.steps.take() {
            return Ok(());
        }
        self.next_portion(pc)
    }

    /// Takes a step of the next portion, unless the run is stopped or no step is left.
    #[cold]
    fn next_portion(&mut self, pc: Pc) -> Result<(), Stop> {
        if self.state.full {
            return self.out_of_memory(pc);
        }
        if let Some(stopped) = self.context.options.stop.stopped() {
            self.state.stopped = Some(stopped);
            return Err(Stop);
        }
        if self.state.steps.next_portion() && self.state.steps.take() {
            return Ok(());
        }
        let steps = self.context.options.steps;
        let message = format!("the evaluation limit of {steps} steps was reached");
        let stopped = self.stop(pc, "limit", message, false);
        if let Some(error) = &mut self.state.error {
            error.limit = Some(RunLimit::Steps);
        }
        stopped
    }

    /// Charges `steps` steps for work that is done at once. Fails if that exceeds the limit.
    fn charge(&mut self, pc: Pc, steps: u64) -> Result<(), Stop> {
        self.state.steps.pay(steps);
        self.step(pc)
    }

    /// Called where text or a dictionary grows.
    #[inline]
    fn check_memory(&mut self, pc: Pc) -> Result<(), Stop> {
        if self.state.full || self.memory_used() > self.state.memory {
            return self.out_of_memory(pc);
        }
        Ok(())
    }

    /// Bytes that the game has made so far: its strings, and what it added to dictionaries.
    fn memory_used(&self) -> usize {
        let text = self.state.text.len() - self.program.code.text.len();
        text.saturating_add(usize::try_from(self.state.entries).unwrap_or(0))
    }

    #[cold]
    fn out_of_memory<T>(&mut self, pc: Pc) -> Result<T, Stop> {
        let message = format!(
            "the query made more than {} of text and dictionary entries",
            in_units(self.state.memory)
        );
        self.stop(pc, "limit", message, false)
    }

    #[inline]
    fn contents(&mut self) -> &Contents {
        if self.contents_of != self.here.stamp {
            self.contents = Contents::of(&self.here.board);
            self.contents_of = self.here.stamp;
        }
        &self.contents
    }
}
