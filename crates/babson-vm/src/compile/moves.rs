//! `move`.

use babson_lang::hir::{Condition, Expr, MoveFilter, MoveResult, MoveSource};

use super::builder::Builder;
use crate::op::{Label, Op, Register};

impl Builder {
    /// Puts the result into `dst`; a Boolean filter jumps to `fail` if it does not match.
    pub(super) fn move_filter(&mut self, filter: &MoveFilter, dst: Option<Register>, fail: Label) {
        let comments = filter.comment.is_some();
        self.with_dialect_rollback(comments, fail, |this, fail| this.move_body(filter, dst, fail));
    }

    fn move_body(&mut self, filter: &MoveFilter, dst: Option<Register>, fail: Label) {
        let dst = dst.unwrap_or_else(|| self.temp());
        let boolean = filter.result == MoveResult::Bool;
        let previous = filter.source == MoveSource::Previous;
        let operands = [&filter.from, &filter.to, &filter.capture, &filter.en_passant_square];
        let outside = self.label();
        // The sets are evaluated at the position before the move.
        let enters = previous && operands.iter().any(|operand| operand.is_some());
        if enters {
            let to = outside;
            self.emit(Op::EnterParent { fail: to });
        }
        let owner = self.owner;
        if enters {
            self.owner = None;
        }
        // In CQL 6.2 the sets are evaluated for each move, so without a move they leave nothing.
        let needs_move = filter.source == MoveSource::Played
            && !self.dialect.moveless_operands
            && operands
                .iter()
                .any(|set| set.as_ref().is_some_and(|set| self.effects(set).comments));
        if needs_move {
            let follows = self.label();
            self.emit(Op::Test { which: Condition::Terminal, fail: follows });
            self.jump(outside);
            self.bind(follows);
        }
        let spec = self.move_spec(filter, dst);
        self.moves[spec].tied = self.in_tie && filter.source == MoveSource::Played;
        if enters {
            self.emit(Op::Leave {});
            self.owner = owner;
        }
        match &filter.comment {
            None => {
                self.emit(Op::Move { spec, fail });
            }
            Some(parts) => {
                let cursor = self.temp();
                let (again, done) = (self.label(), self.label());
                self.emit(Op::MoveStart { spec, cursor });
                self.bind(again);
                let end = done;
                self.emit(Op::MoveNext { spec, cursor, done: end });
                let text = self.temp();
                self.elsewhere(|this| this.text(parts, text));
                self.emit(Op::Comment { text });
                self.emit(Op::Leave {});
                self.jump(again);
                self.bind(done);
                if boolean {
                    self.emit(Op::TestSet { set: dst, fail });
                }
            }
        }
        if enters || needs_move {
            let done = self.label();
            self.jump(done);
            self.bind(outside);
            // No move led to the initial position, or none follows the last one.
            if boolean {
                self.jump(fail);
            } else {
                self.emit(Op::Const { dst, value: 0 });
            }
            self.bind(done);
        } else {
            self.bind(outside);
        }
    }

    /// Whether the filter contains a `move` that a `line` around it would tie to the move that it
    /// follows.
    pub(super) fn is_tied(expr: &Expr) -> bool {
        use babson_lang::hir::ExprKind;
        // These filters look at other positions.
        if let ExprKind::GameLists(_)
        | ExprKind::Find(_)
        | ExprKind::Line(_)
        | ExprKind::Path(_)
        | ExprKind::With { .. } = &expr.kind
        {
            return false;
        }
        // Its target looks at another position.
        if let ExprKind::Dash(filter) = &expr.kind {
            return filter.dash.operands().any(Self::is_tied);
        }
        let mut tied = if let ExprKind::Move(spec) = &expr.kind {
            spec.source == MoveSource::Played
        } else {
            // Its first step is the followed move.
            matches!(expr.kind, ExprKind::PositionSequence(_))
        };
        expr.for_each_operand(&mut |operand| tied = tied || Self::is_tied(operand));
        tied
    }
}
