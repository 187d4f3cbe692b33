//! Deferred texts: texts that are made when they are read.
//!
//! An assignment `x = str(…)` of constants and loop variables stores only its board. The first read
//! of the variable makes the text, so that a text that no filter reads is never made. A read may
//! look at another board. The text is that of the board of the assignment, which stays on the stack
//! while the conjunction of the assignment is evaluated.
//!
//! The variable must be assigned once in the query and read only by the filters after the
//! assignment in its conjunction. A filter anywhere else, such as one after the loop, could read
//! the text of an earlier board.

use std::collections::HashMap;

use babson_lang::hir::{Expr, ExprKind, Query, Type, Var, VarId};

use super::builder::Builder;
use crate::analysis::{Loops, conjuncts};
use crate::code::TextPart;
use crate::op::{Id, Op, Register};

/// Registers of a deferred text, which hold its board.
pub(super) const DEFERRED_REGISTERS: usize = 2;

/// The registers and parts of a deferred text.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeferredText {
    /// The first of its registers.
    place: Register,
    /// The first part and their number, once the assignment is compiled.
    text: Option<(Id<TextPart>, u16)>,
}

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

/// The variables of the query whose texts are deferred.
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
