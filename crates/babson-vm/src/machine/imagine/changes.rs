//! What `imagine` changes on a board.

use babson_chess::{CastlingRights, CastlingSide, Color, Kind, KingThreats};
use babson_chess::{Position, Rules, Square, SquareSet};

use super::super::follow::{LAST_ID, swapped};
use super::super::mutation::Mutation;
use super::super::{Board, Run};
use super::STAMPS;
use crate::op::{Alteration, Id, ImagineSpec, Place, Register};

/// What attacks a king on one board.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardThreats {
    /// The stamp of the board.
    stamp: u64,
    threats: Option<KingThreats>,
}

/// The stamp of no board.
const NO_STAMP: u64 = u64::MAX;

impl Default for BoardThreats {
    fn default() -> BoardThreats {
        BoardThreats { stamp: NO_STAMP, threats: None }
    }
}

impl Run<'_, '_> {
    /// Enters the board of an `imagine` with its first changes. If its filter certainly fails,
    /// enters nothing and returns false.
    #[inline(never)]
    pub(in crate::machine) fn imagine(&mut self, spec: Id<ImagineSpec>) -> bool {
        let program = self.program;
        let spec = &program.code.imagined[spec];
        if spec.check && !self.comes_to_check(&spec.changes) {
            return false;
        }
        let mut board = *self.here.board;
        let first = self.state.boards.mutations.len();
        let mut changed = false;
        for &change in &spec.changes {
            changed |= self.alter(&mut board, change);
        }
        if changed {
            board.refresh();
        }
        let (ply, number) = (self.ply(), self.number());
        self.enter_imagined(board, ply, number, first);
        true
    }

    /// Whether the side to move is in check after the changes. Only the squares of the pieces
    /// matter.
    fn comes_to_check(&mut self, changes: &[Alteration]) -> bool {
        if let Some(check) = self.exchange_gives_check(changes) {
            return check;
        }
        let mut board = *self.here.board;
        for change in changes {
            match *change {
                Alteration::Place(place, piece) => {
                    for square in self.squares_at(place) {
                        board.put(square, piece);
                    }
                }
                Alteration::Swap([one, other]) => {
                    let (one, other) = (self.squares_at(one), self.squares_at(other));
                    if let (Some(a), Some(b)) = (one.single(), other.single()) {
                        board.exchange(a, b);
                    }
                }
                Alteration::Turn(side) => board.turn(side.unwrap_or(board.side().not())),
            }
        }
        board.is_attacked_king(board.side())
    }

    /// [`Run::comes_to_check`] without a changed board, if the changes are one exchange of two
    /// pieces and perhaps the side to move.
    fn exchange_gives_check(&mut self, changes: &[Alteration]) -> Option<bool> {
        let mut side = self.here.board.side();
        let mut exchange = None;
        for change in changes {
            match *change {
                Alteration::Swap(places) if exchange.is_none() => exchange = Some(places),
                Alteration::Turn(to) => side = to.unwrap_or(side.not()),
                Alteration::Swap(_) | Alteration::Place(..) => return None,
            }
        }
        let [a, b] = exchange?;
        let (a, b) = (self.squares_at(a).single()?, self.squares_at(b).single()?);
        let threats = &mut self.state.boards.threats;
        if threats.is_empty() {
            *threats = self.state.arena.slice(2, BoardThreats::default());
        }
        let known = &mut threats[side.index()];
        if known.stamp != self.here.stamp {
            let threats = self.here.board.king_threats(side);
            *known = BoardThreats { stamp: self.here.stamp, threats };
        }
        known.threats.as_ref()?.after_exchange(&self.here.board, a, b)
    }

    /// Changes the board on top of the stack.
    pub(in crate::machine) fn change(&mut self, change: Alteration) {
        let mut board = *self.here.board;
        if !self.alter(&mut board, change) {
            return;
        }
        board.refresh();
        let boards = &mut self.state.boards;
        let Some(imagined) = boards.stack.last_mut() else {
            return;
        };
        boards.stamps += 1;
        imagined.stamp = STAMPS + boards.stamps;
        (imagined.ids, imagined.promoted) = (None, None);
        imagined.board = board;
        self.here.stamp = imagined.stamp;
        self.here.board = Board::Other(board);
    }

    /// Changes a board and notes the mutation; false if that changes nothing. The caller has to
    /// [refresh](Position::refresh) the board.
    fn alter(&mut self, board: &mut Position, change: Alteration) -> bool {
        let turn = board.side();
        let touched = match change {
            Alteration::Place(place, piece) => {
                let squares = self.squares_at(place);
                let mut joined = false;
                for square in squares {
                    let old = board.piece_at(square);
                    if old.is_none() && piece.is_none() {
                        continue;
                    }
                    let mutation = Mutation::Place { square, new: piece, old, joined };
                    joined = true;
                    self.note_mutation(mutation);
                    board.put(square, piece);
                }
                if !joined {
                    return false;
                }
                squares
            }
            Alteration::Swap(places) => {
                let [one, other] = places;
                let (one, other) = (self.squares_at(one), self.squares_at(other));
                let (Some(a), Some(b)) = (one.single(), other.single()) else {
                    return false;
                };
                let (on_a, on_b) = (board.piece_at(a), board.piece_at(b));
                if a == b || on_a.is_none() && on_b.is_none() {
                    return false;
                }
                let mutation = Mutation::Swap([(a, on_a), (b, on_b)]);
                self.note_mutation(mutation);
                let marked = swapped(board.promoted(), a, b);
                board.exchange(a, b);
                board.set_promoted(marked);
                one | other
            }
            Alteration::Turn(side) => {
                let new = side.unwrap_or(turn.not());
                if new == turn {
                    return false;
                }
                self.note_mutation(Mutation::Side(new));
                board.turn(new);
                SquareSet::EMPTY
            }
        };
        if let Some(passed) = board.ep() {
            let pawn = Square::at(passed.file(), turn.relative_rank(4));
            if board.side() != turn || touched.contains(passed) || touched.contains(pawn) {
                board.set_ep(None);
            }
        }
        let rights = board.castling();
        if rights != CastlingRights::NONE {
            let left = remaining_rights(board, self.game.rules());
            if left != rights {
                board.set_castling(left);
            }
        }
        true
    }

    /// The squares of a place on the board in view.
    #[inline(always)]
    fn squares_at(&mut self, place: Place) -> SquareSet {
        match place {
            Place::Set(register) => SquareSet(self.state.registers[register]),
            Place::Piece(var) => self.squares_of_piece(var),
            Place::LoopPiece { var, current } => {
                let piece = self.state.registers[var] as u8;
                // All identities after `LAST_ID` are equal.
                if self.state.registers[current + 1] == self.here.stamp && piece < LAST_ID {
                    SquareSet(self.state.registers[current])
                } else {
                    self.squares_of_piece(var)
                }
            }
        }
    }

    #[inline(never)]
    fn squares_of_piece(&mut self, var: Register) -> SquareSet {
        let piece = self.state.registers[var] as u8;
        let square = self.square_of(piece);
        square.map_or(SquareSet::EMPTY, SquareSet::of)
    }
}

/// The castling rights whose king and rook still stand at home.
fn remaining_rights(board: &Position, rules: &Rules) -> CastlingRights {
    let mut rights = board.castling();
    for color in Color::ALL {
        let home = SquareSet::rank(color.back_rank());
        let home = if rules.chess960 { home } else { home & SquareSet::file(4) };
        let king = board.pieces(color, Kind::King).intersects(home);
        for side in CastlingSide::ALL {
            let rook = rules.rook(color, side);
            if !king || !board.pieces(color, Kind::Rook).contains(rook) {
                rights = rights.without(CastlingRights::of(color, side));
            }
        }
    }
    rights
}
