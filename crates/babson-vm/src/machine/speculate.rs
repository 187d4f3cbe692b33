//! Speculative moves, `move … : f` (`docs/src/language/imaginary.md`), and a plain `move` over
//! generated moves.

use std::ops::ControlFlow;

use babson_chess::movegen::{self, MoveSelection};
use babson_chess::retro::{ReverseMove, ReverseSpecial, reverse};
use babson_chess::{Color, Move, Position, SquareSet};
use babson_lang::hir::{CastlingKind, MoveResult, MoveSource};

use super::follow::victim;
use super::mutation::Mutation;
use super::{Run, Stop, push};
use crate::op::{Id, MoveSpec, OptionalRegister, Pc, Register};

/// A move to try.
#[derive(Clone, Copy, Debug)]
pub(super) enum Candidate {
    /// A move of the game, by the node that it leads to.
    Played(u32),
    Move(Move),
    Back(ReverseMove),
}

fn is_castle(wanted: Option<CastlingKind>, king_side: bool, queen_side: bool) -> bool {
    match wanted {
        None => true,
        Some(CastlingKind::KingSide) => king_side,
        Some(CastlingKind::QueenSide) => queen_side,
        Some(CastlingKind::Either) => king_side || queen_side,
    }
}

/// The origin, the destination and the captured piece of a move.
struct MoveSquares {
    from: SquareSet,
    to: SquareSet,
    capture: SquareSet,
}

/// Returns the squares of a move on the board. A null move goes from the square of the king to that
/// square.
fn squares_of(board: &Position, mv: Move) -> MoveSquares {
    if mv.is_null() {
        let king = board.king(board.side());
        let king = king.map_or(SquareSet::EMPTY, SquareSet::of);
        return MoveSquares { from: king, to: king, capture: SquareSet::EMPTY };
    }
    let capture = match mv.en_passant_victim() {
        Some(victim) => SquareSet::of(victim),
        None if mv.is_castling() => SquareSet::EMPTY,
        None => SquareSet::of(mv.to()) & board.occupied(),
    };
    MoveSquares { from: mv.from().into(), to: mv.to().into(), capture }
}

fn squares_back(mv: &ReverseMove) -> MoveSquares {
    MoveSquares {
        from: mv.from.into(),
        to: mv.to.into(),
        capture: match mv.captured {
            Some(_) => victim(mv).into(),
            None => SquareSet::EMPTY,
        },
    }
}

impl Run<'_, '_> {
    fn fits_squares(&self, spec: &MoveSpec, squares: &MoveSquares) -> bool {
        let holds = |register: OptionalRegister, found: SquareSet| {
            self.optional(register).is_none_or(|wanted| wanted & found.0 != 0)
        };
        holds(spec.from, squares.from)
            && holds(spec.to, squares.to)
            && holds(spec.capture, squares.capture)
    }

    fn fits_move(&self, spec: &MoveSpec, board: &Position, mv: Move) -> bool {
        let victim = mv.en_passant_victim();
        (!spec.en_passant || victim.is_some())
            && self.optional(spec.en_passant_square).is_none_or(|wanted| {
                victim.is_some_and(|square| SquareSet(wanted).contains(square))
            })
            && (!spec.promoting
                || mv.promotion().is_some_and(|kind| spec.promote >> kind.index() & 1 != 0))
            && is_castle(spec.castle, mv.is_king_side(), mv.is_queen_side())
            && (!spec.drop || mv.dropped().is_some())
            && self.fits_squares(spec, &squares_of(board, mv))
    }

    fn fits_back(&self, spec: &MoveSpec, mv: &ReverseMove) -> bool {
        let en_passant = mv.special == ReverseSpecial::EnPassant;
        let special = mv.special;
        (!spec.en_passant || en_passant)
            && self
                .optional(spec.en_passant_square)
                .is_none_or(|wanted| en_passant && SquareSet(wanted).contains(victim(mv)))
            && (!spec.promoting
                || matches!(special, ReverseSpecial::Promotion(kind)
                    if spec.promote >> kind.index() & 1 != 0))
            && is_castle(
                spec.castle,
                special == ReverseSpecial::Castling(babson_chess::CastlingSide::King),
                special == ReverseSpecial::Castling(babson_chess::CastlingSide::Queen),
            )
            && self.fits_squares(spec, &squares_back(mv))
    }

    /// Calls `f` with each move that the parameters select.
    fn each_candidate(&self, spec: &MoveSpec, f: &mut impl FnMut(Candidate)) {
        let board = &*self.here.board;
        let rules = self.game.rules();
        match spec.source {
            MoveSource::Previous => {}
            MoveSource::Played => {
                let mut next = self.first_move();
                while let Some(child) = next {
                    if self.fits(spec, child) {
                        f(Candidate::Played(child));
                    }
                    next = self.next_sibling(child);
                }
            }
            MoveSource::Legal | MoveSource::Pseudolegal => {
                let legal = spec.source == MoveSource::Legal;
                if spec.null {
                    // A king in check may pass too, as the golden `cqli-null-move-twice` shows.
                    let has_king = board.king(board.side()).is_some();
                    if has_king && self.fits_move(spec, board, Move::NULL) {
                        f(Candidate::Move(Move::NULL));
                    }
                    return;
                }
                let wanted = MoveSelection {
                    legal,
                    from: SquareSet(self.operand(spec.from)),
                    to: SquareSet(self.operand(spec.to)),
                };
                movegen::each(board, rules, wanted, &mut |mv| {
                    if self.fits_move(spec, board, mv) {
                        f(Candidate::Move(mv));
                    }
                });
            }
            MoveSource::LegalReverse | MoveSource::PseudolegalReverse => {
                let legal = spec.source == MoveSource::LegalReverse;
                let _ = reverse::each(board, legal, &mut |mv| {
                    if self.fits_back(spec, &mv) {
                        f(Candidate::Back(mv));
                    }
                    ControlFlow::Continue(())
                });
            }
        }
    }

    fn gathered(&self, result: MoveResult, value: u64, candidate: Candidate) -> u64 {
        let squares = match (result, candidate) {
            (MoveResult::Bool, _) => return 1,
            (MoveResult::Count, _) => return value + 1,
            (_, Candidate::Played(node)) => MoveSquares {
                from: self.origin(node),
                to: self.destination(node),
                capture: self.capture(node),
            },
            (_, Candidate::Move(mv)) => squares_of(&self.here.board, mv),
            (_, Candidate::Back(mv)) => squares_back(&mv),
        };
        value
            | match result {
                MoveResult::From => squares.from.0,
                MoveResult::To => squares.to.0,
                MoveResult::Capture | MoveResult::Bool | MoveResult::Count => squares.capture.0,
            }
    }

    /// The value of a plain filter over generated moves.
    pub(super) fn generated(&self, spec: &MoveSpec) -> u64 {
        let mut value = 0;
        self.each_candidate(spec, &mut |found| {
            value = self.gathered(spec.result, value, found);
        });
        value
    }

    /// Collects the moves to try. Registers from `cursor`: the next one, their end, their
    /// beginning.
    pub(super) fn speculate(&mut self, spec: Id<MoveSpec>, cursor: Register) {
        let spec = self.program.code.moves[spec];
        let none = self.state.arena.list();
        let mut list = std::mem::replace(&mut self.state.boards.candidates, none);
        let start = list.len();
        let mut fits = true;
        self.each_candidate(&spec, &mut |found| fits &= push(&mut list, found));
        let end = list.len();
        self.state.boards.candidates = list;
        if !fits {
            self.state.overflow();
        }
        self.state.registers[cursor] = start as u64;
        self.state.registers[cursor + 1] = end as u64;
        self.state.registers[cursor + 2] = start as u64;
        self.state.registers[spec.dst] = 0;
    }

    /// Ends a speculation.
    pub(super) fn speculate_end(&mut self, cursor: Register) {
        let start = self.state.registers[cursor + 2];
        self.state.boards.candidates.truncate(start as usize);
    }

    /// Makes the next move, with `check` the next that gives check; false if there is none.
    pub(super) fn speculate_next(
        &mut self,
        pc: Pc,
        cursor: Register,
        check: bool,
    ) -> Result<bool, Stop> {
        loop {
            self.step(pc)?;
            let next = self.state.registers[cursor];
            if next >= self.state.registers[cursor + 1] {
                self.speculate_end(cursor);
                return Ok(false);
            }
            self.state.registers[cursor] = next + 1;
            let Some(&candidate) = self.state.boards.candidates.get(next as usize) else {
                return Ok(false);
            };
            let board = self.board_after(candidate);
            if !check || board.in_check() {
                self.try_move(candidate, board);
                return Ok(true);
            }
        }
    }

    fn board_after(&self, candidate: Candidate) -> Position {
        match candidate {
            Candidate::Played(node) => self.positions[node as usize],
            Candidate::Move(mv) => self.here.board.make(mv, self.game.rules()),
            Candidate::Back(mv) => mv.predecessor(&self.here.board),
        }
    }

    /// Enters the board after a move.
    fn try_move(&mut self, candidate: Candidate, board: Position) {
        let (ply, number) = (self.ply(), self.number());
        let after = number + i32::from(self.here.board.side() == Color::Black);
        match candidate {
            Candidate::Played(node) => {
                let mutation = Mutation::Move(self.nodes[node as usize].mv);
                self.enter_board(board, ply + 1, after, mutation);
            }
            Candidate::Move(mv) => self.enter_board(board, ply + 1, after, Mutation::Move(mv)),
            Candidate::Back(mv) => {
                let before = number - i32::from(board.side() == Color::Black);
                self.enter_board(board, ply - 1, before, Mutation::Back(mv));
            }
        }
    }

    /// Handles a match of the filter after the last move.
    pub(super) fn speculate_hit(&mut self, spec: Id<MoveSpec>, cursor: Register) {
        let spec = &self.program.code.moves[spec];
        let (result, dst) = (spec.result, spec.dst);
        let last = self.state.registers[cursor].saturating_sub(1);
        let Some(&candidate) = self.state.boards.candidates.get(last as usize) else {
            return;
        };
        self.state.registers[dst] = self.gathered(result, self.state.registers[dst], candidate);
    }
}
