//! What a game's evaluation writes to: registers, strings, the effect log, and the stacks of the
//! filters.

use babson_chess::PieceIds;
use babson_lang::hir::Type;
use bumpalo::collections::Vec as Bumped;

use super::arena::{Arena, extend, push};
use super::carryover::{Carryover, Persistent};
use super::dictionary::KeyLoop;
use super::registers::Registers;
use super::{cql3, echo, images, imagine, line, once, path, zobrist};
use crate::allowance::Allowance;
use crate::limits::{MAX_MEMORY, MAX_RETAINED_MEMORY};
use crate::op::Id;
use crate::packed::{fits_text, pack_text, unpack_text};
use crate::program::ProgramData;
use crate::{GameContext, RuntimeError, Stopped};

/// The evaluation of the game ends. The error is in [`State::error`].
pub(super) struct Stop;

/// What an entry of the log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogKind {
    Comment,
    /// A value of this type, of the field of this name.
    Field {
        name: Id<String>,
        ty: Type,
    },
}

/// A comment or a field in the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogEntry {
    pub(super) node: u32,
    pub(super) kind: LogKind,
    /// The text, or the value of the field.
    pub(super) text: u64,
}

impl LogEntry {
    pub(super) fn comment(node: u32, text: u64) -> LogEntry {
        LogEntry { node, kind: LogKind::Comment, text }
    }
}

/// Everything that lives as long as the evaluation of a game.
pub(super) struct State<'m> {
    pub(super) arena: Arena<'m>,
    pub(super) registers: Registers<'m>,
    /// Which variables are bound, parallel to the first registers.
    pub(super) bound: &'m mut [bool],
    /// All strings of the game, after the program's constants. A rollback takes nothing back below
    /// `kept_text`.
    pub(super) text: Bumped<'m, u8>,
    pub(super) kept_text: usize,
    /// The texts of the files that the query names with a constant and has read in this game.
    pub(super) file_texts: Vec<(String, u64)>,
    /// Where each nested piece of the text under construction begins.
    pub(super) scratch_starts: Bumped<'m, usize>,
    /// The comments and fields so far.
    pub(super) log: Bumped<'m, LogEntry>,
    /// Log indices of the positions that the running `find`s have counted.
    pub(super) hits: Bumped<'m, usize>,
    /// For each key: the best value and the comments made with it.
    pub(super) sorts: &'m mut [Option<u64>],
    pub(super) sort_comments: Bumped<'m, Bumped<'m, LogEntry>>,
    /// For each `nestban`: the marked nodes.
    pub(super) bans: Bumped<'m, Bumped<'m, bool>>,
    /// For each `consecutivemoves`: the best runs, all of one length.
    pub(super) common_runs: Bumped<'m, Bumped<'m, echo::CommonRun>>,
    /// The lists of the search for common runs, once the game has searched.
    pub(super) run_lists: Option<&'m mut echo::RunLists<'m>>,
    pub(super) removed_comments: Bumped<'m, u32>,
    /// The tasks of all running `line` searches, and a list of nodes for each step of one.
    pub(super) line_tasks: Bumped<'m, line::LineTask>,
    pub(super) neighbors: Bumped<'m, u32>,
    /// The states that the running searches for [continuations](super::continuation) look at.
    pub(super) line_frames: Bumped<'m, line::LineFrame>,
    pub(super) path_frames: Bumped<'m, path::LastingFrame>,
    /// The tasks of all running sequences of CQL 3, and the positions that its lists have marked.
    pub(super) step_tasks: Bumped<'m, cql3::StepTask>,
    pub(super) marks: Bumped<'m, u32>,
    /// The `path`s that are being evaluated, the innermost last; and the last that succeeded.
    pub(super) paths: Bumped<'m, path::PathFrame>,
    pub(super) last_path: Option<path::PathFrame>,
    /// The tasks of all running `path` searches, their loops' turns, and the values of atomic
    /// variables that they put back.
    pub(super) path_tasks: Bumped<'m, path::PathTask>,
    /// The moves that the steps of all running `path` searches may take.
    pub(super) fitting_moves: Bumped<'m, path::FittingMove>,
    pub(super) loop_turns: Bumped<'m, path::LoopTurn>,
    pub(super) saved_atomics: Bumped<'m, path::AtomicValue>,
    /// All running loops over the keys of dictionaries. Not in the arena, which drops nothing: a
    /// loop shares ownership of its keys.
    pub(super) key_loops: Vec<KeyLoop>,
    /// The outcomes of the filters that are evaluated once a game.
    pub(super) once: &'m mut [Option<once::OnceResult>],
    /// The nodes that the running `find`s whose outcomes last have looked at.
    pub(super) searched: Bumped<'m, u32>,
    /// The images of each orbit with many of them; sets of images that are not in use; and the
    /// number of words of all their tables.
    pub(super) images: Bumped<'m, images::OrbitImages<'m>>,
    pub(super) image_sets: Bumped<'m, Bumped<'m, u64>>,
    pub(super) range_words: usize,
    /// The identities of the pieces at the first nodes.
    pub(super) piece_ids: Bumped<'m, PieceIds>,
    pub(super) keys: zobrist::Keys<'m>,
    pub(super) boards: imagine::ImaginedBoards<'m>,
    /// The positions around the one that filters look at.
    pub(super) outer: Bumped<'m, imagine::Spot>,
    /// The text that the latest regular expression was matched with; its groups are kept apart.
    pub(super) group_text: u64,
    /// The string that was last checked for being UTF-8, and whether it is.
    pub(super) utf8_text: Option<(u64, bool)>,
    /// The least number of the games that the last `similarposition` found.
    pub(super) submission: Option<u32>,
    /// Whether the text of the game mentions a cook, once a filter has asked.
    pub(super) cooked: Option<bool>,
    pub(super) steps: Allowance,
    /// Why the run was stopped, if it was.
    pub(super) stopped: Option<Stopped>,
    /// Bytes of text and of dictionary entries that the game may make.
    pub(super) memory: usize,
    /// Bytes that the game has added to the dictionaries, less those that it removed, and of the
    /// texts among its values.
    pub(super) entries: isize,
    /// Whether the game's memory was used up.
    pub(super) full: bool,
    pub(super) error: Option<RuntimeError>,
    pub(super) carryover: &'m mut Carryover,
}

/// Bytes of text that are copied, compared or searched in the time of one step.
const BYTES_PER_STEP: usize = 128;
/// Bytes of text that are looked at one by one in the time of one step.
const SINGLE_BYTES_PER_STEP: usize = 16;

/// The number of comments when the mark was made.
#[inline]
pub(super) fn logged_at(mark: u64) -> usize {
    mark as u32 as usize
}

impl<'m> State<'m> {
    /// The state before a game, which [`State::start_game`] makes ready.
    pub(super) fn new(
        arena: Arena<'m>,
        carryover: &'m mut Carryover,
        program: &ProgramData,
        context: &GameContext<'_>,
    ) -> State<'m> {
        let code = &program.code;
        let mut text = arena.sized_list(code.text.len());
        text.extend_from_slice_copy(&code.text);
        let memory = context.options.memory.min(MAX_MEMORY);
        State {
            arena,
            registers: Registers::new(code.registers.max(1), arena),
            bound: arena.slice(code.vars.len(), false),
            text,
            kept_text: 0,
            file_texts: Vec::new(),
            scratch_starts: arena.list(),
            log: arena.list(),
            hits: arena.list(),
            sorts: arena.slice(program.sorts.len(), None),
            sort_comments: arena.filled_list(program.sorts.len(), Arena::list),
            bans: arena.filled_list(code.nest_bans, Arena::list),
            common_runs: arena.filled_list(code.run_keys, Arena::list),
            run_lists: None,
            removed_comments: arena.list(),
            line_tasks: arena.list(),
            neighbors: arena.list(),
            line_frames: arena.list(),
            path_frames: arena.list(),
            step_tasks: arena.list(),
            marks: arena.list(),
            paths: arena.list(),
            last_path: None,
            path_tasks: arena.list(),
            fitting_moves: arena.list(),
            loop_turns: arena.list(),
            saved_atomics: arena.list(),
            key_loops: Vec::new(),
            once: arena.slice(code.once.len(), None),
            searched: arena.list(),
            images: arena.filled_list(code.images.len(), images::OrbitImages::new),
            image_sets: arena.list(),
            range_words: 0,
            piece_ids: arena.list(),
            keys: zobrist::Keys::new(arena),
            boards: imagine::ImaginedBoards::new(arena),
            outer: arena.list(),
            group_text: 0,
            utf8_text: None,
            submission: None,
            cooked: None,
            steps: Allowance::new(context.options.steps, context.options.stop.is_set()),
            stopped: None,
            memory,
            entries: 0,
            full: false,
            error: None,
            carryover,
        }
    }

    /// Limits the memory from here on, and fetches what the games before have left. It is not part
    /// of [`State::new`], which builds the state where its caller wants it, without a copy.
    pub(super) fn start_game(&mut self, program: &ProgramData) {
        // A list that grows leaves its former memory unused: twice its length in all, and as much
        // again for the lists that are not text.
        self.arena.limit(self.memory.saturating_mul(4).saturating_add(MAX_RETAINED_MEMORY));
        self.carryover.start_game(program);
        let persistents = std::mem::take(&mut self.carryover.persistents);
        for Persistent { var, value, .. } in &persistents {
            if let Some(value) = value {
                self.registers[*var] = self.word(value);
                self.bound[var.index()] = true;
            }
        }
        self.carryover.persistents = persistents;
    }

    /// Copies the persistent variables out of the arena.
    pub(super) fn save_persistents(&mut self) {
        let mut persistents = std::mem::take(&mut self.carryover.persistents);
        for Persistent { var, ty, value } in &mut persistents {
            let word = self.registers[*var];
            *value = self.bound[var.index()].then(|| self.datum(word, *ty));
        }
        self.carryover.persistents = persistents;
    }

    pub(super) fn bytes(&self, packed: u64) -> &[u8] {
        unpack_text(&self.text, packed)
    }

    /// Charges for work on `bytes` bytes of text. If that exceeds the limit, the next step reports
    /// it.
    #[inline]
    pub(super) fn pay(&mut self, bytes: usize) {
        self.pay_steps((bytes / BYTES_PER_STEP) as u64);
    }

    /// [`State::pay`] for the length of a string that a register holds.
    #[inline]
    pub(super) fn pay_text(&mut self, packed: u64) {
        self.pay(packed as u32 as usize);
    }

    /// [`State::pay`] for work on single bytes, or on single characters of UTF-8.
    pub(super) fn pay_singly(&mut self, packed: u64) {
        self.pay_steps((packed as u32 as usize / SINGLE_BYTES_PER_STEP) as u64);
    }

    /// Charges for work that is already done.
    #[inline]
    pub(super) fn pay_steps(&mut self, steps: u64) {
        self.steps.pay(steps);
    }

    pub(super) fn intern(&mut self, bytes: &[u8]) -> u64 {
        self.pay(bytes.len());
        let offset = self.text.len();
        if !fits_text(offset, bytes.len()) || !extend(&mut self.text, bytes) {
            return self.overflow();
        }
        pack_text(offset, bytes.len())
    }

    /// Notes that the memory is used up: the next step, or the end of the position, reports it.
    /// Returns an empty string.
    #[cold]
    pub(super) fn overflow(&mut self) -> u64 {
        self.full = true;
        self.steps.clear();
        0
    }

    /// A checkpoint: where the effect log and the strings end. See [`logged_at`].
    #[inline]
    pub(super) fn mark(&self) -> u64 {
        (self.text.len() as u64) << 32 | self.log.len() as u64
    }

    /// Takes back the comments since the mark; with `text` also the strings made since then, which
    /// must not be in use.
    #[inline]
    pub(super) fn roll_back(&mut self, mark: u64, text: bool) {
        self.log.truncate(logged_at(mark));
        if text {
            self.text.truncate(self.kept_text.max((mark >> 32) as usize));
            self.utf8_text = None;
        }
    }

    #[inline]
    pub(super) fn log(&mut self, node: u32, text: u64) {
        self.log_entry(LogEntry::comment(node, text));
    }

    #[inline]
    pub(super) fn log_entry(&mut self, entry: LogEntry) {
        if !push(&mut self.log, entry) {
            self.overflow();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest string that fits, and strings that would wrap.
    #[test]
    fn text_ends_where_its_places_end() {
        let end = u32::MAX as usize;
        assert!(fits_text(0, end) && fits_text(end, 0) && fits_text(end - 9, 9));
        assert!(!fits_text(end, 1) && !fits_text(1, end) && !fits_text(usize::MAX, 1));
        assert_eq!(pack_text(end, end), u64::MAX);
        assert!(fits_text(MAX_MEMORY, 2 * MAX_MEMORY));
    }
}
