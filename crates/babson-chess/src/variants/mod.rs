//! The variants of chess with their own rules (`docs/src/language/positions.md#variants`).
//!
//! Variants do not slow down chess: move generation and [`Position::make`] test once whether the
//! rules of chess apply, and use this module only if they do not. The state of a variant is in the
//! last word of a position and in two bits of its state word ([`store`]), so that a position knows
//! what a check is in its variant.

mod ends;
mod make;
mod moves;
mod store;
mod variant_names;

pub use ends::VariantEnd;
pub(crate) use make::make;
pub(crate) use moves::{groups, is_mate};
pub use variant_names::VariantNames;

use crate::{Position, Rules, Variant, fen};

const HORDE: &str = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";
const RACING_KINGS: &str = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";
const NO_CASTLING: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

/// Whether the rule of the variant has ended the game on the board, so that no side may move.
#[inline]
pub(crate) fn is_over(position: &Position, rules: &Rules) -> bool {
    !rules.variant.is_chess() && position.end_on_board(rules).is_some()
}

impl Variant {
    /// The position from which a game without a `FEN` tag begins.
    ///
    /// ```
    /// use babson_chess::{Color, Variant};
    /// assert_eq!(Variant::Horde.start().color(Color::White).len(), 36);
    /// ```
    pub fn start(self) -> Position {
        let text = match self {
            Variant::Horde => HORDE,
            Variant::RacingKings => RACING_KINGS,
            Variant::Antichess | Variant::Suicide => NO_CASTLING,
            Variant::Standard | Variant::Chess960 => return Position::start(),
            Variant::Atomic
            | Variant::Crazyhouse
            | Variant::Losers
            | Variant::KingOfTheHill
            | Variant::ThreeCheck => {
                let mut position = Position::start();
                position.set_variant(self);
                return position;
            }
        };
        fen::parse_variant(text, self).map_or(Position::start(), |(position, _)| position)
    }
}
