//! What a CQL 3 query says, as it is written.
//!
//! Items carry no places: two lists are equal when they say the same, which is what the removal of
//! duplicate transforms asks for (cql3.md D31). The places stand beside them.

use crate::diagnostic::Span;
use crate::hir::{Content, GameResult};

/// `(match …)`
#[derive(Clone, Debug)]
pub(crate) struct MatchList {
    pub(crate) items: Vec<(MatchItem, Span)>,
    pub(crate) span: Span,
}

/// What stands directly in `(match …)`.
#[derive(Clone, Debug)]
pub(crate) enum MatchItem {
    Position(List),
    Pgn(String),
    Output(String),
    Year(Range),
    Result(GameResult),
    GameNumber(Range),
    Player(String),
    ForAny { tag: String, pieces: Designator },
}

/// `(position …)`
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) items: Vec<Item>,
    /// Parallel to the items.
    pub(crate) spans: Vec<Span>,
    pub(crate) span: Span,
}

impl PartialEq for List {
    fn eq(&self, other: &List) -> bool {
        self.items == other.items
    }
}

impl Eq for List {}

impl std::hash::Hash for List {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.items.hash(state);
    }
}

impl List {
    /// Whether the keyword stands directly in the list.
    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.items.contains(&Item::Flag(flag))
    }

    /// The items with their places.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (&Item, Span)> {
        self.items.iter().zip(self.spans.iter().copied())
    }

    /// Hands out all items here and in the lists below, with their places.
    pub(crate) fn visit<'l>(&'l self, see: &mut dyn FnMut(&'l Item, Span)) {
        for (item, span) in self.placed() {
            see(item, span);
            for list in item.lists() {
                list.visit(see);
            }
        }
    }

    /// Whether an item here or in a list below passes the test.
    pub(crate) fn any(&self, test: &dyn Fn(&Item) -> bool) -> bool {
        self.items.iter().any(|item| test(item) || item.lists().iter().any(|list| list.any(test)))
    }
}

/// One item of a position list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    Designator(Designator),
    Flag(Flag),
    PieceCount(Designator, Range),
    /// `:power`, or `:powerdifference`
    Power {
        difference: bool,
        pieces: Designator,
        range: Range,
    },
    AttackCount {
        attackers: Designator,
        targets: Designator,
        range: Range,
    },
    Ray {
        kind: RayKind,
        sets: Vec<Designator>,
        range: Range,
    },
    Move(MovePart, Designator),
    Number(NumberKind, Range),
    Result(GameResult),
    /// `:and`, or `:or`
    Logic {
        or: bool,
        lists: Vec<List>,
    },
    /// `:sequence`, or `:gappedsequence`
    Sequence {
        gapped: bool,
        lists: Vec<List>,
    },
    Relation(Vec<RelationItem>),
    /// `:matchcount`, or `:pretransformmatchcount`
    MatchCount {
        pre_transform: bool,
        range: Range,
    },
    Accumulate(String),
    SumRange(String, Range),
    TagMatch(String, Designator),
}

/// One list of arms for shared and exclusive access.
macro_rules! designators {
    ($item:expr, $iter:ident) => {
        match $item {
            Item::Designator(d)
            | Item::PieceCount(d, _)
            | Item::Power { pieces: d, .. }
            | Item::Move(_, d)
            | Item::TagMatch(_, d) => vec![d],
            Item::AttackCount { attackers, targets, .. } => vec![attackers, targets],
            Item::Ray { sets, .. } => sets.$iter().collect(),
            _ => Vec::new(),
        }
    };
}

impl Item {
    /// The lists in the item.
    pub(crate) fn lists(&self) -> &[List] {
        match self {
            Item::Logic { lists, .. } | Item::Sequence { lists, .. } => lists,
            _ => &[],
        }
    }

    /// The range of the item, if it has one.
    pub(crate) fn range(&self) -> Option<Range> {
        match self {
            Item::PieceCount(_, range)
            | Item::Power { range, .. }
            | Item::AttackCount { range, .. }
            | Item::Ray { range, .. }
            | Item::Number(_, range)
            | Item::MatchCount { range, .. }
            | Item::SumRange(_, range) => Some(*range),
            _ => None,
        }
    }

    /// The designators of the item itself.
    pub(crate) fn designators(&self) -> Vec<&Designator> {
        designators!(self, iter)
    }

    /// The same, to be changed.
    pub(crate) fn designators_mut(&mut self) -> Vec<&mut Designator> {
        designators!(self, iter_mut)
    }
}

/// Keywords without parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Flag {
    Mate,
    Stalemate,
    Wtm,
    Btm,
    Initial,
    Terminal,
    Check,
    NoCheck,
    EnPassant,
    NoEnPassant,
    Variations,
    VariationsOnly,
    MarkAll,
    NoAnnotate,
    Not,
    Transform(Transform),
}

/// The keywords of transforms (cql3.md 8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Transform {
    Flip,
    FlipHorizontal,
    FlipVertical,
    FlipDiagonal,
    FlipOffDiagonal,
    FlipColor,
    Shift,
    ShiftHorizontal,
    ShiftVertical,
    ShiftMainDiagonal,
    ShiftOffDiagonal,
    ShiftDiagonal,
}

/// Which rays (cql3.md 7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RayKind {
    Any,
    Orthogonal,
    Diagonal,
    Horizontal,
    Vertical,
    Attack,
}

/// What of the next move a designator is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MovePart {
    From,
    To,
    Promote,
}

/// Keywords with a range of numbers only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NumberKind {
    MoveNumber,
    Elo,
    WhiteElo,
    BlackElo,
}

/// A parameter of `:relation`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RelationItem {
    Flag(RelationFlag),
    /// `:originalsamecount`, or `:originaldifferentcount`
    Count {
        different: bool,
        range: Range,
    },
    /// `:missingpiececount`, or `:newpiececount`
    Pieces {
        new: bool,
        pieces: Designator,
        range: Range,
    },
}

/// Parameters of `:relation` without parameters of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RelationFlag {
    Pattern,
    Shift,
    Flip,
    SameSide,
    ChangedSide,
    AnySide,
    Variations,
    VariationsOnly,
}

/// An inclusive range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Range {
    pub(crate) lo: i32,
    pub(crate) hi: i32,
}

impl Range {
    /// What a range is that is not written (cql3.md D4).
    pub(crate) const DEFAULT: Range = Range { lo: 1, hi: 1000 };

    pub(crate) fn contains(self, n: i32) -> bool {
        (self.lo..=self.hi).contains(&n)
    }
}

/// A piece designator (cql3.md 3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Designator {
    pub(crate) pieces: Pieces,
    /// Bit 0 is a1, bit 63 h8.
    pub(crate) squares: u64,
}

/// What a designator finds on its squares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pieces {
    Kinds(Content),
    /// `$tag`
    Tag(String),
}
