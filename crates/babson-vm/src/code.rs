//! The result of the compiler: instructions and the tables that they refer to.

use std::collections::BTreeSet;

use babson_chess::Piece;
use babson_lang::diagnostic::Span;
use babson_lang::hir::{CastlingKind, Designator, Dictionary, MoveResult, MoveSource, Var};
use babson_lang::hir::{Color, Content, Recurrence, SquarePairKind, Type};
use babson_pgn::Needs;

use crate::TraceEntry;
use crate::analysis::Pattern;
use crate::game_guard::GameGuard;
use crate::images::Images;
use crate::op::{EntryPoint, Id, Op, OptionalRegister, Pc, Place, Register, Table, TextConstant};
use crate::optimize::VisitPlan;
use crate::prefilter::Prefilter;
use crate::profile::ProfiledFilter;
use crate::regex::Matcher;
use crate::similar::SimilarPositions;

/// A filter that leaves a trace.
#[derive(Debug)]
pub(crate) struct TracedFilter {
    /// Its index in [`Code::profiled`].
    pub(crate) counter: usize,
    /// What is known of it before it is evaluated.
    pub(crate) entry: TraceEntry,
}

/// Compiled code.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The entry points of the machine; the first is the query.
    pub(crate) entries: Table<EntryPoint>,
    /// Parallel to `ops`: the filter that an instruction belongs to.
    pub(crate) spans: Vec<Span>,
    /// All string constants, one after the other: the beginning of the text arena.
    pub(crate) text: Vec<u8>,
    /// Names of tags.
    pub(crate) names: Table<String>,
    /// The commands of `commandpipe`.
    pub(crate) pipes: Table<Box<[String]>>,
    pub(crate) designators: Table<Designator>,
    pub(crate) patterns: Table<Pattern>,
    pub(crate) images: Table<ImagesSpec>,
    /// The prefilters of filters that are evaluated at many positions.
    pub(crate) prefilters: Table<Prefilter>,
    pub(crate) moves: Table<MoveSpec>,
    pub(crate) imagined: Table<ImagineSpec>,
    pub(crate) parts: Table<TextPart>,
    pub(crate) dashes: Table<DashSpec>,
    pub(crate) lines: Table<LineSpec>,
    /// The positions that `similarposition` compares with.
    pub(crate) similar: Option<SimilarPositions>,
    /// The literal regular expressions.
    pub(crate) regexes: Table<Matcher>,
    /// Parallel to `regexes`: their texts, for the disassembly.
    pub(crate) regex_texts: Vec<Box<[u8]>>,
    pub(crate) runs: Table<ConsecutiveMovesSpec>,
    /// Number of `consecutivemoves` filters, the copies under a transform as one.
    pub(crate) run_keys: usize,
    pub(crate) game_lists: Table<GameListsSpec>,
    pub(crate) steps: Table<StepsSpec>,
    pub(crate) pairs: Table<PairsSpec>,
    pub(crate) recurrences: Table<Recurrence>,
    pub(crate) paths: Table<PathSpec>,
    /// The variables that a `path` restores when its search backtracks.
    pub(crate) atomics: Vec<Register>,
    pub(crate) nest_bans: usize,
    /// The variables, which have the first registers.
    pub(crate) vars: Vec<Var>,
    pub(crate) dictionaries: Table<Dictionary>,
    pub(crate) registers: usize,
    pub(crate) visit: VisitPlan,
    /// What must hold at a position for the query to match there.
    pub(crate) prefilter: Option<Prefilter>,
    /// What must hold in a game for the query to match there.
    pub(crate) guard: GameGuard,
    pub(crate) needs: Needs,
    pub(crate) uses_files: bool,
    /// The files that `readfile` reads, where the query names them with a constant.
    pub(crate) read_files: BTreeSet<String>,
    /// The filters that are evaluated once a game or once a position.
    pub(crate) once: Table<OnceSpec>,
    /// The tests that a game must pass to match: those of its tags, and all tests if there are
    /// others.
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

/// A filter that is evaluated once per game or position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnceSpec {
    /// Where its code begins.
    pub(crate) entry: Id<EntryPoint>,
    /// The register of its value after its code has run.
    pub(crate) value: Register,
    /// The value is a string.
    pub(crate) text: bool,
}

/// The images of a filter under a transform.
#[derive(Debug)]
pub(crate) struct ImagesSpec {
    pub(crate) images: Images,
    /// Where the code of each begins.
    pub(crate) entries: Vec<Id<EntryPoint>>,
}

/// A part of a text that needs no code of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextPart {
    /// A string.
    Constant(TextConstant),
    /// The value of a variable, or a string if it is unbound.
    Variable { var: Register, ty: Type, unbound: TextConstant },
}

/// The changes of an `imagine` that are known before the board is entered.
#[derive(Clone, Debug)]
pub(crate) struct ImagineSpec {
    pub(crate) changes: Vec<Alteration>,
    /// Whether there are no other changes and the filter fails on a board that is not in check.
    pub(crate) check: bool,
}

/// A change of a board.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Alteration {
    Place(Place, Option<Piece>),
    Swap([Place; 2]),
    /// The new side to move; `None` for the other side.
    Turn(Option<Color>),
}

/// The operands of a `move` filter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveSpec {
    pub(crate) source: MoveSource,
    pub(crate) result: MoveResult,
    pub(crate) dst: Register,
    pub(crate) from: OptionalRegister,
    pub(crate) to: OptionalRegister,
    pub(crate) capture: OptionalRegister,
    pub(crate) en_passant_square: OptionalRegister,
    /// Bit set of kinds, 0 without a promotion.
    pub(crate) promote: u8,
    pub(crate) promoting: bool,
    pub(crate) en_passant: bool,
    pub(crate) castle: Option<CastlingKind>,
    pub(crate) drop: bool,
    pub(crate) null: bool,
    pub(crate) primary: bool,
    pub(crate) secondary: bool,
    /// Whether it sees only the move that the `line` around it follows.
    pub(crate) tied: bool,
}

/// A `consecutivemoves`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConsecutiveMovesSpec {
    /// The number under which its best runs are stored.
    pub(crate) key: u32,
    pub(crate) quiet: bool,
    /// The variables, for their names.
    pub(crate) left: Register,
    pub(crate) right: Register,
}

/// The conditions of a dash on a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DashSpec {
    /// The move must capture, on a square of `right`.
    pub(crate) capture: bool,
    pub(crate) left: DashOperand,
    pub(crate) right: DashOperand,
    pub(crate) promotes: PromotionTest,
}

/// An operand of a dash. Simple ones need no instruction: the machine looks at the square of the
/// move only.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DashOperand {
    Any,
    Squares(u64),
    Designator { squares: u64, content: u16 },
    Register(Register),
}

/// The promotions that a dash requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PromotionTest {
    /// Any move, promotion or not.
    Unasked,
    /// Bit set of kinds.
    Kinds(u8),
    /// The same in a register.
    Register(Register),
}

/// A `line` as an automaton.
#[derive(Clone, Debug)]
pub(crate) struct LineSpec {
    /// The states that may match the first position, best first.
    pub(crate) start: Vec<u32>,
    pub(crate) states: Vec<LineState>,
    pub(crate) quiet: bool,
    pub(crate) backward: bool,
    pub(crate) single_color: bool,
    pub(crate) primary: bool,
    pub(crate) secondary: bool,
    pub(crate) first_match: bool,
    pub(crate) last_position: bool,
    pub(crate) nest_ban: Option<u32>,
    /// Whether the filters have no effects, so that a state is tried only once at each node.
    pub(crate) memo: bool,
}

/// A filter at one place of the sequence of a `line`.
#[derive(Clone, Debug)]
pub(crate) struct LineState {
    /// Where the filter's code begins.
    pub(crate) entry: Id<EntryPoint>,
    /// Whether the filter is evaluated for each child in turn.
    pub(crate) tied: bool,
    /// The states that may match the next position, best first.
    pub(crate) next: Vec<u32>,
    /// Whether the line may end here.
    pub(crate) accepts: bool,
}

/// The position lists of a CQL 3 query.
#[derive(Clone, Debug)]
pub(crate) struct GameListsSpec {
    /// The variable of each tag, and the content that its piece must have at some node.
    pub(crate) tags: Vec<(Register, Content)>,
    pub(crate) tags_in_variations: bool,
    pub(crate) lists: Vec<GameListSpec>,
}

/// A position list.
#[derive(Clone, Debug)]
pub(crate) struct GameListSpec {
    pub(crate) main_line: bool,
    pub(crate) variations_only: bool,
    pub(crate) mark_first: bool,
    pub(crate) mark_all: bool,
    pub(crate) count: Option<(i32, i32)>,
    pub(crate) body: CountedBody,
    pub(crate) counted: Option<(Vec<CountedBody>, (i32, i32))>,
    /// The test of the images of `counted`, if there is one.
    pub(crate) images: Option<Id<ImagesSpec>>,
}

/// A filter that is tried at each position of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedBody {
    /// Where its code begins.
    pub(crate) entry: Id<EntryPoint>,
    /// Whether it is evaluated for each child in turn.
    pub(crate) tied: bool,
    /// Its prefilter, if it has one.
    pub(crate) prefilter: Option<Id<Prefilter>>,
}

/// Filters that match one position after the other.
#[derive(Clone, Debug)]
pub(crate) struct StepsSpec {
    pub(crate) gapped: bool,
    pub(crate) main_line: bool,
    /// Where the code of each filter begins.
    pub(crate) entries: Vec<Id<EntryPoint>>,
    /// Whether a filter is tried only once at each node.
    pub(crate) memo: bool,
}

/// Pairs of squares that are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairsSpec {
    pub(crate) kind: SquarePairKind,
    /// The first of the registers with the sets.
    pub(crate) first: Register,
    pub(crate) sets: u16,
    pub(crate) range: (i32, i32),
}

/// A `path` as an automaton.
#[derive(Clone, Debug)]
pub(crate) struct PathSpec {
    pub(crate) start: u32,
    pub(crate) states: Vec<PathState>,
    pub(crate) steps: Vec<StepSpec>,
    /// Register of the parts of the move whose targets are evaluated (see `machine::dash`).
    pub(crate) parts: Register,
    pub(crate) focus: FocusSpec,
    /// Where the code of `max` begins, and its register.
    pub(crate) max: Option<(Id<EntryPoint>, Register)>,
    /// A string constant.
    pub(crate) title: Option<TextConstant>,
    pub(crate) nest_ban: Option<u32>,
    pub(crate) primary: bool,
    pub(crate) keep_all_best: bool,
    pub(crate) first_match: bool,
    pub(crate) last_position: bool,
    pub(crate) verbose: bool,
    pub(crate) piece_path: bool,
    pub(crate) quiet: bool,
    /// Whether the constituents have no effects and do not ask for the best end so far, so that a
    /// state is tried only once at each node.
    pub(crate) memo: bool,
    /// Whether the constituents may change variables.
    pub(crate) changes_state: bool,
}

/// A state of a `path`; edges in order of preference.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PathState {
    /// A move.
    Step {
        step: u32,
        next: u32,
    },
    /// A filter: where its code begins.
    Holder {
        entry: Id<EntryPoint>,
        next: u32,
    },
    Split(u32, u32),
    /// The beginning and the end of a turn of a loop that may match without a move. A turn that did
    /// not move ends the loop.
    Enter {
        slot: u32,
        next: u32,
    },
    Back {
        slot: u32,
        again: u32,
        leave: u32,
    },
    Accept,
}

/// A move of a `path`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepSpec {
    /// Number of the dash.
    pub(crate) dash: Id<DashSpec>,
    /// Where the code of its operands begins, if they need any.
    pub(crate) operands: Option<Id<EntryPoint>>,
    /// Where the code of the targets begins.
    pub(crate) targets: Option<Id<EntryPoint>>,
}

/// The moves that a `path` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FocusSpec {
    All,
    SideToMove,
    /// Those of the pieces on a set of squares.
    Pieces {
        set: Register,
        capture: bool,
    },
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
    InOrder(String),
}
