//! The reasons in plain words, and the squares that are at fault.

use super::legality::Illegality;
use super::verdict::Unreachability;
use crate::{Color, Kind, Position, SquareSet};

impl Illegality {
    /// The squares at fault; none where something is missing.
    pub fn squares(&self, position: &Position) -> SquareSet {
        let checkers = |color: Color| match position.king(color) {
            Some(king) => {
                position.attackers_of(color.not(), king, position.occupied()) | king.into()
            }
            None => SquareSet::EMPTY,
        };
        match *self {
            Illegality::NoKing(_) => SquareSet::EMPTY,
            Illegality::ManyKings(_, squares)
            | Illegality::PawnsOnRank(_, squares)
            | Illegality::TooManyPawns(_, squares) => squares,
            Illegality::BothInCheck => checkers(Color::White) | checkers(Color::Black),
            Illegality::OppositeInCheck(color) => checkers(color),
            Illegality::TooManyPieces(color, _) => {
                position.color(color) - position.kind(Kind::King)
            }
            Illegality::BlackToStart => position.occupied(),
            Illegality::ManyCheckers { king, checkers, .. } => checkers | king.into(),
        }
    }

    /// The rule that is broken, in a sentence.
    pub fn explanation(&self) -> &'static str {
        match self {
            Illegality::NoKing(_) => "Each side has a king: it is never captured.",
            Illegality::ManyKings(..) => "Each side has one king only: nothing becomes a king.",
            Illegality::BothInCheck => {
                "A side may not leave its king attacked, so at most the side to move is in check."
            }
            Illegality::OppositeInCheck(_) => {
                "The side that has just moved may not have left its king attacked."
            }
            Illegality::PawnsOnRank(..) => {
                "Pawns begin on their second rank and become something else on their last."
            }
            Illegality::TooManyPawns(..) => "A side begins with eight pawns and gets no more.",
            Illegality::TooManyPieces(..) => {
                "A side begins with fifteen men beside its king and gets no more."
            }
            Illegality::BlackToStart => {
                "White moves first, and nobody gets back to the initial array with an odd number of moves: \
                 only knights and rooks can have moved, each from light squares to dark ones or back."
            }
            Illegality::ManyCheckers { .. } => {
                "One move opens at most two lines to a king, so at most two men give check."
            }
        }
    }
}

impl Unreachability {
    /// The squares at fault: where the men stand from whom the contradiction is drawn.
    ///
    /// ```
    /// use babson_chess::{Square, fen, retro};
    /// let (position, _) = fen::parse("4k3/8/8/8/8/8/5P1P/4K1B1 w").unwrap();
    /// let verdict = retro::analyse(&position);
    /// assert_eq!(verdict.reasons[0].squares(&position), Square::G1.into());
    /// ```
    pub fn squares(&self, position: &Position) -> SquareSet {
        let pawns = |color| position.pieces(color, Kind::Pawn);
        match self {
            Unreachability::Illegal(reason) => reason.squares(position),
            Unreachability::PawnStructure { pawns, .. } => *pawns,
            Unreachability::PawnCaptures { color, .. } => pawns(*color),
            Unreachability::CapturedAtHome { start, .. } => (*start).into(),
            Unreachability::SwappedRoyals(color) => {
                position.pieces(*color, Kind::King) | position.pieces(*color, Kind::Queen)
            }
            Unreachability::KingPath { king, .. } => (*king).into(),
            Unreachability::TooManyPromotions { surpluses, .. }
            | Unreachability::CostlyPromotions { surpluses, .. } => {
                surpluses.iter().fold(SquareSet::EMPTY, |set, surplus| set | surplus.squares)
            }
            Unreachability::ImpossibleCheck(color) => {
                position.pieces(*color, Kind::King) | position.checkers()
            }
            Unreachability::BishopColor { captures, .. } => *captures,
            Unreachability::ColorParity(_) => position.occupied(),
            Unreachability::TrappedBishop { square, .. }
            | Unreachability::TrappedRook { square, .. } => (*square).into(),
            Unreachability::EscapedRooks { rooks, .. }
            | Unreachability::EntrenchedRooks { rooks, .. } => *rooks,
            Unreachability::Crossed { pawns, .. } => *pawns,
            Unreachability::PromotedPast { wall, .. } => *wall,
            Unreachability::BishopOutOfReach { color, .. } => pawns(color.not()),
            Unreachability::ClosedArea { men, .. } => *men,
            Unreachability::NoLastMove(color) | Unreachability::UnreachablePast(color) => {
                position.color(*color)
            }
        }
    }

    /// Why no game leads to such a position, in a sentence or two.
    pub fn explanation(&self) -> &'static str {
        match self {
            Unreachability::Illegal(reason) => reason.explanation(),
            Unreachability::PawnStructure { .. } => {
                "A pawn changes its file only with a capture, a step forward each time. These pawns \
                 cannot have come from as many start squares."
            }
            Unreachability::PawnCaptures { .. } => {
                "A pawn changes its file only with a capture. Whatever start squares the pawns came \
                 from, they captured more often than men of the other side are gone."
            }
            Unreachability::CapturedAtHome { .. } => {
                "The pawns that are still there made every capture, and none of them stands where the \
                 shut-in piece can have been taken."
            }
            Unreachability::SwappedRoyals(_) => {
                "The pawns and bishops around king and queen have never moved, so the two had no third \
                 square to make way for each other."
            }
            Unreachability::KingPath { .. } => {
                "Pawns that never moved have guarded the whole rank before the king since the game began."
            }
            Unreachability::TooManyPromotions { .. } => {
                "There are more pieces than at the beginning, and too few pawns are gone that might have \
                 become these."
            }
            Unreachability::CostlyPromotions { .. } => {
                "There are more pieces than at the beginning; for pawns to become these, around the enemy \
                 pawns that never moved, more captures were needed than men are gone."
            }
            Unreachability::ImpossibleCheck(_) => {
                "Whatever move is taken back, the king was attacked already before it, or the position \
                 before it is illegal."
            }
            Unreachability::BishopColor { .. } => {
                "Each pawn that stands before one that never moved captured where it stands. These are all \
                 the captures, on squares where the bishop that is gone cannot have been."
            }
            Unreachability::ColorParity(_) => {
                "Only knights, rooks in their corners and single steps of pawns can have been played. Each \
                 such move changes the colour of a man's square, so their number is odd or even with the \
                 number of men on light squares."
            }
            Unreachability::TrappedBishop { .. } => {
                "Pawns that never moved stand on the only squares by which a bishop gets here."
            }
            Unreachability::TrappedRook { .. } => {
                "Pawns that never moved, the pawn before it and the bishop behind it leave the rook no way in."
            }
            Unreachability::EscapedRooks { .. } => {
                "The wall of eight pawns was never open, so no rook came through it."
            }
            Unreachability::EntrenchedRooks { .. } => {
                "The wall of eight pawns was never open, and the rook cannot have been a pawn that promoted \
                 behind it."
            }
            Unreachability::Crossed { .. } => {
                "Two pawns on the same file cannot pass each other: one of them left it and came back, or \
                 came from another file, and that takes more captures than men are gone."
            }
            Unreachability::PromotedPast { .. } => {
                "There are more pieces than at the beginning; for pawns to become these, around enemy pawns \
                 that have always been on their files, more captures were needed than men are gone."
            }
            Unreachability::BishopOutOfReach { .. } => {
                "The pawns that are still there made every capture, and each of them passed only over \
                 squares of one colour when it captured: not the bishop's."
            }
            Unreachability::ClosedArea { .. } => {
                "The pawns and bishops around this stretch of the first rank have never moved. Whatever \
                 began there and is no knight is there still or was captured there, and nothing came in."
            }
            Unreachability::NoLastMove(_) => {
                "The side that is to have moved last has no man that can have come from anywhere."
            }
            Unreachability::UnreachablePast(_) => {
                "Take back any move that can have been the last: what is left cannot have come about either."
            }
        }
    }
}
