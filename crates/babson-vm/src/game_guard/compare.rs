//! What comparisons of numbers need.

use babson_chess::{Color, Piece};
use babson_lang::hir::{
    Arithmetic, ComparisonOperator, Expr, ExprKind, FindMode, Type, UnaryFilter,
};

use super::derive::{GuardDerivation, join};
use super::{GameSet, GameTest, SumTest};
use crate::analysis::{least_passing, power_values};
use crate::images::is_exact;

/// A linear sum of numbers of squares.
#[derive(Default)]
struct Sum {
    terms: Vec<(i32, GameSet)>,
    constant: i64,
}

impl GuardDerivation<'_> {
    /// What a comparison of numbers of squares needs.
    pub(super) fn comparison(
        &mut self,
        relation: ComparisonOperator,
        a: &Expr,
        b: &Expr,
    ) -> Vec<GameTest> {
        let mut tests = Vec::new();
        if a.ty != Type::Number || b.ty != Type::Number {
            return tests;
        }
        if let ExprKind::Number(value) = b.kind
            && let Some(least) = least_passing(relation, value)
        {
            if let ExprKind::Unary(UnaryFilter::Count, set) = &a.kind {
                tests = self.operands(set, least);
            } else if let ExprKind::Find(find) = &a.kind
                && find.mode == FindMode::All
            {
                tests = self.counted(&find.body, least);
            }
        }
        if let Some(a) = self.sum(a)
            && let Some(b) = self.sum(b)
        {
            join(&mut tests, a.minus(b).tests(relation));
        }
        tests
    }

    /// A number as a sum that never wraps around in the machine.
    fn sum(&self, expr: &Expr) -> Option<Sum> {
        let mut sum = Sum::default();
        self.add(expr, 1, &mut sum)?;
        let greatest = sum.terms.iter().map(|term| 64 * i64::from(term.0).abs()).sum::<i64>();
        i32::try_from(sum.constant.checked_abs()?.checked_add(greatest)?).ok()?;
        Some(sum)
    }

    /// Adds the terms of a number, times a factor.
    fn add(&self, expr: &Expr, factor: i32, sum: &mut Sum) -> Option<()> {
        if let ExprKind::Number(number) = &expr.kind {
            let number = i64::from(factor) * i64::from(*number);
            sum.constant = sum.constant.checked_add(number)?;
            return Some(());
        }
        if let ExprKind::NoTransform(inner) = &expr.kind {
            return self.add(inner, factor, sum);
        }
        if let ExprKind::Arithmetic(operation, a, b) = &expr.kind {
            return match operation {
                Arithmetic::Add => {
                    self.add(a, factor, sum)?;
                    self.add(b, factor, sum)
                }
                Arithmetic::Subtract => {
                    self.add(a, factor, sum)?;
                    self.add(b, factor.checked_neg()?, sum)
                }
                Arithmetic::Multiply => {
                    let ExprKind::Number(number) = a.kind else {
                        return None;
                    };
                    self.add(b, factor.checked_mul(number)?, sum)
                }
                Arithmetic::Divide | Arithmetic::Remainder => None,
            };
        }
        if let ExprKind::Unary(UnaryFilter::Count, set) = &expr.kind {
            sum.terms.push((factor, self.set(set)));
            return Some(());
        }
        let ExprKind::Unary(UnaryFilter::Power, set) = &expr.kind else {
            return None;
        };
        if set.ty != Type::Set {
            return None;
        }
        let set = self.set(set);
        for (kind, value) in power_values() {
            let set = set.only(kind);
            if !set.is_never() {
                sum.terms.push((factor.checked_mul(value)?, set));
            }
        }
        Some(())
    }

    /// The set is empty on some board.
    pub(super) fn absent(&mut self, set: &Expr) -> Vec<GameTest> {
        if !is_exact(set) {
            return Vec::new();
        }
        let terms = vec![(1, self.set(set))];
        Sum { terms, constant: 0 }.tests(ComparisonOperator::Equal)
    }
}

impl Sum {
    /// The difference of two sums.
    fn minus(mut self, other: Sum) -> Sum {
        self.constant -= other.constant;
        self.terms.extend(other.terms.into_iter().map(|(factor, set)| (-factor, set)));
        self
    }

    /// What the sum needs to compare like this with 0.
    fn tests(self, relation: ComparisonOperator) -> Vec<GameTest> {
        let mut constant = self.constant;
        let mut terms: Vec<(i32, GameSet)> = Vec::new();
        for (factor, set) in self.terms {
            match set.fixed_count() {
                Some(count) => constant += i64::from(factor) * i64::from(count),
                None if factor != 0 => terms.push((factor, set)),
                None => {}
            }
        }
        let Ok(value) = i32::try_from(-constant) else {
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
}

/// The factor by which a sum is that of the balance of the material.
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
