//! Position lists: their items, and their images under transforms.

use super::{Writer, constant, moves, transform};
use crate::cql3::lower::too_many_copies;
use crate::cql3::tree::{Designator, Flag, Item, List, Transform};

/// A list with more images than this is not written out. All shifts of a pattern that stays on the
/// board are less.
const MAX_IMAGES: usize = 256;

/// The images of a list.
#[derive(Default)]
pub(super) struct Images {
    /// Those that may match.
    pub(super) live: Vec<List>,
    /// Whether there are others.
    pub(super) some_never_match: bool,
}

impl Writer<'_> {
    /// A list as a filter (one or several lines).
    pub(super) fn list(&mut self, list: &List) -> String {
        if let Some(always) = constant::of_list(list) {
            return always.to_string();
        }
        if self.in_variations
            && list.has(Flag::Not)
            && list.any(&|item| moves::is_about_a_move(item))
        {
            return self.none(
                list.span,
                "`:not` around a condition on a move, with variations,",
                "CQL 3 asks it of each move, the modern `not move …` of all moves from the position",
            );
        }
        let transforms = transforms(list);
        let filter = match keywords(&transforms, list) {
            Some(words) => {
                let items = self.items(&without_transforms(list));
                wrapped(&words, items)
            }
            None => self.written_out(list, &transforms),
        };
        if list.has(Flag::Not) { format!("not {}", braced(&filter)) } else { filter }
    }

    /// The images of a list, joined by `or`; the flips stay a keyword where that is the same.
    fn written_out(&mut self, list: &List, transforms: &[Transform]) -> String {
        let (outer, inner): (Vec<Transform>, Vec<Transform>) =
            transforms.iter().partition(|transform| {
                word(**transform).is_some_and(|_| **transform < Transform::Shift)
            });
        let (outer, inner) = match transform::commute(&inner, &outer) {
            true => (outer, inner),
            false => (Vec::new(), transforms.to_vec()),
        };
        // `:not` stands around all images.
        let positive = without(list, |item| matches!(item, Item::Flag(Flag::Not)));
        let images = self.images(&positive, &inner).live;
        let images: Vec<String> = images.iter().map(|image| braced(&self.items(image))).collect();
        let words: Vec<&str> = outer.iter().filter_map(|&transform| word(transform)).collect();
        wrapped(&words, any_of(&images))
    }

    /// The images of a list under some of its transforms that may match.
    pub(super) fn images(&mut self, list: &List, transforms: &[Transform]) -> Images {
        let mut list = without_transforms(list);
        for &transform in transforms {
            list.items.push(Item::Flag(Flag::Transform(transform)));
            list.spans.push(list.span);
        }
        let Some(mut live) = transform::images(&list, &mut self.steps.copied) else {
            self.errors.push(too_many_copies(list.span));
            return Images::default();
        };
        let all = live.len();
        live.retain(|image| constant::of_list(image) != Some(false));
        let some_never_match = live.len() < all;
        if live.len() > MAX_IMAGES {
            self.none(
                list.span,
                "a list with so many images",
                "use squares off the edge that the shift departs from, or fewer transforms",
            );
            live.clear();
        }
        Images { live, some_never_match }
    }

    /// The items of a list without transforms.
    fn items(&mut self, list: &List) -> String {
        let mut lines = Vec::new();
        self.move_filter(list, &mut lines);
        for (item, span) in list.placed() {
            match constant::of_item(item) {
                Some(true) => {}
                Some(false) => lines.push("false".to_owned()),
                None => lines.extend(self.item(item, span)),
            }
        }
        if lines.is_empty() {
            lines.push("true".to_owned());
        }
        lines.join("\n")
    }
}

/// The transform keywords of a list, sorted, each once.
pub(super) fn transforms(list: &List) -> Vec<Transform> {
    let transform = |item: &Item| {
        if let Item::Flag(Flag::Transform(transform)) = item { Some(*transform) } else { None }
    };
    let mut transforms: Vec<Transform> = list.items.iter().filter_map(transform).collect();
    transforms.sort_unstable();
    transforms.dedup();
    transforms
}

fn without_transforms(list: &List) -> List {
    without(list, |item| matches!(item, Item::Flag(Flag::Transform(_))))
}

fn without(list: &List, dropped: impl Fn(&Item) -> bool) -> List {
    let kept = list.placed().filter(|(item, _)| !dropped(item));
    let (items, spans) = kept.map(|(item, span)| (item.clone(), span)).unzip();
    List { items, spans, span: list.span }
}

/// The modern keyword of a transform.
fn word(transform: Transform) -> Option<&'static str> {
    Some(match transform {
        Transform::Flip => "flip",
        Transform::FlipHorizontal => "fliphorizontal",
        Transform::FlipVertical => "flipvertical",
        Transform::FlipColor => "flipcolor",
        Transform::Shift => "shift",
        Transform::ShiftHorizontal => "shifthorizontal",
        Transform::ShiftVertical => "shiftvertical",
        Transform::FlipDiagonal
        | Transform::FlipOffDiagonal
        | Transform::ShiftMainDiagonal
        | Transform::ShiftOffDiagonal
        | Transform::ShiftDiagonal => return None,
    })
}

/// Modern transforms that do the same to the list, if there are such.
fn keywords(transforms: &[Transform], list: &List) -> Option<Vec<&'static str>> {
    let mut words =
        transforms.iter().map(|&transform| word(transform)).collect::<Option<Vec<_>>>()?;
    let shifts: Vec<Transform> =
        transforms.iter().copied().filter(|transform| *transform >= Transform::Shift).collect();
    if shifts.is_empty() {
        return Some(words);
    }
    // The flips of a whole shift set are shifts again; one along an axis turns with the board.
    let turns = transforms.contains(&Transform::Flip) && !shifts.contains(&Transform::Shift);
    let edge = if shifts == [Transform::ShiftHorizontal] {
        FILES
    } else if shifts == [Transform::ShiftVertical] {
        RANKS
    } else {
        FILES | RANKS
    };
    if turns || !shifts_alike(list, edge) {
        return None;
    }
    words.rotate_left(transforms.len() - shifts.len());
    Some(words)
}

/// The a and h files, the first and last rank.
const FILES: u64 = 0x8181_8181_8181_8181;
const RANKS: u64 = 0xff00_0000_0000_00ff;

/// Whether a shift means the same in both languages: no square stands on an edge that it departs
/// from, and a designator that left the board cannot make the list match.
fn shifts_alike(list: &List, edge: u64) -> bool {
    list.items.iter().all(|item| {
        let inside = |d: &&Designator| d.squares == !0 || d.squares & edge == 0;
        let needs_pieces = match item {
            Item::PieceCount(d, range) | Item::Power { difference: false, pieces: d, range } => {
                range.lo > 0 || d.squares == !0
            }
            Item::Power { pieces: d, .. } => d.squares == !0,
            Item::AttackCount { range, .. } | Item::Ray { range, .. } => range.lo > 0,
            Item::Logic { or: true, .. } => {
                list.items.iter().all(|item| item.designators().iter().all(|d| d.squares == !0))
            }
            // What left the board fails by itself; a `:not` is looked at below.
            Item::Designator(_)
            | Item::Flag(_)
            | Item::Move(..)
            | Item::Number(..)
            | Item::Result(_)
            | Item::Logic { or: false, .. }
            | Item::Sequence { .. }
            | Item::Relation(_)
            | Item::MatchCount { .. }
            | Item::Accumulate(_)
            | Item::SumRange(..)
            | Item::TagMatch(..) => true,
        };
        needs_pieces
            && item.designators().iter().all(inside)
            && item.lists().iter().all(|list| shifts_alike(list, edge) && !list.has(Flag::Not))
    }) && !list.has(Flag::Not)
}

fn wrapped(words: &[&str], filter: String) -> String {
    if words.is_empty() { filter } else { format!("{} {}", words.join(" "), braced(&filter)) }
}

/// The filters, joined by `or`.
pub(super) fn any_of(filters: &[String]) -> String {
    match filters {
        [] => "false".to_owned(),
        [one] => one.clone(),
        many => braced(&many.join("\nor ")),
    }
}

pub(super) fn braced(filter: &str) -> String {
    format!("{{\n{}\n}}", indented(filter))
}

pub(super) fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}
