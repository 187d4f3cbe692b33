//! Necessary conditions of the images of a filter under a transform, tested for all images at once.
//!
//! `shift`, `flip` and `flipcolor` can make thousands of images of one filter, and at nearly every
//! position nearly all of them fail at their first test. The images have one shape: if one tests
//! `Qa2`, the others test a queen on another square. So each test of the shape becomes a table. For
//! each piece on each square, the table has the set of images whose test this piece passes, with a
//! bit for each image. The images that pass at a position are the union of a few rows, one for each
//! piece there, and the images that pass all tests are an intersection of such unions. The same
//! works for moves, for later positions and for sequences of positions.
//!
//! What an image needs is found by [`Need::of`](crate::need::Need::of). As in
//! [`crate::prefilter`], the tests are only necessary. An image that fails them can neither
//! match nor have an effect. The machine evaluates the others.

mod chains;
mod derive;
mod moves;

use crate::need::{CONTENTS, PositionRange};
use crate::prefilter::Prefilter;

/// The images of a filter, as a set of bits, 64 in each word.
#[derive(Debug)]
pub(crate) struct Images {
    /// How many there are.
    pub(crate) len: usize,
    /// What each needs to match.
    pub(crate) test: ImageTest,
    /// Number of the tables of [`ImageTest::Elsewhere`].
    pub(crate) tables: usize,
}

/// A condition on a node of the game and, within sequences, on the followed move.
#[derive(Debug)]
pub(crate) enum ImageTest {
    /// There is no test.
    Nothing,
    /// One condition on the board, the same for all images.
    Prefilter(Prefilter),
    /// The images that may match with White to move, and those with Black to move.
    Side([Vec<u64>; 2]),
    /// A piece on one of the squares.
    Present(ImageTable),
    /// No such piece on any of the squares.
    Absent(ImageTable),
    /// The next move.
    Move(Box<MoveTest>),
    All(Vec<ImageTest>),
    Any(Vec<ImageTest>),
    /// A test that does not depend on the followed move.
    Here(Box<ImageTest>),
    /// A test after the followed move.
    Next(Box<ImageTest>),
    /// A test at the current position or at another one within `range`.
    Elsewhere {
        /// The number of its table, which is made once per game.
        table: usize,
        range: PositionRange,
        test: Box<ImageTest>,
    },
}

/// Conditions on a move. A missing table matches all moves.
#[derive(Debug)]
pub(crate) struct MoveTest {
    pub(crate) from: Option<ImageTable>,
    pub(crate) to: Option<ImageTable>,
    pub(crate) capture: Option<ImageTable>,
    /// Whether it is the move to the node, not one from it.
    pub(crate) previous: bool,
    /// Whether only the followed move counts.
    pub(crate) tied: bool,
    /// Whether the rook's move counts too in castling.
    pub(crate) rook: bool,
}

/// For a content and a square, the images to which it belongs.
#[derive(Debug)]
pub(crate) struct ImageTable {
    /// Words of a row.
    words: usize,
    /// The block of each content, if it has one.
    blocks: [Option<u8>; CONTENTS],
    /// The squares of each block for which there are images.
    squares: Vec<u64>,
    /// A row for each square of each block.
    rows: Vec<u64>,
}

impl Images {
    /// Words of a set of images.
    pub(crate) fn words(&self) -> usize {
        self.len.div_ceil(64)
    }
}

impl ImageTest {
    /// Whether there is no test.
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, ImageTest::Nothing)
    }

    /// Whether it depends on the followed move.
    pub(crate) fn is_tied(&self) -> bool {
        match self {
            ImageTest::Nothing
            | ImageTest::Prefilter(_)
            | ImageTest::Side(_)
            | ImageTest::Present(_)
            | ImageTest::Absent(_)
            | ImageTest::Here(_)
            | ImageTest::Elsewhere { .. } => false,
            ImageTest::Move(found) => found.tied && !found.previous,
            ImageTest::Next(_) => true,
            ImageTest::All(list) | ImageTest::Any(list) => list.iter().any(ImageTest::is_tied),
        }
    }

    /// Orders the conditions of a conjunction.
    fn cost(&self) -> u32 {
        match self {
            ImageTest::Nothing => 0,
            ImageTest::Prefilter(_) => 1,
            ImageTest::Side(_) => 2,
            ImageTest::Move(_) => 3,
            ImageTest::Present(table) | ImageTest::Absent(table) => {
                4 + table.blocks.iter().flatten().count() as u32
            }
            ImageTest::Any(list) => 20 + list.iter().map(ImageTest::cost).sum::<u32>(),
            ImageTest::All(list) => 1 + list.iter().map(ImageTest::cost).sum::<u32>(),
            ImageTest::Here(test) => 10 + test.cost(),
            ImageTest::Next(test) => 1_000 + test.cost(),
            // Its table takes a look at all positions; later it is a single row.
            ImageTest::Elsewhere { .. } => 1_000_000,
        }
    }
}

impl ImageTable {
    /// The table of the squares that images admit for each content, given the image to which each
    /// mask belongs; `None` if all admit all.
    fn of(
        masks: &[[u64; CONTENTS]],
        owners: &[usize],
        images: usize,
        budget: &mut usize,
    ) -> Option<ImageTable> {
        if masks.iter().all(|mask| mask.iter().all(|&squares| squares == !0)) {
            return None;
        }
        let words = images.div_ceil(64);
        let mut blocks = [None; CONTENTS];
        // The content that each block was made for.
        let mut leaders: Vec<usize> = Vec::new();
        for content in 0..CONTENTS {
            if masks.iter().all(|mask| mask[content] == 0) {
                continue;
            }
            let same = |&leader: &usize| masks.iter().all(|mask| mask[leader] == mask[content]);
            let block = leaders.iter().position(same).unwrap_or_else(|| {
                leaders.push(content);
                leaders.len() - 1
            });
            blocks[content] = u8::try_from(block).ok();
        }
        let size = leaders.len() * 64 * words;
        *budget = budget.checked_sub(size)?;
        let mut rows = vec![0; size];
        let mut squares = vec![0; leaders.len()];
        for (block, &leader) in leaders.iter().enumerate() {
            for (&image, mask) in owners.iter().zip(masks) {
                let mut left = mask[leader];
                squares[block] |= left;
                while left != 0 {
                    let square = left.trailing_zeros() as usize;
                    left &= left - 1;
                    rows[(block * 64 + square) * words + image / 64] |= 1 << (image % 64);
                }
            }
        }
        Some(ImageTable { words, blocks, squares, rows })
    }

    /// The images to which one of the contents on the square belongs.
    #[inline]
    pub(crate) fn row(&self, content: usize, square: usize) -> Option<&[u64]> {
        let block = usize::from(self.blocks[content]?);
        let first = (block * 64 + square) * self.words;
        self.rows.get(first..first + self.words)
    }

    /// Whether there are images for the content on one of the squares.
    #[inline]
    pub(crate) fn has(&self, content: usize, squares: u64) -> bool {
        let block = self.blocks[content].map(usize::from);
        block.is_some_and(|block| self.squares[block] & squares != 0)
    }

    /// Calls `f` with the rows of all squares of a board, given the squares of each content.
    #[inline]
    pub(crate) fn rows<'t>(&'t self, squares: impl Fn(usize) -> u64, mut f: impl FnMut(&'t [u64])) {
        for (content, block) in self.blocks.iter().enumerate() {
            let Some(block) = *block else { continue };
            let mut left = squares(content) & self.squares[usize::from(block)];
            while left != 0 {
                let square = left.trailing_zeros() as usize;
                left &= left - 1;
                if let Some(row) = self.row(content, square) {
                    f(row);
                }
            }
        }
    }
}
