//! `--` and `[x]`.

use babson_lang::hir::{Dash, DashFilter, Expr, ExprKind, Promotion, Type};

use super::builder::{Builder, Label};
use super::{DashSpec, Operand, Promotes};
use crate::op::{NONE, Op, R};

impl Builder {
    /// The value goes to `dst`; without a move that fits it goes on at `fail`. `countmoves` has
    /// always a value.
    pub(super) fn dash(&mut self, filter: &DashFilter, dst: R, fail: Label) {
        let comments = filter
            .dash
            .operands()
            .chain(&filter.target)
            .any(|operand| self.flags(operand).comments);
        self.guarded(comments, fail, |this, fail| {
            this.dash_body(filter, dst, fail);
        });
    }

    fn dash_body(&mut self, filter: &DashFilter, dst: R, fail: Label) {
        let dst = if dst == NONE { self.temp() } else { dst };
        let (previous, count) = (filter.previous, filter.count);
        // The operands belong to the position before the move.
        let enters = previous && filter.dash.operands().any(|operand| !is_simple(operand));
        let spec = if enters {
            let to = self.to(fail);
            self.emit(Op::EnterParent { fail: to });
            let spec = self.elsewhere(|this| this.dash_spec(&filter.dash));
            self.emit(Op::Leave);
            spec
        } else {
            self.dash_spec(&filter.dash)
        };
        let Some(target) = &filter.target else {
            let fail = self.to(fail);
            return self.emit(Op::Dash { spec, dst, previous, count, fail });
        };
        // the tail of the last move tried, the parts of the move that fit
        let cursor = self.temps(2);
        let total = if count { self.constant(0) } else { NONE };
        let (again, missed, found, done) = (self.label(), self.label(), self.label(), self.label());
        self.emit(Op::Const { dst: cursor, value: 0 });
        self.bind(again);
        let end = self.to(done);
        self.emit(Op::DashNext { spec, cursor, previous, done: end });
        self.elsewhere(|this| {
            this.owner = Some(cursor + 1);
            if count {
                this.guarded_test(target, missed);
            } else {
                let comments = this.flags(target).comments;
                this.guarded(comments, missed, |this, missed| {
                    this.value(target, dst, missed);
                    if target.ty == Type::Set {
                        let missed = this.to(missed);
                        this.emit(Op::TestSet { set: dst, fail: missed });
                    }
                });
            }
        });
        self.emit(Op::Leave);
        if count {
            self.emit(Op::Increment { dst: total });
            self.jump(again);
        } else {
            self.jump(found);
        }
        self.bind(missed);
        self.emit(Op::Leave);
        self.jump(again);
        self.bind(done);
        if count {
            self.emit(Op::Copy { dst, src: total });
        } else {
            self.jump(fail);
        }
        self.bind(found);
    }

    /// Evaluates the operands at the position before the move; returns the number of what a move
    /// must fit.
    pub(super) fn dash_spec(&mut self, dash: &Dash) -> u32 {
        let left = self.dash_operand(dash.left.as_ref());
        let right = self.dash_operand(dash.right.as_ref());
        let promotes = match &dash.promotion {
            None => Promotes::Unasked,
            Some(Promotion::Kinds(kinds)) => Promotes::Kinds(*kinds),
            Some(Promotion::Text(text)) => {
                let dst = self.temp();
                let (missing, done) = (self.label(), self.label());
                self.value(text, dst, missing);
                self.emit(Op::PromotionKinds { dst, text: dst });
                self.jump(done);
                self.bind(missing);
                // Without a string no promotion is asked for that could fit.
                self.emit(Op::Const { dst, value: 0 });
                self.bind(done);
                Promotes::Register(dst)
            }
        };
        self.dashes.push(DashSpec { capture: dash.capture, left, right, promotes });
        self.dashes.len() as u32 - 1
    }

    fn dash_operand(&mut self, set: Option<&Expr>) -> Operand {
        match set.map(|set| &set.kind) {
            None => Operand::Any,
            Some(ExprKind::Squares(squares)) => Operand::Squares(*squares),
            Some(ExprKind::Designator(designator)) => {
                Operand::Designator { squares: designator.squares, content: designator.content.0 }
            }
            Some(_) => {
                let dst = self.temp();
                if let Some(set) = set {
                    self.set(set, dst);
                }
                Operand::Register(dst)
            }
        }
    }
}

/// Whether the operand needs no code of its own.
fn is_simple(operand: &Expr) -> bool {
    matches!(operand.kind, ExprKind::Squares(_) | ExprKind::Designator(_))
}
