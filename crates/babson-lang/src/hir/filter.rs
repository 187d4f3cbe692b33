//! Operators, designators, ranges and other parts of filters.

use super::{Arithmetic, Content, Directions, Type, VarId};
use crate::limits::MAX_COUNT;

/// Squares of a mask that hold one of a set of contents. Bit 0 is a1, bit 7 h1, bit 63 h8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Designator {
    /// The squares.
    pub squares: u64,
    /// The contents that may be there.
    pub content: Content,
}

/// The pattern of `fen "…"`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FenPattern {
    /// Each must hold on all its squares.
    pub designators: Vec<Designator>,
    /// Whether shifts move it; otherwise it has no shifted versions.
    pub shifts: bool,
}

impl Designator {
    /// The designators of a conjunction, one for each content.
    pub fn merged(all: &[Designator]) -> Vec<Designator> {
        let mut merged: Vec<Designator> = Vec::new();
        for designator in all {
            match merged.iter_mut().find(|d| d.content == designator.content) {
                Some(same) => same.squares |= designator.squares,
                None => merged.push(*designator),
            }
        }
        merged
    }
}

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// A number.
    Const(i32),
    /// A numeric variable, read when the filter is evaluated.
    Var(VarId),
}

/// An inclusive range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberRange {
    /// Least value.
    pub min: Bound,
    /// Greatest value.
    pub max: Bound,
}

impl NumberRange {
    /// `count`: any number, including zero.
    pub const COUNT: NumberRange =
        NumberRange { min: Bound::Const(-MAX_COUNT), max: Bound::Const(MAX_COUNT) };

    /// Whether it is a constant range of distances on the board: from -7 to 7, the smaller one
    /// first.
    pub fn is_distance(self) -> bool {
        match (self.min, self.max) {
            (Bound::Const(min), Bound::Const(max)) => min <= max && min >= -7 && max <= 7,
            (Bound::Var(_), _) | (_, Bound::Var(_)) => false,
        }
    }

    /// Whether no variable decides on it.
    pub const fn is_constant(self) -> bool {
        matches!((self.min, self.max), (Bound::Const(_), Bound::Const(_)))
    }
}

/// The update that an assignment operator makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Update {
    /// Numbers.
    Number(Arithmetic),
    /// Strings: `+=`.
    Append,
    /// Sets: `|=`.
    Union,
    /// Sets: `&=`.
    Intersection,
}

/// A filter of squares on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alignment {
    /// `ray`, `xray` and chains of arrows, of two or more sets.
    Ray {
        /// The directions walked.
        directions: Directions,
        /// The piece of the first set must be a slider that fits the direction.
        attack: bool,
        /// Value: the squares of the first set rather than of the last.
        first: bool,
    },
    /// `pin`, of three sets: where the pinning piece, the pinned piece and the target stand.
    Pin(PinValue),
}

/// The set that is the value of `pin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum PinValue {
    From,
    Through,
    To,
}

impl Alignment {
    /// The set whose squares are the value.
    pub fn value<T>(self, sets: &[T]) -> Option<&T> {
        match self {
            Alignment::Ray { first: true, .. } | Alignment::Pin(PinValue::From) => sets.first(),
            Alignment::Pin(PinValue::Through) => sets.get(1),
            Alignment::Ray { first: false, .. } | Alignment::Pin(PinValue::To) => sets.last(),
        }
    }

    /// The directions of the line.
    pub fn directions(self) -> Directions {
        match self {
            Alignment::Ray { directions, .. } => directions,
            Alignment::Pin(_) => Directions::ALL,
        }
    }

    /// Whether the piece of the first set is a slider that fits the direction.
    pub fn is_attack(self) -> bool {
        match self {
            Alignment::Ray { attack, .. } => attack,
            Alignment::Pin(_) => true,
        }
    }

    /// The words of the query for the sets, if it has any.
    pub(super) fn roles(self) -> &'static [&'static str] {
        match self {
            Alignment::Ray { .. } => &[],
            Alignment::Pin(_) => &["from", "through", "to"],
        }
    }
}

/// The way in which the results of an orbit are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrbitResult {
    /// Sets: their union.
    Union,
    /// Numbers: the greatest; comments of strictly worse elements are withdrawn.
    Max,
    /// One matches. All are evaluated, also after a match.
    Any,
    /// The number of matching elements, which must be in the range.
    Count(NumberRange),
}

/// The moves that a `move` filter tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum MoveSource {
    /// The moves played from the current position.
    #[default]
    Played,
    /// The move that led to the current position.
    Previous,
    Legal,
    Pseudolegal,
    /// Moves of the side that is not to move, taken back (docs/src/retro.md#retractions).
    LegalReverse,
    PseudolegalReverse,
}

impl MoveSource {
    /// Whether the moves are generated, not found in the game.
    pub fn is_generated(self) -> bool {
        !matches!(self, MoveSource::Played | MoveSource::Previous)
    }

    /// Whether the moves are taken back.
    pub fn is_reverse(self) -> bool {
        matches!(self, MoveSource::LegalReverse | MoveSource::PseudolegalReverse)
    }
}

/// The value of a `move` filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum MoveResult {
    #[default]
    Bool,
    From,
    To,
    Capture,
    Count,
}

impl MoveResult {
    /// The type of the value.
    pub(crate) fn ty(self) -> Type {
        match self {
            MoveResult::Bool => Type::Bool,
            MoveResult::From | MoveResult::To | MoveResult::Capture => Type::Set,
            MoveResult::Count => Type::Number,
        }
    }
}
