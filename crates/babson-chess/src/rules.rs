//! The rules of a game: its variant, and the start squares of its castling rooks.

use crate::position::CastlingSide;
use crate::{Color, Square};

/// A chess variant.
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
    /// Captured pieces can be dropped on the board by the side that captured them.
    Crazyhouse,
    /// Captures are compulsory; a side that has lost all pieces or has no move wins (Giveaway).
    Antichess,
    /// Like Antichess, but a side without a move wins only if it has fewer pieces.
    Suicide,
    /// Captures are compulsory and the king is royal; a side that has lost all other pieces or has
    /// no move wins.
    Losers,
    /// White has 36 pawns and no king.
    Horde,
    /// A king in the center wins.
    KingOfTheHill,
    /// The first king on the eighth rank wins.
    RacingKings,
    /// The third check wins.
    ThreeCheck,
}

impl Variant {
    /// All variants.
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

    /// Whether pieces move and games end as in chess: true for standard chess and Chess960.
    #[inline(always)]
    pub const fn is_chess(self) -> bool {
        matches!(self, Variant::Standard | Variant::Chess960)
    }
}

/// The rules of a game, which do not change during the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The variant.
    pub variant: Variant,
    /// The squares of the castling rooks: White's king side, White's queen side, then Black's.
    pub rooks: [Square; 4],
    /// Whether kings may castle from files other than the e-file, so that `KQkq` does not suffice
    /// for the castling field of a FEN.
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
