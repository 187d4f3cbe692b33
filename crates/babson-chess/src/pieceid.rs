//! Piece identities: which piece of the initial position is on a square.

use crate::{Move, Position, Square};

/// How identities are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Numbering {
    /// From 0 in the order a1, b1, … h8, as CQL 6.2 does.
    A1,
    /// From 1 in the order of a FEN, a8, b8, … h1, as CQLi does.
    Fen,
}

/// The identity of the piece on each square. A piece has an identity in the initial position and
/// keeps it when it moves, castles or promotes, until it is captured.
///
/// ```
/// use babson_chess::{fen, Move, Numbering, PieceIds, Square};
/// let (position, rules) = fen::parse("4k3/8/8/8/8/8/8/R3K2R w KQ").unwrap();
/// let mut ids = PieceIds::new(&position, Numbering::A1);
/// let castling = Move::castling(Square::E1, Square::H1);
/// ids.play(castling, &position.make(castling, &rules));
/// assert_eq!(ids.id_at(Square::G1), Some(1));
/// assert_eq!(ids.square_of(2), Some(Square::F1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(16))]
pub struct PieceIds([u8; 64]);

impl PieceIds {
    /// The entry of an empty square in the table.
    pub const NONE: u8 = 0xff;
    /// The table of an empty board.
    pub const EMPTY: PieceIds = PieceIds([PieceIds::NONE; 64]);

    /// The identities of the pieces of an initial position.
    pub fn new(position: &Position, numbering: Numbering) -> PieceIds {
        let mut table = [PieceIds::NONE; 64];
        let squares = position.occupied().iter();
        let numbers = 0u8..;
        match numbering {
            Numbering::A1 => squares.zip(numbers).for_each(|(sq, id)| table[sq.index()] = id),
            Numbering::Fen => {
                let mirrored = position.occupied().mirror();
                for (square, id) in mirrored.iter().zip(1u8..) {
                    table[square.mirror().index()] = id;
                }
            }
        }
        PieceIds(table)
    }

    /// Updates the table for a move that leads to the position `next`. A dropped piece gets the
    /// first number above those in use.
    pub fn play(&mut self, mv: Move, next: &Position) {
        if mv.is_null() {
            return;
        }
        if mv.dropped().is_some() {
            let new = self.highest().map_or(1, |id| id.saturating_add(1));
            self.set(mv.to(), Some(new));
            return;
        }
        let moved = self.0[mv.from().index()];
        self.0[mv.from().index()] = PieceIds::NONE;
        if let (Some(from), Some(to)) = (mv.rook_from(), mv.rook_to()) {
            let rook = self.0[from.index()];
            self.0[from.index()] = PieceIds::NONE;
            self.0[to.index()] = rook;
        }
        self.0[mv.to().index()] = moved;
        if let Some(victim) = mv.en_passant_victim() {
            self.0[victim.index()] = PieceIds::NONE;
        }
        // An explosion (Atomic) empties several squares, the target among them.
        if !next.occupied().contains(mv.to()) {
            for square in !next.occupied() {
                self.0[square.index()] = PieceIds::NONE;
            }
        }
    }

    /// The table after the move to the position `next`.
    pub fn after(mut self, mv: Move, next: &Position) -> PieceIds {
        self.play(mv, next);
        self
    }

    /// The identity of the piece on the square.
    #[inline]
    pub fn id_at(&self, square: Square) -> Option<u8> {
        Some(self.0[square.index()]).filter(|&id| id != PieceIds::NONE)
    }

    /// The square of the piece with this identity; `None` if it was captured or if there is no such
    /// identity.
    #[inline]
    pub fn square_of(&self, id: u8) -> Option<Square> {
        if id == PieceIds::NONE {
            return None;
        }
        // Compare eight bytes at a time. The lowest flag is exact; flags above it may be wrong.
        const ONES: u64 = 0x0101_0101_0101_0101;
        self.0.as_chunks().0.iter().zip(0..).find_map(|(&bytes, rank)| {
            let differ = u64::from_le_bytes(bytes) ^ (ONES * u64::from(id));
            let same = differ.wrapping_sub(ONES) & !differ & (ONES << 7);
            let index = rank * 8 + same.trailing_zeros() as usize / 8;
            (same != 0).then(|| Square::from_index(index))
        })
    }

    /// Sets or removes the identity on a square, for imagined boards.
    pub fn set(&mut self, square: Square, id: Option<u8>) {
        self.0[square.index()] = id.unwrap_or(PieceIds::NONE);
    }

    /// The highest identity in use.
    pub fn highest(&self) -> Option<u8> {
        self.0.iter().copied().filter(|&id| id != PieceIds::NONE).max()
    }

    /// The table: identity by square index, [`PieceIds::NONE`] for empty squares.
    pub const fn table(&self) -> &[u8; 64] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Rules, fen};

    #[test]
    fn numberings() {
        let a1 = PieceIds::new(&Position::start(), Numbering::A1);
        assert_eq!(a1.id_at(Square::H8), Some(31));
        assert_eq!(a1.id_at("e4".parse().unwrap()), None);
        let fen_order = PieceIds::new(&Position::start(), Numbering::Fen);
        assert_eq!(fen_order.id_at(Square::A8), Some(1));
        assert_eq!(fen_order.id_at(Square::H1), Some(32));
        assert_eq!(fen_order.highest(), Some(32));
    }

    #[test]
    fn pieces_are_found_by_their_identities() {
        let ids = PieceIds::new(&Position::start(), Numbering::A1);
        let occupied = Position::start().occupied();
        for square in Square::all() {
            let id = ids.id_at(square);
            assert_eq!(id.is_some(), occupied.contains(square));
            assert_eq!(id.and_then(|id| ids.square_of(id)), id.map(|_| square));
        }
        assert_eq!(ids.square_of(32), None);
        assert_eq!(ids.square_of(PieceIds::NONE), None);
    }

    #[test]
    fn identities_survive_promotion_and_end_by_capture() {
        let (position, _) = fen::parse("1n6/P7/8/3pP3/8/8/8/8 w - d6").unwrap();
        let ids = PieceIds::new(&position, Numbering::A1);
        let (e5, d6, d5) = ("e5".parse().unwrap(), "d6".parse().unwrap(), "d5".parse().unwrap());
        let rules = Rules::STANDARD;
        let after = |mv| ids.after(mv, &position.make(mv, &rules));
        let taken = after(Move::en_passant(e5, d6));
        assert_eq!((taken.id_at(d6), taken.id_at(d5)), (ids.id_at(e5), None));
        let a7 = Square::at(0, 6);
        let after = after(Move::promoting(a7, Square::B8, Kind::Rook));
        assert_eq!(after.id_at(Square::B8), ids.id_at(a7));
        assert_eq!(after.square_of(3), None);
        assert_eq!(Rules::STANDARD.rooks[0], Square::H1);
    }
}
