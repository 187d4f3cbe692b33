//! Guards on boards.

use babson_chess::{Color, Kind, Position, SquareSet, attacks};
use babson_lang::hir::{ComparisonOperator, Directions};

use super::{Amount, Atom, Guard, Squares};
use crate::filters::attacks::{king_steps, knight_steps, pawn_attacks};
use crate::filters::contents::content_squares;
use crate::limits::MAX_PREFILTER_TARGETS;

impl Guard {
    /// The first position from `from` on where the filter may match; the number of positions if
    /// there is none.
    #[inline]
    pub(crate) fn next(&self, positions: &[Position], from: usize) -> usize {
        let Some((first, rest)) = self.atoms.split_first() else {
            return from;
        };
        let mut at = from;
        loop {
            at = first.next(positions, at);
            match positions.get(at) {
                Some(board) if !rest.iter().all(|atom| atom.holds(board)) => at += 1,
                _ => return at,
            }
        }
    }

    /// Whether the filter may match here.
    #[inline]
    pub(crate) fn holds(&self, board: &Position) -> bool {
        self.atoms.iter().all(|atom| atom.holds(board))
    }
}

impl Atom {
    /// The first position from `from` on where the condition holds. A loop for each of the usual
    /// ones, so that what is the same for all positions is looked at once.
    fn next(&self, positions: &[Position], from: usize) -> usize {
        match self {
            Atom::Check(wanted) => scan(positions, from, |board| board.in_check() == *wanted),
            Atom::SideToMove(color) => scan(positions, from, |board| board.side() == *color),
            Atom::Count { set, amount } => match *set {
                Squares::Piece { color, kind, squares } => amount
                    .next(positions, from, |board| board.pieces(color, kind) & SquareSet(squares)),
                Squares::Kind { kind, squares } => {
                    amount.next(positions, from, |board| board.kind(kind) & SquareSet(squares))
                }
                Squares::Color { color, squares } => {
                    amount.next(positions, from, |board| board.color(color) & SquareSet(squares))
                }
                Squares::Constant(_)
                | Squares::Occupied(_)
                | Squares::Kinds { .. }
                | Squares::Content(_)
                | Squares::PassedPawns
                | Squares::And(_)
                | Squares::Or(_) => amount.next(positions, from, |board| set.of(board)),
            },
            Atom::Compare { .. }
            | Atom::Attacks { .. }
            | Atom::Attacked { .. }
            | Atom::Ray { .. }
            | Atom::Sum { .. }
            | Atom::Pattern(_)
            | Atom::Any(_) => scan(positions, from, |board| self.holds(board)),
        }
    }

    #[inline]
    fn holds(&self, board: &Position) -> bool {
        match self {
            Atom::Check(wanted) => board.in_check() == *wanted,
            Atom::SideToMove(color) => board.side() == *color,
            Atom::Count { set, amount } => amount.holds(set.of(board)),
            Atom::Compare { a, b, relation } => {
                let (a, b) = (a.of(board).len(), b.of(board).len());
                relate(*relation, a as i32, b as i32)
            }
            Atom::Attacks { from, to, least } => attack(board, from, to, *least),
            Atom::Attacked { targets, by, least } => {
                let (targets, by) = (targets.of(board), by.of(board));
                at_least(targets & reach(board, by), *least)
            }
            Atom::Ray { sets, directions } => aligned(board, sets, *directions),
            Atom::Sum { terms, relation, value } => relate(*relation, sum(terms, board), *value),
            Atom::Pattern(pattern) => pattern.holds(|content| content_squares(board, content.0)),
            Atom::Any(guards) => guards.iter().any(|guard| guard.holds(board)),
        }
    }
}

impl Amount {
    #[inline(always)]
    fn next(
        self,
        positions: &[Position],
        from: usize,
        set: impl Fn(&Position) -> SquareSet,
    ) -> usize {
        match self {
            Amount::None => scan(positions, from, |board| set(board).is_empty()),
            Amount::Some => scan(positions, from, |board| !set(board).is_empty()),
            Amount::One => scan(positions, from, |board| set(board).single().is_some()),
            Amount::Many => scan(positions, from, |board| set(board).is_many()),
            Amount::Other(..) => scan(positions, from, |board| self.holds(set(board))),
        }
    }

    #[inline]
    fn holds(self, set: SquareSet) -> bool {
        match self {
            Amount::None => set.is_empty(),
            Amount::Some => !set.is_empty(),
            Amount::One => set.single().is_some(),
            Amount::Many => set.is_many(),
            Amount::Other(relation, value) => relate(relation, set.len() as i32, value),
        }
    }
}

#[inline(always)]
fn scan(positions: &[Position], from: usize, holds: impl Fn(&Position) -> bool) -> usize {
    let rest = positions.get(from..).unwrap_or_default();
    rest.iter().position(holds).map_or(positions.len().max(from), |found| from + found)
}

fn sum(terms: &[(i32, Squares)], board: &Position) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the instruction.
        return unsafe { sum_with_popcnt(terms, board) };
    }
    sum_of(terms, board)
}

/// [`sum`] with an instruction that counts bits; without it counting takes most of the time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn sum_with_popcnt(terms: &[(i32, Squares)], board: &Position) -> i32 {
    sum_of(terms, board)
}

#[inline(always)]
fn sum_of(terms: &[(i32, Squares)], board: &Position) -> i32 {
    terms.iter().fold(0, |sum, (factor, set)| {
        sum.wrapping_add(factor.wrapping_mul(set.of(board).len() as i32))
    })
}

#[inline]
fn relate(relation: ComparisonOperator, a: i32, b: i32) -> bool {
    match relation {
        ComparisonOperator::Equal => a == b,
        ComparisonOperator::NotEqual => a != b,
        ComparisonOperator::Less => a < b,
        ComparisonOperator::LessEqual => a <= b,
        ComparisonOperator::Greater => a > b,
        ComparisonOperator::GreaterEqual
        | ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => a >= b,
    }
}

#[inline]
fn at_least(set: SquareSet, least: u32) -> bool {
    match least {
        0 => true,
        1 => !set.is_empty(),
        2 => set.is_many(),
        _ => set.len() >= least,
    }
}

/// Whether so many of the pieces attack one of the targets. Sliders are looked up only if they
/// could make the difference.
fn attack(board: &Position, from: &Squares, to: &Squares, least: u32) -> bool {
    let (from, to) = (from.of(board), to.of(board));
    if to.is_empty() || !at_least(from, least) {
        return false;
    }
    if to.len() > MAX_PREFILTER_TARGETS {
        return true;
    }
    let single = !to.is_many();
    let mut found = SquareSet::EMPTY;
    for square in to {
        let pawns = |color: Color| {
            attacks::pawn(color.not(), square) & board.color(color) & board.kind(Kind::Pawn)
        };
        found |= (pawns(Color::White)
            | pawns(Color::Black)
            | attacks::knight(square) & board.kind(Kind::Knight)
            | attacks::king(square) & board.kind(Kind::King))
            & from;
        let queens = board.kind(Kind::Queen);
        let rooks = (board.kind(Kind::Rook) | queens) & from & attacks::rook_rays(square);
        let bishops = (board.kind(Kind::Bishop) | queens) & from & attacks::bishop_rays(square);
        if single && !at_least(found | rooks | bishops, least) {
            return false;
        }
        let occupied = board.occupied();
        if !rooks.is_empty() {
            found |= attacks::rook(square, occupied) & rooks;
        }
        if !bishops.is_empty() {
            found |= attacks::bishop(square, occupied) & bishops;
        }
    }
    at_least(found, least)
}

/// All squares that the pieces attack.
fn reach(board: &Position, from: SquareSet) -> SquareSet {
    let occupied = board.occupied();
    let queens = board.kind(Kind::Queen);
    let pawns = |color| pawn_attacks(color, from & board.pieces(color, Kind::Pawn));
    let mut sum = pawns(Color::White)
        | pawns(Color::Black)
        | knight_steps(from & board.kind(Kind::Knight))
        | king_steps(from & board.kind(Kind::King));
    for square in from & (board.kind(Kind::Rook) | queens) {
        sum |= attacks::rook(square, occupied);
    }
    for square in from & (board.kind(Kind::Bishop) | queens) {
        sum |= attacks::bishop(square, occupied);
    }
    sum
}

/// Whether no set is empty and, if the last is a single square, the others are on one line with it.
fn aligned(board: &Position, sets: &[Squares], directions: Directions) -> bool {
    let mut list = [SquareSet::EMPTY; 8];
    let Some(list) = list.get_mut(..sets.len()) else {
        return true;
    };
    for (slot, set) in list.iter_mut().zip(sets) {
        *slot = set.of(board);
        if slot.is_empty() {
            return false;
        }
    }
    let [first, between @ .., last] = list else {
        return true;
    };
    let Some(target) = last.single() else {
        return true;
    };
    let mut lines = SquareSet::EMPTY;
    if directions.0 & ORTHOGONAL != 0 {
        lines |= attacks::rook_rays(target);
    }
    if directions.0 & !ORTHOGONAL != 0 {
        lines |= attacks::bishop_rays(target);
    }
    let starts = *first & lines;
    starts.iter().any(|start| {
        let passed = attacks::between(start, target);
        between.iter().all(|set| set.intersects(passed))
    })
}

/// The directions with even numbers.
const ORTHOGONAL: u8 = 0x55;
