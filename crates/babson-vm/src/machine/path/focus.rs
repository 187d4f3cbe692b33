//! The pieces whose moves a path counts; other moves are skipped.

use babson_chess::{Color, Square};

use super::super::Run;
use super::super::dash::{MOVER, ROOK};
use crate::op::FocusSpec;

/// The focus of one search.
#[derive(Clone, Copy, Debug)]
pub(super) enum InFocus {
    All,
    Side(Color),
    Pieces {
        /// Where they stand at the start.
        squares: u64,
        /// Bit set of their identities.
        ids: [u64; 4],
        /// Their captures count too.
        capture: bool,
    },
}

impl InFocus {
    /// Whether no move can be in focus.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, InFocus::Pieces { ids, .. } if *ids == [0; 4])
    }

    /// Whether [`Run::focused`] needs the identities at the head of the move.
    pub(super) fn asks_for_identities(&self) -> bool {
        matches!(self, InFocus::Pieces { .. })
    }

    /// Whether moves out of focus are skipped.
    pub(super) fn passes(&self) -> bool {
        !matches!(self, InFocus::All)
    }
}

impl Run<'_, '_> {
    /// The focus of a path that starts at the current position.
    pub(super) fn in_focus(&mut self, spec: FocusSpec) -> InFocus {
        match spec {
            FocusSpec::All => InFocus::All,
            FocusSpec::SideToMove => InFocus::Side(self.here.board.side()),
            FocusSpec::Pieces { set, capture } => {
                let squares = self.state.registers[set] & self.here.board.occupied().0;
                let mut ids = [0; 4];
                if squares != 0 {
                    let table = *self.piece_ids();
                    let mut left = squares;
                    while left != 0 {
                        let square = Square::from_index(left.trailing_zeros() as usize);
                        if let Some(id) = table.id_at(square) {
                            ids[usize::from(id >> 6)] |= 1 << (id & 63);
                        }
                        left &= left - 1;
                    }
                }
                InFocus::Pieces { squares, ids, capture }
            }
        }
    }

    /// The parts of the move that led to `tail` that are in focus: 0 if it is not.
    #[inline]
    pub(super) fn focused(&self, focus: &InFocus, tail: u32) -> u64 {
        let head = self.nodes[tail as usize].parent;
        match focus {
            InFocus::All => MOVER | ROOK,
            InFocus::Side(side) if self.positions[head as usize].side() == *side => MOVER | ROOK,
            InFocus::Side(_) => 0,
            InFocus::Pieces { ids, capture, .. } => {
                let table = &self.state.piece_ids[head as usize];
                let holds = |square: Option<Square>| {
                    square
                        .and_then(|square| table.id_at(square))
                        .is_some_and(|id| ids[usize::from(id >> 6)] >> (id & 63) & 1 == 1)
                };
                let mut parts = 0;
                if holds(self.origin(tail).single()) {
                    parts |= MOVER;
                }
                if holds(self.nodes[tail as usize].mv.rook_from()) {
                    parts |= ROOK;
                }
                if *capture && holds(self.capture(tail).single()) {
                    parts |= MOVER;
                }
                parts
            }
        }
    }
}
