//! A view of one game: its tree of positions, in an array in the order of position ids.

use std::borrow::Cow;

use babson_chess::{PieceIds, Position, Rules};

use crate::arena::{Arena, CommentRange};
use crate::comment;
use crate::damage::Damage;
use crate::needs::Needs;
use crate::node::Node;
use crate::result::GameResult;
use crate::tags::{self, Tags};

/// A game: its text, and what the [`Reader`](crate::Reader) read from it. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Game<'g> {
    pub(crate) text: &'g [u8],
    pub(crate) arena: &'g Arena,
}

impl<'g> Game<'g> {
    /// The text of the game in the file, without the text of a next game in the same slice.
    pub fn text(&self) -> &'g [u8] {
        self.text
    }

    /// How many bytes of the slice that the reader got belong to this game.
    pub fn consumed(&self) -> usize {
        self.text.len()
    }

    /// The tags in file order: name and value, unchanged.
    pub fn tags(&self) -> Tags<'g> {
        tags::section(self.text)
    }

    /// The value of a tag, unchanged. Names are case-sensitive; of several tags with the name, the
    /// first.
    pub fn tag(&self, name: &[u8]) -> Option<&'g [u8]> {
        self.tags().find(|tag| tag.0 == name).map(|tag| tag.1)
    }

    /// What the reader was asked for, and so what this game has.
    ///
    /// ```
    /// use babson_pgn::{Needs, Reader};
    ///
    /// let mut reader = Reader::new();
    /// assert_eq!(reader.read(b"1. e4 *", Needs::MAIN_LINE).needs(), Needs::MAIN_LINE);
    /// ```
    pub fn needs(&self) -> Needs {
        self.arena.needs
    }

    /// The termination marker.
    pub fn result(&self) -> GameResult {
        self.arena.result
    }

    /// Whether the text has a termination marker.
    pub fn has_result(&self) -> bool {
        self.arena.has_result
    }

    /// Whether the initial position is known. It is not if the `FEN` tag cannot be read or the
    /// `Variant` tag has an unknown name: then position 0 is the initial array of chess, which is
    /// probably wrong.
    pub fn has_start(&self) -> bool {
        self.arena.has_start
    }

    /// Whether the `FEN` tag cannot be read.
    pub fn has_bad_fen(&self) -> bool {
        self.arena.bad_fen
    }

    /// The value that the `Result` tag should have: the termination marker; without a marker, the
    /// present value of the tag; without either, `*`.
    pub fn result_tag(&self) -> &'g [u8] {
        let of_text = match self.has_result() {
            true => None,
            false => self.tag(b"Result"),
        };
        of_text.unwrap_or(self.result().text().as_bytes())
    }

    /// The piece identities of a position; `None` if the [`Needs`](crate::Needs) did not have them.
    #[inline]
    pub fn piece_ids(&self, id: u32) -> Option<&'g PieceIds> {
        self.arena.piece_ids.get(id as usize)
    }

    /// The rules of the game: its variant and castling rooks.
    pub fn rules(&self) -> &'g Rules {
        &self.arena.rules
    }

    /// All positions, indexed by id. There is at least the initial one.
    #[inline]
    pub fn positions(&self) -> &'g [Position] {
        &self.arena.positions[..self.arena.len]
    }

    /// The position with this id.
    ///
    /// # Panics
    /// If `id >= len()`.
    #[inline]
    pub fn position(&self, id: u32) -> &'g Position {
        &self.positions()[id as usize]
    }

    /// All nodes, parallel to [`positions`](Game::positions).
    #[inline]
    pub fn nodes(&self) -> &'g [Node] {
        &self.arena.nodes[..self.arena.len]
    }

    /// The node with this id.
    ///
    /// # Panics
    /// If `id >= len()`.
    #[inline]
    pub fn node(&self, id: u32) -> &'g Node {
        &self.nodes()[id as usize]
    }

    /// The number of positions, at least 1.
    #[inline]
    #[expect(clippy::len_without_is_empty)] // A game always has its initial position.
    pub fn len(&self) -> u32 {
        self.arena.len as u32
    }

    /// The number of positions of the main line. Their ids are those below this number.
    #[inline]
    pub fn main_line_len(&self) -> u32 {
        self.arena.main_len as u32
    }

    /// The main continuation.
    #[inline]
    pub fn first_child(&self, id: u32) -> Option<u32> {
        (self.node(id).subtree_end > id + 1).then_some(id + 1)
    }

    /// The next alternative to the move that led here.
    #[inline]
    pub fn next_sibling(&self, id: u32) -> Option<u32> {
        let node = self.node(id);
        let next = self.nodes().get(node.subtree_end as usize)?;
        (next.parent == node.parent && id != 0).then_some(node.subtree_end)
    }

    /// The parent; `None` for the root.
    #[inline]
    pub fn parent(&self, id: u32) -> Option<u32> {
        (id != 0).then(|| self.node(id).parent)
    }

    /// The children, main continuation first.
    pub fn children(&self, id: u32) -> Children<'g> {
        Children { game: *self, next: self.first_child(id) }
    }

    /// Whether any comment was read.
    pub(crate) fn has_comments(&self) -> bool {
        !self.arena.comments.is_empty() || !self.arena.unread.is_empty()
    }

    /// The nodes that have a comment, and perhaps others.
    pub(crate) fn commented_nodes(&self) -> impl Iterator<Item = u32> + use<'g> {
        let read = self.arena.comments.iter().map(|range| range.node);
        read.chain(self.arena.unread.iter().map(|unread| unread.0))
    }

    /// Whether any glyph was read.
    pub(crate) fn has_glyphs(&self) -> bool {
        !self.arena.nags.is_empty()
    }

    /// Whether the reader has read all of the text. It has not if it skipped a move, a comment, a
    /// glyph or a variation because the [`Needs`](crate::Needs) did not have them.
    pub fn is_whole(&self) -> bool {
        self.arena.whole
    }

    /// Whether moves of the main line were skipped, because the [`Needs`](crate::Needs) end before
    /// them. Damage in them was not found.
    ///
    /// ```
    /// use babson_pgn::{Needs, Reader};
    ///
    /// let mut reader = Reader::new();
    /// let needs = Needs { last_ply: 2, ..Needs::TAGS };
    /// let game = reader.read(b"1. e4 e5 2. Nf3 1-0", needs);
    /// assert_eq!((game.len(), game.is_cut(), game.result().text()), (3, true, "1-0"));
    /// assert!(!reader.read(b"1. e4 e5 1-0", needs).is_cut());
    /// ```
    pub fn is_cut(&self) -> bool {
        self.arena.cut
    }

    /// Whether the game can be read again from its [`text`](Game::text). The text of a game of a
    /// table ([`Reader::replay_if`](crate::Reader::replay_if)) is only its tag section.
    pub fn has_move_text(&self) -> bool {
        !self.arena.coded
    }

    /// The original comment after the move of this node; for the root the one before the first
    /// move. Each run of whitespace is one space, and inner braces are `_`. Several comments are
    /// joined with a space; before the first move only the last one counts.
    ///
    /// `None` if there is no comment or if the [`Needs`](crate::Needs) did not have comments. A
    /// reader [with error comments](crate::Reader::write_error_comments) puts those in place of a
    /// comment.
    pub fn comment(&self, id: u32) -> Option<Cow<'g, [u8]>> {
        let unread = &self.arena.unread;
        if !unread.is_empty()
            && let Ok(at) = unread.binary_search_by_key(&id, |unread| unread.0)
        {
            let (_, start, end) = unread[at];
            let mv = self.text.get(start as usize..end as usize);
            let text = [b"Error reading move: ", mv.unwrap_or_default()].concat();
            return Some(Cow::Owned(text));
        }
        self.joined(id, false)
    }

    /// The comment before the first move of the variation that begins with this node. It belongs to
    /// no position, but it is written again.
    pub fn variation_comment(&self, id: u32) -> Option<Cow<'g, [u8]>> {
        self.joined(id, true)
    }

    fn joined(&self, id: u32, before: bool) -> Option<Cow<'g, [u8]>> {
        let all = &self.arena.comments;
        let from = all.partition_point(|range| range.node < id);
        let mut ranges = all[from..]
            .iter()
            .take_while(|range| range.node == id)
            .filter(|range| range.before == before);
        let text = |range: &CommentRange| {
            self.text.get(range.start as usize..range.end as usize).unwrap_or_default()
        };
        let cleaned = if id == 0 {
            comment::clean(text(ranges.last()?))
        } else {
            let first = comment::clean(text(ranges.next()?));
            match ranges.next() {
                None => first,
                Some(second) => {
                    let mut all = first.into_owned();
                    for range in std::iter::once(second).chain(ranges) {
                        let joined = !all.is_empty();
                        comment::append(&mut all, text(range), joined);
                    }
                    Cow::Owned(all)
                }
            }
        };
        (!cleaned.is_empty()).then_some(cleaned)
    }

    /// The numeric annotation glyphs of the move of this node, in file order.
    pub fn nags(&self, id: u32) -> impl Iterator<Item = u8> + use<'g> {
        let all = &self.arena.nags;
        let from = all.partition_point(|nag| nag.0 < id);
        all[from..].iter().take_while(move |nag| nag.0 == id).map(|nag| nag.1)
    }

    /// Everything that is wrong with the game, by offset.
    pub fn damages(&self) -> &'g [Damage] {
        &self.arena.damages
    }

    /// The worst damage: the one that ended the main line, else the first one. Notes do not count.
    pub fn damage(&self) -> Option<&'g Damage> {
        let all = self.damages();
        all.iter()
            .find(|damage| damage.main_line && damage.reason.ends_line())
            .or_else(|| all.iter().find(|damage| !damage.reason.is_note()))
    }

    /// The damaged text.
    pub fn damaged_text(&self, damage: &Damage) -> &'g [u8] {
        self.text.get(damage.start..damage.end).unwrap_or_default()
    }
}

/// An iterator over the children of a node. See [`Game::children`].
#[derive(Clone)]
pub struct Children<'g> {
    game: Game<'g>,
    next: Option<u32>,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let id = self.next?;
        self.next = self.game.next_sibling(id);
        Some(id)
    }
}
