//! Deferred texts: texts that are made when they are read.
//!
//! An assignment `x = str(…)` of constants and loop variables stores only its board. The first read
//! of the variable makes the text, so that a text that no filter reads is never made. The filter
//! that reads may look at another board, but the text is made on the board of the assignment. That
//! board stays on the stack while the conjunction of the assignment is evaluated. The module
//! `analysis::deferral` says which variables qualify.

use babson_lang::hir::{Expr, ExprKind, VarId};

use super::builder::{Builder, DeferredText};
use crate::op::Op;

impl Builder {
    /// Compiles an assignment whose text is deferred. Returns false for any other assignment.
    pub(super) fn defer_text(&mut self, var: VarId, value: &Expr) -> bool {
        let Some(&DeferredText { place, .. }) = self.deferred.get(&var) else {
            return false;
        };
        let ExprKind::Str(parts) = &value.kind else {
            return false;
        };
        let text = self.plain_parts(parts);
        self.deferred.insert(var, DeferredText { place, text });
        if text.is_none() {
            return false;
        }
        self.notes.push(format!("text at byte {} deferred until it is read", value.span.start));
        let var = self.var(var);
        self.emit(Op::DeferText { var, place });
        true
    }

    /// Makes the text of a variable before it is read, if the text is deferred.
    pub(super) fn make_text(&mut self, var: VarId) {
        if let Some(&DeferredText { place, text: Some((first, len)) }) = self.deferred.get(&var) {
            let var = self.var(var);
            self.emit(Op::MakeText { var, place, first, len });
        }
    }
}
