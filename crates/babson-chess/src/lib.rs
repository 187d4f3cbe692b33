//! The chess core of Babson: squares, square sets, positions, moves, move generation, SAN, FEN,
//! Zobrist keys and retro-analysis.
//!
//! A [`Position`] holds *any* arrangement of pieces: no kings, nine kings, pawns on the last
//! rank. The king of a color is royal only if the color has exactly one
//! (`docs/src/language/odd-positions.md#several-kings`).
//!
//! ```text
//! FEN ── fen::parse ──> Position ── movegen, san::parse ──> Move ── Position::make ──> Position
//!                          ├── attacks, threats: which squares are attacked
//!                          └── retro: legal, reachable, retractions
//! ```
//!
//! ```
//! use babson_chess::{fen, san, Position, Rules};
//!
//! let start = Position::start();
//! let mv = san::parse(&start, &Rules::STANDARD, b"Nf3").unwrap();
//! let next = start.make(mv, &Rules::STANDARD);
//! assert_eq!(
//!     fen::write(&next, &Rules::STANDARD),
//!     "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"
//! );
//! ```
//!
//! Begin to read with [`SquareSet`] and [`Position`], then [`movegen`]. [`retro`] stands alone.
//!
//! `docs/src/glossary.md` explains the terms.

#![deny(unsafe_code)]
// `clippy.toml` keeps the crate pure. Tests read the corpus.
#![cfg_attr(test, allow(clippy::disallowed_methods))]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

pub mod attacks;
#[cfg(test)]
mod convert;
pub mod fen;
mod limits;
mod make;
mod move_code;
pub mod movegen;
mod moves;
pub mod perft;
mod piece;
pub mod pieceid;
mod position;
// It calls functions that need instructions which not each processor has.
#[allow(unsafe_code)]
pub mod processor;
pub mod retro;
mod rules;
pub mod san;
mod set;
mod square;
#[cfg(test)]
mod tests;
mod threats;
mod variants;
pub mod zobrist;

pub use fen::FenError;
pub use move_code::{MoveAction, MoveCode, line_checks, play_codes};
pub use movegen::MoveList;
pub use moves::Move;
pub use piece::{Color, Kind, Piece};
pub use pieceid::{Numbering, PieceIds};
pub use position::{CastlingRights, CastlingSide, Position};
pub use rules::{Rules, Variant};
pub use san::SanError;
pub use set::{Direction, SquareIter, SquareSet};
pub use square::{ParseSquareError, Square};
pub use threats::KingThreats;
pub use variants::{VariantEnd, VariantNames};

/// The example of the README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
