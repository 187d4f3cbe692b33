//! The memory of one game.

use babson_chess::{Numbering, PieceIds, Position, Rules};

use crate::damage::Damage;
use crate::needs::Needs;
use crate::node::Node;
use crate::result::GameResult;

/// The text of a comment as a range of the text of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommentRange {
    pub(crate) node: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Whether it is before the first move of the variation that begins with the node.
    pub(crate) before: bool,
}

/// What was read of the current game. The buffers are reused for the next one.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    /// Only the first `len` positions and nodes belong to the game.
    pub(crate) positions: Vec<Position>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) len: usize,
    pub(crate) main_len: usize,
    pub(crate) rules: Rules,
    /// What was asked of the reader, and so what the game has.
    pub(crate) needs: Needs,
    pub(crate) result: GameResult,
    pub(crate) has_result: bool,
    /// Whether nothing of the text was skipped.
    pub(crate) whole: bool,
    /// Whether moves of the main line were skipped because they are after the last ply needed.
    pub(crate) cut: bool,
    /// Whether it is a game of a table, whose text has no moves.
    pub(crate) coded: bool,
    /// Whether the initial position is known.
    pub(crate) has_start: bool,
    /// Whether the `FEN` tag cannot be read.
    pub(crate) bad_fen: bool,
    pub(crate) comments: Vec<CommentRange>,
    /// The moves that could not be read: the node before, and the range of the text. In node order;
    /// empty unless the reader has error comments.
    pub(crate) unread: Vec<(u32, u32, u32)>,
    pub(crate) nags: Vec<(u32, u8)>,
    pub(crate) damages: Vec<Damage>,
    pub(crate) piece_ids: Vec<PieceIds>,
}

impl Arena {
    /// Makes room for at least `len` positions.
    pub(crate) fn grow(&mut self, len: usize) {
        if len > self.positions.len() {
            let room = (len * 2).max(256);
            self.positions.resize(room, Position::start());
            self.nodes.resize(room, Node::ROOT);
        }
    }

    /// Drops the positions that were replayed only to find damage.
    pub(crate) fn drop_unneeded(&mut self, needs: Needs) {
        if needs.variations && needs.has_moves() {
            return;
        }
        let needed = usize::try_from(needs.last_ply).unwrap_or(usize::MAX).saturating_add(1);
        let kept = self.main_len.min(needed);
        if kept < self.len {
            self.whole = false;
            self.len = kept;
            self.main_len = kept.min(self.main_len);
            let kept = kept as u32;
            let comments = self.comments.partition_point(|range| range.node < kept);
            self.comments.truncate(comments);
            let unread = self.unread.partition_point(|unread| unread.0 < kept);
            self.unread.truncate(unread);
            let nags = self.nags.partition_point(|nag| nag.0 < kept);
            self.nags.truncate(nags);
        }
    }

    /// Fills in the piece identities of all positions.
    pub(crate) fn number_pieces(&mut self) {
        self.piece_ids.reserve(self.len);
        self.piece_ids.push(PieceIds::new(&self.positions[0], Numbering::A1));
        for (node, next) in self.nodes[1..self.len].iter().zip(&self.positions[1..]) {
            let table = self.piece_ids[node.parent as usize].after(node.mv, next);
            self.piece_ids.push(table);
        }
    }

    /// Fills in the ends of subtrees, and sorts the damages.
    pub(crate) fn finish(&mut self, variations: bool) {
        let nodes = &mut self.nodes[..self.len];
        let len = nodes.len() as u32;
        if self.main_len == nodes.len() || !variations {
            for node in nodes {
                node.subtree_end = len;
            }
        } else {
            for (id, node) in nodes.iter_mut().enumerate() {
                node.subtree_end = id as u32 + 1;
            }
            for id in (1..nodes.len()).rev() {
                let node = nodes[id];
                let parent = &mut nodes[node.parent as usize];
                parent.subtree_end = parent.subtree_end.max(node.subtree_end);
            }
        }
        if self.damages.len() > 1 {
            self.damages.sort_by_key(|damage| damage.start);
        }
    }
}
