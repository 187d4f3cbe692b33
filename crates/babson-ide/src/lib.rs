//! What editors ask about a query: plain data in, plain data out.
//!
//! A server of any protocol, a page or a notebook hands in the text and a place in it, and gets the
//! answer. Nothing is kept between two calls. A query that is being written is answered, too:
//! [`babson_lang::understand`] reads as much of it as it can, and the tokens decide the rest.
//! Places are bytes of UTF-8, on the borders of characters.
//!
//! ```
//! use babson_ide::{Options, complete, hover};
//!
//! let text = "x = #Q power A > pow";
//! let items = complete(text, text.len(), &Options::default());
//! assert_eq!(items[0].label, "power");
//! assert_eq!(items[0].span.text(text), "pow");
//! let hover = hover(text, 8, &Options::default()).unwrap();
//! assert!(hover.markdown.contains("power A: number"), "{}", hover.markdown);
//! ```
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

#![forbid(unsafe_code)]
// `clippy.toml` keeps the crate pure. Tests read the corpus.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_macros))]
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod answer;
mod book;
mod complete;
mod constants;
mod cql3;
mod hover;
pub mod limits;
mod markdown;
mod names;
mod options;
mod place;
mod snippets;
mod source;
mod squares;
mod tags;

#[cfg(test)]
mod tests;

pub use answer::{Hover, Item, ItemKind};
pub use complete::complete;
pub use hover::hover;
pub use options::Options;
