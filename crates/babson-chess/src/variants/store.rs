//! What a position holds for its variant: the law of its kings, pockets and promoted men
//! (Crazyhouse), checks that are left (Three-Check).
//!
//! | law | last word |
//! | --- | --- |
//! | chess | 0 |
//! | another game with the kings of chess | Three-Check: checks left, White's in the lowest byte, then Black's |
//! | house | low half: for each man that is neither pawn nor king, in square order, whether it is a promoted pawn (the first 32 men); then 16 bits a colour for its pocket |
//! | odd kings | whether kings that touch give no check (Atomic), or no king is royal |

use crate::position::state;
use crate::{Color, Kind, Piece, Position, Square, SquareSet, Variant, attacks};

/// Kings that touch give no check.
const TOUCHING: u64 = 1;
/// No king is royal.
const COMMON: u64 = 2;

/// Bits of a pocket's counts: where each begins and how many there are, pawn to queen. A pocket
/// of all men of a usual game fits.
const COUNTS: [(u32, u32); 5] = [(0, 5), (5, 3), (8, 3), (11, 3), (14, 2)];

impl Position {
    /// Makes this a position of the variant, with empty pockets and all three checks to give.
    /// Placement, side, rights and clocks stay.
    pub fn set_variant(&mut self, variant: Variant) {
        let (law, extra) = match variant {
            Variant::Standard | Variant::Chess960 => (0, 0),
            Variant::Crazyhouse => (state::LAW_HOUSE, 0),
            Variant::Atomic => (state::LAW_ODD_KINGS, TOUCHING),
            Variant::Antichess | Variant::Suicide => (state::LAW_ODD_KINGS, COMMON),
            Variant::ThreeCheck => (state::LAW_OTHER, 0x0303),
            Variant::Losers | Variant::Horde | Variant::KingOfTheHill | Variant::RacingKings => {
                (state::LAW_OTHER, 0)
            }
        };
        self.state = self.state & !state::LAW | law;
        self.extra = extra;
        self.refresh();
    }

    fn is_house(&self) -> bool {
        self.state & state::LAW == state::LAW_HOUSE
    }

    /// How many men of the kind the colour can drop (Crazyhouse); 0 in other games.
    pub fn pocket(&self, color: Color, kind: Kind) -> u32 {
        match COUNTS.get(kind.index()) {
            Some(&(at, bits)) if self.is_house() => {
                let counts = self.extra >> (32 + 16 * color.index());
                (counts >> at) as u32 & ((1 << bits) - 1)
            }
            _ => 0,
        }
    }

    /// Sets what the colour can drop of the kind; does nothing in other games than Crazyhouse.
    /// Returns whether the pocket holds that many: 31 pawns, 7 knights, bishops and rooks each,
    /// 3 queens. Otherwise it is filled.
    pub fn set_pocket(&mut self, color: Color, kind: Kind, count: u32) -> bool {
        let Some(&(at, bits)) = COUNTS.get(kind.index()) else {
            return count == 0;
        };
        let most = (1 << bits) - 1;
        if self.is_house() {
            let at = 32 + 16 * color.index() as u32 + at;
            let held = u64::from(count.min(most)) << at;
            self.extra = self.extra & !(u64::from(most) << at) | held;
        }
        count <= most
    }

    /// The men that may bear the mark of a promoted pawn, in the order of their bits.
    fn markable(&self) -> impl Iterator<Item = Square> {
        let men = self.occupied() - self.kind(Kind::Pawn) - self.kind(Kind::King);
        men.iter().take(32)
    }

    /// The men that go to the pocket as pawns when they are captured (Crazyhouse); empty in other
    /// games.
    pub fn promoted(&self) -> SquareSet {
        if !self.is_house() || self.extra as u32 == 0 {
            return SquareSet::EMPTY;
        }
        self.markable()
            .enumerate()
            .filter(|(bit, _)| self.extra >> bit & 1 != 0)
            .map(|(_, square)| square)
            .collect()
    }

    /// Marks the men on these squares as promoted pawns, and no others (Crazyhouse). Pawns, kings
    /// and empty squares bear no mark, nor do other men than the first 32.
    pub fn set_promoted(&mut self, promoted: SquareSet) {
        if !self.is_house() {
            return;
        }
        let marks = self
            .markable()
            .enumerate()
            .filter(|(_, square)| promoted.contains(*square))
            .fold(0, |marks, (bit, _)| marks | 1 << bit);
        self.extra = self.extra & !0xffff_ffff | marks;
    }

    /// How many checks the colour has still to give (Three-Check); meaningless in other games.
    pub fn checks_left(&self, color: Color) -> u32 {
        (self.extra >> (8 * color.index())) as u32 & 0xff
    }

    /// Sets how many checks the colour has still to give, at most 255 (Three-Check).
    pub fn set_checks_left(&mut self, color: Color, count: u32) {
        let at = 8 * color.index();
        let count = u64::from(count.min(0xff));
        self.extra = self.extra & !(0xff << at) | count << at;
    }

    /// [`Position::put`] where men bear marks: the man that goes takes its mark along.
    #[cold]
    pub(crate) fn put_in_house(&mut self, square: Square, piece: Option<Piece>) {
        let promoted = self.promoted() - square.into();
        self.place(square, piece);
        self.set_promoted(promoted);
    }

    /// Whether the colour's attacked king is safe by the law of its game.
    #[cold]
    pub(crate) fn is_odd_king_safe(&self, color: Color, king: Square) -> bool {
        self.extra == COMMON || attacks::king(king).intersects(self.pieces(color.not(), Kind::King))
    }

    /// Where the colour's king may not be attacked by the law of its game, whatever attacks.
    pub(crate) fn shelters(&self, color: Color) -> SquareSet {
        if self.state & state::LAW != state::LAW_ODD_KINGS {
            return SquareSet::EMPTY;
        }
        self.pieces(color.not(), Kind::King)
            .iter()
            .fold(SquareSet::EMPTY, |set, king| set | attacks::king(king))
    }

    /// What the variant holds, with the colours exchanged and the board turned; the board of
    /// `self` is turned already.
    #[cold]
    pub(crate) fn mirror_extra(&mut self, of: &Position) {
        match self.state & state::LAW {
            state::LAW_HOUSE => {
                let pockets = of.extra >> 32;
                self.extra = (pockets >> 16 | (pockets & 0xffff) << 16) << 32;
                self.set_promoted(of.promoted().mirror());
            }
            state::LAW_OTHER => {
                self.extra = (of.extra as u16).swap_bytes().into();
            }
            _ => {}
        }
    }
}
