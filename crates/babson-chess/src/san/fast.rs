//! The fast path: from an ordinary token to a move and the next position, without a list of moves.
//!
//! The result is a legal move, or `None` if the careful path must read the token. Measurements led
//! to this design:
//! - One copy of the code for each side to move, and pawns apart from other pieces.
//! - The piece is looked for on the squares that it would attack from the target on an empty board.
//!   What is found must have a free way to the target.
//! - What attacks the kings is computed only if the king moves or was in check, or if the move
//!   leaves a line of a king and a slider.
//! - The state word is updated with masks by origin and target.

use std::num::NonZeroU64;

use crate::make::ONLY;
use crate::position::state;
use crate::{CastlingSide, Color, Kind, Move, Position, Square, SquareSet, attacks};

/// The legal move of an ordinary token; `None` means that [`super::read`] must read it.
///
/// ```
/// use babson_chess::{san, Position};
/// let mv = san::fast(b"Nf3", &Position::start()).unwrap();
/// assert_eq!(mv.to_string(), "g1f3");
/// assert_eq!(san::fast(b"Nf4", &Position::start()), None);
/// ```
#[inline]
pub fn fast(token: &[u8], position: &Position) -> Option<Move> {
    step(position, token, &mut Position::empty())
}

/// [`fast()`] that also sets `next` to the position after the move. After `None`, `next` is
/// unspecified.
#[inline]
pub fn step(position: &Position, token: &[u8], next: &mut Position) -> Option<Move> {
    let mut word = [0; 8];
    word.get_mut(..token.len())?.copy_from_slice(token);
    if token.contains(&0) {
        return None;
    }
    step_word(position, u64::from_le_bytes(word), token.len(), next)
}

/// [`step()`] of a token whose `len` bytes are the lowest bytes of `word`, the first one lowest, so
/// that a reader loads it from the text at once. The bytes above the token do not matter. `len` is
/// at most 8, and no byte of the token may be 0.
///
/// ```
/// use babson_chess::{san, Position};
/// let (start, mut next) = (Position::start(), Position::empty());
/// let word = u64::from_le_bytes(*b"Nf3 Nf6 ");
/// let mv = san::step_word(&start, word, 3, &mut next).unwrap();
/// assert_eq!((mv.to_string().as_str(), next.full_moves()), ("g1f3", 1));
/// ```
#[inline(always)]
pub fn step_word(position: &Position, word: u64, len: usize, next: &mut Position) -> Option<Move> {
    if position.state & state::ORDINARY == 0 {
        return None;
    }
    let token = SanToken::of(word, len);
    if position.state & state::SIDE == 0 {
        step_as::<0>(position, token, next)
    } else {
        step_as::<1>(position, token, next)
    }
}

/// A token in the lowest bytes of a word. Other text may follow it.
#[derive(Clone, Copy)]
struct SanToken {
    word: u64,
    /// Eight times the number of bytes without `+` or `#`. For an empty token it is a number that
    /// no spelling has.
    bits: u32,
}

impl SanToken {
    #[inline(always)]
    fn of(word: u64, len: usize) -> SanToken {
        let bits = (len as u32).wrapping_mul(8);
        let shorter = bits.wrapping_sub(8);
        // `+` and `#` differ in one bit.
        let is_check = word.wrapping_shr(shorter) as u8 & 0xf7 == b'#';
        SanToken { word, bits: if is_check { shorter } else { bits } }
    }

    /// The byte of this index.
    #[inline(always)]
    fn byte(self, at: u32) -> u8 {
        (self.word >> (8 * at)) as u8
    }

    /// The square that the last two bytes name.
    #[inline(always)]
    fn target(self) -> Option<Square> {
        let name = self.word.wrapping_shr(self.bits.wrapping_sub(16)) as u32;
        // The file is in the low byte, the rank in the one above it.
        let indices = name.wrapping_sub(u32::from_le_bytes(*b"a1\0\0"));
        (indices & 0xf8f8 == 0).then(|| Square::from_index((indices | indices >> 5) as usize))
    }

    /// The origins that the bytes between the letter of a piece and the target allow: zero to three
    /// bytes, from `Nf3` to `Qh4xe1`. A token of another length has no origins.
    #[inline(always)]
    fn origins(self) -> u64 {
        let between = self.bits.wrapping_sub(24);
        if between > 8 {
            return self.origins_by_bytes();
        }
        let byte = self.word >> 8 & !(!0 << between);
        MASKS[usize::from(byte as u8)]
    }

    /// [`SanToken::origins`] of more than one byte.
    #[cold]
    #[inline(never)]
    fn origins_by_bytes(self) -> u64 {
        let mask = |at| MASKS[usize::from(self.byte(at))];
        match self.bits {
            40 => mask(1) & mask(2),
            48 => mask(1) & mask(2) & mask(3),
            _ => 0,
        }
    }
}

/// By byte: the origins that a file or a rank allows; all squares for `x` and for 0 (no byte); no
/// square for other bytes, so that the careful path reads them.
static MASKS: [u64; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 8 {
        table[b'a' as usize + i] = SquareSet::file(i as u8).0;
        table[b'1' as usize + i] = SquareSet::rank(i as u8).0;
        i += 1;
    }
    table[b'x' as usize] = !0;
    table[0] = !0;
    table
};

/// By byte: the kind for `N B R Q K`, else the pawn.
static KINDS: [Kind; 256] = {
    let mut table = [Kind::Pawn; 256];
    table[b'N' as usize] = Kind::Knight;
    table[b'B' as usize] = Kind::Bishop;
    table[b'R' as usize] = Kind::Rook;
    table[b'Q' as usize] = Kind::Queen;
    table[b'K' as usize] = Kind::King;
    table
};

const fn color<const SIDE: u8>() -> Color {
    if SIDE == 0 { Color::White } else { Color::Black }
}

#[inline(always)]
fn step_as<const SIDE: u8>(
    position: &Position,
    token: SanToken,
    next: &mut Position,
) -> Option<Move> {
    let Some(to) = token.target() else {
        return castle::<SIDE>(position, token, next);
    };
    let first = token.byte(0);
    if first >= b'a' {
        return pawn::<SIDE>(position, token, to, next);
    }
    piece::<SIDE>(position, KINDS[usize::from(first)], token, to, next)
}

#[inline(always)]
fn piece<const SIDE: u8>(
    position: &Position,
    kind: Kind,
    token: SanToken,
    to: Square,
    next: &mut Position,
) -> Option<Move> {
    let ours = position.colors[SIDE as usize].0;
    let occupied = position.occupied().0;
    let attacks = attacks::on_empty_board(kind, to).0;
    let mut from_bit = attacks & position.kinds[kind.index()].0 & ours & token.origins();
    if from_bit & from_bit.wrapping_sub(1) != 0 {
        from_bit = unblocked(from_bit, to, occupied);
    }
    let from = Square::from_index(NonZeroU64::new(from_bit)?.trailing_zeros() as usize);
    let to_bit = SquareSet::of(to).0;
    if attacks::between(from, to).0 & occupied | ours & to_bit != 0 {
        return None;
    }
    let state = position.state & state::kept(from) & state::kept(to);
    let state = state::advance::<SIDE>(state);
    let reset = state & !state::HALF;
    let state = if occupied & to_bit != 0 { reset } else { state };
    let moves_king = position.kinds[Kind::King.index()].0 & from_bit;
    let exposes = moves_king | position.state & state::CHECK;
    finish::<SIDE>(position, Step { kind, from, from_bit, to, attacks, state, exposes }, next)
}

/// The only one among the origins with a free way to the target; none if there are several.
#[inline(never)]
fn unblocked(origins: u64, to: Square, occupied: u64) -> u64 {
    let is_free = |from: &Square| attacks::between(*from, to).0 & occupied == 0;
    let free: SquareSet = SquareSet(origins).iter().filter(is_free).collect();
    if free.is_many() { 0 } else { free.0 }
}

#[inline(always)]
fn pawn<const SIDE: u8>(
    position: &Position,
    token: SanToken,
    to: Square,
    next: &mut Position,
) -> Option<Move> {
    let us = color::<SIDE>();
    let to_bit = SquareSet::of(to).0;
    let pawns = position.kinds[0].0 & position.colors[SIDE as usize].0;
    let back = |bits: u64| if SIDE == 0 { bits >> 8 } else { bits << 8 };
    // A move to the last rank is a promotion or an error.
    let last_ranks = SquareSet::BACK_RANKS.0;
    let mut state = position.state & !(state::EP | state::CHECK);
    let from_bit = if token.bits == 16 {
        // Without branches, as one and two squares are both frequent.
        let passed = back(to_bit);
        let single = pawns & passed;
        let double = pawns & back(passed) & SquareSet::rank(us.relative_rank(1)).0;
        let path = to_bit | passed & !pawns;
        if path & (position.occupied().0 | last_ranks) != 0 {
            return None;
        }
        let ep = u64::from(passed.trailing_zeros()) << state::EP_SHIFT;
        state |= if single == 0 { ep } else { 0 };
        if single == 0 { double } else { single }
    } else {
        let file = token.byte(0).wrapping_sub(b'a');
        let is_capture = token.bits == 32 && token.byte(1) == b'x' && file <= 7;
        // A capture on an empty square is en passant or an error.
        if !is_capture || position.colors[1 - SIDE as usize].0 & !last_ranks & to_bit == 0 {
            return None;
        }
        // No right is lost: the target is not on the last rank, so the captured piece is not a
        // castling rook.
        attacks::pawn(us.not(), to).0 & pawns & SquareSet::file(file).0
    };
    let from = Square::from_index(NonZeroU64::new(from_bit)?.trailing_zeros() as usize);
    let (kind, attacks) = (Kind::Pawn, attacks::pawn(us, to).0);
    let state = state::advance::<SIDE>(state) & !state::HALF;
    let exposes = position.state & state::CHECK;
    finish::<SIDE>(position, Step { kind, from, from_bit, to, attacks, state, exposes }, next)
}

/// A move by the rules for its piece, which may leave the own king attacked.
struct Step {
    kind: Kind,
    from: Square,
    from_bit: u64,
    to: Square,
    /// What the piece attacks from its target on an empty board.
    attacks: u64,
    /// The state of the next position, without check.
    state: u64,
    /// Not 0 if the king moves or was in check, so that any piece may attack it.
    exposes: u64,
}

/// Sets the next position; `None` if the move leaves the own king attacked.
#[inline(always)]
fn finish<const SIDE: u8>(position: &Position, step: Step, next: &mut Position) -> Option<Move> {
    let Step { kind, from, from_bit, to, attacks, state, exposes } = step;
    let (from_set, to_set) = (SquareSet(from_bit), SquareSet::of(to));
    position.move_piece::<SIDE>(from_set, to_set, &ONLY[kind.index()], next);
    next.state = state;

    let [_, _, bishops, rooks, queens, kings] = position.kinds;
    let (ours, theirs) = (next.colors[SIDE as usize], next.colors[1 - SIDE as usize]);
    // The origin is first in the lookups of lines, so that they share its address.
    let line = |king: SquareSet| {
        let square = Square::from_index(king.0.trailing_zeros() as usize);
        (square, attacks::line(from, square) & (bishops | rooks | queens))
    };
    let (_, own_line) = line(kings - theirs);
    let (other, other_line) = line(kings & theirs);
    // Another piece than the king exposes it only to a slider on the line through both.
    let exposes = exposes | (own_line & theirs).0;
    let discovers = (other_line & ours).0;
    let reaches = attacks & (kings & theirs).0;
    if exposes | discovers != 0 {
        test_kings::<SIDE>(next, exposes, discovers | reaches)?;
    } else if reaches != 0 && (attacks::between(to, other) & (ours | theirs)).is_empty() {
        next.state |= state::CHECK;
    }
    Some(Move::normal(from, to))
}

/// Tests whether kings are attacked: the one of the side that moved unless `own` is 0, in which
/// case the move is `None`, and the other one unless `other` is 0.
// Not inlined, so that the path of most moves has the processor's registers.
#[inline(never)]
fn test_kings<const SIDE: u8>(next: &mut Position, own: u64, other: u64) -> Option<()> {
    let us = color::<SIDE>();
    if own != 0 && is_attacked_king(next, us) {
        return None;
    }
    if other != 0 && is_attacked_king(next, us.not()) {
        next.state |= state::CHECK;
    }
    Some(())
}

/// [`Position::is_attacked_king`] of an ordinary position.
#[inline(always)]
fn is_attacked_king(position: &Position, color: Color) -> bool {
    let king = position.pieces(color, Kind::King).0.trailing_zeros() as usize;
    let occupied = position.occupied();
    !position.attackers_of(color.not(), Square::from_index(king), occupied).is_empty()
}

/// Castling, by the bytes of its token.
#[inline(never)]
fn castle<const SIDE: u8>(
    position: &Position,
    token: SanToken,
    next: &mut Position,
) -> Option<Move> {
    let bytes = token.word.to_le_bytes();
    let side = match bytes.get(..token.bits as usize / 8)? {
        b"O-O" | b"0-0" => CastlingSide::King,
        b"O-O-O" | b"0-0-0" => CastlingSide::Queen,
        _ => return None,
    };
    castle_to::<SIDE>(position, side, next)
}

/// Castling in an ordinary position, if it is legal.
fn castle_to<const SIDE: u8>(
    position: &Position,
    side: CastlingSide,
    next: &mut Position,
) -> Option<Move> {
    let us = color::<SIDE>();
    let rank = us.back_rank();
    let passed = match side {
        CastlingSide::King => Square::at(5, rank),
        CastlingSide::Queen => Square::at(3, rank),
    };
    // `test_kings` tests the target of the king.
    let is_free = position.may_castle(us, side)
        && !position.in_check()
        && position.attackers_of(us.not(), passed, position.occupied()).is_empty();
    if !is_free {
        return None;
    }
    let mv = position.castle::<SIDE>(side, next);
    test_kings::<SIDE>(next, 1, 1)?;
    Some(mv)
}
