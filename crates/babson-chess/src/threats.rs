//! Whether a king is attacked after two other pieces have exchanged their squares.

use crate::position::state;
use crate::{Color, Kind, Position, Square, SquareSet, attacks};

/// What attacks the king of one color, and from where pieces of each kind would attack it.
///
/// The exchange of two pieces does not change which squares are occupied, so it opens and closes no
/// line to the king. [`KingThreats::after_exchange`] therefore needs no changed board.
///
/// ```
/// use babson_chess::{Color, Square, fen};
/// let (board, _) = fen::parse("4k3/8/8/8/8/8/8/R3K2n w - - 0 1").unwrap();
/// let threats = board.king_threats(Color::White).unwrap();
/// assert_eq!(threats.after_exchange(&board, Square::A1, Square::H1), Some(false));
/// // One of the squares is the king's.
/// assert_eq!(threats.after_exchange(&board, Square::E1, Square::H1), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KingThreats {
    color: Color,
    /// All kings of the color.
    kings: SquareSet,
    attackers: SquareSet,
    /// By kind, the squares from which an enemy piece of the kind attacks the king.
    reach: [SquareSet; 6],
    /// The union of `reach`.
    reached: SquareSet,
}

impl Position {
    /// What attacks the king of the color; `None` in a variant with other rules of check. A color
    /// without exactly one king is never in check.
    pub fn king_threats(&self, color: Color) -> Option<KingThreats> {
        if self.state & state::RULES == state::RULES_ODD_KINGS {
            return None;
        }
        let kings = self.pieces(color, Kind::King);
        let Some(king) = kings.single() else {
            let none = SquareSet::EMPTY;
            return Some(KingThreats {
                color,
                kings,
                attackers: none,
                reach: [none; 6],
                reached: none,
            });
        };
        let occupied = self.occupied();
        // A piece of the color of the king, on the square of the king, attacks the squares from
        // which an enemy piece of its kind attacks the king; pawns included.
        let mut reach = [SquareSet::EMPTY; 6];
        for kind in Kind::ALL {
            reach[kind.index()] = attacks::of(kind, color, king, occupied);
        }
        let mut attackers = SquareSet::EMPTY;
        let mut reached = SquareSet::EMPTY;
        for kind in Kind::ALL {
            attackers |= self.pieces(color.not(), kind) & reach[kind.index()];
            reached |= reach[kind.index()];
        }
        Some(KingThreats { color, kings, attackers, reach, reached })
    }
}

impl KingThreats {
    /// Whether the king is attacked after the pieces on the two squares have been exchanged. `None`
    /// if one of the squares is empty or is the square of a king of the color: then the caller has
    /// to change the board.
    #[inline]
    pub fn after_exchange(&self, board: &Position, a: Square, b: Square) -> Option<bool> {
        let both = SquareSet::of(a) | SquareSet::of(b);
        if !(both - board.occupied()).is_empty() || both.intersects(self.kings) {
            return None;
        }
        if !(self.attackers - both).is_empty() {
            return Some(true);
        }
        let enemies = board.color(self.color.not());
        let attacks = |from: Square, to: Square| {
            self.reached.contains(to)
                && enemies.contains(from)
                && Kind::ALL.into_iter().any(|kind| {
                    board.kind(kind).contains(from) && self.reach[kind.index()].contains(to)
                })
        };
        Some(attacks(a, b) || attacks(b, a))
    }
}
