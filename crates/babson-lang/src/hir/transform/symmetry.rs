//! The symmetries of the board.

use babson_chess::Direction;

use crate::hir::Directions;

/// A rotation or reflection that maps the board to itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry {
    /// Whether files and ranks are exchanged, before the mirror.
    pub transpose: bool,
    /// Whether files, and whether ranks, are mirrored.
    pub mirror: (bool, bool),
}

impl Symmetry {
    /// The symmetry that exchanges files and ranks, and then mirrors the files or the ranks.
    pub const fn new(transpose: bool, files: bool, ranks: bool) -> Symmetry {
        Symmetry { transpose, mirror: (files, ranks) }
    }

    /// The symmetry that applies this one and then another.
    pub fn then(self, next: Symmetry) -> Symmetry {
        // A transposition exchanges the mirrors that were made before it.
        let (files, ranks) = next.transposed(self.mirror);
        Symmetry {
            transpose: self.transpose != next.transpose,
            mirror: (files != next.mirror.0, ranks != next.mirror.1),
        }
    }

    /// The image of a distance in files and ranks.
    pub fn distance(self, distance: (i8, i8)) -> (i8, i8) {
        let (x, y) = self.transposed(distance);
        (if self.mirror.0 { -x } else { x }, if self.mirror.1 { -y } else { y })
    }

    /// The image of a square with these coordinates, from 0 to 7.
    pub fn square(self, coordinates: (i8, i8)) -> (i8, i8) {
        let (x, y) = self.transposed(coordinates);
        (if self.mirror.0 { 7 - x } else { x }, if self.mirror.1 { 7 - y } else { y })
    }

    /// The image of a set of directions.
    pub fn directions(self, directions: Directions) -> Directions {
        let mut image = 0;
        for (bit, direction) in Direction::ALL.into_iter().enumerate() {
            if directions.0 >> bit & 1 == 1 {
                let turned = self.distance(direction.delta());
                let bit = Direction::ALL.iter().position(|step| step.delta() == turned);
                image |= bit.map_or(0, |bit| 1 << bit);
            }
        }
        Directions(image)
    }

    fn transposed<T>(self, (x, y): (T, T)) -> (T, T) {
        if self.transpose { (y, x) } else { (x, y) }
    }
}
