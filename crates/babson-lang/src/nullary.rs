//! Filters without operands: the condition or the value that each keyword names. The type check
//! lowers them, and the messages for grammar errors ask for their types.

use crate::hir::{
    CastlingKind, Condition, HhdbCondition, Participants, PathStatus, Quantity, Side, Type,
    VariantEnding,
};
use crate::keywords::Keyword;

/// The keywords without operands that are conditions.
pub(crate) const CONDITIONS: [(Keyword, Condition); 27] = [
    (Keyword::Check, Condition::Check),
    (Keyword::Mate, Condition::Mate),
    (Keyword::Stalemate, Condition::Stalemate),
    (Keyword::Wtm, Condition::SideToMove(Side::White)),
    (Keyword::Btm, Condition::SideToMove(Side::Black)),
    (Keyword::Initial, Condition::Initial),
    (Keyword::Terminal, Condition::Terminal),
    (Keyword::MainLine, Condition::Mainline),
    (Keyword::Variation, Condition::Variation),
    (Keyword::VirtualMainLine, Condition::VirtualMainline),
    (Keyword::Try, Condition::Try),
    (Keyword::Primary, Condition::Primary),
    (Keyword::Secondary, Condition::Secondary),
    (Keyword::NullMove, Condition::NullMove),
    (Keyword::CastleShort, Condition::Castling(CastlingKind::KingSide)),
    (Keyword::CastleLong, Condition::Castling(CastlingKind::QueenSide)),
    (Keyword::Castle, Condition::Castling(CastlingKind::Either)),
    (Keyword::EnPassant, Condition::EnPassant),
    (Keyword::RemoveComment, Condition::RemoveComment),
    (Keyword::CqlAbort, Condition::Abort),
    (Keyword::CqlHhdbHasCook, Condition::Hhdb(HhdbCondition::Cooked)),
    (Keyword::LegalPosition, Condition::LegalPosition),
    (Keyword::ReachablePosition, Condition::ReachablePosition),
    (Keyword::VariantWin, Condition::VariantEnd(VariantEnding::Win)),
    (Keyword::VariantLoss, Condition::VariantEnd(VariantEnding::Loss)),
    (Keyword::VariantDraw, Condition::VariantEnd(VariantEnding::Draw)),
    (Keyword::VariantEnd, Condition::VariantEnd(VariantEnding::Any)),
];

/// The keywords without operands that have a value.
pub(crate) const QUANTITIES: [(Keyword, Quantity); 38] = [
    (Keyword::SideToMove, Quantity::SideSign),
    (Keyword::Ply, Quantity::Ply),
    (Keyword::MoveNumber, Quantity::MoveNumber),
    (Keyword::Depth, Quantity::Depth),
    (Keyword::PositionId, Quantity::PositionId),
    (Keyword::GameNumber, Quantity::GameNumber),
    (Keyword::LastGameNumber, Quantity::LastGameNumber),
    (Keyword::Year, Quantity::Year),
    (Keyword::HalfMoveClock, Quantity::HalfMoveClock),
    (Keyword::From, Quantity::LastFrom),
    (Keyword::To, Quantity::LastTo),
    (Keyword::EnPassantSquare, Quantity::EnPassantSquare),
    (Keyword::PassedPawns, Quantity::PassedPawns),
    (Keyword::ConnectedPawns, Quantity::ConnectedPawns),
    (Keyword::IsolatedPawns, Quantity::IsolatedPawns),
    (Keyword::DoubledPawns, Quantity::DoubledPawns),
    (Keyword::PureMate, Quantity::Participants(Participants::PureMate)),
    (Keyword::ModelMate, Quantity::Participants(Participants::ModelMate)),
    (Keyword::IdealMate, Quantity::Participants(Participants::IdealMate)),
    (Keyword::PureStalemate, Quantity::Participants(Participants::PureStalemate)),
    (Keyword::ModelStalemate, Quantity::Participants(Participants::ModelStalemate)),
    (Keyword::IdealStalemate, Quantity::Participants(Participants::IdealStalemate)),
    (Keyword::StandardFen, Quantity::StandardFen),
    (Keyword::CurrentFen, Quantity::CurrentFen),
    (Keyword::CurrentMutation, Quantity::CurrentMutation),
    (Keyword::PromotedPieces, Quantity::PromotedPieces),
    (Keyword::San, Quantity::San),
    (Keyword::Clk, Quantity::Clock),
    (Keyword::Eval, Quantity::Evaluation),
    (Keyword::SavePosition, Quantity::SavePosition),
    (Keyword::ZobristKey, Quantity::ZobristKey),
    (Keyword::PathCount, Quantity::Path(PathStatus::Count)),
    (Keyword::PathCountUnfocused, Quantity::Path(PathStatus::CountUnfocused)),
    (Keyword::PathStart, Quantity::Path(PathStatus::Start)),
    (Keyword::PathLastPosition, Quantity::Path(PathStatus::LastPosition)),
    (Keyword::CurrentPosition, Quantity::CurrentPosition),
    (Keyword::Parent, Quantity::Parent),
    (Keyword::InitialPosition, Quantity::InitialPosition),
];

/// The kind of castling that a keyword names.
pub(crate) fn castling_kind(keyword: Keyword) -> Option<CastlingKind> {
    let Some(Condition::Castling(kind)) = keyword.find_in(&CONDITIONS) else {
        return None;
    };
    Some(kind)
}

/// The type of a keyword that is a filter without operands, if it has only one type.
pub(crate) fn type_of(keyword: Keyword) -> Option<Type> {
    match keyword.find_in(&CONDITIONS) {
        Some(_) => Some(Type::Bool),
        None => keyword.find_in(&QUANTITIES).map(Quantity::ty),
    }
}
