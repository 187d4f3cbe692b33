//! The position: eight bitboards and one word of state.

use std::fmt;

use crate::{Color, Kind, Piece, Rules, Square, SquareSet, attacks, fen, zobrist};

/// A board with any arrangement of pieces, the side to move, castling rights, en passant square
/// and clocks: 80 bytes.
///
/// Two positions are equal if all of these are, and what a variant adds ([`Position::pocket`],
/// [`Position::promoted`], [`Position::checks_left`]).
///
/// ```
/// use babson_chess::{Color, Kind, Piece, Position, Square};
/// let mut position = Position::empty();
/// position.set_piece(Square::E1, Some(Piece::new(Color::White, Kind::King)));
/// position.set_piece(Square::E8, Some(Piece::new(Color::Black, Kind::Rook)));
/// assert!(position.in_check());
/// assert_eq!(position.king(Color::Black), None);
/// ```
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Position {
    pub(crate) kinds: [SquareSet; 6],
    pub(crate) colors: [SquareSet; 2],
    pub(crate) state: u64,
    /// What the variant adds (`variants::store`); 0 in chess.
    pub(crate) extra: u64,
}

/// Which way to castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CastlingSide {
    /// O-O: the king arrives on the g-file.
    King = 0,
    /// O-O-O: the king arrives on the c-file.
    Queen = 1,
}

impl CastlingSide {
    /// Both sides, the king side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];
}

/// Castling rights: a set of up to four, as bits K = 1, Q = 2, k = 4, q = 8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights(pub u8);

impl CastlingRights {
    /// No rights.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four rights.
    pub const ALL: CastlingRights = CastlingRights(15);

    /// The one right of this colour and side.
    pub const fn of(color: Color, side: CastlingSide) -> CastlingRights {
        CastlingRights(1 << (color.index() * 2 + side as usize))
    }

    /// Whether the colour may still castle to the side.
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & CastlingRights::of(color, side).0 != 0
    }

    /// Whether the colour has any right.
    pub const fn any(self, color: Color) -> bool {
        self.0 >> (color.index() * 2) & 3 != 0
    }

    /// These rights and those.
    pub const fn with(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }

    /// These rights without those.
    pub const fn without(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & !other.0)
    }
}

impl fmt::Debug for CastlingRights {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 & 15 == 0 {
            return out.write_str("-");
        }
        for (bit, letter) in ["K", "Q", "k", "q"].iter().enumerate() {
            if self.0 >> bit & 1 != 0 {
                out.write_str(letter)?;
            }
        }
        Ok(())
    }
}

/// The layout of the state word.
pub(crate) mod state {
    pub(crate) const SIDE: u64 = 1;
    pub(crate) const CASTLING_SHIFT: u32 = 1;
    pub(crate) const CASTLING: u64 = 15 << CASTLING_SHIFT;
    /// The side to move has exactly one king, and it is attacked.
    pub(crate) const CHECK: u64 = 1 << 5;
    /// Chess, one king each, the idle one not attacked; no pawn on the first or last rank;
    /// castling rights only as in standard chess: the fast SAN path may be taken.
    pub(crate) const ORDINARY: u64 = 1 << 6;
    /// Some castling right is not that of a standard king and corner rook.
    pub(crate) const ODD_CASTLING: u64 = 1 << 7;
    /// Index of the en passant square; 0 (a1, which can be none) if there is none.
    pub(crate) const EP_SHIFT: u32 = 8;
    pub(crate) const EP: u64 = 0x3f << EP_SHIFT;
    /// The law of the kings and what `extra` means (`variants::store`); 0 in chess.
    pub(crate) const LAW: u64 = 3 << 14;
    pub(crate) const LAW_OTHER: u64 = 1 << 14;
    pub(crate) const LAW_HOUSE: u64 = 2 << 14;
    pub(crate) const LAW_ODD_KINGS: u64 = 3 << 14;
    pub(crate) const HALF_SHIFT: u32 = 16;
    pub(crate) const HALF: u64 = 0xff_ffff << HALF_SHIFT;
    pub(crate) const FULL_SHIFT: u32 = 40;
}

const START_RANK: [u64; 6] = [0xff00, 0x42, 0x24, 0x81, 0x08, 0x10];

impl Position {
    /// No pieces, White to move, no rights, clocks 0 and 1.
    pub const fn empty() -> Position {
        Position {
            kinds: [SquareSet::EMPTY; 6],
            colors: [SquareSet::EMPTY; 2],
            state: 1 << state::FULL_SHIFT,
            extra: 0,
        }
    }

    /// The initial position of chess.
    pub const fn start() -> Position {
        let mut position = Position::empty();
        let mut kind = 0;
        while kind < 6 {
            let white = START_RANK[kind];
            position.kinds[kind] = SquareSet(white | white.swap_bytes());
            kind += 1;
        }
        position.colors = [SquareSet(0xffff), SquareSet(0xffff << 48)];
        position.state |= state::CASTLING | state::ORDINARY;
        position
    }

    /// The piece on the square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = self.color_at(square)?;
        Some(Piece { color, kind: self.kind_at(square)? })
    }

    /// The colour of the piece on the square.
    #[inline]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        if self.colors[0].contains(square) {
            Some(Color::White)
        } else if self.colors[1].contains(square) {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The kind of the piece on the square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| self.kinds[kind.index()].contains(square))
    }

    /// Puts a piece on the square, or empties it. The flags are brought up to date; castling
    /// rights and the en passant square stay as they are (generation ignores those that lost
    /// their pieces).
    pub fn set_piece(&mut self, square: Square, piece: Option<Piece>) {
        self.put(square, piece);
        self.refresh();
    }

    /// [`Position::set_piece`] without the flags, for many changes in a row: call
    /// [`Position::refresh`] after the last.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        if self.state & state::LAW == state::LAW_HOUSE {
            self.put_in_house(square, piece);
        } else {
            self.place(square, piece);
        }
    }

    /// [`Position::put`] on two different squares.
    #[inline]
    pub(crate) fn put_two(&mut self, squares: [Square; 2], pieces: [Option<Piece>; 2]) {
        if self.state & state::LAW == state::LAW_HOUSE {
            for (square, piece) in squares.into_iter().zip(pieces) {
                self.put_in_house(square, piece);
            }
            return;
        }
        let keep = !(SquareSet::of(squares[0]) | SquareSet::of(squares[1]));
        self.kinds.iter_mut().for_each(|set| *set &= keep);
        self.colors.iter_mut().for_each(|set| *set &= keep);
        for (square, piece) in squares.into_iter().zip(pieces) {
            if let Some(Piece { color, kind }) = piece {
                self.kinds[kind.index()].insert(square);
                self.colors[color.index()].insert(square);
            }
        }
    }

    /// [`Position::put`] on the bitboards alone.
    #[inline]
    pub(crate) fn place(&mut self, square: Square, piece: Option<Piece>) {
        let keep = !SquareSet::of(square);
        for set in &mut self.kinds {
            *set &= keep;
        }
        for set in &mut self.colors {
            *set &= keep;
        }
        if let Some(Piece { color, kind }) = piece {
            self.kinds[kind.index()].insert(square);
            self.colors[color.index()].insert(square);
        }
    }

    /// Exchanges what stands on two squares, as [`Position::put`] would.
    #[inline]
    pub fn exchange(&mut self, a: Square, b: Square) {
        let (a, b) = (a.index(), b.index());
        let exchange = |set: &mut SquareSet| {
            let differ = (set.0 >> a ^ set.0 >> b) & 1;
            set.0 ^= differ << a | differ << b;
        };
        // Two loops of known length, not one over both: the compiler unrolls them.
        self.kinds.iter_mut().for_each(exchange);
        self.colors.iter_mut().for_each(exchange);
    }

    /// The pieces of this colour and kind.
    #[inline(always)]
    pub const fn pieces(&self, color: Color, kind: Kind) -> SquareSet {
        SquareSet(self.kinds[kind.index()].0 & self.colors[color.index()].0)
    }

    /// The pieces of the kind, of both colours.
    #[inline(always)]
    pub const fn kind(&self, kind: Kind) -> SquareSet {
        self.kinds[kind.index()]
    }

    /// The pieces of the colour.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> SquareSet {
        self.colors[color.index()]
    }

    /// The occupied squares.
    #[inline(always)]
    pub const fn occupied(&self) -> SquareSet {
        SquareSet(self.colors[0].0 | self.colors[1].0)
    }

    /// The side to move.
    #[inline(always)]
    pub const fn side(&self) -> Color {
        if self.state & state::SIDE == 0 { Color::White } else { Color::Black }
    }

    /// Gives the move to a side.
    pub fn set_side(&mut self, side: Color) {
        self.turn(side);
        self.refresh();
    }

    /// [`Position::set_side`] without [`Position::refresh`].
    pub fn turn(&mut self, side: Color) {
        self.state = self.state & !state::SIDE | side.index() as u64;
    }

    /// The castling rights as recorded, whether or not king and rook are still there.
    #[inline(always)]
    pub const fn castling(&self) -> CastlingRights {
        CastlingRights(((self.state & state::CASTLING) >> state::CASTLING_SHIFT) as u8)
    }

    /// Records castling rights.
    pub fn set_castling(&mut self, rights: CastlingRights) {
        let bits = u64::from(rights.0 & 15) << state::CASTLING_SHIFT;
        self.state = self.state & !state::CASTLING | bits;
        self.refresh();
    }

    /// The square behind a pawn that has just made a double step, whether or not it can be
    /// captured.
    #[inline(always)]
    pub const fn ep(&self) -> Option<Square> {
        match (self.state & state::EP) >> state::EP_SHIFT {
            0 => None,
            index => Some(Square::from_index(index as usize)),
        }
    }

    /// Sets the en passant square; one that is not on the third or sixth rank counts as none.
    pub fn set_ep(&mut self, square: Option<Square>) {
        let index = match square {
            Some(square) if matches!(square.rank(), 2 | 5) => square.index() as u64,
            _ => 0,
        };
        self.state = self.state & !state::EP | index << state::EP_SHIFT;
    }

    /// Half-moves since the last capture or pawn move.
    #[inline(always)]
    pub const fn half_moves(&self) -> u32 {
        ((self.state & state::HALF) >> state::HALF_SHIFT) as u32
    }

    /// Sets the half-move clock, at most 9,999,999.
    pub fn set_half_moves(&mut self, count: u32) {
        let count = u64::from(count.min(9_999_999));
        self.state = self.state & !state::HALF | count << state::HALF_SHIFT;
    }

    /// The number of the move that is to be played: 1 at the start of a game.
    #[inline(always)]
    pub const fn full_moves(&self) -> u32 {
        (self.state >> state::FULL_SHIFT) as u32
    }

    /// Sets the move number, at most 9,999,999.
    pub fn set_full_moves(&mut self, number: u32) {
        let number = u64::from(number.min(9_999_999));
        let below = (1 << state::FULL_SHIFT) - 1;
        self.state = self.state & below | number << state::FULL_SHIFT;
    }

    /// The Polyglot key, computed afresh (spec page cqli.md, section 7).
    pub fn zobrist(&self) -> u64 {
        zobrist::key(self)
    }

    /// The square of the royal king: `Some` only if the colour has exactly one king.
    #[inline(always)]
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Kind::King).single()
    }

    /// Whether the same pieces stand on the same squares.
    pub fn same_placement(&self, other: &Position) -> bool {
        self.kinds == other.kinds && self.colors == other.colors
    }

    /// The pieces of both colours that attack the square, given the occupied squares.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: SquareSet) -> SquareSet {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        attacks::pawn(Color::Black, square) & pawns & self.colors[0]
            | attacks::pawn(Color::White, square) & pawns & self.colors[1]
            | attacks::knight(square) & knights
            | attacks::king(square) & kings
            | attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens)
    }

    /// The pieces of one colour that attack the square, given the occupied squares.
    #[inline]
    pub fn attackers_of(&self, color: Color, square: Square, occupied: SquareSet) -> SquareSet {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        (attacks::pawn(color.not(), square) & pawns
            | attacks::knight(square) & knights
            | attacks::king(square) & kings
            | attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens))
            & self.colors[color.index()]
    }

    /// What the piece on the square attacks, own pieces included; nothing if it is empty.
    #[inline]
    pub fn attacks_from(&self, square: Square) -> SquareSet {
        match self.piece_at(square) {
            Some(Piece { color, kind }) => attacks::of(kind, color, square, self.occupied()),
            None => SquareSet::EMPTY,
        }
    }

    /// All squares that pieces of the colour attack, own pieces included.
    pub fn attacked_by(&self, color: Color) -> SquareSet {
        use crate::Direction::{NorthEast, NorthWest, SouthEast, SouthWest};
        let occupied = self.occupied();
        let pawns = self.pieces(color, Kind::Pawn);
        let mut set = match color {
            Color::White => pawns.shift(NorthEast) | pawns.shift(NorthWest),
            Color::Black => pawns.shift(SouthEast) | pawns.shift(SouthWest),
        };
        for square in self.pieces(color, Kind::Knight) {
            set |= attacks::knight(square);
        }
        let own = self.color(color);
        for square in own & (self.kind(Kind::Bishop) | self.kind(Kind::Queen)) {
            set |= attacks::bishop(square, occupied);
        }
        for square in own & (self.kind(Kind::Rook) | self.kind(Kind::Queen)) {
            set |= attacks::rook(square, occupied);
        }
        for square in self.pieces(color, Kind::King) {
            set |= attacks::king(square);
        }
        set
    }

    /// Whether the side to move has exactly one king and it is attacked.
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.state & state::CHECK != 0
    }

    /// Whether the colour, to move or not, has exactly one king and it is attacked.
    pub fn is_attacked_king(&self, color: Color) -> bool {
        match self.king(color) {
            Some(king) => {
                !self.attackers_of(color.not(), king, self.occupied()).is_empty()
                    && (self.state & state::LAW != state::LAW_ODD_KINGS
                        || !self.is_odd_king_safe(color, king))
            }
            None => false,
        }
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> SquareSet {
        match self.king(self.side()) {
            Some(king) => self.attackers_of(self.side().not(), king, self.occupied()),
            None => SquareSet::EMPTY,
        }
    }

    /// The pieces of the colour that stand alone between their single king and an enemy slider.
    pub fn pinned(&self, color: Color) -> SquareSet {
        let Some(king) = self.king(color) else {
            return SquareSet::EMPTY;
        };
        let mut pinned = SquareSet::EMPTY;
        for slider in self.snipers(king, color.not()) {
            let blockers = attacks::between(king, slider) & self.occupied();
            if !blockers.is_empty() && !blockers.is_many() {
                pinned |= blockers & self.color(color);
            }
        }
        pinned
    }

    /// Sliders of the colour that would attack the square on an empty board.
    #[inline(always)]
    pub(crate) fn snipers(&self, square: Square, color: Color) -> SquareSet {
        let queens = self.kinds[Kind::Queen.index()];
        (attacks::rook_rays(square) & (self.kinds[Kind::Rook.index()] | queens)
            | attacks::bishop_rays(square) & (self.kinds[Kind::Bishop.index()] | queens))
            & self.colors[color.index()]
    }

    /// Brings the flags (check, fitness for the fast SAN path) up to date after [`Position::put`].
    pub fn refresh(&mut self) {
        let side = self.side();
        self.state &= !(state::CHECK | state::ORDINARY);
        if self.is_attacked_king(side) {
            self.state |= state::CHECK;
        }
        if self.state & state::LAW == 0
            && self.king(Color::White).is_some()
            && self.king(Color::Black).is_some()
            && !self.kind(Kind::Pawn).intersects(SquareSet::BACK_RANKS)
            && !self.is_attacked_king(side.not())
            && self.has_standard_castling()
        {
            self.state |= state::ORDINARY;
        }
    }

    /// [`Position::refresh`] of a position that is legal by the laws of chess, and in check or not.
    pub(crate) fn refresh_legal(&mut self, check: bool) {
        if self.state & state::LAW != 0 {
            return self.refresh();
        }
        self.state &= !(state::CHECK | state::ORDINARY);
        if check {
            self.state |= state::CHECK;
        }
        if self.has_standard_castling() {
            self.state |= state::ORDINARY;
        }
    }

    /// Whether the flags say that this is chess, with one king a side, the idle one not attacked,
    /// and no pawn on the first or last rank. They may say it of fewer positions than are such.
    #[inline(always)]
    pub(crate) const fn is_ordinary(&self) -> bool {
        self.state & state::ORDINARY != 0
    }

    fn has_standard_castling(&self) -> bool {
        if self.state & state::ODD_CASTLING != 0 && self.castling() != CastlingRights::NONE {
            return false;
        }
        Color::ALL.into_iter().all(|color| {
            let rank = color.back_rank();
            let rights = self.castling();
            let rooks = self.pieces(color, Kind::Rook);
            !rights.any(color)
                || self.king(color) == Some(Square::at(4, rank))
                    && (!rights.has(color, CastlingSide::King)
                        || rooks.contains(Square::at(7, rank)))
                    && (!rights.has(color, CastlingSide::Queen)
                        || rooks.contains(Square::at(0, rank)))
        })
    }

    /// The position with colours and ranks exchanged: what White has, Black has on the mirrored
    /// squares.
    pub fn mirrored(&self) -> Position {
        let mut mirrored = *self;
        mirrored.kinds = self.kinds.map(SquareSet::mirror);
        mirrored.colors = [self.colors[1].mirror(), self.colors[0].mirror()];
        mirrored.state ^= state::SIDE;
        let rights = self.castling().0;
        mirrored.set_ep(self.ep().map(Square::mirror));
        mirrored.set_castling(CastlingRights(rights >> 2 | (rights & 3) << 2));
        if mirrored.extra != 0 {
            mirrored.mirror_extra(self);
        }
        mirrored
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        // Fitness for the fast path is a matter of speed, not of chess.
        const SEEN: u64 = !(state::ORDINARY | state::ODD_CASTLING);
        self.same_placement(other)
            && (self.state ^ other.state) & SEEN == 0
            && self.extra == other.extra
    }
}

impl Eq for Position {}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Position({})", fen::write(self, &Rules::STANDARD))
    }
}

const _: () = assert!(size_of::<Position>() == 80 && align_of::<Position>() == 16);
