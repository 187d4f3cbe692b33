//! Texts that are made where they are read.
//!
//! An assignment `x = str(…)` whose parts are constants and the variables of loops around it only
//! notes the board that it tells of. A read of the variable makes the text, unless an earlier one
//! did, so that no text is made that no filter reads. The reads may look at other boards: the
//! text is still that of the board of the assignment, which is on the stack as long as the
//! conjunction of the assignment is being evaluated.
//!
//! This takes a variable that is assigned once in the query and read only by the filters after the
//! assignment in its conjunction. A filter anywhere else, such as one after the loop or in the
//! next turn of it, could read the text of an earlier board.

use std::collections::HashMap;

use babson_lang::hir::{Expr, ExprKind, Query, Type, Var, VarId};

use super::TextPart;
use super::builder::Builder;
use crate::analysis::{Loops, conjuncts};
use crate::op::{Id, Op, Register};

/// Registers that a deferred text takes, to note its board.
pub(super) const DEFERRED_REGISTERS: usize = 2;

/// A variable whose text is made where it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeferredText {
    /// The first of its registers.
    place: Register,
    /// Where the parts are noted, from when the assignment was compiled.
    text: Option<(Id<TextPart>, u16)>,
}

/// What is known of a variable, in the order of evaluation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextStatus {
    /// It was assigned a text in a conjunction around.
    Assigned,
    /// That conjunction is over.
    Over,
    /// It is used in another way.
    Refused,
}

struct DeferAnalysis<'q> {
    vars: &'q [Var],
    loops: &'q Loops,
    statuses: HashMap<VarId, TextStatus>,
    /// The variables that are [`TextStatus::Assigned`], the innermost last.
    assigned: Vec<VarId>,
    /// All variables that ever were, in order.
    candidates: Vec<VarId>,
}

/// The variables of the query whose texts are made where they are read.
pub(super) fn deferred(query: &Query, loops: &Loops) -> HashMap<VarId, DeferredText> {
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
    let places = (query.vars.len()..).step_by(DEFERRED_REGISTERS);
    let place_of = |place: usize| Register::new(place).unwrap_or(Register::FIRST);
    let numbered = candidates.into_iter().zip(places);
    numbered
        .map(|(var, place)| (var, DeferredText { place: place_of(place), text: None }))
        .collect()
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
        if let ExprKind::Assign { var, .. }
        | ExprKind::Update { var, .. }
        | ExprKind::AssignSlice { var, .. }
        | ExprKind::ForKeys { var, .. }
        | ExprKind::Unbind(var)
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
        let ExprKind::Assign { var, value, if_any: false } = &filter.kind else {
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

impl Builder {
    /// Compiles an assignment whose text is made where it is read, if it is one.
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

    /// Before a read of the variable: makes its text, if that was deferred.
    pub(super) fn make_text(&mut self, var: VarId) {
        if let Some(&DeferredText { place, text: Some((first, len)) }) = self.deferred.get(&var) {
            let var = self.var(var);
            self.emit(Op::MakeText { var, place, first, len });
        }
    }
}
