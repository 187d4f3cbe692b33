//! What editors ask about a query: plain data in, plain data out.
//!
//! | question | functions |
//! | --- | --- |
//! | What is this, and what can be written here? | [`hover`], [`complete`], [`signature`] |
//! | What does the text leave implicit? | [`inlay_hints`] |
//! | Where is a name declared and used? | [`definition`], [`references`], [`rename`] |
//! | What are the parts of the text? | [`tokens`], [`folds`], [`selection`], [`symbols`] |
//! | How else can it be written? | [`format`](format()), [`actions`] |
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

mod actions;
mod analysis;
mod answer;
mod book;
mod complete;
mod constants;
mod cql3;
mod folding;
mod format;
mod header;
mod hover;
mod imported;
mod inlay_hints;
pub mod limits;
mod markdown;
mod name_index;
mod names;
mod navigate;
mod options;
mod place;
mod selection;
mod signature;
mod snippets;
mod source;
mod squares;
mod symbols;
mod tags;
mod tokens;
mod transforms;
mod types;

#[cfg(test)]
mod tests;

pub use actions::actions;
pub use answer::{
    Action, ActionKind, Definition, FileEdit, FileSpan, Fold, FoldKind, HintKind, Hover, InlayHint,
    Item, ItemKind, MeaningToken, Reference, ReferenceKind, RenameRefusal, Signature, Symbol,
    SymbolKind, TokenMeaning,
};
pub use complete::complete;
pub use folding::folds;
pub use format::format;
pub use header::input_of;
pub use hover::hover;
pub use inlay_hints::inlay_hints;
pub use navigate::{
    definition, is_shared, references, references_to, rename, rename_imported, renamed_place,
};
pub use options::{Options, WordBook};
pub use selection::{selection, selections};
pub use signature::signature;
pub use snippets::{Snippet, snippets};
pub use symbols::symbols;
pub use tokens::tokens;

/// The example of the README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
