//! Colors, kinds of pieces and pieces.

use std::fmt;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side that moves up the board.
    White = 0,
    /// The side that moves down the board.
    Black = 1,
}

impl Color {
    /// Both colors, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The other side.
    #[inline(always)]
    pub const fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The first rank of the side as a rank of the board: 0 or 7.
    #[inline(always)]
    pub const fn back_rank(self) -> u8 {
        match self {
            Color::White => 0,
            Color::Black => 7,
        }
    }

    /// A rank counted from this side (0 is its own first rank) as a rank of the board.
    #[inline(always)]
    pub const fn relative_rank(self, rank: u8) -> u8 {
        match self {
            Color::White => rank,
            Color::Black => 7 - (rank & 7),
        }
    }
}

impl std::ops::Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        Color::not(self)
    }
}

/// A kind of piece. The number of a kind is the index of its bitboard in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Pawn.
    Pawn = 0,
    /// Knight.
    Knight = 1,
    /// Bishop.
    Bishop = 2,
    /// Rook.
    Rook = 3,
    /// Queen.
    Queen = 4,
    /// King.
    King = 5,
}

impl Kind {
    /// All kinds, pawn to king.
    pub const ALL: [Kind; 6] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];

    /// The kinds that a pawn may promote to in standard chess, queen first.
    pub const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

    /// How many pieces of this kind each side has in the initial position of standard chess.
    ///
    /// ```
    /// use babson_chess::Kind;
    ///
    /// assert_eq!(Kind::ALL.map(Kind::initial_count), [8, 2, 2, 2, 1, 1]);
    /// ```
    pub const fn initial_count(self) -> u32 {
        match self {
            Kind::Pawn => 8,
            Kind::Knight | Kind::Bishop | Kind::Rook => 2,
            Kind::Queen | Kind::King => 1,
        }
    }

    /// 0 for the pawn to 5 for the king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with this index, 0 to 5.
    pub const fn from_index(index: usize) -> Option<Kind> {
        if index < 6 { Some(Kind::ALL[index]) } else { None }
    }

    /// The kind of an upper- or lower-case English letter.
    pub const fn from_letter(letter: u8) -> Option<Kind> {
        Some(match letter | 32 {
            b'p' => Kind::Pawn,
            b'n' => Kind::Knight,
            b'b' => Kind::Bishop,
            b'r' => Kind::Rook,
            b'q' => Kind::Queen,
            b'k' => Kind::King,
            _ => return None,
        })
    }

    /// The usual value in pawns, as the filter `power` counts it: 9 for a queen, 5 for a rook, 3
    /// for a bishop or a knight, 1 for a pawn, 0 for a king.
    ///
    /// ```
    /// use babson_chess::Kind;
    /// assert_eq!(Kind::ALL.map(Kind::material), [1, 3, 3, 5, 9, 0]);
    /// ```
    #[inline]
    pub const fn material(self) -> i32 {
        match self {
            Kind::Queen => 9,
            Kind::Rook => 5,
            Kind::Bishop | Kind::Knight => 3,
            Kind::Pawn => 1,
            Kind::King => 0,
        }
    }

    /// The upper-case English letter, `P` for the pawn.
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            Kind::Pawn => 'P',
            Kind::Knight => 'N',
            Kind::Bishop => 'B',
            Kind::Rook => 'R',
            Kind::Queen => 'Q',
            Kind::King => 'K',
        }
    }
}

/// A piece: a kind and a color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The color.
    pub color: Color,
    /// The kind.
    pub kind: Kind,
}

impl Piece {
    /// The piece of this color and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: Kind) -> Piece {
        Piece { color, kind }
    }

    /// The FEN letter: `P` to `K` for White, `p` to `k` for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
    pub const fn from_letter(letter: u8) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Kind::from_letter(letter) {
            Some(kind) if letter.is_ascii_alphabetic() => Some(Piece { color, kind }),
            _ => None,
        }
    }

    /// 0 to 5 for White's pawn to king, 6 to 11 for Black's.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.color.index() * 6 + self.kind.index()
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_fen() {
        assert_eq!(Kind::ALL.map(Kind::letter), ['P', 'N', 'B', 'R', 'Q', 'K']);
        let letters = "PNBRQKpnbrqk";
        for (index, letter) in letters.char_indices() {
            let (color, kind) = (Color::ALL[index / 6], Kind::ALL[index % 6]);
            let piece = Piece::new(color, kind);
            assert_eq!((piece.letter(), piece.to_string()), (letter, letter.to_string()));
            assert_eq!((piece.index(), kind.index()), (index, index % 6));
            assert_eq!(Piece::from_letter(letter as u8), Some(piece));
            assert_eq!(Kind::from_letter(letter as u8), Some(kind));
        }
        for byte in (0..=255).filter(|byte| !letters.as_bytes().contains(byte)) {
            assert_eq!((Piece::from_letter(byte), Kind::from_letter(byte)), (None, None));
        }
    }

    /// As the example of [`Kind::material`]: mutants are tested without the examples.
    #[test]
    fn values_in_pawns() {
        assert_eq!(Kind::ALL.map(Kind::material), [1, 3, 3, 5, 9, 0]);
    }
}
