//! The fast path: from an ordinary token to a move and the next position, without a list of moves.
//!
//! The result is a legal move, or `None` if the careful path must read the token. Measurements led
//! to this design: one copy of the code for each side to move; pawns apart from other pieces;
//! attack sets of all kinds with masks in place of branches; one loop that updates all bitboards; a
//! state word that is updated with masks by origin and target.

use crate::position::state;
use crate::{CastlingSide, Color, Kind, Move, Position, Rules, Square, SquareSet, attacks};

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
/// that a reader loads it from the text at once. The bytes above the token do not matter. No byte
/// of the token may be 0.
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
    if position.state & state::ORDINARY == 0 || !(2..=8).contains(&len) {
        return None;
    }
    let token = SanToken::of(word, len);
    if position.state & state::SIDE == 0 {
        step_as::<0>(position, token, next)
    } else {
        step_as::<1>(position, token, next)
    }
}

/// A token without `+` or `#`, as bytes in a word. The last one is the highest, so that the target
/// square is in the two highest bytes; zeros are below the first one.
#[derive(Clone, Copy)]
struct SanToken {
    bytes: u64,
    /// [`SanToken::bytes`] without the first one.
    tail: u64,
    first: u8,
}

impl SanToken {
    /// The token in the lowest `len` bytes of a word, 2 to 8.
    #[inline(always)]
    fn of(word: u64, len: usize) -> SanToken {
        let bits = 8 * len as u32;
        let last = (word >> (bits - 8)) as u8;
        // `+` and `#` differ in one bit.
        let is_check = last & 0xf7 == b'#';
        let unused = (64 - bits + 8 * u32::from(is_check)) & 63;
        SanToken { bytes: word << unused, tail: (word & !0xff) << unused, first: word as u8 }
    }

    /// Packs a text of at most eight bytes as [`SanToken::bytes`] has it.
    const fn bytes_of(text: &[u8]) -> u64 {
        let (mut bytes, mut at) = (0, 0);
        while at < text.len() {
            bytes |= (text[at] as u64) << (64 - 8 * (text.len() - at));
            at += 1;
        }
        bytes
    }

    /// The square that the two highest bytes of a word name.
    #[inline(always)]
    fn target(bytes: u64) -> Option<Square> {
        let name = (bytes >> 48) as u32;
        // The file is in the low byte, the rank in the high one.
        let indices = name.wrapping_sub(u32::from_le_bytes(*b"a1\0\0"));
        (indices & !0x0707 == 0).then(|| Square::at(indices as u8, (indices >> 8) as u8))
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

/// By kind: which of the knight, diagonal, orthogonal and king attacks the kind has.
static REACH: [[u64; 4]; 6] = {
    let mut table = [[0; 4]; 6];
    table[1] = [!0, 0, 0, 0];
    table[2] = [0, !0, 0, 0];
    table[3] = [0, 0, !0, 0];
    table[4] = [0, !0, !0, 0];
    table[5] = [0, 0, 0, !0];
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
    match KINDS[usize::from(token.first)] {
        Kind::Pawn => pawn::<SIDE>(position, token, next),
        kind @ (Kind::Knight | Kind::Bishop | Kind::Rook | Kind::Queen | Kind::King) => {
            piece::<SIDE>(position, kind, token, next)
        }
    }
}

#[inline(always)]
fn piece<const SIDE: u8>(
    position: &Position,
    kind: Kind,
    token: SanToken,
    next: &mut Position,
) -> Option<Move> {
    let to = SanToken::target(token.tail)?;
    // From `Nf3` to `Qh4xe1`: zero to three bytes are between the letter and the target.
    if token.tail as u32 & 0xff_ffff != 0 {
        return None;
    }
    let between = |bits: u32| MASKS[usize::from((token.tail >> bits) as u8)];
    let mask = between(40) & between(32) & between(24);
    let occupied = position.occupied();
    let reach = &REACH[kind.index()];
    let candidates = (attacks::knight(to).0 & reach[0]
        | attacks::bishop(to, occupied).0 & reach[1]
        | attacks::rook(to, occupied).0 & reach[2]
        | attacks::king(to).0 & reach[3])
        & position.kinds[kind.index()].0
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
fn pawn<const SIDE: u8>(position: &Position, token: SanToken, next: &mut Position) -> Option<Move> {
    let Some(to) = SanToken::target(token.bytes) else {
        return castle::<SIDE>(position, token.bytes, next);
    };
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
    let from_bit = if token.bytes << 16 == 0 {
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
    } else {
        let file = token.first.wrapping_sub(b'a');
        let is_capture = token.bytes as u32 == 0 && (token.bytes >> 40) as u8 == b'x' && file <= 7;
        // A capture on an empty square is en passant or an error.
        if !is_capture || position.colors[1 - SIDE as usize].0 & to_bit == 0 {
            return None;
        }
        let origins = attacks::pawn(us.not(), to).0 & pawns & SquareSet::file(file).0;
        if origins == 0 || origins & origins.wrapping_sub(1) != 0 {
            return None;
        }
        // No right is lost: the target is not on the last rank, so the captured piece is not a
        // castling rook.
        origins
    };
    let state = state::advance::<SIDE>(state) & !state::HALF;
    finish::<SIDE>(position, Kind::Pawn, from_bit, to_bit, state, next)?;
    Some(Move::normal(Square::from_index(from_bit.trailing_zeros() as usize), to))
}

/// Updates the bitboards and the state; `None` if the move leaves the own king attacked.
#[inline(always)]
fn finish<const SIDE: u8>(
    position: &Position,
    kind: Kind,
    from_bit: u64,
    to_bit: u64,
    state: u64,
    next: &mut Position,
) -> Option<()> {
    let keep = SquareSet(!(from_bit | to_bit));
    let [pawns, knights, bishops, rooks, queens, kings] = position.kinds;
    // In terms, not by `array::map`: the compiler inlines that only if it optimizes all crates
    // together.
    next.kinds =
        [pawns & keep, knights & keep, bishops & keep, rooks & keep, queens & keep, kings & keep];
    next.colors = [position.colors[0] & keep, position.colors[1] & keep];
    next.kinds[kind.index()].0 |= to_bit;
    next.colors[SIDE as usize].0 |= to_bit;
    settle::<SIDE>(state, next)
}

/// Sets the state of a position whose bitboards are complete; `None` if the king of the side that
/// moved is attacked.
#[inline(always)]
fn settle<const SIDE: u8>(state: u64, next: &mut Position) -> Option<()> {
    let us = color::<SIDE>();
    let (ours, theirs) = (next.colors[SIDE as usize], next.colors[1 - SIDE as usize]);
    let kings = next.kinds[Kind::King.index()];
    let square = |king: SquareSet| Square::from_index(king.0.trailing_zeros() as usize);
    let (own, other) = (square(kings & ours), square(kings & theirs));
    if !((attackers(next, own, us) | attacks::king(own) & kings) & theirs).is_empty() {
        return None;
    }
    // The kings are not adjacent: the test above has excluded this.
    let check = !(attackers(next, other, us.not()) & ours).is_empty();
    next.state = state | if check { state::CHECK } else { 0 };
    next.extra = 0;
    Some(())
}

/// The pieces, except kings, that attack the square; of the pawns those that attack it if they are
/// not of the color.
///
/// The function is inlined, unlike [`Position::attackers_of`]: a call makes the replay of games a
/// third slower.
#[inline(always)]
fn attackers(position: &Position, square: Square, color: Color) -> SquareSet {
    let [pawns, knights, bishops, rooks, queens, _] = position.kinds;
    let occupied = position.occupied();
    // A pawn attacks a square if a pawn of the other color on that square would attack it.
    attacks::pawn(color, square) & pawns
        | attacks::knight(square) & knights
        | attacks::bishop(square, occupied) & (bishops | queens)
        | attacks::rook(square, occupied) & (rooks | queens)
}

/// Castling, by the bytes of its token.
#[inline(never)]
fn castle<const SIDE: u8>(position: &Position, token: u64, next: &mut Position) -> Option<Move> {
    const KING_SIDE: [u64; 2] = [SanToken::bytes_of(b"O-O"), SanToken::bytes_of(b"0-0")];
    const QUEEN_SIDE: [u64; 2] = [SanToken::bytes_of(b"O-O-O"), SanToken::bytes_of(b"0-0-0")];
    if KING_SIDE.contains(&token) {
        castle_to::<SIDE>(position, CastlingSide::King, next)
    } else if QUEEN_SIDE.contains(&token) {
        castle_to::<SIDE>(position, CastlingSide::Queen, next)
    } else {
        None
    }
}

/// Castling in an ordinary position, if it is legal.
pub(crate) fn castle_to<const SIDE: u8>(
    position: &Position,
    side: CastlingSide,
    next: &mut Position,
) -> Option<Move> {
    let us = color::<SIDE>();
    let rank = us.back_rank();
    // The squares that must be empty, and the one among them that the king passes.
    let (empty, passed) = match side {
        CastlingSide::King => (0x60, Square::at(5, rank)),
        CastlingSide::Queen => (0x0e, Square::at(3, rank)),
    };
    // In an ordinary position king and rook are in place if the right is recorded. `settle` tests
    // the target of the king.
    let occupied = position.occupied();
    let theirs = position.colors[1 - SIDE as usize];
    let is_free = position.castling().has(us, side)
        && !position.in_check()
        && occupied.0 >> (8 * rank) & empty == 0
        && !(attackers(position, passed, us) | attacks::king(passed) & position.kind(Kind::King))
            .intersects(theirs);
    if !is_free {
        return None;
    }
    let mv = Move::castling(Square::at(4, rank), Rules::STANDARD.rook(us, side));
    let kings = SquareSet::of(mv.from()) | SquareSet::of(mv.to());
    let rooks = SquareSet::of(mv.raw_to()) | SquareSet::of(mv.rook_to()?);
    *next = *position;
    next.kinds[Kind::King.index()] ^= kings;
    next.kinds[Kind::Rook.index()] ^= rooks;
    next.colors[SIDE as usize] ^= kings ^ rooks;
    settle::<SIDE>(state::advance::<SIDE>(position.state & state::kept(mv.from())), next)?;
    Some(mv)
}
