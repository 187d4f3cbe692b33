//! The result of the compiler: instructions and the tables that they refer to.

mod operands;

use std::collections::BTreeSet;
use std::ops::Deref;

use babson_lang::diagnostic::Span;
use babson_lang::hir::{Type, Var};
use babson_pgn::Needs;

use crate::filters::likeness::Likeness;
use crate::game_dependence::GameDependence;
use crate::game_guard::GameGuard;
use crate::op::{EntryPoint, Id, Op, Pc, Register, Table, Tables};
use crate::optimize::VisitPlan;
use crate::prefilter::Prefilter;
use crate::profile::ProfiledFilter;
use crate::regex::Matcher;
use crate::similar::SimilarPositions;
use crate::trace::TracedFilter;
pub(crate) use operands::{Operand, Operands, TableEntry};

/// Compiled code.
#[derive(Debug)]
pub(crate) struct Code {
    /// The tables, whose entries are read as `code.moves[id]`.
    pub(crate) tables: Tables,
    pub(crate) ops: Vec<Op>,
    /// The entry points of the machine; the first is the query.
    pub(crate) entries: Table<EntryPoint>,
    /// Parallel to `ops`: the filter that an instruction belongs to.
    pub(crate) spans: Vec<Span>,
    /// All string constants, one after the other: the beginning of the text arena.
    pub(crate) text: Vec<u8>,
    /// The positions that `similarposition` compares with.
    pub(crate) similar: Option<SimilarPositions>,
    /// The position to which the matching positions are compared.
    pub(crate) like: Option<LikeSpec>,
    /// The literal regular expressions.
    pub(crate) regexes: Table<Matcher>,
    /// Parallel to `regexes`: their texts, for the disassembly.
    pub(crate) regex_texts: Vec<Box<[u8]>>,
    /// Number of `consecutivemoves` filters, the copies under a transform as one.
    pub(crate) run_keys: usize,
    /// The variables that a `path` restores when its search backtracks.
    pub(crate) atomics: Vec<Register>,
    pub(crate) nest_bans: usize,
    /// The variables, which have the first registers.
    pub(crate) vars: Vec<Var>,
    pub(crate) registers: usize,
    pub(crate) visit: VisitPlan,
    /// What must hold at a position for the query to match there.
    pub(crate) prefilter: Option<Id<Prefilter>>,
    /// What must hold in a game for the query to match there.
    pub(crate) guard: GameGuard,
    /// Whether the evaluation of a position leaves nothing but comments: no state that outlives it,
    /// no messages and no errors.
    pub(crate) is_silent: bool,
    /// Whether a filter adds comments or fields.
    pub(crate) comments: bool,
    pub(crate) needs: Needs,
    pub(crate) uses_files: bool,
    /// The files that `readfile` reads, where the query names them with a constant.
    pub(crate) read_files: BTreeSet<String>,
    /// The code of the tests that a game must pass to match. `tags_required` has the tests that
    /// need only tags. `game_required` has all tests; it is none if they need only tags.
    pub(crate) tags_required: Option<Id<EntryPoint>>,
    pub(crate) game_required: Option<Id<EntryPoint>>,
    /// What games share.
    pub(crate) shared: SharedState,
    /// Where the code of `cqlbegin` and of `cqlend` begins.
    pub(crate) begin: Option<Id<EntryPoint>>,
    pub(crate) end: Option<Id<EntryPoint>>,
    /// The register of the value of the query's last filter when the query has matched, if the
    /// program was compiled for it, and its type. The register of a `Bool` is unused: the match
    /// is the value.
    pub(crate) value: Option<(Register, Type)>,
    /// The filters with counters; empty unless the program is profiled or traced.
    pub(crate) profiled: Vec<ProfiledFilter>,
    /// The filters with counters in the order of a trace; empty unless the program is traced.
    pub(crate) traced: Vec<TracedFilter>,
    /// What the optimizer did, for `explain`.
    pub(crate) notes: Vec<String>,
}

impl Deref for Code {
    type Target = Tables;

    #[inline(always)]
    fn deref(&self) -> &Tables {
        &self.tables
    }
}

impl Code {
    /// The filter that an instruction belongs to.
    pub(crate) fn span(&self, pc: Pc) -> Span {
        self.spans.get(pc.index()).copied().unwrap_or_default()
    }

    /// Where the query begins.
    pub(crate) fn query(&self) -> Pc {
        self.entries.first().map_or(Pc::new(0), |entry| entry.pc)
    }
}

/// The position to which the matching positions of a game are compared.
#[derive(Debug)]
pub(crate) struct LikeSpec {
    pub(crate) likeness: Likeness,
    /// The number of the sort key with the similarity of the best position.
    pub(crate) key: usize,
}

/// How the values of a name after two chunks of games are joined, the earlier chunk first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharingRule {
    /// No game changes it.
    Fixed,
    /// Games add numbers.
    Sum,
    /// Games add squares.
    Union,
    /// Games intersect squares; the first one stores its own.
    Intersection,
    /// Games store the least value.
    Min,
    /// Games store the greatest value.
    Max,
    /// The last stored value counts, for each key.
    Last,
}

/// What the games of a program share.
#[derive(Clone, Debug)]
pub(crate) enum SharedState {
    Nothing,
    /// The rule of each variable, which has a meaning for persistent ones, and of each dictionary.
    Joined {
        vars: Vec<SharingRule>,
        dictionaries: Vec<SharingRule>,
    },
    /// Why the games must be run in their order.
    InOrder(GameDependence),
}
