//! Sets of squares: on which squares the value of a filter can lie, by what stands there.

use babson_chess::SquareSet;
use babson_lang::hir::{Content, Expr, SetShape, VarId};

/// Contents of a square: twelve pieces and none, numbered as the bits of `Content`.
pub(crate) const CONTENTS: usize = 13;

/// All squares, whatever stands there.
const FULL: [u64; CONTENTS] = [!0; CONTENTS];

/// The pawns of both colors.
const PAWNS: Content = Content(0x41);

const LIGHT: u64 = SquareSet::LIGHT.0;

/// The squares where the value can lie, for each content of a square.
pub(crate) fn superset(expr: &Expr) -> [u64; CONTENTS] {
    superset_with(expr, &|_| FULL)
}

/// The same, where more is known: passed pawns are pawns, and `piece_of` tells which contents the
/// piece of a variable may have.
pub(crate) fn superset_of_pieces(
    expr: &Expr,
    piece_of: &dyn Fn(VarId) -> Option<Content>,
) -> [u64; CONTENTS] {
    superset_with(expr, &|shape| match shape {
        SetShape::PassedPawns => of_content(PAWNS, !0),
        SetShape::PieceOf(var) => piece_of(var).map_or(FULL, |content| of_content(content, !0)),
        SetShape::Designator(_)
        | SetShape::Squares(_)
        | SetShape::Same(_)
        | SetShape::Intersection(..)
        | SetShape::Union(..)
        | SetShape::UnionOf(_)
        | SetShape::Light(_)
        | SetShape::Dark(_)
        | SetShape::Among(_)
        | SetShape::AmongMoved(_)
        | SetShape::Other => FULL,
    })
}

/// The same, with the squares of shapes that are not made of other sets and not constant.
fn superset_with<'e>(
    expr: &'e Expr,
    other: &dyn Fn(SetShape<'e>) -> [u64; CONTENTS],
) -> [u64; CONTENTS] {
    let of = |set: &'e Expr| superset_with(set, other);
    match SetShape::of(expr) {
        SetShape::Designator(found) => of_content(found.content, found.squares),
        SetShape::Squares(squares) => [squares; CONTENTS],
        SetShape::Same(set) | SetShape::Among(set) | SetShape::AmongMoved(set) => of(set),
        SetShape::Intersection(a, b) => {
            let (a, b) = (of(a), of(b));
            std::array::from_fn(|content| a[content] & b[content])
        }
        SetShape::Union(a, b) => union(of(a), of(b)),
        SetShape::UnionOf(elements) => {
            elements.iter().fold([0; CONTENTS], |sum, element| union(sum, of(element)))
        }
        SetShape::Light(set) => of(set).map(|squares| squares & LIGHT),
        SetShape::Dark(set) => of(set).map(|squares| squares & !LIGHT),
        shape @ (SetShape::PassedPawns | SetShape::PieceOf(_) | SetShape::Other) => other(shape),
    }
}

/// Whether [`superset`] is the value itself.
pub(crate) fn is_exact(expr: &Expr) -> bool {
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
pub(crate) fn of_content(content: Content, squares: u64) -> [u64; CONTENTS] {
    std::array::from_fn(|bit| if content.0 >> bit & 1 != 0 { squares } else { 0 })
}

pub(crate) fn union(a: [u64; CONTENTS], b: [u64; CONTENTS]) -> [u64; CONTENTS] {
    std::array::from_fn(|content| a[content] | b[content])
}
