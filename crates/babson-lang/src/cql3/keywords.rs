//! The keywords of each kind of list, with their parameters and the items that they make.

use std::collections::BTreeSet;

use super::tree::{
    Cql3Designator, MatchItem, MovePart, NumberKind, PositionFlag, PositionItem, PositionList,
    RayKind, RelationFlag, RelationItem, TransformKeyword, ValueRange,
};
use crate::hir::GameResult;

/// The parameters of a keyword, in order, and the function that makes an item of them. An optional
/// range has a default.
pub(super) enum Signature<T> {
    None(T),
    Name(fn(String) -> T),
    ValueRange(fn(ValueRange) -> T),
    OptionalRange(fn(ValueRange) -> T),
    Result(fn(GameResult) -> T),
    Designator(fn(Cql3Designator) -> T),
    /// `((position …) …)`
    Lists(fn(Vec<PositionList>) -> T),
    /// Keywords of the table [`RELATION`] in parentheses.
    Relation(fn(Vec<RelationItem>) -> T),
    NameRange(fn(String, ValueRange) -> T),
    NameDesignator(fn(String, Cql3Designator) -> T),
    DesignatorRange(fn(Cql3Designator, ValueRange) -> T),
    DesignatorOptionalRange(fn(Cql3Designator, ValueRange) -> T),
    TwoDesignatorsOptionalRange(fn(Cql3Designator, Cql3Designator, ValueRange) -> T),
    /// Two or more designators in parentheses, and the range.
    RayOptionalRange(fn(Vec<Cql3Designator>, ValueRange) -> T),
}

/// The keywords of a kind of list, without the colon.
pub(super) type KeywordTable<T> = &'static [(&'static str, Signature<T>)];

/// The keywords of `(match …)`.
pub(super) const MATCH: KeywordTable<MatchItem> = &[
    ("forany", Signature::NameDesignator(|tag, pieces| MatchItem::ForAny { tag, pieces })),
    ("gamenumber", Signature::ValueRange(MatchItem::GameNumber)),
    ("output", Signature::Name(MatchItem::Output)),
    ("pgn", Signature::Name(MatchItem::Pgn)),
    ("player", Signature::Name(MatchItem::Player)),
    ("result", Signature::Result(MatchItem::Result)),
    ("year", Signature::ValueRange(MatchItem::Year)),
];

/// The keywords of `(position …)`.
pub(super) const POSITION: KeywordTable<PositionItem> = &[
    ("accumulate", Signature::Name(PositionItem::Accumulate)),
    ("and", Signature::Lists(|lists| PositionItem::Logic { or: false, lists })),
    (
        "attackcount",
        Signature::TwoDesignatorsOptionalRange(|attackers, targets, range| {
            PositionItem::AttackCount { attackers, targets, range }
        }),
    ),
    ("blackelo", Signature::ValueRange(|range| PositionItem::Number(NumberKind::BlackElo, range))),
    ("btm", Signature::None(PositionItem::Flag(PositionFlag::Btm))),
    ("check", Signature::None(PositionItem::Flag(PositionFlag::Check))),
    ("elo", Signature::ValueRange(|range| PositionItem::Number(NumberKind::Elo, range))),
    ("enpassant", Signature::None(PositionItem::Flag(PositionFlag::EnPassant))),
    ("flip", transform(TransformKeyword::Flip)),
    ("flipcolor", transform(TransformKeyword::FlipColor)),
    ("flipdiagonal", transform(TransformKeyword::FlipDiagonal)),
    ("flipdihedral", transform(TransformKeyword::Flip)),
    ("fliphorizontal", transform(TransformKeyword::FlipHorizontal)),
    ("flipoffdiagonal", transform(TransformKeyword::FlipOffDiagonal)),
    ("flipvertical", transform(TransformKeyword::FlipVertical)),
    ("gappedsequence", Signature::Lists(|lists| PositionItem::Sequence { gapped: true, lists })),
    ("initial", Signature::None(PositionItem::Flag(PositionFlag::Initial))),
    ("markall", Signature::None(PositionItem::Flag(PositionFlag::MarkAll))),
    (
        "matchcount",
        Signature::OptionalRange(|range| PositionItem::MatchCount { pre_transform: false, range }),
    ),
    ("mate", Signature::None(PositionItem::Flag(PositionFlag::Mate))),
    ("movefrom", Signature::Designator(|pieces| PositionItem::Move(MovePart::From, pieces))),
    (
        "movenumber",
        Signature::ValueRange(|range| PositionItem::Number(NumberKind::MoveNumber, range)),
    ),
    ("moveto", Signature::Designator(|pieces| PositionItem::Move(MovePart::To, pieces))),
    ("noannotate", Signature::None(PositionItem::Flag(PositionFlag::NoAnnotate))),
    ("nocheck", Signature::None(PositionItem::Flag(PositionFlag::NoCheck))),
    ("noenpassant", Signature::None(PositionItem::Flag(PositionFlag::NoEnPassant))),
    ("not", Signature::None(PositionItem::Flag(PositionFlag::Not))),
    ("or", Signature::Lists(|lists| PositionItem::Logic { or: true, lists })),
    ("piececount", Signature::DesignatorOptionalRange(PositionItem::PieceCount)),
    (
        "power",
        Signature::DesignatorRange(|pieces, range| PositionItem::Power {
            difference: false,
            pieces,
            range,
        }),
    ),
    (
        "powerdifference",
        Signature::DesignatorRange(|pieces, range| PositionItem::Power {
            difference: true,
            pieces,
            range,
        }),
    ),
    (
        "pretransformmatchcount",
        Signature::OptionalRange(|range| PositionItem::MatchCount { pre_transform: true, range }),
    ),
    ("promote", Signature::Designator(|pieces| PositionItem::Move(MovePart::Promote, pieces))),
    (
        "ray",
        Signature::RayOptionalRange(|sets, range| PositionItem::Ray {
            kind: RayKind::Any,
            sets,
            range,
        }),
    ),
    (
        "rayattack",
        Signature::RayOptionalRange(|sets, range| PositionItem::Ray {
            kind: RayKind::Attack,
            sets,
            range,
        }),
    ),
    (
        "raydiagonal",
        Signature::RayOptionalRange(|sets, range| PositionItem::Ray {
            kind: RayKind::Diagonal,
            sets,
            range,
        }),
    ),
    (
        "rayhorizontal",
        Signature::RayOptionalRange(|sets, range| PositionItem::Ray {
            kind: RayKind::Horizontal,
            sets,
            range,
        }),
    ),
    (
        "rayorthogonal",
        Signature::RayOptionalRange(|sets, range| PositionItem::Ray {
            kind: RayKind::Orthogonal,
            sets,
            range,
        }),
    ),
    (
        "rayvertical",
        Signature::RayOptionalRange(|sets, range| PositionItem::Ray {
            kind: RayKind::Vertical,
            sets,
            range,
        }),
    ),
    ("relation", Signature::Relation(PositionItem::Relation)),
    ("result", Signature::Result(PositionItem::Result)),
    ("sequence", Signature::Lists(|lists| PositionItem::Sequence { gapped: false, lists })),
    ("shift", transform(TransformKeyword::Shift)),
    ("shiftdiagonal", transform(TransformKeyword::ShiftDiagonal)),
    ("shifthorizontal", transform(TransformKeyword::ShiftHorizontal)),
    ("shiftmaindiagonal", transform(TransformKeyword::ShiftMainDiagonal)),
    ("shiftoffdiagonal", transform(TransformKeyword::ShiftOffDiagonal)),
    ("shiftvertical", transform(TransformKeyword::ShiftVertical)),
    ("stalemate", Signature::None(PositionItem::Flag(PositionFlag::Stalemate))),
    ("sumrange", Signature::NameRange(PositionItem::SumRange)),
    ("tagmatch", Signature::NameDesignator(PositionItem::TagMatch)),
    ("terminal", Signature::None(PositionItem::Flag(PositionFlag::Terminal))),
    ("variations", Signature::None(PositionItem::Flag(PositionFlag::Variations))),
    ("variationsonly", Signature::None(PositionItem::Flag(PositionFlag::VariationsOnly))),
    ("whiteelo", Signature::ValueRange(|range| PositionItem::Number(NumberKind::WhiteElo, range))),
    ("wtm", Signature::None(PositionItem::Flag(PositionFlag::Wtm))),
];

/// The keywords of the list after `:relation`.
pub(super) const RELATION: KeywordTable<RelationItem> = &[
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

const fn transform(transform: TransformKeyword) -> Signature<PositionItem> {
    Signature::None(PositionItem::Flag(PositionFlag::Transform(transform)))
}

/// The keyword of this name in the tables.
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

    /// A second row with the same name would have no effect.
    #[test]
    fn each_table_has_a_name_once() {
        fn check<T>(table: KeywordTable<T>) {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
        check(MATCH);
        check(POSITION);
        check(RELATION);
    }
}
