//! The variants of chess that have rules of their own (spec page cqli.md, section 13).
//!
//! Everything here is off the way of chess: generation and [`Position::make`] ask once whether
//! the game is chess and come here only if it is not. What a variant adds to a position lives in
//! the position's last word and in two bits of its state ([`store`]); so a check, for instance,
//! is what the variant calls a check wherever it is asked for.

mod ends;
mod make;
mod moves;
mod names;
mod store;

pub use ends::VariantEnd;
pub(crate) use make::make;
pub(crate) use moves::{groups, is_mate};
pub use names::VariantNames;

use crate::{Position, Rules, Variant, fen};

const HORDE: &str = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";
const RACING_KINGS: &str = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";
const NO_CASTLING: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

/// Whether the variant's rule has ended the game on the board: nobody may move.
#[inline]
pub(crate) fn is_over(position: &Position, rules: &Rules) -> bool {
    !rules.variant.is_chess() && position.end_on_board(rules).is_some()
}

impl Variant {
    /// The position from which games begin that have no `FEN` tag.
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
            _ => {
                let mut position = Position::start();
                position.set_variant(self);
                return position;
            }
        };
        fen::parse_variant(text, self).map_or(Position::start(), |(position, _)| position)
    }
}
