//! `--` and `[x]`.

use babson_lang::hir::{Dash, DashFilter, Expr, ExprKind, Promotion, Type};

use super::builder::Builder;
use crate::op::{DashOperand, DashSpec, Id, Label, Op, PromotionTest, Register};

/// The result of a dash that its code computes.
#[derive(Clone, Copy, Debug)]
pub(super) enum DashResult {
    /// Whether a move matches.
    Match,
    /// Its value, in this register.
    Value(Register),
}

impl Builder {
    /// Puts the value into its register, or jumps to `fail` if no move matches. `countmoves` always
    /// has a value.
    pub(super) fn dash(&mut self, filter: &DashFilter, result: DashResult, fail: Label) {
        let comments = filter
            .dash
            .operands()
            .chain(&filter.target)
            .any(|operand| self.effects(operand).comments);
        self.with_rollback(comments, fail, |this, fail| {
            this.dash_body(filter, result, fail);
        });
    }

    fn dash_body(&mut self, filter: &DashFilter, result: DashResult, fail: Label) {
        let dst = match result {
            DashResult::Match => self.temp(),
            DashResult::Value(dst) => dst,
        };
        let (previous, count) = (filter.previous, filter.count);
        // The operands are evaluated at the position before the move.
        let enters = previous && filter.dash.operands().any(|operand| !is_simple(operand));
        let spec = if enters {
            let to = fail;
            self.emit(Op::EnterParent { fail: to });
            let spec = self.elsewhere(|this| this.dash_spec(&filter.dash));
            self.emit(Op::Leave {});
            spec
        } else {
            self.dash_spec(&filter.dash)
        };
        let Some(target) = &filter.target else {
            return self.emit(Op::Dash { spec, dst, previous, count, fail });
        };
        if let DashResult::Value(_) = result
            && target.ty == Type::Set
            && !count
            && !self.dialect.dash_values_match
        {
            return self.value_of_first_move(spec, previous, target, dst, fail);
        }
        // Registers: the tail of the last move tried, and its parts that match.
        let cursor = self.temps(2);
        let total = count.then(|| self.constant(0));
        let (again, missed, found, done) = (self.label(), self.label(), self.label(), self.label());
        self.emit(Op::Const { dst: cursor, value: 0 });
        self.bind(again);
        let end = done;
        self.emit(Op::DashNext { spec, cursor, previous, done: end });
        self.elsewhere(|this| {
            this.owner = Some(cursor + 1);
            if count {
                this.test_with_rollback(target, missed);
            } else {
                let comments = this.effects(target).comments;
                this.with_rollback(comments, missed, |this, missed| {
                    this.value(target, dst, missed);
                    if target.ty == Type::Set {
                        this.emit(Op::TestSet { set: dst, fail: missed });
                    }
                });
            }
        });
        self.emit(Op::Leave {});
        if let Some(total) = total {
            self.emit(Op::Increment { dst: total });
            self.jump(again);
        } else {
            self.jump(found);
        }
        self.bind(missed);
        self.emit(Op::Leave {});
        self.jump(again);
        self.bind(done);
        if let Some(total) = total {
            self.emit(Op::Copy { dst, src: total });
        } else {
            self.jump(fail);
        }
        self.bind(found);
    }

    /// The value of the target after the first move between the squares of the dash. As in CQL 6.2,
    /// later moves do not count if it is the empty set, or if the move is not the promotion of the
    /// dash.
    fn value_of_first_move(
        &mut self,
        spec: Id<DashSpec>,
        previous: bool,
        target: &Expr,
        dst: Register,
        fail: Label,
    ) {
        let promotes = self.dashes[spec].promotes;
        let between = DashSpec { promotes: PromotionTest::Unasked, ..self.dashes[spec] };
        let between = self.dashes.push(between);
        let cursor = self.temps(2);
        self.emit(Op::Const { dst: cursor, value: 0 });
        let done = fail;
        self.emit(Op::DashNext { spec: between, cursor, previous, done });
        // The position after the move is the current one now.
        self.entered(fail, |this, fail| {
            this.owner = Some(cursor + 1);
            if promotes != PromotionTest::Unasked {
                let matches = this.temp();
                this.emit(Op::Dash { spec, dst: matches, previous: true, count: false, fail });
            }
            this.value(target, dst, fail);
        });
    }

    /// Whether the filter may match where its value is the empty set: it contains a dash whose
    /// value comes from another move than its match.
    pub(super) fn may_differ_from_value(&self, expr: &Expr) -> bool {
        let is_set_dash = |e: &Expr| e.ty == Type::Set && matches!(e.kind, ExprKind::Dash(_));
        !self.dialect.dash_values_match && expr.any(&is_set_dash)
    }

    /// Evaluates the operands at the position before the move. Returns the number of the spec.
    pub(super) fn dash_spec(&mut self, dash: &Dash) -> Id<DashSpec> {
        let left = self.dash_operand(dash.left.as_ref());
        let right = self.dash_operand(dash.right.as_ref());
        let promotes = match &dash.promotion {
            None => PromotionTest::Unasked,
            Some(Promotion::Kinds(kinds)) => PromotionTest::Kinds(*kinds),
            Some(Promotion::Text(text)) => {
                let dst = self.temp();
                let (missing, done) = (self.label(), self.label());
                self.value(text, dst, missing);
                self.emit(Op::PromotionKinds { dst, text: dst });
                self.jump(done);
                self.bind(missing);
                // Without a string no promotion matches.
                self.emit(Op::Const { dst, value: 0 });
                self.bind(done);
                PromotionTest::Register(dst)
            }
        };
        self.dashes.push(DashSpec { capture: dash.capture, left, right, promotes })
    }

    fn dash_operand(&mut self, set: Option<&Expr>) -> DashOperand {
        match set.map(|set| &set.kind) {
            None => DashOperand::Any,
            Some(ExprKind::Squares(squares)) => DashOperand::Squares(*squares),
            Some(ExprKind::Designator(designator)) => DashOperand::Designator {
                squares: designator.squares,
                content: designator.content.0,
            },
            Some(_) => {
                let dst = self.temp();
                if let Some(set) = set {
                    self.set(set, dst);
                }
                DashOperand::Register(dst)
            }
        }
    }
}

/// Whether the operand needs no code of its own.
fn is_simple(operand: &Expr) -> bool {
    matches!(operand.kind, ExprKind::Squares(_) | ExprKind::Designator(_))
}
