//! All keywords: in which kind of list each one stands, what has to follow it, and what it says.

use std::collections::BTreeSet;

use super::tree::{
    Designator, Flag, Item, List, MatchItem, MovePart, NumberKind, Range, RayKind, RelationFlag,
    RelationItem, Transform,
};
use crate::hir::GameResult;

/// The parameters of a keyword, in order, and what it makes of them. A range that is optional has a
/// default.
pub(super) enum Signature<T> {
    None(T),
    Name(fn(String) -> T),
    Range(fn(Range) -> T),
    OptionalRange(fn(Range) -> T),
    Result(fn(GameResult) -> T),
    Designator(fn(Designator) -> T),
    /// `((position …) …)`
    Lists(fn(Vec<List>) -> T),
    /// Keywords of the table `RELATION` in parentheses.
    Relation(fn(Vec<RelationItem>) -> T),
    NameRange(fn(String, Range) -> T),
    NameDesignator(fn(String, Designator) -> T),
    DesignatorRange(fn(Designator, Range) -> T),
    DesignatorOptionalRange(fn(Designator, Range) -> T),
    TwoDesignatorsOptionalRange(fn(Designator, Designator, Range) -> T),
    /// Two or more designators in parentheses, and the range.
    RayOptionalRange(fn(Vec<Designator>, Range) -> T),
}

/// The keywords of a kind of list, without the colon.
pub(super) type Table<T> = &'static [(&'static str, Signature<T>)];

/// The keywords of `(match …)`.
pub(super) const MATCH: Table<MatchItem> = &[
    ("forany", Signature::NameDesignator(|tag, pieces| MatchItem::ForAny { tag, pieces })),
    ("gamenumber", Signature::Range(MatchItem::GameNumber)),
    ("output", Signature::Name(MatchItem::Output)),
    ("pgn", Signature::Name(MatchItem::Pgn)),
    ("player", Signature::Name(MatchItem::Player)),
    ("result", Signature::Result(MatchItem::Result)),
    ("year", Signature::Range(MatchItem::Year)),
];

/// The keywords of `(position …)`.
pub(super) const POSITION: Table<Item> = &[
    ("accumulate", Signature::Name(Item::Accumulate)),
    ("and", Signature::Lists(|lists| Item::Logic { or: false, lists })),
    (
        "attackcount",
        Signature::TwoDesignatorsOptionalRange(|attackers, targets, range| Item::AttackCount {
            attackers,
            targets,
            range,
        }),
    ),
    ("blackelo", Signature::Range(|range| Item::Number(NumberKind::BlackElo, range))),
    ("btm", Signature::None(Item::Flag(Flag::Btm))),
    ("check", Signature::None(Item::Flag(Flag::Check))),
    ("elo", Signature::Range(|range| Item::Number(NumberKind::Elo, range))),
    ("enpassant", Signature::None(Item::Flag(Flag::EnPassant))),
    ("flip", transform(Transform::Flip)),
    ("flipcolor", transform(Transform::FlipColor)),
    ("flipdiagonal", transform(Transform::FlipDiagonal)),
    ("flipdihedral", transform(Transform::Flip)),
    ("fliphorizontal", transform(Transform::FlipHorizontal)),
    ("flipoffdiagonal", transform(Transform::FlipOffDiagonal)),
    ("flipvertical", transform(Transform::FlipVertical)),
    ("gappedsequence", Signature::Lists(|lists| Item::Sequence { gapped: true, lists })),
    ("initial", Signature::None(Item::Flag(Flag::Initial))),
    ("markall", Signature::None(Item::Flag(Flag::MarkAll))),
    (
        "matchcount",
        Signature::OptionalRange(|range| Item::MatchCount { pre_transform: false, range }),
    ),
    ("mate", Signature::None(Item::Flag(Flag::Mate))),
    ("movefrom", Signature::Designator(|pieces| Item::Move(MovePart::From, pieces))),
    ("movenumber", Signature::Range(|range| Item::Number(NumberKind::MoveNumber, range))),
    ("moveto", Signature::Designator(|pieces| Item::Move(MovePart::To, pieces))),
    ("noannotate", Signature::None(Item::Flag(Flag::NoAnnotate))),
    ("nocheck", Signature::None(Item::Flag(Flag::NoCheck))),
    ("noenpassant", Signature::None(Item::Flag(Flag::NoEnPassant))),
    ("not", Signature::None(Item::Flag(Flag::Not))),
    ("or", Signature::Lists(|lists| Item::Logic { or: true, lists })),
    ("piececount", Signature::DesignatorOptionalRange(Item::PieceCount)),
    (
        "power",
        Signature::DesignatorRange(|pieces, range| Item::Power {
            difference: false,
            pieces,
            range,
        }),
    ),
    (
        "powerdifference",
        Signature::DesignatorRange(|pieces, range| Item::Power { difference: true, pieces, range }),
    ),
    (
        "pretransformmatchcount",
        Signature::OptionalRange(|range| Item::MatchCount { pre_transform: true, range }),
    ),
    ("promote", Signature::Designator(|pieces| Item::Move(MovePart::Promote, pieces))),
    (
        "ray",
        Signature::RayOptionalRange(|sets, range| Item::Ray { kind: RayKind::Any, sets, range }),
    ),
    (
        "rayattack",
        Signature::RayOptionalRange(|sets, range| Item::Ray { kind: RayKind::Attack, sets, range }),
    ),
    (
        "raydiagonal",
        Signature::RayOptionalRange(|sets, range| Item::Ray {
            kind: RayKind::Diagonal,
            sets,
            range,
        }),
    ),
    (
        "rayhorizontal",
        Signature::RayOptionalRange(|sets, range| Item::Ray {
            kind: RayKind::Horizontal,
            sets,
            range,
        }),
    ),
    (
        "rayorthogonal",
        Signature::RayOptionalRange(|sets, range| Item::Ray {
            kind: RayKind::Orthogonal,
            sets,
            range,
        }),
    ),
    (
        "rayvertical",
        Signature::RayOptionalRange(|sets, range| Item::Ray {
            kind: RayKind::Vertical,
            sets,
            range,
        }),
    ),
    ("relation", Signature::Relation(Item::Relation)),
    ("result", Signature::Result(Item::Result)),
    ("sequence", Signature::Lists(|lists| Item::Sequence { gapped: false, lists })),
    ("shift", transform(Transform::Shift)),
    ("shiftdiagonal", transform(Transform::ShiftDiagonal)),
    ("shifthorizontal", transform(Transform::ShiftHorizontal)),
    ("shiftmaindiagonal", transform(Transform::ShiftMainDiagonal)),
    ("shiftoffdiagonal", transform(Transform::ShiftOffDiagonal)),
    ("shiftvertical", transform(Transform::ShiftVertical)),
    ("stalemate", Signature::None(Item::Flag(Flag::Stalemate))),
    ("sumrange", Signature::NameRange(Item::SumRange)),
    ("tagmatch", Signature::NameDesignator(Item::TagMatch)),
    ("terminal", Signature::None(Item::Flag(Flag::Terminal))),
    ("variations", Signature::None(Item::Flag(Flag::Variations))),
    ("variationsonly", Signature::None(Item::Flag(Flag::VariationsOnly))),
    ("whiteelo", Signature::Range(|range| Item::Number(NumberKind::WhiteElo, range))),
    ("wtm", Signature::None(Item::Flag(Flag::Wtm))),
];

/// The keywords of the list after `:relation`.
pub(super) const RELATION: Table<RelationItem> = &[
    ("changesidetomove", Signature::None(RelationItem::Flag(RelationFlag::ChangedSide))),
    ("flip", Signature::None(RelationItem::Flag(RelationFlag::Flip))),
    ("flipdihedral", Signature::None(RelationItem::Flag(RelationFlag::Flip))),
    ("ignoresidetomove", Signature::None(RelationItem::Flag(RelationFlag::AnySide))),
    (
        "missingpiececount",
        Signature::DesignatorOptionalRange(|pieces, range| RelationItem::Pieces {
            new: false,
            pieces,
            range,
        }),
    ),
    (
        "newpiececount",
        Signature::DesignatorOptionalRange(|pieces, range| RelationItem::Pieces {
            new: true,
            pieces,
            range,
        }),
    ),
    (
        "originaldifferentcount",
        Signature::OptionalRange(|range| RelationItem::Count { different: true, range }),
    ),
    (
        "originalsamecount",
        Signature::OptionalRange(|range| RelationItem::Count { different: false, range }),
    ),
    ("pattern", Signature::None(RelationItem::Flag(RelationFlag::Pattern))),
    ("samesidetomove", Signature::None(RelationItem::Flag(RelationFlag::SameSide))),
    ("shift", Signature::None(RelationItem::Flag(RelationFlag::Shift))),
    ("variations", Signature::None(RelationItem::Flag(RelationFlag::Variations))),
    ("variationsonly", Signature::None(RelationItem::Flag(RelationFlag::VariationsOnly))),
];

const fn transform(transform: Transform) -> Signature<Item> {
    Signature::None(Item::Flag(Flag::Transform(transform)))
}

/// A keyword as the tables spell it.
pub(super) fn named(name: &str) -> Option<&'static str> {
    all().find(|known| *known == name)
}

/// The names of all keywords, each once.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    all().collect::<BTreeSet<_>>().into_iter()
}

fn all() -> impl Iterator<Item = &'static str> {
    let lists = POSITION.iter().map(|(name, _)| *name);
    let matches = MATCH.iter().map(|(name, _)| *name);
    let relations = RELATION.iter().map(|(name, _)| *name);
    lists.chain(matches).chain(relations)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two rows with one name the second would be without effect.
    #[test]
    fn each_table_has_a_name_once() {
        fn check<T>(table: Table<T>) {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
        check(MATCH);
        check(POSITION);
        check(RELATION);
    }
}
