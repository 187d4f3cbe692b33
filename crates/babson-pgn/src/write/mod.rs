//! The PGN writer.

mod comments;
mod header;
mod layout;
mod lines;
mod movetext;
mod plain;
mod short_word;

use crate::game::Game;

pub use header::{OutputTag, tags};
pub use layout::{Cql6, Layout};
pub use plain::{plain_text, tag_section_len};

/// What a query adds to a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Annotations<'a> {
    /// The added comments: node and text. Those of one node are written in this order. The nodes
    /// may be in any order.
    pub comments: &'a [(u32, &'a [u8])],
    /// How many of the first comments come before the original comment of the initial position, as
    /// the sort header does in CQLi. They must be comments of the initial position. Ignored in the
    /// layout of CQL 6.2.
    pub headers: usize,
    /// The nodes whose original comment is dropped, in any order.
    pub removed: &'a [u32],
    /// The tags that are set: name and value. Of equal names the last counts. New names are
    /// appended.
    pub tags: &'a [(&'a [u8], &'a [u8])],
    /// The names of tags that are not written.
    pub hidden_tags: &'a [&'a [u8]],
    /// Also writes a comment that equals an earlier one of its node (`-nouniquecomments`).
    pub keep_duplicates: bool,
}

impl Annotations<'_> {
    /// The seven tags that PGN requires, in their order (PGN 8.1.1). In the layout of CQL 6.2 every
    /// game gets them, in the other one a game without any tag.
    pub const ROSTER: [&'static [u8]; 7] =
        [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"];
}

/// Appends the game with its annotations, and the empty lines after it.
///
/// The game should have been read with [`Needs::ALL`](crate::Needs::ALL): parts that were not read
/// are not written.
///
/// ```
/// use babson_pgn::{Annotations, Layout, Needs, Reader, write};
/// let mut reader = Reader::new();
/// let game = reader.read(b"1. e4 e5 (1... c5) *", Needs::ALL);
/// let added = Annotations { comments: &[(1, b"CQL"), (2, b"a"), (2, b"b")], ..Annotations::default() };
/// let mut out = Vec::new();
/// write(&game, &added, &Layout::CQLI, &mut out);
/// assert!(out.ends_with(b"\n\n1.e4 {CQL} 1...e5 {a} {b} ( 1...c5 ) *\n\n\n"));
/// ```
pub fn write(
    game: &Game<'_>,
    added: &Annotations<'_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> WriteReport {
    let begin = out.len();
    header::write(game, added, layout, out);
    let ignored_comments = movetext::write(game, added, layout, out);
    if let Some(rules) = layout.cql6
        && out.len() - begin > rules.game_limit
    {
        out.truncate(begin + rules.game_limit);
        out.extend_from_slice(b" game truncated by CQL } * \n\n\n");
    }
    WriteReport { ignored_comments }
}

/// The report of [`write()`] about a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteReport {
    /// The number of positions to which nothing was added because CQL 6.2 does not write so long a
    /// text.
    pub ignored_comments: u32,
}

#[cfg(test)]
mod tests;
