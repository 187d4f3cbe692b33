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
) -> OmittedComments {
    write_part(game, None, added, layout, out)
}

/// A part of a game: from one of its positions on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The id of the position, which may be in a variation. Its main continuation becomes the main
    /// line.
    pub start: u32,
    /// The greatest number of plies of any line; `None` for no limit.
    pub plies: Option<u32>,
}

/// Appends a part of a game as a game of its own, and the empty lines after it.
///
/// It has the tags of the game, then `SetUp` and `FEN` with its first position; `PlyCount`, which
/// tells the length of the whole game, is left out. Moves keep their numbers. Comments, glyphs,
/// variations and the result are kept. The [headers](Annotations::headers) of the annotations stand
/// before the comment of its first position.
///
/// ```
/// use babson_pgn::{Annotations, Fragment, Layout, Needs, Reader, write_fragment};
/// let mut reader = Reader::new();
/// let game = reader.read(b"1. e4 e5 {open} (1... c5) 2. Nf3 Nc6 3. Bb5 1-0", Needs::ALL);
/// let (fragment, mut out) = (Fragment { start: 2, plies: Some(2) }, Vec::new());
/// write_fragment(&game, fragment, &Annotations::default(), &Layout::CQLI, &mut out);
/// let text = String::from_utf8(out).unwrap();
/// let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
/// assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n")));
/// assert!(text.ends_with("\n\n{open} 2.Nf3 Nc6 1-0\n\n\n"));
/// ```
///
/// # Panics
/// If the game has no position of that id.
pub fn write_fragment(
    game: &Game<'_>,
    fragment: Fragment,
    added: &Annotations<'_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> OmittedComments {
    write_part(game, Some(fragment), added, layout, out)
}

/// Appends the game, or a part of it.
fn write_part(
    game: &Game<'_>,
    fragment: Option<Fragment>,
    added: &Annotations<'_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> OmittedComments {
    let begin = out.len();
    header::write(game, fragment, added, layout, out);
    let ignored_comments = movetext::write(game, fragment.unwrap_or_default(), added, layout, out);
    if let Some(rules) = layout.cql6
        && out.len() - begin > rules.game_limit
    {
        out.truncate(begin + rules.game_limit);
        out.extend_from_slice(b" game truncated by CQL } * \n\n\n");
    }
    OmittedComments { ignored_comments }
}

/// What [`write()`] could not add to a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OmittedComments {
    /// The number of positions to which nothing was added because CQL 6.2 does not write so long a
    /// text.
    pub ignored_comments: u32,
}

#[cfg(test)]
mod tests;
