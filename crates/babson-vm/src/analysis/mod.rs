//! What is known of the filters of a query before any of them is compiled.
//!
//! Guards, the tests of images, the optimizer and the compiler all ask the same of a filter: what
//! it may do besides matching, how long its outcome holds, which filters must match for it to
//! match. This module answers, and knows none of them. Each fact of a kind of node stands in one
//! table: [`facts`] and [`leaves`] for effects, constancy and cost, [`shape`] for what necessary
//! conditions can be found.

mod conjuncts;
mod constancy;
mod facts;
mod flags;
mod leaves;
mod loops;
mod pattern;
mod query;
mod shape;

pub(crate) use conjuncts::{conjuncts, first_filter};
pub(crate) use constancy::Constancy;
pub(crate) use flags::Flags;
pub(crate) use loops::Loops;
pub(crate) use pattern::Pattern;
pub(crate) use query::Analysis;
pub(crate) use shape::{SetShape, Shape};
