//! Makes the copy of a filter under a map, and the key by which copies are compared.

use super::map::SquaresNamed;
use super::{OrbitSource, TransformError, TransformMap};
use crate::hir::visit::{Attribute, Component};
use crate::hir::{BoardChange, Color, Content, Designator, Expr, ExprKind, UnaryFilter};

/// Number of nodes.
pub(crate) fn size(expr: &Expr) -> usize {
    let mut total = 1;
    expr.for_each_operand(&mut |operand| total += size(operand));
    total
}

/// Applies `map` to the filter in place. Returns `false` if a designator left the board, so that
/// the copy must be dropped.
pub(super) fn specialize(expr: &mut Expr, map: &TransformMap) -> Result<bool, TransformError> {
    if map.is_identity() || matches!(expr.kind, ExprKind::NoTransform(_)) {
        return Ok(true);
    }
    if let ExprKind::Orbit { elements, source, .. } = &mut expr.kind {
        // The source has the operand before the map.
        *source = OrbitSource::default();
        return specialize_copies(elements, map);
    }
    let span = expr.span;
    let mut outcome = Ok(true);
    expr.for_each_component_mut(&mut |component| {
        if !matches!(outcome, Ok(true)) {
            return;
        }
        match component {
            Component::Attribute(attribute) => {
                let names_squares = |_| TransformError::Rotate45OnSquares(span);
                outcome = change(attribute, map).map_err(names_squares);
            }
            Component::Operand(operand, _) => outcome = specialize(operand, map),
            Component::Name(_) | Component::Range(_) | Component::PathMoves => {}
        }
    });
    outcome
}

/// Applies `map` to the copies of an orbit, and returns whether one is left.
fn specialize_copies(elements: &mut Vec<Expr>, map: &TransformMap) -> Result<bool, TransformError> {
    let mut images = Vec::with_capacity(elements.len());
    for mut element in elements.drain(..) {
        if specialize(&mut element, map)? {
            images.push((key(&mut element), element));
        }
    }
    // The canonical order depends on the squares, so it is made anew; a translation can make two
    // copies equal.
    images.sort_by(|a, b| a.0.cmp(&b.0));
    images.dedup_by(|a, b| a.0 == b.0);
    *elements = images.into_iter().map(|(_, element)| element).collect();
    Ok(!elements.is_empty())
}

/// Applies `map` to an attribute. Returns `false` if a designator left the board.
fn change(attribute: Attribute<'_>, map: &TransformMap) -> Result<bool, SquaresNamed> {
    let color = map.swaps_colors();
    match attribute {
        Attribute::Designator(designator) => return change_designator(designator, map),
        Attribute::FenPattern(pattern) if map.shifts() && !pattern.shifts => return Ok(false),
        Attribute::FenPattern(pattern) => {
            for designator in &mut pattern.designators {
                if !change_designator(designator, map)? {
                    return Ok(false);
                }
            }
        }
        Attribute::TransformName(name) => {
            let separator = if name.is_empty() { "" } else { " " };
            name.push_str(separator);
            name.push_str(map.name());
        }
        Attribute::Directions(directions) => *directions = map.directions(*directions),
        Attribute::SquareColor(_) if map.rotates45() => return Err(SquaresNamed),
        Attribute::SquareColor(filter) if map.swaps_square_colors() => {
            let is_light = *filter == UnaryFilter::Light;
            *filter = if is_light { UnaryFilter::Dark } else { UnaryFilter::Light };
        }
        Attribute::Colors(part) if color => part.swap(),
        Attribute::BoardChanges(changes) if color => changes.iter_mut().for_each(swap_change),
        Attribute::TagName(name) if color => swap_player(name),
        Attribute::SquareColor(_)
        | Attribute::Colors(_)
        | Attribute::BoardChanges(_)
        | Attribute::TagName(_) => {}
    }
    Ok(true)
}

fn change_designator(
    designator: &mut Designator,
    map: &TransformMap,
) -> Result<bool, SquaresNamed> {
    let image = map.designator(*designator)?;
    if let Some(image) = image {
        *designator = image;
    }
    Ok(image.is_some())
}

fn swap_change(change: &mut BoardChange) {
    match change {
        BoardChange::Place { content, .. } => *content = content.swap_colors(),
        BoardChange::SideToMove(Some(side)) => *side = side.not(),
        BoardChange::SideToMove(None) | BoardChange::Swap(..) => {}
    }
}

/// Swaps the tags that name the players.
fn swap_player(tag: &mut Box<[u8]>) {
    match &**tag {
        b"White" => *tag = b"Black".as_slice().into(),
        b"Black" => *tag = b"White".as_slice().into(),
        _ => {}
    }
}

/// The transformable attributes of a copy in textual order: copies of one filter differ in nothing
/// else, so equal keys are equal copies, and their order is the canonical one.
///
/// The copy is only read. The access is exclusive because [`Attribute`] serves both functions.
pub(super) fn key(expr: &mut Expr) -> Vec<u64> {
    let mut key = Vec::new();
    append_key(expr, &mut key);
    key
}

fn append_key(expr: &mut Expr, key: &mut Vec<u64>) {
    if matches!(expr.kind, ExprKind::NoTransform(_)) {
        return;
    }
    if let ExprKind::Orbit { elements, .. } = &expr.kind {
        // Orbits inside may have different lengths: without it, keys could run into one another.
        key.push(elements.len() as u64);
    }
    expr.for_each_component_mut(&mut |component| match component {
        Component::Attribute(attribute) => append_attribute(attribute, key),
        Component::Operand(operand, _) => append_key(operand, key),
        Component::Name(_) | Component::Range(_) | Component::PathMoves => {}
    });
}

fn append_attribute(attribute: Attribute<'_>, key: &mut Vec<u64>) {
    match attribute {
        Attribute::TransformName(_) => {}
        Attribute::Designator(d) => key.extend([d.squares, content_rank(*d)]),
        Attribute::FenPattern(pattern) => {
            // A conjunction: the order in which the squares were read does not matter.
            let mut all: Vec<_> =
                pattern.designators.iter().map(|d| (d.squares, d.content.0)).collect();
            all.sort_unstable();
            key.extend(all.iter().flat_map(|&(squares, content)| [squares, u64::from(content)]));
        }
        Attribute::Directions(directions) => key.push(direction_rank(directions.0)),
        Attribute::Colors(part) => key.push(u64::from(part.is_black())),
        Attribute::BoardChanges(changes) => {
            key.extend(changes.iter().map(|change| match change {
                BoardChange::Place { content, .. } => u64::from(content.0),
                BoardChange::SideToMove(Some(Color::Black)) => 1,
                BoardChange::SideToMove(_) | BoardChange::Swap(..) => 0,
            }));
        }
        Attribute::TagName(name) => key.push(u64::from(&**name == b"Black")),
        Attribute::SquareColor(filter) => key.push(u64::from(*filter == UnaryFilter::Dark)),
    }
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
