//! The attacks of sliding pieces, from a table that is made at compile time.
//!
//! Occupied squares on the rays of a square, except the last square of each ray, decide what a
//! slider attacks. Multiplied by the square's factor, they give an index in the highest bits of the
//! product. The factors are such that sets of occupied squares with the same index have the same
//! attacks, and that the ranges of indices of different squares overlap in the table.

use super::lines::ray;
use super::magics::{self, BISHOP_BITS, Magic, ROOK_BITS};
use crate::{Direction, Square, SquareSet};

/// What is looked up for one square, in one line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Sliders {
    pub(super) rook: Lookup<ROOK_INDICES>,
    pub(super) bishop: Lookup<BISHOP_INDICES>,
    /// What a rook attacks on an empty board.
    pub(super) rook_rays: SquareSet,
    /// What a bishop attacks on an empty board.
    pub(super) bishop_rays: SquareSet,
}

/// The attacks of one kind of slider from one square.
#[derive(Clone, Copy)]
pub(super) struct Lookup<const INDICES: usize> {
    /// The squares that decide nothing. They count as occupied.
    irrelevant: u64,
    factor: u64,
    // A reference to an array, so that no index needs a test of its range.
    attacks: &'static [SquareSet; INDICES],
}

/// The number of indices of one square for rooks.
const ROOK_INDICES: usize = 1 << ROOK_BITS;
/// The number of indices of one square for bishops.
const BISHOP_INDICES: usize = 1 << BISHOP_BITS;

/// By square.
pub(super) static SLIDERS: [Sliders; 64] = {
    let mut table = [Sliders::new(0); 64];
    let mut at = 1;
    while at < 64 {
        table[at] = Sliders::new(at);
        at += 1;
    }
    table
};

impl Sliders {
    const fn new(at: usize) -> Sliders {
        let square = Square::from_index(at);
        let (rook, bishop) = (Slides::of(square, ORTHOGONAL), Slides::of(square, DIAGONAL));
        Sliders {
            rook: Lookup::new(magics::ROOK[at], &rook),
            bishop: Lookup::new(magics::BISHOP[at], &bishop),
            rook_rays: rook.rays(),
            bishop_rays: bishop.rays(),
        }
    }
}

impl<const INDICES: usize> Lookup<INDICES> {
    const fn new(magic: Magic, slides: &Slides) -> Lookup<INDICES> {
        let Some(attacks) = ATTACKS.split_at(magic.start).1.first_chunk() else {
            panic!("the table has the range of indices of each square")
        };
        Lookup { irrelevant: !slides.relevant(), factor: magic.factor, attacks }
    }

    /// The number of bits of the product below the index.
    const SHIFT: u32 = u64::BITS - INDICES.ilog2();

    #[inline(always)]
    const fn index(factor: u64, occupied: u64) -> usize {
        (occupied.wrapping_mul(factor) >> Self::SHIFT) as usize
    }

    /// What the slider attacks, up to and including the first occupied square in each direction.
    #[inline(always)]
    pub(super) fn get(&self, occupied: SquareSet) -> SquareSet {
        self.attacks[Self::index(self.factor, occupied.0 | self.irrelevant)]
    }
}

/// The attacks of all squares, for rooks and bishops.
// The compiler warns of long evaluations. This one takes less than a second.
#[allow(long_running_const_eval)]
static ATTACKS: [SquareSet; LEN] = {
    let mut table = [SquareSet::EMPTY; LEN];
    let mut at = 0;
    while at < 64 {
        let square = Square::from_index(at);
        Slides::of(square, ORTHOGONAL).fill::<ROOK_INDICES>(magics::ROOK[at], &mut table);
        Slides::of(square, DIAGONAL).fill::<BISHOP_INDICES>(magics::BISHOP[at], &mut table);
        at += 1;
    }
    table
};

/// The end of the last range of indices.
const LEN: usize = {
    let mut len = 0;
    let mut at = 0;
    while at < 64 {
        let rook = magics::ROOK[at].start + ROOK_INDICES;
        let bishop = magics::BISHOP[at].start + BISHOP_INDICES;
        let end = if rook > bishop { rook } else { bishop };
        len = if end > len { end } else { len };
        at += 1;
    }
    len
};

/// Two pairs of opposite directions, the one to squares of higher indices first.
pub(super) type Directions = [[Direction; 2]; 2];

pub(super) const ORTHOGONAL: Directions =
    [[Direction::North, Direction::South], [Direction::East, Direction::West]];
pub(super) const DIAGONAL: Directions =
    [[Direction::NorthEast, Direction::SouthWest], [Direction::NorthWest, Direction::SouthEast]];

/// What a slider attacks from a square, by its two lines.
pub(super) struct Slides([LineAttacks; 2]);

impl Slides {
    pub(super) const fn of(square: Square, [first, second]: Directions) -> Slides {
        Slides([LineAttacks::of(square, first), LineAttacks::of(square, second)])
    }

    /// The squares that decide what the slider attacks.
    const fn relevant(&self) -> u64 {
        self.0[0].relevant | self.0[1].relevant
    }

    /// The attacks on an empty board.
    const fn rays(&self) -> SquareSet {
        SquareSet(self.0[0].attacks[0] | self.0[1].attacks[0])
    }

    /// Whether `f` is true of the attacks for each set of occupied squares, among which are always
    /// those that decide nothing.
    #[cfg(test)]
    pub(super) fn each(&self, mut f: impl FnMut(u64, SquareSet) -> bool) -> bool {
        let Slides([first, second]) = self;
        (0..first.len).all(|i| {
            let (occupied, attacks) = (first.occupied[i] | !self.relevant(), first.attacks[i]);
            (0..second.len)
                .all(|j| f(occupied | second.occupied[j], SquareSet(attacks | second.attacks[j])))
        })
    }

    /// Writes the attacks for all sets of occupied squares.
    const fn fill<const INDICES: usize>(&self, magic: Magic, table: &mut [SquareSet; LEN]) {
        let Slides([first, second]) = self;
        let mut i = 0;
        while i < first.len {
            let (occupied, attacks) = (first.occupied[i] | !self.relevant(), first.attacks[i]);
            let mut j = 0;
            while j < second.len {
                let index = Lookup::<INDICES>::index(magic.factor, occupied | second.occupied[j]);
                table[magic.start + index] = SquareSet(attacks | second.attacks[j]);
                j += 1;
            }
            i += 1;
        }
    }
}

/// What a slider attacks on one line.
struct LineAttacks {
    /// The squares that block the line if they are occupied: all but the ends.
    relevant: u64,
    /// The number of the subsets of these squares.
    len: usize,
    /// The subsets; the first is empty.
    occupied: [u64; 64],
    /// The attacks for each subset.
    attacks: [u64; 64],
}

impl LineAttacks {
    const fn of(square: Square, [higher, lower]: [Direction; 2]) -> LineAttacks {
        let (up, down) = (ray(square, higher), ray(square, lower));
        // The last square of a ray is the one from which the next step leaves the board.
        let relevant = up.0 & up.shift(lower).0 | down.0 & down.shift(higher).0;
        let mut line = LineAttacks { relevant, len: 0, occupied: [0; 64], attacks: [0; 64] };
        let mut occupied: u64 = 0;
        loop {
            // All squares up to the lowest blocker, and down to the highest; the whole ray if there
            // is none.
            let blockers = up.0 & occupied;
            let below = blockers ^ blockers.wrapping_sub(1);
            let highest = 1 << 63 >> (down.0 & occupied | 1).leading_zeros();
            line.occupied[line.len] = occupied;
            line.attacks[line.len] = up.0 & below | down.0 & u64::wrapping_neg(highest);
            line.len += 1;
            // The next subset.
            occupied = occupied.wrapping_sub(relevant) & relevant;
            if occupied == 0 {
                return line;
            }
        }
    }
}
