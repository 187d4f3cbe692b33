//! The variables of loops.

use std::collections::HashMap;

use babson_lang::hir::{
    Content, EchoFilter, Expr, ExprKind, MoveSource, NameUse, VarId, VariableUse,
};

/// The variables of `square` and `piece` loops that are read inside these loops only, so that
/// they are never unbound; with the contents of the sets they run through. `None`: other
/// variables.
#[derive(Debug, Default)]
pub(crate) struct Loops(HashMap<VarId, Option<Content>>);

/// Whether the filter itself goes to an earlier position.
fn looks_back(expr: &Expr) -> bool {
    if let ExprKind::Find(find) = &expr.kind {
        find.backward
    } else if let ExprKind::Line(line) = &expr.kind {
        line.backward
    } else if let ExprKind::Dash(filter) = &expr.kind {
        filter.previous
    } else if let ExprKind::Move(filter) = &expr.kind {
        filter.source == MoveSource::Previous
    } else {
        false
    }
}

impl Loops {
    pub(crate) fn of(body: &[Expr]) -> Loops {
        let mut loops = Loops::default();
        for expr in body {
            loops.add(expr, &mut Vec::new());
        }
        loops
    }

    /// Returns true if the variable belongs to a loop, and only the loop changes it.
    pub(crate) fn is_loop_variable(&self, var: VarId) -> bool {
        self.content(var).is_some()
    }

    /// Whether the filter, if it is a `square` or `piece` loop or an `echo`, finds its variables
    /// unbound, which it demands.
    pub(super) fn finds_unbound(&self, expr: &Expr) -> bool {
        let (vars, body): (&[VarId], _) = if let ExprKind::ForSquares { var, body, .. }
        | ExprKind::ForPieces { var, body, .. } = &expr.kind
        {
            (&[*var], &**body)
        } else if let ExprKind::Echo(echo) = &expr.kind {
            (&[echo.source, echo.target], &echo.body)
        } else {
            return true;
        };
        let binds = |inner: &Expr| {
            let mut binds = false;
            inner.for_each_name(&mut |name| {
                binds |= vars.iter().any(|&var| name == NameUse::Variable(var, VariableUse::Loop));
            });
            let echoed =
                |echo: &EchoFilter| vars.contains(&echo.source) || vars.contains(&echo.target);
            binds || matches!(&inner.kind, ExprKind::Echo(echo) if echoed(echo))
        };
        vars.iter().all(|&var| self.is_loop_variable(var)) && !body.any(&binds)
    }

    /// The contents of the sets that the loops of the variable run through. If the loop looks at
    /// earlier positions, all kinds of their colors.
    pub(super) fn content(&self, var: VarId) -> Option<Content> {
        self.0.get(&var).copied().flatten()
    }

    /// `bound`: the variables of the loops around.
    fn add(&mut self, expr: &Expr, bound: &mut Vec<VarId>) {
        if let ExprKind::ForSquares { var, set, body, .. }
        | ExprKind::ForPieces { var, set, body, .. } = &expr.kind
        {
            let mut content = if let ExprKind::Designator(found) = &set.kind {
                found.content
            } else {
                Content::ANY
            };
            // Before the promotion of a pawn, other variations may promote it to another kind.
            if body.any(&looks_back) {
                for color in [Content::WHITE, Content::BLACK] {
                    content.0 |= if content.0 & color.0 != 0 { color.0 } else { 0 };
                }
            }
            if let Some(known) = self.0.entry(*var).or_insert(Some(Content(0))) {
                known.0 |= content.0;
            }
            self.add(set, bound);
            bound.push(*var);
            self.add(body, bound);
            bound.pop();
            return;
        }
        // The two positions of an `echo` are bound inside it as well.
        if let ExprKind::Echo(echo) = &expr.kind {
            for var in [echo.source, echo.target] {
                self.0.entry(var).or_insert(Some(Content(0)));
                bound.push(var);
            }
            self.add(&echo.body, bound);
            bound.truncate(bound.len() - 2);
            return;
        }
        expr.for_each_name(&mut |name| {
            if let NameUse::Variable(var, how) = name
                && (how != VariableUse::Read || !bound.contains(&var))
            {
                self.0.insert(var, None);
            }
        });
        expr.for_each_operand(&mut |operand| self.add(operand, bound));
    }
}
