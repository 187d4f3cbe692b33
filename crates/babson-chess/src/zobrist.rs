//! Polyglot's position keys.
//!
//! The book format of Polyglot defines 781 random numbers. They are the first outputs of Bob
//! Jenkins' generator ISAAC-64 with a seed of zeros, each block of 256 in reverse order. They are
//! computed at compile time.

use crate::{Color, Direction, Kind, Position, Square, SquareSet};

impl Position {
    /// The Polyglot key: see [`key`].
    pub fn zobrist(&self) -> u64 {
        key(self)
    }
}

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;

/// The numbers: 12 x 64 for the pieces, 4 for castling, 8 for en passant, 1 for White to move.
static RANDOM: [u64; 781] = isaac64();

/// By set of castling rights, the combined number of its rights.
static RIGHTS: [u64; 16] = {
    let random = isaac64();
    let mut sums = [0; 16];
    let mut rights = 0;
    while rights < 16 {
        let mut right = 0;
        while right < 4 {
            if rights >> right & 1 != 0 {
                sums[rights] ^= random[CASTLING + right];
            }
            right += 1;
        }
        rights += 1;
    }
    sums
};

/// The eight-word mixing step that seeds the generator.
const fn mix(mut s: [u64; 8]) -> [u64; 8] {
    const SHIFTS: [(bool, u32); 8] = [
        (false, 9),
        (true, 9),
        (false, 23),
        (true, 15),
        (false, 14),
        (true, 20),
        (false, 17),
        (true, 14),
    ];
    let mut i = 0;
    while i < 8 {
        let (left, by) = SHIFTS[i];
        s[i] = s[i].wrapping_sub(s[(i + 4) % 8]);
        s[(i + 5) % 8] ^= if left { s[(i + 7) % 8] << by } else { s[(i + 7) % 8] >> by };
        s[(i + 7) % 8] = s[(i + 7) % 8].wrapping_add(s[i]);
        i += 1;
    }
    s
}

const fn isaac64() -> [u64; 781] {
    let mut memory = [0u64; 256];
    let mut seed = [0x9e37_79b9_7f4a_7c13; 8];
    let mut round = 0;
    while round < 4 {
        seed = mix(seed);
        round += 1;
    }
    let mut pass = 0;
    while pass < 2 {
        let mut i = 0;
        while i < 256 {
            let mut j = 0;
            while j < 8 {
                seed[j] = seed[j].wrapping_add(memory[i + j]);
                j += 1;
            }
            seed = mix(seed);
            j = 0;
            while j < 8 {
                memory[i + j] = seed[j];
                j += 1;
            }
            i += 8;
        }
        pass += 1;
    }
    let mut output = [0u64; 781];
    let (mut a, mut b) = (0u64, 0u64);
    let mut block = 0;
    while block < 4 {
        b = b.wrapping_add(block as u64 + 1);
        let mut i = 0;
        while i < 256 {
            let x = memory[i];
            let mixed = match i % 4 {
                0 => !(a ^ a << 21),
                1 => a ^ a >> 5,
                2 => a ^ a << 12,
                _ => a ^ a >> 33,
            };
            a = mixed.wrapping_add(memory[(i + 128) % 256]);
            let y = memory[(x >> 3) as usize % 256].wrapping_add(a).wrapping_add(b);
            memory[i] = y;
            b = memory[(y >> 11) as usize % 256].wrapping_add(x);
            let index = block * 256 + 255 - i;
            if index < 781 {
                output[index] = b;
            }
            i += 1;
        }
        block += 1;
    }
    output
}

/// The Polyglot key of a position. The en passant file counts only if a pawn of the side to move
/// stands beside the pushed pawn, whether or not the capture is legal.
///
/// ```
/// use babson_chess::{zobrist, Position};
/// assert_eq!(zobrist::key(&Position::start()), 0x463b96181691fc9c);
/// ```
pub fn key(position: &Position) -> u64 {
    of_placement(placement(position), position)
}

/// The part of the key that comes from the pieces.
pub fn placement(position: &Position) -> u64 {
    placement_after(0, &Position::empty(), position)
}

/// Returns the [`placement`] of `after`, computed from `placement`, the value for `before`. Only
/// squares that differ take time, so each key of a game is made from the key before it.
///
/// ```
/// use babson_chess::{Position, san, zobrist};
/// let start = Position::start();
/// let mut next = start;
/// next.set_piece(babson_chess::Square::A1, None);
/// let placement = zobrist::placement_after(zobrist::placement(&start), &start, &next);
/// assert_eq!(zobrist::of_placement(placement, &next), zobrist::key(&next));
/// ```
pub fn placement_after(placement: u64, before: &Position, after: &Position) -> u64 {
    // One loop over the squares that differ, not one for each kind: nearly every move changes two
    // squares, so that the processor predicts the end of the loop.
    let mut changed = 0;
    for (old, new) in before.colors.iter().zip(&after.colors) {
        changed |= old.0 ^ new.0;
    }
    for (old, new) in before.kinds.iter().zip(&after.kinds) {
        changed |= old.0 ^ new.0;
    }
    let (old, new) = (Planes::of(before), Planes::of(after));
    let mut key = placement;
    for square in SquareSet(changed) {
        key ^= old.number(square) ^ new.number(square);
    }
    key
}

/// The board as bit planes, from which the number of a piece is read without a branch.
struct Planes {
    occupied: u64,
    white: u64,
    /// The three binary digits of [`Kind`], lowest first.
    kinds: [u64; 3],
}

impl Planes {
    #[inline]
    fn of(position: &Position) -> Planes {
        let [_, knights, bishops, rooks, queens, kings] = position.kinds.map(|squares| squares.0);
        Planes {
            occupied: position.occupied().0,
            white: position.colors[Color::White.index()].0,
            kinds: [knights | rooks | kings, bishops | rooks, queens | kings],
        }
    }

    /// The number of the piece on a square; 0 for an empty square.
    #[inline]
    fn number(&self, square: Square) -> u64 {
        let digit = |plane: u64| (plane >> square.index() & 1) as usize;
        // Polyglot orders black pawn, white pawn, black knight, …
        let mut piece = digit(self.white);
        for (bit, plane) in self.kinds.iter().enumerate() {
            piece += digit(*plane) << (bit + 1);
        }
        // A square holds at most one piece, so the kind is at most 5 and the index is in range.
        let number = RANDOM[piece * 64 + square.index()];
        number & (digit(self.occupied) as u64).wrapping_neg()
    }
}

/// The key of a position whose [`placement`] is known.
pub fn of_placement(placement: u64, position: &Position) -> u64 {
    let mut key = placement ^ RIGHTS[usize::from(position.castling().0 & 15)];
    if let Some((_, victim)) = crate::movegen::en_passant(position) {
        let pushed = SquareSet::of(victim);
        let beside = pushed.shift(Direction::East) | pushed.shift(Direction::West);
        if beside.intersects(position.pieces(position.side(), Kind::Pawn)) {
            key ^= RANDOM[EN_PASSANT + victim.file() as usize];
        }
    }
    if position.side() == Color::White {
        key ^= RANDOM[TURN];
    }
    key
}
