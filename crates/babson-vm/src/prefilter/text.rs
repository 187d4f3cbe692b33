//! Prefilters as text, in the terms of the language: `check, #Q > 1`.

use std::fmt;

use babson_chess::{Color, SquareSet};
use babson_lang::hir::{Content, Designator};

use super::squares::ContentMasks;
use super::{BoardSet, BoardTest, CountTest, Prefilter};
use crate::code::Code;
use crate::explain::{Disassemble, Disassembly};

impl Disassemble for Prefilter {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(code, out, &self.tests, ", ")
    }
}

impl Disassemble for BoardTest {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardTest::Check(true) => out.write_str("check"),
            BoardTest::Check(false) => out.write_str("not check"),
            BoardTest::SideToMove(Color::White) => out.write_str("wtm"),
            BoardTest::SideToMove(Color::Black) => out.write_str("btm"),
            BoardTest::Count { set, test } => count(out, Disassembly(code, set), *test),
            BoardTest::Compare { a, b, relation } => {
                let (a, relation, b) =
                    (Disassembly(code, a), Disassembly(code, relation), Disassembly(code, b));
                write!(out, "#{a} {relation} #{b}")
            }
            BoardTest::Attacks { from, to, least } => at_least(
                out,
                format_args!("{} attacks {}", Disassembly(code, from), Disassembly(code, to)),
                *least,
            ),
            BoardTest::Attacked { targets, by, least } => {
                let (targets, by) = (Disassembly(code, targets), Disassembly(code, by));
                at_least(out, format_args!("{targets} attackedby {by}"), *least)
            }
            BoardTest::Ray { sets, directions, slider } => {
                out.write_str(if *slider { "attack " } else { "" })?;
                write!(out, "ray {directions} (")?;
                separated(code, out, sets, " ")?;
                out.write_str(")")
            }
            BoardTest::Sum { terms, relation, value } => {
                for (number, (factor, set)) in terms.iter().enumerate() {
                    out.write_str(if number > 0 { " + " } else { "" })?;
                    match (set, *factor) {
                        (BoardSet::Constant(1), number) => write!(out, "{number}")?,
                        (set, 1) => write!(out, "#{}", Disassembly(code, set))?,
                        (set, factor) => write!(out, "{factor} * #{}", Disassembly(code, set))?,
                    }
                }
                write!(out, " {} {value}", Disassembly(code, relation))
            }
            BoardTest::Moves { least } => write!(out, "#moves >= {least}"),
            BoardTest::Pattern(board) => write!(out, "({})", Disassembly(code, &board.pattern)),
            BoardTest::Next(prefilter) => {
                out.write_str("--(")?;
                separated(code, out, &prefilter.tests, " ")?;
                out.write_str(")")
            }
            BoardTest::Any(prefilters) if prefilters.is_empty() => out.write_str("false"),
            BoardTest::Any(prefilters) => {
                for (number, prefilter) in prefilters.iter().enumerate() {
                    out.write_str(if number > 0 { " or " } else { "(" })?;
                    separated(code, out, &prefilter.tests, " and ")?;
                }
                out.write_str(")")
            }
        }
    }
}

impl Disassemble for BoardSet {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let designator =
            |content: u16, squares: u64| Designator { squares, content: Content(content) };
        match self {
            BoardSet::Constant(squares) => SquareSet(*squares).show(code, out),
            BoardSet::Piece { color, kind, squares } => {
                designator(1 << (6 * color.index() + kind.index()), *squares).show(code, out)
            }
            BoardSet::Kind { kind, squares } => {
                designator(0x41 << kind.index(), *squares).show(code, out)
            }
            BoardSet::Color { color: Color::White, squares } => {
                designator(Content::WHITE.0, *squares).show(code, out)
            }
            BoardSet::Color { color: Color::Black, squares } => {
                designator(Content::BLACK.0, *squares).show(code, out)
            }
            BoardSet::Occupied(squares) => {
                designator(Content::WHITE.0 | Content::BLACK.0, *squares).show(code, out)
            }
            // The kinds that count have the same squares.
            BoardSet::Kinds { color, masks } => {
                let kinds = content(masks, color.index());
                designator(kinds, masks.iter().fold(0, |all, mask| all | mask)).show(code, out)
            }
            BoardSet::Content(masks) => {
                let ContentMasks { colors: [white, black], empty, squares } = &**masks;
                let empty = if *empty != 0 { Content::EMPTY.0 } else { 0 };
                designator(content(white, 0) | content(black, 1) | empty, *squares).show(code, out)
            }
            BoardSet::PassedPawns => out.write_str("passedpawns"),
            BoardSet::And(sets) => {
                out.write_str("(")?;
                separated(code, out, &**sets, " & ")?;
                out.write_str(")")
            }
            BoardSet::Or(sets) => {
                out.write_str("(")?;
                separated(code, out, &**sets, " | ")?;
                out.write_str(")")
            }
        }
    }
}

/// The content of the kinds of a color whose masks are not empty.
fn content(masks: &[u64; 6], color: usize) -> u16 {
    let kinds = masks.iter().enumerate().filter(|(_, mask)| **mask != 0);
    kinds.fold(0, |content, (kind, _)| content | 1 << (6 * color + kind))
}

fn separated<T: Disassemble>(
    code: &Code,
    out: &mut fmt::Formatter<'_>,
    list: &[T],
    separator: &str,
) -> fmt::Result {
    for (number, item) in list.iter().enumerate() {
        out.write_str(if number > 0 { separator } else { "" })?;
        item.show(code, out)?;
    }
    Ok(())
}

fn count(
    out: &mut fmt::Formatter<'_>,
    set: Disassembly<'_, &BoardSet>,
    test: CountTest,
) -> fmt::Result {
    match test {
        CountTest::None => write!(out, "#{set} == 0"),
        CountTest::Some => write!(out, "#{set} > 0"),
        CountTest::One => write!(out, "#{set} == 1"),
        CountTest::Many => write!(out, "#{set} > 1"),
        CountTest::Other(relation, value) => {
            write!(out, "#{set} {} {value}", Disassembly(set.0, relation))
        }
    }
}

fn at_least(out: &mut fmt::Formatter<'_>, set: fmt::Arguments<'_>, least: u32) -> fmt::Result {
    match least {
        1 => out.write_fmt(set),
        _ => write!(out, "#({set}) >= {least}"),
    }
}
