//! What numbers of squares need.

use babson_chess::{Color, Piece};
use babson_lang::hir::{ComparisonOperator, Expr};

use super::derive::GuardDerivation;
use super::{GameSet, GameTest, SumTest};
use crate::analysis::{least_passing, power_values};
use crate::need::{SumNeed, is_exact};

impl GuardDerivation<'_> {
    /// The condition of a number of squares.
    pub(super) fn count(
        &self,
        expr: &Expr,
        relation: ComparisonOperator,
        value: i32,
    ) -> Vec<GameTest> {
        let set = self.set(expr);
        match least_passing(relation, value) {
            Some(1) if set.is_anywhere() => Vec::new(),
            Some(1) => vec![GameTest::Some(set)],
            None if !is_exact(expr) => Vec::new(),
            Some(_) | None => compared(vec![(1, set)], relation, value),
        }
    }

    /// The condition of a sum of numbers of squares.
    pub(super) fn sum(&self, need: &SumNeed<'_>) -> Vec<GameTest> {
        let terms = need.terms.iter().filter_map(|(factor, term)| {
            let set = self.set(term.set);
            let set = term.kind.map_or_else(|| set.clone(), |kind| set.only(kind));
            let is_empty = term.kind.is_some() && set.is_never();
            (!is_empty).then_some((*factor, set))
        });
        compared(terms.collect(), need.relation, need.value)
    }
}

/// What a sum needs to compare like this with a number.
fn compared(sum: Vec<(i32, GameSet)>, relation: ComparisonOperator, value: i32) -> Vec<GameTest> {
    let mut value = i64::from(value);
    let mut terms: Vec<(i32, GameSet)> = Vec::new();
    for (factor, set) in sum {
        match set.fixed_count() {
            Some(count) => value -= i64::from(factor) * i64::from(count),
            None if factor != 0 => terms.push((factor, set)),
            None => {}
        }
    }
    let Ok(value) = i32::try_from(value) else {
        return Vec::new();
    };
    if let Some(factor) = balance_factor(&terms) {
        return vec![GameTest::Balance { factor, relation, value: value.into() }];
    }
    // Nothing is known of these numbers.
    if terms.iter().all(|term| term.1.is_unknown()) {
        return Vec::new();
    }
    vec![GameTest::Sum(SumTest { terms, relation, value })]
}

/// Returns `factor` if the sum is always `factor` times the balance of the material, and none for
/// any other sum.
fn balance_factor(terms: &[(i32, GameSet)]) -> Option<i32> {
    let mut weights = [0i32; 12];
    for (factor, set) in terms {
        for piece in set.whole_pieces()? {
            let weight = &mut weights[usize::from(piece)];
            *weight = weight.checked_add(*factor)?;
        }
    }
    let factor = weights[0];
    let mut expected = [0i32; 12];
    for (kind, value) in power_values() {
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            expected[Piece::new(color, kind).index()] = factor.checked_mul(sign * value)?;
        }
    }
    (factor != 0 && weights == expected).then_some(factor)
}
