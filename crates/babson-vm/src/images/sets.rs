//! Sets of squares: on which squares the value of a filter can lie, by what stands there.

use babson_chess::SquareSet;
use babson_lang::hir::{Content, Expr};

use super::CONTENTS;
use crate::analysis::SetShape;

/// All squares, whatever stands there.
const FULL: [u64; CONTENTS] = [!0; CONTENTS];

const LIGHT: u64 = SquareSet::LIGHT.0;

/// The squares where the value can lie, for each content of a square.
pub(super) fn superset(expr: &Expr) -> [u64; CONTENTS] {
    match SetShape::of(expr) {
        SetShape::Designator(found) => of_content(found.content, found.squares),
        SetShape::Squares(squares) => [squares; CONTENTS],
        SetShape::Same(set) | SetShape::Among(set) | SetShape::AmongMoved(set) => superset(set),
        SetShape::Intersection(a, b) => {
            let (a, b) = (superset(a), superset(b));
            std::array::from_fn(|content| a[content] & b[content])
        }
        SetShape::Union(a, b) => union(superset(a), superset(b)),
        SetShape::UnionOf(elements) => {
            elements.iter().fold([0; CONTENTS], |sum, element| union(sum, superset(element)))
        }
        SetShape::Light(set) => superset(set).map(|squares| squares & LIGHT),
        SetShape::Dark(set) => superset(set).map(|squares| squares & !LIGHT),
        SetShape::PassedPawns | SetShape::PieceOf(_) | SetShape::Other => FULL,
    }
}

/// Whether [`superset`] is the value itself.
pub(super) fn is_exact(expr: &Expr) -> bool {
    match SetShape::of(expr) {
        SetShape::Designator(_) | SetShape::Squares(_) => true,
        SetShape::Same(set) | SetShape::Light(set) | SetShape::Dark(set) => is_exact(set),
        SetShape::Intersection(a, b) | SetShape::Union(a, b) => is_exact(a) && is_exact(b),
        SetShape::UnionOf(elements) => elements.iter().all(is_exact),
        SetShape::PassedPawns
        | SetShape::Among(_)
        | SetShape::AmongMoved(_)
        | SetShape::PieceOf(_)
        | SetShape::Other => false,
    }
}

/// The squares, for the contents.
pub(super) fn of_content(content: Content, squares: u64) -> [u64; CONTENTS] {
    std::array::from_fn(|bit| if content.0 >> bit & 1 != 0 { squares } else { 0 })
}

pub(super) fn union(a: [u64; CONTENTS], b: [u64; CONTENTS]) -> [u64; CONTENTS] {
    std::array::from_fn(|content| a[content] | b[content])
}
