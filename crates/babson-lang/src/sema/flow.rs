//! Reads of a body's variable that no assignment of the same run through the body precedes for
//! sure: they may see what another body, or an earlier run, left there.
//!
//! Only the filters of which a failing part fails the whole pass an assignment on; of all others,
//! their parts may not have run.

use std::collections::HashSet;

use crate::diagnostic::Span;
use crate::hir::{Bound, Expr, ExprKind, Range, VarId};

/// The reads of the variables with nothing assigned before, in the order of the text.
pub(super) fn unassigned_reads(body: &Expr, variables: &HashSet<VarId>) -> Vec<(VarId, Span)> {
    let mut flow = Flow { variables, found: Vec::new() };
    flow.visit(body, &mut HashSet::new());
    flow.found
}

struct Flow<'v> {
    variables: &'v HashSet<VarId>,
    found: Vec<(VarId, Span)>,
}

impl Flow<'_> {
    /// What happens in there may not happen: nothing is known after it.
    fn aside(&mut self, e: &Expr, assigned: &HashSet<VarId>) {
        self.visit(e, &mut assigned.clone());
    }

    fn read(&mut self, var: VarId, span: Span, assigned: &HashSet<VarId>) {
        if self.variables.contains(&var) && !assigned.contains(&var) {
            self.found.push((var, span));
        }
    }

    fn assign(&self, var: VarId, assigned: &mut HashSet<VarId>) {
        if self.variables.contains(&var) {
            assigned.insert(var);
        }
    }

    fn visit(&mut self, e: &Expr, assigned: &mut HashSet<VarId>) {
        if let Some(Range { min, max }) = e.range() {
            for bound in [min, max] {
                if let Bound::Var(var) = bound {
                    self.read(*var, e.span, assigned);
                }
            }
        }
        match &e.kind {
            ExprKind::Var(var) | ExprKind::IsBound(var) => self.read(*var, e.span, assigned),
            ExprKind::ConsecutiveMoves(moves) => {
                self.read(moves.left, e.span, assigned);
                self.read(moves.right, e.span, assigned);
            }
            ExprKind::Assign { var, value, .. } | ExprKind::BindPiece { var, set: value } => {
                self.visit(value, assigned);
                self.assign(*var, assigned);
            }
            ExprKind::Update { var, value, .. } => {
                self.visit(value, assigned);
                self.read(*var, e.span, assigned);
            }
            ExprKind::AssignSlice { var, .. } => {
                e.for_each_operand(&mut |operand| self.aside(operand, assigned));
                self.read(*var, e.span, assigned);
            }
            // That there is no value is known, too.
            ExprKind::Unbind(var) => self.assign(*var, assigned),
            ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::With { .. }
            | ExprKind::Imagine { .. }
            | ExprKind::NoTransform(_)
            | ExprKind::Sort { .. } => {
                e.for_each_operand(&mut |operand| self.visit(operand, assigned));
            }
            ExprKind::Or(left, right) => {
                let mut other = assigned.clone();
                self.visit(left, assigned);
                self.visit(right, &mut other);
                assigned.retain(|var| other.contains(var));
            }
            ExprKind::If { condition, then, otherwise } => {
                let mut other = assigned.clone();
                self.visit(condition, assigned);
                self.visit(then, assigned);
                if let Some(otherwise) = otherwise {
                    self.visit(otherwise, &mut other);
                }
                assigned.retain(|var| other.contains(var));
            }
            ExprKind::While { condition, body } => {
                let mut inside = assigned.clone();
                self.visit(condition, &mut inside);
                self.visit(body, &mut inside);
            }
            _ => e.for_each_operand(&mut |operand| self.aside(operand, assigned)),
        }
    }
}
