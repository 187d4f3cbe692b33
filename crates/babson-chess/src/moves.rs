//! Moves, stored in 16 bits.

use std::fmt;

use crate::{Kind, Square};

/// A move: origin, target and the kind of move.
///
/// A castling move stores the square of its rook, as Chess960 needs it; [`Move::to`] is the square
/// where the king arrives.
///
/// ```
/// use babson_chess::{Move, Square};
/// let mv = Move::castling(Square::E1, Square::H1);
/// assert_eq!((mv.from(), mv.to()), (Square::E1, Square::G1));
/// assert_eq!(mv.rook_to(), Some(Square::F1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

const NORMAL: u16 = 0;
const CASTLING: u16 = 1;
const EN_PASSANT: u16 = 2;
const NULL: u16 = 3;
// 4 + kind: promotion to that kind (knight to king); 10 + kind: a drop.
const PROMOTION: u16 = 4;
const DROP: u16 = 10;

impl Move {
    /// The null move: the side to move passes.
    pub const NULL: Move = Move(NULL << 12);

    #[inline(always)]
    const fn pack(from: Square, to: Square, code: u16) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6 | code << 12)
    }

    /// The bits of a promotion to the kind, without its squares, which are in the lowest 12 bits.
    pub(crate) const fn promotion_bits(kind: Kind) -> u16 {
        (PROMOTION + kind.index() as u16) << 12
    }

    /// The move of these bits: the squares and the kind of move.
    #[inline(always)]
    pub(crate) const fn of_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// A plain move or capture.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(from, to, NORMAL)
    }

    /// A pawn's move to the last rank.
    #[inline(always)]
    pub const fn promoting(from: Square, to: Square, kind: Kind) -> Move {
        Move::pack(from, to, PROMOTION + kind.index() as u16)
    }

    /// An en passant capture; `to` is the empty square that the captured pawn passed.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, EN_PASSANT)
    }

    /// A piece from the pocket is put on the board (Crazyhouse).
    #[inline(always)]
    pub const fn drop(kind: Kind, to: Square) -> Move {
        Move::pack(to, to, DROP + kind.index() as u16)
    }

    /// Castling of the king with the rook of its color.
    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, CASTLING)
    }

    #[inline(always)]
    const fn code(self) -> u16 {
        self.0 >> 12
    }

    /// The origin; for castling the square of the king, for a drop its target, for the null move
    /// a1, which means nothing.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as usize)
    }

    /// The target; for castling the square where the king arrives (g- or c-file).
    #[inline(always)]
    pub const fn to(self) -> Square {
        if self.is_castling() { self.castled_king() } else { self.raw_to() }
    }

    /// The target as it is stored: for castling the square from which the rook starts.
    #[inline(always)]
    pub const fn raw_to(self) -> Square {
        Square::from_index((self.0 >> 6) as usize)
    }

    /// The kind that the pawn promotes to.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Kind> {
        match self.code() {
            code @ 5..=9 => Kind::from_index((code - PROMOTION) as usize),
            _ => None,
        }
    }

    /// The kind that the move puts on the board, if it is a drop.
    #[inline(always)]
    pub const fn dropped(self) -> Option<Kind> {
        match self.code() {
            code @ 10..=14 => Kind::from_index((code - DROP) as usize),
            _ => None,
        }
    }

    /// The promotion with another piece; other moves are unchanged.
    pub(crate) const fn with_promotion(self, kind: Kind) -> Move {
        match self.promotion() {
            Some(_) => Move::promoting(self.from(), self.raw_to(), kind),
            None => self,
        }
    }

    /// Whether one piece moves or captures, and the move is not castling, en passant or a
    /// promotion.
    ///
    /// ```
    /// use babson_chess::{Move, Square};
    /// assert!(Move::normal(Square::E1, Square::H1).is_plain());
    /// assert!(!Move::castling(Square::E1, Square::H1).is_plain());
    /// ```
    #[inline(always)]
    pub const fn is_plain(self) -> bool {
        self.code() == NORMAL
    }

    /// Whether this is castling.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.code() == CASTLING
    }

    /// Whether this is castling on the king side: O-O.
    #[inline(always)]
    pub const fn is_king_side(self) -> bool {
        self.is_castling() && self.raw_to().index() > self.from().index()
    }

    /// Whether this is castling on the queen side: O-O-O.
    #[inline(always)]
    pub const fn is_queen_side(self) -> bool {
        self.is_castling() && !self.is_king_side()
    }

    /// Whether this is an en passant capture.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.code() == EN_PASSANT
    }

    /// Whether this is the null move.
    #[inline(always)]
    pub const fn is_null(self) -> bool {
        self.code() == NULL
    }

    #[inline(always)]
    const fn castled_king(self) -> Square {
        Square::at(if self.is_king_side() { 6 } else { 2 }, self.from().rank())
    }

    /// The king's target, if this is castling.
    pub(crate) const fn king_to(self) -> Option<Square> {
        if self.is_castling() { Some(self.castled_king()) } else { None }
    }

    /// The rook's origin, if this is castling.
    pub const fn rook_from(self) -> Option<Square> {
        if self.is_castling() { Some(self.raw_to()) } else { None }
    }

    /// The rook's target (f- or d-file), if this is castling.
    pub const fn rook_to(self) -> Option<Square> {
        if !self.is_castling() {
            return None;
        }
        Some(Square::at(if self.is_king_side() { 5 } else { 3 }, self.from().rank()))
    }

    /// The square of the pawn that is captured, if this is an en passant capture.
    pub const fn en_passant_victim(self) -> Option<Square> {
        if self.is_en_passant() {
            Some(Square::at(self.raw_to().file(), self.from().rank()))
        } else {
            None
        }
    }
}

impl fmt::Display for Move {
    /// UCI notation; castling as the king's move to its target, a drop as `N@f3`, the null move as
    /// `0000`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() {
            return out.write_str("0000");
        }
        if let Some(kind) = self.dropped() {
            return write!(out, "{}@{}", kind.letter(), self.to());
        }
        write!(out, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(out, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}
