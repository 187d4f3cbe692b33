//! The modern form of position lists and of their images under transforms.

use super::{ModernWriter, constant, transform};
use crate::limits::MAX_MODERN_IMAGES;
use crate::lower::too_many_copies;
use crate::tree::{Cql3Designator, PositionFlag, PositionItem, PositionList, TransformKeyword};

/// The images of a list.
#[derive(Default)]
pub(super) struct ListImages {
    /// The images that may match.
    pub(super) live: Vec<PositionList>,
    /// Whether there are images that never match.
    pub(super) some_never_match: bool,
}

impl ModernWriter<'_> {
    /// A list as a filter of one or several lines.
    pub(super) fn list(&mut self, list: &PositionList) -> String {
        if let Some(always) = constant::of_list(list) {
            return always.to_string();
        }
        if self.in_variations
            && list.has(PositionFlag::Not)
            && list.any(&PositionItem::is_about_a_move)
        {
            return self.none(
                list.span,
                "`:not` around a condition on a move, with variations,",
                "CQL 3 asks it of each move, the modern `not move …` of all moves from the position",
            );
        }
        let transforms = list.transforms();
        let keywords = modern_keywords(&transforms, list)
            .filter(|_| transform::commutes_with_nested_lists(&transforms, list));
        let filter = match keywords {
            Some(words) => {
                let items = self.items(&list.without_transforms());
                wrapped(&words, items)
            }
            None => self.written_out(list, &transforms),
        };
        if list.has(PositionFlag::Not) { format!("not {}", braced(&filter)) } else { filter }
    }

    /// The images of a list, joined by `or`. Flips stay keywords if that has the same meaning.
    fn written_out(&mut self, list: &PositionList, transforms: &[TransformKeyword]) -> String {
        let (outer, inner): (Vec<TransformKeyword>, Vec<TransformKeyword>) =
            transforms.iter().partition(|transform| {
                modern_keyword(**transform).is_some_and(|_| **transform < TransformKeyword::Shift)
            });
        let outside = transform::commute(&inner, &outer)
            && transform::commutes_with_nested_lists(&outer, list);
        let (outer, inner) =
            if outside { (outer, inner) } else { (Vec::new(), transforms.to_vec()) };
        // `:not` negates all images together.
        let positive = list.without(|item| matches!(item, PositionItem::Flag(PositionFlag::Not)));
        let images = self.images(&positive, &inner).live;
        let images: Vec<String> = images.iter().map(|image| braced(&self.items(image))).collect();
        let words: Vec<&str> =
            outer.iter().filter_map(|&transform| modern_keyword(transform)).collect();
        wrapped(&words, any_of(&images))
    }

    /// The images of a list under some of its transforms.
    pub(super) fn images(
        &mut self,
        list: &PositionList,
        transforms: &[TransformKeyword],
    ) -> ListImages {
        let mut list = list.without_transforms();
        for &transform in transforms {
            list.items.push(PositionItem::Flag(PositionFlag::Transform(transform)));
            list.spans.push(list.span);
        }
        let Some(mut live) = transform::images(&list, &mut self.steps.copied) else {
            self.errors.push(too_many_copies(list.span));
            return ListImages::default();
        };
        let all = live.len();
        live.retain(|image| constant::of_list(image) != Some(false));
        let some_never_match = live.len() < all;
        if live.len() > MAX_MODERN_IMAGES {
            self.none(
                list.span,
                "a list with so many images",
                "use squares off the edge that the shift departs from, or fewer transforms",
            );
            live.clear();
        }
        ListImages { live, some_never_match }
    }

    /// The items of a list without transforms.
    fn items(&mut self, list: &PositionList) -> String {
        let mut lines = Vec::new();
        self.move_filter(list, &mut lines);
        for (item, span) in list.spanned() {
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

/// The modern keyword of a transform.
fn modern_keyword(transform: TransformKeyword) -> Option<&'static str> {
    Some(match transform {
        TransformKeyword::Flip => "flip",
        TransformKeyword::FlipHorizontal => "fliphorizontal",
        TransformKeyword::FlipVertical => "flipvertical",
        TransformKeyword::FlipColor => "flipcolor",
        TransformKeyword::Shift => "shift",
        TransformKeyword::ShiftHorizontal => "shifthorizontal",
        TransformKeyword::ShiftVertical => "shiftvertical",
        TransformKeyword::FlipDiagonal
        | TransformKeyword::FlipOffDiagonal
        | TransformKeyword::ShiftMainDiagonal
        | TransformKeyword::ShiftOffDiagonal
        | TransformKeyword::ShiftDiagonal => return None,
    })
}

/// The modern transforms that have the same effect on the list, if there are such.
fn modern_keywords(
    transforms: &[TransformKeyword],
    list: &PositionList,
) -> Option<Vec<&'static str>> {
    let mut words = transforms
        .iter()
        .map(|&transform| modern_keyword(transform))
        .collect::<Option<Vec<_>>>()?;
    let shifts: Vec<TransformKeyword> = transforms
        .iter()
        .copied()
        .filter(|transform| *transform >= TransformKeyword::Shift)
        .collect();
    if shifts.is_empty() {
        return Some(words);
    }
    // A flip maps the set of all shifts to itself, but turns shifts along one axis.
    let turns =
        transforms.contains(&TransformKeyword::Flip) && !shifts.contains(&TransformKeyword::Shift);
    let edge = if shifts == [TransformKeyword::ShiftHorizontal] {
        FILES
    } else if shifts == [TransformKeyword::ShiftVertical] {
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

/// The a and h files, and the first and last rank.
const FILES: u64 = 0x8181_8181_8181_8181;
const RANKS: u64 = 0xff00_0000_0000_00ff;

/// Whether a shift means the same in both languages: no square is on an edge from which the shift
/// moves away, and a designator that leaves the board cannot make the list match.
fn shifts_alike(list: &PositionList, edge: u64) -> bool {
    list.items.iter().all(|item| {
        let inside = |d: &Cql3Designator| d.squares == !0 || d.squares & edge == 0;
        let needs_pieces = match item {
            PositionItem::PieceCount(d, range)
            | PositionItem::Power { difference: false, pieces: d, range } => {
                range.lo > 0 || d.squares == !0
            }
            PositionItem::Power { pieces: d, .. } => d.squares == !0,
            PositionItem::AttackCount { range, .. } | PositionItem::Ray { range, .. } => {
                range.lo > 0
            }
            // The other alternatives of a list with one that is off the board can match.
            PositionItem::Logic { or: true, .. } => is_anywhere(list),
            // A designator off the board makes these fail. `:not` is tested below.
            PositionItem::Designator(_)
            | PositionItem::Condition(_)
            | PositionItem::Flag(_)
            | PositionItem::Move(..)
            | PositionItem::Number(..)
            | PositionItem::Logic { or: false, .. }
            | PositionItem::Sequence { .. }
            | PositionItem::Relation(_)
            | PositionItem::MatchCount { .. }
            | PositionItem::Accumulate(_)
            | PositionItem::SumRange(..)
            | PositionItem::TagMatch(..) => true,
        };
        needs_pieces
            && item.all_designators(&inside)
            && item.all_lists(&mut |list| shifts_alike(list, edge) && !list.has(PositionFlag::Not))
    }) && !list.has(PositionFlag::Not)
}

/// Whether no designator of the list and of the lists in it names squares.
fn is_anywhere(list: &PositionList) -> bool {
    !list.any(&|item| !item.all_designators(&|d| d.squares == !0))
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
