//! Conditions on games as text, in the terms of the language.

use std::fmt;

use babson_chess::SquareSet;
use babson_lang::hir::{CastlingKind, Content, Designator};
use babson_pgn::GameFlags;

use super::counts::MoveCondition;
use super::{GameGuard, GameSet, GameTest, SumTest};
use crate::code::Code;
use crate::explain::{Disassemble, Disassembly};

impl GameGuard {
    /// Writes the texts of the conditions, for which the code is needed.
    pub(crate) fn describe(&mut self, code: &Code) {
        let text = |test| Disassembly(code, test).to_string();
        self.texts = self.tests.iter().map(text).collect();
    }
}

/// The flags that conditions test, by their names.
const FLAGS: [(GameFlags, &str); 15] = [
    (GameFlags::MATE, "mate"),
    (GameFlags::STALEMATE, "stalemate"),
    (GameFlags::CHECK, "check"),
    (GameFlags::KING_SIDE_CASTLING, "o-o"),
    (GameFlags::QUEEN_SIDE_CASTLING, "o-o-o"),
    (GameFlags::EN_PASSANT, "enpassant"),
    (GameFlags::KNIGHT_PROMOTION, "promote N"),
    (GameFlags::BISHOP_PROMOTION, "promote B"),
    (GameFlags::ROOK_PROMOTION, "promote R"),
    (GameFlags::QUEEN_PROMOTION, "promote Q"),
    (GameFlags::ODD_MOVE, "odd move"),
    (GameFlags::VARIATIONS, "variation"),
    (GameFlags::GLYPHS, "glyph"),
    (GameFlags::VARIANT, "variant"),
    (GameFlags::ODD_RATINGS, "odd ratings"),
];

impl Disassemble for GameTest {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameTest::Flags(flags) if flags.0 == 0 => out.write_str("false"),
            GameTest::Flags(flags) => {
                let named = FLAGS.iter().filter(|(flag, _)| flags.has(*flag));
                separated(out, " or ", named.map(|(_, name)| *name))
            }
            GameTest::Some(set) => set.show(code, out),
            GameTest::Covers(set, squares) => {
                write!(out, "{} on all of ", Disassembly(code, set))?;
                SquareSet(*squares).show(code, out)
            }
            GameTest::Sum(sum) => sum.show(code, out),
            GameTest::Balance { factor, relation, value } => {
                match factor {
                    1 => out.write_str("balance")?,
                    factor => write!(out, "{factor} * balance")?,
                }
                write!(out, " {} {value}", Disassembly(code, relation))
            }
            GameTest::Attacks { from, to, least } => {
                let (from, to) = (Disassembly(code, from), Disassembly(code, to));
                at_least(out, format_args!("{from} attacks {to}"), *least)
            }
            GameTest::Attacked { targets, by, least } => {
                let (targets, by) = (Disassembly(code, targets), Disassembly(code, by));
                at_least(out, format_args!("{targets} attackedby {by}"), *least)
            }
            GameTest::Ray { sets, directions, slider } => {
                out.write_str(if *slider { "attack " } else { "" })?;
                write!(out, "ray {directions} (")?;
                separated(out, " ", sets.iter().map(|set| Disassembly(code, set)))?;
                out.write_str(")")
            }
            GameTest::Tag { text, .. } => out.write_str(text),
            GameTest::Pattern(pattern) => write!(out, "({})", Disassembly(code, &**pattern)),
            GameTest::Plies { least, .. } => write!(out, "ply >= {least}"),
            GameTest::Checks(least) => write!(out, "find {least} check"),
            GameTest::CheckSequence(mask) => show_checks(*mask, out),
            GameTest::Moves { test, least } => {
                write!(out, "find {least} {}", Disassembly(code, &**test))
            }
            GameTest::Any(lists) => {
                out.write_str("(")?;
                for (number, list) in lists.iter().enumerate() {
                    out.write_str(if number > 0 { " or " } else { "" })?;
                    separated(out, " and ", list.iter().map(|test| Disassembly(code, test)))?;
                }
                out.write_str(")")
            }
        }
    }
}

impl Disassemble for SumTest {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (factor, set)) in self.terms.iter().enumerate() {
            let set = Disassembly(code, set);
            let sign = match (number, *factor < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            match factor.unsigned_abs() {
                1 => write!(out, "{sign}#{set}")?,
                factor => write!(out, "{sign}{factor} * #{set}")?,
            }
        }
        write!(out, " {} {}", Disassembly(code, &self.relation), self.value)
    }
}

/// The checks in consecutive positions of the main line, a bit for each.
fn show_checks(mask: u64, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    out.write_str("line")?;
    let (mut at, end) = (0, 64 - mask.leading_zeros());
    while at < end {
        let rest = mask >> at;
        let (word, run) = match rest & 1 {
            0 => (" --> true", rest.trailing_zeros()),
            _ => (" --> check", rest.trailing_ones()),
        };
        out.write_str(word)?;
        if run > 1 {
            write!(out, "{{{run}}}")?;
        }
        at += run;
    }
    Ok(())
}

impl Disassemble for MoveCondition {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("move")?;
        let sets = [("from", &self.from), ("to", &self.to), ("capture", &self.capture)];
        for (word, set) in sets {
            let Some(set) = set else { continue };
            write!(out, " {word} ")?;
            match set.constant {
                true => SquareSet(set.empty).show(code, out)?,
                false => set.show(code, out)?,
            }
        }
        if let Some(kinds) = self.promote {
            let named = "PNBRQK".chars().zip(0..).filter(|(_, kind)| kinds >> kind & 1 != 0);
            let names: String = named.map(|(name, _)| name).collect();
            match kinds.count_ones() {
                1 => write!(out, " promote {names}")?,
                _ => write!(out, " promote [{names}]")?,
            }
        }
        out.write_str(match self.castle {
            None => "",
            Some(CastlingKind::KingSide) => " o-o",
            Some(CastlingKind::QueenSide) => " o-o-o",
            Some(CastlingKind::Either) => " castle",
        })?;
        out.write_str(if self.en_passant { " enpassant" } else { "" })
    }
}

impl Disassemble for GameSet {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts();
        let text = |&(content, squares): &(u16, u64)| {
            let designator = Designator { squares, content: Content(content) };
            Disassembly(code, designator).to_string()
        };
        match &parts[..] {
            [] => out.write_str("[]"),
            [part] => out.write_str(&text(part)),
            parts => {
                out.write_str("(")?;
                separated(out, " | ", parts.iter().map(text))?;
                out.write_str(")")
            }
        }
    }
}

fn separated<T: fmt::Display>(
    out: &mut fmt::Formatter<'_>,
    separator: &str,
    list: impl Iterator<Item = T>,
) -> fmt::Result {
    for (number, item) in list.enumerate() {
        out.write_str(if number > 0 { separator } else { "" })?;
        item.fmt(out)?;
    }
    Ok(())
}

fn at_least(out: &mut fmt::Formatter<'_>, set: fmt::Arguments<'_>, least: u32) -> fmt::Result {
    match least {
        1 => out.write_fmt(set),
        _ => write!(out, "#({set}) >= {least}"),
    }
}
