//! Moves as a game table stores them: 16 bits each, from which a game is replayed without a search
//! for the piece that moves (docs/src/tables.md#moves).

use std::fmt;

use crate::position::state;
use crate::{CastlingSide, Color, Kind, Move, Position, Rules, Square, SquareSet, movegen, san};

/// A move of standard chess: its origin in the lowest six bits, its target in the next six, and in
/// the highest four what it does. The origin and target of castling are those of the king.
///
/// ```
/// use babson_chess::{Move, MoveCode, Position, Rules, Square};
///
/// let (start, mut next) = (Position::start(), Position::empty());
/// let e4 = Move::normal(Square::at(4, 1), Square::at(4, 3));
/// let code = MoveCode::of(e4, &start).unwrap();
/// assert_eq!(code.0, 12 | 28 << 6 | 6 << 12);
/// assert_eq!(code.step(&start, false, &mut next), Some(e4));
/// assert_eq!(next, start.make(e4, &Rules::STANDARD));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveCode(pub u16);

/// What a move does, by the highest four bits of its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveAction {
    /// A piece of this kind moves or captures, without any of what follows.
    Plain(Kind),
    /// A pawn moves by two squares.
    DoubleStep,
    /// A pawn captures a pawn that is not on its target.
    EnPassant,
    /// The king castles.
    Castling(CastlingSide),
    /// A pawn becomes a piece of this kind.
    Promotion(Kind),
}

impl MoveAction {
    /// The action of the four bits; `None` for 14 and more, which have no meaning.
    ///
    /// ```
    /// use babson_chess::{Kind, MoveAction};
    /// assert_eq!(MoveAction::of_bits(4), Some(MoveAction::Plain(Kind::Queen)));
    /// assert_eq!(MoveAction::of_bits(13), Some(MoveAction::Promotion(Kind::Queen)));
    /// assert_eq!(MoveAction::of_bits(14), None);
    /// ```
    pub const fn of_bits(bits: u16) -> Option<MoveAction> {
        Some(match bits {
            0..DOUBLE_STEP => MoveAction::Plain(ARRIVES[bits as usize]),
            DOUBLE_STEP => MoveAction::DoubleStep,
            EN_PASSANT => MoveAction::EnPassant,
            KING_SIDE => MoveAction::Castling(CastlingSide::King),
            QUEEN_SIDE => MoveAction::Castling(CastlingSide::Queen),
            FIRST_PROMOTION..=LAST_PROMOTION => MoveAction::Promotion(ARRIVES[bits as usize]),
            _ => return None,
        })
    }
}

/// The codes 0 to 5 are plain moves of a pawn, knight, bishop, rook, queen and king.
const DOUBLE_STEP: u16 = 6;
const EN_PASSANT: u16 = 7;
const KING_SIDE: u16 = 8;
const QUEEN_SIDE: u16 = 9;
/// 10 to 13: a promotion to the kind of index `code - PROMOTION`, knight to queen.
const PROMOTION: u16 = 9;
const FIRST_PROMOTION: u16 = PROMOTION + 1;
const LAST_PROMOTION: u16 = 13;

/// By code: the kind that arrives.
static ARRIVES: [Kind; 16] = {
    use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
    [
        Pawn, Knight, Bishop, Rook, Queen, King, Pawn, Pawn, King, King, Knight, Bishop, Rook,
        Queen, Pawn, Pawn,
    ]
};

/// By code: the kind that leaves its square.
static LEAVES: [Kind; 16] = {
    let mut table = ARRIVES;
    let mut code = PROMOTION as usize + 1;
    while code <= LAST_PROMOTION as usize {
        table[code] = Kind::Pawn;
        code += 1;
    }
    table
};

/// By code: the ranks that a white move may arrive on. Codes without a meaning have none.
static TARGETS: [u64; 16] = {
    let mut table = [!0; 16];
    table[0] = 0x00ff_ffff_ffff_0000;
    table[DOUBLE_STEP as usize] = 0x0000_0000_ff00_0000;
    let mut kind = 1;
    while kind < 5 {
        table[PROMOTION as usize + kind] = 0xff << 56;
        kind += 1;
    }
    table[14] = 0;
    table[15] = 0;
    table
};

impl MoveCode {
    /// The code of a legal move of the position; `None` for the null move, and for moves that only
    /// variants of chess have.
    pub fn of(mv: Move, position: &Position) -> Option<MoveCode> {
        let code = if mv.is_null() || mv.dropped().is_some() {
            return None;
        } else if let Some(kind) = mv.promotion() {
            if kind == Kind::King {
                return None;
            }
            PROMOTION + kind.index() as u16
        } else if mv.is_king_side() {
            KING_SIDE
        } else if mv.is_queen_side() {
            QUEEN_SIDE
        } else if mv.is_en_passant() {
            EN_PASSANT
        } else {
            let kind = position.piece_at(mv.from())?.kind;
            let far = mv.from().rank().abs_diff(mv.to().rank()) == 2;
            if kind == Kind::Pawn && far { DOUBLE_STEP } else { kind.index() as u16 }
        };
        let (from, to) = (mv.from().index() as u16, mv.to().index() as u16);
        Some(MoveCode(from | to << 6 | code << 12))
    }

    /// The origin; for castling that of the king.
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as usize & 63)
    }

    /// The target; for castling that of the king.
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6) as usize & 63)
    }

    /// What the move does; `None` if the code is not in use.
    pub const fn action(self) -> Option<MoveAction> {
        MoveAction::of_bits(self.code())
    }

    const fn code(self) -> u16 {
        self.0 >> 12
    }

    /// Sets `next` to the position after the move and returns the move. `check`: whether the side
    /// to move is then in check.
    ///
    /// The position must be one that moves of standard chess have led to from the initial array, or
    /// from another legal position. A code that cannot be a move there is `None`, and `next` is
    /// unspecified: a piece of the side to move must leave the origin, and neither a piece of its
    /// own nor a king may be on the target. Whether the move is legal is
    /// tested only of castling.
    #[inline(always)]
    pub fn step(self, position: &Position, check: bool, next: &mut Position) -> Option<Move> {
        if position.state & state::SIDE == 0 {
            self.step_as::<0>(position, check, next)
        } else {
            self.step_as::<1>(position, check, next)
        }
    }

    #[inline(always)]
    fn step_as<const SIDE: u8>(
        self,
        position: &Position,
        check: bool,
        next: &mut Position,
    ) -> Option<Move> {
        let code = usize::from(self.code());
        if (EN_PASSANT..=QUEEN_SIDE).contains(&self.code()) {
            return self.special::<SIDE>(position, check, next);
        }
        let (from, to) = (self.from(), self.to());
        let (from_bit, to_bit) = (SquareSet::of(from).0, SquareSet::of(to).0);
        let (ours, theirs) =
            (position.colors[SIDE as usize].0, position.colors[1 - SIDE as usize].0);
        let leaves = LEAVES[code];
        let targets = if SIDE == 0 { TARGETS[code] } else { TARGETS[code].swap_bytes() };
        let free = targets & !ours & !position.kinds[Kind::King.index()].0;
        if position.kinds[leaves.index()].0 & ours & from_bit == 0 || free & to_bit == 0 {
            return None;
        }
        let keep = SquareSet(!(from_bit | to_bit));
        next.kinds = position.kinds.map(|old| old & keep);
        next.colors = position.colors.map(|old| old & keep);
        next.kinds[ARRIVES[code].index()].0 |= to_bit;
        next.colors[SIDE as usize].0 |= to_bit;
        let resets = u64::from(leaves == Kind::Pawn || theirs & to_bit != 0).wrapping_neg();
        let kept = state::kept(from) & state::kept(to);
        let mut state = state::advance::<SIDE>(position.state & kept) & !(state::HALF & resets);
        if self.code() == DOUBLE_STEP {
            if from.index().abs_diff(to.index()) != 16 {
                return None;
            }
            let passed = (from.index() + to.index()) as u64 / 2;
            state |= passed << state::EP_SHIFT;
        }
        next.state = state | if check { state::CHECK } else { 0 };
        next.extra = 0;
        if (PROMOTION..=LAST_PROMOTION).contains(&self.code()) {
            return Some(Move::promoting(from, to, ARRIVES[code]));
        }
        Some(Move::normal(from, to))
    }

    #[cold]
    #[inline(never)]
    fn special<const SIDE: u8>(
        self,
        position: &Position,
        check: bool,
        next: &mut Position,
    ) -> Option<Move> {
        let us = if SIDE == 0 { Color::White } else { Color::Black };
        let (from, to) = (self.from(), self.to());
        let ours = position.colors[SIDE as usize];
        let mv = if self.code() == EN_PASSANT {
            let pawns = ours & position.kind(Kind::Pawn);
            let mv = Move::en_passant(from, to);
            let victim = mv.en_passant_victim()?;
            let captured = position.pieces(us.not(), Kind::Pawn).contains(victim);
            let is_move = position.ep() == Some(to) && pawns.contains(from) && captured;
            is_move.then_some(mv)?
        } else {
            let side =
                if self.code() == KING_SIDE { CastlingSide::King } else { CastlingSide::Queen };
            if position.is_ordinary() {
                let mv = san::castle_to::<SIDE>(position, side, next);
                return mv.filter(|mv| (mv.from(), mv.to()) == (from, to));
            }
            movegen::castling_move(position, &Rules::STANDARD, us, side)
                .filter(|mv| (mv.from(), mv.to()) == (from, to))?
        };
        *next = position.make_as_chess(mv, &Rules::STANDARD);
        next.state = next.state & !state::CHECK | if check { state::CHECK } else { 0 };
        Some(mv)
    }
}

impl fmt::Debug for MoveCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}/{}", self.from(), self.to(), self.code())
    }
}
