//! The machine: registers, text arena, log of effects, and the loop over the positions of a game.

mod bans;
mod board;
mod cql3;
mod dash;
mod dictionary;
mod dispatch;
mod echo;
mod entries;
mod finish;
mod follow;
mod hhdb;
mod hooks;
mod imagine;
mod line;
mod memo;
mod moves;
mod mutation;
mod nodes;
mod path;
mod patterns;
mod pipe;
mod similar;
mod speculate;
mod strings;
mod tags;
mod zobrist;

use babson_chess::{PieceIds, Position};
use babson_lang::hir::{Level, Type};
use babson_lang::pattern::PatternError;
use babson_pgn::{Game, Node};
use bumpalo::Bump;
use bumpalo::collections::Vec as Bumped;

use crate::compile::Visit;
use crate::filters::Contents;
use crate::profile::{Clock, Counter};
use crate::regex::{Groups, Matcher};
use crate::{GameContext, Outcome, Program, RuntimeError, SortValue};
pub(crate) use board::content_squares;
use dictionary::Datum;
use entries::Entries;
pub use pipe::kill_pipes;

/// A string as a register holds it.
pub(crate) fn pack_text(offset: usize, len: usize) -> u64 {
    (offset as u64) << 32 | len as u64
}

/// The string that a register holds, given the text arena.
fn unpack_text(arena: &[u8], packed: u64) -> &[u8] {
    let (offset, len) = ((packed >> 32) as usize, packed as u32 as usize);
    arena.get(offset..offset + len).unwrap_or_default()
}

/// Evaluation ends here: the error is in [`State::error`].
struct Stop;

/// A comment in the log.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    text: u64,
}

/// What outlives an instruction: all of a game's lists, in memory that the next game takes over.
struct State<'m> {
    registers: Bumped<'m, u64>,
    /// Which variables are bound, parallel to the first registers.
    bound: Bumped<'m, bool>,
    /// All strings of the game; begins with the program's constants.
    text: Bumped<'m, u8>,
    /// Where each nested piece of the text under construction begins.
    scratch_starts: Bumped<'m, usize>,
    /// The comments so far.
    log: Bumped<'m, Entry>,
    /// Log indices of the positions that the running `find`s have counted.
    hits: Bumped<'m, usize>,
    /// For each key: the best value and the comments made with it.
    sorts: Bumped<'m, Option<u64>>,
    sort_comments: Bumped<'m, Bumped<'m, Entry>>,
    /// For each `nestban`: the marked nodes.
    bans: Bumped<'m, Bumped<'m, bool>>,
    /// For each `consecutivemoves`: the best runs, all of one length.
    runs: Bumped<'m, Bumped<'m, echo::CommonRun>>,
    removed: Bumped<'m, u32>,
    /// The tasks of all running `line` searches, and a list of nodes for each step of one.
    tasks: Bumped<'m, line::Task>,
    near: Bumped<'m, u32>,
    /// The tasks of all running sequences of CQL 3, and the positions that its lists have marked.
    step_tasks: Bumped<'m, cql3::Step>,
    marks: Bumped<'m, u32>,
    /// The `path`s around what is being evaluated, the innermost last; and the last that succeeded.
    paths: Bumped<'m, path::Frame>,
    last_path: Option<path::Frame>,
    /// The tasks of all running `path` searches, their loops' turns, and the values of atomic
    /// variables that they put back.
    path_tasks: Bumped<'m, path::Task>,
    turns: Bumped<'m, path::Turn>,
    saved: Bumped<'m, path::Saved>,
    /// The positions around the one that filters look at.
    outer: Bumped<'m, imagine::Spot>,
    /// The text that the latest regular expression was matched with; its groups are kept apart.
    group_text: u64,
    /// The least number of the games that the latest `similarposition` found.
    submission: Option<u32>,
    /// Whether the text of the game speaks of a cook, once this was asked.
    cooked: Option<bool>,
    steps: u64,
    /// Whether the game's memory was used up.
    full: bool,
    error: Option<RuntimeError>,
    kept: &'m mut Kept,
}

/// What outlives a game: values that persist, and buffers of fixed use.
#[derive(Debug, Default)]
struct Kept {
    /// Text under construction.
    scratch: Vec<u8>,
    /// Of each `line`, then of each `path`.
    memos: Vec<memo::Memo>,
    step_memos: Vec<memo::Memo>,
    runs: echo::Buffers,
    matchers: Vec<Matcher>,
    /// Regular expressions that were made while the query ran.
    made: std::collections::HashMap<Vec<u8>, Result<Matcher, PatternError>>,
    groups: Groups,
    dictionaries: Vec<Entries>,
    persistents: Vec<Option<Datum>>,
    piece_ids: Vec<PieceIds>,
    keys: zobrist::Keys,
    imagined: imagine::Imagined,
    /// The counters of a profiled program.
    clock: Clock,
    /// The processes of `commandpipe`, by the index of the command.
    pipes: Vec<pipe::Slot>,
    /// Files that this run has written to already.
    written: std::collections::HashSet<Vec<u8>>,
}

/// A game's memory above this is given back rather than kept for the next game, in bytes.
const KEPT_MEMORY: usize = 4 << 20;

/// Adds to a list; whether there was memory for it.
#[inline]
fn push<T>(list: &mut Bumped<'_, T>, item: T) -> bool {
    if list.len() == list.capacity() && list.try_reserve(1).is_err() {
        return false;
    }
    list.push(item);
    true
}

/// Adds many to a list; whether there was memory for them.
#[inline]
fn extend<T: Copy>(list: &mut Bumped<'_, T>, items: &[T]) -> bool {
    let fits = list.try_reserve(items.len()).is_ok();
    if fits {
        list.extend_from_slice_copy(items);
    }
    fits
}

/// Evaluates a program on one game after the other: one for each thread.
#[derive(Debug)]
pub struct Machine {
    /// The lists and strings of one game, all given back at once when the next one starts.
    bump: Bump,
    kept: Kept,
    outcome: Outcome,
    summary: Vec<(String, Type, usize)>,
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
struct Here<'g> {
    /// What filters of the tree see, and where comments go.
    node: u32,
    /// The real position: the node, or the id of a saved one.
    id: u32,
    /// Which imagined board this is, from 1; 0 for the real position itself.
    view: u32,
    /// Differs from that of any other board of the game.
    stamp: u64,
    board: Board<'g>,
}

/// One game under evaluation.
struct Run<'m, 'g> {
    program: &'m Program,
    context: &'m GameContext<'m>,
    state: State<'m>,
    outcome: &'m mut Outcome,
    game: Game<'g>,
    nodes: &'g [Node],
    positions: &'g [Position],
    here: Here<'g>,
    contents: Contents,
    /// The stamp of the board whose contents these are.
    contents_of: u64,
    /// The child that a `line` follows while it evaluates a filter; `u32::MAX` for none.
    tie: u32,
    level: Level,
    /// Before the first game or after the last one.
    outside: bool,
}

impl Machine {
    /// A machine for this program (and no other).
    pub fn new(program: &Program) -> Machine {
        let code = &program.code;
        let mut kept = Kept {
            dictionaries: vec![Default::default(); code.dictionaries.len()],
            // A copy has working memory of its own.
            matchers: code.regexes.clone(),
            ..Kept::default()
        };
        kept.pipes.resize_with(code.pipes.len(), Default::default);
        kept.clock.counters = vec![Counter::default(); code.profiled.len()];
        kept.memos
            .resize_with(code.lines.len() + code.paths.len(), Default::default);
        kept.step_memos
            .resize_with(code.steps.len(), Default::default);
        let mut summary = Vec::new();
        for (index, var) in code.vars.iter().enumerate() {
            let initial = match var.ty {
                Type::Set => Datum::Set(0),
                Type::String => Datum::Text(Default::default()),
                _ => Datum::Number(0),
            };
            kept.persistents.push(var.persistent.map(|_| initial));
            if var.persistent == Some(false) {
                summary.push((var.name.clone(), var.ty, index));
            }
        }
        Machine {
            bump: Bump::new(),
            kept,
            outcome: Outcome::default(),
            summary,
        }
    }

    /// Evaluates the program on a game.
    ///
    /// A run-time error is part of the outcome. `program` must be the one of [`Machine::new`].
    pub fn run(
        &mut self,
        program: &Program,
        game: &Game<'_>,
        context: &GameContext<'_>,
    ) -> &Outcome {
        self.run_code(program, game, context, None)
    }

    /// [`Machine::run`], or the code of a block outside of all games.
    fn run_code(
        &mut self,
        program: &Program,
        game: &Game<'_>,
        context: &GameContext<'_>,
        block: Option<u32>,
    ) -> &Outcome {
        self.outcome.clear();
        let variations = context
            .options
            .variations
            .unwrap_or(program.header.variations);
        let len = if variations {
            game.len()
        } else {
            game.main_line_len()
        }
        .max(1) as usize;
        let nodes = &game.nodes()[..len];
        let positions = &game.positions()[..len];
        let level = match context.options.level {
            Level::Normal => program.header.level,
            level => level,
        };
        if self.bump.allocated_bytes() > KEPT_MEMORY {
            self.bump = Bump::new();
        } else {
            self.bump.reset();
        }
        let mut run = Run {
            program,
            context,
            state: State::new(&self.bump, &mut self.kept, program, context),
            outcome: &mut self.outcome,
            game: *game,
            nodes,
            positions,
            here: Here {
                node: 0,
                id: 0,
                view: 0,
                stamp: 0,
                board: Board::Own(&positions[0]),
            },
            contents: Contents::of(&positions[0]),
            contents_of: 0,
            tie: u32::MAX,
            level,
            outside: block.is_some(),
        };
        match block {
            Some(entry) => run.block(entry as usize),
            None => run.evaluate(),
        }
        run.state.kept.clock.stop();
        run.state.save_persistents();
        drop(run);
        &self.outcome
    }

    /// What every filter of [`Program::profiled`] did so far.
    pub fn profile(&self) -> &[Counter] {
        &self.kept.clock.counters
    }

    /// The dictionaries: a line `NAME: N keys` for each, below it a line `  KEY --> VALUE` for each
    /// key in order. `program` must be the one of [`Machine::new`].
    pub fn dictionaries(&self, program: &Program) -> Vec<String> {
        let mut lines = Vec::new();
        for (declared, entries) in program
            .code
            .dictionaries
            .iter()
            .zip(&self.kept.dictionaries)
        {
            let plural = if entries.len() == 1 { "key" } else { "keys" };
            lines.push(format!("{}: {} {plural}", declared.name, entries.len()));
            lines.extend(
                entries
                    .sorted()
                    .into_iter()
                    .map(|(key, value)| format!("  {key} --> {value}")),
            );
        }
        lines
    }

    /// The lines of the summary for the persistent variables: `cnt: 4`, `myset: a1`,
    /// `str1: "yyyy"`, in order of first appearance.
    pub fn persistents(&self) -> Vec<String> {
        self.summary
            .iter()
            .map(|(name, _, index)| {
                let value = match self.kept.persistents.get(*index) {
                    Some(Some(datum)) => datum.to_string(),
                    _ => "<unbound>".to_owned(),
                };
                format!("{name}: {value}")
            })
            .collect()
    }
}

impl<'m> State<'m> {
    fn new(
        bump: &'m Bump,
        kept: &'m mut Kept,
        program: &Program,
        context: &GameContext<'_>,
    ) -> State<'m> {
        let code = &program.code;
        // What a query cannot make larger comes first, without a limit.
        bump.set_allocation_limit(None);
        let lists = |count| Bumped::from_iter_in((0..count).map(|_| Bumped::new_in(bump)), bump);
        let mut state = State {
            registers: Bumped::from_iter_in(std::iter::repeat_n(0, code.registers.max(1)), bump),
            bound: Bumped::from_iter_in(std::iter::repeat_n(false, code.vars.len()), bump),
            text: Bumped::new_in(bump),
            scratch_starts: Bumped::new_in(bump),
            log: Bumped::new_in(bump),
            hits: Bumped::new_in(bump),
            sorts: Bumped::from_iter_in(std::iter::repeat_n(None, program.sorts.len()), bump),
            sort_comments: lists(program.sorts.len()),
            bans: Bumped::from_iter_in((0..code.nest_bans).map(|_| Bumped::new_in(bump)), bump),
            runs: Bumped::from_iter_in((0..code.run_keys).map(|_| Bumped::new_in(bump)), bump),
            removed: Bumped::new_in(bump),
            tasks: Bumped::new_in(bump),
            near: Bumped::new_in(bump),
            step_tasks: Bumped::new_in(bump),
            marks: Bumped::new_in(bump),
            paths: Bumped::new_in(bump),
            last_path: None,
            path_tasks: Bumped::new_in(bump),
            turns: Bumped::new_in(bump),
            saved: Bumped::new_in(bump),
            outer: Bumped::new_in(bump),
            group_text: 0,
            submission: None,
            cooked: None,
            steps: context.options.steps,
            full: false,
            error: None,
            kept,
        };
        state.text.extend_from_slice_copy(&code.text);
        // A list that grows leaves its old places behind: twice its length in all, and as much
        // again for the lists that are not text.
        let used = bump.allocated_bytes();
        let limit = context.options.memory.saturating_mul(4);
        bump.set_allocation_limit(Some(used.saturating_add(limit).saturating_add(KEPT_MEMORY)));
        state.kept.scratch.clear();
        state.kept.piece_ids.clear();
        state.kept.keys.clear();
        state.kept.imagined.clear();
        state.kept.groups.clear();
        state.kept.runs.clear();
        for (dictionary, entries) in code.dictionaries.iter().zip(&mut state.kept.dictionaries) {
            if dictionary.local {
                entries.clear();
            }
        }
        for index in 0..state.kept.persistents.len() {
            if let Some(datum) = state.kept.persistents[index].take() {
                state.registers[index] = state.word(&datum);
                state.bound[index] = true;
                state.kept.persistents[index] = Some(datum);
            }
        }
        state
    }

    /// Persistent values outlive the arena.
    fn save_persistents(&mut self) {
        for index in 0..self.kept.persistents.len() {
            let Some(old) = self.kept.persistents[index].take() else {
                continue;
            };
            let word = self.registers[index];
            self.kept.persistents[index] = Some(if self.bound[index] {
                match old {
                    Datum::Text(_) => Datum::Text(smallvec::SmallVec::from_slice(self.bytes(word))),
                    Datum::Set(_) => Datum::Set(word),
                    _ => Datum::Number(word as u32 as i32),
                }
            } else {
                old
            });
        }
    }

    fn bytes(&self, packed: u64) -> &[u8] {
        unpack_text(&self.text, packed)
    }

    fn intern(&mut self, bytes: &[u8]) -> u64 {
        let offset = self.text.len();
        if !extend(&mut self.text, bytes) {
            return self.overflow();
        }
        pack_text(offset, bytes.len())
    }

    /// Memory is used up: the next step, or the end of the position, reports it. An empty string.
    #[cold]
    fn overflow(&mut self) -> u64 {
        self.full = true;
        self.steps = 0;
        0
    }

    #[inline]
    fn log(&mut self, node: u32, text: u64) {
        if !push(&mut self.log, Entry { node, text }) {
            self.overflow();
        }
    }
}

impl<'g> Run<'_, 'g> {
    fn evaluate(&mut self) {
        let (min, max) = self
            .context
            .options
            .match_count
            .or(self.program.header.match_count)
            .unwrap_or((1, i32::MAX));
        let program = self.program;
        // The lists of a CQL 3 query mark the positions; a game may match without any.
        let marks = !program.code.game_lists.is_empty();
        let mut found = false;
        let last = match program.code.visit {
            Visit::First => 1,
            _ => self.nodes.len(),
        };
        if self.game_fits() {
            let mut next = 0;
            while let Some(index) = self.candidate(next, last) {
                next = index + 1;
                self.here = self.at(index as u32);
                let mark = self.state.log.len();
                let matched = match self.execute(0) {
                    Ok(_) if self.state.full => self.out_of_memory(0),
                    matched => matched,
                };
                match matched {
                    Ok(true) if marks => {
                        found = true;
                        self.match_marks();
                    }
                    Ok(true) => {
                        self.outcome.positions.push(index as u32);
                        self.match_comment();
                    }
                    Ok(false) if !self.context.options.always_comment => {
                        self.state.log.truncate(mark);
                    }
                    Ok(false) => {}
                    Err(Stop) => {
                        self.outcome.positions.clear();
                        self.outcome.tags.clear();
                        self.outcome.removed_tags.clear();
                        self.outcome.error = self.state.error.take();
                        return;
                    }
                }
            }
        }
        let count = i32::try_from(self.outcome.positions.len()).unwrap_or(i32::MAX);
        self.outcome.matched = if marks && self.context.options.match_count.is_none() {
            found
        } else {
            (min..=max).contains(&count)
        };
        if self.outcome.matched {
            self.finish(count);
        } else {
            self.outcome.tags.clear();
            self.outcome.removed_tags.clear();
        }
    }

    /// The next position at which the query may match.
    #[inline]
    fn candidate(&self, from: usize, end: usize) -> Option<usize> {
        let guard = self.program.code.guard.as_ref();
        let index = match (self.program.code.visit, guard) {
            (Visit::Terminal, _) => (from..end).find(|&index| {
                !self.has_children(index as u32)
                    && guard.is_none_or(|guard| guard.holds(&self.positions[index]))
            })?,
            (_, Some(guard)) => guard.next(&self.positions[..end], from),
            (_, None) => from,
        };
        (index < end).then_some(index)
    }

    fn game_fits(&self) -> bool {
        match self.program.header.result {
            Some(wanted) => self.has_result(wanted),
            None => true,
        }
    }

    fn match_comment(&mut self) {
        if self.level != Level::Normal {
            return;
        }
        let text = match (
            &self.context.options.match_string,
            &self.program.header.match_string,
        ) {
            (Some(text), _) | (None, Some(text)) => text.as_bytes(),
            (None, None) => b"CQL",
        };
        if !text.is_empty() {
            let text = self.state.intern(text);
            self.state.log(self.here.node, text);
        }
    }

    fn sort_value(&self, key: usize) -> Option<SortValue> {
        let word = self.state.sorts[key]?;
        Some(match self.program.sorts[key].ty {
            Type::String => SortValue::Text(self.state.bytes(word).to_vec()),
            _ => SortValue::Number(word as u32 as i32),
        })
    }

    /// Ends the evaluation of the game (or of the run) with an error.
    #[cold]
    fn stop<T>(
        &mut self,
        pc: usize,
        filter: &'static str,
        message: String,
        fatal: bool,
    ) -> Result<T, Stop> {
        let span = self.program.code.spans.get(pc).copied().unwrap_or_default();
        let position = self.here.node;
        self.state.error = Some(RuntimeError {
            filter,
            span,
            position,
            message,
            fatal,
        });
        Err(Stop)
    }

    #[inline]
    fn step(&mut self, pc: usize) -> Result<(), Stop> {
        if self.state.steps == 0 {
            if self.state.full {
                return self.out_of_memory(pc);
            }
            return self.stop(
                pc,
                "limit",
                "the evaluation limit was reached".to_owned(),
                false,
            );
        }
        self.state.steps -= 1;
        Ok(())
    }

    /// Counts what takes as long as many steps.
    fn charge(&mut self, pc: usize, steps: u64) -> Result<(), Stop> {
        self.state.steps = self.state.steps.saturating_sub(steps);
        self.step(pc)
    }

    /// Called where text grows.
    #[inline]
    fn check_memory(&mut self, pc: usize) -> Result<(), Stop> {
        let text = self.state.text.len() - self.program.code.text.len();
        if self.state.full || text > self.context.options.memory {
            return self.out_of_memory(pc);
        }
        Ok(())
    }

    #[cold]
    fn out_of_memory<T>(&mut self, pc: usize) -> Result<T, Stop> {
        let message = "the query made too much text".to_owned();
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
