//! What is constant in a game: the variant and the castling rooks.

use crate::position::CastlingSide;
use crate::{Color, Square};

/// A chess variant (spec page cqli.md, section 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Variant {
    /// Chess.
    #[default]
    Standard,
    /// Chess from one of 960 first ranks.
    Chess960,
    /// Captures explode.
    Atomic,
    /// Captured men are dropped.
    Crazyhouse,
    /// Captures are compulsory; who loses all men, or is stalemated, wins (Giveaway).
    Antichess,
    /// As antichess, but stalemate does not win.
    Suicide,
    /// Captures are compulsory and the king is royal.
    Losers,
    /// White has 36 pawns and no king.
    Horde,
    /// A king in the centre wins.
    KingOfTheHill,
    /// The first king on the eighth rank wins.
    RacingKings,
    /// The third check wins.
    ThreeCheck,
}

impl Variant {
    /// All variants, in the order of cqli.md's table.
    pub const ALL: [Variant; 11] = [
        Variant::Standard,
        Variant::Chess960,
        Variant::Atomic,
        Variant::Crazyhouse,
        Variant::Antichess,
        Variant::Suicide,
        Variant::Losers,
        Variant::Horde,
        Variant::KingOfTheHill,
        Variant::RacingKings,
        Variant::ThreeCheck,
    ];

    /// Whether moves and ends are those of chess: standard chess and Chess960.
    #[inline(always)]
    pub const fn is_chess(self) -> bool {
        matches!(self, Variant::Standard | Variant::Chess960)
    }
}

/// What is constant in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The variant.
    pub variant: Variant,
    /// The squares of the castling rooks: White's king side, White's queen side, then Black's.
    pub rooks: [Square; 4],
    /// Whether kings may castle from other files than the e-file, and FEN castling fields need
    /// more than `KQkq`.
    pub chess960: bool,
}

impl Rules {
    /// The rules of chess.
    pub const STANDARD: Rules = Rules {
        variant: Variant::Standard,
        rooks: [Square::H1, Square::A1, Square::H8, Square::A8],
        chess960: false,
    };

    /// The square of the castling rook.
    #[inline]
    pub const fn rook(&self, color: Color, side: CastlingSide) -> Square {
        self.rooks[color.index() * 2 + side as usize]
    }

    /// These rules under another variant.
    pub const fn with_variant(mut self, variant: Variant) -> Rules {
        self.variant = variant;
        if matches!(variant, Variant::Chess960) {
            self.chess960 = true;
        }
        self
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::STANDARD
    }
}
