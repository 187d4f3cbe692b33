//! Lists and items that match always or never, such as images that a shift has moved off the board.

use crate::tree::{Cql3Designator, Pieces, PositionFlag, PositionItem, PositionList, ValueRange};

/// `Some(true)` if the list matches every position, `Some(false)` if it matches none, `None` if
/// that is not known. A designator without squares has none in any image, so transforms do not
/// matter.
pub(super) fn of_list(list: &PositionList) -> Option<bool> {
    let items = all(list.items.iter().map(of_item))?;
    Some(items != list.has(PositionFlag::Not))
}

/// Does the same as [`of_list`] for an item.
pub(super) fn of_item(item: &PositionItem) -> Option<bool> {
    match item {
        PositionItem::Designator(d) | PositionItem::Move(_, d) | PositionItem::TagMatch(_, d) => {
            never(is_empty(d))
        }
        PositionItem::PieceCount(d, range) => of_count(is_empty(d), *range),
        PositionItem::Power { pieces, range, .. } => of_count(is_empty(pieces), *range),
        PositionItem::AttackCount { attackers, targets, range } => {
            of_count(is_empty(attackers) || is_empty(targets), *range)
        }
        PositionItem::Ray { sets, range, .. } => of_count(sets.iter().any(is_empty), *range),
        PositionItem::Number(_, range) => never(range.lo > range.hi),
        PositionItem::Logic { or: false, lists } => all(lists.iter().map(of_list)),
        PositionItem::Logic { or: true, lists } => {
            all(lists.iter().map(|list| of_list(list).map(|always| !always))).map(|none| !none)
        }
        PositionItem::Sequence { lists, .. } => match lists.as_slice() {
            [] => Some(true),
            lists => never(lists.iter().any(|list| of_list(list) == Some(false))),
        },
        // They are not conditions on the position.
        PositionItem::Flag(
            PositionFlag::Not
            | PositionFlag::Transform(_)
            | PositionFlag::Variations
            | PositionFlag::VariationsOnly
            | PositionFlag::MarkAll
            | PositionFlag::NoAnnotate,
        )
        | PositionItem::MatchCount { .. } => Some(true),
        PositionItem::Flag(
            PositionFlag::NoCheck | PositionFlag::EnPassant | PositionFlag::NoEnPassant,
        )
        | PositionItem::Condition(_)
        | PositionItem::Relation(_)
        | PositionItem::Accumulate(_)
        | PositionItem::SumRange(..) => None,
    }
}

fn is_empty(d: &Cql3Designator) -> bool {
    d.squares == 0 || matches!(&d.pieces, Pieces::Kinds(kinds) if kinds.0 == 0)
}

fn never(is_so: bool) -> Option<bool> {
    is_so.then_some(false)
}

/// The condition that a count is in the range. `of_nothing`: there is nothing to count.
fn of_count(of_nothing: bool, range: ValueRange) -> Option<bool> {
    match of_nothing {
        true => Some(range.contains(0)),
        false => never(range.lo > range.hi),
    }
}

/// `Some(true)` if all parts match always, `Some(false)` if one never matches.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut every = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => every = None,
        }
    }
    every
}
