//! `move … : f` and `imagine … : f`.

use babson_chess::{Color, Kind, Piece};
use babson_lang::hir::{Change, Content, Expr, Move, MoveResult, Relation, Speculation};

use super::MoveSpec;
use super::builder::{Builder, Label};
use crate::op::{NONE, Op, R};

impl Builder {
    /// Evaluates the sets of a `move` here; returns the number of what is asked of a move.
    pub(super) fn move_spec(&mut self, filter: &Move, dst: R) -> u32 {
        let operands = [
            &filter.from,
            &filter.to,
            &filter.capture,
            &filter.en_passant_square,
        ];
        let mut registers = [NONE; 4];
        for (register, operand) in registers.iter_mut().zip(operands) {
            if let Some(set) = operand {
                *register = self.temp();
                self.set(set, *register);
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
        });
        self.moves.len() as u32 - 1
    }

    /// The result goes to `dst`; a Boolean one jumps to `fail` instead.
    pub(super) fn speculation(&mut self, filter: &Speculation, dst: R, fail: Label) {
        let flags = self.flags(&filter.body);
        // Where nothing else happens the first move that decides is enough.
        let stops = !flags.comments && !flags.state;
        let boolean = filter.moves.result == MoveResult::Bool;
        self.guarded(flags.comments, fail, |this, fail| {
            let dst = if dst == NONE { this.temp() } else { dst };
            let spec = this.move_spec(&filter.moves, dst);
            let missed = if filter.all { this.constant(0) } else { NONE };
            let cursor = this.temps(3);
            let (again, failed) = (this.label(), this.label());
            let (done, found) = (this.label(), this.label());
            this.emit(Op::Speculate { spec, cursor });
            this.bind(again);
            let end = this.to(done);
            this.emit(Op::SpeculateNext { cursor, done: end });
            this.elsewhere(|this| this.guarded_test(&filter.body, failed));
            this.emit(Op::Leave);
            this.emit(Op::SpeculateHit { spec, cursor });
            if boolean && !filter.all && stops {
                this.emit(Op::SpeculateEnd { cursor });
                this.jump(found);
            } else {
                this.jump(again);
            }
            this.bind(failed);
            this.emit(Op::Leave);
            if filter.all && stops {
                this.emit(Op::SpeculateEnd { cursor });
                this.jump(fail);
            } else {
                if filter.all {
                    this.emit(Op::Increment { dst: missed });
                }
                this.jump(again);
            }
            this.bind(done);
            let to = this.to(fail);
            if filter.all {
                this.emit(Op::CompareConst {
                    a: missed,
                    relation: Relation::Equal,
                    value: 0,
                    fail: to,
                });
            } else if boolean {
                this.emit(Op::TestSet { set: dst, fail: to });
            }
            this.bind(found);
        });
    }

    /// The changed board; [`Op::Leave`] leaves it.
    fn changes(&mut self, changes: &[Change]) {
        self.emit(Op::Imagine);
        for change in changes {
            match change {
                Change::Place { content, to } => {
                    let set = self.temp();
                    self.elsewhere(|this| this.set(to, set));
                    let piece = piece_of(*content);
                    self.emit(Op::Place { set, piece });
                }
                Change::Swap(one, other) => {
                    let sets = self.temps(2);
                    self.elsewhere(|this| {
                        this.set(one, sets);
                        this.set(other, sets + 1);
                    });
                    self.emit(Op::Swap { sets });
                }
                Change::SideToMove(side) => self.emit(Op::Turn { side: *side }),
            }
        }
    }

    pub(super) fn imagine_value(&mut self, changes: &[Change], body: &Expr, dst: R, fail: Label) {
        self.changes(changes);
        self.entered(fail, |this, fail| this.value(body, dst, fail));
    }

    pub(super) fn imagine_test(&mut self, changes: &[Change], body: &Expr, fail: Label) {
        self.changes(changes);
        self.entered(fail, |this, fail| this.guarded_test(body, fail));
    }
}

/// The piece of a content of one bit; none for the empty square.
fn piece_of(content: Content) -> Option<Piece> {
    let bit = content.0.trailing_zeros() as usize;
    let color = if bit < 6 { Color::White } else { Color::Black };
    let kind = Kind::from_index(bit % 6)?;
    (bit < 12).then_some(Piece { color, kind })
}
