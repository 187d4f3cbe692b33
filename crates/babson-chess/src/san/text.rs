//! The text of a move, which needs no allocation.

use std::fmt;

use crate::{Kind, Square};

/// The SAN of a move.
///
/// ```
/// use babson_chess::{san, Move, Position, Rules, Square};
/// let (start, knight) = (Position::start(), Move::normal(Square::G1, Square::at(5, 2)));
/// let next = start.make(knight, &Rules::STANDARD);
/// let text = san::write_between(&start, &next, &Rules::STANDARD, knight);
/// assert_eq!((text.to_string().as_str(), text.len()), ("Nf3", 3));
/// assert_eq!(text.word().to_le_bytes(), *b"Nf3\0\0\0\0\0");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct SanText {
    /// The bytes, the first one lowest, and zeros after them. The longest texts, such as `Qh4xe1+`
    /// and `exd8=Q#`, have seven bytes.
    word: u64,
    len: u8,
}

/// By kind, file of the origin and whether the move captures: what a move begins with that is the
/// only one of its kind to its target.
static BEGINNINGS: [[[SanText; 2]; 8]; 6] = beginnings();

/// The names of the squares, the letter lowest.
static NAMES: [u16; 64] = names();

const fn beginnings() -> [[[SanText; 2]; 8]; 6] {
    let mut all = [[[SanText { word: 0, len: 0 }; 2]; 8]; 6];
    let mut kind = 0;
    while kind < 6 {
        let mut file = 0;
        while file < 8 {
            // A pawn has the letter of its file, and only if it captures.
            let is_pawn = kind == 0;
            let letter = if is_pawn { b'a' + file as u8 } else { b"PNBRQK"[kind] };
            let captures = letter as u64 | (b'x' as u64) << 8;
            all[kind][file][0] =
                SanText { word: if is_pawn { 0 } else { letter as u64 }, len: !is_pawn as u8 };
            all[kind][file][1] = SanText { word: captures, len: 2 };
            file += 1;
        }
        kind += 1;
    }
    all
}

const fn names() -> [u16; 64] {
    let mut names = [0; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::from_index(index);
        names[index] = square.file_byte() as u16 | (square.rank_byte() as u16) << 8;
        index += 1;
    }
    names
}

impl SanText {
    /// The piece that moves from a square, if it is not a pawn, or the file of a pawn that
    /// captures; then `x` if it captures.
    #[inline(always)]
    pub(super) fn beginning(kind: Kind, from: Square, captures: bool) -> SanText {
        BEGINNINGS[kind.index()][usize::from(from.file())][usize::from(captures)]
    }

    /// The bytes of the text, which are ASCII, in a word: the first one is the lowest, and zeros
    /// follow the last one. A writer copies them at once.
    #[inline(always)]
    pub const fn word(self) -> u64 {
        self.word
    }

    /// The number of bytes, at least two.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty)] // No move has an empty text.
    pub const fn len(self) -> usize {
        self.len as usize
    }

    #[inline(always)]
    pub(super) fn push(&mut self, byte: u8) {
        self.append(u64::from(byte), 1);
    }

    /// Without a branch: whether a move captures is hard to predict.
    #[inline(always)]
    pub(super) fn push_if(&mut self, byte: u8, condition: bool) {
        self.append(u64::from(byte) * u64::from(condition), u8::from(condition));
    }

    /// The letter of a piece.
    #[inline(always)]
    pub(super) const fn letter(kind: Kind) -> u8 {
        b"PNBRQK"[kind.index()]
    }

    #[inline(always)]
    pub(super) fn push_square(&mut self, square: Square) {
        self.append(u64::from(NAMES[square.index()]), 2);
    }

    /// Appends the lowest `len` bytes of a word whose other bytes are zeros.
    #[inline(always)]
    fn append(&mut self, word: u64, len: u8) {
        self.word |= word << (u32::from(8 * self.len) & 63);
        self.len += len;
    }
}

impl fmt::Display for SanText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.word.to_le_bytes();
        let text = bytes.get(..self.len()).and_then(|text| std::str::from_utf8(text).ok());
        out.pad(text.unwrap_or_default())
    }
}

impl fmt::Debug for SanText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}
