//! Necessary conditions of a filter, as far as they are simple tests of the board.
//!
//! Most queries match at few positions, and usually a count of pieces or an attack decides. A
//! prefilter tests these on the position's own bitboards, without registers or instructions. Where
//! it fails, the filter can neither match nor do anything else. Where it holds, the machine
//! decides. What a filter needs is found by [`Need::of`]; a prefilter tests what is needed at the
//! position itself and at those that follow it.

mod attack;
mod candidates;
mod derive;
mod eval;
mod scan;
mod squares;
mod sums;
mod text;

use babson_chess::Color;
use babson_lang::hir::{ComparisonOperator, Directions, Expr};

use crate::analysis::{Analysis, Pattern};
use crate::need::Need;
pub(crate) use candidates::Candidates;
pub(crate) use eval::Boards;
use squares::BoardSet;

/// Conditions that must all hold, the cheapest first.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Prefilter {
    tests: Vec<BoardTest>,
    /// Whether a test looks at the positions that follow. The others need not know where a board
    /// stands in its game.
    looks_ahead: bool,
}

/// One condition.
#[derive(Debug, PartialEq)]
enum BoardTest {
    /// Whether the side to move is in check.
    Check(bool),
    SideToMove(Color),
    /// The number of the squares.
    Count {
        set: BoardSet,
        test: CountTest,
    },
    /// Compares two numbers of squares.
    Compare {
        a: BoardSet,
        b: BoardSet,
        relation: ComparisonOperator,
    },
    /// At least `least` squares of `from` have a piece that attacks a square of `to`.
    Attacks {
        from: BoardSet,
        to: BoardSet,
        least: u32,
    },
    /// At least `least` squares of `targets` are attacked by a piece of `by`.
    Attacked {
        targets: BoardSet,
        by: BoardSet,
        least: u32,
    },
    /// The sets lie on one line, as far as a cheap test can tell. With `slider` the first has a
    /// piece that moves along the line.
    Ray {
        sets: Vec<BoardSet>,
        directions: Directions,
        slider: bool,
    },
    /// A sum of numbers of squares, each times a factor; it wraps around as the machine's does.
    Sum {
        terms: Vec<(i32, BoardSet)>,
        relation: ComparisonOperator,
        value: i32,
    },
    /// The side to move may have at least `least` moves.
    Moves {
        least: u32,
    },
    /// A pattern holds somewhere.
    Pattern(Box<BoardPattern>),
    /// The conditions hold at one of the positions after the next move.
    Next(Prefilter),
    /// One of the conjunctions holds.
    Any(Vec<Prefilter>),
}

/// A pattern, and the sets of its contents.
#[derive(Debug, PartialEq)]
struct BoardPattern {
    pattern: Pattern,
    sets: Vec<BoardSet>,
}

/// A condition on a number of squares. Small numbers are tested without counting bits, for which a
/// plain x86-64 has no instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CountTest {
    None,
    Some,
    One,
    Many,
    Other(ComparisonOperator, i32),
}

impl Prefilter {
    /// The conditions of a conjunction of filters, if there are any.
    pub(crate) fn of<'e>(
        body: impl IntoIterator<Item = &'e Expr>,
        analysis: &Analysis,
    ) -> Option<Prefilter> {
        Prefilter::of_need(&Need::of(body, analysis), analysis)
    }

    /// Whether the conditions of a filter decide whether it matches, so that it need not be
    /// evaluated where they hold.
    pub(crate) fn decides(filter: &Expr, analysis: &Analysis) -> bool {
        Prefilter::all(&Need::of([filter], analysis), analysis).1
    }

    /// The conditions for what a filter needs, if there are any.
    pub(crate) fn of_need(need: &Need<'_>, analysis: &Analysis) -> Option<Prefilter> {
        let (prefilter, _) = Prefilter::all(need, analysis);
        (!prefilter.tests.is_empty()).then_some(prefilter)
    }
}

impl CountTest {
    fn of(relation: ComparisonOperator, value: i32) -> CountTest {
        match (relation, value) {
            (ComparisonOperator::Equal | ComparisonOperator::LessEqual, 0)
            | (ComparisonOperator::Less, 1) => CountTest::None,
            (ComparisonOperator::Greater | ComparisonOperator::NotEqual, 0)
            | (ComparisonOperator::GreaterEqual, 1) => CountTest::Some,
            (ComparisonOperator::Equal, 1) => CountTest::One,
            (ComparisonOperator::Greater, 1) | (ComparisonOperator::GreaterEqual, 2) => {
                CountTest::Many
            }
            _ => CountTest::Other(relation, value),
        }
    }
}
