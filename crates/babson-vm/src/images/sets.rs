//! Sets of squares: on which squares the value of a filter can lie, by what stands there.

use babson_chess::SquareSet;
use babson_lang::hir::{Binary, Content, Expr, ExprKind, Join, Move, MoveResult, PinValue, Unary};

use super::CONTENTS;

/// All squares, whatever stands there.
const FULL: [u64; CONTENTS] = [!0; CONTENTS];

const LIGHT: u64 = SquareSet::LIGHT.0;

/// The squares where the value can lie, for each content of a square.
pub(super) fn superset(expr: &Expr) -> [u64; CONTENTS] {
    match &expr.kind {
        ExprKind::Designator(found) => of_content(found.content, found.squares),
        ExprKind::Squares(squares) => [*squares; CONTENTS],
        ExprKind::NoTransform(inner) => superset(inner),
        ExprKind::Binary(Binary::Intersection, a, b) => {
            let (a, b) = (superset(a), superset(b));
            std::array::from_fn(|content| a[content] & b[content])
        }
        ExprKind::Binary(Binary::Union, a, b) => union(superset(a), superset(b)),
        // Their values are of the first set.
        ExprKind::Binary(Binary::Attacks | Binary::AttackedBy, set, _) => superset(set),
        ExprKind::ForSquares { set, all: false, .. }
        | ExprKind::ForPieces { set, all: false, .. } => superset(set),
        ExprKind::Unary(Unary::Light, set) => superset(set).map(|squares| squares & LIGHT),
        ExprKind::Unary(Unary::Dark, set) => superset(set).map(|squares| squares & !LIGHT),
        ExprKind::Orbit { elements, join: Join::Union, .. } => {
            elements.iter().fold([0; CONTENTS], |sum, element| union(sum, superset(element)))
        }
        ExprKind::Ray { first, sets, .. } => {
            let end = if *first { sets.first() } else { sets.last() };
            end.map_or(FULL, superset)
        }
        ExprKind::Pin { from, through, to, value } => superset(match value {
            PinValue::From => from,
            PinValue::Through => through,
            PinValue::To => to,
        }),
        ExprKind::Move(found) => moved(found),
        _ => FULL,
    }
}

/// The squares of a move that is played next; they are looked at before it.
fn moved(found: &Move) -> [u64; CONTENTS] {
    use babson_lang::hir::MoveSource;
    let set = match (found.source, found.result) {
        (MoveSource::Played, MoveResult::From) => &found.from,
        (MoveSource::Played, MoveResult::To) => &found.to,
        (MoveSource::Played, MoveResult::Capture) => &found.capture,
        _ => &None,
    };
    set.as_ref().map_or(FULL, superset)
}

/// Whether [`superset`] is the value itself.
pub(super) fn is_exact(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Designator(_) | ExprKind::Squares(_) => true,
        ExprKind::NoTransform(inner) => is_exact(inner),
        ExprKind::Binary(Binary::Intersection | Binary::Union, a, b) => is_exact(a) && is_exact(b),
        ExprKind::Unary(Unary::Light | Unary::Dark, set) => is_exact(set),
        ExprKind::Orbit { elements, join: Join::Union, .. } => elements.iter().all(is_exact),
        _ => false,
    }
}

/// The squares, for the contents.
pub(super) fn of_content(content: Content, squares: u64) -> [u64; CONTENTS] {
    std::array::from_fn(|bit| if content.0 >> bit & 1 != 0 { squares } else { 0 })
}

pub(super) fn union(a: [u64; CONTENTS], b: [u64; CONTENTS]) -> [u64; CONTENTS] {
    std::array::from_fn(|content| a[content] | b[content])
}
