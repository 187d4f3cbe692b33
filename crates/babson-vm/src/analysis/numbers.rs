//! What a comparison of numbers, and what `power`, needs of a board.

use babson_chess::Kind;
use babson_lang::hir::ComparisonOperator;

/// The least number that passes a comparison; `None` if 0 or a negative number does, or no number.
pub(crate) fn least_passing(relation: ComparisonOperator, value: i32) -> Option<u32> {
    let least = match relation {
        ComparisonOperator::Greater => value.checked_add(1)?,
        ComparisonOperator::GreaterEqual | ComparisonOperator::Equal => value,
        ComparisonOperator::NotEqual
        | ComparisonOperator::Less
        | ComparisonOperator::LessEqual
        | ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => return None,
    };
    u32::try_from(least).ok().filter(|&least| least > 0)
}

/// Whether a number compares like this with another. Positions, not numbers, have ancestors.
#[inline]
pub(crate) fn relate(relation: ComparisonOperator, a: i32, b: i32) -> bool {
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

/// What `power` adds for each piece of a kind, the greatest first. Kings add nothing.
pub(crate) fn power_values() -> impl Iterator<Item = (Kind, i32)> {
    let valued = |kind: Kind| Some((kind, kind.material())).filter(|pair| pair.1 != 0);
    Kind::ALL.into_iter().rev().filter_map(valued)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comparisons_with_a_least_number_have_one() {
        let least = least_passing;
        assert_eq!(least(ComparisonOperator::Greater, 2), Some(3));
        assert_eq!(least(ComparisonOperator::Equal, 2), Some(2));
        assert_eq!(least(ComparisonOperator::GreaterEqual, 0), None);
        assert_eq!(least(ComparisonOperator::Greater, -5), None);
        assert_eq!(least(ComparisonOperator::Greater, i32::MAX), None);
        assert_eq!(least(ComparisonOperator::LessEqual, 2), None);
    }
}
