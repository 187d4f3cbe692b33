//! The keywords of each kind of list, with their parameters and the items that they make.

use std::collections::BTreeSet;

use super::arguments::{ArgumentResult, Arguments};
use super::lists;
use super::tree::{
    MatchItem, MovePart, NumberKind, PositionFlag, PositionItem, RelationItem, TransformKeyword,
};
use crate::hir::{Color, Condition, Directions, NodeSelection, RecurrenceSide};

/// The keywords of a kind of list, without the colon. Each has the function that reads its
/// parameters and makes an item of them.
pub(super) type KeywordTable<T> = &'static [(&'static str, ReadItem<T>)];

type ReadItem<T> = fn(&mut Arguments<'_, '_>) -> ArgumentResult<T>;

/// The keywords of `(match …)`.
pub(super) const MATCH: KeywordTable<MatchItem> = &[
    ("forany", |args| Ok(MatchItem::ForAny { tag: args.name()?, pieces: args.designator()? })),
    ("gamenumber", |args| Ok(MatchItem::GameNumber(args.range()?))),
    ("output", |args| Ok(MatchItem::Output(args.name()?))),
    ("pgn", |args| Ok(MatchItem::Pgn(args.name()?))),
    ("player", |args| Ok(MatchItem::Player(args.name()?))),
    ("result", |args| Ok(MatchItem::Result(args.result()?))),
    ("year", |args| Ok(MatchItem::Year(args.range()?))),
];

/// The keywords of `(position …)`.
pub(super) const POSITION: KeywordTable<PositionItem> = &[
    ("accumulate", |args| Ok(PositionItem::Accumulate(args.name()?))),
    ("and", |args| Ok(PositionItem::Logic { or: false, lists: args.items(&lists::LISTS)? })),
    ("attackcount", |args| {
        let (attackers, targets) = (args.designator()?, args.designator()?);
        Ok(PositionItem::AttackCount { attackers, targets, range: args.optional_range() })
    }),
    ("blackelo", |args| {
        Ok(PositionItem::Number(NumberKind::Elo(Some(Color::Black)), args.range()?))
    }),
    ("btm", |_| Ok(PositionItem::Condition(Condition::SideToMove(Color::Black)))),
    ("check", |_| Ok(PositionItem::Condition(Condition::Check))),
    ("elo", |args| Ok(PositionItem::Number(NumberKind::Elo(None), args.range()?))),
    ("enpassant", |_| Ok(PositionItem::Flag(PositionFlag::EnPassant))),
    ("flip", |_| transform(TransformKeyword::Flip)),
    ("flipcolor", |_| transform(TransformKeyword::FlipColor)),
    ("flipdiagonal", |_| transform(TransformKeyword::FlipDiagonal)),
    ("flipdihedral", |_| transform(TransformKeyword::Flip)),
    ("fliphorizontal", |_| transform(TransformKeyword::FlipHorizontal)),
    ("flipoffdiagonal", |_| transform(TransformKeyword::FlipOffDiagonal)),
    ("flipvertical", |_| transform(TransformKeyword::FlipVertical)),
    ("gappedsequence", |args| {
        Ok(PositionItem::Sequence { gapped: true, lists: args.items(&lists::LISTS)? })
    }),
    ("initial", |_| Ok(PositionItem::Condition(Condition::Initial))),
    ("markall", |_| Ok(PositionItem::Flag(PositionFlag::MarkAll))),
    ("matchcount", |args| match_count(args, false)),
    ("mate", |_| Ok(PositionItem::Condition(Condition::Mate))),
    ("movefrom", |args| Ok(PositionItem::Move(MovePart::From, args.designator()?))),
    ("movenumber", |args| Ok(PositionItem::Number(NumberKind::MoveNumber, args.range()?))),
    ("moveto", |args| Ok(PositionItem::Move(MovePart::To, args.designator()?))),
    ("noannotate", |_| Ok(PositionItem::Flag(PositionFlag::NoAnnotate))),
    ("nocheck", |_| Ok(PositionItem::Flag(PositionFlag::NoCheck))),
    ("noenpassant", |_| Ok(PositionItem::Flag(PositionFlag::NoEnPassant))),
    ("not", |_| Ok(PositionItem::Flag(PositionFlag::Not))),
    ("or", |args| Ok(PositionItem::Logic { or: true, lists: args.items(&lists::LISTS)? })),
    ("piececount", |args| Ok(PositionItem::PieceCount(args.designator()?, args.optional_range()))),
    ("power", |args| power(args, false)),
    ("powerdifference", |args| power(args, true)),
    ("pretransformmatchcount", |args| match_count(args, true)),
    ("promote", |args| Ok(PositionItem::Move(MovePart::Promote, args.designator()?))),
    ("ray", |args| ray(args, Directions::ALL, false)),
    ("rayattack", |args| ray(args, Directions::ALL, true)),
    ("raydiagonal", |args| ray(args, Directions::DIAGONAL, false)),
    ("rayhorizontal", |args| ray(args, Directions::HORIZONTAL, false)),
    ("rayorthogonal", |args| ray(args, Directions::ORTHOGONAL, false)),
    ("rayvertical", |args| ray(args, Directions::VERTICAL, false)),
    ("relation", |args| Ok(PositionItem::Relation(args.items(&lists::RELATION)?))),
    ("result", |args| Ok(PositionItem::Condition(Condition::Result(args.result()?)))),
    ("sequence", |args| {
        Ok(PositionItem::Sequence { gapped: false, lists: args.items(&lists::LISTS)? })
    }),
    ("shift", |_| transform(TransformKeyword::Shift)),
    ("shiftdiagonal", |_| transform(TransformKeyword::ShiftDiagonal)),
    ("shifthorizontal", |_| transform(TransformKeyword::ShiftHorizontal)),
    ("shiftmaindiagonal", |_| transform(TransformKeyword::ShiftMainDiagonal)),
    ("shiftoffdiagonal", |_| transform(TransformKeyword::ShiftOffDiagonal)),
    ("shiftvertical", |_| transform(TransformKeyword::ShiftVertical)),
    ("stalemate", |_| Ok(PositionItem::Condition(Condition::Stalemate))),
    ("sumrange", |args| Ok(PositionItem::SumRange(args.name()?, args.range()?))),
    ("tagmatch", |args| Ok(PositionItem::TagMatch(args.name()?, args.designator()?))),
    ("terminal", |_| Ok(PositionItem::Condition(Condition::Terminal))),
    ("variations", |_| Ok(PositionItem::Flag(PositionFlag::Variations))),
    ("variationsonly", |_| Ok(PositionItem::Flag(PositionFlag::VariationsOnly))),
    ("whiteelo", |args| {
        Ok(PositionItem::Number(NumberKind::Elo(Some(Color::White)), args.range()?))
    }),
    ("wtm", |_| Ok(PositionItem::Condition(Condition::SideToMove(Color::White)))),
];

/// The keywords of the list after `:relation`.
pub(super) const RELATION: KeywordTable<RelationItem> = &[
    ("changesidetomove", |_| Ok(RelationItem::Side(RecurrenceSide::Changed))),
    ("flip", |_| Ok(RelationItem::Flip)),
    ("flipdihedral", |_| Ok(RelationItem::Flip)),
    ("ignoresidetomove", |_| Ok(RelationItem::Side(RecurrenceSide::Any))),
    ("missingpiececount", |args| piece_count(args, false)),
    ("newpiececount", |args| piece_count(args, true)),
    ("originaldifferentcount", |args| {
        Ok(RelationItem::Count { different: true, range: args.optional_range() })
    }),
    ("originalsamecount", |args| {
        Ok(RelationItem::Count { different: false, range: args.optional_range() })
    }),
    ("pattern", |_| Ok(RelationItem::Pattern)),
    ("samesidetomove", |_| Ok(RelationItem::Side(RecurrenceSide::Same))),
    ("shift", |_| Ok(RelationItem::Shift)),
    ("variations", |_| Ok(RelationItem::Nodes(NodeSelection::All))),
    ("variationsonly", |_| Ok(RelationItem::Nodes(NodeSelection::Variations))),
];

fn transform(transform: TransformKeyword) -> ArgumentResult<PositionItem> {
    Ok(PositionItem::Flag(PositionFlag::Transform(transform)))
}

fn match_count(args: &mut Arguments<'_, '_>, pre_transform: bool) -> ArgumentResult<PositionItem> {
    Ok(PositionItem::MatchCount { pre_transform, range: args.optional_range() })
}

fn power(args: &mut Arguments<'_, '_>, difference: bool) -> ArgumentResult<PositionItem> {
    Ok(PositionItem::Power { difference, pieces: args.designator()?, range: args.range()? })
}

fn ray(
    args: &mut Arguments<'_, '_>,
    directions: Directions,
    attack: bool,
) -> ArgumentResult<PositionItem> {
    let sets = args.ray()?;
    Ok(PositionItem::Ray { directions, attack, sets, range: args.optional_range() })
}

fn piece_count(args: &mut Arguments<'_, '_>, new: bool) -> ArgumentResult<RelationItem> {
    Ok(RelationItem::Pieces { new, pieces: args.designator()?, range: args.optional_range() })
}

/// The keyword of this name in the tables.
pub(super) fn named(name: &str) -> Option<&'static str> {
    all().find(|known| *known == name)
}

/// The names of all keywords, without the colon, each once.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
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
