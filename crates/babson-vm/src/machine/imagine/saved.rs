//! Boards that `saveposition` keeps until the end of the game.

use babson_chess::{PieceIds, Position, SquareSet};

use super::super::{Board, Run, Stop, View, push};
use super::STAMPS;
use crate::op::Pc;

/// A board that `saveposition` has saved.
#[derive(Clone, Copy, Debug)]
pub(super) struct SavedBoard {
    node: u32,
    board: Position,
    pub(super) ply: i32,
    number: i32,
    pub(super) ids: PieceIds,
    pub(super) promoted: SquareSet,
}

impl<'g> Run<'_, 'g> {
    /// The saved position with this id.
    pub(super) fn saved(&self, id: u32) -> Option<&SavedBoard> {
        let index = (id as usize).checked_sub(self.nodes.len())?;
        self.state.boards.saved.get(index)
    }

    /// The node of a position; for a saved one the node over which it was imagined.
    #[inline]
    pub(in crate::machine) fn node_of(&self, id: u32) -> u32 {
        if (id as usize) < self.nodes.len() {
            return id;
        }
        self.saved(id).map_or(0, |saved| saved.node)
    }

    /// The board of a position.
    pub(in crate::machine) fn board_of(&self, id: u32) -> &Position {
        match self.saved(id) {
            Some(saved) => &saved.board,
            None => &self.positions[self.node_of(id) as usize],
        }
    }

    /// Whether a position has this id.
    pub(in crate::machine) fn is_position(&self, id: i32) -> bool {
        let count = self.nodes.len() + self.state.boards.saved.len();
        usize::try_from(id).is_ok_and(|id| id < count)
    }

    /// The view of a node or a saved position.
    pub(in crate::machine) fn at_position(&self, id: u32) -> View<'g> {
        match self.saved(id) {
            Some(saved) => View {
                node: saved.node,
                id,
                depth: 0,
                stamp: STAMPS / 2 + u64::from(id),
                board: Board::Other(saved.board),
            },
            None => self.at(self.node_of(id)),
        }
    }

    /// `movenumber` at a node or a saved position.
    pub(in crate::machine) fn number_of(&self, id: u32) -> i32 {
        match self.saved(id) {
            Some(saved) => saved.number,
            None => self.move_number(self.node_of(id)),
        }
    }

    /// `saveposition`: the id of the position in view, which is saved first if it is imagined.
    pub(in crate::machine) fn save_position(&mut self, pc: Pc) -> Result<u32, Stop> {
        if self.here.depth == 0 {
            return Ok(self.here.id);
        }
        let count = self.state.boards.saved.len();
        let id = self.nodes.len() + count;
        if (count + 1) * size_of::<SavedBoard>() > self.state.memory || id > i32::MAX as usize {
            let message = "the query saved too many positions".to_owned();
            return self.stop(pc, "saveposition", message, false);
        }
        let saved = SavedBoard {
            node: self.here.node,
            board: *self.here.board,
            ply: self.ply(),
            number: self.number(),
            ids: *self.piece_ids(),
            promoted: self.promoted_pieces(),
        };
        if !push(&mut self.state.boards.saved, saved) {
            return self.out_of_memory(pc);
        }
        Ok(id as u32)
    }
}
