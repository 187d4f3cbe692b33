//! PGN for Babson: a splitter of files into games, a zero-copy reader, game trees and a writer.
//!
//! * [`split`] cuts a file at game boundaries, which depend only on the lines around them.
//! * [`Reader`] replays the text of one game into an arena; [`Game`] is a view of the arena.
//! * [`tags`] reads the tag section and normalizes dates and ratings.
//! * [`write()`] writes a game with the comments that a query added.
//!
//! ```
//! use babson_pgn::{Games, GameResult, Needs, Reader};
//!
//! let file = b"[White \"Adams\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 1-0\n";
//! let mut reader = Reader::new();
//! for (offset, text) in Games::new(file) {
//!     let game = reader.read(text, Needs::ALL);
//!     assert_eq!((offset, game.tag(b"White")), (0, Some(&b"Adams"[..])));
//!     assert_eq!((game.len(), game.result()), (6, GameResult::WhiteWins));
//!     assert_eq!(game.children(1).collect::<Vec<_>>(), [2, 4]); // 1...e5 and 1...c5
//! }
//! ```
//!
//! `docs/src/glossary.md` explains the terms.

#![forbid(unsafe_code)]
// `clippy.toml` keeps the crate pure. Tests read the corpus.
#![cfg_attr(test, allow(clippy::disallowed_methods))]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod arena;
mod comment;
mod comment_command;
mod damage;
mod early_result;
mod facts;
mod game;
mod game_hash;
mod limits;
mod needs;
mod node;
#[cfg(test)]
mod properties;
mod reader;
mod result;
mod scan;
mod shown;
mod signature;
pub mod split;
mod split_text;
pub mod tags;
mod token;
mod write;

pub use comment_command::{MATE_EVALUATION, MAX_EVALUATION, clock, evaluation};
pub use damage::{Damage, DamageReason};
pub use facts::{GameFacts, GameFlags};
pub use game::{Children, Game};
pub use game_hash::GameHash;
pub use limits::MAX_POSITIONS;
pub use needs::Needs;
pub use node::Node;
pub use reader::{CodedGame, Reader, ReplayError};
pub use result::GameResult;
pub use shown::{Shown, is_command};
pub use signature::{FileSignature, FormatKind, FormatSpec};
pub use split::{Games, NOT_PGN, count_games, count_lines, find_boundary, is_not_pgn};
pub use split_text::{SplitText, TextFacts};
pub use write::{
    Annotations, Cql6, Fragment, Layout, OmittedComments, OutputTag, plain_text, tag_section_len,
    tags as output_tags, write, write_fragment,
};

/// The example of the README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
