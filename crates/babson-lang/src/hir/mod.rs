//! The typed, explicit form of a query: what the front end hands to the bytecode compiler.
//!
//! Everything that the text leaves unsaid is a node here (architecture.md, decision 5): conversions,
//! default parameters, iteration. Names are resolved to ids, functions are inlined at each call
//! (language.md 12), and transforms are expanded to an [`ExprKind::Orbit`] of distinct
//! specialisations (language.md 15.2). A node *matches* or not; one that is not Boolean also has
//! a value when it matches (language.md 4.1; a set has always a value, maybe the empty one).

mod equality;
mod print;
pub mod transform;
mod visit;

pub use equality::TransformName;
pub use print::print;

use crate::diagnostic::Span;

/// The type of an expression (language.md 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Matches or does not.
    Bool,
    /// A wrapping 32-bit integer.
    Number,
    /// A set of squares; matches when not empty.
    Set,
    /// A string of bytes.
    String,
    /// A position of the game (or, under CQLi, a saved one).
    Position,
    /// The identity of one piece; only variables have this type.
    Piece,
}

/// Index into [`Query::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);
/// Index into [`Query::dictionaries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DictId(pub u32);
/// Index into [`Query::sorts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortId(pub u32);
/// Number of a `line` (later also `path`) with `nestban`, for its marks of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NestBanId(pub u32);

/// A whole query, ready to be compiled.
#[derive(Clone, Debug)]
pub struct Query {
    /// What the `cql(…)` header says.
    pub header: Header,
    /// The filters in order; the query matches a position when all match.
    pub body: Vec<Expr>,
    /// All variables, hidden ones of functions included.
    pub vars: Vec<Var>,
    /// All dictionaries.
    pub dictionaries: Vec<Dictionary>,
    /// The keys that `sort` filters feed, in order of first appearance (inner before outer).
    pub sorts: Vec<SortKey>,
    /// How many `nestban` filters there are.
    pub nest_bans: u32,
    /// Whether `cql_assertvariations` or another filter demands variations: the span to blame.
    pub requires_variations: Option<Span>,
}

/// The parameters of `cql(…)` (language.md 3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The PGN to read.
    pub input: Option<String>,
    /// The PGN to write.
    pub output: Option<String>,
    /// Visit variations.
    pub variations: bool,
    /// Inclusive range of numbers of matching positions.
    pub match_count: Option<(i32, i32)>,
    /// `sort matchcount`: games are sorted by their number of matching positions, descending.
    pub sort_match_count: bool,
    /// Inclusive range of game numbers.
    pub game_number: Option<(i32, i32)>,
    /// Only games with this result.
    pub result: Option<GameResult>,
    /// The match comment; `None` is `CQL`, an empty one is none.
    pub match_string: Option<String>,
    /// `quiet` or `silent`, whichever came first.
    pub level: Level,
}

/// How much is commented (evaluation-and-output.md 4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Everything.
    #[default]
    Normal,
    /// No match comment and no automatic ones.
    Quiet,
    /// None at all.
    Silent,
}

/// A result as a query names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// Its name in the query; empty for a hidden one.
    pub name: String,
    /// Its type, fixed by the first assignment.
    pub ty: Type,
    /// `Some(quiet)` if it survives from game to game.
    pub persistent: Option<bool>,
    /// `atomic`: put back when a `path` search backs up.
    pub atomic: bool,
}

/// A dictionary.
#[derive(Clone, Debug, PartialEq)]
pub struct Dictionary {
    /// Its name.
    pub name: String,
    /// Type of the keys.
    pub key: Type,
    /// Type of the values.
    pub value: Type,
    /// Emptied at each game.
    pub local: bool,
    /// The declared rule by which the copies of several threads are joined.
    pub merge: Option<String>,
}

/// A key by which games are sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    /// Its description, or `<sort-id-N>`.
    pub name: String,
    /// Number or String (a set counts its squares).
    pub ty: Type,
    /// Smaller is better.
    pub min: bool,
    /// Not shown in the header comment.
    pub quiet: bool,
}

/// A typed node. Equality and hashing ignore the span: two copies under a transform are equal when
/// they mean the same.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands in the query.
    pub span: Span,
}

/// Piece content of a square, as a bit set: bit `color * 6 + kind` (White 0, Black 1; pawn 0 … king
/// 5), bit 12 for the empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Content(pub u16);

impl Content {
    /// The empty square.
    pub const EMPTY: Content = Content(1 << 12);
    /// Any white piece (`A`).
    pub const WHITE: Content = Content(0b11_1111);
    /// Any black piece (`a`).
    pub const BLACK: Content = Content(0b11_1111 << 6);
    /// Anything, the empty square included.
    pub const ANY: Content = Content(0x1fff);

    /// White and black exchanged; the empty square stays.
    pub fn swap_colors(self) -> Content {
        Content(((self.0 & 0x3f) << 6) | ((self.0 >> 6) & 0x3f) | (self.0 & (1 << 12)))
    }
}

/// Squares of a mask that hold one of a set of contents. Bit 0 is a1, bit 7 h1, bit 63 h8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Designator {
    /// The squares.
    pub squares: u64,
    /// What stands there.
    pub content: Content,
}

/// The eight compass directions as a bit set: bit 0 up, then clockwise: 1 northeast, 2 right,
/// 3 southeast, 4 down, 5 southwest, 6 left, 7 northwest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Directions(pub u8);

/// One side as a query names it (swapped by `flipcolor`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// White
    White,
    /// Black
    Black,
}

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// A number.
    Const(i32),
    /// A numeric variable, read when the filter is evaluated.
    Var(VarId),
}

/// An inclusive range. `count` is -100000..100000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// Least value.
    pub min: Bound,
    /// Greatest value.
    pub max: Bound,
}

/// A comparison operator. `==` on sets compares squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`: no value counts as unequal; Boolean.
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `[<]`: proper ancestor (positions)
    Ancestor,
    /// `[<=]`
    AncestorOrSame,
    /// `[>]`
    Descendant,
    /// `[>=]`
    DescendantOrSame,
}

/// An operator on two numbers (language.md 4.4: wrapping; division by zero has no value).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// Filters without operands; a comment names the type of each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Nullary {
    // Boolean, of the board
    Check,
    Mate,
    Stalemate,
    SideToMove(Side), // wtm, btm
    // Boolean, of the node
    Initial,
    Terminal,
    Mainline,
    Variation,
    VirtualMainline,
    Try,
    Primary,
    Secondary,
    NullMove,
    /// `o-o`, `o-o-o`, `castle` of the previous move
    Castling(Castle),
    EnPassant,
    /// `result R`
    Result(GameResult),
    /// `removecomment`
    RemoveComment,
    /// `cql_abort`
    Abort,
    // Number
    SideSign, // sidetomove: 1 or -1
    /// `white`: 1, `black`: -1; `flipcolor` swaps them
    SideValue(Side),
    Ply,
    MoveNumber,
    Depth,
    PositionId,
    GameNumber,
    LastGameNumber,
    Elo(Option<Side>),
    Year,
    HalfMoveClock,
    // Set
    /// `from`, `to` of the previous move; castling gives king's and rook's squares (moves-and-sequences.md 5)
    LastFrom,
    LastTo,
    EnPassantSquare,
    PassedPawns,
    ConnectedPawns,
    IsolatedPawns,
    DoubledPawns,
    /// language.md 14
    Participants(Participants),
    // String
    Player(Option<Side>),
    Event,
    Site,
    Date,
    EventDate,
    Eco,
    Fen,
    StandardFen,
    ZobristKey,
    OriginalComment,
    // Position
    CurrentPosition,
    Parent,
    InitialPosition,
}

/// Which castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Castle {
    KingSide,
    QueenSide,
    Either,
}

/// The filters of language.md 14: their value is the set of participants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Participants {
    PureMate,
    ModelMate,
    IdealMate,
    PureStalemate,
    ModelStalemate,
    IdealStalemate,
}

/// Filters with one operand, of the type named in the comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Unary {
    // Set -> Set
    Complement,
    Light,
    Dark,
    // Set -> Number
    Count,
    Power,
    Type,      // no value unless exactly one square
    ColorType, // ditto
    PieceId,   // ditto, and occupied; a Piece operand gives its number even when captured
    Rank,
    File,
    // Set -> String
    TypeName,
    PieceName,
    // Number -> Number
    Negate,
    Abs,
    Sqrt,
    // String -> Number
    Length,
    Int,
    AsciiCode,
    // Number -> String
    AsciiChar,
    // String -> String
    Lowercase,
    Uppercase,
    ReadFile,
    // String -> Set
    MakeSquareText,
    // Number -> Position
    PositionAt,
    /// `child(n)`: Number -> Position
    Child,
    /// Piece -> Set: its square, or none
    PieceSquare,
    /// String -> String, the tag of that (constant) name
    Tag,
}

/// Filters with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Binary {
    // Set, Set -> Set
    Intersection,
    Union,
    /// squares of the left that attack a square of the right
    Attacks,
    /// squares of the left attacked by a square of the right
    AttackedBy,
    Between,
    // Set, Set -> Bool
    Subset,
    // Position, Position -> Set
    SameContent,
    // Position, Position -> …
    Lca,
    Distance,
    AncestorOf,
    DescendantOf,
    // String, String
    Concat,
    Substring,
    /// `indexof(pattern text)` -> Number
    IndexOf,
    // Number, Number -> Set
    MakeSquare,
}

/// What an expression is.
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
    /// A filter without operands.
    Nullary(Nullary),
    /// A filter with one operand.
    Unary(Unary, Box<Expr>),
    /// A filter with two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Arithmetic.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// A comparison; both operands have one type (a set beside a number is wrapped in
    /// [`Unary::Count`]). Value: the left one's, Boolean for sets and for `!=`.
    Compare(Relation, Box<Expr>, Box<Expr>),
    /// `equal(f g)`: same type and same value (language.md 11).
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
        range: Range,
        /// The set to start from.
        set: Box<Expr>,
    },
    /// `ray`, `xray`, and `->`/`<-` chains of three or more.
    Ray {
        /// The directions walked.
        directions: Directions,
        /// The piece of the first set must be a slider that fits the direction.
        attack: bool,
        /// Value: the squares of the first set rather than of the last.
        first: bool,
        /// Two or more sets, in the order walked.
        sets: Vec<Expr>,
    },
    /// `pin`
    Pin {
        /// Where the pinning piece stands.
        from: Box<Expr>,
        /// Where the pinned piece stands.
        through: Box<Expr>,
        /// Where the target stands.
        to: Box<Expr>,
        /// Which of them is the value.
        value: PinValue,
    },
    /// `fen "…"`: each designator must hold on all its squares.
    FenPattern(Vec<Designator>),
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
        /// The set, evaluated once; empty squares are passed over.
        set: Box<Expr>,
        /// The body.
        body: Box<Expr>,
        /// `all`: Boolean, stops at the first failure.
        all: bool,
    },
    /// `x ∊ D f`, `string x in D f`, `key x in D f`: x is bound to each key in order; matches always.
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
        /// A missing key starts from 0 or "" (dialects.md) rather than being an error.
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
    /// The copies of a filter under a transform, in canonical order (language.md 15.2).
    Orbit {
        /// The copies.
        elements: Vec<Expr>,
        /// How their results are joined.
        join: Join,
        /// What they were made from, while an enclosing transform can still merge with this one.
        origin: transform::Origin,
    },
    /// `notransform f`: f itself, out of reach of the transforms around it.
    NoTransform(Box<Expr>),
    /// `currenttransform`: the names of the maps that this copy went through.
    CurrentTransform(TransformName),
    /// `move …`
    Move(Box<Move>),
    /// `find …`
    Find(Box<Find>),
    /// `line …`
    Line(Box<Line>),
    /// `sort …`
    Sort {
        /// The key it feeds.
        key: SortId,
        /// Number (a set is wrapped in Count) or String.
        value: Box<Expr>,
    },
    /// `comment(…)`, `/// …`
    Comment(Vec<Part>),
    /// `message [quiet] (…)`
    Message {
        /// Without the `Game: …` prefix.
        quiet: bool,
        /// What is printed.
        parts: Vec<Part>,
    },
    /// `str(…)`
    Str(Vec<Part>),
    /// `settag("NAME" s)`
    SetTag {
        /// The tag.
        name: String,
        /// Its value.
        value: Box<Expr>,
    },
    /// `originalcomment "NAG"`
    HasNag(u8),
    /// `writefile(name text)`
    WriteFile {
        /// The file.
        name: Box<Expr>,
        /// What is appended.
        text: Box<Expr>,
    },
    /// `assert f`
    Assert(Box<Expr>),
}

/// One argument of `comment`, `message`, `str`, printed by its type (language.md 13.3). A bare
/// variable prints `<unbound: NAME>` while unbound, a bare piece variable letter and square.
pub type Part = Expr;

/// How an assignment operator changes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Update {
    /// Numbers.
    Number(Arithmetic),
    /// Strings: `+=`.
    Append,
    /// Sets: `|=`.
    Union,
    /// Sets: `&=`.
    Intersection,
}

/// Which set is the value of `pin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PinValue {
    From,
    Through,
    To,
}

/// How the results of an orbit are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Join {
    /// Sets: their union.
    Union,
    /// Numbers: the greatest; comments of strictly worse elements are withdrawn.
    Max,
    /// One matches. All are evaluated, also after a match.
    Any,
    /// The number of matching elements, which must be in the range.
    Count(Range),
}

/// Which moves a `move` filter looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MoveSource {
    /// Those played from the current position.
    Played,
    /// The one that led here.
    Previous,
    Legal,
    Pseudolegal,
}

/// What a `move` filter gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MoveResult {
    Bool,
    From,
    To,
    Capture,
    Count,
}

/// `move` (moves-and-sequences.md 3). All parameters must hold of one and the same move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Move {
    pub source: MoveSource,
    pub result: MoveResult,
    pub from: Option<Expr>,
    pub to: Option<Expr>,
    pub capture: Option<Expr>,
    pub en_passant_square: Option<Expr>,
    /// Bit set of kinds (pawn 0 … king 5).
    pub promote: Option<u8>,
    pub en_passant: bool,
    pub castle: Option<Castle>,
    pub null: bool,
    pub primary: bool,
    pub secondary: bool,
    /// Evaluated at the tail of each matching move.
    pub comment: Option<Vec<Part>>,
}

/// `find` (moves-and-sequences.md 9).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Find {
    pub quiet: bool,
    pub backward: bool,
    pub mode: FindMode,
    pub body: Expr,
}

/// What `find` looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindMode {
    /// The first position: type Position.
    First,
    /// Their number, at least 1.
    All,
    /// Their number, which must be in the range.
    Range(Range),
}

/// `line` (moves-and-sequences.md 8).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Line {
    pub quiet: bool,
    pub backward: bool,
    pub range: Option<Range>,
    pub single_color: bool,
    pub primary: bool,
    pub secondary: bool,
    pub first_match: bool,
    pub nest_ban: Option<NestBanId>,
    pub last_position: bool,
    pub constituents: Vec<Constituent>,
}

/// One constituent of `line` with its repetitions, applied from left to right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Constituent {
    pub kind: ConstituentKind,
    /// Inclusive counts; `*` is (0, 100000), `+` (1, 100000), `?` (0, 1).
    pub repeats: Vec<(u32, u32)>,
}

/// What a constituent is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstituentKind {
    /// A filter that the position must match.
    Filter(Box<Expr>),
    /// `( C --> C … )`
    Group(Vec<Constituent>),
}
