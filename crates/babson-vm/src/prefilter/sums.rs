//! Sums over all pieces of a board, as a balance of material is.

use babson_chess::{Color, Kind, Position};

use super::BoardSet;

/// All squares.
const EVERYWHERE: u64 = !0;

/// A factor for each color and kind of piece, wherever it stands.
pub(super) struct Weights([[i32; 2]; 6]);

impl Weights {
    /// The factors of the terms of a sum, if each term has all pieces of a kind and color.
    pub(super) fn of(terms: &[(i32, BoardSet)]) -> Option<Weights> {
        let mut weights = [[0; 2]; 6];
        for (factor, set) in terms {
            let &BoardSet::Piece { color, kind, squares: EVERYWHERE } = set else {
                return None;
            };
            let weight: &mut i32 = &mut weights[kind.index()][color.index()];
            *weight = weight.wrapping_add(*factor);
        }
        Some(Weights(weights))
    }

    /// The sum on a board.
    #[inline(always)]
    pub(super) fn sum(&self, board: &Position) -> i32 {
        let (white, mut sum) = (board.color(Color::White), 0_i32);
        for (kind, weights) in Kind::ALL.into_iter().zip(&self.0) {
            let all = board.kind(kind);
            for (set, weight) in [all & white, all - white].into_iter().zip(weights) {
                sum = sum.wrapping_add(weight.wrapping_mul(set.len() as i32));
            }
        }
        sum
    }
}
