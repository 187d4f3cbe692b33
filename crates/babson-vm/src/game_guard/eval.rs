//! Evaluates conditions on the facts of one game.

use babson_chess::Direction;
use babson_lang::hir::{ComparisonOperator, Content, Directions};

use super::counts::{count_checks, has_checks, has_more_nodes};
use super::reach::{DIAGONAL, ORTHOGONAL, beyond, origins, reach};
use super::{GameSet, GameTest, Row, SumTest};

impl GameTest {
    pub(super) fn holds<R: Row>(&self, row: &R) -> bool {
        match self {
            GameTest::Flags(flags) => row.flags().has_any(*flags),
            GameTest::Some(set) => set.squares(row) != 0,
            GameTest::Covers(set, squares) => squares & !set.squares(row) == 0,
            GameTest::Sum(sum) => sum.holds(row),
            GameTest::Balance { factor, relation, value } => {
                let (low, high) = balance(row.balance(), *factor);
                may_relate(*relation, low, high, *value)
            }
            GameTest::Attacks { from, to, least } => {
                attackers_reach(row, from, to.squares(row), *least)
            }
            GameTest::Attacked { targets, by, least } => {
                let reached = by
                    .pieces
                    .iter()
                    .fold(0, |sum, &(piece, mask)| sum | reach(piece, row.footprint(piece) & mask));
                (targets.squares(row) & reached).count_ones() >= *least
                    && targets.most(row) >= *least
            }
            GameTest::Ray { sets, directions, slider } => aligned(row, sets, *directions, *slider),
            GameTest::Tag { number, unless, .. } => {
                row.passes(*number) || row.flags().has_any(*unless)
            }
            GameTest::Pattern(pattern) => pattern.holds(|content| ever_on(row, content)),
            GameTest::Plies { least, unless } => {
                row.flags().has_any(*unless)
                    || row.plies().is_none_or(|plies| u32::from(plies) >= *least)
            }
            GameTest::Checks(least) => {
                has_more_nodes(row)
                    || row.checks().is_none_or(|checks| count_checks(checks) >= *least)
            }
            GameTest::CheckSequence(mask) => {
                has_more_nodes(row) || row.checks().is_none_or(|checks| has_checks(checks, *mask))
            }
            GameTest::Moves { test, least } => {
                has_more_nodes(row)
                    || row.moves().is_none_or(|moves| test.holds(moves, row.flags(), *least))
            }
            GameTest::Any(lists) => {
                lists.iter().any(|list| list.iter().all(|test| test.holds(row)))
            }
        }
    }
}

impl SumTest {
    pub(super) fn holds<R: Row>(&self, row: &R) -> bool {
        let (mut low, mut high) = (0, 0);
        for (factor, set) in &self.terms {
            let factor = i64::from(*factor);
            let (least, most) = (i64::from(set.least(row)), i64::from(set.most(row)));
            let (a, b) = (factor * least, factor * most);
            low += a.min(b);
            high += a.max(b);
        }
        may_relate(self.relation, low, high, i64::from(self.value))
    }
}

/// The least and greatest value of the balance times a factor. The columns saturate.
pub(super) fn balance((least, greatest): (i8, i8), factor: i32) -> (i64, i64) {
    let least = if least == i8::MIN { i64::from(i32::MIN) } else { i64::from(least) };
    let greatest = if greatest == i8::MAX { i64::from(i32::MAX) } else { i64::from(greatest) };
    let (a, b) = (i64::from(factor) * least, i64::from(factor) * greatest);
    (a.min(b), a.max(b))
}

/// Whether a number between `low` and `high` may compare like this.
pub(super) fn may_relate(relation: ComparisonOperator, low: i64, high: i64, value: i64) -> bool {
    match relation {
        ComparisonOperator::Equal => low <= value && value <= high,
        ComparisonOperator::NotEqual => low != high || low != value,
        ComparisonOperator::Less => low < value,
        ComparisonOperator::LessEqual => low <= value,
        ComparisonOperator::Greater => high > value,
        ComparisonOperator::GreaterEqual => high >= value,
        ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => true,
    }
}

/// The squares that had the content on some board.
fn ever_on(row: &impl Row, content: Content) -> u64 {
    if content.0 & Content::EMPTY.0 != 0 {
        return !0;
    }
    let pieces = (0..12).filter(|piece| content.0 >> piece & 1 != 0);
    pieces.fold(0, |sum, piece| sum | row.footprint(piece))
}

fn attackers_reach(row: &impl Row, from: &GameSet, targets: u64, least: u32) -> bool {
    if targets == 0 || from.most(row) < least {
        return false;
    }
    let mut found = 0;
    for &(piece, mask) in &from.pieces {
        let squares = row.footprint(piece) & mask;
        if squares != 0 {
            found |= squares & origins(piece, targets);
        }
    }
    found.count_ones() >= least
}

/// Whether a walk over footprints from the first set in one of the directions comes to the others
/// in their order.
fn aligned(row: &impl Row, sets: &[GameSet], directions: Directions, slider: bool) -> bool {
    let Some((first, others)) = sets.split_first() else {
        return true;
    };
    let starts = |kinds: u16| {
        let chosen = first.pieces.iter().filter(|part| !slider || kinds >> (part.0 % 6) & 1 != 0);
        let squares = chosen.fold(0, |sum, &(piece, mask)| sum | row.footprint(piece) & mask);
        if slider { squares } else { squares | first.empty }
    };
    for (mask, kinds) in [(ORTHOGONAL, ROOKS), (DIAGONAL, BISHOPS)] {
        if directions.0 & mask == 0 {
            continue;
        }
        let start = starts(kinds);
        if start == 0 {
            continue;
        }
        let chosen = Direction::ALL.into_iter().enumerate();
        for (_, direction) in chosen.filter(|(number, _)| directions.0 & mask & (1 << number) != 0)
        {
            let end = others.iter().fold(start, |at, set| beyond(at, direction) & set.squares(row));
            if end != 0 {
                return true;
            }
        }
    }
    false
}

/// The kinds that move like rooks.
const ROOKS: u16 = 1 << 3 | 1 << 4;
/// The kinds that move like bishops.
const BISHOPS: u16 = 1 << 2 | 1 << 4;
