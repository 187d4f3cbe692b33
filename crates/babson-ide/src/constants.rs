//! The values of constant expressions.

use babson_lang::Understanding;
use babson_lang::ast::{Arithmetic, AssignOp, Expr, ExprKind, Ident, InfixOp, Query};
use babson_lang::hir::Content;

use crate::limits::{MAX_CONSTANTS, MAX_SHOWN_TEXT};
use crate::squares;

/// The value of a constant expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    Number(i32),
    Text(String),
    /// Squares, whatever stands on them.
    Squares(u64),
}

impl Constant {
    /// The value as a reader sees it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Constant::Number(number) => number.to_string(),
            Constant::Text(text) => {
                let shown: String = text.chars().take(MAX_SHOWN_TEXT).collect();
                let rest = if shown.len() < text.len() { " …" } else { "" };
                format!("{shown:?}{rest}")
            }
            Constant::Squares(mask) => squares::list(*mask),
        }
    }
}

/// Evaluates constant expressions of a query.
pub(crate) struct Constants<'q> {
    query: &'q Query,
    /// The number of names that can still be resolved.
    left: usize,
}

/// The value of a name that the query assigns once, if it is constant.
pub(crate) fn value_of_name(known: &Understanding, name: &str) -> Option<Constant> {
    let query = known.tree.as_ref()?;
    Constants { query, left: MAX_CONSTANTS }.name(name)
}

/// The value of the expression at a place, if it is constant and not a literal itself.
pub(crate) fn value_at(known: &Understanding, place: babson_lang::Span) -> Option<Constant> {
    let query = known.tree.as_ref()?;
    let mut found = None;
    for item in &query.items {
        at(item, place, &mut found);
    }
    let e = found?;
    let is_literal = matches!(
        e.kind,
        ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::Designator(_) | ExprKind::AnySquare
    );
    let mut constants = Constants { query, left: MAX_CONSTANTS };
    if is_literal { None } else { constants.value(e) }
}

/// Finds the expression at a place.
fn at<'q>(e: &'q Expr, place: babson_lang::Span, found: &mut Option<&'q Expr>) {
    if e.span == place && found.is_none() {
        *found = Some(e);
    }
    if e.span.start <= place.start && place.end <= e.span.end && found.is_none() {
        e.kind.for_each_child(&mut |child| at(child, place, found));
    }
}

impl Constants<'_> {
    fn value(&mut self, e: &Expr) -> Option<Constant> {
        if let ExprKind::Paren(inner) = &e.kind {
            self.value(inner)
        } else if let ExprKind::Int(number) = e.kind {
            Some(Constant::Number(number))
        } else if let ExprKind::Str(text) = &e.kind {
            Some(Constant::Text(text.clone()))
        } else if let ExprKind::Designator(designator) = &e.kind {
            let is_constant = designator.pieces == Content::ANY;
            is_constant.then_some(Constant::Squares(designator.squares))
        } else if e.kind == ExprKind::AnySquare {
            Some(Constant::Squares(!0))
        } else if e.kind == ExprKind::EmptySet {
            Some(Constant::Squares(0))
        } else if let ExprKind::Negate(inner) = &e.kind {
            match self.value(inner)? {
                Constant::Number(number) => Some(Constant::Number(number.wrapping_neg())),
                Constant::Text(_) | Constant::Squares(_) => None,
            }
        } else if let ExprKind::Complement(inner) = &e.kind {
            match self.value(inner)? {
                Constant::Squares(mask) => Some(Constant::Squares(!mask)),
                Constant::Text(_) | Constant::Number(_) => None,
            }
        } else if let ExprKind::Infix { first, rest, .. } = &e.kind {
            let first = self.value(first)?;
            rest.iter().try_fold(first, |left, operand| {
                joined(left, operand.op, self.value(&operand.right)?)
            })
        } else if let ExprKind::Name(name) = &e.kind {
            self.name(name)
        } else {
            None
        }
    }

    /// The value of a name, if one assignment alone gives it a value.
    fn name(&mut self, name: &str) -> Option<Constant> {
        self.left = self.left.checked_sub(1)?;
        let mut assigned = Assigned { name, value: None, count: 0 };
        self.query.items.iter().for_each(|item| assigned.read(item));
        let value = assigned.value.filter(|_| assigned.count == 1)?;
        self.value(value)
    }
}

/// What a query does with a name.
struct Assigned<'n, 'q> {
    name: &'n str,
    value: Option<&'q Expr>,
    /// How often something gives it a value.
    count: usize,
}

impl<'q> Assigned<'_, 'q> {
    fn read(&mut self, e: &'q Expr) {
        if let ExprKind::Assign { name, op, value, .. } = &e.kind
            && name.name == self.name
        {
            self.count += 1;
            self.value = (*op == AssignOp::Set).then_some(value);
        }
        if self.binds_otherwise(e) {
            self.count += 2;
        }
        e.kind.for_each_child(&mut |child| self.read(child));
    }

    /// Whether something else than an assignment changes the name.
    fn binds_otherwise(&self, e: &Expr) -> bool {
        let is_it = |name: &Ident| name.name == self.name;
        if let ExprKind::AssignPiece { name, .. }
        | ExprKind::ForEach { name, .. }
        | ExprKind::Unbind { name, .. } = &e.kind
        {
            is_it(name)
        } else if let ExprKind::Function { params, .. } = &e.kind {
            params.iter().any(is_it)
        } else if let ExprKind::Filter(filter) = &e.kind {
            filter.names().any(is_it)
        } else if let ExprKind::AssignIndex { place, .. } = &e.kind {
            let base = |e: &Expr| matches!(&e.kind, ExprKind::Name(name) if name == self.name);
            let mut is_changed = false;
            place.kind.for_each_child(&mut |child| is_changed |= base(child));
            is_changed
        } else {
            false
        }
    }
}

/// The result of an operator; `None` where it has none.
fn joined(left: Constant, op: InfixOp, right: Constant) -> Option<Constant> {
    match (left, op, right) {
        (Constant::Number(left), InfixOp::Arithmetic(op), Constant::Number(right)) => {
            let value = match op {
                Arithmetic::Add => left.wrapping_add(right),
                Arithmetic::Subtract => left.wrapping_sub(right),
                Arithmetic::Multiply => left.wrapping_mul(right),
                Arithmetic::Divide if right != 0 => left.wrapping_div(right),
                Arithmetic::Remainder if right != 0 => left.wrapping_rem(right),
                Arithmetic::Divide | Arithmetic::Remainder => return None,
            };
            Some(Constant::Number(value))
        }
        (Constant::Text(left), InfixOp::Arithmetic(Arithmetic::Add), Constant::Text(right)) => {
            Some(Constant::Text(left + &right))
        }
        (Constant::Squares(left), InfixOp::Union, Constant::Squares(right)) => {
            Some(Constant::Squares(left | right))
        }
        (Constant::Squares(left), InfixOp::Intersect, Constant::Squares(right)) => {
            Some(Constant::Squares(left & right))
        }
        _ => None,
    }
}
