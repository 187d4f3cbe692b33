//! The variables whose texts can be made when they are read, instead of where they are assigned.
//!
//! The variable must be assigned once in the query and read only by the filters after the
//! assignment in its conjunction. A filter anywhere else, such as one after the loop, could read
//! the text of an earlier board.

use std::collections::HashMap;

use babson_lang::hir::{Expr, ExprKind, Query, StateFilter, Type, Var, VarId};

use super::{Loops, conjuncts};

/// The status of a variable, in the order of evaluation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextStatus {
    /// A conjunction around the current filter assigns it a text.
    Assigned,
    /// That conjunction has ended.
    Over,
    /// Its text cannot be deferred.
    Refused,
}

struct DeferAnalysis<'q> {
    vars: &'q [Var],
    loops: &'q Loops,
    statuses: HashMap<VarId, TextStatus>,
    /// The variables that are [`TextStatus::Assigned`], the innermost last.
    assigned: Vec<VarId>,
    /// All variables that were assigned, in order.
    candidates: Vec<VarId>,
}

/// The variables of the query whose texts can be deferred, in the order of their assignments.
pub(crate) fn deferrable_texts(query: &Query, loops: &Loops) -> Vec<VarId> {
    let mut analysis = DeferAnalysis {
        vars: &query.vars,
        loops,
        statuses: HashMap::new(),
        assigned: Vec::new(),
        candidates: Vec::new(),
    };
    analysis.conjunction(&query.body);
    // These are evaluated before and after all games.
    for filter in query.begin.iter().chain(&query.end) {
        analysis.filter(filter);
    }
    let DeferAnalysis { statuses, mut candidates, .. } = analysis;
    candidates.retain(|var| statuses.get(var) != Some(&TextStatus::Refused));
    candidates
}

impl DeferAnalysis<'_> {
    fn conjunction<'e>(&mut self, list: impl IntoIterator<Item = &'e Expr>) {
        let mut filters = Vec::new();
        conjuncts(list, &mut filters);
        let around = self.assigned.len();
        for filter in filters {
            match self.plain_text_of(filter) {
                Some(var) if !self.statuses.contains_key(&var) => {
                    self.statuses.insert(var, TextStatus::Assigned);
                    self.assigned.push(var);
                    self.candidates.push(var);
                }
                Some(_) | None => self.filter(filter),
            }
        }
        for var in self.assigned.drain(around..) {
            if let Some(status @ TextStatus::Assigned) = self.statuses.get_mut(&var) {
                *status = TextStatus::Over;
            }
        }
    }

    fn filter(&mut self, filter: &Expr) {
        if let ExprKind::Sequence(_) | ExprKind::And(..) | ExprKind::NoTransform(_) = filter.kind {
            return self.conjunction([filter]);
        }
        if let ExprKind::Var(var) = filter.kind
            && self.statuses.get(&var) != Some(&TextStatus::Assigned)
        {
            self.refuse(var);
        }
        if let ExprKind::State(StateFilter::Assign { var, .. })
        | ExprKind::State(StateFilter::Update { var, .. })
        | ExprKind::State(StateFilter::AssignSlice { var, .. })
        | ExprKind::ForKeys { var, .. }
        | ExprKind::State(StateFilter::Unbind(var))
        | ExprKind::IsBound(var) = filter.kind
        {
            self.refuse(var);
        }
        filter.for_each_operand(&mut |operand| self.filter(operand));
    }

    fn refuse(&mut self, var: VarId) {
        self.statuses.insert(var, TextStatus::Refused);
    }

    /// The variable of an assignment of a text that stays the same as long as its board does, if
    /// nothing but filters reads the variable.
    fn plain_text_of(&self, filter: &Expr) -> Option<VarId> {
        let ExprKind::State(StateFilter::Assign { var, value, if_any: false }) = &filter.kind
        else {
            return None;
        };
        let ExprKind::Str(parts) = &value.kind else {
            return None;
        };
        let declared = self.vars.get(var.0 as usize)?;
        let is_text = |part: &Expr| matches!(part.kind, ExprKind::Text(_));
        // To print a position writes a comment.
        let is_loop_variable = |part: &Expr| {
            matches!(part.ty, Type::Set | Type::Piece)
                && matches!(part.kind, ExprKind::Var(var) if self.loops.is_loop_variable(var))
        };
        let is_plain = declared.ty == Type::String
            && declared.persistent.is_none()
            && !declared.atomic
            && parts.iter().any(is_loop_variable)
            && parts.iter().all(|part| is_text(part) || is_loop_variable(part));
        is_plain.then_some(*var)
    }
}
