//! The tree that the grammar builds: what is written, before names and types are known.
//!
//! Regrouping in the typing pass (grammar notes, section 3A) is why left-associative operators of
//! one level are kept as one flat node ([`ExprKind::Infix`]): cutting off or moving a tail is a
//! `Vec` operation. It also keeps long sums and long lists of alternatives shallow.

mod header;
mod operators;
mod parts;
pub mod print;
mod walk;

pub use crate::diagnostic::Span;
pub use crate::keywords::Keyword;
pub use crate::limits::MAX_DEPTH;
pub use crate::terms::{Content, GameResult};
pub use header::{Header, HeaderKind, HeaderParam, Ident, Query, Text};
pub use operators::{AssignOp, InfixOp, Level, RelOp};
pub use parts::{
    Bound, BoundKind, Dash, Designator, ImagineSpec, LinePart, LinePartKind, LoopKind, MoveParam,
    PathPart, PathPartKind, PinParam, PrintKind, Range, Repeat, SeqParam, SeqParamKind, Storage,
    Tail, TypeName,
};

/// A filter, or any other part that has a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The place.
    pub span: Span,
    /// Height of the tree: 1 for a leaf. [`Expr::new`] computes it.
    pub depth: u16,
}

/// Everything that an expression can be.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A place where the parser recovered; never in a tree that [`crate::parse`] returns.
    Error,
    /// An integer literal, wrapped to 32 bits (language.md 2.6).
    Int(i32),
    /// A string literal.
    Str(String),
    /// A bare result literal.
    Result(GameResult),
    /// `result R`.
    ResultIs(GameResult),
    /// A piece designator.
    Designator(Designator),
    /// `.`
    AnySquare,
    /// `[]`
    EmptySet,
    /// The back-quote, CQLi's identity.
    Identity,
    /// `\N`
    Group(u8),
    /// `\-N`
    GroupIndex(u8),
    /// `\{name}` (false) or `\-{name}` (true).
    NamedGroup(String, bool),
    /// A name.
    Name(String),
    /// A call of a user's function.
    Call {
        /// The function.
        name: Ident,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `( F )`.
    Paren(Box<Expr>),
    /// `{ F… }`.
    Block(Vec<Expr>),

    /// `a op b op c …`, all of one level, left-associative; `rest` is never empty.
    Infix {
        /// The level of all operators.
        level: Level,
        /// The first operand.
        first: Box<Expr>,
        /// The others.
        rest: Vec<Tail>,
    },
    /// `l op r`, right-associative.
    Relation {
        /// The left operand.
        left: Box<Expr>,
        /// The operator.
        op: RelOp,
        /// Its place.
        op_span: Span,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `l in r`.
    In {
        /// The left operand.
        left: Box<Expr>,
        /// The place of `in`.
        op_span: Span,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `not F`.
    Not(Box<Expr>),
    /// `~S`.
    Complement(Box<Expr>),
    /// Unary `-`.
    Negate(Box<Expr>),
    /// `a -> b -> c` or `a <- b`.
    Arrows {
        /// `<-`?
        back: bool,
        /// At least two.
        parts: Vec<Expr>,
        /// The places of the arrows, one fewer than parts.
        op_spans: Vec<Span>,
    },
    /// `l : r`. With [`ExprKind::Move`] or [`ExprKind::Imagine`] at the left, the speculative
    /// forms.
    With {
        /// A position, `move …` or `imagine …`.
        left: Box<Expr>,
        /// The place of `:`.
        op_span: Span,
        /// The filter.
        right: Box<Expr>,
    },
    /// `base[i]`.
    Index {
        /// String or dictionary.
        base: Box<Expr>,
        /// Index or key.
        index: Box<Expr>,
    },
    /// `base[from:to]`.
    Slice {
        /// The string.
        base: Box<Expr>,
        /// The start.
        from: Option<Box<Expr>>,
        /// The end.
        to: Option<Box<Expr>>,
    },
    /// `s ~~ pattern`.
    Match {
        /// The string.
        subject: Box<Expr>,
        /// The place of `~~`.
        op_span: Span,
        /// The pattern: a literal, in CQLi also another string.
        pattern: Box<Expr>,
    },

    /// `x = F` and its like.
    Assign {
        /// Words before the name.
        storage: Storage,
        /// The variable.
        name: Ident,
        /// The operator.
        op: AssignOp,
        /// Its place.
        op_span: Span,
        /// The value.
        value: Box<Expr>,
    },
    /// `D[k] = F`, `s[1:2] = F`.
    AssignIndex {
        /// An [`ExprKind::Index`] or [`ExprKind::Slice`].
        place: Box<Expr>,
        /// The operator.
        op: AssignOp,
        /// Its place.
        op_span: Span,
        /// The value.
        value: Box<Expr>,
    },
    /// `piece x = S`, `[Aa]x = S`.
    AssignPiece {
        /// The variable.
        name: Ident,
        /// The set.
        value: Box<Expr>,
    },
    /// `unbind x`, `unbind D[k]`.
    Unbind {
        /// The variable or dictionary.
        name: Ident,
        /// A key.
        key: Option<Box<Expr>>,
    },
    /// `isbound x`, `isunbound x`.
    IsBound {
        /// `isunbound`?
        negated: bool,
        /// The name.
        name: Ident,
    },
    /// `dictionary …`.
    Dictionary {
        /// `local` or `persistent`, if written.
        storage: Storage,
        /// Key and value type, if written.
        types: Option<(TypeName, TypeName)>,
        /// The merge strategy, if written.
        merge: Option<Ident>,
        /// The name.
        name: Ident,
    },
    /// `function f(p…) { F… }`.
    Function {
        /// The name.
        name: Ident,
        /// The parameters.
        params: Vec<Ident>,
        /// The body: never empty.
        body: Vec<Expr>,
        /// The place of the body, with its braces.
        body_span: Span,
    },
    /// `cqlbegin { … }`, `cqlend { … }`.
    Hook {
        /// `cqlend`?
        end: bool,
        /// The body.
        body: Vec<Expr>,
    },

    /// A filter without arguments.
    Nullary(Keyword),
    /// A keyword with one argument and nothing else: `# power abs loop assert light …`, `child(N)`
    /// and `position N`.
    Prefix {
        /// Which.
        keyword: Keyword,
        /// The argument.
        arg: Box<Expr>,
    },
    /// `previous --`, `legal --`, `countmoves legal --` …
    DashPrefix {
        /// In the order written.
        words: Vec<Keyword>,
        /// An [`ExprKind::Dash`], unless the query is wrong.
        arg: Box<Expr>,
    },
    /// A keyword with arguments in parentheses: `between max settag …`.
    List {
        /// Which.
        keyword: Keyword,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `event`, `player white "X"`, `elo black`, `fen "…"` …
    Tag {
        /// Which.
        keyword: Keyword,
        /// `white` or `black`, for `player` and `elo`.
        colour: Option<Keyword>,
        /// The search string.
        search: Option<Text>,
    },
    /// `tag "X"`, `cql_assertvariations "X"`.
    KeywordText {
        /// Which.
        keyword: Keyword,
        /// The string.
        text: Text,
    },
    /// `hhdb …`.
    Hhdb {
        /// The key words, unquoted.
        words: Vec<Ident>,
        /// The search string.
        search: Option<Text>,
    },
    /// `similarposition …`.
    SimilarPosition {
        /// `nosort`.
        no_sort: bool,
        /// `notransform`.
        no_transform: bool,
        /// The file.
        file: Text,
    },

    /// `up 1 2 S`.
    Direction {
        /// Which.
        keyword: Keyword,
        /// Distances.
        range: Option<Range>,
        /// The set.
        arg: Box<Expr>,
    },
    /// `flip count F`.
    Transform {
        /// Which.
        keyword: Keyword,
        /// How many variants.
        range: Option<Range>,
        /// The filter.
        arg: Box<Expr>,
    },
    /// `ray up (S…)`, `xray (S…)`.
    Ray {
        /// `xray`, or `ray attack`.
        xray: bool,
        /// The directions written.
        directions: Vec<(Keyword, Span)>,
        /// The sets.
        sets: Vec<Expr>,
    },
    /// `pin …`.
    Pin(Vec<PinParam>),
    /// `move …`, without the `:` part.
    Move(Vec<MoveParam>),
    /// `imagine …`, without the `:` part.
    Imagine(Vec<ImagineSpec>),
    /// A dash filter.
    Dash(Dash),
    /// `path …`.
    Path {
        /// The parameters in the order written.
        params: Vec<SeqParam>,
        /// The constituents.
        parts: Vec<PathPart>,
    },
    /// `line …`.
    Line {
        /// The parameters in the order written.
        params: Vec<SeqParam>,
        /// `<--`?
        back: bool,
        /// The constituents.
        parts: Vec<LinePart>,
    },
    /// `find …`.
    Find {
        /// `quiet`.
        quiet: bool,
        /// `all`.
        all: bool,
        /// `<--`.
        back: bool,
        /// How many.
        range: Option<Range>,
        /// The filter.
        arg: Box<Expr>,
    },
    /// `echo (x y) F`.
    Echo {
        /// `quiet`.
        quiet: bool,
        /// The variable of the current position.
        source: Ident,
        /// The variable of the other.
        target: Ident,
        /// `in all`.
        all: bool,
        /// The filter.
        arg: Box<Expr>,
    },
    /// `consecutivemoves (x y)`.
    ConsecutiveMoves {
        /// `quiet`.
        quiet: bool,
        /// How many.
        range: Option<Range>,
        /// One position.
        left: Ident,
        /// The other.
        right: Ident,
    },
    /// `sort …`.
    Sort {
        /// `quiet`.
        quiet: bool,
        /// `min` (or `max`, the default).
        min: bool,
        /// The description.
        description: Option<Text>,
        /// What is sorted by.
        arg: Box<Expr>,
    },
    /// `str`, `comment`, `message`, `///`.
    Print {
        /// Which.
        kind: PrintKind,
        /// `message quiet`.
        quiet: bool,
        /// Was it a list in parentheses (for `///`: up to the line's end), or a single expression?
        list: bool,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `square x in S F`, `x ∊ S F` …
    ForEach {
        /// Over what.
        kind: LoopKind,
        /// `all`, `∀`.
        all: bool,
        /// The variable.
        name: Ident,
        /// The set or dictionary.
        set: Box<Expr>,
        /// The body.
        body: Box<Expr>,
    },
    /// `if c then f else g`.
    If {
        /// The condition.
        condition: Box<Expr>,
        /// What if it matches.
        then: Box<Expr>,
        /// What if not.
        otherwise: Option<Box<Expr>>,
    },
    /// `while (c) f`.
    While {
        /// The condition.
        condition: Box<Expr>,
        /// The body.
        body: Box<Expr>,
    },
}

impl Expr {
    /// An expression; computes the depth from its children.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let mut depth = 0;
        kind.for_each_child(&mut |child| depth = depth.max(child.depth));
        Expr { kind, span, depth: depth.saturating_add(1) }
    }

    /// Boxed, for use as a child.
    pub fn boxed(self) -> Box<Expr> {
        Box::new(self)
    }
}
