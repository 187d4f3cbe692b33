//! Transforms: `flip f` becomes the set of distinct specialisations of f (language.md 15).
//!
//! A transform is a list of [`Map`]s of the board. Each makes a copy of the operand; copies that
//! came out equal are merged, a copy that lost a designator off the board is dropped, and the rest
//! stand in canonical order in an [`ExprKind::Orbit`]. The machine knows nothing of transforms.

mod map;
mod specialise;

use std::hash::{Hash, Hasher};

pub use map::Map;

use super::{Bound, Expr, ExprKind, Join, Range, Type};
use crate::diagnostic::Span;

/// The transform filters (language.md 15.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Transform {
    FlipVertical,
    FlipHorizontal,
    Flip,
    Rotate90,
    Rotate45,
    FlipColor,
    Shift,
    ShiftHorizontal,
    ShiftVertical,
    ReverseColor,
}

/// Why a filter cannot be transformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransformError {
    /// `rotate45` over a designator that names squares, or over `light`/`dark`.
    #[error("`rotate45` turns directions only; this filter names squares")]
    Rotate45OnSquares(Span),
    /// The copies together would be too large.
    #[error("the transforms around this filter make too many copies of it")]
    TooLarge(Span),
}

impl TransformError {
    /// The filter to blame.
    pub fn span(&self) -> Span {
        match self {
            TransformError::Rotate45OnSquares(span) | TransformError::TooLarge(span) => *span,
        }
    }
}

/// Bound on maps times nodes of one transform: a query beyond it is a mistake, not a theme.
const MAX_NODES: usize = 4_000_000;

/// The maps and the operand that an orbit was made from.
///
/// Only for the merging of directly nested transforms (language.md 15.4), so all origins are equal.
#[derive(Clone, Debug, Default)]
pub struct Origin(Option<Box<(Vec<Map>, Expr)>>);

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

impl Eq for Origin {}

impl Hash for Origin {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// `transform [range] operand`, expanded.
///
/// # Errors
/// When the operand cannot be transformed, or the copies would be too many.
pub fn orbit(
    transform: Transform,
    range: Option<Range>,
    operand: Expr,
    span: Span,
) -> Result<Expr, TransformError> {
    let outer = map::maps(transform);
    let (maps, operand, join) = match (range, take_origin(operand)) {
        (None, Ok((inner, operand, join))) => {
            let limit = MAX_NODES / specialise::size(&operand);
            let maps = map::compose(&outer, &inner, limit);
            (maps.ok_or(TransformError::TooLarge(span))?, operand, join)
        }
        (Some(range), Ok((inner, operand, join))) => {
            // A range of its own keeps this transform apart from the one inside.
            let ty = orbit_type(&operand, join);
            let inner_orbit = expand(inner, operand, join, ty, span)?;
            (outer, inner_orbit, Join::Count(range))
        }
        (range, Err(operand)) => {
            let join = match (range, operand.ty) {
                (Some(range), _) => Join::Count(range),
                (None, Type::Set | Type::Piece) => Join::Union,
                (None, Type::Number) => Join::Max,
                (None, Type::Bool | Type::String | Type::Position) => Join::Any,
            };
            (outer, operand, join)
        }
    };
    let ty = orbit_type(&operand, join);
    expand(maps, operand, join, ty, span)
}

fn orbit_type(operand: &Expr, join: Join) -> Type {
    match join {
        Join::Union => operand.ty,
        Join::Max | Join::Count(_) => Type::Number,
        Join::Any => Type::Bool,
    }
}

/// The parts of an orbit that stands directly here, perhaps in a pair of braces of its own.
fn take_origin(operand: Expr) -> Result<(Vec<Map>, Expr, Join), Expr> {
    match operand.kind {
        ExprKind::Sequence(mut list) if list.len() == 1 => {
            let inner = list.pop().expect("the length was tested");
            take_origin(inner)
        }
        ExprKind::Orbit {
            join,
            origin: Origin(Some(origin)),
            ..
        } => {
            let (maps, operand) = *origin;
            Ok((maps, operand, join))
        }
        _ => Err(operand),
    }
}

fn expand(
    maps: Vec<Map>,
    operand: Expr,
    join: Join,
    ty: Type,
    span: Span,
) -> Result<Expr, TransformError> {
    if maps.len().saturating_mul(specialise::size(&operand)) > MAX_NODES {
        return Err(TransformError::TooLarge(span));
    }
    let mut copies: Vec<(Vec<u64>, Expr)> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for map in &maps {
        let mut copy = operand.clone();
        if !specialise::specialise(&mut copy, map)? {
            continue;
        }
        let key = specialise::key(&copy);
        if seen.insert(key.clone()) {
            copies.push((key, copy));
        }
    }
    copies.sort_by(|a, b| a.0.cmp(&b.0));
    let elements = copies.into_iter().map(|(_, copy)| copy).collect();
    let origin = Origin(Some(Box::new((maps, operand))));
    Ok(Expr {
        kind: ExprKind::Orbit {
            elements,
            join,
            origin,
        },
        ty,
        span,
    })
}

/// `count`: any number, none included.
pub const COUNT: Range = Range {
    min: Bound::Const(-100_000),
    max: Bound::Const(100_000),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::{Content, Designator, Directions, Unary};

    const HERE: Span = Span { start: 0, end: 0 };

    fn designator(squares: u64, content: Content) -> Expr {
        let kind = ExprKind::Designator(Designator { squares, content });
        Expr {
            kind,
            ty: Type::Set,
            span: HERE,
        }
    }

    fn elements(expr: &Expr) -> &[Expr] {
        match &expr.kind {
            ExprKind::Orbit { elements, .. } => elements,
            _ => panic!("not an orbit"),
        }
    }

    fn squares(expr: &Expr) -> Vec<u64> {
        elements(expr)
            .iter()
            .map(|e| match e.kind {
                ExprKind::Designator(d) => d.squares,
                _ => panic!("not a designator"),
            })
            .collect()
    }

    #[test]
    fn flip_of_a_corner_has_four_copies_in_square_order() {
        let orbit = orbit(Transform::Flip, None, designator(1, Content::WHITE), HERE).unwrap();
        assert_eq!(squares(&orbit), [1, 1 << 7, 1 << 56, 1 << 63]);
        assert_eq!(orbit.ty, Type::Set);
    }

    #[test]
    fn shift_keeps_full_lines_and_drops_what_leaves_the_board() {
        let file_a = 0x0101_0101_0101_0101;
        let up = orbit(
            Transform::ShiftVertical,
            None,
            designator(file_a, Content::WHITE),
            HERE,
        );
        assert_eq!(squares(&up.unwrap()), [file_a]);
        let along = orbit(
            Transform::ShiftHorizontal,
            None,
            designator(file_a, Content::WHITE),
            HERE,
        );
        assert_eq!(elements(&along.unwrap()).len(), 8);
        // language.md 15.5: `shift count [a1,b2]` has 77 distinct copies.
        let pair = orbit(
            Transform::Shift,
            None,
            designator(1 | 1 << 9, Content::ANY),
            HERE,
        );
        assert_eq!(elements(&pair.unwrap()).len(), 77);
    }

    #[test]
    fn nested_transforms_merge_unless_the_outer_has_a_range() {
        let inner = || {
            orbit(
                Transform::Rotate90,
                Some(COUNT),
                designator(1, Content::WHITE),
                HERE,
            )
            .unwrap()
        };
        let merged = orbit(Transform::FlipColor, None, inner(), HERE).unwrap();
        assert_eq!(elements(&merged).len(), 8);
        let two = Range {
            min: Bound::Const(2),
            max: Bound::Const(2),
        };
        let nested = orbit(Transform::FlipColor, Some(two), inner(), HERE).unwrap();
        assert_eq!(elements(&nested).len(), 2);
    }

    #[test]
    fn reversecolor_has_no_identity() {
        let pawn = designator(1 << 8, Content(1));
        let reversed = orbit(Transform::ReverseColor, None, pawn, HERE).unwrap();
        assert_eq!(elements(&reversed), [designator(1 << 48, Content(1 << 6))]);
    }

    #[test]
    fn rotate45_turns_directions_and_refuses_squares() {
        let up = Expr {
            kind: ExprKind::Direction {
                directions: Directions(1),
                range: COUNT,
                set: Box::new(designator(!0, Content::WHITE)),
            },
            ty: Type::Set,
            span: HERE,
        };
        assert_eq!(
            elements(&orbit(Transform::Rotate45, None, up, HERE).unwrap()).len(),
            8
        );
        let square = orbit(
            Transform::Rotate45,
            None,
            designator(1, Content::WHITE),
            HERE,
        );
        assert!(square.is_err());
        let light = Expr {
            kind: ExprKind::Unary(Unary::Light, Box::new(designator(!0, Content::WHITE))),
            ty: Type::Set,
            span: HERE,
        };
        assert!(orbit(Transform::Rotate45, None, light, HERE).is_err());
    }
}
