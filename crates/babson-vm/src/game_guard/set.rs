//! Sets of squares over a whole game: where their squares can lie, and how many there can be.

use babson_chess::Kind;
use babson_lang::hir::{Content, Expr};

use super::rows::Row;
use crate::analysis::Analysis;
use crate::need::{CONTENTS, is_exact, of_content, superset_of_pieces};

/// The index of the empty square among the contents.
const EMPTY: usize = 12;

/// The squares that hold certain contents on the board, given by a mask for each content.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GameSet {
    /// The masks of the pieces that are not empty, with the numbers of the pieces.
    pub(super) pieces: Vec<(u8, u64)>,
    /// The mask of the empty squares.
    pub(super) empty: u64,
    /// Whether the content does not matter: the set is the same on each board.
    pub(super) constant: bool,
    /// Whether each square with such a content is in the set; else the set has some of them.
    exact: bool,
    /// The number of squares of all masks.
    size: u32,
}

impl GameSet {
    /// A set that contains the value of the expression on each board.
    pub(super) fn of(expr: &Expr, analysis: &Analysis) -> GameSet {
        // The piece of a variable keeps its color, and its kind unless a pawn promotes.
        let masks = superset_of_pieces(expr, &|var| analysis.pieces_of(var));
        GameSet::of_masks(masks, is_exact(expr))
    }

    pub(super) fn of_masks(masks: [u64; CONTENTS], exact: bool) -> GameSet {
        let all = masks.iter().fold(0, |all, mask| all | mask);
        // `collect` would begin with room for four, and grow.
        let mut pieces = Vec::with_capacity(EMPTY);
        pieces.extend((0..).zip(masks).take(EMPTY).filter(|(_, mask)| *mask != 0));
        GameSet {
            pieces,
            empty: masks[EMPTY],
            constant: exact && masks.iter().all(|&mask| mask == all),
            exact,
            size: all.count_ones(),
        }
    }

    /// The squares of certain contents.
    pub(super) fn of_content(content: Content, squares: u64) -> GameSet {
        GameSet::of_masks(of_content(content, squares), true)
    }

    /// Returns the set of its squares that hold a piece of this kind.
    pub(super) fn only(&self, kind: Kind) -> GameSet {
        let mut masks = [0; CONTENTS];
        for &(piece, mask) in &self.pieces {
            if usize::from(piece) % 6 == kind.index() {
                masks[usize::from(piece)] = mask;
            }
        }
        GameSet::of_masks(masks, self.exact)
    }

    /// Whether each of its squares is one of the other set, to judge by the masks.
    pub(super) fn is_within(&self, other: &GameSet) -> bool {
        let mask =
            |piece| other.pieces.iter().find(|part| part.0 == piece).map_or(0, |part| part.1);
        self.empty & !other.empty == 0 && self.pieces.iter().all(|part| part.1 & !mask(part.0) == 0)
    }

    /// Whether each square with such a content is in the set.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether it says nothing: each board may have such a square.
    pub(super) fn is_anywhere(&self) -> bool {
        self.empty != 0 || self.constant && self.size > 0 || {
            // The squares of both kings, or of all pieces of a color.
            let everywhere = |piece: u8| self.pieces.contains(&(piece, !0));
            (0..6).all(everywhere) || (6..12).all(everywhere)
        }
    }

    /// Whether the facts of a game say nothing of its number of squares.
    pub(super) fn is_unknown(&self) -> bool {
        self.empty != 0 && !self.exact
    }

    /// Whether no square of any board belongs to it.
    pub(super) fn is_never(&self) -> bool {
        self.size == 0
    }

    /// The number of squares of all masks; no board has more in the set.
    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// The number of the pieces of the masks, if these do not depend on squares.
    pub(super) fn whole_pieces(&self) -> Option<impl Iterator<Item = u8>> {
        let whole = self.exact && self.empty == 0 && self.pieces.iter().all(|part| part.1 == !0);
        whole.then(|| self.pieces.iter().map(|part| part.0))
    }

    /// The set as a union: contents, and the squares where they count.
    pub(super) fn parts(&self) -> Vec<(u16, u64)> {
        let mut parts: Vec<(u16, u64)> = Vec::new();
        let empty = (12, self.empty);
        for (content, mask) in self.pieces.iter().copied().chain([empty]) {
            match parts.iter_mut().find(|part| part.1 == mask) {
                _ if mask == 0 => {}
                Some(part) => part.0 |= 1 << content,
                None => parts.push((1 << content, mask)),
            }
        }
        parts
    }

    /// Whether it is the same number on each board.
    pub(super) fn fixed_count(&self) -> Option<u32> {
        (self.constant || self.size == 0).then_some(self.size)
    }

    /// The squares that may have belonged to it.
    #[inline]
    pub(super) fn squares(&self, row: &impl Row) -> u64 {
        self.pieces.iter().fold(self.empty, |sum, &(piece, mask)| sum | row.footprint(piece) & mask)
    }

    /// No board of the game has more such squares.
    #[inline]
    pub(super) fn most(&self, row: &impl Row) -> u32 {
        if self.empty != 0 {
            return self.size;
        }
        let count = |&(piece, mask): &(u8, u64)| most_within(row, piece, mask);
        self.pieces.iter().map(count).sum::<u32>().min(self.size)
    }

    /// Each board of the game has as many such squares.
    #[inline]
    pub(super) fn least(&self, row: &impl Row) -> u32 {
        if self.constant {
            return self.size;
        }
        if !self.exact {
            return 0;
        }
        self.pieces.iter().map(|&(piece, mask)| least_within(row, piece, mask)).sum()
    }
}

/// No board has more of these pieces within the mask.
#[inline]
fn most_within(row: &impl Row, piece: u8, mask: u64) -> u32 {
    let most = u32::from(row.most(piece));
    if mask == !0 { most } else { most.min((row.footprint(piece) & mask).count_ones()) }
}

/// Each board has as many of these pieces within the mask: all but those that can be outside.
#[inline]
fn least_within(row: &impl Row, piece: u8, mask: u64) -> u32 {
    let least = u32::from(row.least(piece));
    if mask == !0 {
        return least;
    }
    least.saturating_sub((row.footprint(piece) & !mask).count_ones())
}
