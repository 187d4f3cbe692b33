//! Examples whose values CQL 6.2 gave, and naive references over random boards.

mod boards;
mod examples;
mod mates;
mod values;
