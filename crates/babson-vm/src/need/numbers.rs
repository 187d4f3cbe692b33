//! What comparisons of numbers need.

use babson_chess::Kind;
use babson_lang::hir::{
    Arithmetic, ComparisonOperator, Expr, ExprKind, FindMode, Property, Type, UnaryFilter,
};

use super::extract::Rules;
use super::trace::Trace;
use super::{Elsewhere, Need, PlyUnit, PositionRange, is_exact};
use crate::analysis::{least_passing, power_values, relate};

/// A sum of numbers of squares, each times a factor, that compares like this with a number.
#[derive(Debug, PartialEq)]
pub(crate) struct SumNeed<'e> {
    pub(crate) terms: Vec<(i32, SetTerm<'e>)>,
    pub(crate) relation: ComparisonOperator,
    pub(crate) value: i32,
}

/// A set of squares. With a `kind`, only its squares that hold a piece of that kind count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SetTerm<'e> {
    pub(crate) set: &'e Expr,
    pub(crate) kind: Option<Kind>,
}

/// A linear sum of numbers of squares.
#[derive(Default)]
struct Sum<'e> {
    terms: Vec<(i32, SetTerm<'e>)>,
    constant: i64,
}

impl Rules<'_> {
    /// What a comparison of numbers of squares needs.
    pub(super) fn comparison<'e>(
        self,
        relation: ComparisonOperator,
        a: &'e Expr,
        b: &'e Expr,
    ) -> Need<'e> {
        use ComparisonOperator::*;
        if a.ty != Type::Number
            || b.ty != Type::Number
            || !matches!(relation, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
        {
            return Need::Unknown;
        }
        // A comparison that fails has no value, which is unequal to every number.
        let (a, b) = if relation == NotEqual { (a, b) } else { (compared(a), compared(b)) };
        if let (ExprKind::Move(filter), ExprKind::Number(value)) = (&a.kind, &b.kind) {
            return self.move_count(filter, relation, *value);
        }
        if let (ExprKind::Find(find), ExprKind::Number(value)) = (&a.kind, &b.kind)
            && find.mode == FindMode::All
            && let Some(least) = least_passing(relation, *value)
            && self.trace(&find.body) != Trace::Visible
        {
            let range = match find.backward {
                true => PositionRange::Earlier,
                false => PositionRange::Later,
            };
            let body = Box::new(self.conjunction([&find.body]));
            return Need::Elsewhere(Elsewhere { range, least, body });
        }
        if let Some(need) = ply(relation, a, b).or_else(|| ply(flipped(relation), b, a)) {
            return need;
        }
        match Sum::of(a).zip(Sum::of(b)).and_then(|(a, b)| a.minus(b)) {
            Some(difference) => self.sum(difference, relation),
            None => Need::Unknown,
        }
    }

    /// What a sum needs to compare like this with 0.
    fn sum<'e>(self, sum: Sum<'e>, relation: ComparisonOperator) -> Need<'e> {
        let Ok(value) = i32::try_from(-sum.constant) else {
            return Need::Unknown;
        };
        match sum.terms[..] {
            [] => Need::Unknown,
            [(1, SetTerm { set, kind: None })] => self.counted(set, relation, value),
            [(-1, SetTerm { set, kind: None })] if value != i32::MIN => {
                self.counted(set, flipped(relation), -value)
            }
            // Each of the numbers may be 0, as far as the contents of the squares tell.
            _ if relate(relation, 0, value)
                && sum.terms.iter().all(|(_, term)| !is_exact(term.set)) =>
            {
                Need::Unknown
            }
            _ => Need::Sum(SumNeed { terms: sum.terms, relation, value }),
        }
    }
}

/// The number that a number is: a comparison has the value of its left operand, as in `3 < #Q < 6`.
fn compared(expr: &Expr) -> &Expr {
    if let ExprKind::Compare(_, left, _) = &expr.kind { compared(left) } else { expr }
}

/// What the comparison of a ply with a number needs.
fn ply<'e>(relation: ComparisonOperator, a: &'e Expr, b: &'e Expr) -> Option<Need<'e>> {
    let (ExprKind::Property(property), ExprKind::Number(value)) = (&a.kind, &b.kind) else {
        return None;
    };
    let units = [
        (Property::Ply, PlyUnit::Ply),
        (Property::MoveNumber, PlyUnit::MoveNumber),
        (Property::PositionId, PlyUnit::PositionId),
    ];
    let (_, unit) = units.into_iter().find(|(other, _)| other == property)?;
    let (first, last) = match relation {
        ComparisonOperator::Equal => (*value, *value),
        ComparisonOperator::Less => (i32::MIN, value.checked_sub(1)?),
        ComparisonOperator::LessEqual => (i32::MIN, *value),
        ComparisonOperator::Greater => (value.checked_add(1)?, i32::MAX),
        ComparisonOperator::GreaterEqual => (*value, i32::MAX),
        ComparisonOperator::NotEqual
        | ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => return None,
    };
    Some(Need::Ply { unit, first, last })
}

impl<'e> Sum<'e> {
    /// A number as a sum that never wraps around in the machine.
    fn of(expr: &'e Expr) -> Option<Sum<'e>> {
        let mut sum = Sum::default();
        sum.add(expr, 1)?;
        sum.bounded()
    }

    /// The sum, unless it may wrap around.
    fn bounded(self) -> Option<Sum<'e>> {
        let greatest = self.terms.iter().map(|term| 64 * i64::from(term.0).abs()).sum::<i64>();
        i32::try_from(self.constant.checked_abs()?.checked_add(greatest)?).ok()?;
        Some(self)
    }

    /// Adds the terms of a number, times a factor.
    fn add(&mut self, expr: &'e Expr, factor: i32) -> Option<()> {
        if let ExprKind::Number(number) = &expr.kind {
            let number = i64::from(factor) * i64::from(*number);
            self.constant = self.constant.checked_add(number)?;
            return Some(());
        }
        if let ExprKind::NoTransform(inner) = &expr.kind {
            return self.add(inner, factor);
        }
        if let ExprKind::Arithmetic(operation, a, b) = &expr.kind {
            return match operation {
                Arithmetic::Add => {
                    self.add(a, factor)?;
                    self.add(b, factor)
                }
                Arithmetic::Subtract => {
                    self.add(a, factor)?;
                    self.add(b, factor.checked_neg()?)
                }
                Arithmetic::Multiply => {
                    let ExprKind::Number(number) = a.kind else {
                        return None;
                    };
                    self.add(b, factor.checked_mul(number)?)
                }
                Arithmetic::Divide | Arithmetic::Remainder => None,
            };
        }
        if let ExprKind::Unary(UnaryFilter::Count, set) = &expr.kind {
            self.terms.push((factor, SetTerm { set, kind: None }));
            return Some(());
        }
        let ExprKind::Unary(UnaryFilter::Power, set) = &expr.kind else {
            return None;
        };
        if set.ty != Type::Set {
            return None;
        }
        for (kind, value) in power_values() {
            self.terms.push((factor.checked_mul(value)?, SetTerm { set, kind: Some(kind) }));
        }
        Some(())
    }

    /// The difference of two sums, unless it may wrap around: the machine compares the two.
    fn minus(mut self, other: Sum<'e>) -> Option<Sum<'e>> {
        self.constant -= other.constant;
        self.terms.extend(other.terms.into_iter().map(|(factor, set)| (-factor, set)));
        self.bounded()
    }
}

/// The relation between the opposite numbers.
fn flipped(relation: ComparisonOperator) -> ComparisonOperator {
    match relation {
        ComparisonOperator::Less => ComparisonOperator::Greater,
        ComparisonOperator::LessEqual => ComparisonOperator::GreaterEqual,
        ComparisonOperator::Greater => ComparisonOperator::Less,
        ComparisonOperator::GreaterEqual => ComparisonOperator::LessEqual,
        ComparisonOperator::Equal
        | ComparisonOperator::NotEqual
        | ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => relation,
    }
}
