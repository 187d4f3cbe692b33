//! Transforms of position lists (cql3.md 8).
//!
//! A transform is a colour swap, then a symmetry of the board, then a shift. Unlike a modern one,
//! a shift keeps what stands on the edge that it leaves ("shift-in").

use std::collections::{BTreeSet, HashSet};
use std::ops;

use super::tree::{Designator, Flag, Item, List, NumberKind, Pieces, Range, RayKind, Transform};
use crate::limits::MAX_COPIED;

/// One transform in normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Map {
    color: bool,
    /// Files and ranks are exchanged first …
    transpose: bool,
    /// … then each is mirrored or not.
    mirror: (bool, bool),
    shift: (i8, i8),
}

/// What an image costs beside its items: its map and its place among the others.
const COPY: usize = 8;

/// How many transforms there are: 2 colours, 8 symmetries, 225 shifts.
const ALL: usize = 3600;

impl Map {
    const IDENTITY: Map =
        Map { color: false, transpose: false, mirror: (false, false), shift: (0, 0) };

    fn flip(transpose: bool, files: bool, ranks: bool) -> Map {
        Map { transpose, mirror: (files, ranks), ..Map::IDENTITY }
    }

    fn shift(x: i8, y: i8) -> Map {
        Map { shift: (x, y), ..Map::IDENTITY }
    }

    /// `self` first, then `next`; `None` if the whole shift is longer than the board.
    fn then(self, next: Map) -> Option<Map> {
        // Mirrors after a transposition are those of the first, exchanged, and those of the next.
        let swapped = |(a, b): (bool, bool)| if next.transpose { (b, a) } else { (a, b) };
        let (files, ranks) = swapped(self.mirror);
        let (x, y) = if next.transpose { (self.shift.1, self.shift.0) } else { self.shift };
        let signed = |d: i8, negative: bool| if negative { -d } else { d };
        let shift =
            (signed(x, next.mirror.0) + next.shift.0, signed(y, next.mirror.1) + next.shift.1);
        let fits = |d: i8| (-7..=7).contains(&d);
        (fits(shift.0) && fits(shift.1)).then_some(Map {
            color: self.color != next.color,
            transpose: self.transpose != next.transpose,
            mirror: (files != next.mirror.0, ranks != next.mirror.1),
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
            let (mut x, mut y) = (square % 8, square / 8);
            if self.transpose {
                (x, y) = (y, x);
            }
            if self.mirror.0 {
                x = 7 - x;
            }
            if self.mirror.1 {
                y = 7 - y;
            }
            for rank in shifted(y, self.shift.1) {
                for file in shifted(x, self.shift.0) {
                    image |= 1 << (rank * 8 + file);
                }
            }
        }
        image
    }

    fn designator(self, designator: &mut Designator) {
        designator.squares = self.squares(designator.squares);
        if let (true, Pieces::Kinds(content)) = (self.color, &mut designator.pieces) {
            *content = content.swap_colors();
        }
    }

    /// The image of a list; what it does not say about itself stays (transform keywords,
    /// `:relation`, counts).
    fn apply(self, list: &mut List) {
        for item in &mut list.items {
            for designator in item.designators_mut() {
                self.designator(designator);
            }
            match item {
                Item::Logic { lists, .. } | Item::Sequence { lists, .. } => {
                    for list in lists {
                        self.apply(list);
                    }
                }
                Item::Ray { kind, .. } if self.transpose => {
                    *kind = match *kind {
                        RayKind::Horizontal => RayKind::Vertical,
                        RayKind::Vertical => RayKind::Horizontal,
                        other => other,
                    }
                }
                _ if self.color => swap_sides(item),
                _ => {}
            }
        }
    }
}

/// What a colour flip does to items without designators, and to the sign of `:powerdifference`.
fn swap_sides(item: &mut Item) {
    match item {
        Item::Flag(flag) => {
            *flag = match *flag {
                Flag::Wtm => Flag::Btm,
                Flag::Btm => Flag::Wtm,
                other => other,
            }
        }
        Item::Number(kind, _) => {
            *kind = match *kind {
                NumberKind::WhiteElo => NumberKind::BlackElo,
                NumberKind::BlackElo => NumberKind::WhiteElo,
                other => other,
            }
        }
        Item::Result(result) => *result = result.swap_colors(),
        Item::Power { difference: true, range, .. } => {
            *range = Range { lo: range.hi.saturating_neg(), hi: range.lo.saturating_neg() }
        }
        _ => {}
    }
}

/// Where a coordinate goes: a shift away from an edge leaves what stands on the edge there too.
fn shifted(c: i8, d: i8) -> ops::Range<i8> {
    match (c, d) {
        (0, 0..) => 0..d + 1,
        (7, ..=0) => 7 + d..8,
        _ if (0..8).contains(&(c + d)) => c + d..c + d + 1,
        // Off the board: no square.
        _ => ops::Range::default(),
    }
}

/// The transforms that a keyword stands for.
fn maps(keyword: Transform) -> Vec<Map> {
    let axis = -7..=7i8;
    let two = |map| vec![Map::IDENTITY, map];
    match keyword {
        Transform::Flip => {
            let mut all = Vec::new();
            for bits in 0..8 {
                all.push(Map::flip(bits & 1 != 0, bits & 2 != 0, bits & 4 != 0));
            }
            all
        }
        Transform::FlipHorizontal => two(Map::flip(false, false, true)),
        Transform::FlipVertical => two(Map::flip(false, true, false)),
        Transform::FlipDiagonal => two(Map::flip(true, false, false)),
        Transform::FlipOffDiagonal => two(Map::flip(true, true, true)),
        Transform::FlipColor => two(Map { color: true, ..Map::flip(false, false, true) }),
        Transform::Shift => {
            axis.clone().flat_map(|y| axis.clone().map(move |x| Map::shift(x, y))).collect()
        }
        Transform::ShiftHorizontal => axis.map(|x| Map::shift(x, 0)).collect(),
        Transform::ShiftVertical => axis.map(|y| Map::shift(0, y)).collect(),
        Transform::ShiftMainDiagonal => axis.map(|k| Map::shift(k, k)).collect(),
        Transform::ShiftOffDiagonal => axis.map(|k| Map::shift(k, -k)).collect(),
        Transform::ShiftDiagonal => {
            axis.flat_map(|k| [Map::shift(k, k), Map::shift(k, -k)]).collect()
        }
    }
}

/// All compositions of one transform of each keyword, in any order of the keywords (D29), the
/// identity first.
fn compositions(keywords: &[Transform]) -> Vec<Map> {
    let sets: Vec<Vec<Map>> = keywords.iter().map(|&keyword| maps(keyword)).collect();
    // What the keywords of each subset make, whatever their order.
    let mut made: Vec<HashSet<Map>> = vec![HashSet::from([Map::IDENTITY])];
    for subset in 1..1usize << sets.len() {
        let mut all = HashSet::new();
        for (last, maps) in sets.iter().enumerate() {
            if subset >> last & 1 == 0 || all.len() == ALL {
                continue;
            }
            let before = &made[subset & !(1 << last)];
            if before.len() == ALL {
                all.clone_from(before);
                continue;
            }
            for first in before {
                all.extend(maps.iter().filter_map(|&map| first.then(map)));
            }
        }
        made.push(all);
    }
    let sorted: BTreeSet<Map> = made.pop().into_iter().flatten().collect();
    sorted.into_iter().collect()
}

/// Whether all compositions of the keywords are one of the first ones, then one of the second ones.
pub(super) fn commute(first: &[Transform], second: &[Transform]) -> bool {
    let ordered: HashSet<Map> = compositions(first)
        .iter()
        .flat_map(|&map| compositions(second).into_iter().filter_map(move |next| map.then(next)))
        .collect();
    let keywords: Vec<Transform> = first.iter().chain(second).copied().collect();
    compositions(&keywords).into_iter().collect::<HashSet<Map>>() == ordered
}

/// The distinct images of a list under its transform keywords, which are gone from them; the list
/// itself comes first. The nodes of all images, equal ones included, are added to `copied`; nothing
/// beyond [`MAX_COPIED`].
pub(super) fn images(list: &List, copied: &mut usize) -> Option<Vec<List>> {
    let mut keywords: Vec<Transform> = Vec::new();
    let mut plain = List {
        items: Vec::with_capacity(list.items.len()),
        spans: Vec::with_capacity(list.items.len()),
        span: list.span,
    };
    for (item, span) in list.placed() {
        if let Item::Flag(Flag::Transform(keyword)) = item {
            keywords.push(*keyword);
        } else {
            plain.items.push(item.clone());
            plain.spans.push(span);
        }
    }
    keywords.sort_unstable();
    keywords.dedup();
    if keywords.is_empty() {
        return Some(vec![plain]);
    }
    let mut seen = HashSet::new();
    let mut images = Vec::new();
    let maps = compositions(&keywords);
    let cost = maps.len().saturating_mul(COPY.saturating_add(size(&plain)));
    let all = copied.saturating_add(cost);
    if all > MAX_COPIED {
        return None;
    }
    *copied = all;
    for map in maps {
        let mut image = plain.clone();
        map.apply(&mut image);
        if seen.insert(image.items.clone()) {
            images.push(image);
        }
    }
    Some(images)
}

/// The number of items, those of the lists inside included.
fn size(list: &List) -> usize {
    let inside = |item: &Item| item.lists().iter().map(size).sum::<usize>();
    list.items.iter().map(|item| 1 + inside(item)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::designator::decode;
    use super::*;

    fn image(map: Map, atom: &str) -> Designator {
        let mut designator = decode(atom);
        map.designator(&mut designator);
        designator
    }

    /// The unit tests that appendix A.2, example 11 asks for.
    #[test]
    fn designators_under_the_transforms_of_the_manual() {
        let horizontal = Map::flip(false, false, true);
        let vertical = Map::flip(false, true, false);
        let diagonal = Map::flip(true, false, false);
        let off_diagonal = Map::flip(true, true, true);
        let color = maps(Transform::FlipColor)[1];
        for (map, from, to) in [
            (diagonal, "[Aa][a-h1-2,f6,h7]", "[Aa][a-b1-8,f6,g8]"),
            (diagonal, "Ra8", "Rh1"),
            (off_diagonal, "Ra8", "Ra8"),
            (off_diagonal, "[Pp][a1-8]", "[Pp][a-h8]"),
            (vertical, "Uf6", "Uc6"),
            (horizontal, "Uf6", "Uf3"),
            (Map::shift(1, 0), "Qd4", "Qe4"),
            (Map::shift(1, 0), "Q[c2,h2]", "Qd2"),
            (Map::shift(1, 0), "Q[a2,c2,h2]", "Q[a2,b2,d2]"),
            (Map::shift(3, 0), "Qa4", "Q[a4,b4,c4,d4]"),
            (Map::shift(3, 0), "Qd4", "Qg4"),
            (Map::shift(1, 1), "Q[b3,c4]", "Q[c4,d5]"),
            (Map::shift(2, 1), "Q[b3,c4]", "Q[d4,e5]"),
            (Map::shift(-1, 0), "Bh8", "B[g8,h8]"),
            (Map::shift(0, 1), "R[a1,a8,h1,a8]", "R[a1,a2,h1,h2]"),
            (color, "[Rbp][a2,c2]", "[rBP][a7,c7]"),
            (color, "U[a1]", "U[a8]"),
        ] {
            assert_eq!(image(map, from), decode(to), "{from}");
        }
        let mut images: Vec<u64> =
            maps(Transform::Flip).into_iter().map(|map| image(map, "Qc2").squares).collect();
        images.sort_unstable();
        let mut expected: Vec<u64> = ["c2", "b3", "f2", "g3", "f7", "g6", "b6", "c7"]
            .map(|square| decode(&format!("Q{square}")).squares)
            .to_vec();
        expected.sort_unstable();
        assert_eq!(images, expected);
    }

    #[test]
    fn compositions_in_any_order() {
        assert_eq!(compositions(&[Transform::Flip]).len(), 8);
        assert_eq!(compositions(&[Transform::Shift]).len(), 225);
        assert_eq!(
            compositions(&[Transform::Flip, Transform::FlipColor, Transform::Shift]).len(),
            ALL
        );
        // The two do not commute: shifts along ranks and along files.
        let both = compositions(&[Transform::FlipDiagonal, Transform::ShiftHorizontal]);
        assert_eq!(both.len(), 15 + 15 + 14);
        // Shifts along both axes add up.
        let add = [Transform::ShiftHorizontal, Transform::ShiftVertical];
        assert_eq!(compositions(&add).len(), 225);
    }

    #[test]
    fn composition_is_application_one_after_the_other() {
        let all: Vec<Map> = compositions(&[Transform::Flip, Transform::FlipColor]);
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
        let flip = Map::flip(true, false, true);
        let both = Map::shift(2, 1).then(flip).unwrap();
        assert_eq!(image(both, "Qc3"), image(flip, "Qe4"));
    }
}
