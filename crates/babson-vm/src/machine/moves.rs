//! `move`: played, previous, legal and pseudolegal.

use babson_chess::movegen::{self, MoveSelection};
use babson_chess::{CastlingRights, Move, Position, Square, SquareSet};
use babson_lang::hir::{MoveResult, MoveSource};

use super::{NO_TIE, Run};
use crate::filters::fen::home_rights;
use crate::filters::legal6::{Moves, PairMoveKind};
use crate::op::{Id, MoveSpec, OptionalRegister, Register};

impl Run<'_, '_> {
    /// The word of the register, if the operand has one.
    #[inline(always)]
    pub(super) fn optional(&self, register: OptionalRegister) -> Option<u64> {
        register.get().map(|register| self.state.registers[register])
    }

    pub(super) fn operand(&self, register: OptionalRegister) -> u64 {
        self.optional(register).unwrap_or(!0)
    }

    /// Whether the move that led to `node` has all that the filter asks for.
    pub(super) fn fits(&self, spec: &MoveSpec, node: u32) -> bool {
        if node == 0 {
            return false;
        }
        let found = &self.nodes[node as usize];
        let mv = found.mv;
        let castling = || spec.castle.is_none_or(|castle| self.is_castling(node, castle));
        (!spec.primary || found.sibling == 0)
            && (!spec.secondary || found.sibling > 0)
            && (!spec.null || mv.is_null())
            && (!spec.drop || mv.dropped().is_some())
            && (!spec.en_passant || mv.is_en_passant())
            && (!spec.promoting
                || mv.promotion().is_some_and(|kind| spec.promote >> kind.index() & 1 != 0))
            && castling()
            && self.operand(spec.from) & self.origin(node).0 != 0
            && self.operand(spec.to) & self.destination(node).0 != 0
            && (spec.capture.is_none() || self.operand(spec.capture) & self.capture(node).0 != 0)
            && (spec.en_passant_square.is_none()
                || self.operand(spec.en_passant_square) & self.en_passant_victim(node).0 != 0)
    }

    fn accumulate(&mut self, spec: &MoveSpec, node: u32) {
        let squares = match spec.result {
            MoveResult::Bool => 1,
            MoveResult::From => self.origin(node).0,
            MoveResult::To => self.destination(node).0,
            MoveResult::Capture => self.capture(node).0,
            MoveResult::Count => {
                let sum = self.state.registers[spec.dst] + 1;
                self.state.registers[spec.dst] = sum;
                return;
            }
        };
        self.state.registers[spec.dst] |= squares;
    }

    /// Evaluates the whole filter, if it writes no comments; whether it matched.
    pub(super) fn move_filter(&mut self, spec: Id<MoveSpec>) -> bool {
        let program = self.program;
        let spec = &program.code.moves[spec];
        self.state.registers[spec.dst] = 0;
        match spec.source {
            MoveSource::Played => {
                let mut next = self.move_start(spec);
                while let Some(child) = next {
                    if self.fits(spec, child) {
                        self.accumulate(spec, child);
                        if spec.result == MoveResult::Bool {
                            return true;
                        }
                    }
                    next = self.move_after(spec, child);
                }
            }
            MoveSource::Previous => {
                if let Some(node) = self.last_move()
                    && self.fits(spec, node)
                {
                    self.accumulate(spec, node);
                }
            }
            MoveSource::Legal
            | MoveSource::Pseudolegal
            | MoveSource::LegalReverse
            | MoveSource::PseudolegalReverse => {
                let value = self.legal(spec);
                self.state.registers[spec.dst] = value;
            }
        }
        spec.result != MoveResult::Bool || self.state.registers[spec.dst] != 0
    }

    fn move_start(&self, spec: &MoveSpec) -> Option<u32> {
        if spec.tied && self.tie != NO_TIE {
            return Some(self.tie);
        }
        self.first_move()
    }

    fn move_after(&self, spec: &MoveSpec, child: u32) -> Option<u32> {
        if spec.tied && self.tie != NO_TIE {
            return None;
        }
        self.next_sibling(child)
    }

    /// The next move of a filter that writes comments. The cursor holds the last node + 1, 0 at the
    /// beginning.
    pub(super) fn move_begin(&mut self, spec: Id<MoveSpec>, cursor: Register) {
        let dst = self.program.code.moves[spec].dst;
        self.state.registers[dst] = 0;
        self.state.registers[cursor] = 0;
    }

    /// The tail of the next fitting move.
    pub(super) fn move_next(&mut self, spec: Id<MoveSpec>, cursor: Register) -> Option<u32> {
        let spec = self.program.code.moves[spec];
        let at = self.state.registers[cursor] as u32;
        let mut next = match spec.source {
            MoveSource::Previous => self.last_move().filter(|_| at == 0),
            MoveSource::Played
            | MoveSource::Legal
            | MoveSource::Pseudolegal
            | MoveSource::LegalReverse
            | MoveSource::PseudolegalReverse => match at.checked_sub(1) {
                None => self.move_start(&spec),
                Some(node) => self.move_after(&spec, node),
            },
        };
        while let Some(node) = next {
            if self.fits(&spec, node) {
                self.accumulate(&spec, node);
                self.state.registers[cursor] = u64::from(node) + 1;
                return Some(node);
            }
            next = if spec.source == MoveSource::Previous {
                None
            } else {
                self.move_after(&spec, node)
            };
        }
        None
    }

    /// Returns the castling rights of CQL 6.2. It ignores the castling rights of the game: a king
    /// and a rook that have never moved may castle.
    fn rights6(&self) -> CastlingRights {
        let board: &Position = &self.here.board;
        let home = home_rights(board, SquareSet::EMPTY);
        // A king and a rook with the right in the game have never moved. Only other rights need a
        // look at the line.
        if home.without(board.castling()) == CastlingRights::NONE {
            return home;
        }
        home_rights(board, self.touched(self.here.node))
    }

    fn legal(&self, spec: &MoveSpec) -> u64 {
        // Only CQLi has these parameters, so the moves of CQL 6.2 do not matter.
        let is_extended = spec.drop || spec.null || spec.promoting || spec.capture.is_some();
        if spec.source.is_reverse() || is_extended {
            return self.generated(spec);
        }
        let legal = spec.source == MoveSource::Legal;
        let from = SquareSet(self.operand(spec.from));
        let to = SquareSet(self.operand(spec.to));
        let victims = self.operand(spec.en_passant_square);
        let special = spec.en_passant || spec.en_passant_square.is_some() || spec.castle.is_some();
        if self.program.dialect.promotions_are_distinct {
            let rules = self.game.rules();
            let wanted = MoveSelection { legal, from, to };
            let board: Position = *self.here.board;
            if spec.result == MoveResult::Count && !special {
                return u64::from(board.count_moves(rules, wanted));
            }
            let mut value = 0;
            movegen::each(&board, rules, wanted, &mut |mv: Move| {
                let passed = mv.en_passant_victim();
                let fits = (!spec.en_passant || passed.is_some())
                    && (spec.en_passant_square.is_none()
                        || passed.is_some_and(|s| SquareSet(victims).contains(s)))
                    && spec.castle.is_none_or(|castle| match castle {
                        babson_lang::hir::CastlingKind::KingSide => mv.is_king_side(),
                        babson_lang::hir::CastlingKind::QueenSide => mv.is_queen_side(),
                        babson_lang::hir::CastlingKind::Either => mv.is_castling(),
                    });
                if fits {
                    value = gather(spec.result, value, mv.from(), mv.to());
                }
            });
            return value;
        }
        let (rights, passed) = if self.program.dialect.true_rights || !self.is_own() {
            (self.here.board.castling(), self.here.board.ep())
        } else {
            (self.rights6(), self.passed_over(self.here.node))
        };
        let board: &Position = &self.here.board;
        let moves = Moves::new(board, board.side(), rights, passed, legal);
        if !special {
            match spec.result {
                MoveResult::Count => return u64::from(moves.count(from, to)),
                MoveResult::From => return moves.origins(from, to).0,
                MoveResult::To => return moves.destinations(from, to).0,
                MoveResult::Bool | MoveResult::Capture => {
                    return u64::from(!moves.for_each(from, to, |_| false));
                }
            }
        }
        let mut value = 0;
        moves.for_each_special(from, to, |found| {
            let fits = match found.kind {
                PairMoveKind::EnPassant(victim) => {
                    spec.castle.is_none() && SquareSet(victims).contains(victim)
                }
                kind
                @ (PairMoveKind::Normal | PairMoveKind::KingSide | PairMoveKind::QueenSide) => {
                    !spec.en_passant
                        && spec.en_passant_square.is_none()
                        && spec.castle.is_some_and(|castle| kind.is_castling(castle))
                }
            };
            if fits {
                value = gather(spec.result, value, found.from, found.to);
            }
            true
        });
        value
    }
}

fn gather(result: MoveResult, value: u64, from: Square, to: Square) -> u64 {
    match result {
        MoveResult::Count => value + 1,
        MoveResult::From => value | SquareSet::of(from).0,
        MoveResult::To => value | SquareSet::of(to).0,
        MoveResult::Bool => 1,
        MoveResult::Capture => value,
    }
}
