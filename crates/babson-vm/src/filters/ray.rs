//! `ray`, `xray` and chains of three or more with `->` or `<-`
//! (`docs/src/language/attacks.md#rays`).

use babson_chess::attacks as table;
use babson_chess::{Direction, Square, SquareSet};
use babson_lang::hir::Directions;

use super::PieceSets;
use crate::limits::MAX_RAY_SETS;

/// The value of `ray`: walks away from the squares of `sets[0]`, consuming `sets[1]` … in order.
///
/// * An occupied square is consumed if it is in the set sought, and ends the walk if not.
/// * An empty one in the set sought may be consumed or skipped; others are skipped.
/// * For the last set every square reached is collected, up to and including the first occupied.
///
/// With `attack` only a queen, a rook (orthogonally) or a bishop (diagonally) is walked from. The
/// value is what was collected, or with `first` the squares of the first set from whose walk
/// something was. Fewer than two sets give nothing.
///
/// ```
/// use babson_chess::{Color, Kind, Position, Square, SquareSet};
/// use babson_lang::hir::Directions;
/// use babson_vm::filters::{Contents, ray::ray};
///
/// let start = Contents::of(&Position::start());
/// let rook = SquareSet::of(Square::A1);
/// let (pawns, black) = (start.pieces(Color::White, Kind::Pawn), start.color(Color::Black));
/// // a1 sees a7 through the pawn on a2, along the file only.
/// let seen = ray(&start, Directions(0xff), true, false, &[rook, pawns, black]);
/// assert_eq!(seen, SquareSet::of(Square::at(0, 6)));
/// ```
pub fn ray(
    board: &impl PieceSets,
    directions: Directions,
    attack: bool,
    first: bool,
    sets: &[SquareSet],
) -> SquareSet {
    let [start, rest @ ..] = sets else {
        return SquareSet::EMPTY;
    };
    if rest.is_empty() || sets.len() > MAX_RAY_SETS || sets.iter().any(|set| set.is_empty()) {
        return SquareSet::EMPTY;
    }
    let mut start = *start;
    if attack {
        start &= board.orthogonal() | board.diagonal();
        if start.is_empty() {
            return SquareSet::EMPTY;
        }
        // Before the second set is consumed only empty squares are passed.
        if !sliders_reach(board, start, rest[0]) {
            return SquareSet::EMPTY;
        }
    }
    let target = rest.last().and_then(|last| last.single());
    let mut value = SquareSet::EMPTY;
    for (number, direction) in Direction::ALL.into_iter().enumerate() {
        if directions.0 >> number & 1 == 0 {
            continue;
        }
        let from = match (attack, number % 2 == 0) {
            (false, _) => start,
            (true, true) => start & board.orthogonal(),
            (true, false) => start & board.diagonal(),
        };
        // A single last square is reached from one line only.
        let from = match target {
            Some(target) => {
                let line = towards(number, target);
                if rest[..rest.len() - 1].iter().any(|set| !set.intersects(line)) {
                    continue;
                }
                from & line
            }
            None => from,
        };
        if !from.is_empty() {
            value |= walk(board, direction, first, from, rest);
        }
    }
    value
}

/// Whether [`ray`] can have a value on any board: no set is empty, and if the last set is a single
/// square, each other set has a square on one line with it.
#[inline]
pub(crate) fn is_possible(directions: Directions, sets: &[SquareSet]) -> bool {
    if sets.iter().any(|set| set.is_empty()) {
        return false;
    }
    let Some((last, others)) = sets.split_last() else {
        return false;
    };
    let Some(target) = last.single() else {
        return true;
    };
    (0..8).any(|number| {
        directions.0 >> number & 1 != 0
            && others.iter().all(|set| set.intersects(towards(number, target)))
    })
}

/// The squares from which a walk in the direction of that number reaches the square.
#[inline]
fn towards(number: usize, target: Square) -> SquareSet {
    TOWARDS[number & 7][target.index() & 63]
}

/// For each direction and square: the squares of the board before it on that line.
static TOWARDS: [[SquareSet; 64]; 8] = {
    let mut table = [[SquareSet::EMPTY; 64]; 8];
    let mut number = 0;
    while number < 8 {
        let (files, ranks) = Direction::ALL[number].delta();
        let mut target = 0;
        while target < 64 {
            let mut file = (target % 8) as i32 - files as i32;
            let mut rank = (target / 8) as i32 - ranks as i32;
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[number][target].0 |= 1 << (rank * 8 + file);
                file -= files as i32;
                rank -= ranks as i32;
            }
            target += 1;
        }
        number += 1;
    }
    table
};

/// Whether a slider of the set attacks a square of the other set.
fn sliders_reach(board: &impl PieceSets, from: SquareSet, to: SquareSet) -> bool {
    let occupied = board.occupied();
    let rooks = from & board.orthogonal();
    let bishops = from & board.diagonal();
    rooks.iter().any(|square| table::rook(square, occupied).intersects(to))
        || bishops.iter().any(|square| table::bishop(square, occupied).intersects(to))
}

/// Walks in one direction from all squares of `from` at once. `seeking[i]` has the squares of the
/// walks that must reach `rest[i]` next. All walks have the same length at any time, so walks from
/// different origins never meet.
fn walk(
    board: &impl PieceSets,
    direction: Direction,
    first: bool,
    from: SquareSet,
    rest: &[SquareSet],
) -> SquareSet {
    let empty = !board.occupied();
    let last = rest.len() - 1;
    let mut seeking = [SquareSet::EMPTY; MAX_RAY_SETS];
    seeking[0] = from;
    let mut value = SquareSet::EMPTY;
    for length in 1..8 {
        let mut alive = SquareSet::EMPTY;
        // From the last set down, so that each entry is read before the one below adds to it.
        for index in (0..=last).rev() {
            let reached = seeking[index].shift(direction);
            let hit = reached & rest[index];
            seeking[index] = reached & empty;
            if index == last {
                value |= if first { back(hit, direction, length) } else { hit };
            } else {
                seeking[index + 1] |= hit;
                alive |= hit;
            }
            alive |= seeking[index];
        }
        if alive.is_empty() {
            break;
        }
    }
    value
}

/// The origins of walks of that length which ended on the squares.
fn back(ends: SquareSet, direction: Direction, length: u32) -> SquareSet {
    let (files, ranks) = direction.delta();
    let step = i32::from(ranks) * 8 + i32::from(files);
    let bits = step.unsigned_abs() * length;
    SquareSet(if step > 0 {
        ends.0.checked_shr(bits).unwrap_or(0)
    } else {
        ends.0.checked_shl(bits).unwrap_or(0)
    })
}
