//! How similar two boards are, as a player sees it
//! (`docs/src/command-line.md#positions-like-a-fen`).
//!
//! Each piece has a weight. A piece of one board is paired with a piece of the same color and kind
//! of the other board and gives a share of its weight: the whole weight on the same square, less on
//! a square near it, and for a pawn nothing on another file. The similarity is the weight of both
//! boards that is shared. A light-squared and a dark-squared bishop are of two kinds, and so are
//! pawns of the center and of the wings.

use babson_chess::{Color, Kind, Position, SquareSet};

/// The similarity of a board to itself.
pub const MAX_LIKENESS: u32 = 1000;

/// What a piece of a kind counts.
#[derive(Clone, Copy)]
struct Weight {
    kind: Kind,
    squares: SquareSet,
    /// On the same square.
    same: u32,
    /// One step away: of a pawn on its file, of another piece in any direction.
    near: u32,
    /// Elsewhere: of a pawn on its file.
    far: u32,
}

const fn weight(kind: Kind, squares: SquareSet, same: u32, near: u32, far: u32) -> Weight {
    Weight { kind, squares, same, near, far }
}

const ALL: SquareSet = SquareSet(!0);
/// The files c to f, whose pawns make the structure.
const CENTER: SquareSet = SquareSet(0x3c3c_3c3c_3c3c_3c3c);
const WINGS: SquareSet = SquareSet(!CENTER.0);

const WEIGHTS: [Weight; 8] = [
    weight(Kind::Pawn, CENTER, 60, 15, 5),
    weight(Kind::Pawn, WINGS, 40, 30, 15),
    weight(Kind::Knight, ALL, 60, 55, 50),
    weight(Kind::Bishop, SquareSet::LIGHT, 60, 55, 50),
    weight(Kind::Bishop, SquareSet::DARK, 60, 55, 50),
    weight(Kind::Rook, ALL, 80, 74, 68),
    weight(Kind::Queen, ALL, 120, 110, 100),
    weight(Kind::King, ALL, 40, 32, 20),
];

/// A board to which others are compared.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// The pieces of each color, in the order of `WEIGHTS`.
    pieces: [[u64; WEIGHTS.len()]; 2],
    /// The weight of all its pieces.
    weight: u32,
}

impl Likeness {
    /// The comparison with a board.
    pub fn new(board: &Position) -> Likeness {
        let pieces = [Color::White, Color::Black].map(|color| pieces(board, color));
        Likeness { pieces, weight: total(&pieces) }
    }

    /// How similar a board is, from 0 to [`MAX_LIKENESS`]. The side to move does not count.
    ///
    /// ```
    /// use babson_chess::Position;
    /// use babson_vm::filters::likeness::{Likeness, MAX_LIKENESS};
    ///
    /// let start = Likeness::new(&Position::start());
    /// assert_eq!(start.of(&Position::start()), MAX_LIKENESS);
    /// assert_eq!(start.of(&Position::empty()), 0);
    /// ```
    pub fn of(&self, board: &Position) -> u32 {
        let others = [Color::White, Color::Black].map(|color| pieces(board, color));
        let all = self.weight + total(&others);
        let of_color = |(own, other): (&[u64; WEIGHTS.len()], &[u64; WEIGHTS.len()])| -> u32 {
            let each = WEIGHTS.iter().zip(own.iter().zip(other));
            each.map(|(weight, (&own, &other))| shared(weight, own, other)).sum()
        };
        let shared: u32 = self.pieces.iter().zip(&others).map(of_color).sum();
        // Two empty boards are equal.
        (2 * MAX_LIKENESS * shared).checked_div(all).unwrap_or(MAX_LIKENESS)
    }
}

fn pieces(board: &Position, color: Color) -> [u64; WEIGHTS.len()] {
    WEIGHTS.map(|weight| (board.pieces(color, weight.kind) & weight.squares).0)
}

fn total(pieces: &[[u64; WEIGHTS.len()]; 2]) -> u32 {
    let of_color = |sets: &[u64; WEIGHTS.len()]| -> u32 {
        WEIGHTS.iter().zip(sets).map(|(weight, set)| weight.same * set.count_ones()).sum()
    };
    pieces.iter().map(of_color).sum()
}

/// The weight that two sets of pieces of a kind share.
fn shared(weight: &Weight, a: u64, b: u64) -> u32 {
    let same = (a & b).count_ones();
    let (a, b) = (a & !b, b & !a);
    if a == 0 || b == 0 {
        return weight.same * same;
    }
    let is_pawn = weight.kind == Kind::Pawn;
    let around = if is_pawn { above_and_below } else { all_around };
    let pairs = |a: u64, b: u64| a.count_ones().min(b.count_ones());
    let near = pairs(around(a) & b, around(b) & a);
    let all = if is_pawn { pairs(files(a), files(b) & files(a)) } else { pairs(a, b) };
    let far = all.saturating_sub(near);
    weight.same * same + weight.near * near + weight.far * far
}

fn above_and_below(set: u64) -> u64 {
    set << 8 | set >> 8
}

fn all_around(set: u64) -> u64 {
    const A: u64 = 0x0101_0101_0101_0101;
    let rows = set | (set << 1) & !A | (set >> 1) & !(A << 7);
    rows | above_and_below(rows)
}

/// The files of a set, as squares of the first rank.
fn files(set: u64) -> u64 {
    let halves = set | set >> 32;
    let quarters = halves | halves >> 16;
    (quarters | quarters >> 8) & 0xff
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn likeness(a: &str, b: &str) -> u32 {
        Likeness::new(&a.parse().unwrap()).of(&b.parse().unwrap())
    }

    /// The boards from the most similar one on.
    fn is_descending(of: &str, boards: &[&str]) {
        let values: Vec<u32> = boards.iter().map(|board| likeness(of, board)).collect();
        assert!(values.is_sorted_by(|a, b| a > b), "{of}: {values:?}");
    }

    #[test]
    fn pawns_and_bishops_count_by_file_and_color() {
        is_descending(
            "4k3/8/8/8/3P4/8/8/4K3",
            &[
                "4k3/8/8/8/3P4/8/8/4K3",
                "4k3/8/8/8/8/3P4/8/4K3",
                "4k3/8/3P4/8/8/8/8/4K3",
                "4k3/8/8/8/4P3/8/8/4K3",
                "4k3/8/8/8/3p4/8/8/8",
            ],
        );
        is_descending(
            "4k3/5b2/8/8/8/8/5B2/4K3",
            &["4k3/8/4b3/8/8/4B3/8/4K3", "4k3/5b2/8/8/8/8/4B3/4K3"],
        );
    }

    fn set() -> impl Strategy<Value = u64> {
        prop_oneof![
            any::<u64>(),
            (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c)| a & b & c)
        ]
    }

    proptest! {
        #[test]
        fn it_is_symmetrical_and_only_equal_sets_share_all(a in set(), b in set()) {
            for weight in &WEIGHTS {
                let value = shared(weight, a, b);
                prop_assert_eq!(value, shared(weight, b, a));
                let least = weight.same * a.count_ones().min(b.count_ones());
                let is_inside = a & !b == 0 || b & !a == 0;
                prop_assert!(value <= least);
                prop_assert_eq!(value == least, is_inside);
            }
        }
    }
}
