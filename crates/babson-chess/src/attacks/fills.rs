//! The attacks of all sliders of a board at once.
//!
//! A look-up takes one slider after another, and how many there are is different on each board. A
//! fill moves all of them along a direction in three steps and needs no branch. Four directions
//! are computed in one register where the processor has such.

use crate::SquareSet;

/// Four directions: north, east, northeast and northwest, or their opposites.
type Four = [u64; 4];

/// How far a step in each direction moves the bits of a set.
const STEPS: Four = [8, 1, 9, 7];

const ALL: u64 = !0;
const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
/// The squares that a step in each direction may arrive on, and a step in the opposite direction.
const ARRIVALS: [Four; 2] = [[ALL, NOT_A, NOT_A, NOT_H], [ALL, NOT_H, NOT_H, NOT_A]];

/// What the sliders of a board attack in each of the eight directions, up to and including the
/// first occupied square.
///
/// ```
/// use babson_chess::attacks::{self, SlidingAttacks};
/// use babson_chess::{Square, SquareSet};
/// let (rook, bishop) = (Square::A1, Square::at(2, 0));
/// let occupied = SquareSet::of(rook) | SquareSet::of(bishop);
/// let all = SlidingAttacks::of(rook.into(), bishop.into(), occupied);
/// let both = attacks::rook(rook, occupied) | attacks::bishop(bishop, occupied);
/// assert_eq!(all.union(), both);
/// assert_eq!(all.count(!occupied), 8 + 7);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SlidingAttacks {
    up: Four,
    down: Four,
}

impl SlidingAttacks {
    /// The attacks of the pieces that move along ranks and files and of those that move along
    /// diagonals. Both must be among the occupied squares; a queen is in both.
    #[inline(always)]
    pub fn of(orthogonal: SquareSet, diagonal: SquareSet, occupied: SquareSet) -> SlidingAttacks {
        let sliders = [orthogonal.0, orthogonal.0, diagonal.0, diagonal.0];
        SlidingAttacks {
            up: fill::<true>(sliders, !occupied.0),
            down: fill::<false>(sliders, !occupied.0),
        }
    }

    /// The squares that some slider attacks.
    #[inline(always)]
    pub fn union(&self) -> SquareSet {
        let both: Four = std::array::from_fn(|at| self.up[at] | self.down[at]);
        SquareSet((both[0] | both[1]) | (both[2] | both[3]))
    }

    /// The number of pairs of a slider and a square of `targets` that it attacks.
    #[inline(always)]
    pub fn count(&self, targets: SquareSet) -> u32 {
        // Of two sliders on one line only the nearer attacks a square in the same direction.
        let count = |set: u64| (set & targets.0).count_ones();
        let mut sum = 0;
        // Not a chain of iterators: the compiler makes a loop with branches of it.
        for (up, down) in self.up.into_iter().zip(self.down) {
            sum += count(up) + count(down);
        }
        sum
    }
}

/// The attacks in the directions that make the index of a square greater, or in the opposite ones.
#[inline(always)]
fn fill<const UP: bool>(sliders: Four, empty: u64) -> Four {
    let arrivals = ARRIVALS[usize::from(!UP)];
    let step = |set: Four, times: u32| -> Four {
        std::array::from_fn(|at| match UP {
            true => set[at] << (STEPS[at] << times),
            false => set[at] >> (STEPS[at] << times),
        })
    };
    let (mut reached, mut free): (Four, Four) = (sliders, arrivals.map(|set| set & empty));
    // The squares at a distance of 1, of up to 3, and of up to 7.
    for times in 0..3 {
        let next = step(reached, times);
        reached = std::array::from_fn(|at| reached[at] | free[at] & next[at]);
        let next = step(free, times);
        free = std::array::from_fn(|at| free[at] & next[at]);
    }
    let attacked = step(reached, 0);
    std::array::from_fn(|at| attacked[at] & arrivals[at])
}
