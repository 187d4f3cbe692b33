//! The tree that the grammar builds: what is written, before names and types are known.
//!
//! Regrouping in the typing pass (grammar notes, section 3A) is why left-associative operators of one level are kept
//! as one flat node ([`ExprKind::Infix`]): cutting off or moving a tail is a `Vec` operation. It also keeps long sums and
//! long lists of alternatives shallow.

mod operators;
pub mod print;
mod walk;

pub use crate::diagnostic::Span;
pub use crate::keywords::Keyword;
pub use operators::{AssignOp, InfixOp, Level, RelOp};

/// Trees deeper than this are refused, so that recursion over them (dropping included) is safe on a small stack.
pub const MAX_DEPTH: u16 = 400;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The spelling, `$` included.
    pub name: String,
    /// The place.
    pub span: Span,
}

/// A string literal with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text {
    /// The content, without quotes and (for `\n` and its like) with the escape replaced.
    pub value: String,
    /// The place.
    pub span: Span,
}

/// A whole query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// `cql(…)`, if written.
    pub header: Option<Header>,
    /// The filters of the body, in order.
    pub items: Vec<Expr>,
}

/// `cql(…)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The parameters in the order written; repeated ones were already reported.
    pub params: Vec<HeaderParam>,
    /// From `cql` to `)`.
    pub span: Span,
}

/// One parameter of the header.
#[derive(Clone, Debug, PartialEq)]
pub struct HeaderParam {
    /// Which, with its argument.
    pub kind: HeaderKind,
    /// The place.
    pub span: Span,
}

/// The parameters of `cql(…)` (language.md 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderKind {
    /// `input F`.
    Input(String),
    /// `output F`.
    Output(String),
    /// `variations`.
    Variations,
    /// `matchcount LO [HI]`; without HI both are equal.
    MatchCount(i32, i32),
    /// `sort matchcount LO [HI]`.
    SortMatchCount(i32, i32),
    /// `gamenumber LO [HI]`.
    GameNumber(i32, i32),
    /// `result R`.
    Result(GameResult),
    /// `matchstring "S"`.
    MatchString(String),
    /// `quiet`.
    Quiet,
    /// `silent`.
    Silent,
}

/// A game result as the language can name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
}

/// What may stand on a square: a set of piece letters. Bit i is the i-th of `P N B R Q K p n b r q k _`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Content(pub u16);

impl Content {
    /// The letters in bit order; `_` is the empty square.
    pub const LETTERS: &'static [u8; 13] = b"PNBRQKpnbrqk_";
    /// `A`.
    pub const WHITE: Content = Content(0x003f);
    /// `a`.
    pub const BLACK: Content = Content(0x0fc0);
    /// `_`.
    pub const EMPTY: Content = Content(0x1000);
    /// `[Aa_]`.
    pub const ANY: Content = Content(0x1fff);

    /// Does it hold this letter (one of [`Content::LETTERS`])?
    pub fn contains(self, letter: u8) -> bool {
        Content::LETTERS
            .iter()
            .position(|&l| l == letter)
            .is_some_and(|bit| self.0 >> bit & 1 == 1)
    }
}

/// A piece designator: the squares of a set that hold one of some contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Designator {
    /// What may stand there; [`Content::ANY`] if no pieces were written.
    pub pieces: Content,
    /// The squares, bit 0 = a1, bit 7 = h1, bit 63 = h8; all if none were written.
    pub squares: u64,
    /// Were pieces written?
    pub has_pieces: bool,
    /// Were squares written?
    pub has_squares: bool,
}

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

/// One `op operand` of a left-associative chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Tail {
    /// The operator.
    pub op: InfixOp,
    /// Its place (what a veto of a binary `-` names).
    pub op_span: Span,
    /// The right operand.
    pub right: Expr,
}

/// Words before an assignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Storage {
    /// `atomic`.
    pub atomic: bool,
    /// `persistent`.
    pub persistent: bool,
    /// `persistent quiet`.
    pub quiet: bool,
    /// `local` (dictionaries).
    pub local: bool,
}

/// An optional range: a count of things, distances, lengths (language.md 5.4).
#[derive(Clone, Debug, PartialEq)]
pub enum Range {
    /// `count`: -100000 … 100000.
    Count(Span),
    /// `lo [hi]`; without `hi` both are equal.
    Bounds {
        /// The lower bound.
        lo: Bound,
        /// The upper bound, if written.
        hi: Option<Bound>,
    },
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Number or variable.
    pub kind: BoundKind,
    /// The place (what a veto of a range name names).
    pub span: Span,
}

/// A number, or a name that was taken for a numeric variable (a guess: the typing pass may veto it).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundKind {
    /// A literal.
    Int(i32),
    /// A variable.
    Name(String),
}

/// What a loop runs over, as far as the words say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// `square x in S`.
    Square,
    /// `piece x in S`, `[Aa]x ∊ S`.
    Piece,
    /// `key x in D`.
    Key,
    /// `string x in D`.
    String,
    /// `x ∊ S` or `x ∊ D`: types decide.
    Element,
}

/// `str`, `comment`, `message` and `///`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrintKind {
    /// `str`.
    Str,
    /// `comment`.
    Comment,
    /// `message`.
    Message,
    /// `///`.
    LineComment,
}

/// How often a part of `path` or `line` repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repeat {
    /// At least.
    pub min: u32,
    /// At most; `None` is no limit.
    pub max: Option<u32>,
    /// The place.
    pub span: Span,
}

/// A parameter of `move`.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveParam {
    /// `from to capture enpassantsquare promote` with operand, `comment` with arguments, otherwise a flag.
    pub keyword: Keyword,
    /// Operands: one for those with an operand, any for `comment`, none for a flag.
    pub args: Vec<Expr>,
    /// The place.
    pub span: Span,
}

/// A parameter of `pin`: `from`, `through` or `to` and its set.
#[derive(Clone, Debug, PartialEq)]
pub struct PinParam {
    /// Which.
    pub keyword: Keyword,
    /// The set.
    pub set: Expr,
}

/// A specifier of `imagine`.
#[derive(Clone, Debug, PartialEq)]
pub enum ImagineSpec {
    /// `piece D --> S`.
    Piece {
        /// A piece designator.
        piece: Expr,
        /// Where to.
        to: Expr,
    },
    /// `swap S T`.
    Swap(Expr, Expr),
    /// `sidetomove white|black|reverse`.
    SideToMove(Keyword),
}

/// A parameter of `path` or `line`.
#[derive(Clone, Debug, PartialEq)]
pub struct SeqParam {
    /// Which.
    pub kind: SeqParamKind,
    /// The place.
    pub span: Span,
}

/// The parameters of `path` and `line` (moves-and-sequences.md 7.1, 8).
#[derive(Clone, Debug, PartialEq)]
pub enum SeqParamKind {
    /// A range.
    Range(Range),
    /// `focus S`, `focus capture S`.
    Focus {
        /// With `capture`?
        capture: bool,
        /// The set.
        set: Box<Expr>,
    },
    /// `max F`.
    Max(Box<Expr>),
    /// `title "T"`.
    Title(Text),
    /// A word: `firstmatch keepallbest lastposition nestban piecepath primary quiet secondary singlecolor verbose`.
    Flag(Keyword),
}

/// A constituent of `path`.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPart {
    /// What.
    pub kind: PathPartKind,
    /// How often, if a wildcard follows.
    pub repeat: Option<Repeat>,
    /// The place.
    pub span: Span,
}

/// Kinds of constituents of `path`.
#[derive(Clone, Debug, PartialEq)]
pub enum PathPartKind {
    /// A dash filter and the filters that follow it, tested after the move.
    Step {
        /// An [`ExprKind::Dash`].
        dash: Box<Expr>,
        /// The filters after it.
        targets: Vec<Expr>,
    },
    /// A filter that must match the position reached.
    Holder(Box<Expr>),
    /// `( … )`.
    Chain(Vec<PathPart>),
}

/// A constituent of `line`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinePart {
    /// A filter or a group.
    pub kind: LinePartKind,
    /// The wildcards after it, in order.
    pub repeats: Vec<Repeat>,
    /// The place.
    pub span: Span,
}

/// Kinds of constituents of `line`.
#[derive(Clone, Debug, PartialEq)]
pub enum LinePartKind {
    /// A filter.
    Filter(Box<Expr>),
    /// `( C --> C )`.
    Group(Vec<LinePart>),
}

/// A dash filter: `L--R=P(T…)`, `L[x]R`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dash {
    /// `[x]` instead of `--`?
    pub capture: bool,
    /// The dash itself.
    pub op_span: Span,
    /// Origin.
    pub left: Option<Box<Expr>>,
    /// Destination, or capture square.
    pub right: Option<Box<Expr>>,
    /// What `=` asks for.
    pub promotion: Option<Box<Expr>>,
    /// The target, if there is one (never empty).
    pub targets: Vec<Expr>,
}

/// A type named in a dictionary declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeName {
    /// `int`.
    Int,
    /// `str`.
    Str,
    /// `set`.
    Set,
    /// `position`.
    Position,
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
    /// `l : r`. With [`ExprKind::Move`] or [`ExprKind::Imagine`] at the left, the speculative forms.
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
    /// A keyword with one argument and nothing else: `# power abs loop assert light …`, `child(N)` and `position N`.
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
        Expr {
            kind,
            span,
            depth: depth.saturating_add(1),
        }
    }

    /// Boxed, for use as a child.
    pub fn boxed(self) -> Box<Expr> {
        Box::new(self)
    }
}
