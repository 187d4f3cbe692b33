//! The maps of the board that make up a transform. Each makes one image of the operand.

use std::collections::HashSet;

use super::{Symmetry, Transform};
use crate::hir::{Content, Designator, Directions, Uncompared};

/// All symmetries, with the names that `currenttransform` prints.
const SYMMETRIES: [(&str, Symmetry); 8] = [
    ("", IDENTITY),
    ("reflect_h", REFLECT_H),
    ("reflect_v", REFLECT_V),
    ("rotate180", ROTATE180),
    ("clockwise90", CLOCKWISE90),
    ("counterclockwise90", COUNTERCLOCKWISE90),
    ("reflect_a1h8", Symmetry::new(true, false, false)),
    ("reflect_a8h1", Symmetry::new(true, true, true)),
];
const IDENTITY: Symmetry = Symmetry::new(false, false, false);
const REFLECT_H: Symmetry = Symmetry::new(false, false, true);
const REFLECT_V: Symmetry = Symmetry::new(false, true, false);
const ROTATE180: Symmetry = Symmetry::new(false, true, true);
const CLOCKWISE90: Symmetry = Symmetry::new(true, false, true);
const COUNTERCLOCKWISE90: Symmetry = Symmetry::new(true, true, false);

/// An elementary map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// Never [`IDENTITY`].
    Symmetry(Symmetry),
    /// The number of files to the right, and of ranks up.
    Shift(i8, i8),
    /// The number of eighths of a turn clockwise. Squares cannot follow; only directions can.
    Rotate45(u8),
}

impl Step {
    /// The name that `currenttransform` prints.
    fn name(self) -> String {
        match self {
            Step::Symmetry(symmetry) => {
                let known = SYMMETRIES.iter().find(|(_, known)| *known == symmetry);
                known.map_or("", |(name, _)| name).to_string()
            }
            Step::Rotate45(n) => format!("rotate45^{n}"),
            Step::Shift(dx, dy) => {
                let across = if dx > 0 { "right" } else { "left" };
                let along = if dy > 0 { "up" } else { "down" };
                let part =
                    |name: &str, n: i8| (n != 0).then(|| format!("{name}^{}", n.unsigned_abs()));
                let parts = [part(across, dx), part(along, dy)];
                parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// A map of the board: steps in the order in which they are applied, and perhaps a swap of the
/// colors, which commutes with the steps.
///
/// Two symmetries in a row are one step, and so are two rotations by 45 degrees. Maps are equal
/// when their steps and colors are, whatever their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TransformMap {
    steps: Vec<Step>,
    swaps_colors: bool,
    name: Uncompared<String>,
}

/// The maps of a transform; the identity first where there is one.
pub(super) fn maps(transform: Transform) -> Vec<TransformMap> {
    let symmetry = |symmetry: Symmetry| match symmetry {
        IDENTITY => TransformMap::default(),
        symmetry => TransformMap::of(Step::Symmetry(symmetry)),
    };
    let symmetries = |all: &[Symmetry]| all.iter().map(|&one| symmetry(one)).collect();
    // The ranks and the colors swap.
    let flip_color = || {
        let mirror = symmetry(REFLECT_H);
        TransformMap {
            swaps_colors: true,
            name: Uncompared(format!("invertcolor {}", mirror.name())),
            ..mirror
        }
    };
    let shifts = |max_dx: i8, max_dy: i8| {
        let mut maps = vec![TransformMap::default()];
        for dx in -max_dx..=max_dx {
            for dy in -max_dy..=max_dy {
                if (dx, dy) != (0, 0) {
                    maps.push(TransformMap::of(Step::Shift(dx, dy)));
                }
            }
        }
        maps
    };
    match transform {
        Transform::FlipVertical => symmetries(&[IDENTITY, REFLECT_V]),
        Transform::FlipHorizontal => symmetries(&[IDENTITY, REFLECT_H]),
        Transform::Flip => SYMMETRIES.iter().map(|&(_, one)| symmetry(one)).collect(),
        Transform::Rotate90 => symmetries(&[IDENTITY, CLOCKWISE90, ROTATE180, COUNTERCLOCKWISE90]),
        Transform::Rotate45 => {
            let turns = (1..8).map(|eighths| TransformMap::of(Step::Rotate45(eighths)));
            [TransformMap::default()].into_iter().chain(turns).collect()
        }
        Transform::FlipColor => vec![TransformMap::default(), flip_color()],
        Transform::Shift => shifts(7, 7),
        Transform::ShiftHorizontal => shifts(7, 0),
        Transform::ShiftVertical => shifts(0, 7),
        Transform::ReverseColor => vec![flip_color()],
    }
}

/// All distinct compositions of an inner map, which is applied first, with an outer one.
pub(super) fn compose(outer: &[TransformMap], inner: &[TransformMap]) -> Vec<TransformMap> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for second in outer {
        for first in inner {
            let map = first.then(second);
            if seen.insert(map.clone()) {
                all.push(map);
            }
        }
    }
    all
}

impl TransformMap {
    fn of(step: Step) -> TransformMap {
        TransformMap { steps: vec![step], swaps_colors: false, name: Uncompared(step.name()) }
    }

    /// The composition that applies this map and then another.
    fn then(&self, second: &TransformMap) -> TransformMap {
        let mut steps = self.steps.clone();
        for &step in &second.steps {
            match (steps.last().copied(), step) {
                (Some(Step::Symmetry(first)), Step::Symmetry(second)) => {
                    steps.pop();
                    let both = first.then(second);
                    if both != IDENTITY {
                        steps.push(Step::Symmetry(both));
                    }
                }
                (Some(Step::Rotate45(m)), Step::Rotate45(n)) => {
                    steps.pop();
                    if (m + n) % 8 != 0 {
                        steps.push(Step::Rotate45((m + n) % 8));
                    }
                }
                (
                    Some(Step::Symmetry(_) | Step::Shift(..) | Step::Rotate45(_)) | None,
                    Step::Symmetry(_) | Step::Shift(..) | Step::Rotate45(_),
                ) => steps.push(step),
            }
        }
        let names = [self.name(), second.name()];
        let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        TransformMap {
            steps,
            swaps_colors: self.swaps_colors != second.swaps_colors,
            name: Uncompared(names.join(" ")),
        }
    }

    /// Whether it is the identity.
    pub(crate) fn is_identity(&self) -> bool {
        self.steps.is_empty() && !self.swaps_colors
    }

    /// The name that `currenttransform` prints between its angle brackets: the names of the maps
    /// that this one is composed of.
    pub fn name(&self) -> &str {
        &self.name.0
    }

    /// Whether the colors are swapped.
    pub(super) fn swaps_colors(&self) -> bool {
        self.swaps_colors
    }

    /// Whether a step of the map is a shift.
    pub(super) fn shifts(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Shift(..)))
    }

    /// Whether the map rotates by multiples of 45 degrees, which squares cannot follow.
    pub(super) fn rotates45(&self) -> bool {
        self.steps.iter().any(|s| matches!(s, Step::Rotate45(_)))
    }

    /// Whether light squares become dark ones.
    pub(super) fn swaps_square_colors(&self) -> bool {
        let swapping = self.steps.iter().filter(|step| match step {
            Step::Shift(dx, dy) => (dx + dy) % 2 != 0,
            // The square a1 is dark.
            Step::Symmetry(symmetry) => is_light(square_image(*symmetry, 0)),
            Step::Rotate45(_) => false,
        });
        swapping.count() % 2 == 1
    }

    /// The image of a designator, or `None` if all its squares leave the board.
    ///
    /// # Errors
    /// The map has a `rotate45`, and the designator names squares.
    pub(super) fn designator(
        &self,
        designator: Designator,
    ) -> Result<Option<Designator>, SquaresNamed> {
        let Designator { mut squares, content } = designator;
        for step in &self.steps {
            squares = match step {
                Step::Symmetry(symmetry) => squares_image(squares, *symmetry),
                Step::Shift(dx, dy) => shift(squares, *dx, *dy),
                Step::Rotate45(_) if squares != 0 && squares != !0 => return Err(SquaresNamed),
                Step::Rotate45(_) => squares,
            };
        }
        let content = if self.swaps_colors { Content::swap_colors(content) } else { content };
        Ok((squares != 0 || designator.squares == 0).then_some(Designator { squares, content }))
    }

    /// The image of a set of directions.
    pub(super) fn directions(&self, directions: Directions) -> Directions {
        self.steps.iter().fold(directions, |directions, step| match step {
            Step::Symmetry(symmetry) => symmetry.directions(directions),
            Step::Rotate45(n) => Directions(directions.0.rotate_left(u32::from(*n))),
            Step::Shift(..) => directions,
        })
    }
}

/// The error of a `rotate45` over a designator that names squares.
pub(super) struct SquaresNamed;

fn is_light(square: u8) -> bool {
    (square / 8 + square % 8) % 2 == 1
}

fn square_image(symmetry: Symmetry, square: u8) -> u8 {
    let (x, y) = symmetry.square((square as i8 % 8, square as i8 / 8));
    (y * 8 + x) as u8
}

fn squares_image(squares: u64, symmetry: Symmetry) -> u64 {
    let present = (0..64).filter(|square| squares >> square & 1 == 1);
    present.fold(0, |image, square| image | 1 << square_image(symmetry, square))
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const RANK_1: u64 = 0xff;

/// Shifts squares one step at a time, vertically first. Squares that leave the board are lost,
/// except that a full file stays full when it moves along itself, and so does a full rank.
fn shift(mut squares: u64, dx: i8, dy: i8) -> u64 {
    for _ in 0..dy.unsigned_abs() {
        let full = (0..8).map(|f| FILE_A << f).filter(|line| squares & line == *line);
        let full: u64 = full.fold(0, |all, line| all | line);
        squares = full | if dy > 0 { squares << 8 } else { squares >> 8 };
    }
    for _ in 0..dx.unsigned_abs() {
        let full = (0..8).map(|r| RANK_1 << (8 * r)).filter(|line| squares & line == *line);
        let full: u64 = full.fold(0, |all, line| all | line);
        squares =
            full | if dx > 0 { (squares & !(FILE_A << 7)) << 1 } else { (squares & !FILE_A) >> 1 };
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_move_a1_where_their_names_say() {
        let a1 = |symmetry: Symmetry| square_image(symmetry, 0);
        assert_eq!([a1(REFLECT_H), a1(REFLECT_V), a1(ROTATE180)], [56, 7, 63]);
        assert_eq!([a1(CLOCKWISE90), a1(COUNTERCLOCKWISE90)], [56, 7]);
        assert_eq!([square_image(SYMMETRIES[6].1, 8), square_image(SYMMETRIES[7].1, 0)], [1, 63]);
    }

    #[test]
    fn square_colors_swap_under_mirrors_and_quarter_turns_only() {
        let swaps: Vec<bool> =
            maps(Transform::Flip).iter().map(TransformMap::swaps_square_colors).collect();
        assert_eq!(swaps, [false, true, true, false, true, true, false, false]);
    }

    #[test]
    fn names_are_those_of_currenttransform() {
        assert_eq!(maps(Transform::FlipColor)[1].name(), "invertcolor reflect_h");
        assert_eq!(TransformMap::of(Step::Shift(2, -1)).name(), "right^2 down^1");
        assert_eq!(maps(Transform::Rotate45)[3].name(), "rotate45^3");
    }

    #[test]
    fn compositions_that_do_the_same_are_one() {
        let color = maps(Transform::FlipColor);
        assert_eq!(compose(&color, &color).len(), 2);
        let flip = maps(Transform::Flip);
        assert_eq!(compose(&flip, &flip).len(), 8);
    }

    #[test]
    fn directions_follow_the_board() {
        let up = Directions(1);
        assert_eq!(maps(Transform::Rotate90)[1].directions(up), Directions(1 << 2));
        assert_eq!(maps(Transform::FlipColor)[1].directions(up), Directions(1 << 4));
    }
}
