//! `:relation`: another position of the game that is like the current one.

use babson_chess::Square;
use babson_lang::hir::{Designator, NodeSelection, Recurrence, RecurrenceSide};

use super::super::{Run, Stop};
use crate::filters::{Contents, designator};
use crate::op::{Id, Pc};

/// The squares of each of the twelve pieces, as [`Contents::bit`] numbers them.
type Boards = [u64; 12];

impl Run<'_, '_> {
    /// Whether there is such a position.
    pub(in super::super) fn recurrence(
        &mut self,
        pc: Pc,
        spec: Id<Recurrence>,
    ) -> Result<bool, Stop> {
        let program = self.program;
        let spec = &program.code.recurrences[spec];
        let first = *self.contents();
        let here = self.here;
        let comparison = Comparison::new(spec, &first);
        for node in 0..self.nodes.len() as u32 {
            let in_variation = self.nodes[node as usize].depth > 0;
            let in_scope = match spec.nodes {
                NodeSelection::MainLine => !in_variation || self.is_everywhere(),
                NodeSelection::All => true,
                NodeSelection::Variations => in_variation,
            };
            // Only later positions count: not this one, nor those before it.
            if !in_scope || self.contains(node, here.node) {
                continue;
            }
            self.step(pc)?;
            let other = &self.positions[node as usize];
            let side_fits = match spec.side {
                RecurrenceSide::Same => other.side() == here.board.side(),
                RecurrenceSide::Changed => other.side() != here.board.side(),
                RecurrenceSide::Any => true,
            };
            if side_fits && comparison.like(&Contents::of(other)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The position that others are compared with.
struct Comparison<'s> {
    spec: &'s Recurrence,
    boards: Boards,
    occupied: u64,
    /// Pieces that may be missing elsewhere.
    may_miss: u64,
    /// A square and its piece, which any similar position must have.
    anchor: Option<(Square, usize)>,
}

impl Comparison<'_> {
    fn new<'s>(spec: &'s Recurrence, contents: &Contents) -> Comparison<'s> {
        let boards = boards(contents);
        let occupied = contents.occupied().0;
        let may_miss = match spec.missing.1 {
            (_, hi) if hi <= 0 => 0,
            _ => designator(contents, spec.missing.0).0,
        };
        let certain = occupied & spec.squares & !may_miss;
        let anchor = (certain != 0).then(|| {
            let square = Square::from_index(certain.trailing_zeros() as usize);
            (square, contents.bit_at(square))
        });
        Comparison { spec, boards, occupied, may_miss, anchor }
    }

    /// Whether the position is similar to the first one, as the filter asks.
    fn like(&self, other: &Contents) -> bool {
        let spec = self.spec;
        let theirs = boards(other);
        let equal = self.boards.iter().zip(&theirs).fold(0, |equal, (a, b)| equal | a & b);
        let same = (equal & spec.squares).count_ones() as i32;
        let differ = (self.occupied | other.occupied().0) & !equal & spec.squares;
        let differ = differ.count_ones() as i32;
        let holds = |ranges: &[(i32, i32)], n| ranges.iter().all(|&(lo, hi)| lo <= n && n <= hi);
        if !holds(&spec.same, same) || !holds(&spec.different, differ) {
            return false;
        }
        if !spec.pattern {
            // No piece leaves the board, so the numbers of pieces rule out most positions.
            let (missing, new) = (spec.missing.1, spec.new.1);
            let more = other.occupied().0.count_ones() as i32 - self.occupied.count_ones() as i32;
            if more < new.0.saturating_sub(missing.1) || more > new.1.saturating_sub(missing.0) {
                return false;
            }
        }
        if !spec.flip {
            return self.like_shifted(&theirs);
        }
        (0..8).any(|symmetry| self.like_shifted(&theirs.map(|board| turned(board, symmetry))))
    }

    fn like_shifted(&self, theirs: &Boards) -> bool {
        if !self.spec.shift {
            return self.like_as_it_stands(theirs);
        }
        let Some((anchor, kind)) = self.anchor else {
            return (-7..=7).any(|x| (-7..=7).any(|y| self.like_with_shift(theirs, x, y)));
        };
        // The piece that must be there came from one of the squares with such a piece.
        let mut from = theirs[kind];
        while from != 0 {
            let square = Square::from_index(from.trailing_zeros() as usize);
            from &= from - 1;
            let x = anchor.file() as i8 - square.file() as i8;
            let y = anchor.rank() as i8 - square.rank() as i8;
            if self.like_with_shift(theirs, x, y) {
                return true;
            }
        }
        false
    }

    fn like_with_shift(&self, theirs: &Boards, x: i8, y: i8) -> bool {
        let all = theirs.iter().fold(0, |all, board| all | board);
        let shifted = theirs.map(|board| moved(board, x, y));
        let kept = shifted.iter().fold(0, |all: u64, board| all | board);
        if !self.spec.pattern && kept.count_ones() != all.count_ones() {
            return false;
        }
        self.like_as_it_stands(&shifted)
    }

    fn like_as_it_stands(&self, theirs: &Boards) -> bool {
        let squares = self.spec.squares;
        let equal = self.boards.iter().zip(theirs).fold(0, |equal, (a, b)| equal | a & b);
        let occupied = theirs.iter().fold(0, |all, board| all | board);
        if self.occupied & occupied & squares & !equal != 0 {
            return false;
        }
        let missing = self.occupied & !occupied & squares;
        let new = occupied & !self.occupied & squares;
        let in_range = |set: u64, (lo, hi): (i32, i32)| {
            let n = set.count_ones() as i32;
            lo <= n && n <= hi
        };
        missing & !self.may_miss == 0
            && in_range(missing, self.spec.missing.1)
            && in_range(new, self.spec.new.1)
            && new & !found(theirs, self.spec.new.0) == 0
    }
}

fn boards(contents: &Contents) -> Boards {
    std::array::from_fn(|bit| contents.bit(bit).0)
}

/// The squares of a designator.
fn found(boards: &Boards, designator: Designator) -> u64 {
    let pieces = (0..12)
        .filter(|bit| designator.content.0 >> bit & 1 != 0)
        .fold(0, |all, bit| all | boards[bit]);
    pieces & designator.squares
}

/// One of the eight symmetries of the board: bit 0 exchanges files and ranks, bit 1 mirrors the
/// files, bit 2 the ranks.
fn turned(board: u64, symmetry: u8) -> u64 {
    let mut image = 0;
    let mut left = board;
    while left != 0 {
        let square = left.trailing_zeros();
        left &= left - 1;
        let (mut file, mut rank) = (square % 8, square / 8);
        if symmetry & 1 != 0 {
            (file, rank) = (rank, file);
        }
        if symmetry & 2 != 0 {
            file = 7 - file;
        }
        if symmetry & 4 != 0 {
            rank = 7 - rank;
        }
        image |= 1 << (rank * 8 + file);
    }
    image
}

/// The squares moved by `x` files and `y` ranks; those that leave the board are gone.
fn moved(board: u64, x: i8, y: i8) -> u64 {
    const FILE: u64 = 0x0101_0101_0101_0101;
    let up = |board: u64| {
        let by = 8 * u32::from(y.unsigned_abs());
        if y >= 0 { board << by } else { board >> by }
    };
    let kept = (0..8i8)
        .filter(|file| (0..8).contains(&(file + x)))
        .fold(0, |kept, file| kept | FILE << file);
    let board = up(board & kept);
    let by = u32::from(x.unsigned_abs());
    if x >= 0 { board << by } else { board >> by }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_and_symmetries_of_squares() {
        let board = 1 << 1 | 1 << 15 | 1 << 62;
        for x in -7..=7i8 {
            for y in -7..=7i8 {
                let slow = (0..64i8)
                    .filter(|&s| board >> s & 1 != 0u64)
                    .map(|s| (s % 8 + x, s / 8 + y))
                    .filter(|(f, r)| (0..8).contains(f) && (0..8).contains(r))
                    .fold(0, |all, (f, r)| all | 1u64 << (r * 8 + f));
                assert_eq!(moved(board, x, y), slow, "{x} {y}");
            }
        }
        let mut images: Vec<u64> = (0..8).map(|symmetry| turned(1 << 10, symmetry)).collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
