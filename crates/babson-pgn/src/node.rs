//! A node of the game tree.

use babson_chess::Move;

/// A node of the game tree, in 16 bytes. Its id is its index. Ids are in preorder: the subtree of
/// the main continuation comes before the variations.
///
/// The first child of node `i` is always `i + 1`; the next sibling is at `subtree_end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Node {
    /// The id of the position before the move; 0 for the root.
    pub parent: u32,
    /// One more than the id of the last descendant, or of the node itself if it has none.
    pub subtree_end: u32,
    /// The move that led here; the null move at the root.
    pub mv: Move,
    /// How many moves on the path from the root begin a variation.
    pub depth: u16,
    /// 0 for the main continuation of the parent, 1 for the first variation, …
    pub sibling: u16,
    /// The number of plies from the root.
    pub ply: u16,
}

impl Node {
    pub(crate) const ROOT: Node =
        Node { parent: 0, subtree_end: 1, mv: Move::NULL, depth: 0, sibling: 0, ply: 0 };
}
