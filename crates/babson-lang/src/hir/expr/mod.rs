//! The nodes of the tree.

pub(super) mod cql3;
pub(super) mod dash;
pub(super) mod path;

use super::{
    Alignment, Arithmetic, BinaryFilter, CastlingKind, Color, ComparisonOperator, Condition,
    Content, DashFilter, Designator, DictId, Directions, FenPattern, GameLists, MoveResult,
    MoveRunId, MoveSource, NestBanId, NodeId, NumberRange, OrbitResult, PathFilter,
    PositionSequence, Property, Recurrence, SortId, SquarePairs, Type, UnaryFilter, Uncompared,
    Update, VarId, transform,
};
use crate::diagnostic::Span;

/// A typed node. Equality and hashing ignore the span and the number: two copies under a transform
/// are equal when they mean the same.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of filter.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Its span in the text of the query.
    pub span: Span,
    /// Its number in the query; copies of a node have the same.
    pub id: NodeId,
}

impl Expr {
    /// A node that is not yet numbered. Its kind has its type, unless a declaration decides on it
    /// ([`Expr::declared`]).
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr::declared(kind, Type::Bool, span)
    }

    /// A variable, or an entry of a dictionary, which was declared with this type.
    pub fn declared(kind: ExprKind, ty: Type, span: Span) -> Expr {
        let ty = kind.signature(ty).ty;
        Expr { kind, ty, span, id: NodeId::default() }
    }
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// `true` / `false`
    Bool(bool),
    /// A number.
    Number(i32),
    /// A string of bytes.
    Text(Box<[u8]>),
    /// A piece designator.
    Designator(Designator),
    /// A fixed set of squares: `.`, `[]`.
    Squares(u64),
    /// The value of a variable; a run-time error when it is unbound.
    Var(VarId),
    /// A filter without operands that matches or not.
    Condition(Condition),
    /// A filter without operands that has a value.
    Property(Property),
    /// A filter with one operand.
    Unary(UnaryFilter, Box<Expr>),
    /// A filter with two operands.
    Binary(BinaryFilter, Box<Expr>, Box<Expr>),
    /// Arithmetic.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// A comparison; both operands have one type (a set beside a number is wrapped in
    /// [`UnaryFilter::Count`]). Value: the left one's, Boolean for sets and for `!=`.
    Compare(ComparisonOperator, Box<Expr>, Box<Expr>),
    /// `equal(f g)`: same type and same value.
    Equal(Box<Expr>, Box<Expr>),
    /// `max(…)`, `min(…)`: operands without value are skipped. All Number or all String.
    Extreme {
        /// `min` rather than `max`.
        min: bool,
        /// The operands.
        operands: Vec<Expr>,
    },
    /// `{ f g … }`: the last one's value if all match.
    Sequence(Vec<Expr>),
    /// `f and g`
    And(Box<Expr>, Box<Expr>),
    /// `f or g`
    Or(Box<Expr>, Box<Expr>),
    /// `not f`
    Not(Box<Expr>),
    /// `if c then x else y`
    If {
        /// The condition.
        condition: Box<Expr>,
        /// Taken when it matches.
        then: Box<Expr>,
        /// Taken when it does not; without it the whole matches then.
        otherwise: Option<Box<Expr>>,
    },
    /// `while (c) f`; always matches.
    While {
        /// The condition.
        condition: Box<Expr>,
        /// The body; its result is ignored.
        body: Box<Expr>,
    },
    /// `loop f`
    Loop(Box<Expr>),
    /// `position : f`
    With {
        /// The position to look at.
        position: Box<Expr>,
        /// What is evaluated there.
        body: Box<Expr>,
    },
    /// `D [range] S`
    Direction {
        /// The directions.
        directions: Directions,
        /// Distances.
        range: NumberRange,
        /// The set to start from.
        set: Box<Expr>,
    },
    /// `ray`, `xray`, `pin`, and `->`/`<-` chains of three or more: one square of each set, in the
    /// order of the sets on one line, with nothing between them.
    Aligned(Alignment, Vec<Expr>),
    /// `fen "…"`
    FenPattern(FenPattern),
    /// `square x in S f`, `x ∊ S f`: x is bound to each square in turn.
    ForSquares {
        /// The variable, of type Set.
        var: VarId,
        /// The set, evaluated once.
        set: Box<Expr>,
        /// The body.
        body: Box<Expr>,
        /// `all`: Boolean, stops at the first failure.
        all: bool,
    },
    /// `piece x in S f`
    ForPieces {
        /// The variable, of type Piece.
        var: VarId,
        /// The set, evaluated once; empty squares are skipped.
        set: Box<Expr>,
        /// The body.
        body: Box<Expr>,
        /// `all`: Boolean, stops at the first failure.
        all: bool,
    },
    /// `x ∊ D f`, `string x in D f`, `key x in D f`: x is bound to each key in order; matches
    /// always.
    ForKeys {
        /// The variable, of the type of the keys.
        var: VarId,
        /// The dictionary.
        dictionary: DictId,
        /// The body.
        body: Box<Expr>,
    },
    /// `x = e`: matches when e has a value (a set has always one).
    Assign {
        /// The variable.
        var: VarId,
        /// The value.
        value: Box<Expr>,
        /// `=?`: an empty set fails.
        if_any: bool,
    },
    /// `x op= e`: read, compute, store. `op` is applied to (x, e) by [`Update`].
    Update {
        /// The variable.
        var: VarId,
        /// The operation.
        op: Update,
        /// The operand.
        value: Box<Expr>,
    },
    /// `piece x = S`: S must be exactly one occupied square.
    BindPiece {
        /// The variable.
        var: VarId,
        /// The set.
        set: Box<Expr>,
    },
    /// `unbind x`
    Unbind(VarId),
    /// `isbound x`
    IsBound(VarId),
    /// `D[k]`
    Lookup {
        /// The dictionary.
        dictionary: DictId,
        /// The key.
        key: Box<Expr>,
    },
    /// `D[k] = v`, or with an operator.
    Store {
        /// The dictionary.
        dictionary: DictId,
        /// The key.
        key: Box<Expr>,
        /// How the new value joins the old one; `None` replaces it.
        op: Option<Update>,
        /// The value.
        value: Box<Expr>,
        /// A missing key starts from 0 or "" and is not an error
        /// (docs/src/language/dialects.md#dialects).
        from_zero: bool,
    },
    /// `unbind D[k]`, or `unbind D` without key.
    Erase {
        /// The dictionary.
        dictionary: DictId,
        /// The key.
        key: Option<Box<Expr>>,
    },
    /// `#D`
    DictionaryLen(DictId),
    /// `s[i]`
    CharAt {
        /// The string.
        text: Box<Expr>,
        /// Counted from the end if negative.
        index: Box<Expr>,
    },
    /// `s[i:j]`
    Slice {
        /// The string.
        text: Box<Expr>,
        /// First, default 0.
        from: Option<Box<Expr>>,
        /// End, default the length.
        to: Option<Box<Expr>>,
    },
    /// `x[i] = s`, `x[i:j] = s`
    AssignSlice {
        /// The string variable.
        var: VarId,
        /// `x[i]` rather than `x[i:j]`; then `from` is there.
        single: bool,
        /// First.
        from: Option<Box<Expr>>,
        /// End.
        to: Option<Box<Expr>>,
        /// The replacement.
        value: Box<Expr>,
    },
    /// `s ~~ p`: the text of the first match; keeps its groups.
    Match {
        /// The text that is searched.
        subject: Box<Expr>,
        /// The regular expression ([`crate::pattern`]); a literal one is well formed.
        pattern: Box<Expr>,
    },
    /// `while (s ~~ p) f`: the body for each match in turn; matches when the text has a value.
    ForMatches {
        /// The text that is searched.
        subject: Box<Expr>,
        /// The regular expression.
        pattern: Box<Expr>,
        /// The body; its result is ignored.
        body: Box<Expr>,
    },
    /// `\N`: the text of a group of the latest match.
    Group(u8),
    /// `\-N`: where it begins.
    GroupIndex(u8),
    /// `similarposition`: the board is one of those that a file's games give. All of a query have
    /// the file of [`crate::hir::Query::similar`].
    SimilarPosition,
    /// How similar the position is to the one of [`Query::like`](crate::hir::Query::like), from 0
    /// to 1000.
    Likeness,
    /// The copies of a filter under a transform, in canonical order.
    Orbit {
        /// The copies.
        elements: Vec<Expr>,
        /// How their results are joined.
        result: OrbitResult,
        /// The operand and the maps, while an enclosing transform can still merge with this one.
        source: transform::OrbitSource,
    },
    /// `notransform f`: f, which enclosing transforms do not change.
    NoTransform(Box<Expr>),
    /// `currenttransform`: the names of the maps that this copy went through, without the angle
    /// brackets. Copies that differ only in them are equal.
    CurrentTransform(Uncompared<String>),
    /// `move …`
    Move(Box<MoveFilter>),
    /// `move … : f`
    SpeculativeMove(Box<SpeculativeMove>),
    /// `imagine … : f`: the changes one after the other, each set evaluated on the board as changed
    /// so far.
    Imagine {
        /// The changes.
        changes: Vec<BoardChange>,
        /// What is evaluated on the changed board.
        body: Box<Expr>,
    },
    /// `--`, `[x]`
    Dash(Box<DashFilter>),
    /// `find …`
    Find(Box<FindFilter>),
    /// `line …`
    Line(Box<LineFilter>),
    /// `echo …`
    Echo(Box<EchoFilter>),
    /// `consecutivemoves …`
    ConsecutiveMoves(ConsecutiveMoves),
    /// `path …`
    Path(Box<PathFilter>),
    /// `sort …`
    Sort {
        /// The key it feeds.
        key: SortId,
        /// Number (a set is wrapped in Count) or String.
        value: Box<Expr>,
    },
    /// `comment(…)`, `/// …`. Each argument of this filter, of `message` and of `str` is printed by
    /// its type. A bare variable prints `<unbound: NAME>` while unbound, a bare piece variable its
    /// letter and square.
    Comment(Vec<Expr>),
    /// `field("NAME" …)`: the value of a single part that is a number or a string, else the text
    /// of the parts as `comment` prints them.
    Field {
        /// The name of the field.
        name: String,
        /// The value, or the parts of its text.
        parts: Vec<Expr>,
    },
    /// `message [quiet] (…)`
    Message {
        /// Without the `Game: …` prefix.
        quiet: bool,
        /// What is printed.
        parts: Vec<Expr>,
    },
    /// `str(…)`
    Str(Vec<Expr>),
    /// `settag("NAME" s)`
    SetTag {
        /// The tag.
        name: String,
        /// Its value.
        value: Box<Expr>,
    },
    /// `removetag("NAME")`
    RemoveTag(String),
    /// `originalcomment "NAG"`
    HasNag(u8),
    /// `writefile(name text)`
    WriteFile {
        /// The file.
        name: Box<Expr>,
        /// What is appended.
        text: Box<Expr>,
    },
    /// `commandpipe("COMMAND" request)`: the answer of a running process, a String.
    CommandPipe {
        /// The program and its arguments; at least one word.
        command: Box<[String]>,
        /// The line that it is sent.
        request: Box<Expr>,
    },
    /// `assert f`
    Assert(Box<Expr>),
    /// The position lists of a CQL 3 query.
    GameLists(Box<GameLists>),
    /// `:sequence`, `:gappedsequence`
    PositionSequence(Box<PositionSequence>),
    /// `:attackcount`, `:ray`
    Pairs(Box<SquarePairs>),
    /// `:relation`
    Recurrence(Box<Recurrence>),
}

/// `move` (docs/src/language/moves.md#moves). All parameters must hold of one and the same move.
/// The default is `move` without parameters: any move that the game plays next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct MoveFilter {
    pub source: MoveSource,
    pub result: MoveResult,
    pub from: Option<Expr>,
    pub to: Option<Expr>,
    pub capture: Option<Expr>,
    pub en_passant_square: Option<Expr>,
    /// Bit set of kinds (pawn 0 … king 5).
    pub promote: Option<u8>,
    pub en_passant: bool,
    pub castle: Option<CastlingKind>,
    /// Of a piece from the pocket (Crazyhouse).
    pub drop: bool,
    pub null: bool,
    pub primary: bool,
    pub secondary: bool,
    /// Evaluated at the tail of each matching move.
    pub comment: Option<Vec<Expr>>,
}

/// `move … : f` (docs/src/language/imaginary.md#imaginary-positions-and-speculative-moves): each
/// move is made on a copy of the board, where f is evaluated.
///
/// The result is that of the moves for which f matched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct SpeculativeMove {
    /// Without `comment`. The result Count or Bool, if `all` is set.
    pub moves: MoveFilter,
    /// f must match for every move.
    pub all: bool,
    pub body: Expr,
}

/// A change of `imagine`
/// (docs/src/language/imaginary.md#imaginary-positions-and-speculative-moves).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoardChange {
    /// `piece D --> S`: the new content of each square of the set.
    Place {
        /// One piece, or the empty square.
        content: Content,
        /// Where.
        to: Expr,
    },
    /// `swap S T`, if each set is one square.
    Swap(Expr, Expr),
    /// `sidetomove …`; `None` is `reverse`.
    SideToMove(Option<Color>),
}

/// `find` (docs/src/language/find.md#find).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct FindFilter {
    pub quiet: bool,
    pub backward: bool,
    pub mode: FindMode,
    pub body: Expr,
}

/// The result of `find`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindMode {
    /// The first position: type Position.
    First,
    /// Their number, at least 1.
    All,
    /// Their number, which must be in the range.
    Range(NumberRange),
}

/// `echo` (docs/src/language/echo.md#echo-and-consecutivemoves): the body is evaluated at every
/// position of the game.
///
/// Type Number (the greatest value) if the body has that type, else Boolean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct EchoFilter {
    pub quiet: bool,
    /// Bound to the current position.
    pub source: VarId,
    /// Bound to each position in turn.
    pub target: VarId,
    /// `in all`: the current position too.
    pub in_all: bool,
    pub body: Expr,
}

/// `consecutivemoves` (docs/src/language/echo.md#echo-and-consecutivemoves).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct ConsecutiveMoves {
    pub id: MoveRunId,
    pub quiet: bool,
    pub range: Option<NumberRange>,
    pub left: VarId,
    pub right: VarId,
}

/// `line` (docs/src/language/line.md#line).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct LineFilter {
    pub quiet: bool,
    pub backward: bool,
    pub range: Option<NumberRange>,
    pub single_color: bool,
    pub primary: bool,
    pub secondary: bool,
    pub first_match: bool,
    pub nest_ban: Option<NestBanId>,
    pub last_position: bool,
    pub constituents: Vec<LineConstituent>,
}

/// One constituent of `line` with its repetitions, applied from left to right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct LineConstituent {
    pub kind: LineConstituentKind,
    /// Inclusive counts; `*` is (0, 100000), `+` (1, 100000), `?` (0, 1).
    pub repeats: Vec<(u32, u32)>,
}

/// The kind of a constituent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LineConstituentKind {
    /// A filter that the position must match.
    Filter(Box<Expr>),
    /// `( C --> C … )`
    Group(Vec<LineConstituent>),
}
