//! How a law is tested.

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
#[macro_export]
macro_rules! check_law {
    ($name:literal, $inputs:expr, $law:expr) => {{
        let law: fn(&[u8]) = $law;
        $crate::for_random_inputs($inputs, law);
        $crate::bolero::check!(name = $name).with_iterations(0).for_each(law)
    }};
}

/// Calls the law with this number of random inputs, the same in every run, unless a fuzzer is at
/// work. The input for which the law panics is printed in hexadecimal digits.
#[allow(unexpected_cfgs, reason = "`cargo xtask fuzz` sets it")]
pub fn for_random_inputs(inputs: u64, mut law: impl FnMut(&[u8])) {
    // cargo-bolero builds with this configuration, and asks for the names of tests by the variable.
    if cfg!(fuzzing) || std::env::var_os("CARGO_BOLERO_SELECT").is_some() {
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
}
