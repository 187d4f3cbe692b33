//! Queries, games and damaged bytes for tests, made of the bytes of a fuzzer.
//!
//! A law is a function of bytes that panics if the program breaks a promise. [`check_law!`] makes a
//! test of it. `cargo test` runs it with the files of its corpus and with random inputs, the same
//! in every run. `cargo xtask fuzz` hands it to libfuzzer, which looks for inputs that reach new
//! code. `docs/src/testing.md` lists the laws.
//!
//! A law of text takes the bytes as they are. Other laws read [`Choices`] from them, and make a
//! [query](query()), a [game](game()) or a [damaged](damage()) file. Nearby bytes make nearby
//! inputs, so a fuzzer can find its way.
//!
//! The crate is a dependency of tests only and is not published. `docs/src/glossary.md` explains
//! the terms.

#![forbid(unsafe_code)]
// A new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod choices;
mod damage;
mod game;
mod law;
mod query;

pub use bolero;
pub use choices::Choices;
pub use damage::damage;
pub use game::{game, position};
pub use law::{for_random_inputs, for_random_inputs_of_kinds};
pub use query::query;
