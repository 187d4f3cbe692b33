//! Definite assignment: finds reads of a body's variables that may come before the first assignment
//! in the same run of the body. Such a read could see a value of another body or of an earlier run.
//!
//! An assignment in a part of a filter counts after the filter only if the filter fails when the
//! part fails. Parts of other filters may not have run.

use std::collections::HashSet;

use crate::diagnostic::Span;
use crate::hir::{Bound, Expr, ExprKind, NumberRange, VarId};

/// The reads of the variables that no assignment certainly precedes, in the order of the text.
pub(super) fn unassigned_reads(body: &Expr, variables: &HashSet<VarId>) -> Vec<(VarId, Span)> {
    let mut flow = AssignmentFlow { variables, found: Vec::new() };
    flow.visit(body, &mut HashSet::new());
    flow.found
}

struct AssignmentFlow<'v> {
    variables: &'v HashSet<VarId>,
    found: Vec<(VarId, Span)>,
}

impl AssignmentFlow<'_> {
    /// Visits a part that may not run, so that its assignments do not count after it.
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
        if let Some(NumberRange { min, max }) = e.range() {
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
            // After `unbind` the variable certainly has no value of an earlier run.
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
