//! Structural equality of expressions. It ignores their spans and the names of the maps that made
//! them.

use std::hash::{Hash, Hasher};

use super::Expr;

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.ty == other.ty && self.kind == other.kind
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ty.hash(state);
        self.kind.hash(state);
    }
}

/// A value that does not count when nodes are compared: all are equal.
#[derive(Clone, Debug, Default)]
pub struct Uncompared<T>(pub T);

impl<T> PartialEq for Uncompared<T> {
    fn eq(&self, _: &Uncompared<T>) -> bool {
        true
    }
}

impl<T> Eq for Uncompared<T> {}

impl<T> Hash for Uncompared<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
