//! The syntax tree of a CQL 3 query.
//!
//! Items have no spans: two lists are equal if their items are, so that equal images of a list
//! under its transforms can be removed. A list keeps the spans of its items beside them.

use babson_lang::Span;
use babson_lang::hir::{
    Color, Condition, Content, Directions, GameResult, NodeSelection, RecurrenceSide,
};

/// `(match …)`
#[derive(Clone, Debug)]
pub(crate) struct MatchList {
    pub(crate) items: Vec<(MatchItem, Span)>,
    pub(crate) span: Span,
}

impl MatchList {
    /// The position lists.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &PositionList> {
        self.items.iter().filter_map(|(item, _)| {
            if let MatchItem::Position(list) = item { Some(list) } else { None }
        })
    }

    /// Whether a list visits variations, or a `:relation` looks into variations, which it may do
    /// where its list does not visit them.
    pub(crate) fn visits_variations(&self) -> bool {
        self.lists().any(|list| {
            list.nodes() != NodeSelection::MainLine || list.any(&PositionItem::visits_variations)
        })
    }
}

/// An item of `(match …)`.
#[derive(Clone, Debug)]
pub(crate) enum MatchItem {
    Position(PositionList),
    Pgn(String),
    Output(String),
    Year(ValueRange),
    Result(GameResult),
    GameNumber(ValueRange),
    Player(String),
    ForAny { tag: String, pieces: Cql3Designator },
}

/// `(position …)`
#[derive(Clone, Debug)]
pub(crate) struct PositionList {
    pub(crate) items: Vec<PositionItem>,
    /// The spans of the items, in the same order.
    pub(crate) spans: Vec<Span>,
    pub(crate) span: Span,
}

impl PartialEq for PositionList {
    fn eq(&self, other: &PositionList) -> bool {
        self.items == other.items
    }
}

impl Eq for PositionList {}

impl std::hash::Hash for PositionList {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.items.hash(state);
    }
}

impl PositionList {
    /// Whether the keyword is an item of this list.
    pub(crate) fn has(&self, flag: PositionFlag) -> bool {
        self.items.contains(&PositionItem::Flag(flag))
    }

    /// The items with their spans.
    pub(crate) fn spanned(&self) -> impl Iterator<Item = (&PositionItem, Span)> {
        self.items.iter().zip(self.spans.iter().copied())
    }

    /// The nodes that the list visits, if it is at the top level.
    pub(crate) fn nodes(&self) -> NodeSelection {
        if self.has(PositionFlag::VariationsOnly) {
            NodeSelection::Variations
        } else if self.has(PositionFlag::Variations) {
            NodeSelection::All
        } else {
            NodeSelection::MainLine
        }
    }

    /// The ranges of `:matchcount` and of `:pretransformmatchcount`.
    pub(crate) fn match_counts(&self) -> (Option<ValueRange>, Option<ValueRange>) {
        let (mut count, mut of_images) = (None, None);
        for item in &self.items {
            if let PositionItem::MatchCount { pre_transform, range } = item {
                *if *pre_transform { &mut of_images } else { &mut count } = Some(*range);
            }
        }
        (count, of_images)
    }

    /// The transform keywords of this list, sorted, each once.
    pub(crate) fn transforms(&self) -> Vec<TransformKeyword> {
        let transform = |item: &PositionItem| {
            if let PositionItem::Flag(PositionFlag::Transform(transform)) = item {
                Some(*transform)
            } else {
                None
            }
        };
        let mut transforms: Vec<TransformKeyword> =
            self.items.iter().filter_map(transform).collect();
        transforms.sort_unstable();
        transforms.dedup();
        transforms
    }

    /// The list without its transform keywords. Those of nested lists stay.
    pub(crate) fn without_transforms(&self) -> PositionList {
        self.without(|item| matches!(item, PositionItem::Flag(PositionFlag::Transform(_))))
    }

    /// The list without the items that pass the test.
    pub(crate) fn without(&self, dropped: impl Fn(&PositionItem) -> bool) -> PositionList {
        let kept = self.spanned().filter(|(item, _)| !dropped(item));
        let (items, spans) = kept.map(|(item, span)| (item.clone(), span)).unzip();
        PositionList { items, spans, span: self.span }
    }

    /// Calls `see` for each item of this list and of the lists in it, with its span.
    pub(crate) fn visit<'l>(&'l self, see: &mut dyn FnMut(&'l PositionItem, Span)) {
        for (item, span) in self.spanned() {
            see(item, span);
            item.parts(&mut |part| {
                if let ItemPart::List(list) = part {
                    list.visit(see);
                }
            });
        }
    }

    /// Whether an item of this list, or of a list in it, passes the test.
    pub(crate) fn any(&self, test: &dyn Fn(&PositionItem) -> bool) -> bool {
        let passes =
            |item: &PositionItem| test(item) || !item.all_lists(&mut |list| !list.any(test));
        self.items.iter().any(passes)
    }
}

/// One item of a position list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PositionItem {
    Designator(Cql3Designator),
    Condition(Condition),
    Flag(PositionFlag),
    PieceCount(Cql3Designator, ValueRange),
    /// `:power`, or `:powerdifference`
    Power {
        difference: bool,
        pieces: Cql3Designator,
        range: ValueRange,
    },
    AttackCount {
        attackers: Cql3Designator,
        targets: Cql3Designator,
        range: ValueRange,
    },
    Ray {
        directions: Directions,
        /// Whether the ray must begin at a piece that moves in its direction.
        attack: bool,
        sets: Vec<Cql3Designator>,
        range: ValueRange,
    },
    Move(MovePart, Cql3Designator),
    Number(NumberKind, ValueRange),
    /// `:and`, or `:or`
    Logic {
        or: bool,
        lists: Vec<PositionList>,
    },
    /// `:sequence`, or `:gappedsequence`
    Sequence {
        gapped: bool,
        lists: Vec<PositionList>,
    },
    Relation(Vec<RelationItem>),
    /// `:matchcount`, or `:pretransformmatchcount`
    MatchCount {
        pre_transform: bool,
        range: ValueRange,
    },
    Accumulate(String),
    SumRange(String, ValueRange),
    TagMatch(String, Cql3Designator),
}

/// A part of an item that walks over the tree look at or change.
macro_rules! item_parts {
    ($Part:ident, $parts:ident, $iter:ident, $($mutable:ident)?) => {
        #[allow(dead_code, reason = "not every walk looks at every part")]
        pub(crate) enum $Part<'i> {
            Designator(&'i $($mutable)? Cql3Designator),
            /// A list in the item.
            List(&'i $($mutable)? PositionList),
            Range(&'i $($mutable)? ValueRange),
            /// The range of a difference: a value of White minus the same value of Black.
            Difference(&'i $($mutable)? ValueRange),
            Condition(&'i $($mutable)? Condition),
            Side(&'i $($mutable)? Color),
            Directions(&'i $($mutable)? Directions),
        }

        impl PositionItem {
            /// Calls `see` for each part of the item itself, in the order of the text.
            pub(crate) fn $parts<'i>(&'i $($mutable)? self, see: &mut dyn FnMut($Part<'i>)) {
                match self {
                    PositionItem::Designator(d)
                    | PositionItem::Move(_, d)
                    | PositionItem::TagMatch(_, d) => see($Part::Designator(d)),
                    PositionItem::PieceCount(d, range)
                    | PositionItem::Power { difference: false, pieces: d, range } => {
                        see($Part::Designator(d));
                        see($Part::Range(range));
                    }
                    PositionItem::Power { pieces, range, .. } => {
                        see($Part::Designator(pieces));
                        see($Part::Difference(range));
                    }
                    PositionItem::AttackCount { attackers, targets, range } => {
                        see($Part::Designator(attackers));
                        see($Part::Designator(targets));
                        see($Part::Range(range));
                    }
                    PositionItem::Ray { directions, sets, range, .. } => {
                        see($Part::Directions(directions));
                        sets.$iter().for_each(|set| see($Part::Designator(set)));
                        see($Part::Range(range));
                    }
                    PositionItem::Number(NumberKind::Elo(Some(side)), range) => {
                        see($Part::Side(side));
                        see($Part::Range(range));
                    }
                    PositionItem::Number(_, range)
                    | PositionItem::MatchCount { range, .. }
                    | PositionItem::SumRange(_, range) => see($Part::Range(range)),
                    PositionItem::Condition(condition) => see($Part::Condition(condition)),
                    PositionItem::Logic { lists, .. } | PositionItem::Sequence { lists, .. } => {
                        lists.$iter().for_each(|list| see($Part::List(list)));
                    }
                    PositionItem::Flag(_)
                    | PositionItem::Relation(_)
                    | PositionItem::Accumulate(_) => {}
                }
            }
        }
    };
}

item_parts! { ItemPart, parts, iter, }
item_parts! { ItemPartMut, parts_mut, iter_mut, mut }

impl PositionItem {
    /// Whether the item depends on the next move.
    pub(super) fn is_about_a_move(&self) -> bool {
        matches!(
            self,
            PositionItem::Move(..)
                | PositionItem::Sequence { .. }
                | PositionItem::Flag(PositionFlag::EnPassant | PositionFlag::NoEnPassant)
        )
    }

    /// Whether all lists in the item pass the test.
    pub(crate) fn all_lists(&self, test: &mut dyn FnMut(&PositionList) -> bool) -> bool {
        let mut all = true;
        self.parts(&mut |part| {
            if let ItemPart::List(list) = part {
                all = all && test(list);
            }
        });
        all
    }

    /// Whether all designators of the item itself pass the test.
    pub(crate) fn all_designators(&self, test: &dyn Fn(&Cql3Designator) -> bool) -> bool {
        let mut all = true;
        self.parts(&mut |part| {
            if let ItemPart::Designator(designator) = part {
                all = all && test(designator);
            }
        });
        all
    }

    /// Whether it is a `:relation` that looks into variations.
    pub(crate) fn visits_variations(&self) -> bool {
        let is_scope = |item: &RelationItem| matches!(item, RelationItem::Nodes(_));
        matches!(self, PositionItem::Relation(items) if items.iter().any(is_scope))
    }
}

/// Other keywords without parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PositionFlag {
    NoCheck,
    EnPassant,
    NoEnPassant,
    Variations,
    VariationsOnly,
    MarkAll,
    NoAnnotate,
    Not,
    Transform(TransformKeyword),
}

/// The keywords of transforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TransformKeyword {
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

/// The part of the next move that a designator describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MovePart {
    From,
    To,
    Promote,
}

/// Keywords whose only parameter is a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NumberKind {
    MoveNumber,
    /// Of one side, or of either.
    Elo(Option<Color>),
}

/// A parameter of `:relation`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RelationItem {
    Pattern,
    Shift,
    Flip,
    Side(RecurrenceSide),
    /// `:variations`, or `:variationsonly`
    Nodes(NodeSelection),
    /// `:originalsamecount`, or `:originaldifferentcount`
    Count {
        different: bool,
        range: ValueRange,
    },
    /// `:missingpiececount`, or `:newpiececount`
    Pieces {
        new: bool,
        pieces: Cql3Designator,
        range: ValueRange,
    },
}

/// An inclusive range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ValueRange {
    pub(crate) lo: i32,
    pub(crate) hi: i32,
}

impl ValueRange {
    /// The range of a count without one
    /// (docs/src/language/cql3.md#points-that-the-manual-leaves-open).
    pub(crate) const DEFAULT: ValueRange = ValueRange { lo: 1, hi: 1000 };

    pub(crate) fn contains(self, n: i32) -> bool {
        (self.lo..=self.hi).contains(&n)
    }
}

/// A piece designator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cql3Designator {
    pub(crate) pieces: Pieces,
    /// Bit 0 is a1, bit 63 h8.
    pub(crate) squares: u64,
}

/// What a designator looks for on its squares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pieces {
    Kinds(Content),
    /// `$tag`
    Tag(String),
}
