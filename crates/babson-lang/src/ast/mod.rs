//! The AST: the tree that the grammar builds, before names and types are resolved.
//!
//! Left-associative operators of one level are one flat node ([`ExprKind::Infix`]). So the type
//! checker can move operators that do not fit
//! (docs/src/language/reading.md#operators-that-do-not-fit) by `Vec` operations, and long sums and
//! long lists of alternatives are shallow.
//!
//! Where the HIR has a type of the same name, as [`Expr`] and [`Query`], that one is what this one
//! is lowered to. Code that uses both writes `ast::Expr` and `hir::Expr`.

mod filter;
mod header;
pub(crate) mod levels;
mod operators;
mod parameters;
pub mod print;
mod walk;

pub use crate::diagnostic::Span;
pub use crate::keywords::Keyword;
pub use crate::limits::MAX_DEPTH;
pub use crate::literals::{Content, GameResult};
pub use filter::{Filter, Param, ParamKind};
pub use header::{Header, HeaderKind, HeaderParam, Ident, Query, StringLiteral};
pub use operators::{Arithmetic, AssignOp, ComparisonOperator, InfixOp, PrecedenceLevel};
pub(crate) use operators::{BinaryOp, SUBTRACT};
pub use parameters::{
    Dash, DesignatorLiteral, InfixOperand, LineConstituent, LineConstituentKind, LoopKind,
    PathConstituent, PathConstituentKind, RangeBound, RangeBoundKind, RangeParam, Storage,
    TypeName, Wildcard,
};

/// A filter or an operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The kind, with its children.
    pub kind: ExprKind,
    /// The place.
    pub span: Span,
    /// Height of the tree: 1 for a leaf. [`Expr::new`] computes it.
    pub depth: u16,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A syntax error from which the parser recovered; never in a tree that [`crate::parse`]
    /// returns.
    Error,
    /// An integer literal, wrapped to 32 bits (docs/src/language/reading.md#lexemes).
    Int(i32),
    /// A string literal.
    Str(String),
    /// A result literal without `result`.
    Result(GameResult),
    /// `result R`.
    ResultIs(GameResult),
    /// A piece designator.
    Designator(DesignatorLiteral),
    /// `.`
    AnySquare,
    /// `[]`
    EmptySet,
    /// `` ` ``, the identity.
    Identity,
    /// `\N`
    Group(u8),
    /// `\-N`
    GroupIndex(u8),
    /// `\{name}` (false) or `\-{name}` (true).
    NamedGroup(String, bool),
    /// A name.
    Name(String),
    /// A call of a function that the query declares.
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

    /// `a op b op c …` with left-associative operators of one level; `rest` is never empty.
    Infix {
        /// The level of the operators.
        level: PrecedenceLevel,
        /// The first operand.
        first: Box<Expr>,
        /// The other operands with their operators.
        rest: Vec<InfixOperand>,
    },
    /// `l op r`, right-associative.
    Relation {
        /// The left operand.
        left: Box<Expr>,
        /// The operator.
        op: ComparisonOperator,
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
        /// The operands, at least two.
        parts: Vec<Expr>,
        /// The places of the arrows, one fewer than operands.
        op_spans: Vec<Span>,
    },
    /// `l : r`; a speculative move if `l` is the filter `move`, an imagined board if it is
    /// `imagine`.
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
        /// A string or a dictionary.
        base: Box<Expr>,
        /// An index or a key.
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

    /// `x = F`, `x += F` and so on.
    Assign {
        /// The keywords before the name.
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

    /// A filter with a keyword: `check`, `power S`, `pin from S`, `between(S T)` …
    Filter(Filter),
    /// `/// F…`, up to the end of the line.
    LineComment(Vec<Expr>),
    /// `previous --`, `legal --`, `countmoves legal --` …
    DashPrefix {
        /// The keywords in order.
        words: Vec<Keyword>,
        /// An [`ExprKind::Dash`] in a valid query.
        arg: Box<Expr>,
    },
    /// A dash filter.
    Dash(Dash),
    /// `path …`.
    Path {
        /// The keyword with the parameters.
        head: Filter,
        /// The constituents.
        parts: Vec<PathConstituent>,
    },
    /// `line …`.
    Line {
        /// The keyword with the parameters. `<--` is one of them.
        head: Filter,
        /// The constituents.
        parts: Vec<LineConstituent>,
    },
    /// `square x in S F`, `x ∊ S F` …
    ForEach {
        /// What the loop iterates over.
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
        /// The filter if the condition matches.
        then: Box<Expr>,
        /// The filter if it does not.
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
    /// Creates an expression and computes its depth from its children.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr::with_count(kind, span).0
    }

    /// The same, with the number of its children.
    pub(crate) fn with_count(kind: ExprKind, span: Span) -> (Expr, usize) {
        let (mut depth, mut children) = (0, 0);
        kind.for_each_child(&mut |child| {
            depth = depth.max(child.depth);
            children += 1;
        });
        (Expr { depth: depth.saturating_add(kind.levels()), kind, span }, children)
    }

    /// The keyword, if it is a filter without parameters and arguments.
    pub fn keyword(&self) -> Option<Keyword> {
        if let ExprKind::Filter(filter) = &self.kind
            && filter.is_plain()
        {
            Some(filter.keyword)
        } else {
            None
        }
    }

    /// Boxes the expression, for use as a child.
    pub fn boxed(self) -> Box<Expr> {
        Box::new(self)
    }
}
