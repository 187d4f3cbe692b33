//! The pieces of imagined and saved boards: their identities, and which of them were pawns.

use babson_chess::{PieceIds, SquareSet};

use super::super::Run;
use super::super::follow::{follow_ids, follow_promoted};
use super::super::mutation::Mutation;
use super::Spot;

const NO_IDS: PieceIds = PieceIds::EMPTY;

impl Run<'_, '_> {
    /// The identities on an imagined or saved board.
    pub(in crate::machine) fn other_ids(&mut self) -> &PieceIds {
        match self.here.depth {
            0 => {
                let index = self.here.id as usize - self.nodes.len();
                &self.state.boards.saved[index].ids
            }
            depth => {
                self.find_ids(depth);
                let imagined = &mut self.state.boards.stack[depth as usize - 1];
                imagined.ids.get_or_insert(NO_IDS)
            }
        }
    }

    fn ids_of(&mut self, spot: Spot) -> PieceIds {
        if spot.depth > 0 {
            self.find_ids(spot.depth);
            return self.state.boards.stack[spot.depth as usize - 1].ids.unwrap_or(NO_IDS);
        }
        match self.saved(spot.id) {
            Some(saved) => saved.ids,
            None => *self.ids_of_node(spot.id),
        }
    }

    fn find_ids(&mut self, depth: u32) {
        let index = depth as usize - 1;
        let imagined = self.state.boards.stack[index];
        if imagined.ids.is_some() {
            return;
        }
        let mut ids = self.ids_of(imagined.base);
        let count = self.positions[0].occupied().len() as u8;
        for mutation in self.mutations_of(index) {
            follow_ids(&mut ids, mutation, &imagined.board, count);
        }
        self.state.boards.stack[index].ids = Some(ids);
    }

    /// `promotedpieces`
    pub(in crate::machine) fn promoted_pieces(&mut self) -> SquareSet {
        let spot = self.spot();
        self.promoted_of(spot)
    }

    fn promoted_of(&mut self, spot: Spot) -> SquareSet {
        if spot.depth == 0 {
            return match self.saved(spot.id) {
                Some(saved) => saved.promoted,
                None => self.promoted_at(spot.id),
            };
        }
        let index = spot.depth as usize - 1;
        let imagined = self.state.boards.stack[index];
        if let Some(known) = imagined.promoted {
            return known;
        }
        let mut promoted = self.promoted_of(imagined.base);
        for mutation in self.mutations_of(index) {
            promoted = follow_promoted(promoted, mutation, &imagined.board);
        }
        self.state.boards.stack[index].promoted = Some(promoted);
        promoted
    }

    fn promoted_at(&mut self, node: u32) -> SquareSet {
        let list = &mut self.state.boards.promoted;
        if list.is_empty() {
            *list = self.state.arena.sized_list(self.nodes.len());
            // What the FEN marks (Crazyhouse).
            list.push(self.positions[0].promoted());
        }
        for at in list.len()..=node as usize {
            let found = &self.nodes[at];
            let mutation = Mutation::Move(found.mv);
            let before = list[found.parent as usize];
            list.push(follow_promoted(before, &mutation, &self.positions[at]));
        }
        list[node as usize]
    }
}
