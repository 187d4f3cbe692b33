//! The facts of one game, from wherever they come.

use babson_pgn::{GameFacts, GameFlags};

/// The facts of one game.
pub(super) trait Row {
    /// The squares that the piece of this number ever stood on.
    fn footprint(&self, piece: u8) -> u64;
    /// The greatest number of such pieces.
    fn most(&self, piece: u8) -> u8;
    /// The least number of such pieces.
    fn least(&self, piece: u8) -> u8;
    fn flags(&self) -> GameFlags;
    /// The least and the greatest balance of the material.
    fn balance(&self) -> (i8, i8);
    /// Whether the tags may pass the tag test of this number.
    fn passes(&self, test: usize) -> bool;
    /// The number of plies of the main line; none if it is not known.
    fn plies(&self) -> Option<u16>;
    /// A bit for each position of the main line: in check; none if it is not known.
    fn checks(&self) -> Option<&[u64]>;
    /// The codes of the moves of the main line; none if they are not known.
    fn moves(&self) -> Option<&[u16]>;
}

impl Row for GameFacts {
    #[inline]
    fn footprint(&self, piece: u8) -> u64 {
        self.footprint.get(usize::from(piece)).map_or(0, |squares| squares.0)
    }

    #[inline]
    fn most(&self, piece: u8) -> u8 {
        self.most.get(usize::from(piece)).copied().unwrap_or(0)
    }

    #[inline]
    fn least(&self, piece: u8) -> u8 {
        self.least.get(usize::from(piece)).copied().unwrap_or(0)
    }

    #[inline]
    fn flags(&self) -> GameFlags {
        self.flags
    }

    #[inline]
    fn balance(&self) -> (i8, i8) {
        (self.least_balance, self.greatest_balance)
    }

    #[inline]
    fn passes(&self, _: usize) -> bool {
        true
    }

    #[inline]
    fn plies(&self) -> Option<u16> {
        None
    }

    #[inline]
    fn checks(&self) -> Option<&[u64]> {
        None
    }

    #[inline]
    fn moves(&self) -> Option<&[u16]> {
        None
    }
}

/// Facts of many games, a column each. A column that a guard does not touch may be empty; the
/// others have one length.
#[derive(Clone, Copy, Debug, Default)]
pub struct FactColumns<'c> {
    /// The squares that each piece ever stood on.
    pub footprint: [&'c [u64]; 12],
    /// The greatest number of each piece at any node.
    pub most: [&'c [u8]; 12],
    /// The least number of each piece at any node.
    pub least: [&'c [u8]; 12],
    /// What happens somewhere in the game.
    pub flags: &'c [u32],
    /// The least balance of the material.
    pub least_balance: &'c [i8],
    /// The greatest balance of the material.
    pub greatest_balance: &'c [i8],
    /// The number of plies of the main line.
    pub plies: &'c [u16],
    /// For each of [`GameGuard::tag_tests`](super::GameGuard::tag_tests), the rows whose value in
    /// the column of the test passes it: bit `i` of word `w` is row `64 * w + i`. A test without
    /// rows rules out no game.
    pub tags: &'c [&'c [u64]],
    /// A bit for each position of the main line, the initial one first: whether the side to move is
    /// in check. Words of zeros at the end may be left out.
    pub checks: &'c [&'c [u64]],
    /// The [codes](babson_chess::MoveCode) of the moves of the main line; none if a move has no
    /// code.
    pub moves: &'c [Option<&'c [u16]>],
}

/// Which columns of [`FactColumns`] a guard touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TouchedColumns {
    /// A bit for each piece.
    pub footprint: u16,
    /// A bit for each piece.
    pub most: u16,
    /// A bit for each piece.
    pub least: u16,
    /// Whether it touches the flags.
    pub flags: bool,
    /// Whether it touches the columns of the balance.
    pub balance: bool,
    /// Whether it touches the column of plies.
    pub plies: bool,
    /// Whether it touches the checks.
    pub checks: bool,
    /// Whether it touches the moves.
    pub moves: bool,
}

/// A row of columns.
#[derive(Clone, Copy)]
pub(super) struct ColumnRow<'c> {
    pub(super) columns: &'c FactColumns<'c>,
    pub(super) index: usize,
}

impl Row for ColumnRow<'_> {
    #[inline]
    fn footprint(&self, piece: u8) -> u64 {
        at(&self.columns.footprint, piece, self.index)
    }

    #[inline]
    fn most(&self, piece: u8) -> u8 {
        at(&self.columns.most, piece, self.index)
    }

    #[inline]
    fn least(&self, piece: u8) -> u8 {
        at(&self.columns.least, piece, self.index)
    }

    #[inline]
    fn flags(&self) -> GameFlags {
        GameFlags(self.columns.flags.get(self.index).copied().unwrap_or(0))
    }

    #[inline]
    fn balance(&self) -> (i8, i8) {
        let value = |column: &[i8]| column.get(self.index).copied().unwrap_or(0);
        (value(self.columns.least_balance), value(self.columns.greatest_balance))
    }

    #[inline]
    fn passes(&self, test: usize) -> bool {
        let word = passing(self.columns, test, self.index / 64);
        word >> (self.index % 64) & 1 != 0
    }

    #[inline]
    fn plies(&self) -> Option<u16> {
        self.columns.plies.get(self.index).copied()
    }

    #[inline]
    fn checks(&self) -> Option<&[u64]> {
        self.columns.checks.get(self.index).copied()
    }

    #[inline]
    fn moves(&self) -> Option<&[u16]> {
        self.columns.moves.get(self.index).copied().flatten()
    }
}

/// A bit for each of up to 64 rows.
#[inline]
pub(super) fn bits(rows: impl Iterator<Item = bool>) -> u64 {
    rows.zip(0..).fold(0, |word, (holds, bit)| word | u64::from(holds) << bit)
}

/// A word of the rows that pass a tag test.
#[inline]
pub(super) fn passing(columns: &FactColumns<'_>, test: usize, word: usize) -> u64 {
    let words = columns.tags.get(test).copied().unwrap_or_default();
    words.get(word).copied().unwrap_or(!0)
}

#[inline]
fn at<T: Copy + Default>(columns: &[&[T]; 12], piece: u8, index: usize) -> T {
    let column = columns.get(usize::from(piece)).copied().unwrap_or_default();
    column.get(index).copied().unwrap_or_default()
}
