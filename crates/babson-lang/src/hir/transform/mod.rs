//! Transforms: `flip f` becomes the set of distinct specializations of f
//! (docs/src/language/transforms.md#transforms).
//!
//! A transform is a list of [`TransformMap`]s. Each makes a copy of the operand. Equal copies are
//! merged, a copy with a designator off the board is dropped, and the others form an
//! [`ExprKind::Orbit`] in canonical order. The machine has no transforms.

mod map;
mod specialize;
mod symmetry;

pub use map::TransformMap;
pub(crate) use specialize::size;
pub use symmetry::Symmetry;

use super::{Expr, ExprKind, NumberRange, OrbitResult, Type, Uncompared};
use crate::diagnostic::Span;
use crate::limits::{COPY_STEPS, MAX_COPIED};

/// The transform filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
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

/// The reason why a filter cannot be transformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransformError {
    /// `rotate45` over a designator that names squares, or over `light`/`dark`.
    #[error("`rotate45` turns directions only; this filter names squares")]
    Rotate45OnSquares(Span),
    /// The copies that the transforms of the query make would be too many.
    #[error("the transforms up to here make too many copies")]
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

/// The operand and the maps of an orbit.
///
/// They serve only to merge directly nested transforms and to label filters as the query writes
/// them, so all sources are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OrbitSource(Uncompared<Option<Box<UnexpandedOrbit>>>);

#[derive(Clone, Debug)]
struct UnexpandedOrbit {
    /// The first map of each distinct copy, in the order of the maps. An enclosing transform does
    /// not need the others, whose copies remain equal to these or off the board.
    maps: Vec<TransformMap>,
    /// The transforms whose maps these are, the innermost first.
    transforms: Vec<Transform>,
    operand: Expr,
}

impl OrbitSource {
    /// The operand as the query writes it, unless an enclosing transform has copied the orbit.
    pub fn operand(&self) -> Option<&Expr> {
        self.0.0.as_deref().map(|orbit| &orbit.operand)
    }

    /// The transforms of the operand, the innermost first.
    pub fn transforms(&self) -> &[Transform] {
        self.0.0.as_deref().map_or(&[], |orbit| &orbit.transforms)
    }
}

/// Expands `transform [range] operand`. The number of nodes of all copies, including equal ones and
/// those that leave the board, is added to `copied`.
///
/// # Errors
/// The operand cannot be transformed, or there would be too many copies.
pub fn orbit(
    transform: Transform,
    range: Option<NumberRange>,
    operand: Expr,
    span: Span,
    copied: &mut usize,
) -> Result<Expr, TransformError> {
    let outer = map::maps(transform);
    match (range, take_source(operand)) {
        (None, Ok((inner, result))) => {
            let nodes = size(&inner.operand);
            let pairs = outer.len().saturating_mul(inner.maps.len());
            charge(copied, pairs, nodes).ok_or(TransformError::TooLarge(span))?;
            let maps = map::compose(&outer, &inner.maps);
            let mut transforms = inner.transforms;
            transforms.push(transform);
            expand(maps, transforms, inner.operand, result, span)
        }
        (Some(range), Ok((inner, result))) => {
            // A transform with a range does not merge with the inner one.
            let UnexpandedOrbit { maps, transforms, operand } = inner;
            let inner_orbit = around(maps, transforms, operand, result, span, copied)?;
            let result = OrbitResult::Count(range);
            around(outer, vec![transform], inner_orbit, result, span, copied)
        }
        (range, Err(operand)) => {
            let result = match (range, operand.ty) {
                (Some(range), _) => OrbitResult::Count(range),
                (None, Type::Set | Type::Piece) => OrbitResult::Union,
                (None, Type::Number) => OrbitResult::Max,
                (None, Type::Bool | Type::String | Type::Position) => OrbitResult::Any,
            };
            around(outer, vec![transform], operand, result, span, copied)
        }
    }
}

/// The orbit under maps that do not merge with another transform.
fn around(
    maps: Vec<TransformMap>,
    transforms: Vec<Transform>,
    operand: Expr,
    result: OrbitResult,
    span: Span,
    copied: &mut usize,
) -> Result<Expr, TransformError> {
    charge(copied, maps.len(), size(&operand)).ok_or(TransformError::TooLarge(span))?;
    expand(maps, transforms, operand, result, span)
}

/// Adds the cost of `copies` of a filter of `nodes` nodes to `copied`, before they are made.
/// Returns `None` if that would exceed [`MAX_COPIED`].
pub fn charge(copied: &mut usize, copies: usize, nodes: usize) -> Option<()> {
    let all = copied.saturating_add(copies.saturating_mul(COPY_STEPS.saturating_add(nodes)));
    if all > MAX_COPIED {
        return None;
    }
    *copied = all;
    Some(())
}

/// The source of the orbit that this expression is, perhaps in braces.
fn take_source(mut operand: Expr) -> Result<(UnexpandedOrbit, OrbitResult), Expr> {
    if let ExprKind::Sequence(list) = &mut operand.kind
        && list.len() == 1
        && let Some(inner) = list.pop()
    {
        return take_source(inner);
    }
    if let ExprKind::Orbit { result, source: OrbitSource(Uncompared(source)), .. } =
        &mut operand.kind
        && let Some(orbit) = source.take()
    {
        return Ok((*orbit, *result));
    }
    Err(operand)
}

fn expand(
    maps: Vec<TransformMap>,
    transforms: Vec<Transform>,
    operand: Expr,
    result: OrbitResult,
    span: Span,
) -> Result<Expr, TransformError> {
    let mut copies: Vec<(Vec<u64>, Expr)> = Vec::new();
    let mut distinct = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for map in maps {
        let mut copy = operand.clone();
        if !specialize::specialize(&mut copy, &map)? {
            continue;
        }
        let key = specialize::key(&mut copy);
        if seen.insert(key.clone()) {
            copies.push((key, copy));
            distinct.push(map);
        }
    }
    copies.sort_by(|a, b| a.0.cmp(&b.0));
    let elements = copies.into_iter().map(|(_, copy)| copy).collect();
    let orbit = UnexpandedOrbit { maps: distinct, transforms, operand };
    let source = OrbitSource(Uncompared(Some(Box::new(orbit))));
    Ok(Expr::new(ExprKind::Orbit { elements, result, source }, span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::{Bound, Content, Designator, Directions, SetFilter, UnaryFilter};

    const HERE: Span = Span { start: 0, end: 0 };

    fn designator(squares: u64, content: Content) -> Expr {
        let kind = ExprKind::Designator(Designator { squares, content });
        Expr::new(kind, HERE)
    }

    fn elements(expr: &Expr) -> &[Expr] {
        let ExprKind::Orbit { elements, .. } = &expr.kind else {
            panic!("not an orbit");
        };
        elements
    }

    fn orbit(
        transform: Transform,
        range: Option<NumberRange>,
        operand: Expr,
        span: Span,
    ) -> Result<Expr, TransformError> {
        super::orbit(transform, range, operand, span, &mut 0)
    }

    fn squares(expr: &Expr) -> Vec<u64> {
        elements(expr)
            .iter()
            .map(|e| {
                let ExprKind::Designator(designator) = e.kind else {
                    panic!("not a designator");
                };
                designator.squares
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
        let up = orbit(Transform::ShiftVertical, None, designator(file_a, Content::WHITE), HERE);
        assert_eq!(squares(&up.unwrap()), [file_a]);
        let along =
            orbit(Transform::ShiftHorizontal, None, designator(file_a, Content::WHITE), HERE);
        assert_eq!(elements(&along.unwrap()).len(), 8);
        // `shift count [a1,b2]` has 77 distinct copies.
        let pair = orbit(Transform::Shift, None, designator(1 | 1 << 9, Content::ANY), HERE);
        assert_eq!(elements(&pair.unwrap()).len(), 77);
    }

    #[test]
    fn nested_transforms_merge_unless_the_outer_has_a_range() {
        let inner = || {
            orbit(
                Transform::Rotate90,
                Some(NumberRange::COUNT),
                designator(1, Content::WHITE),
                HERE,
            )
            .unwrap()
        };
        let merged = orbit(Transform::FlipColor, None, inner(), HERE).unwrap();
        assert_eq!(elements(&merged).len(), 8);
        let two = NumberRange { min: Bound::Const(2), max: Bound::Const(2) };
        let nested = orbit(Transform::FlipColor, Some(two), inner(), HERE).unwrap();
        assert_eq!(elements(&nested).len(), 2);
    }

    fn nested(
        transforms: &[Transform],
        operand: Expr,
        copied: &mut usize,
    ) -> Result<Expr, TransformError> {
        let mut inner_first = transforms.iter().rev();
        inner_first.try_fold(operand, |operand, &transform| {
            super::orbit(transform, None, operand, HERE, copied)
        })
    }

    #[test]
    fn nests_of_transforms_are_small_or_refused() {
        use Transform::{Flip, FlipColor, Rotate90, Shift};
        let corner = || designator(1, Content::WHITE);
        // However often one turns and moves it, a rook is on one of 64 squares.
        let many = [Flip, Shift, Rotate90, Flip, Shift, Rotate90];
        assert_eq!(elements(&nested(&many, corner(), &mut 0).unwrap()).len(), 64);
        let more = [FlipColor, Shift, Flip, Flip, Flip, Shift];
        assert_eq!(elements(&nested(&more, corner(), &mut 0).unwrap()).len(), 128);
        // What never leaves the board, each copy another one: half of all squares, at random.
        let scattered = || designator(0x9e37_79b9_7f4a_7c15, Content::WHITE);
        let copies = nested(&[Flip, Shift], scattered(), &mut 0).unwrap();
        assert_eq!(elements(&copies).len(), 1400);
        let long = [vec![Flip; 3000], vec![Shift]].concat();
        for refused in [&[Shift, Flip, Shift, Flip, Shift][..], &long] {
            let mut copied = MAX_COPIED - 500_000;
            let error = nested(refused, scattered(), &mut copied);
            assert_eq!(error, Err(TransformError::TooLarge(HERE)));
            assert!(copied <= MAX_COPIED);
        }
    }

    #[test]
    fn copies_are_counted_over_the_whole_query() {
        let mut copied = 0;
        let twice = || designator(1, Content::WHITE);
        let shifts = [Transform::Shift, Transform::Shift];
        nested(&shifts, twice(), &mut copied).unwrap();
        // 225 shifts of one node, then 225 shifts of each of the 64 that are left.
        assert_eq!(copied, (225 + 225 * 64) * (COPY_STEPS + 1));
        let before = MAX_COPIED - copied + 1;
        let mut copied = before;
        assert!(nested(&shifts, twice(), &mut copied).is_err());
        assert!((before..=MAX_COPIED).contains(&copied));
    }

    #[test]
    fn reversecolor_has_no_identity() {
        let pawn = designator(1 << 8, Content(1));
        let reversed = orbit(Transform::ReverseColor, None, pawn, HERE).unwrap();
        assert_eq!(elements(&reversed), [designator(1 << 48, Content(1 << 6))]);
    }

    #[test]
    fn rotate45_turns_directions_and_refuses_squares() {
        let up = Expr::new(
            ExprKind::Set(SetFilter::Direction {
                directions: Directions(1),
                range: NumberRange::COUNT,
                set: Box::new(designator(!0, Content::WHITE)),
            }),
            HERE,
        );
        assert_eq!(elements(&orbit(Transform::Rotate45, None, up, HERE).unwrap()).len(), 8);
        let square = orbit(Transform::Rotate45, None, designator(1, Content::WHITE), HERE);
        assert!(square.is_err());
        let light = Expr::new(
            ExprKind::Unary(UnaryFilter::Light, Box::new(designator(!0, Content::WHITE))),
            HERE,
        );
        assert!(orbit(Transform::Rotate45, None, light, HERE).is_err());
    }
}
