//! The PGN writer: CQL's layout to the byte (evaluation-and-output.md, sections 4.3, 8 and 12).

mod comments;
mod header;
mod layout;
mod lines;
mod movetext;

use crate::game::Game;

pub use header::{WrittenTag, tags};
pub use layout::{Cql6, Layout};

/// What a query adds to a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Annotated<'a> {
    /// Added comments: node and text. Those of one node are written in this order; nodes may come
    /// in any order.
    pub comments: &'a [(u32, &'a [u8])],
    /// How many of the first comments stand before the original comment of the initial position,
    /// theirs too: CQLi's sort header. Of no account in CQL 6.2's layout.
    pub headers: usize,
    /// Nodes whose original comment is dropped, in any order.
    pub removed: &'a [u32],
    /// Tags that are set: name and value; of equal names the last one counts. New names come last.
    pub tags: &'a [(&'a [u8], &'a [u8])],
    /// Names of tags that are not written.
    pub hidden_tags: &'a [&'a [u8]],
    /// Writes a comment again that equals an earlier one of its node (`-nouniquecomments`).
    pub keep_duplicates: bool,
}

impl Annotated<'_> {
    /// The tags that every game has in CQL 6.2's layout, in their order; elsewhere one whose file
    /// gives it no tag at all.
    pub const ROSTER: [&'static [u8]; 7] =
        [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"];
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
/// write(&game, &added, &Layout::CQLI, &mut out);
/// assert!(out.ends_with(b"\n\n1.e4 {CQL} 1...e5 {a} {b} ( 1...c5 ) *\n\n\n"));
/// ```
pub fn write(
    game: &Game<'_>,
    added: &Annotated<'_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Written {
    let begin = out.len();
    header::write(game, added, layout, out);
    let ignored_comments = movetext::write(game, added, layout, out);
    if let Some(rules) = layout.cql6
        && out.len() - begin > rules.game_limit
    {
        out.truncate(begin + rules.game_limit);
        out.extend_from_slice(b" game truncated by CQL } * \n\n\n");
    }
    Written { ignored_comments }
}

/// What [`write()`] has to say about a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Positions to which nothing was added because their text was longer than CQL 6.2 allows.
    pub ignored_comments: u32,
}

#[cfg(test)]
mod tests;
