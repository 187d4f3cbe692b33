//! Writing SAN.

use super::SanText;
use crate::movegen::{self, MoveSelection};
use crate::{Color, Kind, Move, Position, Rules, Square, SquareSet, VariantEnd, attacks};

/// The SAN of a move with the least disambiguation and `+` or `#`; `--` for the null move, `N@f3`
/// for a drop. A move that wins by the rule of its variant has `#`, as chess servers write it.
///
/// ```
/// use babson_chess::{fen, san, Move};
/// let (position, rules) = fen::parse("7k/8/8/8/8/8/6K1/R6R w - - 0 1").unwrap();
/// let mv = Move::normal("a1".parse().unwrap(), "f1".parse().unwrap());
/// assert_eq!(san::write(&position, &rules, mv), "Raf1+");
/// ```
pub fn write(position: &Position, rules: &Rules, mv: Move) -> String {
    write_between(position, &position.make(mv, rules), rules, mv).to_string()
}

/// [`write()`] for a caller that has the position after the move.
#[inline]
pub fn write_between(position: &Position, next: &Position, rules: &Rules, mv: Move) -> SanText {
    write_in_line(position, next, rules, mv, || false)
}

/// [`write_between()`] of a move of a line. `goes_on` says whether it is known that a legal move
/// was played after this one. Then a check is not tested for mate, which takes long.
///
/// ```
/// use babson_chess::{fen, san, Move, Rules};
/// let (start, _) = fen::parse("7k/R7/8/8/8/8/8/KR6 w - - 0 1").unwrap();
/// let mv = Move::normal("b1".parse().unwrap(), "b8".parse().unwrap());
/// let next = start.make(mv, &Rules::STANDARD);
/// let text = |goes_on: bool| {
///     san::write_in_line(&start, &next, &Rules::STANDARD, mv, || goes_on).to_string()
/// };
/// assert_eq!((text(false).as_str(), text(true).as_str()), ("Rb8#", "Rb8+"));
/// ```
#[inline(always)]
pub fn write_in_line(
    position: &Position,
    next: &Position,
    rules: &Rules,
    mv: Move,
    goes_on: impl FnOnce() -> bool,
) -> SanText {
    let mut text = SanText::default();
    if mv.is_plain() {
        let captures = position.occupied().contains(mv.raw_to());
        arrival(position, next, rules, mv, captures, &mut text);
    } else {
        text = special(position, next, rules, mv);
    }
    if !rules.variant.is_chess() || next.in_check() && (mv.is_null() || !goes_on()) {
        return with_suffix(text, next, rules, mv);
    }
    text.push_if(b'+', next.in_check());
    text
}

/// The text, without `+` and `#`, of a move that is not a plain move or capture.
#[inline(never)]
fn special(position: &Position, next: &Position, rules: &Rules, mv: Move) -> SanText {
    let mut text = SanText::default();
    if mv.is_null() {
        b"--".iter().for_each(|byte| text.push(*byte));
    } else if mv.is_castling() {
        let bytes: &[u8] = if mv.is_king_side() { b"O-O" } else { b"O-O-O" };
        bytes.iter().for_each(|byte| text.push(*byte));
    } else if let Some(kind) = mv.dropped() {
        text.push(SanText::letter(kind));
        text.push(b'@');
        text.push_square(mv.to());
    } else {
        let captures = mv.is_en_passant() || position.occupied().contains(mv.to());
        arrival(position, next, rules, mv, captures, &mut text);
        if let Some(kind) = mv.promotion() {
            text.push(b'=');
            text.push(SanText::letter(kind));
        }
    }
    text
}

/// The text with `+` or `#` if it belongs after the move.
#[inline(never)]
fn with_suffix(mut text: SanText, next: &Position, rules: &Rules, mv: Move) -> SanText {
    if mv.is_null() {
        return text;
    }
    if matches!(next.variant_end(rules), Some(VariantEnd::Win(_))) {
        text.push(b'#');
    } else if next.in_check() {
        text.push(if next.has_legal_move(rules) { b'+' } else { b'#' });
    }
    text
}

/// Writes the piece, what tells it from others of its kind, and the target. Nearly without
/// branches: which piece moves, and whether it captures, is hard to predict. So tables have the
/// usual beginnings and the names of the squares.
#[inline(always)]
fn arrival(
    position: &Position,
    next: &Position,
    rules: &Rules,
    mv: Move,
    captures: bool,
    text: &mut SanText,
) {
    let (from, to) = (mv.from(), mv.raw_to());
    let kind = position.kind_or_pawn(from);
    *text = SanText::beginning(kind, from, captures);
    // Those that would attack the target on an empty board. A pawn has none there.
    let others = position.pieces(position.side(), kind) - from.into();
    let others = others & attacks::on_empty_board(kind, to);
    let one = Square::from_index(others.0.trailing_zeros() as usize);
    let is_free = (attacks::between(one, to) & position.occupied()).is_empty();
    // On odd boards a pawn may change its file without a capture.
    let is_odd = (kind == Kind::Pawn) & !captures & (from.file() != to.file());
    if others.is_many() | !others.is_empty() & is_free | is_odd {
        *text = match kind {
            Kind::Pawn => odd_pawn(from),
            Kind::Knight | Kind::Bishop | Kind::Rook | Kind::Queen | Kind::King => {
                let mut text = SanText::beginning(kind, from, false);
                text = disambiguated(text, position, next, rules, mv, others);
                text.push_if(b'x', captures);
                text
            }
        };
    }
    text.push_square(to);
}

/// The text before the target of a pawn that changes its file without a capture.
#[cold]
fn odd_pawn(from: Square) -> SanText {
    let mut text = SanText::default();
    text.push(from.file_byte());
    text
}

/// The text with the file or the rank of the origin, or both, if another piece of the kind has a
/// legal move to the same target. `others` would attack it on an empty board.
#[inline(never)]
fn disambiguated(
    mut text: SanText,
    position: &Position,
    next: &Position,
    rules: &Rules,
    mv: Move,
    others: SquareSet,
) -> SanText {
    let (from, us, occupied) = (mv.from(), position.side(), position.occupied());
    let is_free = |from: &Square| (attacks::between(*from, mv.raw_to()) & occupied).is_empty();
    let rivals: SquareSet = others.iter().filter(is_free).collect();
    if rivals.is_empty() {
        return text;
    }
    let legal = match rules.variant.is_chess() {
        true => rivals_of_chess(next, us, from, rivals),
        false => rivals_of_variant(position, rules, mv, rivals),
    };
    let same_file = legal.intersects(SquareSet::file(from.file()));
    let same_rank = legal.intersects(SquareSet::rank(from.rank()));
    text.push_if(from.file_byte(), !legal.is_empty() && (!same_file || same_rank));
    text.push_if(from.rank_byte(), same_file);
    text
}

/// The rivals that may move in place of the piece that came from a square: the king must not be
/// attacked on the board on which that piece is there and the rival on the target.
fn rivals_of_chess(next: &Position, us: Color, from: Square, rivals: SquareSet) -> SquareSet {
    let Some(king) = next.king(us) else {
        return rivals;
    };
    let is_legal = |rival: &Square| {
        let occupied = (next.occupied() - (*rival).into()) | from.into();
        next.attackers_of(us.not(), king, occupied).is_empty()
    };
    rivals.iter().filter(is_legal).fold(SquareSet::EMPTY, |set, rival| set | rival.into())
}

#[cold]
fn rivals_of_variant(position: &Position, rules: &Rules, mv: Move, rivals: SquareSet) -> SquareSet {
    let selection = MoveSelection { legal: true, from: rivals, to: mv.to().into() };
    let mut legal = SquareSet::EMPTY;
    movegen::each(position, rules, selection, &mut |other| {
        if !other.is_castling() {
            legal |= other.from().into();
        }
    });
    legal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    /// Both ways to find the rivals of a move agree where both are right.
    #[test]
    fn rivals_are_those_of_move_generation() {
        let (mut with_rivals, mut illegal) = (0, 0);
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/1N3N2/8/r2N1K2/8/1N3N2/4r3 w - - 0 1",
            "7k/1q5b/8/Q2Q1Q2/2R1R3/Q3K1Qr/2R1R3/Q2Q1Q1b w - - 0 1",
            "k7/8/2n1n3/8/B2n3R/2n1n3/4q3/q6K b - - 0 1",
            "8/2K5/8/1QKQ4/8/1Q1Q4/4r2k/8 w - - 0 1",
            "8/3k4/8/8/1Q1Q4/8/1Q1q4/8 w - - 0 1",
        ] {
            let (mut position, rules) = fen::parse(text).unwrap();
            for ply in 0..120 {
                let moves = position.legal_moves(&rules);
                for &mv in moves.iter().filter(|mv| mv.is_plain()) {
                    let us = position.side();
                    let kind = position.kind_at(mv.from()).unwrap();
                    let reach = attacks::of(kind, us, mv.to(), position.occupied());
                    let rivals = (position.pieces(us, kind) & reach) - mv.from().into();
                    if kind != Kind::Pawn && !rivals.is_empty() {
                        let next = position.make(mv, &rules);
                        let found = rivals_of_chess(&next, us, mv.from(), rivals);
                        let expected = rivals_of_variant(&position, &rules, mv, rivals);
                        assert_eq!(found, expected, "{mv} in {position:?}");
                        with_rivals += 1;
                        illegal += usize::from(found != rivals);
                    }
                }
                let Some(mv) = moves.get((7 * ply + 3) % moves.len().max(1)) else {
                    break;
                };
                position = position.make(*mv, &rules);
            }
        }
        assert!(with_rivals > 1000 && illegal > 20, "{with_rivals}, {illegal}");
    }
}
