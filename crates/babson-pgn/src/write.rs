//! The PGN writer: CQL's layout to the byte (evaluation-and-output.md, sections 4.3, 8 and 12).

mod header;
mod movetext;

use crate::game::Game;

/// Which of the two engines' layouts is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Layout {
    /// Every comment has its own braces, the moves go on after the initial comment, and tags keep
    /// their bytes.
    #[default]
    Cqli,
    /// One brace for all comments of a position, a line end after the initial comment, and tags
    /// rewritten as CQL 6.2 does.
    Cql6,
}

/// What a query adds to a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Annotated<'a> {
    /// Added comments: node and text. Those of one node are written in this order; nodes may come
    /// in any order.
    pub comments: &'a [(u32, &'a [u8])],
    /// Nodes whose original comment is dropped, in any order.
    pub removed: &'a [u32],
    /// Tags that are set: name and value; of equal names the last one counts.
    pub tags: &'a [(&'a [u8], &'a [u8])],
    /// Writes a comment again that equals an earlier one of its node (`-nouniquecomments`).
    pub keep_duplicates: bool,
}

/// Appends the game with its annotations, the two line ends after it included.
///
/// The game should have been read with [`Needs::ALL`](crate::Needs::ALL): what was not read is
/// not written.
///
/// ```
/// use babson_pgn::{Annotated, Layout, Needs, Reader, write};
/// let mut reader = Reader::new();
/// let game = reader.read(b"1. e4 e5 (1... c5) *", Needs::ALL);
/// let added = Annotated { comments: &[(1, b"CQL"), (2, b"a"), (2, b"b")], ..Annotated::default() };
/// let mut out = Vec::new();
/// write(&game, &added, Layout::Cqli, &mut out);
/// assert!(out.ends_with(b"\n\n1.e4 {CQL} 1...e5 {a} {b} ( 1...c5 ) *\n\n\n"));
/// ```
pub fn write(game: &Game<'_>, added: &Annotated<'_>, layout: Layout, out: &mut Vec<u8>) {
    header::write(game, added, layout, out);
    movetext::write(game, added, layout, out);
}

#[cfg(test)]
mod tests;
