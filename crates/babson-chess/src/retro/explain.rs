//! Explanations of the reasons, and the squares that are at fault.

use super::legality::Illegality;
use super::verdict::Unreachability;
use crate::{Color, Kind, Position, SquareSet};

impl Illegality {
    /// The squares at fault; empty if a piece is missing.
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

    /// The broken rule, as a sentence.
    pub fn explanation(&self) -> &'static str {
        match self {
            Illegality::NoKing(_) => "Each side has a king: it is never captured.",
            Illegality::ManyKings(..) => "Each side has one king: nothing promotes to a king.",
            Illegality::BothInCheck => {
                "A side may not leave its king attacked, so at most the side to move is in check."
            }
            Illegality::OppositeInCheck(_) => {
                "The side that has just moved may not have left its king attacked."
            }
            Illegality::PawnsOnRank(..) => {
                "Pawns begin on their second rank and promote on their last."
            }
            Illegality::TooManyPawns(..) => {
                "A side begins with eight pawns and never gets another."
            }
            Illegality::TooManyPieces(..) => {
                "A side begins with fifteen pieces besides its king and never gets another."
            }
            Illegality::BlackToStart => {
                "White moves first, and no odd number of moves leads back to the initial array: only \
                 knights and rooks can have moved, and each of their moves changes the color of a square."
            }
            Illegality::ManyCheckers { .. } => {
                "One move opens at most two lines to a king, so at most two pieces give check."
            }
        }
    }
}

impl Unreachability {
    /// The squares of the pieces that contradict each other.
    ///
    /// ```
    /// use babson_chess::{Square, fen, retro};
    /// let (position, _) = fen::parse("4k3/8/8/8/8/8/5P1P/4K1B1 w").unwrap();
    /// let verdict = retro::analyze(&position);
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
            Unreachability::ClosedArea { pieces, .. } => *pieces,
            Unreachability::NoLastMove(color) | Unreachability::UnreachablePast(color) => {
                position.color(*color)
            }
        }
    }

    /// Why no game leads to such a position, in one or two sentences.
    pub fn explanation(&self) -> &'static str {
        match self {
            Unreachability::Illegal(reason) => reason.explanation(),
            Unreachability::PawnStructure { .. } => {
                "A pawn changes its file only by a capture, and each capture is a step forward. These \
                 pawns cannot have come from different start squares."
            }
            Unreachability::PawnCaptures { .. } => {
                "A pawn changes its file only by a capture. From whatever start squares the pawns came, \
                 they made more captures than the other side has lost pieces."
            }
            Unreachability::CapturedAtHome { .. } => {
                "The pawns on the board made all captures, and none of them is on a square where the \
                 confined piece can have been captured."
            }
            Unreachability::SwappedRoyals(_) => {
                "The pawns and bishops around king and queen never moved, so that the two had no third \
                 square to pass each other."
            }
            Unreachability::KingPath { .. } => {
                "Pawns that never moved have always guarded the whole rank in front of the king."
            }
            Unreachability::TooManyPromotions { .. } => {
                "There are more pieces than at the beginning, and too few pawns are missing that can \
                 have promoted to them."
            }
            Unreachability::CostlyPromotions { .. } => {
                "There are more pieces than at the beginning. To promote past the enemy pawns that never \
                 moved, the pawns needed more captures than the other side has lost pieces."
            }
            Unreachability::ImpossibleCheck(_) => {
                "Before every move that can have been the last, the king was attacked already or the \
                 position was illegal."
            }
            Unreachability::BishopColor { .. } => {
                "Each pawn in front of one that never moved captured on its square. These are all the \
                 captures, and the missing bishop cannot have been on any of these squares."
            }
            Unreachability::ColorParity(_) => {
                "Only knights, rooks in their corners and single steps of pawns can have been played. Each \
                 such move changes the color of the square of one piece, so the number of pieces on light \
                 squares tells whether the number of moves is odd or even."
            }
            Unreachability::TrappedBishop { .. } => {
                "Pawns that never moved are on the only squares from which a bishop can come here."
            }
            Unreachability::TrappedRook { .. } => {
                "Pawns that never moved, the pawn in front of the rook and the bishop behind it leave no way for \
                 the rook to come here."
            }
            Unreachability::EscapedRooks { .. } => {
                "The wall of eight pawns was never open, so no rook has passed it."
            }
            Unreachability::EntrenchedRooks { .. } => {
                "The wall of eight pawns was never open, and the rook cannot be a pawn that promoted behind \
                 it."
            }
            Unreachability::Crossed { .. } => {
                "Two pawns on the same file cannot pass each other: one of them left the file and came \
                 back, or it came from another file. This takes more captures than there are missing pieces."
            }
            Unreachability::PromotedPast { .. } => {
                "There are more pieces than at the beginning. To promote past enemy pawns that never left \
                 their files, the pawns needed more captures than the other side has lost pieces."
            }
            Unreachability::BishopOutOfReach { .. } => {
                "The pawns on the board made all captures, and none of them can have captured on a square \
                 of the color of the bishop."
            }
            Unreachability::ClosedArea { .. } => {
                "The pawns and bishops around this part of the first rank never moved. A piece that began \
                 there, other than a knight, is still there or was captured there, and no other piece \
                 came in."
            }
            Unreachability::NoLastMove(_) => {
                "The side that must have moved last has no piece that can have made the move."
            }
            Unreachability::UnreachablePast(_) => {
                "Every move that can have been the last was made in a position that no game leads to."
            }
        }
    }
}
