//! The state of a variant in a position: the rule set, the pockets and promoted pieces of
//! Crazyhouse, and the remaining checks of Three-Check.
//!
//! | rule set | last word |
//! | --- | --- |
//! | chess | 0 |
//! | other | Three-Check: the checks left, White's in the lowest byte, then Black's |
//! | Crazyhouse | low half: for each of the first 32 pieces other than pawns and kings, in square order, whether it is a promoted pawn; then 16 bits for the pocket of each color |
//! | odd kings | whether adjacent kings are not in check (Atomic), or no king is royal |

use crate::position::state;
use crate::{Color, Kind, Piece, Position, Square, SquareSet, Variant, attacks};

/// Adjacent kings are not in check.
const ADJACENT_KINGS_SAFE: u64 = 1;
/// No king is royal.
const NO_ROYAL_KING: u64 = 2;

/// The counts of a pocket, pawn to queen: the first bit of each and the number of its bits. All
/// pieces of a game from the initial array fit.
const COUNTS: [(u32, u32); 5] = [(0, 5), (5, 3), (8, 3), (11, 3), (14, 2)];

impl Position {
    /// Makes this a position of the variant, with empty pockets and three checks left for each
    /// side. Placement, side to move, castling rights and clocks do not change.
    pub fn set_variant(&mut self, variant: Variant) {
        let (rules, extra) = match variant {
            Variant::Standard | Variant::Chess960 => (0, 0),
            Variant::Crazyhouse => (state::RULES_CRAZYHOUSE, 0),
            Variant::Atomic => (state::RULES_ODD_KINGS, ADJACENT_KINGS_SAFE),
            Variant::Antichess | Variant::Suicide => (state::RULES_ODD_KINGS, NO_ROYAL_KING),
            Variant::ThreeCheck => (state::RULES_OTHER, 0x0303),
            Variant::Losers | Variant::Horde | Variant::KingOfTheHill | Variant::RacingKings => {
                (state::RULES_OTHER, 0)
            }
        };
        self.state = self.state & !state::RULES | rules;
        self.extra = extra;
        self.refresh();
    }

    fn is_crazyhouse(&self) -> bool {
        self.state & state::RULES == state::RULES_CRAZYHOUSE
    }

    /// Whether the position has what only variants have: pieces in a pocket or pieces that were
    /// pawns, a number of checks that are left, or kings that are not royal.
    #[inline(always)]
    pub fn has_variant_state(&self) -> bool {
        self.extra != 0
    }

    /// How many pieces of the kind are in the pocket of the color (Crazyhouse); 0 in other
    /// variants.
    pub fn pocket(&self, color: Color, kind: Kind) -> u32 {
        match COUNTS.get(kind.index()) {
            Some(&(at, bits)) if self.is_crazyhouse() => {
                let counts = self.extra >> (32 + 16 * color.index());
                (counts >> at) as u32 & ((1 << bits) - 1)
            }
            _ => 0,
        }
    }

    /// Sets how many pieces of the kind are in the pocket of the color (Crazyhouse). Returns
    /// whether that many fit: 31 pawns, 7 knights, 7 bishops, 7 rooks, 3 queens. Otherwise the
    /// pocket is filled. In other variants nothing changes.
    pub(crate) fn set_pocket(&mut self, color: Color, kind: Kind, count: u32) -> bool {
        let Some(&(at, bits)) = COUNTS.get(kind.index()) else {
            return count == 0;
        };
        let most = (1 << bits) - 1;
        if self.is_crazyhouse() {
            let at = 32 + 16 * color.index() as u32 + at;
            let held = u64::from(count.min(most)) << at;
            self.extra = self.extra & !(u64::from(most) << at) | held;
        }
        count <= most
    }

    /// The pieces that can be marked as promoted, in the order of their bits.
    fn markable(&self) -> impl Iterator<Item = Square> {
        let pieces = self.occupied() - self.kind(Kind::Pawn) - self.kind(Kind::King);
        pieces.iter().take(32)
    }

    /// The promoted pieces, which become pawns in the pocket when they are captured (Crazyhouse);
    /// empty in other variants.
    pub fn promoted(&self) -> SquareSet {
        if !self.is_crazyhouse() || self.extra as u32 == 0 {
            return SquareSet::EMPTY;
        }
        self.markable()
            .enumerate()
            .filter(|(bit, _)| self.extra >> bit & 1 != 0)
            .map(|(_, square)| square)
            .collect()
    }

    /// Sets which pieces are promoted (Crazyhouse). Pawns, kings, empty squares and pieces after
    /// the first 32 are ignored.
    pub fn set_promoted(&mut self, promoted: SquareSet) {
        if !self.is_crazyhouse() {
            return;
        }
        let marks = self
            .markable()
            .enumerate()
            .filter(|(_, square)| promoted.contains(*square))
            .fold(0, |marks, (bit, _)| marks | 1 << bit);
        self.extra = self.extra & !0xffff_ffff | marks;
    }

    /// How many checks the color has left to give (Three-Check); meaningless in other variants.
    pub fn checks_left(&self, color: Color) -> u32 {
        (self.extra >> (8 * color.index())) as u32 & 0xff
    }

    /// Sets how many checks the color has left to give, at most 255 (Three-Check).
    pub(crate) fn set_checks_left(&mut self, color: Color, count: u32) {
        let at = 8 * color.index();
        let count = u64::from(count.min(0xff));
        self.extra = self.extra & !(0xff << at) | count << at;
    }

    /// [`Position::put`] in Crazyhouse: a piece that is removed or replaced loses its mark.
    #[cold]
    pub(crate) fn put_in_crazyhouse(&mut self, square: Square, piece: Option<Piece>) {
        let promoted = self.promoted() - square.into();
        self.place(square, piece);
        self.set_promoted(promoted);
    }

    /// Whether an attack on the king of the color is not a check in the variant.
    #[cold]
    pub(crate) fn is_odd_king_safe(&self, color: Color, king: Square) -> bool {
        self.extra == NO_ROYAL_KING
            || attacks::king(king).intersects(self.pieces(color.not(), Kind::King))
    }

    /// The squares on which the king of the color is never in check in the variant, whatever
    /// attacks it.
    pub(crate) fn shelters(&self, color: Color) -> SquareSet {
        if self.state & state::RULES != state::RULES_ODD_KINGS {
            return SquareSet::EMPTY;
        }
        self.pieces(color.not(), Kind::King)
            .iter()
            .fold(SquareSet::EMPTY, |set, king| set | attacks::king(king))
    }

    /// Copies the state of the variant from `of`, with colors exchanged and ranks mirrored. The
    /// board of `self` must be mirrored already.
    #[cold]
    pub(crate) fn mirror_extra(&mut self, of: &Position) {
        match self.state & state::RULES {
            state::RULES_CRAZYHOUSE => {
                let pockets = of.extra >> 32;
                self.extra = (pockets >> 16 | (pockets & 0xffff) << 16) << 32;
                self.set_promoted(of.promoted().mirror());
            }
            state::RULES_OTHER => {
                self.extra = (of.extra as u16).swap_bytes().into();
            }
            _ => {}
        }
    }
}
