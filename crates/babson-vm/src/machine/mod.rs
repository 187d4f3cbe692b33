//! The machine: registers, text arena, log of effects, and the loop over the positions of a game.

mod board;
mod dictionary;
mod dispatch;
mod finish;
mod line;
mod moves;
mod nodes;
mod strings;
mod tags;

use babson_chess::{PieceIds, Position};
use babson_lang::hir::{Level, Type};
use babson_pgn::{Game, Node};

use crate::compile::Visit;
use crate::filters::Contents;
use crate::{GameContext, Outcome, Program, RuntimeError, SortValue};
use dictionary::Datum;

/// A string as a register holds it.
pub(crate) fn pack_text(offset: usize, len: usize) -> u64 {
    (offset as u64) << 32 | len as u64
}

/// Evaluation ends here: the error is in [`State::error`].
struct Stop;

/// A comment in the log.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    text: u64,
}

/// What outlives an instruction.
#[derive(Debug, Default)]
struct State {
    registers: Vec<u64>,
    /// Which variables are bound, parallel to the first registers.
    bound: Vec<bool>,
    /// All strings of the game; begins with the program's constants.
    text: Vec<u8>,
    /// Text under construction, and where each nested piece of it begins.
    scratch: Vec<u8>,
    scratch_starts: Vec<usize>,
    /// The comments so far.
    log: Vec<Entry>,
    /// Log indices of the positions that the running `find`s have counted.
    hits: Vec<usize>,
    /// For each key: the best value and the comments made with it.
    sorts: Vec<Option<u64>>,
    sort_comments: Vec<Vec<Entry>>,
    /// For each `nestban`: the marked nodes.
    bans: Vec<Vec<bool>>,
    memos: Vec<line::Memo>,
    dictionaries: Vec<std::collections::BTreeMap<Datum, Datum>>,
    persistents: Vec<Option<Datum>>,
    piece_ids: Vec<PieceIds>,
    removed: Vec<u32>,
    steps: u64,
    error: Option<RuntimeError>,
    /// Files that this run has written to already.
    written: std::collections::HashSet<Vec<u8>>,
}

/// Evaluates a program on one game after the other: one for each thread.
#[derive(Debug)]
pub struct Machine {
    state: State,
    outcome: Outcome,
    summary: Vec<(String, Type, usize)>,
}

/// The position that filters look at: a node of the tree and a board over it.
#[derive(Clone, Copy)]
struct Here<'g> {
    node: u32,
    board: &'g Position,
}

/// One game under evaluation.
struct Run<'m, 'g> {
    program: &'m Program,
    context: &'m GameContext<'m>,
    state: &'m mut State,
    outcome: &'m mut Outcome,
    game: Game<'g>,
    nodes: &'g [Node],
    positions: &'g [Position],
    here: Here<'g>,
    outer: Vec<Here<'g>>,
    contents: Contents,
    /// The board whose contents these are.
    contents_of: *const Position,
    /// The child that a `line` follows while it evaluates a filter; `u32::MAX` for none.
    tie: u32,
    level: Level,
}

impl Machine {
    /// A machine for this program (and no other).
    pub fn new(program: &Program) -> Machine {
        let code = &program.code;
        let mut state = State {
            registers: vec![0; code.registers.max(1)],
            bound: vec![false; code.vars.len()],
            text: code.text.clone(),
            bans: vec![Vec::new(); code.nest_bans],
            sorts: vec![None; program.sorts.len()],
            sort_comments: vec![Vec::new(); program.sorts.len()],
            dictionaries: vec![Default::default(); code.dictionaries.len()],
            ..State::default()
        };
        state.memos.resize_with(code.lines.len(), Default::default);
        let mut summary = Vec::new();
        for (index, var) in code.vars.iter().enumerate() {
            let initial = match var.ty {
                Type::Set => Datum::Set(0),
                Type::String => Datum::Text(Box::default()),
                _ => Datum::Number(0),
            };
            state.persistents.push(var.persistent.map(|_| initial));
            if var.persistent == Some(false) {
                summary.push((var.name.clone(), var.ty, index));
            }
        }
        Machine {
            state,
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
        self.state.reset(program, context);
        let mut run = Run {
            program,
            context,
            state: &mut self.state,
            outcome: &mut self.outcome,
            game: *game,
            nodes,
            positions,
            here: Here {
                node: 0,
                board: &positions[0],
            },
            outer: Vec::new(),
            contents: Contents::of(&positions[0]),
            contents_of: &raw const positions[0],
            tie: u32::MAX,
            level,
        };
        run.evaluate();
        self.state.save_persistents();
        &self.outcome
    }

    /// The lines of the summary for the persistent variables: `cnt: 4`, `myset: a1`,
    /// `str1: "yyyy"`, in order of first appearance.
    pub fn persistents(&self) -> Vec<String> {
        self.summary
            .iter()
            .map(|(name, _, index)| {
                let value = match self.state.persistents.get(*index) {
                    Some(Some(datum)) => datum.to_string(),
                    _ => "<unbound>".to_owned(),
                };
                format!("{name}: {value}")
            })
            .collect()
    }
}

impl State {
    fn reset(&mut self, program: &Program, context: &GameContext<'_>) {
        let code = &program.code;
        self.text.truncate(code.text.len());
        self.scratch.clear();
        self.scratch_starts.clear();
        self.log.clear();
        self.hits.clear();
        self.sorts.fill(None);
        self.sort_comments.iter_mut().for_each(Vec::clear);
        self.bans.iter_mut().for_each(Vec::clear);
        self.piece_ids.clear();
        self.removed.clear();
        self.steps = context.options.steps;
        self.error = None;
        self.bound.fill(false);
        for (dictionary, entries) in code.dictionaries.iter().zip(&mut self.dictionaries) {
            if dictionary.local {
                entries.clear();
            }
        }
        for index in 0..self.persistents.len() {
            if let Some(datum) = self.persistents[index].take() {
                self.registers[index] = self.word(&datum);
                self.bound[index] = true;
                self.persistents[index] = Some(datum);
            }
        }
    }

    /// Persistent values outlive the arena.
    fn save_persistents(&mut self) {
        for index in 0..self.persistents.len() {
            let Some(old) = self.persistents[index].take() else {
                continue;
            };
            let word = self.registers[index];
            self.persistents[index] = Some(if self.bound[index] {
                match old {
                    Datum::Text(_) => Datum::Text(self.bytes(word).into()),
                    Datum::Set(_) => Datum::Set(word),
                    _ => Datum::Number(word as u32 as i32),
                }
            } else {
                old
            });
        }
    }

    fn bytes(&self, packed: u64) -> &[u8] {
        let (offset, len) = ((packed >> 32) as usize, packed as u32 as usize);
        self.text.get(offset..offset + len).unwrap_or_default()
    }

    fn intern(&mut self, bytes: &[u8]) -> u64 {
        let offset = self.text.len();
        self.text.extend_from_slice(bytes);
        pack_text(offset, bytes.len())
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
        if self.game_fits() {
            for index in 0..self.nodes.len() {
                if !self.visits(index) {
                    continue;
                }
                self.here = Here {
                    node: index as u32,
                    board: &self.positions[index],
                };
                let mark = self.state.log.len();
                match self.execute(0) {
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
                        self.outcome.error = self.state.error.take();
                        return;
                    }
                }
                if self.program.code.visit == Visit::First {
                    break;
                }
            }
        }
        let count = i32::try_from(self.outcome.positions.len()).unwrap_or(i32::MAX);
        self.outcome.matched = (min..=max).contains(&count);
        if self.outcome.matched {
            self.finish(count);
        } else {
            self.outcome.tags.clear();
        }
    }

    #[inline]
    fn visits(&self, index: usize) -> bool {
        match self.program.code.visit {
            Visit::All | Visit::First => true,
            Visit::Terminal => !self.has_children(index as u32),
            Visit::Check => self.positions[index].in_check(),
        }
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
            self.state.log.push(Entry {
                node: self.here.node,
                text,
            });
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

    /// Called where text grows.
    #[inline]
    fn check_memory(&mut self, pc: usize) -> Result<(), Stop> {
        if self.state.text.len() > self.context.options.memory + self.program.code.text.len() {
            return self.stop(
                pc,
                "limit",
                "the query made too much text".to_owned(),
                false,
            );
        }
        Ok(())
    }

    #[inline]
    fn contents(&mut self) -> &Contents {
        let board: *const Position = self.here.board;
        if self.contents_of != board {
            self.contents = Contents::of(self.here.board);
            self.contents_of = board;
        }
        &self.contents
    }
}
