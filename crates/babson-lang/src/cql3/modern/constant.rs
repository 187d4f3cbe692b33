//! What matches always, or never: images of a list that a shift has moved off the board.

use crate::cql3::tree::{Designator, Flag, Item, List, Pieces, Range};

/// Whether the list matches every position or none, if that can be seen. A designator without
/// squares stays so in all images, so transforms play no part.
pub(super) fn of_list(list: &List) -> Option<bool> {
    let items = all(list.items.iter().map(of_item))?;
    Some(items != list.has(Flag::Not))
}

/// The same of an item.
pub(super) fn of_item(item: &Item) -> Option<bool> {
    match item {
        Item::Designator(d) | Item::Move(_, d) | Item::TagMatch(_, d) => never(is_empty(d)),
        Item::PieceCount(d, range) => of_count(is_empty(d), *range),
        Item::Power { pieces, range, .. } => of_count(is_empty(pieces), *range),
        Item::AttackCount { attackers, targets, range } => {
            of_count(is_empty(attackers) || is_empty(targets), *range)
        }
        Item::Ray { sets, range, .. } => of_count(sets.iter().any(is_empty), *range),
        Item::Number(_, range) => never(range.lo > range.hi),
        Item::Logic { or: false, lists } => all(lists.iter().map(of_list)),
        Item::Logic { or: true, lists } => {
            all(lists.iter().map(|list| of_list(list).map(|always| !always))).map(|none| !none)
        }
        Item::Sequence { lists, .. } => match lists.as_slice() {
            [] => Some(true),
            lists => never(lists.iter().any(|list| of_list(list) == Some(false))),
        },
        // They are not conditions on the position.
        Item::Flag(
            Flag::Not
            | Flag::Transform(_)
            | Flag::Variations
            | Flag::VariationsOnly
            | Flag::MarkAll
            | Flag::NoAnnotate,
        )
        | Item::MatchCount { .. } => Some(true),
        Item::Flag(
            Flag::Mate
            | Flag::Stalemate
            | Flag::Wtm
            | Flag::Btm
            | Flag::Initial
            | Flag::Terminal
            | Flag::Check
            | Flag::NoCheck
            | Flag::EnPassant
            | Flag::NoEnPassant,
        )
        | Item::Result(_)
        | Item::Relation(_)
        | Item::Accumulate(_)
        | Item::SumRange(..) => None,
    }
}

fn is_empty(d: &Designator) -> bool {
    d.squares == 0 || matches!(&d.pieces, Pieces::Kinds(kinds) if kinds.0 == 0)
}

fn never(is_so: bool) -> Option<bool> {
    is_so.then_some(false)
}

/// A count that is 0 where there is nothing to count.
fn of_count(of_nothing: bool, range: Range) -> Option<bool> {
    match of_nothing {
        true => Some(range.contains(0)),
        false => never(range.lo > range.hi),
    }
}

/// Whether all match always, or one never.
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
