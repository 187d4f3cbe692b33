//! Definite assignment: finds reads of a body's variables that may come before the first assignment
//! in the same run of the body. Such a read could see a value of another body or of an earlier run.
//!
//! An assignment in a part of a filter counts after the filter only if the filter fails when the
//! part fails. Parts of other filters may not have run.

use std::collections::HashSet;

use crate::diagnostic::Span;
use crate::hir::{Bound, Expr, ExprKind, NameUse, NumberRange, StateFilter, VarId, VariableUse};

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
    fn read(&mut self, var: VarId, span: Span, assigned: &HashSet<VarId>) {
        if self.variables.contains(&var) && !assigned.contains(&var) {
            self.found.push((var, span));
        }
    }

    fn visit(&mut self, e: &Expr, assigned: &mut HashSet<VarId>) {
        if let Some(NumberRange { min, max }) = e.range() {
            for bound in [min, max] {
                if let Bound::Var(var) = bound {
                    self.read(var, e.span, assigned);
                }
            }
        }
        self.visit_operands(e, assigned);
        e.for_each_name(&mut |name| {
            if let NameUse::Variable(var, how) = name {
                self.variable(var, how, e.span, assigned);
            }
        });
    }

    fn visit_operands(&mut self, e: &Expr, assigned: &mut HashSet<VarId>) {
        if let ExprKind::Or(left, right) = &e.kind {
            let mut other = assigned.clone();
            self.visit(left, assigned);
            self.visit(right, &mut other);
            assigned.retain(|var| other.contains(var));
        } else if let ExprKind::If { condition, then, otherwise } = &e.kind {
            let mut other = assigned.clone();
            self.visit(condition, assigned);
            self.visit(then, assigned);
            if let Some(otherwise) = otherwise {
                self.visit(otherwise, &mut other);
            }
            assigned.retain(|var| other.contains(var));
        } else if let ExprKind::While { condition, body } = &e.kind {
            let mut inside = assigned.clone();
            self.visit(condition, &mut inside);
            self.visit(body, &mut inside);
        } else if fails_with_its_operands(&e.kind) {
            e.for_each_operand(&mut |operand| self.visit(operand, assigned));
        } else {
            // A part that may not run, so that its assignments do not count after it.
            e.for_each_operand(&mut |operand| self.visit(operand, &mut assigned.clone()));
        }
    }

    /// The use of a variable by a node, after its operands.
    fn variable(
        &mut self,
        var: VarId,
        how: VariableUse,
        span: Span,
        assigned: &mut HashSet<VarId>,
    ) {
        match how {
            VariableUse::Read
            | VariableUse::Test
            | VariableUse::Update(_)
            | VariableUse::Splice => self.read(var, span, assigned),
            // After `unbind` the variable certainly has no value of an earlier run.
            VariableUse::Assign | VariableUse::BindPiece | VariableUse::Unbind => {
                assigned.insert(var);
            }
            // The loop binds the variable only for its operands.
            VariableUse::Loop => {}
        }
    }
}

/// Whether the filter evaluates all its operands in order and fails when one of them fails, so that
/// their assignments count after it. `false` is always safe: it only makes more reads suspect.
fn fails_with_its_operands(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::With { .. }
            | ExprKind::Imagine { .. }
            | ExprKind::NoTransform(_)
            | ExprKind::Sort { .. }
            | ExprKind::State(StateFilter::Assign { .. })
            | ExprKind::State(StateFilter::BindPiece { .. })
            | ExprKind::State(StateFilter::Update { .. })
    )
}
