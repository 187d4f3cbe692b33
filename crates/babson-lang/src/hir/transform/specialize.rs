//! Makes the copy of a filter under a map, and the key by which copies are compared.

use super::{OrbitSource, TransformError, TransformMap};
use crate::hir::{
    BoardChange, Condition, Content, Designator, Expr, ExprKind, GameResult, Quantity, Side,
    UnaryFilter,
};

/// Number of nodes.
pub(super) fn size(expr: &Expr) -> usize {
    let mut total = 1;
    expr.for_each_operand(&mut |operand| total += size(operand));
    total
}

/// Applies `map` to the filter in place. Returns `false` if a designator left the board, so that
/// the copy must be dropped.
pub(super) fn specialize(expr: &mut Expr, map: &TransformMap) -> Result<bool, TransformError> {
    if map.is_identity() {
        return Ok(true);
    }
    let blame = expr.span;
    let color = map.swaps_colors();
    match &mut expr.kind {
        ExprKind::NoTransform(_) => return Ok(true),
        ExprKind::Designator(designator) => match map.designator(*designator) {
            Ok(Some(image)) => *designator = image,
            Ok(None) => return Ok(false),
            Err(()) => return Err(TransformError::Rotate45OnSquares(blame)),
        },
        ExprKind::FenPattern(pattern) => {
            for designator in pattern.iter_mut() {
                match map.designator(*designator) {
                    Ok(Some(image)) => *designator = image,
                    Ok(None) => return Ok(false),
                    Err(()) => return Err(TransformError::Rotate45OnSquares(blame)),
                }
            }
        }
        ExprKind::CurrentTransform(name) => {
            let sep = if name.0.is_empty() { "" } else { " " };
            name.0 = format!("{}{sep}{}", name.0, map.name());
        }
        ExprKind::Direction { directions, .. } | ExprKind::Ray { directions, .. } => {
            *directions = map.directions(*directions);
        }
        ExprKind::Condition(condition) if color => swap_condition(condition),
        ExprKind::Quantity(quantity) if color => swap_quantity(quantity),
        ExprKind::Imagine { changes, .. } if color => {
            for change in changes {
                match change {
                    BoardChange::Place { content, .. } => *content = content.swap_colors(),
                    BoardChange::SideToMove(Some(side)) => swap_side(side),
                    BoardChange::SideToMove(None) | BoardChange::Swap(..) => {}
                }
            }
        }
        ExprKind::Unary(UnaryFilter::Tag, name) if color => {
            if let ExprKind::Text(text) = &mut name.kind {
                match &**text {
                    b"White" => *text = b"Black".as_slice().into(),
                    b"Black" => *text = b"White".as_slice().into(),
                    _ => {}
                }
            }
        }
        ExprKind::Unary(kind @ (UnaryFilter::Light | UnaryFilter::Dark), _) => {
            if map.rotates45() {
                return Err(TransformError::Rotate45OnSquares(blame));
            }
            if map.swaps_square_colors() {
                *kind = if *kind == UnaryFilter::Light {
                    UnaryFilter::Dark
                } else {
                    UnaryFilter::Light
                };
            }
        }
        ExprKind::Orbit { elements, source, .. } => {
            *source = OrbitSource::default();
            let mut kept = Vec::with_capacity(elements.len());
            for mut element in elements.drain(..) {
                if specialize(&mut element, map)? {
                    kept.push((key(&element), element));
                }
            }
            // The canonical order depends on the squares, so it is made anew; a translation can
            // make two copies equal.
            kept.sort_by(|a, b| a.0.cmp(&b.0));
            kept.dedup_by(|a, b| a.0 == b.0);
            *elements = kept.into_iter().map(|(_, element)| element).collect();
            return Ok(!elements.is_empty());
        }
        _ => {}
    }
    let mut outcome = Ok(true);
    expr.for_each_operand_mut(&mut |operand| {
        if let Ok(true) = outcome {
            outcome = specialize(operand, map);
        }
    });
    outcome
}

fn swap_side(side: &mut Side) {
    *side = match side {
        Side::White => Side::Black,
        Side::Black => Side::White,
    };
}

fn swap_condition(condition: &mut Condition) {
    match condition {
        Condition::SideToMove(side) => swap_side(side),
        Condition::Result(result) => *result = result.swap_colors(),
        Condition::Check
        | Condition::Mate
        | Condition::Stalemate
        | Condition::LegalPosition
        | Condition::ReachablePosition
        | Condition::VariantEnd(_)
        | Condition::Initial
        | Condition::Terminal
        | Condition::Mainline
        | Condition::Variation
        | Condition::VirtualMainline
        | Condition::Try
        | Condition::Primary
        | Condition::Secondary
        | Condition::NullMove
        | Condition::Castling(_)
        | Condition::EnPassant
        | Condition::IsVariant(_)
        | Condition::Hhdb(_)
        | Condition::HasAward(_)
        | Condition::RemoveComment
        | Condition::Abort
        | Condition::BareValue => {}
    }
}

fn swap_quantity(quantity: &mut Quantity) {
    if let Some(side) = quantity.side_mut() {
        swap_side(side);
    }
}

/// The transformable attributes of a copy in textual order: copies of one filter differ in nothing
/// else, so equal keys are equal copies, and their order is the canonical one.
pub(super) fn key(expr: &Expr) -> Vec<u64> {
    let mut key = Vec::new();
    append_key(expr, &mut key);
    key
}

fn append_key(expr: &Expr, key: &mut Vec<u64>) {
    match &expr.kind {
        ExprKind::NoTransform(_) => return,
        ExprKind::Designator(d) => key.extend([d.squares, content_rank(*d)]),
        ExprKind::FenPattern(pattern) => {
            // A conjunction: the order in which the squares were read does not matter.
            let mut all: Vec<_> = pattern.iter().map(|d| (d.squares, d.content.0)).collect();
            all.sort_unstable();
            key.extend(all.iter().flat_map(|&(squares, content)| [squares, u64::from(content)]));
        }
        ExprKind::Direction { directions, .. } | ExprKind::Ray { directions, .. } => {
            key.push(direction_rank(directions.0));
        }
        ExprKind::Condition(Condition::SideToMove(side)) => {
            key.push(u64::from(*side == Side::Black));
        }
        ExprKind::Condition(Condition::Result(result)) => {
            key.push(u64::from(*result == GameResult::BlackWins));
        }
        ExprKind::Quantity(quantity) => {
            key.extend(quantity.side().map(|side| u64::from(side == Side::Black)));
        }
        ExprKind::Imagine { changes, .. } => {
            key.extend(changes.iter().map(|change| match change {
                BoardChange::Place { content, .. } => u64::from(content.0),
                BoardChange::SideToMove(Some(Side::Black)) => 1,
                BoardChange::SideToMove(_) | BoardChange::Swap(..) => 0,
            }));
        }
        ExprKind::Unary(UnaryFilter::Tag, name) => {
            if let ExprKind::Text(text) = &name.kind {
                key.push(u64::from(&**text == b"Black"));
            }
        }
        ExprKind::Unary(kind @ (UnaryFilter::Light | UnaryFilter::Dark), _) => {
            key.push(u64::from(*kind == UnaryFilter::Dark));
        }
        // Orbits inside may have different lengths: without it, keys could run into one another.
        ExprKind::Orbit { elements, .. } => key.push(elements.len() as u64),
        _ => {}
    }
    expr.for_each_operand(&mut |operand| append_key(operand, key));
}

/// Contents in their canonical order: white before black, except that on the whole board all black
/// pieces come before all white ones, whatever else stands in the same brackets.
fn content_rank(designator: Designator) -> u64 {
    let Designator { squares, content } = designator;
    let holds = |side: Content| content.0 & side.0 == side.0;
    let one_side = holds(Content::WHITE) != holds(Content::BLACK);
    let ranked = if squares == !0 && one_side { content.swap_colors() } else { content };
    u64::from(ranked.0)
}

/// Sets of directions in the order of their (dx, dy), least first.
fn direction_rank(bits: u8) -> u64 {
    // Bits of `Directions` by increasing (dx, dy): sw, left, nw, down, up, se, right, ne.
    const ORDER: [u8; 8] = [5, 6, 7, 4, 0, 3, 2, 1];
    let present = |i: usize| u64::from(bits >> ORDER[i] & 1);
    255 - (0..8).fold(0, |rank, i| rank << 1 | present(i))
}
