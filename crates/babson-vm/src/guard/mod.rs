//! Necessary conditions of a filter, as far as they are simple tests of the board.
//!
//! Most queries hold at few positions, and what decides is mostly a count of pieces or an attack.
//! A guard tests these on the position's own bitboards, without registers or instructions; where
//! it fails the filter cannot match nor do anything else, where it holds the machine decides.

mod derive;
mod eval;
mod squares;
mod text;

use babson_chess::Color;
use babson_lang::hir::{ComparisonOperator, Directions, Expr};

use crate::analysis::{Analysis, Pattern};
use squares::Squares;

/// Conditions that must all hold, the cheapest first.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Guard {
    atoms: Vec<Atom>,
}

/// One condition.
#[derive(Debug, PartialEq)]
enum Atom {
    /// Whether the side to move is in check.
    Check(bool),
    SideToMove(Color),
    /// The number of the squares.
    Count {
        set: Squares,
        amount: Amount,
    },
    /// Two numbers of squares.
    Compare {
        a: Squares,
        b: Squares,
        relation: ComparisonOperator,
    },
    /// At least so many squares of `from` have a piece that attacks a square of `to`.
    Attacks {
        from: Squares,
        to: Squares,
        least: u32,
    },
    /// At least so many squares of `targets` are attacked by a piece of `by`.
    Attacked {
        targets: Squares,
        by: Squares,
        least: u32,
    },
    /// The squares are on one line, as far as this is cheap to know.
    Ray {
        sets: Vec<Squares>,
        directions: Directions,
    },
    /// A sum of numbers of squares, each times a factor; it wraps around as the machine's does.
    Sum {
        terms: Vec<(i32, Squares)>,
        relation: ComparisonOperator,
        value: i32,
    },
    /// A pattern holds somewhere.
    Pattern(Box<Pattern>),
    /// One of the conjunctions holds.
    Any(Vec<Guard>),
}

/// A condition on a number of squares. Small numbers need no count of bits, which a plain x86-64
/// does without an instruction for it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Amount {
    None,
    Some,
    One,
    Many,
    Other(ComparisonOperator, i32),
}

impl Guard {
    /// The conditions of a conjunction of filters, if there are any.
    pub(crate) fn of<'e>(
        body: impl IntoIterator<Item = &'e Expr>,
        analysis: &Analysis,
    ) -> Option<Guard> {
        let guard = derive::conjunction(body, analysis);
        (!guard.atoms.is_empty()).then_some(guard)
    }
}

impl Amount {
    fn of(relation: ComparisonOperator, value: i32) -> Amount {
        match (relation, value) {
            (ComparisonOperator::Equal | ComparisonOperator::LessEqual, 0)
            | (ComparisonOperator::Less, 1) => Amount::None,
            (ComparisonOperator::Greater | ComparisonOperator::NotEqual, 0)
            | (ComparisonOperator::GreaterEqual, 1) => Amount::Some,
            (ComparisonOperator::Equal, 1) => Amount::One,
            (ComparisonOperator::Greater, 1) | (ComparisonOperator::GreaterEqual, 2) => {
                Amount::Many
            }
            _ => Amount::Other(relation, value),
        }
    }
}
