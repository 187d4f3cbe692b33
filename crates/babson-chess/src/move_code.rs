//! Moves as a game table stores them: 16 bits each, from which a game is replayed without a search
//! for the piece that moves (docs/src/tables.md#moves).

use std::fmt;

use crate::make::ONLY;
use crate::position::state;
use crate::{
    CastlingSide, Color, Kind, Move, Position, Rules, Square, SquareSet, movegen, processor,
};

/// A move of standard chess: its origin in the lowest six bits, its target in the next six, and in
/// the highest four what it does. Castling has the origin and target of the king.
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

/// What an ordinary move of one code does, for one side to move.
#[derive(Clone, Copy)]
#[repr(C, align(128))]
struct Effect {
    /// The row of [`ONLY`] of the kind that arrives.
    arrives: [SquareSet; 6],
    /// The squares that the piece cannot arrive on; all if the move is not an ordinary one.
    barred: SquareSet,
    /// All squares for a double step, else none.
    far: SquareSet,
    /// The bits of the half-move clock if a pawn moves.
    resets: u64,
    /// The bits of the en passant square for a double step.
    passes: u64,
    /// The kind that leaves its square.
    leaves: Kind,
    /// The bits of the [`Move`] above the squares.
    mv: u16,
}

/// By side to move and code.
static EFFECTS: [[Effect; 16]; 2] = {
    let mut table = [[Effect::NONE; 16]; 2];
    let mut code = 0;
    while code < 16 {
        if let Some(action) = MoveAction::of_bits(code as u16) {
            table[0][code] = Effect::of(action, Color::White);
            table[1][code] = Effect::of(action, Color::Black);
        }
        code += 1;
    }
    table
};

impl Effect {
    const NONE: Effect = Effect {
        arrives: [SquareSet::EMPTY; 6],
        barred: SquareSet::ALL,
        far: SquareSet::EMPTY,
        resets: 0,
        passes: 0,
        leaves: Kind::Pawn,
        mv: 0,
    };

    const fn of(action: MoveAction, us: Color) -> Effect {
        let (leaves, arrives, targets): (Kind, Kind, u64) = match action {
            MoveAction::Plain(Kind::Pawn) => (Kind::Pawn, Kind::Pawn, 0x00ff_ffff_ffff_0000),
            MoveAction::Plain(kind) => (kind, kind, !0),
            MoveAction::DoubleStep => (Kind::Pawn, Kind::Pawn, 0x0000_0000_ff00_0000),
            MoveAction::Promotion(kind) => (Kind::Pawn, kind, 0xff << 56),
            MoveAction::EnPassant | MoveAction::Castling(_) => return Effect::NONE,
        };
        let mut effect = Effect { leaves, ..Effect::NONE };
        effect.arrives = ONLY[arrives.index()];
        effect.barred = SquareSet(match us {
            Color::White => !targets,
            Color::Black => !targets.swap_bytes(),
        });
        if matches!(leaves, Kind::Pawn) {
            effect.resets = state::HALF;
        }
        if matches!(action, MoveAction::DoubleStep) {
            (effect.far, effect.passes) = (SquareSet::ALL, state::EP);
        }
        if matches!(action, MoveAction::Promotion(_)) {
            effect.mv = Move::promotion_bits(arrives);
        }
        effect
    }
}

/// What a move from or to a square does.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct SquareEffect {
    /// The square.
    bit: SquareSet,
    /// The bits of the state that the move keeps.
    kept: u64,
    /// All squares but the target of a double step from here.
    not_far: SquareSet,
    /// The en passant square of such a step, as bits of the state.
    passed: u64,
}

static SQUARES: [SquareEffect; 64] = {
    let none = SquareEffect { bit: SquareSet::EMPTY, kept: 0, not_far: SquareSet::ALL, passed: 0 };
    let mut table = [none; 64];
    let mut at = 0;
    while at < 64 {
        let square = Square::from_index(at);
        table[at].bit = SquareSet::of(square);
        table[at].kept = state::kept(square);
        // The second and fourth ranks, and the seventh and fifth, differ in one bit of the index.
        let far = at ^ 16;
        table[at].not_far = SquareSet(!(1 << far));
        table[at].passed = ((at + far) as u64 / 2) << state::EP_SHIFT;
        at += 1;
    }
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
            let kind = position.kind_at(mv.from())?;
            let far = mv.from().rank().abs_diff(mv.to().rank()) == 2;
            if kind == Kind::Pawn && far { DOUBLE_STEP } else { kind.index() as u16 }
        };
        let (from, to) = (mv.from().index() as u16, mv.to().index() as u16);
        Some(MoveCode(from | to << 6 | code << 12))
    }

    /// The origin; for castling the origin of the king.
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as usize & 63)
    }

    /// The target; for castling the target of the king.
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
    /// own nor a king may be on the target. Castling needs its right and empty squares. Otherwise
    /// it is not tested whether the move is legal.
    #[inline(always)]
    pub fn step(self, position: &Position, check: bool, next: &mut Position) -> Option<Move> {
        let mv = match position.side() {
            Color::White => self.ordinary::<0>(position, next),
            Color::Black => self.ordinary::<1>(position, next),
        };
        let Some(mv) = mv else { return self.special(position, check, next) };
        next.state |= if check { state::CHECK } else { 0 };
        (!position.kind(Kind::King).contains(self.to())).then_some(mv)
    }

    /// [`MoveCode::step`] for a move that is neither castling nor en passant, as if it did not give
    /// check. It may capture a king.
    #[inline(always)]
    fn ordinary<const SIDE: u8>(self, position: &Position, next: &mut Position) -> Option<Move> {
        let effect = &EFFECTS[SIDE as usize][usize::from(self.code())];
        let (from, to) = (&SQUARES[self.from().index()], &SQUARES[self.to().index()]);
        let (ours, theirs) = (position.colors[SIDE as usize], position.colors[1 - SIDE as usize]);
        let origins = position.kinds[effect.leaves.index()] & ours;
        let barred = effect.barred | ours | from.not_far & effect.far;
        if !origins.intersects(from.bit) || barred.intersects(to.bit) {
            return None;
        }
        position.move_piece::<SIDE>(from.bit, to.bit, &effect.arrives, next);
        let captures = if theirs.intersects(to.bit) { state::HALF } else { 0 };
        let state = state::advance::<SIDE>(position.state & from.kept & to.kept);
        next.state = state & !(effect.resets | captures) | from.passed & effect.passes;
        Some(Move::of_bits(self.0 & 0xfff | effect.mv))
    }

    /// [`MoveCode::step`] for castling and en passant, and for codes that are not a move. It does
    /// not read whether `position` is in check: a line sets its checks only after the last move.
    #[cold]
    #[inline(never)]
    fn special(self, position: &Position, check: bool, next: &mut Position) -> Option<Move> {
        let us = position.side();
        let (from, to) = (self.from(), self.to());
        let mv = match self.action()? {
            MoveAction::Plain(_) | MoveAction::DoubleStep | MoveAction::Promotion(_) => {
                return None;
            }
            MoveAction::EnPassant => {
                let ours = position.color(us);
                let pawns = ours & position.kind(Kind::Pawn);
                let mv = Move::en_passant(from, to);
                let victim = mv.en_passant_victim()?;
                let captured = position.pieces(us.not(), Kind::Pawn).contains(victim);
                let is_move = position.ep() == Some(to) && pawns.contains(from) && captured;
                is_move.then_some(mv)?
            }
            MoveAction::Castling(side) if position.is_ordinary() => {
                if !position.may_castle(us, side) {
                    return None;
                }
                let mv = match us {
                    Color::White => position.castle::<0>(side, next),
                    Color::Black => position.castle::<1>(side, next),
                };
                next.state |= if check { state::CHECK } else { 0 };
                return ((mv.from(), mv.to()) == (from, to)).then_some(mv);
            }
            MoveAction::Castling(side) => {
                movegen::castling_move(position, &Rules::STANDARD, us, side)
                    .filter(|mv| (mv.from(), mv.to()) == (from, to))?
            }
        };
        *next = position.make_as_chess(mv, &Rules::STANDARD);
        next.state = next.state & !state::CHECK | if check { state::CHECK } else { 0 };
        Some(mv)
    }
}

/// Plays the codes of a line. The first position is that before the first move; those after it are
/// set to the positions after each move. The line ends with the codes or the positions.
///
/// `checks` has a bit for each position, the first one first and the lowest bit of a word first:
/// whether the side to move is in check. Missing words are zeros. `each` gets the index of the
/// position after a move, and the move.
///
/// # Errors
/// The index of the first code that cannot be a move: see [`MoveCode::step`].
///
/// ```
/// use babson_chess::{Position, play_codes};
///
/// let (e4, e5) = (12 | 28 << 6 | 6 << 12, 52 | 36 << 6 | 6 << 12);
/// let mut positions = vec![Position::start(); 3];
/// let mut moves = Vec::new();
/// play_codes(&[e4, e5], &[], &mut positions, |_, mv| moves.push(mv.to_string())).unwrap();
/// assert_eq!(moves, ["e2e4", "e7e5"]);
/// assert_eq!(positions[2].full_moves(), 2);
/// assert_eq!(play_codes(&[e4, e4], &[], &mut positions, |_, _| ()), Err(1));
/// ```
pub fn play_codes(
    codes: &[u16],
    checks: &[u64],
    positions: &mut [Position],
    each: impl FnMut(usize, Move),
) -> Result<(), usize> {
    let Some(start) = positions.first() else { return Ok(()) };
    let kings = king_counts(start);
    let side = start.side();
    let played = processor::dispatch(
        #[inline(always)]
        || match side {
            Color::White => play::<0, 1>(codes, positions, each),
            Color::Black => play::<1, 0>(codes, positions, each),
        },
    );
    // A king that is captured does not come back.
    let end = played.err().unwrap_or(codes.len()).min(positions.len() - 1);
    if king_counts(&positions[end]) != kings {
        let captured = positions[..end].partition_point(|next| king_counts(next) == kings);
        return Err(captured - 1);
    }
    for (first, &word) in (0..).step_by(64).zip(checks) {
        for square in SquareSet(word) {
            let id = first + square.index();
            if let Some(position) = positions.get_mut(id).filter(|_| id > 0) {
                position.state |= state::CHECK;
            }
        }
    }
    played
}

/// Finds the checks of a line of codes, as [`play_codes`] takes them, and tests that each move is
/// legal. `checks` is set to them, without words of zeros at its end. For codes without the facts
/// that a game table has of them; it costs several times as much as to play the line.
///
/// # Errors
/// The index of the first code that is not the code of a legal move of standard chess.
///
/// ```
/// use babson_chess::{Position, line_checks};
///
/// // 1. e4 f6 2. Qh5+
/// let codes = [12 | 28 << 6 | 6 << 12, 53 | 45 << 6, 3 | 39 << 6 | 4 << 12];
/// let mut checks = Vec::new();
/// assert_eq!(line_checks(&Position::start(), &codes, &mut checks), Ok(()));
/// assert_eq!(checks, [1 << 3]);
/// let e5 = 12 | 36 << 6 | 6 << 12;
/// assert_eq!(line_checks(&Position::start(), &[e5], &mut checks), Err(0));
/// ```
pub fn line_checks(start: &Position, codes: &[u16], checks: &mut Vec<u64>) -> Result<(), usize> {
    checks.clear();
    let (mut position, mut next) = (*start, Position::empty());
    let add = |id: usize, checks: &mut Vec<u64>| {
        checks.resize(checks.len().max(id / 64 + 1), 0);
        checks[id / 64] |= 1 << (id % 64);
    };
    if position.in_check() {
        add(0, checks);
    }
    for (index, &code) in codes.iter().enumerate() {
        let code = MoveCode(code);
        let mv = code.step(&position, false, &mut next).ok_or(index)?;
        let is_code = MoveCode::of(mv, &position) == Some(code);
        if !is_code || !position.is_legal(mv, &Rules::STANDARD) {
            return Err(index);
        }
        if next.is_attacked_king(next.side()) {
            next.state |= state::CHECK;
            add(index + 1, checks);
        }
        position = next;
    }
    Ok(())
}

/// The number of kings of each color.
fn king_counts(position: &Position) -> [u32; 2] {
    Color::ALL.map(|color| position.pieces(color, Kind::King).len())
}

/// [`play_codes`] for a line in which `FIRST` moves first and no move captures a king, without
/// setting the checks.
#[inline(always)]
fn play<const FIRST: u8, const SECOND: u8>(
    codes: &[u16],
    positions: &mut [Position],
    mut each: impl FnMut(usize, Move),
) -> Result<(), usize> {
    let Some((start, free)) = positions.split_first_mut() else { return Ok(()) };
    let mut position = &*start;
    let mut plies = codes.iter().zip(free).enumerate();
    // One copy of the step for each side to move.
    macro_rules! ply {
        ($side:ident) => {
            let Some((index, (&code, next))) = plies.next() else { return Ok(()) };
            let code = MoveCode(code);
            let mv = match code.ordinary::<$side>(position, next) {
                Some(mv) => mv,
                None => code.special(position, false, next).ok_or(index)?,
            };
            each(index + 1, mv);
            position = next;
        };
    }
    loop {
        ply!(FIRST);
        ply!(SECOND);
    }
}

impl fmt::Debug for MoveCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}/{}", self.from(), self.to(), self.code())
    }
}
