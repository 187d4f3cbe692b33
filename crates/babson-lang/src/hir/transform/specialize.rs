//! Makes the copy of a filter under a map, and the key by which copies are compared.

use super::map::SquaresNamed;
use super::{OrbitSource, TransformError, TransformMap};
use crate::filters::ColorPart;
use crate::hir::{
    BoardChange, Content, Designator, Directions, Expr, ExprKind, GameResult, Side, TransformName,
    UnaryFilter,
};

/// Number of nodes.
pub(super) fn size(expr: &Expr) -> usize {
    let mut total = 1;
    expr.for_each_operand(&mut |operand| total += size(operand));
    total
}

/// The attribute of a node that a transform can change, besides its operands.
enum Attribute<'e> {
    None,
    /// `notransform`: neither the node nor its operands change.
    Protected,
    Designator(&'e mut Designator),
    FenPattern(&'e mut [Designator]),
    /// The names that `currenttransform` prints.
    Name(&'e mut TransformName),
    Directions(&'e mut Directions),
    Side(&'e mut Side),
    Result(&'e mut GameResult),
    BoardChanges(&'e mut [BoardChange]),
    /// The name of the tag of `tag "White"`.
    TagName(&'e mut Box<[u8]>),
    /// `light` or `dark`.
    SquareColor(&'e mut UnaryFilter),
    Orbit(&'e mut Vec<Expr>, &'e mut OrbitSource),
}

impl<'e> Attribute<'e> {
    fn of_part(part: Option<ColorPart<'e>>) -> Attribute<'e> {
        match part {
            Some(ColorPart::Side(side)) => Attribute::Side(side),
            Some(ColorPart::Result(result)) => Attribute::Result(result),
            None => Attribute::None,
        }
    }

    fn of(kind: &'e mut ExprKind) -> Attribute<'e> {
        match kind {
            ExprKind::NoTransform(_) => Attribute::Protected,
            ExprKind::Designator(designator) => Attribute::Designator(designator),
            ExprKind::FenPattern(pattern) => Attribute::FenPattern(pattern),
            ExprKind::CurrentTransform(name) => Attribute::Name(name),
            ExprKind::Direction { directions, .. } | ExprKind::Ray { directions, .. } => {
                Attribute::Directions(directions)
            }
            ExprKind::Condition(condition) => Attribute::of_part(condition.color_part()),
            ExprKind::Quantity(quantity) => Attribute::of_part(quantity.color_part()),
            ExprKind::Imagine { changes, .. } => Attribute::BoardChanges(changes),
            ExprKind::Unary(filter, operand) => match (&filter, &mut operand.kind) {
                (UnaryFilter::Tag, ExprKind::Text(name)) => Attribute::TagName(name),
                (UnaryFilter::Light | UnaryFilter::Dark, _) => Attribute::SquareColor(filter),
                _ => Attribute::None,
            },
            ExprKind::Orbit { elements, source, .. } => Attribute::Orbit(elements, source),
            ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Squares(_)
            | ExprKind::Var(_)
            | ExprKind::Binary(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Compare(..)
            | ExprKind::Equal(..)
            | ExprKind::Extreme { .. }
            | ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::With { .. }
            | ExprKind::Pin { .. }
            | ExprKind::ForSquares { .. }
            | ExprKind::ForPieces { .. }
            | ExprKind::ForKeys { .. }
            | ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::BindPiece { .. }
            | ExprKind::Unbind(_)
            | ExprKind::IsBound(_)
            | ExprKind::Lookup { .. }
            | ExprKind::Store { .. }
            | ExprKind::Erase { .. }
            | ExprKind::DictionaryLen(_)
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::AssignSlice { .. }
            | ExprKind::Match { .. }
            | ExprKind::ForMatches { .. }
            | ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::SimilarPosition
            | ExprKind::Move(_)
            | ExprKind::SpeculativeMove(_)
            | ExprKind::Dash(_)
            | ExprKind::Find(_)
            | ExprKind::Line(_)
            | ExprKind::Echo(_)
            | ExprKind::ConsecutiveMoves(_)
            | ExprKind::Path(_)
            | ExprKind::Sort { .. }
            | ExprKind::Comment(_)
            | ExprKind::Field { .. }
            | ExprKind::Message { .. }
            | ExprKind::Str(_)
            | ExprKind::SetTag { .. }
            | ExprKind::RemoveTag(_)
            | ExprKind::HasNag(_)
            | ExprKind::WriteFile { .. }
            | ExprKind::CommandPipe { .. }
            | ExprKind::Assert(_)
            | ExprKind::GameLists(_)
            | ExprKind::PositionSequence(_)
            | ExprKind::Pairs(_)
            | ExprKind::Recurrence(_) => Attribute::None,
        }
    }
}

/// Applies `map` to the filter in place. Returns `false` if a designator left the board, so that
/// the copy must be dropped.
pub(super) fn specialize(expr: &mut Expr, map: &TransformMap) -> Result<bool, TransformError> {
    if map.is_identity() {
        return Ok(true);
    }
    let names_squares = TransformError::Rotate45OnSquares(expr.span);
    let color = map.swaps_colors();
    match Attribute::of(&mut expr.kind) {
        Attribute::None => {}
        Attribute::Protected => return Ok(true),
        Attribute::Designator(designator) => match map.designator(*designator) {
            Ok(Some(image)) => *designator = image,
            Ok(None) => return Ok(false),
            Err(SquaresNamed) => return Err(names_squares),
        },
        Attribute::FenPattern(pattern) => {
            for designator in pattern {
                match map.designator(*designator) {
                    Ok(Some(image)) => *designator = image,
                    Ok(None) => return Ok(false),
                    Err(SquaresNamed) => return Err(names_squares),
                }
            }
        }
        Attribute::Name(name) => {
            let separator = if name.0.is_empty() { "" } else { " " };
            name.0 = format!("{}{separator}{}", name.0, map.name());
        }
        Attribute::Directions(directions) => *directions = map.directions(*directions),
        Attribute::SquareColor(filter) => {
            if map.rotates45() {
                return Err(names_squares);
            }
            if map.swaps_square_colors() {
                let is_light = *filter == UnaryFilter::Light;
                *filter = if is_light { UnaryFilter::Dark } else { UnaryFilter::Light };
            }
        }
        Attribute::Side(side) if color => swap_side(side),
        Attribute::Result(result) if color => *result = result.swap_colors(),
        Attribute::BoardChanges(changes) if color => changes.iter_mut().for_each(swap_change),
        Attribute::TagName(name) if color => swap_player(name),
        Attribute::Side(_)
        | Attribute::Result(_)
        | Attribute::BoardChanges(_)
        | Attribute::TagName(_) => {}
        Attribute::Orbit(elements, source) => {
            // The source has the operand before the map.
            *source = OrbitSource::default();
            let mut images = Vec::with_capacity(elements.len());
            for mut element in elements.drain(..) {
                if specialize(&mut element, map)? {
                    images.push((key(&mut element), element));
                }
            }
            // The canonical order depends on the squares, so it is made anew; a translation can
            // make two copies equal.
            images.sort_by(|a, b| a.0.cmp(&b.0));
            images.dedup_by(|a, b| a.0 == b.0);
            *elements = images.into_iter().map(|(_, element)| element).collect();
            return Ok(!elements.is_empty());
        }
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

fn swap_change(change: &mut BoardChange) {
    match change {
        BoardChange::Place { content, .. } => *content = content.swap_colors(),
        BoardChange::SideToMove(Some(side)) => swap_side(side),
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
    match Attribute::of(&mut expr.kind) {
        Attribute::None | Attribute::Name(_) => {}
        Attribute::Protected => return,
        Attribute::Designator(d) => key.extend([d.squares, content_rank(*d)]),
        Attribute::FenPattern(pattern) => {
            // A conjunction: the order in which the squares were read does not matter.
            let mut all: Vec<_> = pattern.iter().map(|d| (d.squares, d.content.0)).collect();
            all.sort_unstable();
            key.extend(all.iter().flat_map(|&(squares, content)| [squares, u64::from(content)]));
        }
        Attribute::Directions(directions) => key.push(direction_rank(directions.0)),
        Attribute::Side(side) => key.push(u64::from(*side == Side::Black)),
        Attribute::Result(result) => key.push(u64::from(*result == GameResult::BlackWins)),
        Attribute::BoardChanges(changes) => {
            key.extend(changes.iter().map(|change| match change {
                BoardChange::Place { content, .. } => u64::from(content.0),
                BoardChange::SideToMove(Some(Side::Black)) => 1,
                BoardChange::SideToMove(_) | BoardChange::Swap(..) => 0,
            }));
        }
        Attribute::TagName(name) => key.push(u64::from(&**name == b"Black")),
        Attribute::SquareColor(filter) => key.push(u64::from(*filter == UnaryFilter::Dark)),
        // Orbits inside may have different lengths: without it, keys could run into one another.
        Attribute::Orbit(elements, _) => key.push(elements.len() as u64),
    }
    expr.for_each_operand_mut(&mut |operand| append_key(operand, key));
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
