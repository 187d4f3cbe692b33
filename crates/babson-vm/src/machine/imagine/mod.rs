//! Boards that do not belong to a node: imagined boards (`imagine`, `move … : f`) and saved ones
//! (`saveposition`). See `docs/src/language/imaginary.md`.
//!
//! Imagined boards lie on a stack. Mutations make each of them from the view below it. The board
//! leaves the stack when the filter that imagined it ends. A saved board stays until the end of the
//! game. Its id is greater than the id of any node.

mod changes;
mod pieces;
mod saved;

use babson_chess::{PieceIds, Position, SquareSet};
use bumpalo::collections::Vec as Bumped;

use super::arena::Arena;
use super::mutation::Mutation;
use super::speculate::Candidate;
use super::{Board, Run, View, push};
use changes::BoardThreats;
use saved::SavedBoard;

/// A view in short: enough to find its board again while that is on the stack.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::machine) struct Spot {
    node: u32,
    id: u32,
    depth: u32,
    /// Number of boards on the stack.
    stack: u32,
}

/// A board on the stack.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) struct ImaginedBoard {
    pub(in crate::machine) board: Position,
    /// The view that it was made from.
    pub(in crate::machine) base: Spot,
    ply: i32,
    pub(in crate::machine) number: i32,
    /// Index of its first mutation.
    first: usize,
    /// Computed when a filter asks for them.
    ids: Option<PieceIds>,
    promoted: Option<SquareSet>,
    stamp: u64,
}

/// The boards of a game that are not the board of a node.
pub(in crate::machine) struct ImaginedBoards<'m> {
    pub(in crate::machine) stack: Bumped<'m, ImaginedBoard>,
    /// The mutations of all boards on the stack, one board after the other.
    mutations: Bumped<'m, Mutation>,
    /// The moves that running speculations have still to try.
    pub(in crate::machine) candidates: Bumped<'m, Candidate>,
    saved: Bumped<'m, SavedBoard>,
    /// How many boards have got a stamp.
    stamps: u64,
    /// For each of the first nodes, the pieces that were pawns.
    promoted: Bumped<'m, SquareSet>,
    /// What attacks the king of each color, on the board for which this was last asked; empty until
    /// then.
    threats: &'m mut [BoardThreats],
}

/// The first stamp of an imagined board. Saved boards have stamps from half of it on, and the
/// boards of nodes have smaller stamps.
const STAMPS: u64 = 1 << 33;

impl Spot {
    /// The spot in two registers, without the size of the stack.
    pub(in crate::machine) fn packed(self) -> [u64; 2] {
        [u64::from(self.node) << 32 | u64::from(self.id), u64::from(self.depth)]
    }

    pub(in crate::machine) fn unpacked([place, depth]: [u64; 2]) -> Spot {
        Spot { node: (place >> 32) as u32, id: place as u32, depth: depth as u32, stack: 0 }
    }

    /// Number of the imagined board on the stack, from 1; 0 for a real one.
    pub(in crate::machine) fn depth(self) -> u32 {
        self.depth
    }
}

impl<'m> ImaginedBoards<'m> {
    pub(in crate::machine) fn new(arena: Arena<'m>) -> ImaginedBoards<'m> {
        ImaginedBoards {
            stack: arena.list(),
            mutations: arena.list(),
            candidates: arena.list(),
            saved: arena.list(),
            stamps: 0,
            promoted: arena.list(),
            threats: &mut [],
        }
    }
}

impl<'g> Run<'_, 'g> {
    /// Whether the board in view is the node's own.
    #[inline]
    pub(in crate::machine) fn is_own(&self) -> bool {
        matches!(self.here.board, Board::Own(_))
    }

    /// The first move of the game from the position in view; none from an imagined or saved board.
    #[inline]
    pub(in crate::machine) fn first_move(&self) -> Option<u32> {
        match self.here.board {
            Board::Own(_) => self.first_child(self.here.node),
            Board::Other(_) => None,
        }
    }

    /// The node whose move led to the position in view, unless that is the first position or not
    /// a node's.
    #[inline]
    pub(in crate::machine) fn last_move(&self) -> Option<u32> {
        (self.here.node != 0 && self.is_own()).then_some(self.here.node)
    }

    pub(in crate::machine) fn spot(&self) -> Spot {
        Spot {
            node: self.here.node,
            id: self.here.id,
            depth: self.here.depth,
            stack: self.state.boards.stack.len() as u32,
        }
    }

    /// Pushes the present view, to which [`Run::leave`] returns.
    pub(in crate::machine) fn enter(&mut self) {
        let spot = self.spot();
        if !push(&mut self.state.outer, spot) {
            self.state.overflow();
        }
    }

    pub(in crate::machine) fn leave(&mut self) {
        let Some(spot) = self.state.outer.pop() else {
            return;
        };
        let boards = &mut self.state.boards;
        if let Some(imagined) = boards.stack.get(spot.stack as usize) {
            boards.mutations.truncate(imagined.first);
            boards.stack.truncate(spot.stack as usize);
        }
        self.here = self.at_spot(spot);
    }

    pub(in crate::machine) fn at_spot(&self, spot: Spot) -> View<'g> {
        match spot.depth {
            0 => self.at_position(spot.id),
            depth => self.at_imagined(spot, depth),
        }
    }

    fn at_imagined(&self, spot: Spot, depth: u32) -> View<'g> {
        let imagined = &self.state.boards.stack[depth as usize - 1];
        View {
            node: spot.node,
            id: spot.id,
            depth,
            stamp: imagined.stamp,
            board: Board::Other(imagined.board),
        }
    }

    /// Pushes a board made from the present one by a move, and looks at it.
    pub(in crate::machine) fn enter_board(
        &mut self,
        board: Position,
        ply: i32,
        number: i32,
        by: Mutation,
    ) {
        let first = self.state.boards.mutations.len();
        self.note_mutation(by);
        self.enter_imagined(board, ply, number, first);
    }

    /// Pushes a board made from the present one by the mutations from `first` on, and looks at it.
    fn enter_imagined(&mut self, board: Position, ply: i32, number: i32, first: usize) {
        let base = self.spot();
        self.enter();
        let boards = &mut self.state.boards;
        boards.stamps += 1;
        let stamp = STAMPS + boards.stamps;
        let imagined =
            ImaginedBoard { board, base, ply, number, first, ids: None, promoted: None, stamp };
        if !push(&mut boards.stack, imagined) {
            self.state.overflow();
            return;
        }
        self.here.depth = boards.stack.len() as u32;
        self.here.stamp = stamp;
        self.here.board = Board::Other(board);
    }

    fn note_mutation(&mut self, mutation: Mutation) {
        if !push(&mut self.state.boards.mutations, mutation) {
            self.state.overflow();
        }
    }

    /// `ply`: the number of moves from the initial position to the one in view.
    pub(in crate::machine) fn ply(&self) -> i32 {
        if self.is_own() {
            return i32::from(self.nodes[self.here.node as usize].ply);
        }
        match self.here.depth {
            0 => self.saved(self.here.id).map_or(0, |saved| saved.ply),
            depth => self.state.boards.stack[depth as usize - 1].ply,
        }
    }

    /// `movenumber` at the position in view.
    pub(in crate::machine) fn number(&self) -> i32 {
        match self.here.depth {
            0 => self.number_of(self.here.id),
            depth => self.state.boards.stack[depth as usize - 1].number,
        }
    }

    /// The mutations of the board at this index of the stack.
    pub(in crate::machine) fn mutations_of(&self, index: usize) -> &[Mutation] {
        let boards = &self.state.boards;
        let first = boards.stack[index].first;
        let end = match boards.stack.get(index + 1) {
            Some(next) => next.first,
            None => boards.mutations.len(),
        };
        &boards.mutations[first..end]
    }

    /// The board that an imagined one was made from, and its move number.
    pub(in crate::machine) fn base_of(&self, imagined: &ImaginedBoard) -> (&Position, i32) {
        match imagined.base.depth {
            0 => (self.board_of(imagined.base.id), self.number_of(imagined.base.id)),
            depth => {
                let base = &self.state.boards.stack[depth as usize - 1];
                (&base.board, base.number)
            }
        }
    }
}
