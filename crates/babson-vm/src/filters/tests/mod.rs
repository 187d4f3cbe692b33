//! The observed examples of language.md 13, and naive references over random boards.

mod boards;
mod examples;
mod mates;
mod values;
