//! What instructions refer to by number: the parts of filters that are known when a query is
//! compiled.

use babson_chess::Piece;
use babson_lang::hir::{
    CastlingKind, Color, Content, MoveResult, MoveSource, SquarePairKind, Type,
};

use super::define::{spec_enums, spec_structs, visit_operand};
use super::{EntryPoint, Id, OptionalRegister, Pc, Place, Register, TextConstant};
use crate::code::{Operand, Operands};
use crate::images::Images;
use crate::prefilter::Prefilter;

spec_structs! {
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

    /// The changes of an `imagine` that are known before the board is entered.
    #[derive(Clone, Debug)]
    pub(crate) struct ImagineSpec {
        pub(crate) changes: Vec<Alteration>,
        /// Whether there are no other changes and the filter fails on a board that is not in check.
        pub(crate) check: bool,
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
        pub(crate) key: u32 as below(|code| code.run_keys),
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

    /// A `find` whose filter depends on the node only, so that what it finds from a node on is
    /// found once a game.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct FindSpec {
        /// Where the code of its filter begins.
        pub(crate) entry: Id<EntryPoint>,
        pub(crate) prefilter: Option<Id<Prefilter>>,
        pub(crate) backward: bool,
        pub(crate) quiet: bool,
        /// The range of the count, or none if the first position is the value.
        pub(crate) range: Option<(i32, i32)>,
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
        pub(crate) nest_ban: Option<u32> as below(|code| code.nest_bans),
        /// Whether the filters have no effects, so that a state is tried only once at each node.
        pub(crate) memo: bool,
        /// Whether the filters depend on the node only, so that the best way on from a state at a
        /// node is found once a game.
        pub(crate) lasting: bool,
    } where LineSpec::has_its_states;

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
        pub(crate) tags: Vec<(Register, Content)> as vars,
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
        pub(crate) first: Register as state(*sets),
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
        pub(crate) nest_ban: Option<u32> as below(|code| code.nest_bans),
        pub(crate) primary: bool,
        pub(crate) keep_all_best: bool,
        pub(crate) first_match: bool,
        pub(crate) last_position: bool,
        pub(crate) verbose: bool,
        pub(crate) piece_path: bool,
        pub(crate) quiet: bool,
        /// Whether the constituents have no effects and do not ask for the best end so far, so that
        /// a state is tried only once at each node.
        pub(crate) memo: bool,
        /// Whether the constituents depend on the node only, so that the best way on from a state
        /// at a node is found once a game.
        pub(crate) lasting: bool,
        /// Whether the constituents may change variables.
        pub(crate) changes_state: bool,
    } where PathSpec::has_its_states;

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
}

spec_enums! {
    /// A part of a text that needs no code of its own.
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum TextSegment {
        /// A string.
        Constant(text: TextConstant),
        /// The value of a variable, or a string if it is unbound.
        Variable { var: Register as var, ty: Type, unbound: TextConstant },
    }

    /// A change of a board.
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum Alteration {
        Place(place: Place, piece: Option<Piece>),
        Swap(places: [Place; 2]),
        /// The new side to move; `None` for the other side.
        Turn(side: Option<Color>),
    }

    /// An operand of a dash. Simple ones need no instruction: the machine looks at the square of
    /// the move only.
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum DashOperand {
        Any,
        Squares(squares: u64),
        Designator { squares: u64, content: u16 },
        Register(register: Register),
    }

    /// The promotions that a dash requires.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum PromotionTest {
        /// Any move, promotion or not.
        Unasked,
        /// Bit set of kinds.
        Kinds(kinds: u8),
        /// The same in a register.
        Register(register: Register),
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
        Split(first: u32, second: u32),
        /// The beginning and the end of a turn of a loop that may match without a move. A turn that
        /// did not move ends the loop.
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

    /// The moves that a `path` counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum FocusSpec {
        All,
        SideToMove,
        /// The moves of the pieces that stand on a set of squares at the start.
        Pieces {
            set: Register,
            capture: bool,
        },
    }
}

impl LineSpec {
    /// Whether the states that it names are its own.
    fn has_its_states(&self) -> bool {
        let have =
            |states: &[u32]| states.iter().all(|&state| (state as usize) < self.states.len());
        have(&self.start) && self.states.iter().all(|state| have(&state.next))
    }
}

impl PathSpec {
    /// Whether the states and steps that it names are its own.
    fn has_its_states(&self) -> bool {
        let has = |state: u32| (state as usize) < self.states.len();
        let state = |state: &PathState| match *state {
            PathState::Step { step, next } => (step as usize) < self.steps.len() && has(next),
            PathState::Holder { entry: _, next } => has(next),
            PathState::Split(first, second) => has(first) && has(second),
            PathState::Enter { slot: _, next } => has(next),
            PathState::Back { slot: _, again, leave } => has(again) && has(leave),
            PathState::Accept => true,
        };
        has(self.start) && self.states.iter().all(state)
    }
}
