//! Writing SAN.

use std::fmt::Write;

use crate::movegen::{self, MoveSelection};
use crate::{Kind, Move, Position, Rules, VariantEnd, attacks};

/// The SAN of a move with the least disambiguation and `+` or `#`; `--` for the null move, `N@f3`
/// for a drop. A move that wins by the rule of its
/// variant has `#`, as chess servers write it.
///
/// ```
/// use babson_chess::{fen, san, Move};
/// let (position, rules) = fen::parse("7k/8/8/8/8/8/6K1/R6R w - - 0 1").unwrap();
/// let mv = Move::normal("a1".parse().unwrap(), "f1".parse().unwrap());
/// assert_eq!(san::write(&position, &rules, mv), "Raf1+");
/// ```
pub fn write(position: &Position, rules: &Rules, mv: Move) -> String {
    let mut out = String::with_capacity(8);
    write_into(position, rules, mv, &mut out);
    out
}

/// [`write()`] that appends to a string.
pub fn write_into(position: &Position, rules: &Rules, mv: Move, out: &mut String) {
    write_between(position, &position.make(mv, rules), rules, mv, out);
}

/// [`write_into`] for a caller that has the position after the move.
pub fn write_between(
    position: &Position,
    next: &Position,
    rules: &Rules,
    mv: Move,
    out: &mut String,
) {
    if mv.is_null() {
        out.push_str("--");
        return;
    }
    if mv.is_castling() {
        out.push_str(if mv.is_king_side() { "O-O" } else { "O-O-O" });
    } else if mv.dropped().is_some() {
        let _ = write!(out, "{mv}");
    } else {
        write_plain(position, rules, mv, out);
    }
    if matches!(next.variant_end(rules), Some(VariantEnd::Win(_))) {
        out.push('#');
    } else if next.in_check() {
        out.push(if next.has_legal_move(rules) { '+' } else { '#' });
    }
}

fn write_plain(position: &Position, rules: &Rules, mv: Move, out: &mut String) {
    let (from, to) = (mv.from(), mv.to());
    let kind = position.kind_at(from).unwrap_or(Kind::Pawn);
    let captures = mv.is_en_passant() || position.occupied().contains(to);
    if kind == Kind::Pawn {
        if captures || from.file() != to.file() {
            out.push(from.file_char());
        }
    } else {
        out.push(kind.letter());
        // Other pieces of the kind that attack the target. There are seldom any; their moves must
        // be legal to matter.
        let reach = attacks::of(kind, position.side(), to, position.occupied());
        let rivals = (position.pieces(position.side(), kind) & reach) - from.into();
        let selection = MoveSelection { legal: true, from: rivals, to: to.into() };
        let (mut others, mut same_file, mut same_rank) = (false, false, false);
        if !rivals.is_empty() {
            movegen::each(position, rules, selection, &mut |other| {
                if !other.is_castling() {
                    others = true;
                    same_file |= other.from().file() == from.file();
                    same_rank |= other.from().rank() == from.rank();
                }
            });
        }
        if others && (!same_file || same_rank) {
            out.push(from.file_char());
        }
        if others && same_file {
            out.push(from.rank_char());
        }
    }
    if captures {
        out.push('x');
    }
    out.push(to.file_char());
    out.push(to.rank_char());
    if let Some(kind) = mv.promotion() {
        out.push('=');
        out.push(kind.letter());
    }
}
