//! The whole query: its header, its variables and other things that its filters share.

use babson_chess::{Position, fen};

use super::{Expr, ExprKind, GameResult, MoveRunId, NestBanId, NodeId, Property, SortId, Type};
use crate::diagnostic::Span;
use crate::dialect::Dialect;

impl Query {
    /// Numbers the nodes, and the filters that keep a record through a game (those with `nestban`,
    /// and `consecutivemoves`), in textual order.
    ///
    /// Transforms are expanded by then, so each image of such a filter has a record of its own, as
    /// if the query had written the images one by one.
    pub fn number(&mut self) {
        let mut next = Numbers::default();
        for expr in self.body.iter_mut().chain(&mut self.begin).chain(&mut self.end) {
            next.number(expr);
        }
        (self.nodes, self.nest_bans, self.runs) = (next.node, next.nest_ban, next.run);
    }
}

/// The numbers that are given out next.
#[derive(Default)]
struct Numbers {
    node: u32,
    nest_ban: u32,
    run: u32,
}

impl Numbers {
    fn number(&mut self, expr: &mut Expr) {
        expr.id = NodeId(take(&mut self.node));
        if let ExprKind::Line(line) = &mut expr.kind {
            self.ban(&mut line.nest_ban);
        } else if let ExprKind::Path(path) = &mut expr.kind {
            self.ban(&mut path.nest_ban);
        } else if let ExprKind::ConsecutiveMoves(moves) = &mut expr.kind {
            moves.id = MoveRunId(take(&mut self.run));
        }
        expr.for_each_operand_mut(&mut |operand| self.number(operand));
    }

    fn ban(&mut self, ban: &mut Option<NestBanId>) {
        if let Some(ban) = ban {
            *ban = NestBanId(take(&mut self.nest_ban));
        }
    }
}

fn take(number: &mut u32) -> u32 {
    let taken = *number;
    *number += 1;
    taken
}

/// The file that `similarposition` compares with
/// (docs/src/language/similarposition.md#similarposition).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimilarPositionFile {
    /// Its name in the query.
    pub file: String,
    /// Whether only the positions themselves are compared, not their images.
    pub no_transform: bool,
    /// The span of its name.
    pub span: Span,
}

/// The position to which the matching positions of a game are compared
/// (docs/src/command-line.md#positions-like-a-fen). Only the most similar one of each game counts.
#[derive(Clone, Debug)]
pub struct Like {
    /// The position.
    pub position: Position,
    /// The sort key with the similarity of the best position.
    pub key: SortId,
}

impl Like {
    /// The placement of the pieces, as the first field of a FEN.
    pub fn board(&self) -> String {
        let mut board = String::new();
        fen::write_board(&self.position, &mut board);
        board
    }
}

/// A whole query, ready to be compiled.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The dialect that it was read in, which also decides what some filters do.
    pub dialect: Dialect,
    /// What the `cql(…)` header says.
    pub header: Header,
    /// The filters in order; the query matches a position when all match.
    pub body: Vec<Expr>,
    /// The filters of all `cqlbegin` blocks: evaluated once, before the first game.
    pub begin: Vec<Expr>,
    /// The filters of all `cqlend` blocks: evaluated once, after the last game.
    pub end: Vec<Expr>,
    /// All variables, those for arguments of functions included. Several may have one name.
    pub vars: Vec<Var>,
    /// All dictionaries.
    pub dictionaries: Vec<Dictionary>,
    /// The keys that `sort` filters feed, in order of first appearance (inner before outer).
    pub sorts: Vec<SortKey>,
    /// How many nodes there are.
    pub nodes: u32,
    /// How many `nestban` filters there are.
    pub nest_bans: u32,
    /// The file of all `similarposition` filters.
    pub similar: Option<SimilarPositionFile>,
    /// The position to which the matching positions are compared.
    pub like: Option<Like>,
    /// How many `consecutivemoves` there are.
    pub runs: u32,
    /// Whether `cql_assertvariations` or another filter demands variations: the span to blame.
    pub requires_variations: Option<Span>,
}

impl Query {
    /// Whether a filter asks for the number of the last game, so that the games must be counted
    /// before they are searched.
    pub fn wants_last_number(&self) -> bool {
        let last_number = ExprKind::Property(Property::LastGameNumber);
        let mut all = self.body.iter().chain(&self.begin).chain(&self.end);
        all.any(|expr| expr.any(&|expr| expr.kind == last_number))
    }
}

/// A file that the header names. Whoever opens it checks its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileName {
    /// The name without quotes.
    pub name: String,
    /// Whether the name may have any extension, as in CQL 3. The file is PGN then.
    pub any_ending: bool,
    /// The span of the parameter.
    pub span: Span,
}

impl FileName {
    /// A file with this name, which any extension may end if `any_ending`.
    pub fn new(name: &str, any_ending: bool, span: Span) -> FileName {
        FileName { name: name.to_owned(), any_ending, span }
    }
}

/// The parameters of `cql(…)` (docs/src/language/header.md#the-header).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Header {
    /// The PGN to read.
    pub input: Option<FileName>,
    /// The PGN to write.
    pub output: Option<FileName>,
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
    pub comment_level: CommentLevel,
}

impl Header {
    /// The inclusive range of game numbers, from 1; games outside it are not searched.
    pub fn game_range(&self) -> Option<(u64, u64)> {
        let number = |number| u64::try_from(number).unwrap_or(0);
        self.game_number.map(|(low, high)| (number(low), number(high)))
    }
}

/// The comments that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommentLevel {
    /// Everything.
    #[default]
    Normal,
    /// No match comment and no automatic ones.
    Quiet,
    /// None at all.
    Silent,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// Its name in the query. The variable for an argument of a function has the name of its
    /// parameter.
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
    /// The declared rule by which the copies of several threads are joined; it fits `value`.
    pub join_rule: Option<JoinRule>,
}

/// A rule by which two values under the same key become one
/// (docs/src/language/dictionaries.md#dictionaries).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinRule {
    /// `sum`: numbers are added, strings are put together.
    Sum,
    /// `min`: the smaller number or string.
    Min,
    /// `max`: the greater number or string.
    Max,
    /// `union`: the squares of either set.
    Union,
    /// `intersection`: the squares of both sets.
    Intersection,
}

impl JoinRule {
    /// The rules, with their names.
    const ALL: [(&'static str, JoinRule); 5] = [
        ("sum", JoinRule::Sum),
        ("min", JoinRule::Min),
        ("max", JoinRule::Max),
        ("union", JoinRule::Union),
        ("intersection", JoinRule::Intersection),
    ];

    /// The rule of this name.
    ///
    /// ```
    /// use babson_lang::hir::{JoinRule, Type};
    /// assert_eq!(JoinRule::parse("union"), Some(JoinRule::Union));
    /// assert_eq!(JoinRule::parse("mean"), None);
    /// let rules: Vec<&str> = JoinRule::of(Type::Number).map(JoinRule::name).collect();
    /// assert_eq!(rules, ["sum", "min", "max"]);
    /// ```
    pub fn parse(name: &str) -> Option<JoinRule> {
        let mut all = JoinRule::ALL.iter();
        all.find(|known| known.0 == name).map(|known| known.1)
    }

    /// The rules for values of a type; none for positions, which mean nothing in another game.
    pub fn of(value: Type) -> impl Iterator<Item = JoinRule> {
        JoinRule::ALL.into_iter().map(|known| known.1).filter(move |rule| rule.fits(value))
    }

    /// The name of the rule.
    pub const fn name(self) -> &'static str {
        JoinRule::ALL[self as usize].0
    }

    /// Whether it joins values of a type.
    pub const fn fits(self, value: Type) -> bool {
        match self {
            JoinRule::Sum | JoinRule::Min | JoinRule::Max => {
                matches!(value, Type::Number | Type::String)
            }
            JoinRule::Union | JoinRule::Intersection => matches!(value, Type::Set),
        }
    }
}

/// A key by which games are sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    /// Its description, or `<sort-id-N>`, the N-th without one.
    pub name: String,
    /// Number or String (a set counts its squares).
    pub ty: Type,
    /// Smaller is better.
    pub min: bool,
    /// Not shown in the header comment.
    pub quiet: bool,
}

impl SortKey {
    /// The name of the key that is the N-th without a description.
    pub(crate) fn name_of(number: u32) -> String {
        format!("<sort-id-{number}>")
    }

    /// N, if it is the N-th key without a description.
    ///
    /// ```
    /// use babson_lang::{Dialect, analyze};
    ///
    /// let analysis = analyze("sort \"moves\" ply sort #P", Dialect::CQLI).unwrap();
    /// let numbers: Vec<_> = analysis.query.sorts.iter().map(|key| key.number()).collect();
    /// assert_eq!(numbers, [None, Some(1)]);
    /// ```
    pub fn number(&self) -> Option<u32> {
        self.name.strip_prefix("<sort-id-")?.strip_suffix('>')?.parse().ok()
    }
}
