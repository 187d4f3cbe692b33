//! The content of all squares as thirteen bitboards.

use babson_chess::{Color, Kind, Piece, Position, Square, SquareSet};
use babson_lang::hir::{Content, Designator};

/// The content of all squares: one bitboard for each bit of [`Content`], and one for each color.
///
/// Made once for each position. The bitboards are disjoint and cover the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    sets: [SquareSet; 13],
    colors: [SquareSet; 2],
}

const EMPTY: usize = 12;

impl Contents {
    /// The empty board.
    pub const BARE: Contents = {
        let mut sets = [SquareSet::EMPTY; 13];
        sets[EMPTY] = SquareSet::ALL;
        Contents { sets, colors: [SquareSet::EMPTY; 2] }
    };

    /// The content of a position's board.
    #[inline]
    pub fn of(position: &Position) -> Contents {
        let colors = Color::ALL.map(|color| position.color(color));
        let mut sets = [SquareSet::EMPTY; 13];
        for kind in Kind::ALL {
            let squares = position.kind(kind);
            sets[kind.index()] = squares & colors[0];
            sets[6 + kind.index()] = squares & colors[1];
        }
        sets[EMPTY] = !(colors[0] | colors[1]);
        Contents { sets, colors }
    }

    /// A board from pieces and their squares; a later piece replaces an earlier one.
    pub fn from_pieces(pieces: impl IntoIterator<Item = (Square, Piece)>) -> Contents {
        let mut contents = Contents::BARE;
        for (square, piece) in pieces {
            for set in &mut contents.sets {
                set.remove(square);
            }
            contents.sets[piece.index()].insert(square);
        }
        contents.colors = [contents.sum(0), contents.sum(6)];
        contents
    }

    fn sum(&self, first: usize) -> SquareSet {
        self.sets[first..first + 6].iter().fold(SquareSet::EMPTY, |sum, &set| sum | set)
    }

    /// The squares with the content of this bit number (0 to 12, as in [`Content`]); none for
    /// others.
    #[inline(always)]
    pub fn bit(&self, bit: usize) -> SquareSet {
        self.sets.get(bit).copied().unwrap_or(SquareSet::EMPTY)
    }

    /// The pieces of a color and kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: Kind) -> SquareSet {
        self.sets[color.index() * 6 + kind.index()]
    }

    /// The pieces of a kind, both colors.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> SquareSet {
        self.sets[kind.index()] | self.sets[6 + kind.index()]
    }

    /// All pieces of a color.
    #[inline(always)]
    pub fn color(&self, color: Color) -> SquareSet {
        self.colors[color.index()]
    }

    /// The empty squares.
    #[inline(always)]
    pub fn empty(&self) -> SquareSet {
        self.sets[EMPTY]
    }

    /// The occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> SquareSet {
        self.colors[0] | self.colors[1]
    }

    /// Queens and rooks of both colors.
    #[inline(always)]
    pub fn orthogonal(&self) -> SquareSet {
        self.kind(Kind::Rook) | self.kind(Kind::Queen)
    }

    /// Queens and bishops of both colors.
    #[inline(always)]
    pub fn diagonal(&self) -> SquareSet {
        self.kind(Kind::Bishop) | self.kind(Kind::Queen)
    }

    /// The square of the color's king if it has exactly one (only then is it royal).
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Kind::King).single()
    }

    /// The number of the bitboard that has the square, 0 to 12.
    #[inline]
    pub fn bit_at(&self, square: Square) -> usize {
        self.sets[..EMPTY].iter().position(|set| set.contains(square)).unwrap_or(EMPTY)
    }

    /// The piece on the square.
    #[inline]
    pub fn at(&self, square: Square) -> Option<Piece> {
        let bit = self.bit_at(square);
        let color = if bit < 6 { Color::White } else { Color::Black };
        if bit == EMPTY { None } else { Some(Piece::new(color, Kind::from_index(bit % 6)?)) }
    }

    /// The squares whose content is the same on both boards.
    pub fn same(&self, other: &Contents) -> SquareSet {
        let pairs = self.sets.iter().zip(&other.sets);
        pairs.fold(SquareSet::EMPTY, |sum, (&mine, &theirs)| sum | (mine & theirs))
    }
}

/// The squares of a designator that hold what it names.
#[inline]
pub fn designator(contents: &Contents, designator: Designator) -> SquareSet {
    content(contents, designator.content) & SquareSet(designator.squares)
}

#[inline]
fn content(contents: &Contents, wanted: Content) -> SquareSet {
    let bits = wanted.0 & Content::ANY.0;
    if bits & bits.wrapping_sub(1) == 0 {
        // One content or none: 16 trailing zeros are past the last bitboard.
        return contents.bit(bits.trailing_zeros() as usize);
    }
    let mut left = bits;
    let mut sum = SquareSet::EMPTY;
    for (color, all) in [(0, Content::WHITE.0), (1, Content::BLACK.0)] {
        if left & all == all {
            sum |= contents.colors[color];
            left &= !all;
        }
    }
    while left != 0 {
        sum |= contents.bit(left.trailing_zeros() as usize);
        left &= left - 1;
    }
    sum
}

/// The squares with a content.
#[inline]
pub(crate) fn content_squares(board: &Position, content: u16) -> u64 {
    match content {
        0x1fff => return !0,
        0x003f => return board.color(Color::White).0,
        0x0fc0 => return board.color(Color::Black).0,
        0x0fff => return board.occupied().0,
        _ => {}
    }
    let (white, black) = (content & 0x3f, content >> 6 & 0x3f);
    let both = white & black;
    let mut sum = of_kinds(board, both);
    if white != both {
        sum |= of_kinds(board, white ^ both) & board.color(Color::White);
    }
    if black != both {
        sum |= of_kinds(board, black ^ both) & board.color(Color::Black);
    }
    if content & Content::EMPTY.0 != 0 {
        sum |= !board.occupied();
    }
    sum.0
}

/// The pieces of the kinds, one bit for each kind, of both colors.
#[inline(always)]
fn of_kinds(board: &Position, mut kinds: u16) -> SquareSet {
    let mut sum = SquareSet::EMPTY;
    while kinds != 0 {
        sum |= of_kind(board, kinds.trailing_zeros() as usize);
        kinds &= kinds - 1;
    }
    sum
}

/// The pieces of the kind with this number, of both colors.
#[inline(always)]
fn of_kind(board: &Position, number: usize) -> SquareSet {
    board.kinds().get(number).copied().unwrap_or(SquareSet::EMPTY)
}

/// The squares of one colored piece, by its bit number.
#[inline]
pub(crate) fn piece_squares(board: &Position, piece: u8) -> u64 {
    let (color, kind) = if piece < 6 { (Color::White, piece) } else { (Color::Black, piece - 6) };
    (of_kind(board, usize::from(kind)) & board.color(color)).0
}
