//! Values that nobody asks for: filters that always match where only a match is wanted.
//!
//! CQL 6.2 ends the run when it evaluates such a filter (`3`, `"a"`, a variable, `max(1 2)` …) as a
//! condition. So each one becomes a filter that does.

use super::asked::{self, Asked, LastOfBraces};
use crate::hir::{Binary, Expr, ExprKind, Nullary, Query, Type, Unary, Var};

/// Makes the bare values of a query stop the run.
pub(super) fn stop(query: &mut Query) {
    let vars = std::mem::take(&mut query.vars);
    asked::walk(query, LastOfBraces::Value, &mut |e, place| {
        let counts_the_path = place.in_path && e.kind == ExprKind::Nullary(Nullary::PathCount);
        if place.asked == Asked::Match && (counts_the_path || always_matches(e, &vars)) {
            e.kind = ExprKind::Nullary(Nullary::BareValue);
            e.ty = Type::Bool;
        }
    });
    query.vars = vars;
}

/// Whether CQL 6.2 takes the filter for a mistake where only its match is wanted.
fn always_matches(e: &Expr, vars: &[Var]) -> bool {
    match &e.kind {
        ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Str(_)
        | ExprKind::Extreme { .. }
        | ExprKind::CurrentTransform(_)
        | ExprKind::DictionaryLen(_) => true,
        ExprKind::Var(var) => {
            vars.get(var.0 as usize).is_some_and(|var| is_value_of_a_variable(var.ty))
        }
        ExprKind::Nullary(which) => is_value_of_its_own(*which),
        ExprKind::Unary(which, _) => is_value_of_one(*which),
        ExprKind::Binary(which, ..) => is_value_of_two(*which),
        ExprKind::Bool(_)
        | ExprKind::Designator(_)
        | ExprKind::Squares(_)
        | ExprKind::Arithmetic(..)
        | ExprKind::Compare(..)
        | ExprKind::Equal(..)
        | ExprKind::Sequence(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Not(_)
        | ExprKind::If { .. }
        | ExprKind::While { .. }
        | ExprKind::Loop(_)
        | ExprKind::With { .. }
        | ExprKind::Direction { .. }
        | ExprKind::Ray { .. }
        | ExprKind::Pin { .. }
        | ExprKind::FenPattern(_)
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
        | ExprKind::CharAt { .. }
        | ExprKind::Slice { .. }
        | ExprKind::AssignSlice { .. }
        | ExprKind::Match { .. }
        | ExprKind::ForMatches { .. }
        | ExprKind::Group(_)
        | ExprKind::GroupIndex(_)
        | ExprKind::SimilarPosition
        | ExprKind::Orbit { .. }
        | ExprKind::NoTransform(_)
        | ExprKind::Move(_)
        | ExprKind::Speculate(_)
        | ExprKind::Imagine { .. }
        | ExprKind::Dash(_)
        | ExprKind::Find(_)
        | ExprKind::Line(_)
        | ExprKind::Echo(_)
        | ExprKind::ConsecutiveMoves(_)
        | ExprKind::Path(_)
        | ExprKind::Sort { .. }
        | ExprKind::Comment(_)
        | ExprKind::Message { .. }
        | ExprKind::SetTag { .. }
        | ExprKind::RemoveTag(_)
        | ExprKind::HasNag(_)
        | ExprKind::WriteFile { .. }
        | ExprKind::CommandPipe { .. }
        | ExprKind::Assert(_)
        | ExprKind::GameLists(_)
        | ExprKind::Steps(_)
        | ExprKind::Pairs(_)
        | ExprKind::Recurrence(_) => false,
    }
}

fn is_value_of_a_variable(ty: Type) -> bool {
    match ty {
        Type::Number | Type::String | Type::Position => true,
        Type::Bool | Type::Set | Type::Piece => false,
    }
}

fn is_value_of_its_own(which: Nullary) -> bool {
    use Nullary::*;
    match which {
        Fen | PositionId | LastGameNumber | SideSign | SideValue(_) | Player(None) => true,
        Check | Mate | Stalemate | SideToMove(_) | Initial | Terminal | Mainline | Variation
        | VirtualMainline | Try | Primary | Secondary | NullMove | Castling(_) | EnPassant
        | LegalPosition | ReachablePosition | IsVariant(_) | VariantEnd(_) | Result(_)
        | RemoveComment | Abort | BareValue | Ply | MoveNumber | Depth | GameNumber | Elo(_)
        | Year | HalfMoveClock | PathCount | PathCountUnfocused | SubmissionGame | LastFrom
        | LastTo | EnPassantSquare | PassedPawns | ConnectedPawns | IsolatedPawns
        | DoubledPawns | Participants(_) | PromotedPieces | Player(Some(_)) | Event | Site
        | Date | EventDate | Eco | StandardFen | CurrentFen | ZobristKey | OriginalComment
        | CurrentMutation | LegalText | ReachableText | Variant | Hhdb(_) | Award(_)
        | SavePosition | CurrentPosition | Parent | InitialPosition | PathStart
        | PathLastPosition => false,
    }
}

fn is_value_of_one(which: Unary) -> bool {
    use Unary::*;
    match which {
        Abs | Sqrt | Type | TypeName | PieceName | Length | ReadFile => true,
        Complement | Light | Dark | Count | Power | ColorType | PieceId | Rank | File | Negate
        | Int | AsciiCode | AsciiChar | Lowercase | Uppercase | MakeSquareText | PositionAt
        | Child | PieceSquare | Tag => false,
    }
}

fn is_value_of_two(which: Binary) -> bool {
    use Binary::*;
    match which {
        Concat | Distance | Lca | SameContent => true,
        Intersection | Union | Attacks | AttackedBy | Between | Subset | AncestorOf
        | DescendantOf | Substring | IndexOf | MakeSquare => false,
    }
}
