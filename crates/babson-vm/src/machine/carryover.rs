//! What a machine carries over from one game to the next.

use std::collections::{HashMap, HashSet};

use babson_chess::{Square, retro};
use babson_lang::hir::{Type, VarId};
use babson_lang::pattern::PatternError;

use super::continuation::Continuation;
use super::dictionary::{Datum, Entries};
use super::node_tables::NodeTables;
use super::{find, memo, once, pipe};
use crate::op::Register;
use crate::profile::{Clock, Counter};
use crate::program::ProgramData;
use crate::regex::{Groups, Matcher};
use crate::trace::TraceLog;

/// What outlives a game: what later games may see, what is true of every game, and the few working
/// buffers that should not be in the arena. Everything else belongs to the [`State`](super::State)
/// of one game.
#[derive(Debug)]
pub(super) struct Carryover {
    pub(super) persistents: Vec<Persistent>,
    /// The local ones are cleared at the beginning of each game; their hash tables are used again.
    pub(super) dictionaries: Vec<Entries>,
    pub(super) entry_bytes: EntryBytes,
    /// The processes of `commandpipe`, by the index of the command.
    pub(super) pipes: Vec<pipe::PipeSlot>,
    /// Files to which this run has already written.
    pub(super) written: HashSet<Vec<u8>>,
    /// Whether an earlier game has removed the comment before its first move, if this removes the
    /// comments of later games: see
    /// [`Dialect::removals_end_with_the_game`](babson_lang::Dialect::removals_end_with_the_game).
    pub(super) removes_first_comments: bool,
    /// The counters of a profiled program.
    pub(super) clock: Clock,
    /// The values of a traced program.
    pub(super) trace: TraceLog,
    /// The literal regular expressions, with the machine's own working memory.
    pub(super) matchers: Vec<Matcher>,
    /// Regular expressions that the query made while it ran.
    pub(super) made_matchers: HashMap<Vec<u8>, Result<Matcher, PatternError>>,
    pub(super) square_hints: SquareHints,
    /// One for each `line`, then one for each `path`. A memo distinguishes its searches by a stamp:
    /// in the arena it would have to be filled with zeros in each game.
    pub(super) memos: Vec<memo::Memo>,
    pub(super) step_memos: Vec<memo::Memo>,
    /// The continuations of the `line`s and `path`s whose outcomes last, with the numbers of the
    /// memos.
    pub(super) continuations: NodeTables<Continuation>,
    /// The outcomes of the filters that are evaluated once at each position.
    pub(super) outcomes: NodeTables<once::OnceResult>,
    /// What each `find` whose outcomes last has found from the nodes on.
    pub(super) found: NodeTables<find::FoundFrom>,
    /// Text under construction, otherwise empty. The functions that print values append to a
    /// `Vec`.
    pub(super) scratch: Vec<u8>,
    /// The groups of the game's latest match. A loop over matches copies them at each: in the arena
    /// every copy would be garbage until the next game.
    pub(super) groups: Groups,
    /// What `reachableposition` remembers. Consecutive games share openings.
    pub(super) analyzer: retro::Analyzer,
}

/// A persistent variable between two games.
#[derive(Clone, Debug)]
pub(super) struct Persistent {
    pub(super) var: Register,
    pub(super) ty: Type,
    /// None while it is unbound.
    pub(super) value: Option<Datum>,
}

/// Bytes of the entries of the dictionaries that outlive a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EntryBytes {
    pub(super) now: usize,
    /// Their number when the last part was taken.
    pub(super) before: usize,
    /// The largest number since then.
    pub(super) peak: usize,
}

impl Carryover {
    /// What a machine starts with.
    pub(super) fn new(program: &ProgramData) -> Carryover {
        let code = &program.code;
        let entries = code.dictionaries.iter();
        let persistents = code.vars.iter().zip(0..).filter(|(var, _)| var.persistent.is_some());
        let mut clock = Clock::default();
        clock.counters = vec![Counter::default(); code.profiled.len()];
        Carryover {
            persistents: persistents
                .map(|(var, index)| Persistent {
                    var: Register::of_var(VarId(index)),
                    ty: var.ty,
                    value: Some(Datum::zero(var.ty)),
                })
                .collect(),
            dictionaries: entries.map(|entry| Entries::new(entry.key, entry.value)).collect(),
            entry_bytes: EntryBytes::default(),
            pipes: code.pipes.iter().map(|_| pipe::PipeSlot::default()).collect(),
            written: HashSet::new(),
            removes_first_comments: false,
            clock,
            trace: TraceLog::of(&code.traced, &code.profiled),
            // A copy has working memory of its own.
            matchers: code.regexes.to_vec(),
            made_matchers: HashMap::new(),
            square_hints: SquareHints::default(),
            memos: vec![memo::Memo::default(); code.lines.len() + code.paths.len()],
            step_memos: vec![memo::Memo::default(); code.steps.len()],
            continuations: NodeTables::new(code.lines.len() + code.paths.len()),
            outcomes: NodeTables::new(code.once.len()),
            found: NodeTables::new(code.finds.len()),
            scratch: Vec::new(),
            groups: Groups::new(),
            analyzer: retro::Analyzer::default(),
        }
    }

    /// Counts anew the bytes of the dictionaries that outlive a game.
    pub(super) fn count_entry_bytes(&mut self, program: &ProgramData) {
        let declared = program.code.dictionaries.iter().zip(&self.dictionaries);
        let shared = declared.filter(|(declared, _)| !declared.local);
        let now = shared.map(|(_, entries)| entries.bytes()).sum();
        self.entry_bytes = EntryBytes { now, before: now, peak: now };
    }

    /// Forgets what the next game must not see.
    pub(super) fn start_game(&mut self, program: &ProgramData) {
        self.scratch.clear();
        self.groups.clear();
        self.continuations.start_game();
        self.outcomes.start_game();
        self.found.start_game();
        for (dictionary, entries) in program.code.dictionaries.iter().zip(&mut self.dictionaries) {
            if dictionary.local {
                entries.clear();
            }
        }
    }
}

/// For each identity the square on which its piece was last found. A hint is checked at each use,
/// so the next game may use the hints of this one.
#[derive(Debug)]
pub(super) struct SquareHints([Square; 256]);

impl Default for SquareHints {
    fn default() -> SquareHints {
        SquareHints([Square::A1; 256])
    }
}

impl std::ops::Deref for SquareHints {
    type Target = [Square; 256];

    fn deref(&self) -> &[Square; 256] {
        &self.0
    }
}

impl std::ops::DerefMut for SquareHints {
    fn deref_mut(&mut self) -> &mut [Square; 256] {
        &mut self.0
    }
}
