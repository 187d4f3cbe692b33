//! Iteration over the children of an expression.

use super::*;

impl ExprKind {
    /// How many levels of the depth a node of this kind takes. The frames with which `move` is
    /// typed take the stack of two.
    pub(crate) fn levels(&self) -> u16 {
        let is_move = matches!(self, ExprKind::Filter(filter) if filter.keyword == Keyword::Move);
        if is_move { 2 } else { 1 }
    }

    /// Calls `f` for each direct child expression, in the order of the text.
    pub fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        use ExprKind::*;
        match self {
            Error
            | Int(_)
            | Str(_)
            | Result(_)
            | ResultIs(_)
            | Designator(_)
            | AnySquare
            | EmptySet
            | Identity
            | Group(_)
            | GroupIndex(_)
            | NamedGroup(..)
            | Name(_)
            | IsBound { .. }
            | Dictionary { .. } => {}
            Paren(e) | Not(e) | Complement(e) | Negate(e) => f(e),
            Block(items) | LineComment(items) => items.iter().for_each(f),
            Call { args, .. } => args.iter().for_each(f),
            Filter(filter) => filter.for_each_child(f),
            Function { body, .. } | Hook { body, .. } => body.iter().for_each(f),
            Infix { first, rest, .. } => {
                f(first);
                rest.iter().for_each(|tail| f(&tail.right));
            }
            Relation { left, right, .. } | In { left, right, .. } | With { left, right, .. } => {
                f(left);
                f(right);
            }
            Arrows { parts, .. } => parts.iter().for_each(f),
            Index { base, index } => {
                f(base);
                f(index);
            }
            Slice { base, from, to } => {
                f(base);
                from.iter().chain(to).for_each(|e| f(e));
            }
            Match { subject, pattern, .. } => {
                f(subject);
                f(pattern);
            }
            Assign { value, .. } | AssignPiece { value, .. } => f(value),
            AssignIndex { place, value, .. } => {
                f(place);
                f(value);
            }
            Unbind { key, .. } => key.iter().for_each(|e| f(e)),
            DashPrefix { arg, .. } => f(arg),
            Dash(dash) => {
                dash.left.iter().chain(&dash.right).chain(&dash.promotion).for_each(|e| f(e));
                dash.targets.iter().for_each(f);
            }
            Path { head, parts } => {
                head.for_each_child(f);
                parts.iter().for_each(|p| p.for_each_child(f));
            }
            Line { head, parts } => {
                head.for_each_child(f);
                parts.iter().for_each(|p| p.for_each_child(f));
            }
            ForEach { set, body, .. } => {
                f(set);
                f(body);
            }
            If { condition, then, otherwise } => {
                f(condition);
                f(then);
                otherwise.iter().for_each(|e| f(e));
            }
            While { condition, body } => {
                f(condition);
                f(body);
            }
        }
    }
}

impl Filter {
    fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        self.params.iter().flat_map(Param::values).chain(&self.args).for_each(f);
    }
}

impl PathConstituent {
    fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            PathConstituentKind::Step { dash, targets } => {
                f(dash);
                targets.iter().for_each(f);
            }
            PathConstituentKind::Holder(e) => f(e),
            PathConstituentKind::Chain(parts) => parts.iter().for_each(|p| p.for_each_child(f)),
        }
    }
}

impl LineConstituent {
    fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            LineConstituentKind::Filter(e) => f(e),
            LineConstituentKind::Group(parts) => parts.iter().for_each(|p| p.for_each_child(f)),
        }
    }
}
