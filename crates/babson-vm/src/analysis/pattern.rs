//! Patterns: orbits of conjunctions of designators, tested at all their places at once.

use babson_lang::hir::{Content, Designator, Expr, ExprKind};

use super::conjuncts::conjuncts;
use crate::limits::MIN_TABLE_IMAGES;

/// Several conjunctions of designators; at least one must hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pattern {
    /// The contents that occur.
    pub(crate) contents: Vec<Content>,
    /// Conjunctions that are translations of each other, tested for all places at once.
    pub(crate) shifted: Vec<Shifted>,
    /// The other conjunctions: the number of the content and the squares of each designator.
    pub(crate) single: Vec<Vec<(u8, u64)>>,
}

/// Single squares at fixed distances from an anchor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shifted {
    /// The squares of the first designator.
    pub(crate) anchors: u64,
    /// Number of the content of the first designator.
    pub(crate) first: u8,
    /// Content and distance (in square numbers) of each further one.
    pub(crate) rest: Vec<(u8, i8)>,
}

impl Pattern {
    /// The pattern of an orbit, if all its elements are conjunctions of designators.
    pub(crate) fn of(elements: &[Expr]) -> Option<Pattern> {
        if elements.len() < 2 {
            return None;
        }
        let mut pattern = Pattern::default();
        for element in elements {
            let mut list = Vec::new();
            conjuncts([element], &mut list);
            let mut parts = Vec::new();
            for part in list {
                let ExprKind::Designator(designator) = part.kind else {
                    return None;
                };
                parts.push((pattern.content(designator)?, designator.squares));
            }
            pattern.add(parts)?;
        }
        Some(pattern)
    }

    /// Whether to test the pattern is faster than to evaluate the images.
    pub(crate) fn is_quick(&self) -> bool {
        self.single.len() < MIN_TABLE_IMAGES
    }

    fn content(&mut self, designator: Designator) -> Option<u8> {
        let known = self.contents.iter().position(|&content| content == designator.content);
        let index = known.unwrap_or_else(|| {
            self.contents.push(designator.content);
            self.contents.len() - 1
        });
        u8::try_from(index).ok().filter(|&index| index < 16)
    }

    fn add(&mut self, parts: Vec<(u8, u64)>) -> Option<()> {
        let (&(first, anchor), rest) = parts.split_first()?;
        if parts.iter().any(|part| part.1.count_ones() != 1) {
            self.single.push(parts);
            return Some(());
        }
        let place = |squares: u64| squares.trailing_zeros() as i8;
        let rest: Vec<(u8, i8)> = rest
            .iter()
            .map(|&(content, squares)| (content, place(squares) - place(anchor)))
            .collect();
        let group =
            self.shifted.iter_mut().find(|group| group.first == first && group.rest == rest);
        match group {
            Some(group) => group.anchors |= anchor,
            None => self.shifted.push(Shifted { anchors: anchor, first, rest }),
        }
        Some(())
    }

    /// Whether one of the conjunctions holds, given the squares of a content.
    #[inline]
    pub(crate) fn holds(&self, squares: impl Fn(Content) -> u64) -> bool {
        let mut boards = [0; 16];
        for (board, &content) in boards.iter_mut().zip(&self.contents) {
            *board = squares(content);
        }
        self.holds_by(|content| boards[usize::from(content & 15)])
    }

    /// [`Pattern::holds`], given the squares of the content of a number.
    #[inline(always)]
    pub(crate) fn holds_by(&self, squares: impl Fn(u8) -> u64) -> bool {
        self.shifted.iter().any(|group| {
            let mut anchors = group.anchors & squares(group.first);
            for &(content, distance) in &group.rest {
                if anchors == 0 {
                    break;
                }
                // A distance never wraps: each anchor came from a pattern wholly on the board.
                let board = squares(content);
                anchors &= if distance >= 0 {
                    board >> u32::from(distance.unsigned_abs())
                } else {
                    board << u32::from(distance.unsigned_abs())
                };
            }
            anchors != 0
        }) || self
            .single
            .iter()
            .any(|parts| parts.iter().all(|&(content, mask)| squares(content) & mask != 0))
    }
}
