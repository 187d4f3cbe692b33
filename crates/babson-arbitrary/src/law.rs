//! How a law is tested.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// The most bytes of a random input.
const MAX_RANDOM_INPUT: u64 = 600;

/// Tests a law, a function of bytes that panics if it does not hold. The test has this name in its
/// crate's folder `__fuzz__`, beside the file of the test, where the corpus is.
///
/// Without a fuzzer, the law is tested with the files of its corpus and with this number of random
/// inputs, the same in every run.
///
/// ```
/// babson_arbitrary::check_law!("sorting", 100, |bytes| {
///     let mut sorted = bytes.to_vec();
///     sorted.sort_unstable();
///     assert_eq!(sorted.len(), bytes.len());
/// });
/// ```
///
/// A law that many inputs do not test, because they make a query with an error or a game without a
/// match, returns a name of what became of its input, and the test demands the least numbers of
/// random inputs with these names:
///
/// ```
/// let least = [("odd", 40)];
/// babson_arbitrary::check_law!("halves", 100, least, |bytes| match bytes.len() % 2 {
///     0 => "even",
///     _ => {
///         assert!(bytes.len() / 2 < bytes.len());
///         "odd"
///     }
/// });
/// ```
#[macro_export]
macro_rules! check_law {
    ($name:literal, $inputs:expr, $least:expr, $law:expr) => {{
        let law: fn(&[u8]) -> &'static str = $law;
        $crate::for_random_inputs_of_kinds($inputs, &$least, law);
        $crate::bolero::check!(name = $name).with_iterations(0).for_each(|bytes: &[u8]| {
            law(bytes);
        })
    }};
    ($name:literal, $inputs:expr, $law:expr) => {{
        let law: fn(&[u8]) = $law;
        $crate::for_random_inputs($inputs, law);
        $crate::bolero::check!(name = $name).with_iterations(0).for_each(law)
    }};
}

/// Calls the law with this number of random inputs, the same in every run, unless a fuzzer is at
/// work. The input for which the law panics is printed in hexadecimal digits.
pub fn for_random_inputs(inputs: u64, mut law: impl FnMut(&[u8])) {
    if has_fuzzer() {
        return;
    }
    let mut random = SplitMix64::seed_from_u64(0);
    for _ in 0..inputs {
        let length = random.next_u64() % MAX_RANDOM_INPUT;
        let input: Vec<u8> = (0..length).map(|_| (random.next_u64() >> 56) as u8).collect();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| law(&input))) {
            let digits: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
            eprintln!(
                "the law does not hold for this input (xxd -r -p makes a file of it): {digits}"
            );
            resume_unwind(panic);
        }
    }
}

/// Like [`for_random_inputs`], with a law that says what became of its input.
///
/// # Panics
/// The law does not hold, or fewer inputs than demanded have one of the names.
pub fn for_random_inputs_of_kinds(
    inputs: u64,
    least: &[(&'static str, u64)],
    law: fn(&[u8]) -> &'static str,
) {
    let mut kinds = BTreeMap::<&str, u64>::new();
    for_random_inputs(inputs, |bytes| *kinds.entry(law(bytes)).or_default() += 1);
    for (kind, least) in least {
        let number = kinds.get(kind).copied().unwrap_or(0);
        assert!(has_fuzzer() || number >= *least, "fewer than {least} {kind}: {kinds:?}");
    }
}

/// Whether a fuzzer is at work.
#[allow(unexpected_cfgs, reason = "`cargo xtask fuzz` sets it")]
fn has_fuzzer() -> bool {
    // cargo-bolero builds with this configuration, and asks for the names of tests by the variable.
    cfg!(fuzzing) || std::env::var_os("CARGO_BOLERO_SELECT").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_inputs_are_the_same_in_every_run() {
        let inputs = || {
            let mut all = Vec::new();
            for_random_inputs(20, |bytes| all.push(bytes.to_vec()));
            all
        };
        let all = inputs();
        assert_eq!(all, inputs());
        assert!(all.iter().any(|input| input.len() > 300) && all[0] != all[1]);
    }

    #[test]
    fn a_law_that_does_not_hold_panics() {
        let broken = || for_random_inputs(100, |bytes| assert!(bytes.len() < 500));
        assert!(catch_unwind(broken).is_err());
    }

    #[test]
    fn a_law_that_too_few_inputs_test_fails() {
        let law = |bytes: &[u8]| if bytes.len() > 500 { "long" } else { "short" };
        for_random_inputs_of_kinds(100, &[("long", 5), ("short", 50)], law);
        for kind in ["long", "empty"] {
            let demand = || for_random_inputs_of_kinds(100, &[(kind, 50)], law);
            assert!(catch_unwind(demand).is_err());
        }
    }
}
