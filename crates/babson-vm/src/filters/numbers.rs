//! Arithmetic on wrapping 32-bit numbers (`docs/src/language/numbers.md`).

use babson_lang::hir::Arithmetic;

/// The value of `a op b`: wraps, truncates toward zero, the remainder has the sign of `a`; no value
/// for a division by 0.
#[inline]
pub fn arithmetic(op: Arithmetic, a: i32, b: i32) -> Option<i32> {
    match op {
        Arithmetic::Add => Some(a.wrapping_add(b)),
        Arithmetic::Subtract => Some(a.wrapping_sub(b)),
        Arithmetic::Multiply => Some(a.wrapping_mul(b)),
        Arithmetic::Divide if b != 0 => Some(a.wrapping_div(b)),
        Arithmetic::Remainder if b != 0 => Some(a.wrapping_rem(b)),
        Arithmetic::Divide | Arithmetic::Remainder => None,
    }
}

/// `-n`; the least number is its own negative.
#[inline]
pub fn negate(n: i32) -> i32 {
    n.wrapping_neg()
}

/// `abs n`; the least number stays negative.
#[inline]
pub fn abs(n: i32) -> i32 {
    n.wrapping_abs()
}

/// `sqrt n`: the root rounded down; no value for a negative number.
#[inline]
pub fn sqrt(n: i32) -> Option<i32> {
    n.checked_isqrt()
}
