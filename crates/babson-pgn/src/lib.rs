//! Babson's PGN: a zero-copy reader, the splitter at game boundaries, game trees and the writer.
//!
//! * [`split`] cuts a file at game boundaries, which are a property of neighboring lines alone.
//! * [`Reader`] replays the text of one game into a flat arena; [`Game`] is the view of it.
//! * [`tags`] reads the tag section and holds the normal forms of tag values.
//! * [`write()`] prints a game with the comments that a query added.
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
//! The terms are those of the glossary, `docs/src/glossary.md` in the repository.

mod comment;
mod damage;
mod game;
#[cfg(test)]
mod laws;
mod reader;
mod scan;
pub mod split;
pub mod tags;
mod token;
mod write;

pub use damage::{Damage, Reason};
pub use game::{Children, Game, GameResult, Node};
pub use reader::{MAX_POSITIONS, Needs, Reader};
pub use split::{Games, count_games, find_boundary};
pub use write::{Annotated, Cql6, Layout, Written, WrittenTag, tags as written_tags, write};
