//! Transforms of position lists (docs/src/language/cql3.md#points-that-the-manual-leaves-open).
//!
//! A transform is a color swap, then a symmetry of the board, then a shift. Unlike a modern shift,
//! one of CQL 3 keeps the squares on the edge from which it moves away.

use std::collections::{BTreeSet, HashSet};
use std::ops;

use crate::tree::{
    Cql3Designator, ItemPartMut, Pieces, PositionItem, PositionList, TransformKeyword, ValueRange,
};
use babson_lang::hir::transform::{Symmetry, charge};

/// One transform in normal form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ListTransform {
    color: bool,
    symmetry: Symmetry,
    shift: (i8, i8),
}

/// The number of transforms: 2 colors, 8 symmetries, 225 shifts.
const ALL_TRANSFORMS: usize = 3600;

impl ListTransform {
    fn flip(transpose: bool, files: bool, ranks: bool) -> ListTransform {
        let symmetry = Symmetry::new(transpose, files, ranks);
        ListTransform { symmetry, ..ListTransform::default() }
    }

    fn shift(x: i8, y: i8) -> ListTransform {
        ListTransform { shift: (x, y), ..ListTransform::default() }
    }

    /// The composition, `self` first. It is `None` if the shift is longer than the board.
    fn then(self, next: ListTransform) -> Option<ListTransform> {
        let (x, y) = next.symmetry.distance(self.shift);
        let shift = (x + next.shift.0, y + next.shift.1);
        let fits = |d: i8| (-7..=7).contains(&d);
        (fits(shift.0) && fits(shift.1)).then_some(ListTransform {
            color: self.color != next.color,
            symmetry: self.symmetry.then(next.symmetry),
            shift,
        })
    }

    fn squares(self, squares: u64) -> u64 {
        if squares == 0 || squares == !0 {
            return squares;
        }
        let mut image = 0;
        let mut left = squares;
        while left != 0 {
            let square = left.trailing_zeros() as i8;
            left &= left - 1;
            let (x, y) = self.symmetry.square((square % 8, square / 8));
            for rank in shifted(y, self.shift.1) {
                for file in shifted(x, self.shift.0) {
                    image |= 1 << (rank * 8 + file);
                }
            }
        }
        image
    }

    fn designator(self, designator: &mut Cql3Designator) {
        designator.squares = self.squares(designator.squares);
        if let (true, Pieces::Kinds(content)) = (self.color, &mut designator.pieces) {
            *content = content.swap_colors();
        }
    }

    /// Replaces the list by its image. Transform keywords, `:relation` and counts stay the same.
    fn apply(self, list: &mut PositionList) {
        for item in &mut list.items {
            item.parts_mut(&mut |part| match part {
                ItemPartMut::Designator(designator) => self.designator(designator),
                ItemPartMut::List(list) => self.apply(list),
                ItemPartMut::Directions(directions) => {
                    *directions = self.symmetry.directions(*directions);
                }
                ItemPartMut::Condition(condition) if self.color => condition.swap_colors(),
                ItemPartMut::Side(side) if self.color => *side = side.not(),
                ItemPartMut::Difference(range) if self.color => {
                    let (lo, hi) = (range.hi.saturating_neg(), range.lo.saturating_neg());
                    *range = ValueRange { lo, hi };
                }
                ItemPartMut::Condition(_)
                | ItemPartMut::Side(_)
                | ItemPartMut::Difference(_)
                | ItemPartMut::Range(_) => {}
            });
        }
    }
}

/// The images of a coordinate. A shift away from an edge also keeps the coordinate of the edge.
fn shifted(c: i8, d: i8) -> ops::Range<i8> {
    match (c, d) {
        (0, 0..) => 0..d + 1,
        (7, ..=0) => 7 + d..8,
        _ if (0..8).contains(&(c + d)) => c + d..c + d + 1,
        // The image is off the board.
        _ => ops::Range::default(),
    }
}

/// The transforms of a keyword.
fn maps(keyword: TransformKeyword) -> Vec<ListTransform> {
    let axis = -7..=7i8;
    let two = |map| vec![ListTransform::default(), map];
    match keyword {
        TransformKeyword::Flip => {
            let mut all = Vec::new();
            for bits in 0..8 {
                all.push(ListTransform::flip(bits & 1 != 0, bits & 2 != 0, bits & 4 != 0));
            }
            all
        }
        TransformKeyword::FlipHorizontal => two(ListTransform::flip(false, false, true)),
        TransformKeyword::FlipVertical => two(ListTransform::flip(false, true, false)),
        TransformKeyword::FlipDiagonal => two(ListTransform::flip(true, false, false)),
        TransformKeyword::FlipOffDiagonal => two(ListTransform::flip(true, true, true)),
        TransformKeyword::FlipColor => {
            two(ListTransform { color: true, ..ListTransform::flip(false, false, true) })
        }
        TransformKeyword::Shift => axis
            .clone()
            .flat_map(|y| axis.clone().map(move |x| ListTransform::shift(x, y)))
            .collect(),
        TransformKeyword::ShiftHorizontal => axis.map(|x| ListTransform::shift(x, 0)).collect(),
        TransformKeyword::ShiftVertical => axis.map(|y| ListTransform::shift(0, y)).collect(),
        TransformKeyword::ShiftMainDiagonal => axis.map(|k| ListTransform::shift(k, k)).collect(),
        TransformKeyword::ShiftOffDiagonal => axis.map(|k| ListTransform::shift(k, -k)).collect(),
        TransformKeyword::ShiftDiagonal => {
            axis.flat_map(|k| [ListTransform::shift(k, k), ListTransform::shift(k, -k)]).collect()
        }
    }
}

/// All compositions of one transform of each keyword, in any order of the keywords. The identity
/// is the first.
fn compositions(keywords: &[TransformKeyword]) -> Vec<ListTransform> {
    let sets: Vec<Vec<ListTransform>> = keywords.iter().map(|&keyword| maps(keyword)).collect();
    // The compositions of each subset of the keywords, in any order.
    let mut of_subsets: Vec<HashSet<ListTransform>> =
        vec![HashSet::from([ListTransform::default()])];
    for subset in 1..1usize << sets.len() {
        let mut all = HashSet::new();
        for (last, maps) in sets.iter().enumerate() {
            if subset >> last & 1 == 0 || all.len() == ALL_TRANSFORMS {
                continue;
            }
            let before = &of_subsets[subset & !(1 << last)];
            if before.len() == ALL_TRANSFORMS {
                all.clone_from(before);
                continue;
            }
            for first in before {
                all.extend(maps.iter().filter_map(|&map| first.then(map)));
            }
        }
        of_subsets.push(all);
    }
    let sorted: BTreeSet<ListTransform> = of_subsets.pop().into_iter().flatten().collect();
    sorted.into_iter().collect()
}

/// Whether applying all transforms of `first` before all transforms of `second` gives the same
/// compositions as applying the transforms of both in any order.
pub(super) fn commute(first: &[TransformKeyword], second: &[TransformKeyword]) -> bool {
    let ordered: HashSet<ListTransform> = compositions(first)
        .iter()
        .flat_map(|&map| compositions(second).into_iter().filter_map(move |next| map.then(next)))
        .collect();
    let keywords: Vec<TransformKeyword> = first.iter().chain(second).copied().collect();
    compositions(&keywords).into_iter().collect::<HashSet<ListTransform>>() == ordered
}

/// Whether the transforms of `outer` may be applied after the transforms of the lists nested in
/// `list`. CQL 3 applies outer transforms first
/// (docs/src/language/cql3.md#logic-sequences-transforms), modern CQL applies them last.
pub(super) fn commutes_with_nested_lists(outer: &[TransformKeyword], list: &PositionList) -> bool {
    let nested = |item: &PositionItem| {
        item.all_lists(&mut |list| {
            commutes_one_by_one(outer, &list.transforms())
                && commutes_with_nested_lists(outer, list)
        })
    };
    list.items.iter().all(nested)
}

/// Whether each transform of `outer` can come before or after the transforms of `inner`: both
/// orders give the same set of images. The test takes the transforms of `outer` one by one. An
/// outer transform also applies to designators outside the inner list, so it would not be enough
/// that both orders give the same union over all of `outer`.
fn commutes_one_by_one(outer: &[TransformKeyword], inner: &[TransformKeyword]) -> bool {
    let shifts = |keywords: &[TransformKeyword]| {
        keywords.iter().any(|keyword| *keyword >= TransformKeyword::Shift)
    };
    // The order of two shifts decides which squares leave the board in between.
    if shifts(outer) && shifts(inner) {
        return false;
    }
    let inner = compositions(inner);
    compositions(outer).into_iter().all(|outer| {
        let before: HashSet<_> = inner.iter().map(|&inner| outer.then(inner)).collect();
        let after: HashSet<_> = inner.iter().map(|&inner| inner.then(outer)).collect();
        before == after
    })
}

/// The distinct images of a list under its transform keywords, without these keywords. The list
/// itself is the first. The size of all images, equal ones included, is added to `copied`. The
/// result is `None` if that would exceed [`MAX_COPIED`](babson_lang::limits::MAX_COPIED).
pub(super) fn images(list: &PositionList, copied: &mut usize) -> Option<Vec<PositionList>> {
    let keywords = list.transforms();
    let plain = list.without_transforms();
    if keywords.is_empty() {
        return Some(vec![plain]);
    }
    let mut seen = HashSet::new();
    let mut images = Vec::new();
    let maps = compositions(&keywords);
    charge(copied, maps.len(), size(&plain))?;
    for map in maps {
        let mut image = plain.clone();
        map.apply(&mut image);
        if seen.insert(image.items.clone()) {
            images.push(image);
        }
    }
    Some(images)
}

/// The number of items in the list and in all nested lists.
fn size(list: &PositionList) -> usize {
    let mut items = 0;
    list.visit(&mut |_, _| items += 1);
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::designator::decode;

    fn image(map: ListTransform, atom: &str) -> Cql3Designator {
        let mut designator = decode(atom);
        map.designator(&mut designator);
        designator
    }

    /// The examples of the manual of CQL 3.
    #[test]
    fn designators_under_the_transforms_of_the_manual() {
        let horizontal = ListTransform::flip(false, false, true);
        let vertical = ListTransform::flip(false, true, false);
        let diagonal = ListTransform::flip(true, false, false);
        let off_diagonal = ListTransform::flip(true, true, true);
        let color = maps(TransformKeyword::FlipColor)[1];
        for (map, from, to) in [
            (diagonal, "[Aa][a-h1-2,f6,h7]", "[Aa][a-b1-8,f6,g8]"),
            (diagonal, "Ra8", "Rh1"),
            (off_diagonal, "Ra8", "Ra8"),
            (off_diagonal, "[Pp][a1-8]", "[Pp][a-h8]"),
            (vertical, "Uf6", "Uc6"),
            (horizontal, "Uf6", "Uf3"),
            (ListTransform::shift(1, 0), "Qd4", "Qe4"),
            (ListTransform::shift(1, 0), "Q[c2,h2]", "Qd2"),
            (ListTransform::shift(1, 0), "Q[a2,c2,h2]", "Q[a2,b2,d2]"),
            (ListTransform::shift(3, 0), "Qa4", "Q[a4,b4,c4,d4]"),
            (ListTransform::shift(3, 0), "Qd4", "Qg4"),
            (ListTransform::shift(1, 1), "Q[b3,c4]", "Q[c4,d5]"),
            (ListTransform::shift(2, 1), "Q[b3,c4]", "Q[d4,e5]"),
            (ListTransform::shift(-1, 0), "Bh8", "B[g8,h8]"),
            (ListTransform::shift(0, 1), "R[a1,a8,h1,a8]", "R[a1,a2,h1,h2]"),
            (color, "[Rbp][a2,c2]", "[rBP][a7,c7]"),
            (color, "U[a1]", "U[a8]"),
        ] {
            assert_eq!(image(map, from), decode(to), "{from}");
        }
        let mut images: Vec<u64> =
            maps(TransformKeyword::Flip).into_iter().map(|map| image(map, "Qc2").squares).collect();
        images.sort_unstable();
        let mut expected: Vec<u64> = ["c2", "b3", "f2", "g3", "f7", "g6", "b6", "c7"]
            .map(|square| decode(&format!("Q{square}")).squares)
            .to_vec();
        expected.sort_unstable();
        assert_eq!(images, expected);
    }

    #[test]
    fn compositions_in_any_order() {
        assert_eq!(compositions(&[TransformKeyword::Flip]).len(), 8);
        assert_eq!(compositions(&[TransformKeyword::Shift]).len(), 225);
        assert_eq!(
            compositions(&[
                TransformKeyword::Flip,
                TransformKeyword::FlipColor,
                TransformKeyword::Shift
            ])
            .len(),
            ALL_TRANSFORMS
        );
        // The two do not commute: shifts along ranks and along files.
        let both =
            compositions(&[TransformKeyword::FlipDiagonal, TransformKeyword::ShiftHorizontal]);
        assert_eq!(both.len(), 15 + 15 + 14);
        // Shifts along both axes add up.
        let add = [TransformKeyword::ShiftHorizontal, TransformKeyword::ShiftVertical];
        assert_eq!(compositions(&add).len(), 225);
    }

    #[test]
    fn composition_is_application_one_after_the_other() {
        let all: Vec<ListTransform> =
            compositions(&[TransformKeyword::Flip, TransformKeyword::FlipColor]);
        for &first in &all {
            for &second in &all {
                let both = first.then(second).unwrap();
                let one = decode("[Rbp][a2,c3,f6]");
                let (mut a, mut b) = (one.clone(), one);
                first.designator(&mut a);
                second.designator(&mut a);
                both.designator(&mut b);
                assert_eq!(a, b, "{first:?} {second:?}");
            }
        }
        let flip = ListTransform::flip(true, false, true);
        let both = ListTransform::shift(2, 1).then(flip).unwrap();
        assert_eq!(image(both, "Qc3"), image(flip, "Qe4"));
    }
}
