//! Instructions about words in registers alone.

use babson_chess::SquareSet;
use babson_lang::hir::{Arithmetic, ComparisonOperator, Type};

use crate::filters::numbers;
use crate::machine::Run;
use crate::op::{Register, TextConstant};

/// The number in a register's word.
#[inline(always)]
pub(super) fn number(word: u64) -> i32 {
    word as u32 as i32
}

#[inline(always)]
pub(super) fn constant(_: &mut Run<'_, '_>, value: u64) -> u64 {
    value
}

#[inline(always)]
pub(super) fn squares(_: &mut Run<'_, '_>, squares: SquareSet) -> u64 {
    squares.0
}

#[inline(always)]
pub(super) fn text(_: &mut Run<'_, '_>, text: TextConstant) -> u64 {
    text.0
}

#[inline(always)]
pub(super) fn copy(_: &mut Run<'_, '_>, src: u64) -> u64 {
    src
}

#[inline(always)]
pub(super) fn increment(run: &mut Run<'_, '_>, dst: Register) {
    run.state.registers[dst] += 1;
}

#[inline(always)]
pub(super) fn and(_: &mut Run<'_, '_>, a: u64, b: u64) -> u64 {
    a & b
}

#[inline(always)]
pub(super) fn or(_: &mut Run<'_, '_>, a: u64, b: u64) -> u64 {
    a | b
}

#[inline(always)]
pub(super) fn arithmetic(_: &mut Run<'_, '_>, a: u64, b: u64, op: Arithmetic) -> Option<u64> {
    numbers::arithmetic(op, number(a), number(b)).map(|value| u64::from(value as u32))
}

#[inline(always)]
pub(super) fn is_not_zero(_: &mut Run<'_, '_>, word: u64) -> bool {
    word != 0
}

#[inline(always)]
pub(super) fn is_subset(_: &mut Run<'_, '_>, a: u64, b: u64) -> bool {
    a & !b == 0
}

#[inline(always)]
pub(super) fn compare_constant(
    _: &mut Run<'_, '_>,
    a: u64,
    relation: ComparisonOperator,
    value: i32,
) -> bool {
    holds(relation, number(a), value)
}

#[inline(always)]
pub(super) fn compare_numbers(
    _: &mut Run<'_, '_>,
    a: u64,
    b: u64,
    relation: ComparisonOperator,
) -> bool {
    holds(relation, number(a), number(b))
}

/// Returns true if the relation holds between two numbers. The relations between positions never
/// do.
#[inline(always)]
fn holds(relation: ComparisonOperator, a: i32, b: i32) -> bool {
    match relation {
        ComparisonOperator::Equal => a == b,
        ComparisonOperator::NotEqual => a != b,
        ComparisonOperator::Less => a < b,
        ComparisonOperator::LessEqual => a <= b,
        ComparisonOperator::Greater => a > b,
        ComparisonOperator::GreaterEqual => a >= b,
        ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => false,
    }
}

#[inline(always)]
pub(super) fn compare(
    run: &mut Run<'_, '_>,
    a: u64,
    b: u64,
    relation: ComparisonOperator,
    ty: Type,
) -> bool {
    run.compare(ty, relation, a, b)
}

#[inline(always)]
pub(super) fn in_range(_: &mut Run<'_, '_>, a: u64, min: u64, max: u64) -> bool {
    (number(min)..=number(max)).contains(&number(a))
}

#[inline(never)]
pub(super) fn best(run: &mut Run<'_, '_>, best: Register, value: Register, min: bool, text: bool) {
    run.best(best, value, min, text);
}
