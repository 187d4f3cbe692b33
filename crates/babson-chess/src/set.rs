//! Sets of squares as bitboards.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::Square;

/// A set of squares; bit `i` stands for the square with index `i`.
///
/// ```
/// use babson_chess::{Direction, Square, SquareSet};
/// let set = SquareSet::file(7) | Square::A1.into();
/// assert_eq!(set.len(), 9);
/// assert_eq!(set.shift(Direction::East), Square::B1.into());
/// assert_eq!(set.first(), Some(Square::A1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SquareSet(pub u64);

/// One step on the board, seen from White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Up the board.
    North,
    /// Towards h8.
    NorthEast,
    /// To the right.
    East,
    /// Towards h1.
    SouthEast,
    /// Down the board.
    South,
    /// Towards a1.
    SouthWest,
    /// To the left.
    West,
    /// Towards a8.
    NorthWest,
}

impl Direction {
    /// All eight directions, clockwise from north.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// The step in files and ranks.
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Direction::North => (0, 1),
            Direction::NorthEast => (1, 1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, -1),
            Direction::South => (0, -1),
            Direction::SouthWest => (-1, -1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, 1),
        }
    }
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

impl SquareSet {
    /// No square.
    pub const EMPTY: SquareSet = SquareSet(0);
    /// All 64 squares.
    pub const ALL: SquareSet = SquareSet(!0);
    /// The dark squares (a1 is dark).
    pub const DARK: SquareSet = SquareSet(0xaa55_aa55_aa55_aa55);
    /// The light squares.
    pub const LIGHT: SquareSet = SquareSet(0x55aa_55aa_55aa_55aa);
    /// The first and the eighth rank.
    pub(crate) const BACK_RANKS: SquareSet = SquareSet(0xff00_0000_0000_00ff);

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> SquareSet {
        SquareSet(1 << square.index())
    }

    /// The squares of a file, 0 to 7.
    #[inline(always)]
    pub const fn file(file: u8) -> SquareSet {
        SquareSet(0x0101_0101_0101_0101 << (file & 7))
    }

    /// The squares of a rank, 0 to 7.
    #[inline(always)]
    pub const fn rank(rank: u8) -> SquareSet {
        SquareSet(0xff << ((rank & 7) * 8))
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Adds the square.
    #[inline(always)]
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    /// Takes the square out.
    #[inline(always)]
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.index());
    }

    /// The number of squares, 0 to 64.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the sets share a square.
    #[inline(always)]
    pub const fn intersects(self, other: SquareSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of this set is in the other.
    #[inline(always)]
    pub const fn is_subset(self, other: SquareSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether more than one square is in the set.
    #[inline(always)]
    pub const fn is_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The first square in the order a1, b1, … h8.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// The last square in the order a1, b1, … h8.
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_index(63 - self.0.leading_zeros() as usize))
        }
    }

    /// The square, if there is exactly one.
    #[inline(always)]
    pub const fn single(self) -> Option<Square> {
        if self.is_many() { None } else { self.first() }
    }

    /// All squares one step in the direction; what leaves the board is lost.
    #[inline(always)]
    pub const fn shift(self, direction: Direction) -> SquareSet {
        SquareSet(match direction {
            Direction::North => self.0 << 8,
            Direction::South => self.0 >> 8,
            Direction::East => (self.0 & NOT_H) << 1,
            Direction::West => (self.0 & NOT_A) >> 1,
            Direction::NorthEast => (self.0 & NOT_H) << 9,
            Direction::NorthWest => (self.0 & NOT_A) << 7,
            Direction::SouthEast => (self.0 & NOT_H) >> 7,
            Direction::SouthWest => (self.0 & NOT_A) >> 9,
        })
    }

    /// The set with its ranks mirrored: the first rank becomes the eighth.
    #[inline(always)]
    pub const fn mirror(self) -> SquareSet {
        SquareSet(self.0.swap_bytes())
    }

    /// The squares in the order a1, b1, … h8.
    #[inline(always)]
    pub const fn iter(self) -> SquareIter {
        SquareIter(self.0)
    }
}

/// The squares of a set, in the order a1, b1, … h8.
#[derive(Clone, Debug)]
pub struct SquareIter(u64);

impl Iterator for SquareIter {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let first = SquareSet(self.0).first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for SquareIter {
    fn next_back(&mut self) -> Option<Square> {
        let last = SquareSet(self.0).last()?;
        self.0 &= !(1 << last.index());
        Some(last)
    }
}

impl ExactSizeIterator for SquareIter {}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = SquareIter;

    #[inline(always)]
    fn into_iter(self) -> SquareIter {
        self.iter()
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, |set, square| set | square.into())
    }
}

impl From<Square> for SquareSet {
    #[inline(always)]
    fn from(square: Square) -> SquareSet {
        SquareSet::of(square)
    }
}

macro_rules! operators {
    ($($op:ident $fn:ident $assign:ident $assign_fn:ident |$a:ident, $b:ident| $body:expr;)*) => { $(
        impl $op for SquareSet {
            type Output = SquareSet;
            #[inline(always)]
            fn $fn(self, other: SquareSet) -> SquareSet {
                let ($a, $b) = (self.0, other.0);
                SquareSet($body)
            }
        }
        impl $assign for SquareSet {
            #[inline(always)]
            fn $assign_fn(&mut self, other: SquareSet) {
                let ($a, $b) = (self.0, other.0);
                self.0 = $body;
            }
        }
    )* };
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b;
    Sub sub SubAssign sub_assign |a, b| a & !b;
}

impl Not for SquareSet {
    type Output = SquareSet;

    #[inline(always)]
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

impl fmt::Display for SquareSet {
    /// Eight lines, the eighth rank first, `1` for a member and `.` for the others.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let member = self.contains(Square::at(file, rank));
                out.write_str(if member { "1" } else { "." })?;
            }
            if rank > 0 {
                out.write_str("\n")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Random;

    /// Few squares, many, none and all.
    fn sets() -> Vec<SquareSet> {
        let mut random = Random(7);
        let mut sets = vec![SquareSet::EMPTY, SquareSet::ALL, SquareSet::DARK, SquareSet::LIGHT];
        sets.extend((0..64).map(|index| SquareSet(1 << index)));
        sets.extend((0..40).map(|_| SquareSet(random.next())));
        sets.extend((0..40).map(|_| SquareSet(random.next() & random.next() & random.next())));
        sets
    }

    #[test]
    fn a_set_is_its_squares() {
        for set in sets() {
            let squares: Vec<Square> =
                Square::all().filter(|square| set.0 >> square.index() & 1 == 1).collect();
            for square in Square::all() {
                assert_eq!(set.contains(square), squares.contains(&square));
            }
            assert_eq!(set.len() as usize, squares.len());
            assert_eq!(set.is_empty(), squares.is_empty());
            assert_eq!(set.is_many(), squares.len() > 1);
            assert_eq!(set.first(), squares.first().copied());
            assert_eq!(set.last(), squares.last().copied());
            assert_eq!(set.single(), (squares.len() == 1).then(|| squares[0]));
            assert_eq!(set.iter().collect::<Vec<_>>(), squares);
            assert!(set.iter().rev().eq(squares.iter().rev().copied()));
            assert_eq!(set.iter().len(), squares.len());
            assert_eq!(squares.iter().copied().collect::<SquareSet>(), set);
            let mirrored: SquareSet = squares.iter().map(|it| it.mirror()).collect();
            assert_eq!(set.mirror(), mirrored);
        }
    }

    #[test]
    fn squares_are_put_in_and_taken_out() {
        for (set, square) in
            sets().into_iter().flat_map(|set| Square::all().map(move |square| (set, square)))
        {
            let (mut more, mut fewer) = (set, set);
            more.insert(square);
            fewer.remove(square);
            assert_eq!(more, set | SquareSet::from(square));
            assert_eq!(fewer, set - SquareSet::from(square));
            assert!(more.contains(square) && !fewer.contains(square));
            assert_eq!(more.len() - fewer.len(), 1);
        }
    }

    #[test]
    fn operators_are_those_of_sets() {
        for (a, b) in sets().into_iter().flat_map(|a| sets().into_iter().map(move |b| (a, b))) {
            let is_in_both = |&square: &Square| a.contains(square) && b.contains(square);
            let in_both: Vec<Square> = Square::all().filter(is_in_both).collect();
            assert!((a & b).iter().eq(in_both.iter().copied()));
            assert_eq!(a.intersects(b), !in_both.is_empty());
            assert_eq!(a.is_subset(b), in_both.len() == a.len() as usize);
            assert_eq!((a | b).len() as usize + in_both.len(), (a.len() + b.len()) as usize);
            assert_eq!(a - b, a & !b);
            assert_eq!(a ^ b, (a | b) - (a & b));
            let [mut and, mut or, mut xor, mut sub] = [a; 4];
            and &= b;
            or |= b;
            xor ^= b;
            sub -= b;
            assert_eq!([and, or, xor, sub], [a & b, a | b, a ^ b, a - b]);
        }
    }

    #[test]
    fn files_ranks_and_colors() {
        for square in Square::all() {
            let (file, rank) = (square.file(), square.rank());
            for other in 0..8 {
                assert_eq!(SquareSet::file(other).contains(square), file == other);
                assert_eq!(SquareSet::rank(other).contains(square), rank == other);
            }
            assert_eq!(SquareSet::DARK.contains(square), (file + rank) % 2 == 0);
            assert_eq!(SquareSet::LIGHT.contains(square), (file + rank) % 2 == 1);
            assert_eq!(SquareSet::BACK_RANKS.contains(square), rank == 0 || rank == 7);
        }
    }

    /// Clockwise from north, by files and ranks.
    #[test]
    fn a_step_in_each_direction() {
        let deltas = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
        assert_eq!(Direction::ALL.map(Direction::delta), deltas);
        for (set, direction) in
            sets().into_iter().flat_map(|set| Direction::ALL.map(|direction| (set, direction)))
        {
            let (files, ranks) = direction.delta();
            let expected: SquareSet =
                set.iter().filter_map(|from| from.offset(files, ranks)).collect();
            assert_eq!(set.shift(direction), expected, "{direction:?}");
        }
    }

    #[test]
    fn a_set_is_shown_as_a_board() {
        let set = SquareSet::of(Square::at(0, 0)) | SquareSet::of(Square::at(6, 7));
        let rows = set.to_string();
        assert_eq!(rows.lines().next(), Some("......1."));
        assert_eq!(rows.lines().last(), Some("1......."));
        assert_eq!(rows.lines().count(), 8);
        assert_eq!(format!("{set:?}"), "{a1, g8}");
    }
}
