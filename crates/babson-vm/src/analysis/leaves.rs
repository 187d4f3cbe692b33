//! The facts of the filters without operands, one row for each.

use babson_lang::hir::{Condition, HhdbCondition, HhdbValue, PathStatus, Quantity};

use super::constancy::Constancy;
use super::flags::Flags;

/// A filter that looks at the board, the tags or the context alone.
const fn board(cost: u32, constancy: Constancy) -> Flags {
    Flags {
        comments: false,
        keeps_text: false,
        state: false,
        errors: false,
        tree: false,
        constancy,
        cost,
    }
}

/// A filter that needs the tree of the game.
const fn tree(cost: u32, constancy: Constancy) -> Flags {
    Flags { tree: true, ..board(cost, constancy) }
}

/// A filter that changes something, and may end the run.
const fn effect() -> Flags {
    Flags { state: true, errors: true, ..board(4, Constancy::None) }
}

/// A text of the tags.
const TAG: Flags = board(200, Constancy::Tags);

pub(super) const fn of_condition(which: Condition) -> Flags {
    match which {
        Condition::Check | Condition::SideToMove(_) | Condition::Initial => {
            board(1, Constancy::None)
        }
        Condition::Mate => board(2, Constancy::None),
        Condition::Stalemate => tree(8, Constancy::None),
        Condition::LegalPosition => board(60, Constancy::Position),
        Condition::ReachablePosition => board(700, Constancy::Position),
        Condition::VariantEnd(_) => board(4, Constancy::None),
        Condition::Terminal | Condition::Mainline | Condition::Variation => {
            tree(1, Constancy::None)
        }
        Condition::VirtualMainline | Condition::Try => tree(100, Constancy::None),
        Condition::Primary
        | Condition::Secondary
        | Condition::NullMove
        | Condition::Castling(_)
        | Condition::EnPassant => tree(4, Constancy::None),
        Condition::IsVariant(_) => board(4, Constancy::Tags),
        Condition::Result(_) => board(4, Constancy::Game),
        // It looks at comments, too.
        Condition::Hhdb(HhdbCondition::Cooked) => board(200, Constancy::Game),
        Condition::Hhdb(HhdbCondition::Mainline | HhdbCondition::Variation) => {
            tree(200, Constancy::Position)
        }
        Condition::HasAward(_) => TAG,
        Condition::RemoveComment => Flags { state: true, ..board(4, Constancy::None) },
        Condition::Abort | Condition::BareValue => effect(),
    }
}

pub(super) const fn of_quantity(which: Quantity) -> Flags {
    match which {
        Quantity::SideSign | Quantity::PositionId => board(4, Constancy::None),
        Quantity::SideValue(_) => board(4, Constancy::Query),
        Quantity::Ply => board(1, Constancy::None),
        Quantity::Depth => tree(1, Constancy::None),
        Quantity::MoveNumber | Quantity::HalfMoveClock | Quantity::SubmissionGame => {
            tree(4, Constancy::None)
        }
        Quantity::GameNumber => board(4, Constancy::Tags),
        Quantity::LastGameNumber => Flags { errors: true, ..board(4, Constancy::Tags) },
        Quantity::Elo(_)
        | Quantity::Year
        | Quantity::Award(_)
        | Quantity::Tag(_)
        | Quantity::Variant => TAG,
        Quantity::LastFrom | Quantity::LastTo | Quantity::EnPassantSquare => {
            tree(4, Constancy::None)
        }
        Quantity::PassedPawns
        | Quantity::ConnectedPawns
        | Quantity::IsolatedPawns
        | Quantity::DoubledPawns => board(4, Constancy::None),
        Quantity::Participants(_) => tree(50, Constancy::None),
        Quantity::PromotedPieces => tree(4, Constancy::None),
        Quantity::StandardFen | Quantity::CurrentFen | Quantity::LegalText => {
            board(200, Constancy::Position)
        }
        Quantity::ReachableText => board(3_000, Constancy::Position),
        Quantity::Fen
        | Quantity::ZobristKey
        | Quantity::OriginalComment
        | Quantity::San
        | Quantity::Clock
        | Quantity::Evaluation => tree(200, Constancy::Position),
        Quantity::CurrentMutation => board(200, Constancy::None),
        Quantity::SavePosition => effect(),
        Quantity::CurrentPosition | Quantity::Parent | Quantity::InitialPosition => {
            tree(4, Constancy::None)
        }
        Quantity::Hhdb(key) => match key {
            HhdbValue::Diagram
            | HhdbValue::Gbr
            | HhdbValue::Distinction
            | HhdbValue::TourneyName
            | HhdbValue::TourneyYearPart
            | HhdbValue::TourneyEdition
            | HhdbValue::TourneyYear
            | HhdbValue::TourneyYearEnd => TAG,
            // They look at comments, too.
            HhdbValue::Composer
            | HhdbValue::Search
            | HhdbValue::Stipulation
            | HhdbValue::EgDiagram => tree(200, Constancy::Game),
        },
        Quantity::Path(
            PathStatus::Count
            | PathStatus::CountUnfocused
            | PathStatus::Start
            | PathStatus::LastPosition,
        ) => tree(4, Constancy::None),
    }
}
