//! The game tree, as far as the query may see it.

use babson_chess::{Color, Kind, Move, Numbering, PieceIds, Position, Square, SquareSet};
use babson_lang::hir::CastlingKind;

use super::follow::LAST_ID;
use super::{Board, Run, View};
use crate::program::ProgramData;

/// The move number of the initial position.
pub(super) fn first_move_number(program: &ProgramData, start: &Position) -> i32 {
    if program.dialect.movenumber_from_fen { start.full_moves() as i32 } else { 1 }
}

impl<'g> Run<'_, 'g> {
    #[inline]
    pub(super) fn subtree_end(&self, node: u32) -> u32 {
        self.nodes[node as usize].subtree_end.min(self.nodes.len() as u32)
    }

    #[inline]
    pub(super) fn has_children(&self, node: u32) -> bool {
        self.subtree_end(node) > node + 1
    }

    pub(super) fn first_child(&self, node: u32) -> Option<u32> {
        self.has_children(node).then_some(node + 1)
    }

    pub(super) fn next_sibling(&self, node: u32) -> Option<u32> {
        let next = self.subtree_end(node);
        let found = self.nodes.get(next as usize)?;
        (node != 0 && found.parent == self.nodes[node as usize].parent).then_some(next)
    }

    pub(super) fn parent(&self, node: u32) -> Option<u32> {
        (node != 0).then(|| self.nodes[node as usize].parent)
    }

    pub(super) fn is_secondary(&self, node: u32) -> bool {
        self.nodes[node as usize].sibling > 0
    }

    #[inline]
    pub(super) fn at(&self, node: u32) -> View<'g> {
        View {
            node,
            id: node,
            depth: 0,
            stamp: u64::from(node),
            board: Board::Own(&self.positions[node as usize]),
        }
    }

    /// Whether `upper` is `lower` or one of its ancestors.
    pub(super) fn contains(&self, upper: u32, lower: u32) -> bool {
        upper <= lower && lower < self.subtree_end(upper)
    }

    pub(super) fn common_ancestor(&self, a: u32, b: u32) -> u32 {
        let mut upper = a;
        while !self.contains(upper, b) {
            upper = self.nodes[upper as usize].parent;
        }
        upper
    }

    pub(super) fn distance(&self, a: u32, b: u32) -> i32 {
        let ply = |node: u32| i32::from(self.nodes[node as usize].ply);
        ply(a) + ply(b) - 2 * ply(self.common_ancestor(a, b))
    }

    pub(super) fn move_number(&self, node: u32) -> i32 {
        let ply = i32::from(self.nodes[node as usize].ply);
        let black_first = i32::from(self.positions[0].side() == Color::Black);
        first_move_number(self.program, &self.positions[0]) + (ply + black_first) / 2
    }

    /// The castling side of the move that led to the node.
    pub(super) fn is_castling(&self, node: u32, castle: CastlingKind) -> bool {
        let mv = self.nodes[node as usize].mv;
        node != 0
            && match castle {
                CastlingKind::KingSide => mv.is_king_side(),
                CastlingKind::QueenSide => mv.is_queen_side(),
                CastlingKind::Either => mv.is_castling(),
            }
    }

    /// The king's square, for a null move.
    fn passing_king(&self, node: u32) -> SquareSet {
        let before = &self.positions[self.nodes[node as usize].parent as usize];
        before.king(before.side()).map_or(SquareSet::EMPTY, SquareSet::of)
    }

    /// Origin of the move that led to the node; in castling only the king's.
    pub(super) fn origin(&self, node: u32) -> SquareSet {
        self.end_of_move(node, Move::from)
    }

    /// Destination of the move that led to the node; in castling only the king's.
    pub(super) fn destination(&self, node: u32) -> SquareSet {
        self.end_of_move(node, Move::to)
    }

    #[inline]
    fn end_of_move(&self, node: u32, end: impl Fn(Move) -> Square) -> SquareSet {
        let mv = self.nodes[node as usize].mv;
        if node == 0 {
            SquareSet::EMPTY
        } else if mv.is_null() {
            self.passing_king(node)
        } else {
            end(mv).into()
        }
    }

    /// `from`: the rook's origin too.
    pub(super) fn origins(&self, node: u32) -> SquareSet {
        let rook = if node == 0 { None } else { self.nodes[node as usize].mv.rook_from() };
        self.origin(node) | rook.map_or(SquareSet::EMPTY, SquareSet::of)
    }

    /// `to`: the rook's destination too.
    pub(super) fn destinations(&self, node: u32) -> SquareSet {
        let rook = if node == 0 { None } else { self.nodes[node as usize].mv.rook_to() };
        self.destination(node) | rook.map_or(SquareSet::EMPTY, SquareSet::of)
    }

    /// The square of the piece that the move captured.
    pub(super) fn capture(&self, node: u32) -> SquareSet {
        let mv = self.nodes[node as usize].mv;
        if node == 0 || mv.is_null() || mv.is_castling() {
            return SquareSet::EMPTY;
        }
        if let Some(victim) = mv.en_passant_victim() {
            return victim.into();
        }
        let before = &self.positions[self.nodes[node as usize].parent as usize];
        SquareSet::of(mv.to()) & before.occupied()
    }

    pub(super) fn en_passant_victim(&self, node: u32) -> SquareSet {
        let victim =
            if node == 0 { None } else { self.nodes[node as usize].mv.en_passant_victim() };
        victim.map_or(SquareSet::EMPTY, SquareSet::of)
    }

    /// The square that the move to this node crossed, if it was a double push.
    pub(super) fn passed_over(&self, node: u32) -> Option<Square> {
        if node == 0 {
            return None;
        }
        let mv = self.nodes[node as usize].mv;
        if mv.is_null() || mv.is_castling() || mv.promotion().is_some() {
            return None;
        }
        let (from, to) = (mv.from(), mv.to());
        let board = &self.positions[node as usize];
        (from.rank().abs_diff(to.rank()) == 2 && board.kind(Kind::Pawn).contains(to))
            .then(|| Square::at(from.file(), (from.rank() + to.rank()) / 2))
    }

    /// The squares on which a move of this line has ended. Looks at the moves after the node of the
    /// last call, if that node is on the line: usually it is the parent.
    pub(super) fn touched(&self, node: u32) -> SquareSet {
        let (known, before) = self.touched.get();
        let mut touched = SquareSet::EMPTY;
        let mut at = node;
        while at != known && at != 0 {
            if !self.nodes[at as usize].mv.is_null() {
                touched |= self.destinations(at);
            }
            at = self.nodes[at as usize].parent;
        }
        if at == known {
            touched |= before;
        }
        self.touched.set((node, touched));
        touched
    }

    pub(super) fn is_virtual_main_line(&self, node: u32) -> bool {
        let mut at = node;
        while at != 0 {
            let found = &self.nodes[at as usize];
            let by_white = self.positions[at as usize].side() == Color::Black;
            if found.mv.is_null() || (found.sibling > 0 && by_white) {
                return false;
            }
            at = found.parent;
        }
        true
    }

    /// Whether exactly one move of the line is an alternative of White's.
    pub(super) fn is_try(&self, node: u32) -> bool {
        let mut count = 0;
        let mut at = node;
        while at != 0 {
            let found = &self.nodes[at as usize];
            let by_white = self.positions[at as usize].side() == Color::Black;
            count += u32::from(found.sibling > 0 && by_white);
            at = found.parent;
        }
        count == 1
    }

    /// Returns the identities of the pieces at the current position. For a node, the first filter
    /// that needs them computes them.
    #[inline]
    pub(super) fn piece_ids(&mut self) -> &PieceIds {
        if self.is_own() { self.ids_of_node(self.here.node) } else { self.other_ids() }
    }

    /// Where the piece of this identity stands at the current position. Looks first at the square
    /// where it was last found.
    #[inline]
    pub(super) fn square_of(&mut self, piece: u8) -> Option<Square> {
        let seen = self.state.carryover.square_hints[usize::from(piece)];
        let ids = self.piece_ids();
        // All identities after `LAST_ID` are equal.
        if piece < LAST_ID && ids.id_at(seen) == Some(piece) {
            return Some(seen);
        }
        let square = ids.square_of(piece)?;
        self.state.carryover.square_hints[usize::from(piece)] = square;
        Some(square)
    }

    /// The identities at a node.
    #[inline]
    pub(super) fn ids_of_node(&mut self, node: u32) -> &PieceIds {
        self.number_pieces(node);
        &self.state.piece_ids[node as usize]
    }

    /// Makes the identities up to this node.
    #[inline]
    pub(super) fn number_pieces(&mut self, last: u32) {
        let known = self.state.piece_ids.len();
        if known <= last as usize {
            self.number_more(known, last as usize);
        }
    }

    fn number_more(&mut self, known: usize, last: usize) {
        if known == 0 {
            let numbering = if self.program.dialect.piece_ids_in_fen_order {
                Numbering::Fen
            } else {
                Numbering::A1
            };
            self.state.piece_ids = self.state.arena.sized_list(self.nodes.len());
            self.state.piece_ids.push(PieceIds::new(&self.positions[0], numbering));
        }
        let fresh = known.max(1)..=last;
        let positions = &self.positions[fresh.clone()];
        for (node, next) in self.nodes[fresh].iter().zip(positions) {
            let before = self.state.piece_ids[node.parent as usize];
            self.state.piece_ids.push(before.after(node.mv, next));
        }
    }
}
