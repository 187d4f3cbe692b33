//! The effects of all nodes of a query.

use std::collections::HashSet;

use babson_lang::hir::{
    Constancy, Content, Effects, Errors, Expr, ExprKind, NodeId, Property, Query, Traits, Type,
    VarId,
};

use super::loops::Loops;

/// The facts of the nodes of a query.
#[derive(Debug)]
pub(crate) struct Analysis {
    /// The effects of each node, by its [`NodeId`].
    effects: Vec<Effects>,
    loops: Loops,
    /// The variables whose texts are deferred.
    deferred: HashSet<VarId>,
    /// Whether the query asks for groups of regular expressions: then each match changes them.
    reads_groups: bool,
    /// Whether a filter outside of all paths asks for the last one: then every path has an effect.
    asks_for_path: bool,
}

impl Analysis {
    /// `deferred`: the variables whose texts are deferred.
    pub(crate) fn new(query: &Query, loops: Loops, deferred: HashSet<VarId>) -> Analysis {
        let is_group =
            |expr: &Expr| matches!(expr.kind, ExprKind::Group(_) | ExprKind::GroupIndex(_));
        let mut analysis = Analysis {
            effects: vec![Effects::default(); query.nodes as usize],
            loops,
            deferred,
            reads_groups: query.body.iter().any(|expr| expr.any(&is_group)),
            asks_for_path: query.body.iter().any(asks_for_path),
        };
        for expr in query.body.iter().chain(&query.begin).chain(&query.end) {
            analysis.add(expr);
        }
        analysis
    }

    /// The effects of a node of the query, or of a copy of it.
    pub(crate) fn effects(&self, expr: &Expr) -> Effects {
        self.effects[index(expr.id)]
    }

    /// Contents of the colors that the piece of a loop variable can have; its kind can change.
    pub(crate) fn colors_of(&self, var: VarId) -> Option<Content> {
        let content = self.loops.content(var)?;
        let all = [Content::WHITE, Content::BLACK].into_iter();
        let found = all.filter(|color| content.0 & color.0 != 0);
        Some(Content(found.fold(0, |sum, color| sum | color.0)))
    }

    /// Returns true if the variable belongs to a loop, and only the loop changes it.
    pub(crate) fn is_loop_variable(&self, var: VarId) -> bool {
        self.loops.is_loop_variable(var)
    }

    /// Whether a `square` or `piece` loop or an `echo` finds its variables unbound, which it
    /// demands. True for other filters.
    pub(crate) fn finds_unbound(&self, expr: &Expr) -> bool {
        self.loops.finds_unbound(expr)
    }

    /// Returns the contents that the piece of a loop variable can have at any position of a game,
    /// given that a pawn can promote. Variants with other changes of a piece are not covered.
    pub(crate) fn pieces_of(&self, var: VarId) -> Option<Content> {
        let content = self.loops.content(var)?;
        let mut sum = 0;
        for (color, pawn) in [(Content::WHITE, 1), (Content::BLACK, 1 << 6)] {
            let kinds = content.0 & color.0;
            sum |= match (kinds, kinds & pawn) {
                (0, _) => 0,
                (_, 0) => kinds | pawn,
                _ => color.0,
            };
        }
        Some(Content(sum))
    }

    /// Finds the effects of the operands of a node, then the effects of the node itself.
    fn add(&mut self, expr: &Expr) -> Effects {
        let Traits { mut effects, repeats, .. } = expr.kind.traits();
        if let ExprKind::Var(var) = &expr.kind {
            effects.errors = match self.loops.is_loop_variable(*var) {
                true => Errors::None,
                false => Errors::Any,
            };
            effects.keeps_text |= self.deferred.contains(var);
        }
        if expr.ty == Type::Position
            && matches!(expr.kind, ExprKind::Var(_) | ExprKind::Lookup { .. })
        {
            // Another position of the game may be there.
            effects.look_ahead = Effects::UNBOUNDED;
        }
        if !self.loops.finds_unbound(expr) {
            effects.errors = Errors::Any;
        }
        if self.reads_groups
            && matches!(expr.kind, ExprKind::Match { .. } | ExprKind::ForMatches { .. })
        {
            effects.state = true;
            effects.keeps_text = true;
        }
        effects.state |= self.asks_for_path && matches!(expr.kind, ExprKind::Path(_));
        let own = effects.constancy;
        let mut operands = Effects { constancy: Constancy::Query, ..Effects::default() };
        let mut again = 0u32;
        // The body looks on from the position that the other operand gives.
        let goes_there = matches!(expr.kind, ExprKind::With { .. });
        expr.for_each_operand(&mut |operand| {
            let inner = self.add(operand);
            operands.comments |= inner.comments;
            operands.keeps_text |= inner.keeps_text;
            operands.state |= inner.state;
            operands.errors = operands.errors.max(inner.errors);
            operands.look_ahead = if goes_there {
                operands.look_ahead.saturating_add(inner.look_ahead)
            } else {
                operands.look_ahead.max(inner.look_ahead)
            };
            operands.constancy = operands.constancy.min(inner.constancy);
            operands.cost = operands.cost.saturating_add(inner.cost);
            again = again.saturating_add(inner.cost_again());
        });
        effects.comments |= operands.comments;
        effects.keeps_text |= operands.keeps_text;
        // The string of a filter may be kept for its next evaluation in the game.
        effects.keeps_text |=
            expr.ty == Type::String && !matches!(expr.kind, ExprKind::Text(_) | ExprKind::Var(_));
        effects.state |= operands.state;
        effects.errors = effects.errors.max(operands.errors);
        effects.look_ahead = effects.look_ahead.saturating_add(operands.look_ahead);
        effects.constancy = match effects.comments || effects.state {
            true => Constancy::None,
            false => own.min(operands.constancy),
        };
        if effects.constancy < Constancy::Game {
            operands.cost = again;
        }
        effects.cost = effects.cost.saturating_add(operands.cost.saturating_mul(repeats));
        self.effects[index(expr.id)] = effects;
        effects
    }
}

fn index(id: NodeId) -> usize {
    id.0 as usize
}

/// Whether the filter asks for the last path of the game.
pub(super) fn asks_for_path(expr: &Expr) -> bool {
    // Within a path the question is about that path.
    if let ExprKind::Path(path) = &expr.kind {
        return path.before().any(asks_for_path);
    }
    let mut asks = matches!(expr.kind, ExprKind::Property(Property::Path(_)));
    expr.for_each_operand(&mut |operand| asks = asks || asks_for_path(operand));
    asks
}
