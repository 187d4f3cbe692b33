//! The bytecode: what one instruction does.
//!
//! 'No match' is a jump: an instruction that can fail names the place where evaluation goes on.
//! Registers are words without tags; their types are known when the query is compiled:
//! numbers are `i32 as u32`, sets are bitboards, strings are packed (offset, length) pairs into
//! the text arena, positions are node ids, pieces are piece ids.

mod place;
mod target;

use babson_chess::Piece;
use babson_lang::hir::{
    Arithmetic, Binary, Condition, Dictionary, Merge, PinValue, Quantity, Relation, Side, Type,
    Unary, Update,
};

pub(crate) use place::Place;

/// A register.
pub(crate) type R = u16;

/// The register number that stands for 'left out'.
pub(crate) const NONE: R = R::MAX;

/// The register number that stands for the key of the current board: of [`Op::Lookup`] and
/// [`Op::StoreKey`], so that what looks positions up need not write their keys as text.
pub(crate) const BOARD_KEY: R = R::MAX - 1;

/// What an operator does with a key that a dictionary does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingKey {
    /// The run of the game ends.
    Error,
    /// The key begins with 0, `""` or the empty set.
    Empty,
    /// The key gets the operand: an intersection of nothing but it.
    Operand,
}

impl MissingKey {
    /// What holds for an assignment with this operator, if any, to a key of this dictionary.
    pub(crate) fn of(declared: &Dictionary, op: Option<Update>, from_zero: bool) -> MissingKey {
        match (op, declared.merge) {
            _ if !from_zero => MissingKey::Error,
            (Some(Update::Intersection), Some(Merge::Intersection)) => MissingKey::Operand,
            _ => MissingKey::Empty,
        }
    }
}

/// One instruction, 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Jump {
        to: u32,
    },
    /// End of the query or of a block that another instruction called.
    Return {
        matched: bool,
    },
    /// A turn of a loop: counts against the limit of steps.
    Step,
    /// A filter begins, in a profiled program.
    Begin {
        filter: u32,
    },
    /// It has matched.
    Matched {
        filter: u32,
    },
    /// The outcome of a filter that is evaluated once a game.
    OnceGame {
        dst: R,
        index: u16,
        fail: u32,
    },
    /// The outcome of a filter that is evaluated once a position.
    OncePosition {
        dst: R,
        index: u16,
        fail: u32,
    },
    Const {
        dst: R,
        value: u64,
    },
    Copy {
        dst: R,
        src: R,
    },

    // Tests of the board.
    Check {
        fail: u32,
    },
    Mate {
        fail: u32,
    },
    Initial {
        fail: u32,
    },
    Test {
        which: Condition,
        fail: u32,
    },
    TestSet {
        set: R,
        fail: u32,
    },
    TestDesignator {
        squares: u64,
        content: u16,
        fail: u32,
    },
    TestPiece {
        squares: u64,
        piece: u8,
        fail: u32,
    },
    TestPattern {
        index: u32,
        fail: u32,
    },
    /// Finds the images that may match.
    ImagesStart {
        spec: u32,
        cursor: R,
        done: u32,
    },
    /// Goes on with the next of them.
    NextImage {
        spec: u32,
        cursor: R,
        done: u32,
    },
    TestFen {
        first: u32,
        len: u16,
        fail: u32,
    },
    HasNag {
        nag: u8,
        fail: u32,
    },
    Similar {
        fail: u32,
    },

    // Values.
    Designator {
        dst: R,
        squares: u64,
        content: u16,
    },
    CountDesignator {
        dst: R,
        squares: u64,
        content: u16,
    },
    Value {
        dst: R,
        which: Quantity,
        fail: u32,
    },
    Unary {
        dst: R,
        a: R,
        op: Unary,
        fail: u32,
    },
    Binary {
        dst: R,
        a: R,
        b: R,
        op: Binary,
        fail: u32,
    },
    Arithmetic {
        dst: R,
        a: R,
        b: R,
        op: Arithmetic,
        fail: u32,
    },
    And {
        dst: R,
        a: R,
        b: R,
    },
    Or {
        dst: R,
        a: R,
        b: R,
    },
    CompareConst {
        a: R,
        relation: Relation,
        value: i32,
        fail: u32,
    },
    Compare {
        a: R,
        b: R,
        relation: Relation,
        ty: Type,
        fail: u32,
    },
    /// [`Op::Compare`] of numbers.
    CompareNumbers {
        a: R,
        b: R,
        relation: Relation,
        fail: u32,
    },
    InRange {
        a: R,
        min: R,
        max: R,
        fail: u32,
    },
    Direction {
        dst: R,
        set: R,
        min: R,
        max: R,
        directions: u8,
    },
    Ray {
        dst: R,
        sets: R,
        len: u16,
        directions: u8,
        attack: bool,
        first: bool,
    },
    Pin {
        dst: R,
        sets: R,
        value: PinValue,
    },
    Subset {
        a: R,
        b: R,
        fail: u32,
    },
    InText {
        a: R,
        b: R,
        fail: u32,
    },
    Increment {
        dst: R,
    },
    /// Keeps the better of several values and the comments made with it.
    Best {
        best: R,
        value: R,
        min: bool,
        text: bool,
    },
    Tag {
        dst: R,
        name: u32,
        fail: u32,
    },
    PieceNumber {
        dst: R,
        piece: R,
    },
    /// Where the piece of a variable stands.
    PieceSquare {
        dst: R,
        var: R,
    },
    CharAt {
        dst: R,
        text: R,
        index: R,
        fail: u32,
    },
    Slice {
        dst: R,
        text: R,
        from: R,
        to: R,
    },
    Splice {
        var: R,
        from: R,
        to: R,
        value: R,
        single: bool,
        fail: u32,
    },

    // Regular expressions: `pattern` is the number of a literal one, or else a register.
    Match {
        dst: R,
        text: R,
        pattern: R,
        literal: bool,
        fail: u32,
    },
    MatchNext {
        cursor: R,
        pattern: R,
        literal: bool,
        done: u32,
    },
    Group {
        dst: R,
        number: u8,
        fail: u32,
    },
    GroupIndex {
        dst: R,
        number: u8,
        fail: u32,
    },

    // Variables and dictionaries.
    Load {
        dst: R,
        var: R,
    },
    Store {
        var: R,
        src: R,
    },
    Update {
        var: R,
        src: R,
        op: Update,
        fail: u32,
    },
    /// Binds a variable to a text that [`Op::MakeText`] makes. Two registers from `place` on note
    /// which board it tells of.
    DeferText {
        var: R,
        place: R,
    },
    /// Makes the text, unless it was made since it was deferred.
    MakeText {
        var: R,
        place: R,
        first: u32,
        len: u16,
    },
    Unbind {
        var: R,
    },
    TestBound {
        var: R,
        fail: u32,
    },
    RequireUnbound {
        var: R,
    },
    RequireBound {
        var: R,
    },
    BindPiece {
        var: R,
        set: R,
        fail: u32,
    },
    Lookup {
        dst: R,
        key: R,
        dictionary: u16,
        fail: u32,
    },
    StoreKey {
        key: R,
        value: R,
        dictionary: u16,
        op: Option<Update>,
        missing: MissingKey,
        fail: u32,
    },
    Erase {
        key: R,
        dictionary: u16,
    },
    Entries {
        dst: R,
        dictionary: u16,
    },
    NextKey {
        walk: R,
        var: R,
        dictionary: u16,
        done: u32,
    },

    // Iteration.
    ForSquare {
        set: R,
        current: R,
        var: R,
        done: u32,
    },
    ForPiece {
        set: R,
        current: R,
        var: R,
        done: u32,
    },

    // The current position.
    Enter {
        position: R,
    },
    EnterParent {
        fail: u32,
    },
    Leave,
    FindStart {
        state: R,
        backward: bool,
    },
    FindNext {
        state: R,
        backward: bool,
        /// Where this guard fails the filter does; [`NONE`] for none.
        guard: u16,
        done: u32,
    },
    FindFound {
        dst: R,
        quiet: bool,
    },
    FindHit {
        state: R,
        quiet: bool,
    },
    FindEnd {
        state: R,
    },
    /// How many positions `find` looks at: what it counts where all match.
    CountNodes {
        dst: R,
        backward: bool,
    },
    EchoStart {
        state: R,
        source: R,
    },
    EchoNext {
        state: R,
        target: R,
        in_all: bool,
        done: u32,
    },
    EchoHit {
        state: R,
        value: R,
        source: R,
        target: R,
        quiet: bool,
        best_only: bool,
    },
    /// The first match is enough.
    EchoStop {
        state: R,
    },
    ConsecutiveMoves {
        dst: R,
        operands: R,
        spec: u16,
        fail: u32,
    },
    Move {
        spec: u32,
        fail: u32,
    },
    MoveStart {
        spec: u32,
        cursor: R,
    },
    MoveNext {
        spec: u32,
        cursor: R,
        done: u32,
    },
    /// Begins to try moves. Registers from `cursor`: the next one, the end, where they begin.
    Speculate {
        spec: u32,
        cursor: R,
    },
    /// Enters the board after the next move.
    SpeculateNext {
        cursor: R,
        done: u32,
    },
    SpeculateHit {
        spec: u32,
        cursor: R,
    },
    /// The moves that are left are not tried.
    SpeculateEnd {
        cursor: R,
    },
    /// A text of so many parts, from the first on.
    Text {
        dst: R,
        first: u32,
        len: u16,
    },
    /// Enters a board that the following instructions change, unless it is known that the filter
    /// looked at there fails.
    Imagine {
        spec: u32,
        fail: u32,
    },
    Place {
        place: Place,
        piece: Option<Piece>,
    },
    Swap {
        places: [Place; 2],
    },
    Turn {
        side: Option<Side>,
    },
    /// A dash without target.
    Dash {
        spec: u32,
        dst: R,
        previous: bool,
        count: bool,
        fail: u32,
    },
    /// Enters the tail of the next move that fits.
    DashNext {
        spec: u32,
        cursor: R,
        previous: bool,
        done: u32,
    },
    /// `from` and `to` in the target of a dash.
    OwnSquares {
        dst: R,
        parts: R,
        to: bool,
    },
    PromotionKinds {
        dst: R,
        text: R,
    },
    Line {
        spec: u32,
        dst: R,
        min: R,
        max: R,
        fail: u32,
    },
    Path {
        spec: u32,
        dst: R,
        min: R,
        max: R,
        fail: u32,
    },

    // CQL 3.
    GameLists {
        spec: u32,
        fail: u32,
    },
    Steps {
        spec: u32,
        fail: u32,
    },
    Pairs {
        spec: u32,
        fail: u32,
    },
    Recurrence {
        spec: u32,
        fail: u32,
    },

    // Effects.
    /// How long the log of comments is, and in the upper half the text.
    Mark {
        dst: R,
    },
    /// Takes back the comments since the mark, and on demand all text.
    Rollback {
        mark: R,
        text: bool,
    },
    Sort {
        key: u16,
        value: R,
        mark: R,
        text: bool,
    },
    Comment {
        text: R,
    },
    Message {
        text: R,
        quiet: bool,
    },
    SetTag {
        name: u32,
        text: R,
    },
    RemoveTag {
        name: u32,
    },
    WriteFile {
        name: R,
        text: R,
    },
    CommandPipe {
        dst: R,
        request: R,
        pipe: u16,
        fail: u32,
    },
    AssertFailed,

    // Text.
    TextStart,
    Append {
        value: R,
        ty: Type,
    },
    AppendText {
        value: R,
    },
    TextEnd {
        dst: R,
    },
}

#[cfg(test)]
mod tests {
    #[test]
    fn instructions_are_compact() {
        assert_eq!(std::mem::size_of::<super::Op>(), 16);
    }
}
