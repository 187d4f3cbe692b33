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

/// The names of the maps that a copy under a transform went through, without the angle brackets.
///
/// All names are equal, so that copies that differ only in their names are equal.
#[derive(Clone, Debug, Default)]
pub struct TransformName(pub String);

impl PartialEq for TransformName {
    fn eq(&self, _: &TransformName) -> bool {
        true
    }
}

impl Eq for TransformName {}

impl Hash for TransformName {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
