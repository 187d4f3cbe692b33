//! Whether the value of a filter is used, or only whether it matches.

use crate::hir::{
    BoardChange, Expr, ExprKind, Focus, LineConstituent, LineConstituentKind, OrbitResult,
    PathConstituent, PathConstituentKind, Query, Type,
};

/// The use that is made of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// Only whether it matches is used.
    Match,
    /// Its value is used.
    Value,
}

/// The context of a filter.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterContext {
    /// The use that is made of it.
    pub(super) demand: Demand,
    /// Whether it is part of a `path`.
    pub(super) in_path: bool,
}

/// The use of the last filter in braces, if only a match of the braces is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastOfBraces {
    /// Only whether it matches is used.
    Condition,
    /// Its value is used, since it is the value of the braces.
    Value,
}

/// Calls `see` for each filter of a query, outer filters first. `see` may replace the filter.
pub(super) fn walk(
    query: &mut Query,
    last: LastOfBraces,
    see: &mut dyn FnMut(&mut Expr, FilterContext),
) {
    let mut walk = DemandWalk { last, in_path: false, see };
    for filter in query.begin.iter_mut().chain(&mut query.body).chain(&mut query.end) {
        walk.filter(filter, Demand::Match);
    }
}

struct DemandWalk<'a> {
    last: LastOfBraces,
    in_path: bool,
    see: &'a mut dyn FnMut(&mut Expr, FilterContext),
}

impl DemandWalk<'_> {
    fn condition(&mut self, e: &mut Expr) {
        self.filter(e, Demand::Match);
    }

    fn value(&mut self, e: &mut Expr) {
        self.filter(e, Demand::Value);
    }

    fn filter(&mut self, e: &mut Expr, demand: Demand) {
        (self.see)(e, FilterContext { demand, in_path: self.in_path });
        let ty = e.ty;
        match &mut e.kind {
            ExprKind::Sequence(list) => {
                let Some((last, before)) = list.split_last_mut() else {
                    return;
                };
                before.iter_mut().for_each(|e| self.condition(e));
                match self.last {
                    LastOfBraces::Condition => self.filter(last, demand),
                    LastOfBraces::Value => self.value(last),
                }
            }
            ExprKind::NoTransform(inner) => self.filter(inner, demand),
            ExprKind::Orbit { elements, result, .. } => {
                let demand = match result {
                    OrbitResult::Union | OrbitResult::Max => demand,
                    OrbitResult::Any | OrbitResult::Count(_) => Demand::Match,
                };
                elements.iter_mut().for_each(|e| self.filter(e, demand));
            }
            ExprKind::If { condition, then, otherwise } => {
                self.condition(condition);
                let demand = if ty == Type::Bool { Demand::Match } else { demand };
                self.filter(then, demand);
                if let Some(otherwise) = otherwise {
                    self.filter(otherwise, demand);
                }
            }
            ExprKind::With { position, body } => {
                self.value(position);
                self.filter(body, demand);
            }
            // The value is the greatest one of the body, if that is a number.
            ExprKind::Echo(echo) => {
                let demand = if ty == Type::Number { demand } else { Demand::Match };
                self.filter(&mut echo.body, demand);
            }
            // Without `countmoves`, the value of a dash is that of its target.
            ExprKind::Dash(dash) => {
                dash.dash.operands_mut().for_each(|operand| self.value(operand));
                let demand = if dash.count { Demand::Match } else { demand };
                if let Some(target) = &mut dash.target {
                    self.filter(target, demand);
                }
            }
            ExprKind::Imagine { changes, body } => {
                for change in changes {
                    match change {
                        BoardChange::Place { to, .. } => self.value(to),
                        BoardChange::Swap(one, other) => {
                            self.value(one);
                            self.value(other);
                        }
                        BoardChange::SideToMove(_) => {}
                    }
                }
                self.filter(body, demand);
            }
            ExprKind::SpeculativeMove(speculation) => {
                self.condition(&mut speculation.body);
                speculation.moves.sets_mut().for_each(|set| self.value(set));
            }
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
            ExprKind::Line(line) => self.constituents(&mut line.constituents),
            ExprKind::Path(path) => {
                if let Some(Focus::Pieces { set, .. }) = &mut path.focus {
                    self.value(set);
                }
                path.max.iter_mut().for_each(|max| self.value(max));
                let outside = std::mem::replace(&mut self.in_path, true);
                self.path_constituents(&mut path.constituents);
                self.in_path = outside;
            }
            ExprKind::PositionSequence(steps) => {
                steps.filters.iter_mut().for_each(|filter| self.condition(filter));
            }
            ExprKind::GameLists(lists) => {
                for list in &mut lists.lists {
                    self.condition(&mut list.body);
                    let counted = list.counted.iter_mut().flat_map(|(bodies, _)| bodies);
                    counted.for_each(|body| self.condition(body));
                }
            }
            ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Designator(_)
            | ExprKind::Squares(_)
            | ExprKind::Var(_)
            | ExprKind::Condition(_)
            | ExprKind::Quantity(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Compare(..)
            | ExprKind::Equal(..)
            | ExprKind::Extreme { .. }
            | ExprKind::Direction { .. }
            | ExprKind::Ray { .. }
            | ExprKind::Pin { .. }
            | ExprKind::FenPattern(_)
            | ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::BindPiece { .. }
            | ExprKind::Unbind(_)
            | ExprKind::IsBound(_)
            | ExprKind::Lookup { .. }
            | ExprKind::Store { .. }
            | ExprKind::Erase { .. }
            | ExprKind::DictionaryLen(_)
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::AssignSlice { .. }
            | ExprKind::Match { .. }
            | ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::SimilarPosition
            | ExprKind::CurrentTransform(_)
            | ExprKind::Move(_)
            | ExprKind::ConsecutiveMoves(_)
            | ExprKind::Sort { .. }
            | ExprKind::Comment(_)
            | ExprKind::Field { .. }
            | ExprKind::Message { .. }
            | ExprKind::Str(_)
            | ExprKind::SetTag { .. }
            | ExprKind::RemoveTag(_)
            | ExprKind::HasNag(_)
            | ExprKind::WriteFile { .. }
            | ExprKind::CommandPipe { .. }
            | ExprKind::Pairs(_)
            | ExprKind::Recurrence(_) => {
                e.for_each_operand_mut(&mut |operand| self.value(operand));
            }
        }
    }

    fn constituents(&mut self, constituents: &mut [LineConstituent]) {
        for constituent in constituents {
            match &mut constituent.kind {
                LineConstituentKind::Filter(filter) => self.condition(filter),
                LineConstituentKind::Group(group) => self.constituents(group),
            }
        }
    }

    fn path_constituents(&mut self, parts: &mut [PathConstituent]) {
        for part in parts {
            match &mut part.kind {
                PathConstituentKind::Step { dash, targets } => {
                    dash.operands_mut().for_each(|operand| self.value(operand));
                    targets.iter_mut().for_each(|target| self.condition(target));
                }
                PathConstituentKind::Holder(filter) => self.condition(filter),
                PathConstituentKind::Chain(parts) => self.path_constituents(parts),
            }
        }
    }
}
