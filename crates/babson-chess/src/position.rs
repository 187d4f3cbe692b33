//! A position: eight bitboards, a word of state, and a word for the variant.

use std::fmt;

use crate::limits::MAX_COUNTER;
use crate::{Color, Kind, Piece, Square, SquareSet, attacks};

/// A board with any arrangement of pieces, the side to move, castling rights, en passant square,
/// clocks, and the state of a variant ([`Position::pocket`], [`Position::promoted`],
/// [`Position::checks_left`]), in 80 bytes. Two positions are equal if all of these are equal.
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
    /// The state of the variant (`variants::store`); 0 in chess.
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

    /// The set of one right.
    pub const fn of(color: Color, side: CastlingSide) -> CastlingRights {
        CastlingRights(1 << (color.index() * 2 + side as usize))
    }

    /// Whether the color may still castle to the side.
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & CastlingRights::of(color, side).0 != 0
    }

    /// Whether the color has any right.
    pub const fn any(self, color: Color) -> bool {
        self.0 >> (color.index() * 2) & 3 != 0
    }

    /// The rights that are in either set.
    pub const fn with(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }

    /// The rights of this set that are not in the other.
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

/// The layout of the state word, and how an ordinary move changes it.
pub(crate) mod state {
    use crate::{Rules, Square};

    pub(crate) const SIDE: u64 = 1;
    pub(crate) const CASTLING_SHIFT: u32 = 1;
    pub(crate) const CASTLING: u64 = 15 << CASTLING_SHIFT;
    /// The side to move has exactly one king, and it is attacked.
    pub(crate) const CHECK: u64 = 1 << 5;
    /// The rules of chess apply, each side has one king, the king of the side that is not to move
    /// is not attacked, no pawn is on the first or last rank, and each castling right is for a
    /// king and a rook on their start squares in standard chess. Then SAN can be read on the fast
    /// path.
    pub(crate) const ORDINARY: u64 = 1 << 6;
    /// Some castling right is not for a king on the e-file and a rook in the corner.
    pub(crate) const ODD_CASTLING: u64 = 1 << 7;
    /// The index of the en passant square; 0 if there is none (a1 is never an en passant square).
    pub(crate) const EP_SHIFT: u32 = 8;
    pub(crate) const EP: u64 = 0x3f << EP_SHIFT;
    /// The rule set: what a check is, and what `extra` means (`variants::store`); 0 in chess.
    pub(crate) const RULES: u64 = 3 << 14;
    pub(crate) const RULES_OTHER: u64 = 1 << 14;
    pub(crate) const RULES_CRAZYHOUSE: u64 = 2 << 14;
    pub(crate) const RULES_ODD_KINGS: u64 = 3 << 14;
    pub(crate) const HALF_SHIFT: u32 = 16;
    pub(crate) const HALF: u64 = 0xff_ffff << HALF_SHIFT;
    pub(crate) const FULL_SHIFT: u32 = 40;

    /// By square: the bits of the state that a move from or to it keeps.
    const KEPT: [u64; 64] = {
        let mut table = [!(EP | CHECK); 64];
        let mut right = 0;
        while right < 4 {
            let others = !(1 << (CASTLING_SHIFT + right));
            table[Rules::STANDARD.rooks[right as usize].index()] &= others;
            table[if right < 2 { 4 } else { 60 }] &= others;
            right += 1;
        }
        table
    };

    /// The bits of the state that a move from or to the square keeps.
    #[inline(always)]
    pub(crate) const fn kept(square: Square) -> u64 {
        KEPT[square.index()]
    }

    /// Changes the side to move, which must be `SIDE`, and increments the half-move clock, and
    /// after Black the move number.
    #[inline(always)]
    pub(crate) fn advance<const SIDE: u8>(state: u64) -> u64 {
        // In one sum: the side is in the lowest bit.
        let turn = if SIDE == 0 { 1 } else { u64::MAX };
        let step = 1 << HALF_SHIFT | (SIDE as u64) << FULL_SHIFT;
        state.wrapping_add(step.wrapping_add(turn))
    }
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

    /// The color of the piece on the square.
    #[inline]
    fn color_at(&self, square: Square) -> Option<Color> {
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
    pub(crate) fn kind_at(&self, square: Square) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| self.kinds[kind.index()].contains(square))
    }

    /// The kind of the piece on the square, a pawn if there is none, without a branch.
    #[inline(always)]
    pub(crate) fn kind_or_pawn(&self, square: Square) -> Kind {
        use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
        // By the bits of the number of a kind.
        static KINDS: [Kind; 8] = [Pawn, Knight, Bishop, Rook, Queen, King, Pawn, Pawn];
        let [_, knights, bishops, rooks, queens, kings] = self.kinds;
        let bit = |set: SquareSet| (set.0 >> square.index() & 1) as usize;
        let (low, middle, high) = (knights | rooks | kings, bishops | rooks, queens | kings);
        KINDS[bit(low) | bit(middle) << 1 | bit(high) << 2]
    }

    /// Puts a piece on the square, or empties it, and updates the flags. Castling rights and the en
    /// passant square do not change; move generation ignores those whose pieces are gone.
    pub fn set_piece(&mut self, square: Square, piece: Option<Piece>) {
        self.put(square, piece);
        self.refresh();
    }

    /// [`Position::set_piece`] without the update of the flags. Call [`Position::refresh`] after
    /// the last of several changes.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        if self.state & state::RULES == state::RULES_CRAZYHOUSE {
            self.put_in_crazyhouse(square, piece);
        } else {
            self.place(square, piece);
        }
    }

    /// [`Position::put`] on two different squares.
    #[inline]
    pub(crate) fn put_two(&mut self, squares: [Square; 2], pieces: [Option<Piece>; 2]) {
        if self.state & state::RULES == state::RULES_CRAZYHOUSE {
            for (square, piece) in squares.into_iter().zip(pieces) {
                self.put_in_crazyhouse(square, piece);
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

    /// [`Position::put`] that changes only the bitboards.
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

    /// Exchanges the contents of two squares, without the update of the flags.
    #[inline]
    pub fn exchange(&mut self, a: Square, b: Square) {
        let (a, b) = (a.index(), b.index());
        let exchange = |set: &mut SquareSet| {
            let differ = (set.0 >> a ^ set.0 >> b) & 1;
            set.0 ^= differ << a | differ << b;
        };
        // The compiler unrolls two loops of known length, but not one over both arrays.
        self.kinds.iter_mut().for_each(exchange);
        self.colors.iter_mut().for_each(exchange);
    }

    /// The pieces of this color and kind.
    #[inline(always)]
    pub const fn pieces(&self, color: Color, kind: Kind) -> SquareSet {
        SquareSet(self.kinds[kind.index()].0 & self.colors[color.index()].0)
    }

    /// The pieces of the kind, of both colors.
    #[inline(always)]
    pub const fn kind(&self, kind: Kind) -> SquareSet {
        self.kinds[kind.index()]
    }

    /// The pieces of each kind, of both colors, in the order of [`Kind::ALL`].
    #[inline(always)]
    pub const fn kinds(&self) -> &[SquareSet; 6] {
        &self.kinds
    }

    /// The pieces of the color.
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

    /// Sets the side to move.
    pub fn set_side(&mut self, side: Color) {
        self.turn(side);
        self.refresh();
    }

    /// [`Position::set_side`] without the update of the flags.
    pub fn turn(&mut self, side: Color) {
        self.state = self.state & !state::SIDE | side.index() as u64;
    }

    /// The castling rights as they are recorded, whether or not king and rook are in place.
    #[inline(always)]
    pub const fn castling(&self) -> CastlingRights {
        CastlingRights(((self.state & state::CASTLING) >> state::CASTLING_SHIFT) as u8)
    }

    /// Sets the castling rights.
    pub fn set_castling(&mut self, rights: CastlingRights) {
        let bits = u64::from(rights.0 & 15) << state::CASTLING_SHIFT;
        self.state = self.state & !state::CASTLING | bits;
        self.refresh();
    }

    /// The square that a pawn has just passed with a double step, whether or not the pawn can be
    /// captured.
    #[inline(always)]
    pub const fn ep(&self) -> Option<Square> {
        match (self.state & state::EP) >> state::EP_SHIFT {
            0 => None,
            index => Some(Square::from_index(index as usize)),
        }
    }

    /// Sets the en passant square. A square that is not on the third or sixth rank means none.
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
        let count = u64::from(count.min(MAX_COUNTER));
        self.state = self.state & !state::HALF | count << state::HALF_SHIFT;
    }

    /// The number of the next move: 1 at the start of a game.
    #[inline(always)]
    pub const fn full_moves(&self) -> u32 {
        (self.state >> state::FULL_SHIFT) as u32
    }

    /// Sets the move number, at most 9,999,999.
    pub fn set_full_moves(&mut self, number: u32) {
        let number = u64::from(number.min(MAX_COUNTER));
        let below = (1 << state::FULL_SHIFT) - 1;
        self.state = self.state & below | number << state::FULL_SHIFT;
    }

    /// The square of the royal king: `Some` only if the color has exactly one king.
    #[inline(always)]
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Kind::King).single()
    }

    /// Whether the same pieces stand on the same squares.
    pub fn same_placement(&self, other: &Position) -> bool {
        // Where a piece has moved, the colors differ.
        self.colors == other.colors && self.kinds == other.kinds
    }

    /// The pieces of both colors that attack the square, given the occupied squares.
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

    /// The pieces of one color that attack the square, given the occupied squares.
    #[inline]
    pub(crate) fn attackers_of(
        &self,
        color: Color,
        square: Square,
        occupied: SquareSet,
    ) -> SquareSet {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        (attacks::pawn(color.not(), square) & pawns
            | attacks::knight(square) & knights
            | attacks::king(square) & kings
            | attacks::bishop(square, occupied) & (bishops | queens)
            | attacks::rook(square, occupied) & (rooks | queens))
            & self.colors[color.index()]
    }

    /// What the piece on the square attacks, own pieces included; empty if there is no piece.
    #[inline]
    pub fn attacks_from(&self, square: Square) -> SquareSet {
        match self.piece_at(square) {
            Some(Piece { color, kind }) => attacks::of(kind, color, square, self.occupied()),
            None => SquareSet::EMPTY,
        }
    }

    /// All squares that pieces of the color attack, own pieces included.
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

    /// Whether the color, to move or not, has exactly one king and it is attacked.
    pub fn is_attacked_king(&self, color: Color) -> bool {
        match self.king(color) {
            Some(king) => {
                !self.attackers_of(color.not(), king, self.occupied()).is_empty()
                    && (self.state & state::RULES != state::RULES_ODD_KINGS
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

    /// The pieces of the color that are pinned: each is the only piece between the single king of
    /// the color and an enemy slider.
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

    /// The sliders of the color that would attack the square on an empty board.
    #[inline(always)]
    pub(crate) fn snipers(&self, square: Square, color: Color) -> SquareSet {
        let queens = self.kinds[Kind::Queen.index()];
        (attacks::rook_rays(square) & (self.kinds[Kind::Rook.index()] | queens)
            | attacks::bishop_rays(square) & (self.kinds[Kind::Bishop.index()] | queens))
            & self.colors[color.index()]
    }

    /// Updates the flags (check, and whether SAN can be read on the fast path) after
    /// [`Position::put`].
    pub fn refresh(&mut self) {
        let side = self.side();
        self.state &= !(state::CHECK | state::ORDINARY);
        if self.is_attacked_king(side) {
            self.state |= state::CHECK;
        }
        if self.state & state::RULES == 0
            && self.king(Color::White).is_some()
            && self.king(Color::Black).is_some()
            && !self.kind(Kind::Pawn).intersects(SquareSet::BACK_RANKS)
            && !self.is_attacked_king(side.not())
            && self.has_standard_castling()
        {
            self.state |= state::ORDINARY;
        }
    }

    /// [`Position::refresh`] of a position that is legal by the laws of chess. `check`: whether the
    /// side to move is in check.
    pub(crate) fn refresh_legal(&mut self, check: bool) {
        if self.state & state::RULES != 0 {
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

    /// Whether the rules of chess apply, each side has one king, the king of the side that is not
    /// to move is not attacked, and no pawn is on the first or last rank. May be false for a
    /// position with unusual castling rights.
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

    /// The position with colors exchanged and ranks mirrored: each piece becomes a piece of the
    /// other color on the mirrored square.
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
        // The flags for the fast path do not belong to the position.
        const COMPARED: u64 = !(state::ORDINARY | state::ODD_CASTLING);
        self.same_placement(other)
            && (self.state ^ other.state) & COMPARED == 0
            && self.extra == other.extra
    }
}

impl Eq for Position {}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

const _: () = assert!(size_of::<Position>() == 80 && align_of::<Position>() == 16);
