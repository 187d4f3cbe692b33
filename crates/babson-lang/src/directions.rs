//! The directions of the board.

/// The eight compass directions as a bit set: bit 0 up, then clockwise: 1 northeast, 2 right,
/// 3 southeast, 4 down, 5 southwest, 6 left, 7 northwest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Directions(pub u8);

impl Directions {
    /// All eight.
    pub const ALL: Directions = Directions(0xff);
    /// Those of a rook.
    pub const ORTHOGONAL: Directions = Directions(0b0101_0101);
    /// Those of a bishop.
    pub const DIAGONAL: Directions = Directions(0b1010_1010);
    /// Along a rank.
    pub const HORIZONTAL: Directions = Directions(1 << 2 | 1 << 6);
    /// Along a file.
    pub const VERTICAL: Directions = Directions(1 | 1 << 4);
}
