//! The facts of each kind of node by itself, one row for each.

use babson_lang::hir::{Bound, Constancy, Effects, Expr, ExprKind, MoveSource, OrbitResult, Type};

/// The facts of a node that do not depend on its operands.
pub(super) struct Facts {
    /// Its own effects and cost; the constancy of the whole if no operand has less.
    pub(super) own: Effects,
    /// How often, roughly, it evaluates its operands.
    pub(super) repeats: u32,
}

/// A filter whose outcome may change with each evaluation.
const PLAIN: Effects = Effects {
    comments: false,
    keeps_text: false,
    state: false,
    errors: false,
    tree: false,
    constancy: Constancy::None,
    cost: 2,
};

/// A function of its operands.
const DERIVED: Effects = Effects { constancy: Constancy::Query, ..PLAIN };

/// A filter that looks at other nodes, or takes steps that are limited.
const SEARCH: Effects = Effects { errors: true, tree: true, ..PLAIN };

/// A filter that changes something that outlives it.
const CHANGE: Effects = Effects { state: true, errors: true, ..PLAIN };

impl Facts {
    /// `reads_groups`: the query asks for groups of regular expressions.
    pub(super) fn of(expr: &Expr, reads_groups: bool) -> Facts {
        let prints_position = |parts: &[Expr]| parts.iter().any(|part| part.ty == Type::Position);
        let mut repeats = 1;
        let own = match &expr.kind {
            ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Squares(_)
            | ExprKind::CurrentTransform(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::Compare(..)
            | ExprKind::Equal(..)
            | ExprKind::Extreme { .. }
            | ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::NoTransform(_) => DERIVED,
            // Whether a variable may be unbound is found out from the whole query.
            ExprKind::Designator(_) | ExprKind::FenPattern(_) | ExprKind::Var(_) => PLAIN,
            ExprKind::Condition(which) => which.signature().effects,
            ExprKind::Quantity(which) => which.signature().effects,
            ExprKind::Unary(which, _) => which.signature().effects,
            ExprKind::Binary(which, ..) => which.signature().effects,
            ExprKind::While { .. } | ExprKind::Loop(_) => {
                repeats = 16;
                Effects { errors: true, ..PLAIN }
            }
            ExprKind::With { .. } => Effects { tree: true, ..PLAIN },
            ExprKind::Direction { range, .. } => {
                let errors = match (range.min, range.max) {
                    (Bound::Const(min), Bound::Const(max)) => min > max || min < -7 || max > 7,
                    (Bound::Var(_), _) | (_, Bound::Var(_)) => true,
                };
                Effects { cost: 10, errors, ..PLAIN }
            }
            ExprKind::Ray { .. } | ExprKind::Pin { .. } => Effects { cost: 40, ..PLAIN },
            ExprKind::ForSquares { .. } => {
                repeats = 16;
                Effects { errors: true, ..PLAIN }
            }
            ExprKind::ForPieces { .. } => {
                repeats = 16;
                SEARCH
            }
            ExprKind::ForKeys { .. } => {
                repeats = 16;
                Effects { keeps_text: true, ..CHANGE }
            }
            ExprKind::Assign { value, .. } | ExprKind::Update { value, .. } => {
                Effects { keeps_text: value.ty == Type::String, ..CHANGE }
            }
            // A dictionary has a copy of its own.
            ExprKind::Unbind(_)
            | ExprKind::Lookup { .. }
            | ExprKind::Store { .. }
            | ExprKind::Erase { .. }
            | ExprKind::SetTag { .. }
            | ExprKind::RemoveTag(_) => CHANGE,
            ExprKind::Sort { .. } => Effects { keeps_text: true, ..CHANGE },
            ExprKind::BindPiece { .. } | ExprKind::WriteFile { .. } | ExprKind::GameLists(_) => {
                Effects { tree: true, ..CHANGE }
            }
            ExprKind::IsBound(_) | ExprKind::DictionaryLen(_) | ExprKind::Assert(_) => {
                Effects { errors: true, ..PLAIN }
            }
            ExprKind::AssignSlice { .. } => Effects { errors: true, keeps_text: true, ..PLAIN },
            ExprKind::Match { pattern, .. } => Effects {
                state: reads_groups,
                keeps_text: reads_groups,
                errors: !matches!(pattern.kind, ExprKind::Text(_)),
                cost: 200,
                ..DERIVED
            },
            ExprKind::ForMatches { .. } => {
                repeats = 16;
                Effects {
                    state: reads_groups,
                    keeps_text: reads_groups,
                    errors: true,
                    cost: 200,
                    ..PLAIN
                }
            }
            ExprKind::Group(_) | ExprKind::GroupIndex(_) => Effects { errors: true, ..PLAIN },
            ExprKind::SimilarPosition => Effects { comments: true, state: true, cost: 60, ..PLAIN },
            ExprKind::Orbit { result, .. } => match result {
                OrbitResult::Count(range) if !range.is_constant() => {
                    Effects { errors: true, ..PLAIN }
                }
                OrbitResult::Count(_)
                | OrbitResult::Union
                | OrbitResult::Max
                | OrbitResult::Any => DERIVED,
            },
            ExprKind::Move(filter) => Effects {
                comments: filter.comment.is_some(),
                tree: true,
                cost: match filter.source {
                    MoveSource::Played | MoveSource::Previous => 8,
                    MoveSource::Legal | MoveSource::Pseudolegal => 60,
                    MoveSource::LegalReverse | MoveSource::PseudolegalReverse => 4000,
                },
                ..PLAIN
            },
            ExprKind::SpeculativeMove(filter) => {
                repeats = 32;
                // It may take too many steps.
                Effects {
                    errors: true,
                    tree: !filter.moves.source.is_generated(),
                    cost: 100,
                    ..PLAIN
                }
            }
            ExprKind::Imagine { .. } => Effects { cost: 40, ..PLAIN },
            ExprKind::Dash(_) => Effects { tree: true, cost: 4, ..PLAIN },
            ExprKind::Find(find) => {
                repeats = 64;
                Effects { comments: !find.quiet, ..SEARCH }
            }
            ExprKind::Echo(echo) => {
                repeats = 64;
                Effects { comments: !echo.quiet, ..SEARCH }
            }
            ExprKind::Line(line) => {
                repeats = 64;
                Effects { comments: !line.quiet, state: line.nest_ban.is_some(), ..SEARCH }
            }
            ExprKind::Path(path) => {
                repeats = 64;
                Effects { comments: path.writes(), state: path.nest_ban.is_some(), ..SEARCH }
            }
            ExprKind::ConsecutiveMoves(moves) => {
                Effects { state: !moves.quiet, cost: 400, ..SEARCH }
            }
            ExprKind::Comment(_) | ExprKind::Field { .. } => Effects { comments: true, ..PLAIN },
            ExprKind::Message { quiet, parts } => Effects {
                state: true,
                tree: true,
                // Printing a position of a variation leaves a comment with its id there.
                comments: !quiet || prints_position(parts),
                ..PLAIN
            },
            ExprKind::Str(parts) => {
                let comments = prints_position(parts);
                Effects { comments, tree: comments, errors: true, cost: 60, ..DERIVED }
            }
            ExprKind::HasNag(_) => Effects { tree: true, constancy: Constancy::Position, ..PLAIN },
            // A conversation: each request is sent, once, in its place.
            ExprKind::CommandPipe { .. } => Effects { cost: 1_000_000, ..CHANGE },
            ExprKind::PositionSequence(_) | ExprKind::Recurrence(_) => {
                Effects { cost: 400, ..SEARCH }
            }
            ExprKind::Pairs(_) => Effects { cost: 60, ..PLAIN },
        };
        Facts { own, repeats }
    }
}
