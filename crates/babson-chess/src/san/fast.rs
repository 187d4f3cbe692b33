//! The fast path: from an ordinary token to a move and the next position, without a list of moves.
//!
//! The result is a legal move, or `None` if the careful path must read the token. Measurements led
//! to this design: one copy of the code for each side to move; pawns apart from other pieces;
//! attack sets of all kinds with masks in place of branches; one loop that updates all bitboards; a
//! state word that is updated with masks by origin and target.

use crate::position::state;
use crate::{
    CastlingSide, Color, Kind, Move, Position, Rules, Square, SquareSet, attacks, movegen,
};

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
    step_word(position, u64::from_le_bytes(word), token.len(), next)
}

/// [`step()`] of a token whose `len` bytes are the lowest bytes of `word`, the first one lowest, so
/// that a reader loads it from the text at once. The bytes above the token do not matter.
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
    let token = SanToken::of(word, len)?;
    if position.state & state::SIDE == 0 {
        step_as::<0>(position, token, next)
    } else {
        step_as::<1>(position, token, next)
    }
}

/// A token without `+` or `#`, as bytes in a word.
#[derive(Clone, Copy)]
struct SanToken {
    /// The first byte is the lowest; the bytes above the token are not cleared.
    word: u64,
    /// 2 to 7.
    len: u32,
}

impl SanToken {
    #[inline(always)]
    fn of(word: u64, len: usize) -> Option<SanToken> {
        if !(2..=8).contains(&len) {
            return None;
        }
        let last = (word >> (8 * (len - 1))) as u8;
        let len = len as u32 - u32::from(last == b'+' || last == b'#');
        (2..8).contains(&len).then_some(SanToken { word, len })
    }

    #[inline(always)]
    fn first(self) -> u8 {
        self.word as u8
    }

    /// The bytes of `word`, shifted so that the last byte of the token is the highest.
    #[inline(always)]
    fn aligned(self, word: u64) -> u64 {
        word << ((64 - 8 * self.len) & 63)
    }

    #[inline(always)]
    fn is(self, text: &[u8]) -> bool {
        let same = |(at, &byte): (usize, &u8)| (self.word >> (8 * at)) as u8 == byte;
        self.len as usize == text.len() && text.iter().enumerate().all(same)
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

/// By byte: the index of the kind for `N B R Q K`, else 0, the index of the pawn.
static KINDS: [u8; 256] = {
    let mut table = [0; 256];
    table[b'N' as usize] = 1;
    table[b'B' as usize] = 2;
    table[b'R' as usize] = 3;
    table[b'Q' as usize] = 4;
    table[b'K' as usize] = 5;
    table
};

/// By kind: which of the knight, diagonal, orthogonal and king attacks the kind has.
static REACH: [[u64; 4]; 8] = {
    let mut table = [[0; 4]; 8];
    table[1] = [!0, 0, 0, 0];
    table[2] = [0, !0, 0, 0];
    table[3] = [0, 0, !0, 0];
    table[4] = [0, !0, !0, 0];
    table[5] = [0, 0, 0, !0];
    table
};

/// By kind: all ones for the bitboard of the kind, zeros for the others.
static SELECT: [[u64; 6]; 8] = {
    let mut table = [[0; 6]; 8];
    let mut kind = 0;
    while kind < 6 {
        table[kind][kind] = !0;
        kind += 1;
    }
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
    let end = token.aligned(token.word);
    let file = ((end >> 48) as u8).wrapping_sub(b'a');
    let rank = ((end >> 56) as u8).wrapping_sub(b'1');
    if file > 7 || rank > 7 {
        return castle::<SIDE>(position, token, next);
    }
    let to = Square::at(file, rank);
    let kind = usize::from(KINDS[usize::from(token.first())]);
    if kind == 0 {
        pawn::<SIDE>(position, token, to, next)
    } else {
        piece::<SIDE>(position, kind, token, to, next)
    }
}

#[inline(always)]
fn piece<const SIDE: u8>(
    position: &Position,
    kind: usize,
    token: SanToken,
    to: Square,
    next: &mut Position,
) -> Option<Move> {
    // From `Nf3` to `Qh4xe1`: zero to three bytes are between the letter and the target.
    if token.len > 6 {
        return None;
    }
    let between = token.aligned(token.word & !0xff);
    let mask = MASKS[usize::from((between >> 40) as u8)]
        & MASKS[usize::from((between >> 32) as u8)]
        & MASKS[usize::from((between >> 24) as u8)];
    let occupied = position.occupied();
    let reach = &REACH[kind & 7];
    let candidates = (attacks::knight(to).0 & reach[0]
        | attacks::bishop(to, occupied).0 & reach[1]
        | attacks::rook(to, occupied).0 & reach[2]
        | attacks::king(to).0 & reach[3])
        & position.kinds[kind.min(5)].0
        & position.colors[SIDE as usize].0
        & mask;
    let to_bit = SquareSet::of(to).0;
    let single = candidates != 0 && candidates & candidates.wrapping_sub(1) == 0;
    if !single || position.colors[SIDE as usize].0 & to_bit != 0 {
        return None;
    }
    let from = Square::from_index(candidates.trailing_zeros() as usize);
    let captures = u64::from(occupied.0 & to_bit != 0).wrapping_neg();
    let state = position.state & state::kept(from) & state::kept(to);
    let state = state::advance::<SIDE>(state) & !(state::HALF & captures);
    finish::<SIDE>(position, kind, candidates, to_bit, state, next)?;
    Some(Move::normal(from, to))
}

#[inline(always)]
fn pawn<const SIDE: u8>(
    position: &Position,
    token: SanToken,
    to: Square,
    next: &mut Position,
) -> Option<Move> {
    // A move to the last rank is a promotion or an error.
    if to.rank() == 0 || to.rank() == 7 {
        return None;
    }
    let us = color::<SIDE>();
    let to_bit = SquareSet::of(to).0;
    let occupied = position.occupied().0;
    let pawns = position.kinds[0].0 & position.colors[SIDE as usize].0;
    let back = |bits: u64, ranks: u32| {
        if SIDE == 0 { bits >> (8 * ranks) } else { bits << (8 * ranks) }
    };
    let mut state = position.state & !(state::EP | state::CHECK);
    let from_bit = match token.len {
        2 => {
            if occupied & to_bit != 0 {
                return None;
            }
            let one = back(to_bit, 1);
            if pawns & one != 0 {
                one
            } else {
                let two = back(to_bit, 2) & pawns & SquareSet::rank(us.relative_rank(1)).0;
                if two == 0 || occupied & one != 0 {
                    return None;
                }
                state |= u64::from(one.trailing_zeros()) << state::EP_SHIFT;
                two
            }
        }
        4 if (token.word >> 8) as u8 == b'x' => {
            let file = token.first().wrapping_sub(b'a');
            if file > 7 {
                return None;
            }
            // A capture on an empty square is en passant or an error.
            if position.colors[1 - SIDE as usize].0 & to_bit == 0 {
                return None;
            }
            let origins = attacks::pawn(us.not(), to).0 & pawns & SquareSet::file(file).0;
            if origins == 0 || origins & origins.wrapping_sub(1) != 0 {
                return None;
            }
            // No right is lost: the target is not on the last rank, so the captured piece is not a
            // castling rook.
            origins
        }
        _ => return None,
    };
    let state = state::advance::<SIDE>(state) & !state::HALF;
    finish::<SIDE>(position, 0, from_bit, to_bit, state, next)?;
    Some(Move::normal(Square::from_index(from_bit.trailing_zeros() as usize), to))
}

/// Updates the bitboards and the state; `None` if the move leaves the own king attacked.
#[inline(always)]
fn finish<const SIDE: u8>(
    position: &Position,
    kind: usize,
    from_bit: u64,
    to_bit: u64,
    state: u64,
    next: &mut Position,
) -> Option<()> {
    let keep = !(from_bit | to_bit);
    let select = &SELECT[kind & 7];
    for ((new, old), select) in next.kinds.iter_mut().zip(&position.kinds).zip(select) {
        *new = SquareSet(old.0 & keep | select & to_bit);
    }
    next.colors[SIDE as usize] = SquareSet(position.colors[SIDE as usize].0 & keep | to_bit);
    next.colors[1 - SIDE as usize] = SquareSet(position.colors[1 - SIDE as usize].0 & keep);
    settle::<SIDE>(state, next)
}

/// Sets the state of a position whose bitboards are complete; `None` if the king of the side that
/// moved is attacked.
///
/// The attack test is written out: the compiler does not inline [`Position::attackers_of`] here,
/// and a call makes the replay of games a third slower.
#[inline(always)]
fn settle<const SIDE: u8>(state: u64, next: &mut Position) -> Option<()> {
    let us = color::<SIDE>();
    let [pawns, knights, bishops, rooks, queens, kings] = next.kinds;
    let (ours, theirs) = (next.colors[SIDE as usize], next.colors[1 - SIDE as usize]);
    let occupied = ours | theirs;
    let (diagonal, orthogonal) = (bishops | queens, rooks | queens);
    let square = |king: SquareSet| Square::from_index(king.0.trailing_zeros() as usize);
    // A pawn attacks a square if a pawn of the other color on that square would attack it.
    let attackers = |king: Square, color: Color| {
        attacks::pawn(color, king) & pawns
            | attacks::knight(king) & knights
            | attacks::bishop(king, occupied) & diagonal
            | attacks::rook(king, occupied) & orthogonal
    };
    let (own, other) = (square(kings & ours), square(kings & theirs));
    if !((attackers(own, us) | attacks::king(own) & kings) & theirs).is_empty() {
        return None;
    }
    // The kings are not adjacent: the test above has excluded this.
    let check = !(attackers(other, us.not()) & ours).is_empty();
    next.state = state | if check { state::CHECK } else { 0 };
    next.extra = 0;
    Some(())
}

#[cold]
#[inline(never)]
fn castle<const SIDE: u8>(
    position: &Position,
    token: SanToken,
    next: &mut Position,
) -> Option<Move> {
    let side = if token.is(b"O-O") || token.is(b"0-0") {
        CastlingSide::King
    } else if token.is(b"O-O-O") || token.is(b"0-0-0") {
        CastlingSide::Queen
    } else {
        return None;
    };
    let us = color::<SIDE>();
    let mv = movegen::castling_move(position, &Rules::STANDARD, us, side)?;
    let kings = SquareSet::of(mv.from()) | SquareSet::of(mv.to());
    let rooks = SquareSet::of(mv.raw_to()) | SquareSet::of(mv.rook_to()?);
    *next = *position;
    next.kinds[Kind::King.index()] ^= kings;
    next.kinds[Kind::Rook.index()] ^= rooks;
    next.colors[SIDE as usize] ^= kings ^ rooks;
    settle::<SIDE>(state::advance::<SIDE>(position.state & state::kept(mv.from())), next)?;
    Some(mv)
}
