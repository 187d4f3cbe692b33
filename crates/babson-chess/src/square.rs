//! Squares, numbered a1 = 0, b1 = 1, … h8 = 63.

use std::fmt;
use std::str::FromStr;

/// A square of the board: a1 = 0, b1 = 1, … h8 = 63.
///
/// ```
/// use babson_chess::Square;
/// let e4: Square = "e4".parse().unwrap();
/// assert_eq!((e4.file(), e4.rank(), e4.index()), (4, 3, 28));
/// assert_eq!(e4.mirror().to_string(), "e5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The text is not a square name such as `e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a square")]
pub struct ParseSquareError;

macro_rules! names {
    ($($name:ident = $index:expr),* $(,)?) => { $(
        #[doc = concat!("The square ", stringify!($name), ".")]
        pub const $name: Square = Square($index);
    )* };
}

impl Square {
    names!(
        A1 = 0,
        B1 = 1,
        C1 = 2,
        D1 = 3,
        E1 = 4,
        F1 = 5,
        G1 = 6,
        H1 = 7,
        A8 = 56,
        B8 = 57,
        C8 = 58,
        D8 = 59,
        E8 = 60,
        F8 = 61,
        G8 = 62,
        H8 = 63,
    );

    /// The square with this index, if it is below 64.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// The square whose index is the low six bits of `index`.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// The square on this file and rank (each 0 to 7; only the low three bits count).
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square((rank & 7) << 3 | (file & 7))
    }

    /// 0 for a1, 1 for b1, … 63 for h8.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file to 7 for the h-file.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank to 7 for the eighth.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The same square seen from the other side: the rank is mirrored, the file kept.
    #[inline(always)]
    pub const fn mirror(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let (f, r) = (self.file() as i8, self.rank() as i8);
        let (f, r) = (f.saturating_add(files), r.saturating_add(ranks));
        if f < 0 || f > 7 || r < 0 || r > 7 { None } else { Some(Square::at(f as u8, r as u8)) }
    }

    /// The letter of the file, `a` to `h`.
    #[inline(always)]
    pub(crate) const fn file_byte(self) -> u8 {
        b'a' + self.file()
    }

    /// The digit of the rank, `1` to `8`.
    #[inline(always)]
    pub(crate) const fn rank_byte(self) -> u8 {
        b'1' + self.rank()
    }

    /// All squares in the order a1, b1, … h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64u8).map(Square)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match *text.as_bytes() {
            [f @ b'a'..=b'h', r @ b'1'..=b'8'] => Ok(Square::at(f - b'a', r - b'1')),
            _ => Err(ParseSquareError),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", char::from(self.file_byte()), char::from(self.rank_byte()))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_a_file_and_a_rank() {
        let mut squares = Square::all();
        assert_eq!(squares.len(), 64);
        for (rank, digit) in (0..8).zip("12345678".chars()) {
            for (file, letter) in (0..8).zip("abcdefgh".chars()) {
                let square = squares.next().unwrap();
                assert_eq!(square, Square::at(file, rank));
                assert_eq!((square.file(), square.rank()), (file, rank));
                let index = usize::from(rank * 8 + file);
                assert_eq!(square.index(), index);
                assert_eq!(Square::new(index as u8), Some(square));
                assert_eq!(Square::from_index(index), square);
                let name = format!("{letter}{digit}");
                assert_eq!(square.to_string(), name);
                assert_eq!(name.parse(), Ok(square));
                assert_eq!(square.mirror(), Square::at(file, 7 - rank));
            }
        }
        assert_eq!(Square::new(64), None);
        for text in ["", "a", "a9", "a0", "i1", "`1", "A1", "a1 ", "a11"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text}");
        }
    }

    #[test]
    fn a_square_at_an_offset() {
        for square in Square::all() {
            for (files, ranks) in (-9..=9).flat_map(|files| (-9..=9).map(move |it| (files, it))) {
                let (file, rank) = (square.file() as i8 + files, square.rank() as i8 + ranks);
                let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
                let expected = is_on_board.then(|| Square::at(file as u8, rank as u8));
                assert_eq!(square.offset(files, ranks), expected);
            }
            assert_eq!(square.offset(i8::MIN, 0), None);
            assert_eq!(square.offset(0, i8::MAX), None);
        }
    }
}
