//! Structural equality of expressions: where they stand in the text makes no difference, nor does
//! the name of the map that made them.

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
/// All names are equal: copies that differ in nothing else are one copy (language.md 15.2).
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
