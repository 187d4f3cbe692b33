//! `echo` and `consecutivemoves`.

use babson_lang::hir::{Bound, ConsecutiveMoves, EchoFilter, Type};

use super::builder::Builder;
use crate::op::{ConsecutiveMovesSpec, Label, Op, OptionalRegister, Register};

impl Builder {
    /// Evaluates the body at every position of the game. If it is a number, `dst` gets the greatest
    /// value.
    pub(super) fn echo(&mut self, echo: &EchoFilter, ty: Type, dst: Register, fail: Label) {
        let (source, target) = (self.var(echo.source), self.var(echo.target));
        let comments = !echo.quiet || self.effects(&echo.body).comments;
        let best_only = self.in_sort && comments;
        self.with_rollback(comments, fail, |this, fail| {
            // Registers: the next id, the current position, the matches, the greatest value, the
            // marks of the beginning and of this position, the value.
            let state = this.temps(7);
            let (again, done) = (this.label(), this.label());
            let value = (ty == Type::Number).then_some(state + 6);
            this.emit(Op::RequireUnbound { var: source });
            this.emit(Op::RequireUnbound { var: target });
            let known = this.require_for_body(&echo.body, fail);
            this.emit(Op::EchoStart { state, source });
            this.emit(Op::Mark { dst: state + 4 });
            this.bind(again);
            let to = done;
            this.emit(Op::EchoNext { state, target, in_all: echo.in_all, done: to });
            if best_only {
                this.emit(Op::Mark { dst: state + 5 });
            }
            match value {
                None => this.elsewhere(|this| this.test_with_rollback(&echo.body, again)),
                Some(value) => {
                    let body_comments = this.effects(&echo.body).comments;
                    this.with_rollback(body_comments, again, |this, again| {
                        this.elsewhere(|this| this.value(&echo.body, value, again));
                    });
                }
            }
            this.forget_known(known);
            this.emit(Op::EchoHit {
                state,
                value: value.map_or(OptionalRegister::NONE, Into::into),
                source,
                target,
                quiet: echo.quiet,
                best_only,
            });
            if value.is_none() && !comments && !this.effects(&echo.body).state {
                // Nothing remains of the other matches.
                this.emit(Op::EchoStop { state });
            }
            this.jump(again);
            this.bind(done);
            this.emit(Op::Unbind { var: source });
            this.emit(Op::Unbind { var: target });
            this.emit(Op::TestSet { set: state + 2, fail });
            this.emit(Op::Copy { dst, src: state + 3 });
        });
    }

    pub(super) fn consecutive_moves(
        &mut self,
        moves: &ConsecutiveMoves,
        dst: Register,
        fail: Label,
    ) {
        let (left, right) = (self.var(moves.left), self.var(moves.right));
        let spec = self.runs.push(ConsecutiveMovesSpec {
            key: moves.id.0,
            quiet: moves.quiet,
            left,
            right,
        });
        // The positions, then the ends of the range.
        let operands = self.temps(4);
        for (index, var) in [left, right].into_iter().enumerate() {
            let dst = operands + index as u16;
            self.emit(Op::Load { dst, var });
        }
        let (min, max) = match moves.range {
            Some(range) => (range.min, range.max),
            None => (Bound::Const(1), Bound::Const(i32::MAX)),
        };
        for (index, bound) in [min, max].into_iter().enumerate() {
            let src = self.bound(bound);
            let dst = operands + 2 + index as u16;
            self.emit(Op::Copy { dst, src });
        }
        self.emit(Op::ConsecutiveMoves { dst, operands, spec, fail });
    }
}
