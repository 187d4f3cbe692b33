//! The view of one game: a tree, flat in position-id order.

use std::borrow::Cow;

use babson_chess::{Move, PieceIds, Position, Rules};

use crate::comment;
use crate::damage::Damage;
use crate::reader::Arena;
use crate::tags::{self, Tags};

/// How a game ended: its termination marker, never the `Result` tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`, or no marker at all.
    #[default]
    Unknown,
}

impl GameResult {
    /// The marker: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

/// A node of the game tree in 16 bytes. Its id is its index; ids are in preorder, the main
/// continuation's subtree before the variations (evaluation-and-output.md section 2).
///
/// The first child of node `i` is always `i + 1`, the next sibling stands at `subtree_end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Node {
    /// Id of the position before the move; 0 for the root itself.
    pub parent: u32,
    /// The id after the last descendant.
    pub subtree_end: u32,
    /// The move that led here; the null move at the root.
    pub mv: Move,
    /// Number of moves on the path from the root that were not the first continuation.
    pub depth: u16,
    /// 0 for the main continuation of the parent, 1 for the first variation, …
    pub sibling: u16,
    /// Half moves from the root.
    pub ply: u16,
}

impl Node {
    pub(crate) const ROOT: Node =
        Node { parent: 0, subtree_end: 1, mv: Move::NULL, depth: 0, sibling: 0, ply: 0 };
}

/// A game: its text and what the [`Reader`](crate::Reader) made of it. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Game<'g> {
    pub(crate) text: &'g [u8],
    pub(crate) arena: &'g Arena,
}

impl<'g> Game<'g> {
    /// The text of the game, as it stands in the file (without a next game in the same slice).
    pub fn text(&self) -> &'g [u8] {
        self.text
    }

    /// How many bytes of the slice given to the reader belong to this game.
    pub fn consumed(&self) -> usize {
        self.text.len()
    }

    /// The tags in file order, name and value as they stand in the file.
    pub fn tags(&self) -> Tags<'g> {
        tags::section(self.text)
    }

    /// The value of a tag, byte for byte (names are case sensitive; the first one wins).
    pub fn tag(&self, name: &[u8]) -> Option<&'g [u8]> {
        self.tags().find(|tag| tag.0 == name).map(|tag| tag.1)
    }

    /// The termination marker.
    pub fn result(&self) -> GameResult {
        self.arena.result
    }

    /// Whether the text holds a termination marker.
    pub fn has_result(&self) -> bool {
        self.arena.has_result
    }

    /// Whether it is known how the game begins. False if the `FEN` tag cannot be read or the
    /// `Variant` tag names no variant: then the first position is the usual one, which means
    /// nothing.
    pub fn has_start(&self) -> bool {
        self.arena.has_start
    }

    /// Whether the `FEN` tag cannot be read.
    pub fn has_bad_fen(&self) -> bool {
        self.arena.bad_fen
    }

    /// What the `Result` tag should say: the marker, which wins over the tag; without a marker what
    /// the tag says.
    pub fn result_tag(&self) -> &'g [u8] {
        let of_text = match self.has_result() {
            true => None,
            false => self.tag(b"Result"),
        };
        of_text.unwrap_or(self.result().text().as_bytes())
    }

    /// The piece identities of a position; none if the reader was not asked for them.
    #[inline]
    pub fn piece_ids(&self, id: u32) -> Option<&'g PieceIds> {
        self.arena.piece_ids.get(id as usize)
    }

    /// What is constant in the game: variant and castling rooks.
    pub fn rules(&self) -> &'g Rules {
        &self.arena.rules
    }

    /// All positions, indexed by id. There is always at least the initial one.
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

    /// Number of positions, at least 1.
    #[inline]
    #[expect(clippy::len_without_is_empty)] // A game always has its initial position.
    pub fn len(&self) -> u32 {
        self.arena.len as u32
    }

    /// Number of positions of the main line: ids below it are the main line.
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

    /// The parent; none for the root.
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

    /// Whether the reader has everything of the text: it passed over no comment, glyph or variation
    /// that it was not asked for.
    pub fn is_whole(&self) -> bool {
        self.arena.whole
    }

    /// The original comment after this node's move (before the first move for the root): white
    /// space collapsed, inner braces `_`, several comments joined with a blank, of several
    /// comments before the first move the last.
    /// None if there is none or the reader was not asked for comments. A reader
    /// [with error comments](crate::Reader::with_error_comments) puts them here.
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

    /// The comment that stands before the first move of the variation that begins with this
    /// node. It is written again but belongs to no position.
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
        let text = |range: &crate::reader::CommentRange| {
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

    /// The numeric annotation glyphs of this node's move, in file order.
    pub fn nags(&self, id: u32) -> impl Iterator<Item = u8> + use<'g> {
        let all = &self.arena.nags;
        let from = all.partition_point(|nag| nag.0 < id);
        all[from..].iter().take_while(move |nag| nag.0 == id).map(|nag| nag.1)
    }

    /// Everything that is wrong with the game, by offset.
    pub fn damages(&self) -> &'g [Damage] {
        &self.arena.damages
    }

    /// The worst damage: the one that ended the main line, else the first. Notes are none.
    pub fn damage(&self) -> Option<&'g Damage> {
        let all = self.damages();
        all.iter()
            .find(|damage| damage.main_line && damage.reason.ends_line())
            .or_else(|| all.iter().find(|damage| !damage.reason.is_note()))
    }

    /// The offending text of a damage of this game.
    pub fn damaged_text(&self, damage: &Damage) -> &'g [u8] {
        self.text.get(damage.start..damage.end).unwrap_or_default()
    }
}

/// Iterator over the children of a node: [`Game::children`].
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
