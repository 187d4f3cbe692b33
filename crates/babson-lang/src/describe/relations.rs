//! The words for comparisons, relations of sets and arithmetic.

use super::board;
use super::outline::plural;
use crate::hir::{Arithmetic, BinaryFilter, ComparisonOperator, Designator, Type};

/// That a number of squares of a designator is in a relation to a number.
pub(super) fn count_of(
    designator: &Designator,
    operator: ComparisonOperator,
    number: i64,
) -> String {
    let how = match operator {
        ComparisonOperator::Equal if number == 0 => {
            return match board::one_bare(designator) {
                Some(bare) => format!("there is no {bare}"),
                None => format!("there are 0 {}", board::counted(designator, 0)),
            };
        }
        ComparisonOperator::Equal => "exactly",
        ComparisonOperator::NotEqual => {
            let counted = board::counted(designator, 0);
            return format!("the number of {counted} is not {number}");
        }
        ComparisonOperator::Less => "fewer than",
        ComparisonOperator::LessEqual => "at most",
        ComparisonOperator::Greater => "more than",
        ComparisonOperator::GreaterEqual => "at least",
        ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => operator.name(),
    };
    let verb = plural(number, "is", "are");
    format!("there {verb} {how} {number} {}", board::counted(designator, number))
}

/// The verb of `a rook that … a king`.
pub(super) fn relative(which: BinaryFilter) -> Option<&'static str> {
    match which {
        BinaryFilter::Attacks => Some("attacks"),
        BinaryFilter::AttackedBy => Some("is attacked by"),
        BinaryFilter::Intersection => Some("is among"),
        BinaryFilter::Between
        | BinaryFilter::Lca
        | BinaryFilter::Distance
        | BinaryFilter::IndexOf
        | BinaryFilter::Union
        | BinaryFilter::Subset
        | BinaryFilter::SameContent
        | BinaryFilter::AncestorOf
        | BinaryFilter::DescendantOf
        | BinaryFilter::Concat
        | BinaryFilter::Substring
        | BinaryFilter::MakeSquare => None,
    }
}

/// The verb of `the rooks that … a king`.
pub(super) fn relative_of_several(which: BinaryFilter) -> Option<&'static str> {
    Some(match relative(which)? {
        "attacks" => "attack",
        "is attacked by" => "are attacked by",
        _ => "are among",
    })
}

/// What a comparison says between its two sides.
pub(super) fn relation(operator: ComparisonOperator, ty: Type) -> &'static str {
    match (operator, ty) {
        (ComparisonOperator::Equal, Type::Set) => "are the same squares as",
        (ComparisonOperator::NotEqual, Type::Set) => "are not the same squares as",
        (ComparisonOperator::Equal, Type::Position) => "is the same position as",
        (ComparisonOperator::Equal, _) => "is equal to",
        (ComparisonOperator::NotEqual, _) => "is not equal to",
        (ComparisonOperator::Less, Type::Position) => "has a smaller id than",
        (ComparisonOperator::LessEqual, Type::Position) => "has no greater id than",
        (ComparisonOperator::Greater, Type::Position) => "has a greater id than",
        (ComparisonOperator::GreaterEqual, Type::Position) => "has no smaller id than",
        (ComparisonOperator::Less, _) => "is less than",
        (ComparisonOperator::LessEqual, _) => "is at most",
        (ComparisonOperator::Greater, _) => "is greater than",
        (ComparisonOperator::GreaterEqual, _) => "is at least",
        (ComparisonOperator::Ancestor, _) => "comes on one line before",
        (ComparisonOperator::AncestorOrSame, _) => "is, or comes on one line before,",
        (ComparisonOperator::Descendant, _) => "comes on one line after",
        (ComparisonOperator::DescendantOrSame, _) => "is, or comes on one line after,",
    }
}

pub(super) fn operation_name(operation: Arithmetic) -> &'static str {
    match operation {
        Arithmetic::Add => "plus",
        Arithmetic::Subtract => "minus",
        Arithmetic::Multiply => "times",
        Arithmetic::Divide => "divided by",
        Arithmetic::Remainder => "modulo",
    }
}
