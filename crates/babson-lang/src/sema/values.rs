//! Values that nobody asks for: filters that always match where only a match is wanted.
//!
//! CQL 6.2 ends the run when it evaluates such a filter (`3`, `"a"`, a variable, `max(1 2)` …) as a
//! condition. So each one becomes a filter that does.

use crate::hir::{
    Binary, Constituent, ConstituentKind, Expr, ExprKind, Join, Nullary, Query, Type, Unary, Var,
};

/// Makes the bare values of a query stop the run.
pub(super) fn stop(query: &mut Query) {
    let mut walk = Walk { vars: &query.vars };
    for filter in query.begin.iter_mut().chain(&mut query.body).chain(&mut query.end) {
        walk.condition(filter);
    }
}

struct Walk<'a> {
    vars: &'a [Var],
}

impl Walk<'_> {
    /// A filter of which only the match is wanted.
    fn condition(&mut self, e: &mut Expr) {
        if self.always_matches(e) {
            e.kind = ExprKind::Nullary(Nullary::BareValue);
            e.ty = Type::Bool;
            return;
        }
        match &mut e.kind {
            // The last filter of braces is their value, also where that is not wanted.
            ExprKind::Sequence(_) => self.value(e),
            ExprKind::NoTransform(inner) => self.condition(inner),
            ExprKind::Orbit { elements, .. } => {
                elements.iter_mut().for_each(|e| self.condition(e));
            }
            ExprKind::If { condition, then, otherwise } => {
                self.condition(condition);
                self.condition(then);
                if let Some(otherwise) = otherwise {
                    self.condition(otherwise);
                }
            }
            ExprKind::With { position, body } => {
                self.value(position);
                self.condition(body);
            }
            _ => self.inside(e),
        }
    }

    /// A filter whose value is wanted.
    fn value(&mut self, e: &mut Expr) {
        let is_condition = e.ty == Type::Bool;
        match &mut e.kind {
            ExprKind::Sequence(list) => {
                let Some((last, before)) = list.split_last_mut() else {
                    return;
                };
                before.iter_mut().for_each(|e| self.condition(e));
                self.value(last);
            }
            ExprKind::NoTransform(inner) => self.value(inner),
            ExprKind::Orbit { elements, join: Join::Union | Join::Max, .. } => {
                elements.iter_mut().for_each(|e| self.value(e));
            }
            ExprKind::If { condition, then, otherwise } if !is_condition => {
                self.condition(condition);
                self.value(then);
                if let Some(otherwise) = otherwise {
                    self.value(otherwise);
                }
            }
            ExprKind::Orbit { .. } | ExprKind::If { .. } => self.condition(e),
            _ => self.inside(e),
        }
    }

    /// The operands of a filter, as it asks for them.
    fn inside(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Not(a) | ExprKind::Loop(a) | ExprKind::Assert(a) => self.condition(a),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.condition(a);
                self.condition(b);
            }
            ExprKind::While { condition, body } => {
                self.condition(condition);
                self.condition(body);
            }
            ExprKind::ForSquares { set, body, .. } | ExprKind::ForPieces { set, body, .. } => {
                self.value(set);
                self.condition(body);
            }
            ExprKind::ForKeys { body, .. } => self.condition(body),
            ExprKind::ForMatches { subject, pattern, body } => {
                self.value(subject);
                self.value(pattern);
                self.condition(body);
            }
            ExprKind::Find(find) => self.condition(&mut find.body),
            ExprKind::Line(line) => {
                self.constituents(&mut line.constituents);
            }
            // What else there is asks for values.
            _ => e.for_each_operand_mut(&mut |operand| self.value(operand)),
        }
    }

    fn constituents(&mut self, constituents: &mut [Constituent]) {
        for constituent in constituents {
            match &mut constituent.kind {
                ConstituentKind::Filter(filter) => self.condition(filter),
                ConstituentKind::Group(group) => self.constituents(group),
            }
        }
    }

    /// Whether CQL 6.2 takes the filter for a mistake where only its match is wanted.
    fn always_matches(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Str(_)
            | ExprKind::Extreme { .. }
            | ExprKind::CurrentTransform(_)
            | ExprKind::DictionaryLen(_) => true,
            ExprKind::Var(var) => self
                .vars
                .get(var.0 as usize)
                .is_some_and(|var| matches!(var.ty, Type::Number | Type::String | Type::Position)),
            ExprKind::Nullary(which) => matches!(
                which,
                Nullary::Fen
                    | Nullary::PositionId
                    | Nullary::LastGameNumber
                    | Nullary::SideSign
                    | Nullary::SideValue(_)
                    | Nullary::Player(None)
            ),
            ExprKind::Unary(which, _) => matches!(
                which,
                Unary::Abs
                    | Unary::Sqrt
                    | Unary::Type
                    | Unary::TypeName
                    | Unary::PieceName
                    | Unary::Length
                    | Unary::ReadFile
            ),
            ExprKind::Binary(which, ..) => matches!(
                which,
                Binary::Concat | Binary::Distance | Binary::Lca | Binary::SameContent
            ),
            _ => false,
        }
    }
}
