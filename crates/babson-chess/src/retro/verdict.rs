//! The reasons why a position is unreachable (`docs/src/retro.md#reachable`).

use std::fmt;

use super::format;
use super::legality::Illegality;
use super::promotions::Surplus;
use crate::{Color, Kind, Square, SquareSet};

/// A reason why no game leads to a position, in the order in which reasons are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreachability {
    /// The position is illegal.
    Illegal(Illegality),
    /// The pawns cannot have come from distinct start squares.
    PawnStructure {
        /// The color of the pawns.
        color: Color,
        /// All of them.
        pawns: SquareSet,
    },
    /// The pawns made more captures than the other side is missing pieces.
    PawnCaptures {
        /// The color of the pawns.
        color: Color,
        /// The least number of captures that they made.
        captures: u32,
        /// How many pieces the other side is missing.
        missing: u32,
    },
    /// Pawns that are on the board made all captures, but none of them can have captured a piece
    /// that never left its home area and is missing.
    CapturedAtHome {
        /// The color of the piece.
        color: Color,
        /// The kind of the piece.
        kind: Kind,
        /// Its start square.
        start: Square,
    },
    /// King and queen are on each other's start square, but never had a third square.
    SwappedRoyals(Color),
    /// Pawns that never moved have always barred the king's way.
    KingPath {
        /// The color of the king.
        color: Color,
        /// Its square.
        king: Square,
    },
    /// The pieces imply more promotions than there are missing pawns.
    TooManyPromotions {
        /// The color that promoted.
        color: Color,
        /// How many pawns are missing.
        possible: u32,
        /// The pieces that imply promotions.
        surpluses: Vec<Surplus>,
    },
    /// The promotions need more captures than the other side is missing pieces.
    CostlyPromotions {
        /// The color that promoted.
        color: Color,
        /// The pieces that imply promotions.
        surpluses: Vec<Surplus>,
        /// How many captures the pawns on the board made.
        captures: u32,
        /// How many more captures the promotions need; `None` if they are impossible.
        more: Option<u32>,
        /// How many pieces the other side is missing.
        missing: u32,
        /// The start squares that have no pawn.
        starts: SquareSet,
        /// The files on which pawns can have promoted, bit 0 for the a-file.
        files: u8,
    },
    /// No move can have given the check to the king of this color.
    ImpossibleCheck(Color),
    /// A bishop is missing, but all captures were made on squares of the other color.
    BishopColor {
        /// The color of the bishop.
        color: Color,
        /// Whether the bishop moved on light squares.
        light: bool,
        /// The squares of the captures.
        captures: SquareSet,
    },
    /// The parity of the moves contradicts that this color is to move.
    ColorParity(Color),
    /// A bishop can neither have moved nor have promoted to its square.
    TrappedBishop {
        /// The color of the bishop.
        color: Color,
        /// Its square.
        square: Square,
    },
    /// A rook cannot have come to its square.
    TrappedRook {
        /// The color of the rook.
        color: Color,
        /// Its square.
        square: Square,
    },
    /// Rooks are outside a wall of their own pawns that was never open.
    EscapedRooks {
        /// Whose rooks.
        color: Color,
        /// Their squares.
        rooks: SquareSet,
    },
    /// Rooks are behind a wall of enemy pawns that was never open.
    EntrenchedRooks {
        /// Whose rooks.
        color: Color,
        /// Their squares.
        rooks: SquareSet,
    },
    /// White and black pawns have passed each other on their files, but too few captures were made.
    /// This reason and the following ones are Babson's own: one of them is given if none of the
    /// reasons above holds.
    Crossed {
        /// The pawns that have passed each other.
        pawns: SquareSet,
        /// How many pieces White and Black are missing.
        missing: [u32; 2],
    },
    /// The promotions need more captures than the other side is missing pieces, since some of its
    /// pawns never left their files.
    PromotedPast {
        /// The color that promoted.
        color: Color,
        /// The other side's pawns that never left their files.
        wall: SquareSet,
        /// How many captures the promotions need; `None` if they are impossible.
        captures: Option<u32>,
        /// How many pieces the other side is missing.
        missing: u32,
    },
    /// Pawns on the board captured all missing pieces of the color, but none of them can have
    /// captured on a square of the color of a missing bishop.
    BishopOutOfReach {
        /// The color of the bishop.
        color: Color,
        /// Whether the bishop moved on light squares.
        light: bool,
    },
    /// Pieces are inside or outside an area of the first rank of the color, though they cannot have
    /// entered or left it: only knights can.
    ClosedArea {
        /// The color of the first rank.
        color: Color,
        /// The squares of the area.
        area: SquareSet,
        /// The pieces.
        pieces: SquareSet,
    },
    /// The color, which is not to move, can have made no last move. If there is a check, the reason
    /// is `ImpossibleCheck`.
    NoLastMove(Color),
    /// Each last move that the color can have made was made in an unreachable position.
    UnreachablePast(Color),
}

/// Whether a game can have led to a position. Displays the text of `reachableposition`.
///
/// ```
/// use babson_chess::{fen, retro};
/// let (position, _) = fen::parse("4k3/8/8/8/8/P7/PP6/4K3 w").unwrap();
/// let verdict = retro::analyze(&position);
/// assert!(!verdict.is_reachable());
/// assert_eq!(
///     verdict.to_string(),
///     "<Unreachable position: Impossible White Pawn structure (squares a2, b2, a3)>"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Verdict {
    /// The proofs that no game leads to the position, in the order of the text.
    pub reasons: Vec<Unreachability>,
}

impl Verdict {
    /// Whether no proof was found.
    pub fn is_reachable(&self) -> bool {
        self.reasons.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        format::verdict(out, ["Reachable", "Unreachable"], &self.reasons)
    }
}

/// How many promotions the surpluses imply.
pub(super) fn promotions(surpluses: &[Surplus]) -> u32 {
    surpluses.iter().map(|surplus| surplus.promotions).sum()
}
