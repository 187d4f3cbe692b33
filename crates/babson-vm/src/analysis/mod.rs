//! The analysis of the filters of a query, before any of them is compiled.
//!
//! Prefilters, the tests of images, the optimizer and the compiler all ask the same of a filter:
//! what it may do besides matching, how long its outcome stays the same, and which filters must
//! match for it to match. This module answers the first two from the
//! [`Traits`](babson_lang::hir::Traits) of each kind of node; its
//! [`Shape`](babson_lang::hir::Shape) tells which necessary conditions can be found for it.

mod conjuncts;
mod deferral;
mod loops;
mod node_only;
mod numbers;
mod pattern;
mod query;

pub(crate) use conjuncts::conjuncts;
pub(crate) use deferral::deferrable_texts;
pub(crate) use loops::Loops;
pub(crate) use numbers::{least_passing, power_values, relate};
pub(crate) use pattern::Pattern;
pub(crate) use query::Analysis;
