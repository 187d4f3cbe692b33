//! Whether the value of a filter is used, or only whether it matches.

use crate::hir::{Component, Demand, Expr, ExprKind, Query, Role};

/// The context of a filter.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterContext {
    /// Whether its surroundings use its value, or only whether it matches.
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
    fn filter(&mut self, e: &mut Expr, demand: Demand) {
        (self.see)(e, FilterContext { demand, in_path: self.in_path });
        let in_path = self.in_path;
        let is_braces = matches!(e.kind, ExprKind::Sequence(_));
        e.for_each_component_mut(&mut |component| match component {
            Component::Operand(operand, role) => {
                let demand = match role {
                    Role::Fixed(demand) => demand,
                    Role::Tail if is_braces && self.last == LastOfBraces::Value => Demand::Value,
                    Role::Tail => demand,
                };
                self.filter(operand, demand);
            }
            Component::PathMoves => self.in_path = true,
            Component::Name(_) | Component::Range(_) | Component::Attribute(_) => {}
        });
        self.in_path = in_path;
    }
}
