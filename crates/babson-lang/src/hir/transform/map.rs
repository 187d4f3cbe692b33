//! Maps of the board, which make the copies under a transform.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use babson_chess::Direction;

use super::Transform;
use crate::hir::{Content, Designator, Directions};

/// One symmetry of the square, as `(x, y) -> (a x + b y, c x + d y)` about the center of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Symmetry {
    name: &'static str,
    matrix: [i8; 4],
}

/// The symmetries, by the names that `currenttransform` prints.
const SYMMETRIES: [Symmetry; 8] = [
    Symmetry { name: "", matrix: [1, 0, 0, 1] },
    Symmetry { name: "reflect_h", matrix: [1, 0, 0, -1] },
    Symmetry { name: "reflect_v", matrix: [-1, 0, 0, 1] },
    Symmetry { name: "rotate180", matrix: [-1, 0, 0, -1] },
    Symmetry { name: "clockwise90", matrix: [0, 1, -1, 0] },
    Symmetry { name: "counterclockwise90", matrix: [0, -1, 1, 0] },
    Symmetry { name: "reflect_a1h8", matrix: [0, 1, 1, 0] },
    Symmetry { name: "reflect_a8h1", matrix: [0, -1, -1, 0] },
];
const IDENTITY: usize = 0;
const REFLECT_H: usize = 1;
const REFLECT_V: usize = 2;
const ROTATE180: usize = 3;
const CLOCKWISE90: usize = 4;
const COUNTERCLOCKWISE90: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// Index into [`SYMMETRIES`].
    Symmetry(usize),
    Shift(i8, i8),
    Rotate45(u8),
}

impl Step {
    /// As `currenttransform` prints it.
    fn name(self) -> String {
        match self {
            Step::Symmetry(i) => SYMMETRIES[i].name.to_string(),
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

/// A map of the board: steps applied one after another, and perhaps an exchange of the colors,
/// which commutes with all of them. Equal neighbors are joined, so that compositions that do the
/// same are equal whatever their names.
#[derive(Clone, Debug, Default)]
pub struct TransformMap {
    steps: Vec<Step>,
    swaps_colors: bool,
    name: String,
}

impl PartialEq for TransformMap {
    fn eq(&self, other: &TransformMap) -> bool {
        self.steps == other.steps && self.swaps_colors == other.swaps_colors
    }
}

impl Eq for TransformMap {}

impl Hash for TransformMap {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.steps.hash(state);
        self.swaps_colors.hash(state);
    }
}

/// The maps of a transform; the identity first where there is one.
pub(super) fn maps(transform: Transform) -> Vec<TransformMap> {
    let symmetry = |i: usize| TransformMap::of((i != IDENTITY).then_some(Step::Symmetry(i)));
    let symmetries = |list: &[usize]| list.iter().map(|&i| symmetry(i)).collect();
    let color = || {
        let mirror = symmetry(REFLECT_H);
        TransformMap { swaps_colors: true, name: format!("invertcolor {}", mirror.name), ..mirror }
    };
    let shifts = |across: bool, along: bool| {
        let limit = |on: bool| if on { 7 } else { 0 };
        let (w, h) = (limit(across), limit(along));
        let mut maps = vec![TransformMap::default()];
        for dx in -w..=w {
            for dy in -h..=h {
                if (dx, dy) != (0, 0) {
                    maps.push(TransformMap::of(Some(Step::Shift(dx, dy))));
                }
            }
        }
        maps
    };
    match transform {
        Transform::FlipVertical => symmetries(&[IDENTITY, REFLECT_V]),
        Transform::FlipHorizontal => symmetries(&[IDENTITY, REFLECT_H]),
        Transform::Flip => (0..8).map(symmetry).collect(),
        Transform::Rotate90 => symmetries(&[IDENTITY, CLOCKWISE90, ROTATE180, COUNTERCLOCKWISE90]),
        Transform::Rotate45 => {
            (0..8).map(|n| TransformMap::of((n > 0).then_some(Step::Rotate45(n)))).collect()
        }
        Transform::FlipColor => vec![TransformMap::default(), color()],
        Transform::Shift => shifts(true, true),
        Transform::ShiftHorizontal => shifts(true, false),
        Transform::ShiftVertical => shifts(false, true),
        Transform::ReverseColor => vec![color()],
    }
}

/// All distinct compositions of an outer map with an inner one, which is applied first.
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
    fn of(step: Option<Step>) -> TransformMap {
        let name = step.map_or_else(String::new, Step::name);
        TransformMap { steps: step.into_iter().collect(), swaps_colors: false, name }
    }

    /// The composition of this map and then another.
    fn then(&self, second: &TransformMap) -> TransformMap {
        let mut steps = self.steps.clone();
        for &step in &second.steps {
            match (steps.last().copied(), step) {
                (Some(Step::Symmetry(i)), Step::Symmetry(j)) => {
                    steps.pop();
                    let product = product(i, j);
                    if product != IDENTITY {
                        steps.push(Step::Symmetry(product));
                    }
                }
                (Some(Step::Rotate45(m)), Step::Rotate45(n)) => {
                    steps.pop();
                    if (m + n) % 8 != 0 {
                        steps.push(Step::Rotate45((m + n) % 8));
                    }
                }
                _ => steps.push(step),
            }
        }
        let names = [self.name.as_str(), &second.name];
        let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        TransformMap {
            steps,
            swaps_colors: self.swaps_colors != second.swaps_colors,
            name: names.join(" "),
        }
    }

    /// Whether it is the identity.
    pub fn is_identity(&self) -> bool {
        self.steps.is_empty() && !self.swaps_colors
    }

    /// Names of the maps, as `currenttransform` prints them between its angle brackets.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the colors are exchanged.
    pub(super) fn swaps_colors(&self) -> bool {
        self.swaps_colors
    }

    /// Whether directions are turned by parts of a right angle, which squares cannot follow.
    pub(super) fn rotates45(&self) -> bool {
        self.steps.iter().any(|s| matches!(s, Step::Rotate45(_)))
    }

    /// Whether light squares become dark ones.
    pub(super) fn swaps_square_colors(&self) -> bool {
        let odd = self.steps.iter().filter(|step| match step {
            Step::Shift(dx, dy) => (dx + dy) % 2 != 0,
            // A mirror along a file or rank and a quarter turn exchange them; the others do not.
            Step::Symmetry(i) => parity(apply(*i, 0)),
            Step::Rotate45(_) => false,
        });
        odd.count() % 2 == 1
    }

    /// A designator after the map; `None` when none of its squares is left, or (inner error) when
    /// `rotate45` meets squares.
    pub(super) fn designator(&self, designator: Designator) -> Result<Option<Designator>, ()> {
        let Designator { mut squares, content } = designator;
        for step in &self.steps {
            squares = match step {
                Step::Symmetry(i) => each_square(squares, |square| apply(*i, square)),
                Step::Shift(dx, dy) => shift(squares, *dx, *dy),
                Step::Rotate45(_) if squares != 0 && squares != !0 => return Err(()),
                Step::Rotate45(_) => squares,
            };
        }
        let content = if self.swaps_colors { Content::swap_colors(content) } else { content };
        Ok((squares != 0 || designator.squares == 0).then_some(Designator { squares, content }))
    }

    /// Directions after the map.
    pub(super) fn directions(&self, directions: Directions) -> Directions {
        let mut bits = directions.0;
        for step in &self.steps {
            bits = match step {
                Step::Symmetry(s) => {
                    let [a, b, c, d] = SYMMETRIES[*s].matrix;
                    let mut turned = 0;
                    for (i, direction) in Direction::ALL.into_iter().enumerate() {
                        if bits >> i & 1 == 1 {
                            let (dx, dy) = direction.delta();
                            let image = (a * dx + b * dy, c * dx + d * dy);
                            let j = Direction::ALL.iter().position(|step| step.delta() == image);
                            turned |= j.map_or(0, |j| 1 << j);
                        }
                    }
                    turned
                }
                Step::Rotate45(n) => bits.rotate_left(u32::from(*n)),
                Step::Shift(..) => bits,
            };
        }
        Directions(bits)
    }
}

fn parity(square: u8) -> bool {
    (square / 8 + square % 8) % 2 == 1
}

/// The symmetry that does first one and then another.
fn product(first: usize, second: usize) -> usize {
    let ([a, b, c, d], [e, f, g, h]) = (SYMMETRIES[second].matrix, SYMMETRIES[first].matrix);
    let matrix = [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h];
    SYMMETRIES.iter().position(|s| s.matrix == matrix).unwrap_or(IDENTITY)
}

/// The image of one square. Coordinates are doubled about the center: -7, -5 … 7.
fn apply(symmetry: usize, square: u8) -> u8 {
    let (x, y) = (2 * (square % 8) as i8 - 7, 2 * (square / 8) as i8 - 7);
    let [a, b, c, d] = SYMMETRIES[symmetry].matrix;
    let (x, y) = (a * x + b * y, c * x + d * y);
    ((y + 7) / 2 * 8 + (x + 7) / 2) as u8
}

fn each_square(squares: u64, image: impl Fn(u8) -> u8) -> u64 {
    (0..64).filter(|i| squares >> i & 1 == 1).fold(0, |all, i| all | 1 << image(i))
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const RANK_1: u64 = 0xff;

/// A translation, one step at a time, vertically first. A full line in the direction of the
/// translation stays full.
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
        let a1 = |i: usize| apply(i, 0);
        assert_eq!([a1(REFLECT_H), a1(REFLECT_V), a1(ROTATE180)], [56, 7, 63]);
        assert_eq!([a1(CLOCKWISE90), a1(COUNTERCLOCKWISE90)], [56, 7]);
        assert_eq!([apply(6, 8), apply(7, 0)], [1, 63]);
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
        assert_eq!(TransformMap::of(Some(Step::Shift(2, -1))).name(), "right^2 down^1");
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
