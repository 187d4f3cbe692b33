//! `move … : f` and `imagine … : f`.

use babson_chess::{Color, Kind, Piece};
use babson_lang::hir::{
    BoardChange, ComparisonOperator, Condition, Content, Errors, Expr, ExprKind, MoveFilter,
    MoveResult, SetShape, SpeculativeMove, UnaryFilter,
};

use super::builder::{Builder, PieceLoop};
use crate::op::{
    Alteration, Id, ImagineSpec, Label, MoveSpec, Op, OptionalRegister, Place, Register,
};

impl Builder {
    /// Evaluates the sets of a `move` at the current position. Returns the number of the spec.
    pub(super) fn move_spec(&mut self, filter: &MoveFilter, dst: Register) -> Id<MoveSpec> {
        let operands = [&filter.from, &filter.to, &filter.capture, &filter.en_passant_square];
        let mut registers = [OptionalRegister::NONE; 4];
        for (register, operand) in registers.iter_mut().zip(operands) {
            if let Some(set) = operand {
                let dst = self.temp();
                self.set(set, dst);
                *register = dst.into();
            }
        }
        let [from, to, capture, en_passant_square] = registers;
        self.moves.push(MoveSpec {
            source: filter.source,
            result: filter.result,
            dst,
            from,
            to,
            capture,
            en_passant_square,
            promote: filter.promote.unwrap_or(0),
            promoting: filter.promote.is_some(),
            en_passant: filter.en_passant,
            castle: filter.castle,
            drop: filter.drop,
            null: filter.null,
            primary: filter.primary,
            secondary: filter.secondary,
            tied: false,
        })
    }

    /// Puts the result into `dst`; a Boolean filter jumps to `fail` if it does not match.
    pub(super) fn speculation(
        &mut self,
        filter: &SpeculativeMove,
        dst: Option<Register>,
        fail: Label,
    ) {
        let effects = self.effects(&filter.body);
        // Without effects the first matching move decides.
        let stops = !effects.comments && !effects.state;
        let boolean = filter.moves.result == MoveResult::Bool;
        self.with_rollback(effects.comments, fail, |this, fail| {
            let dst = dst.unwrap_or_else(|| this.temp());
            let spec = this.move_spec(&filter.moves, dst);
            let missed = filter.all.then(|| this.constant(0));
            let cursor = this.temps(3);
            let (again, failed) = (this.label(), this.label());
            let (done, found) = (this.label(), this.label());
            this.emit(Op::Speculate { spec, cursor });
            this.bind(again);
            let end = done;
            // With `all`, the filter fails at a move that does not give check.
            let check = !filter.all && !this.is_profiled() && needs_check(&filter.body);
            this.emit(Op::SpeculateNext { cursor, check, done: end });
            this.elsewhere(|this| this.test_with_rollback(&filter.body, failed));
            this.emit(Op::Leave {});
            this.emit(Op::SpeculateHit { spec, cursor });
            if boolean && !filter.all && stops {
                this.emit(Op::SpeculateEnd { cursor });
                this.jump(found);
            } else {
                this.jump(again);
            }
            this.bind(failed);
            this.emit(Op::Leave {});
            if filter.all && stops {
                this.emit(Op::SpeculateEnd { cursor });
                this.jump(fail);
            } else {
                if let Some(missed) = missed {
                    this.emit(Op::Increment { dst: missed });
                }
                this.jump(again);
            }
            this.bind(done);
            let to = fail;
            if let Some(missed) = missed {
                this.emit(Op::CompareConst {
                    a: missed,
                    relation: ComparisonOperator::Equal,
                    value: 0,
                    fail: to,
                });
            } else if boolean {
                this.emit(Op::TestSet { set: dst, fail: to });
            }
            this.bind(found);
        });
    }

    /// The changed board; [`Op::Leave`] leaves it. Where `body` is known to fail there it goes on
    /// at `fail` instead.
    fn changes(&mut self, changes: &[BoardChange], body: &Expr, fail: Label) {
        let known = known_ahead(changes);
        let (first, others) = changes.split_at(known);
        let first = first.iter().map(|change| self.alteration(change)).collect();
        let check = others.is_empty() && !self.is_profiled() && needs_check(body);
        let spec = self.imagined.push(ImagineSpec { changes: first, check });
        self.emit(Op::Imagine { spec, fail });
        for change in others {
            match self.elsewhere(|this| this.alteration(change)) {
                Alteration::Place(place, piece) => self.emit(Op::Place { place, piece }),
                Alteration::Swap([first, second]) => self.emit(Op::Swap { first, second }),
                Alteration::Turn(side) => self.emit(Op::Turn { side }),
            }
        }
    }

    fn alteration(&mut self, change: &BoardChange) -> Alteration {
        match change {
            BoardChange::Place { content, to } => {
                Alteration::Place(self.place(to), piece_of(*content))
            }
            BoardChange::Swap(one, other) => {
                Alteration::Swap([one, other].map(|set| self.place(set)))
            }
            BoardChange::SideToMove(side) => Alteration::Turn(*side),
        }
    }

    fn place(&mut self, set: &Expr) -> Place {
        if let ExprKind::Unary(UnaryFilter::PieceSquare, piece) = &set.kind
            && let ExprKind::Var(var) = piece.kind
            && self.effects(piece).errors == Errors::None
        {
            let var = self.var(var);
            let around = self.piece_loops.iter().rfind(|around| around.var == var);
            return match around {
                Some(&PieceLoop { current, .. }) => Place::LoopPiece { var, current },
                None => Place::Piece(var),
            };
        }
        let register = self.temp();
        self.set(set, register);
        Place::Set(register)
    }

    pub(super) fn imagine_value(
        &mut self,
        changes: &[BoardChange],
        body: &Expr,
        dst: Register,
        fail: Label,
    ) {
        self.changes(changes, body, fail);
        self.entered(fail, |this, fail| this.value(body, dst, fail));
    }

    pub(super) fn imagine_test(&mut self, changes: &[BoardChange], body: &Expr, fail: Label) {
        self.changes(changes, body, fail);
        self.entered(fail, |this, fail| this.test_with_rollback(body, fail));
    }
}

/// The number of first changes whose squares are known before any change is made.
fn known_ahead(changes: &[BoardChange]) -> usize {
    let mut moved = false;
    let is_known = |change: &&BoardChange| {
        let sets: &[&Expr] = match change {
            BoardChange::Place { to, .. } => &[to],
            BoardChange::Swap(one, other) => &[one, other],
            BoardChange::SideToMove(_) => return true,
        };
        let known = sets.iter().all(|set| {
            let fixed = matches!(set.kind, ExprKind::Squares(_) | ExprKind::Var(_));
            let placed =
                matches!(SetShape::of(set), SetShape::Designator(_) | SetShape::PieceOf(_));
            fixed || !moved && placed
        });
        moved = true;
        known
    };
    changes.iter().take_while(is_known).count()
}

/// Whether the filter fails without an effect if the side to move is not in check.
fn needs_check(body: &Expr) -> bool {
    if let ExprKind::Sequence(filters) = &body.kind {
        filters.first().is_some_and(needs_check)
    } else if let ExprKind::And(first, _) = &body.kind {
        needs_check(first)
    } else {
        matches!(body.kind, ExprKind::Condition(Condition::Check | Condition::Mate))
    }
}

/// The piece of a content of one bit; none for the empty square.
fn piece_of(content: Content) -> Option<Piece> {
    let bit = content.0.trailing_zeros() as usize;
    let color = if bit < 6 { Color::White } else { Color::Black };
    let kind = Kind::from_index(bit % 6)?;
    (bit < 12).then_some(Piece { color, kind })
}
