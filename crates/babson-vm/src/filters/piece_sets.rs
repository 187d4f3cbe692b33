//! Boards as sets of pieces.

use babson_chess::{Color, Kind, Position, Square, SquareSet};

use super::Contents;

/// A board as sets of pieces. [`Contents`] answers more questions, but must be made first; a
/// position answers these at once.
pub trait PieceSets {
    /// The pieces of a color and kind.
    fn pieces(&self, color: Color, kind: Kind) -> SquareSet;

    /// The pieces of a kind, both colors.
    fn kind(&self, kind: Kind) -> SquareSet;

    /// All pieces of a color.
    fn color(&self, color: Color) -> SquareSet;

    /// The occupied squares.
    #[inline(always)]
    fn occupied(&self) -> SquareSet {
        self.color(Color::White) | self.color(Color::Black)
    }

    /// Queens and rooks of both colors.
    #[inline(always)]
    fn orthogonal(&self) -> SquareSet {
        self.kind(Kind::Rook) | self.kind(Kind::Queen)
    }

    /// Queens and bishops of both colors.
    #[inline(always)]
    fn diagonal(&self) -> SquareSet {
        self.kind(Kind::Bishop) | self.kind(Kind::Queen)
    }

    /// The square of the color's king if it has exactly one (only then is it royal).
    #[inline(always)]
    fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Kind::King).single()
    }
}

impl PieceSets for Contents {
    #[inline(always)]
    fn pieces(&self, color: Color, kind: Kind) -> SquareSet {
        Contents::pieces(self, color, kind)
    }

    #[inline(always)]
    fn kind(&self, kind: Kind) -> SquareSet {
        Contents::kind(self, kind)
    }

    #[inline(always)]
    fn color(&self, color: Color) -> SquareSet {
        Contents::color(self, color)
    }
}

impl PieceSets for Position {
    #[inline(always)]
    fn pieces(&self, color: Color, kind: Kind) -> SquareSet {
        Position::pieces(self, color, kind)
    }

    #[inline(always)]
    fn kind(&self, kind: Kind) -> SquareSet {
        Position::kind(self, kind)
    }

    #[inline(always)]
    fn color(&self, color: Color) -> SquareSet {
        Position::color(self, color)
    }
}
