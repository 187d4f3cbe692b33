//! What can speak against a position (`docs/src/retro.md#reachable`).

use std::fmt;

use super::legality::Illegality;
use super::names;
use super::promotions::Surplus;
use crate::{Color, Kind, Square, SquareSet};

/// A reason why no game leads to a position, in the order in which reasons are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreachability {
    /// The position is illegal as it stands.
    Illegal(Illegality),
    /// The pawns cannot have come from distinct start squares.
    PawnStructure {
        /// Whose pawns.
        color: Color,
        /// All of them.
        pawns: SquareSet,
    },
    /// The pawns made more captures than the other side misses men.
    PawnCaptures {
        /// Whose pawns.
        color: Color,
        /// How many captures they made at least.
        captures: u32,
        /// How many men the other side misses.
        missing: u32,
    },
    /// Pawns that are on the board made all captures, but a piece that never left home is gone.
    CapturedAtHome {
        /// Whose piece.
        color: Color,
        /// What it was.
        kind: Kind,
        /// Where it began.
        start: Square,
    },
    /// King and queen stand on each other's squares and never had another.
    SwappedRoyals(Color),
    /// Pawns that never moved have always barred the king's way.
    KingPath {
        /// Whose king.
        color: Color,
        /// Where it stands.
        king: Square,
    },
    /// More promotions than missing pawns.
    TooManyPromotions {
        /// Who promoted.
        color: Color,
        /// How many pawns are missing.
        possible: u32,
        /// The men that tell of promotions.
        surpluses: Vec<Surplus>,
    },
    /// The promotions would need more captures than the other side misses men.
    CostlyPromotions {
        /// Who promoted.
        color: Color,
        /// The men that tell of promotions.
        surpluses: Vec<Surplus>,
        /// Captures that the pawns on the board made.
        captures: u32,
        /// Captures that the promotions need beyond these; none if no promotion is possible.
        more: Option<u32>,
        /// How many men the other side misses.
        missing: u32,
        /// The start squares without a pawn.
        starts: SquareSet,
        /// The files on which pawns can have promoted, bit 0 for the a-file.
        files: u8,
    },
    /// No last move can have given the check.
    ImpossibleCheck(Color),
    /// A bishop is gone, but all captures were made on squares of the other colour.
    BishopColor {
        /// Whose bishop.
        color: Color,
        /// Whether it went on light squares.
        light: bool,
        /// Where the captures were made.
        captures: SquareSet,
    },
    /// The other side ought to be to move.
    ColorParity(Color),
    /// A bishop that can neither have come nor have been promoted where it stands.
    TrappedBishop {
        /// Whose bishop.
        color: Color,
        /// Where it stands.
        square: Square,
    },
    /// A rook that cannot have come where it stands.
    TrappedRook {
        /// Whose rook.
        color: Color,
        /// Where it stands.
        square: Square,
    },
    /// Rooks outside a wall of pawns through which they never came.
    EscapedRooks {
        /// Whose rooks.
        color: Color,
        /// Where they stand.
        rooks: SquareSet,
    },
    /// Rooks behind a wall of enemy pawns through which they never came.
    EntrenchedRooks {
        /// Whose rooks.
        color: Color,
        /// Where they stand.
        rooks: SquareSet,
    },
    /// White and black pawns have passed each other on their files, for which too few captures
    /// were made. Ours, and given only where nothing before it speaks against the position.
    Crossed {
        /// The pawns that have passed or been passed.
        pawns: SquareSet,
        /// How many men White and Black miss.
        missing: [u32; 2],
    },
    /// The promotions would need more captures than the other side misses men, for some of its
    /// pawns never left their files. Ours, like `Crossed`.
    PromotedPast {
        /// Who promoted.
        color: Color,
        /// The other side's pawns that never left their files.
        wall: SquareSet,
        /// How many captures that takes; none if it is impossible.
        captures: Option<u32>,
        /// How many men the other side misses.
        missing: u32,
    },
    /// Pawns on the board captured all of the colour's missing men, but a bishop is gone on whose
    /// squares none of them can have captured. Ours, like `Crossed`.
    BishopOutOfReach {
        /// Whose bishop.
        color: Color,
        /// Whether it went on light squares.
        light: bool,
    },
    /// Men are where they cannot have come, inside or outside an area of the colour's first rank
    /// that only knights can have left or entered. Ours, like `Crossed`.
    ClosedArea {
        /// Whose first rank.
        color: Color,
        /// The closed squares.
        area: SquareSet,
        /// The men.
        men: SquareSet,
    },
    /// The colour, which is not to move, can have made no last move. Ours, like `Crossed`; of a
    /// check it is `ImpossibleCheck`.
    NoLastMove(Color),
    /// Each last move that the colour can have made was made in a position that is not reachable.
    /// Ours, like `Crossed`.
    UnreachablePast(Color),
}

/// Whether a game can have led to a position. Its text is that of `reachableposition`.
///
/// ```
/// use babson_chess::{fen, retro};
/// let (position, _) = fen::parse("4k3/8/8/8/8/P7/PP6/4K3 w").unwrap();
/// let verdict = retro::analyse(&position);
/// assert!(!verdict.is_reachable());
/// assert_eq!(
///     verdict.to_string(),
///     "<Unreachable position: Impossible White Pawn structure (squares a2, b2, a3)>"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Everything that speaks against it, in the order of the text.
    pub reasons: Vec<Unreachability>,
}

impl Verdict {
    /// Whether nothing is known against the position.
    pub fn is_reachable(&self) -> bool {
        self.reasons.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        names::verdict(out, ["Reachable", "Unreachable"], &self.reasons)
    }
}

/// How many promotions the men tell of.
pub(super) fn promotions(surpluses: &[Surplus]) -> u32 {
    surpluses.iter().map(|surplus| surplus.promotions).sum()
}
