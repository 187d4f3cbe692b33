//! Instructions as text: `r1 = [BN]`, `if !(r1 attacks k) goto 7`.

use std::fmt;

use babson_chess::{Color, Kind, Piece, Square, SquareSet};
use babson_lang::hir::{
    Arithmetic, BinaryFilter, ComparisonOperator, Condition, Content, Designator, Dictionary,
    Directions, PinValue, Property, Recurrence, Type, UnaryFilter, Update,
};

use crate::analysis::Pattern;
use crate::code::{Code, TableEntry};
use crate::op::*;
use crate::packed::unpack_text;
use crate::prefilter::Prefilter;

/// An operand, formatted for the text of its row.
macro_rules! shown {
    ($code:ident $field:ident label) => {
        $field
    };
    ($code:ident $field:ident first($entry:ty)) => {
        $field
    };
    ($code:ident $field:ident either(KeyOrBoard)) => {
        Key($code, $field, "board")
    };
    ($code:ident $field:ident either(KeyOrAll)) => {
        Key($code, $field, "all keys")
    };
    ($code:ident $field:ident flag) => {
        Flag { name: stringify!($field), is_set: $field }
    };
    ($code:ident $field:ident $role:ident $(($($of:tt)*))?) => {
        Disassembly($code, $field)
    };
}

macro_rules! define_disassembly {
    ($($executor:ident {$(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $role:ident $(($($of:tt)*))?),* $(,)? }
            = $function:ident $(($at:ident))?, $text:literal;
    )*})*) => {
        impl Op {
            /// The instruction as text, by its row of the table.
            pub(crate) fn disassembly(self, code: &Code) -> String {
                // Instructions without operands do not use it.
                let _ = code;
                match self {$($(
                    Op::$name { $($field),* } => {
                        format!($text, $($field = shown!(code $field $role $(($($of)*))?)),*)
                    }
                )*)*}
            }
        }
    };
}

op_table!(define_disassembly);

/// A property: its name after a space if it is set.
struct Flag {
    name: &'static str,
    is_set: bool,
}

impl fmt::Display for Flag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_set { write!(out, " {}", self.name.replace('_', " ")) } else { Ok(()) }
    }
}

/// A key of a dictionary, and its name if it is not in a register.
struct Key<'c>(&'c Code, OptionalRegister, &'static str);

impl fmt::Display for Key<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1.get() {
            Some(register) => register.show(self.0, out),
            None => out.write_str(self.2),
        }
    }
}

/// What has a text, given the tables that it refers to.
pub(crate) trait Disassemble {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// An operand or an entry of a table, with the code that it belongs to.
pub(crate) struct Disassembly<'c, T>(pub(crate) &'c Code, pub(crate) T);

impl<T: Disassemble> fmt::Display for Disassembly<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.show(self.0, out)
    }
}

macro_rules! show_as_displayed {
    ($($ty:ty)*) => {$(
        impl Disassemble for $ty {
            fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, out)
            }
        }
    )*};
}

show_as_displayed! { u8 u16 u32 u64 i32 Content Directions }

/// Shows names of variants as CQL spells them: `PassedPawns` as `passedpawns`, `Elo(Some(White))`
/// as `elo white`.
macro_rules! show_as_named {
    ($($ty:ty)*) => {$(
        impl Disassemble for $ty {
            fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                let name = format!("{self:?}").to_lowercase().replace("(none)", "");
                let name = name.replace("some(", "").replace(['(', '{', ','], " ");
                let words: Vec<&str> =
                    name.split([' ', ')', '}']).filter(|word| !word.is_empty()).collect();
                out.write_str(&words.join(" "))
            }
        }
    )*};
}

/// Shows plain filters as the table of filters writes them.
macro_rules! show_as_written {
    ($($ty:ty)*) => {$(
        impl Disassemble for $ty {
            fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.name())
            }
        }
    )*};
}

show_as_written! { UnaryFilter BinaryFilter }

show_as_named! { Condition Property PinValue MissingKey Type }

impl Disassemble for Register {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match code.vars.get(self.index()) {
            Some(var) => out.write_str(&var.name),
            None => write!(out, "{self}"),
        }
    }
}

impl<T: Disassemble> Disassemble for &T {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).show(code, out)
    }
}

impl Disassemble for OptionalRegister {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(register) => register.show(code, out),
            None => out.write_str("none"),
        }
    }
}

/// The condition under which a position is entered, after a space if there is one.
impl Disassemble for Option<Id<Prefilter>> {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Some(prefilter) => write!(out, " with prefilter ({})", Disassembly(code, prefilter)),
            None => Ok(()),
        }
    }
}

/// The content that an imagined board gets on a square.
impl Disassemble for Option<Piece> {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Some(piece) => piece.show(code, out),
            None => Content::EMPTY.show(code, out),
        }
    }
}

/// The side that moves on an imagined board.
impl Disassemble for Option<Color> {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Some(side) => side.show(code, out),
            None => out.write_str("other side"),
        }
    }
}

/// The operator of an assignment.
impl Disassemble for Option<Update> {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Some(update) => update.show(code, out),
            None => out.write_str("="),
        }
    }
}

impl Disassemble for SquareSet {
    fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == u64::MAX {
            return out.write_str(".");
        }
        let files = (0..8).filter(|&file| self.0 & 0x0101_0101_0101_0101 << file != 0);
        let ranks = (0..8).filter(|&rank| self.0 >> (8 * rank) & 0xff != 0);
        if let (Some(files), Some(ranks)) = (span(files), span(ranks)) {
            let is_inside = |square: &Square| {
                let index = square.index() as u32;
                (files.0..=files.1).contains(&(index % 8))
                    && (ranks.0..=ranks.1).contains(&(index / 8))
            };
            let all = (0..64).map(Square::from_index).filter(is_inside);
            if all.into_iter().all(|square| self.contains(square)) {
                ends(out, b'a', files)?;
                return ends(out, b'1', ranks);
            }
        }
        let names: Vec<String> = self.iter().map(|square| square.to_string()).collect();
        write!(out, "[{}]", names.join(","))
    }
}

/// The least and the greatest of them.
fn span(mut values: impl Iterator<Item = u32>) -> Option<(u32, u32)> {
    let first = values.next()?;
    Some((first, values.last().unwrap_or(first)))
}

/// `a-c`, `1-3`, `d`
fn ends(out: &mut fmt::Formatter<'_>, zero: u8, (first, last): (u32, u32)) -> fmt::Result {
    let name = |value: u32| char::from(zero + value as u8);
    match first == last {
        true => write!(out, "{}", name(first)),
        false => write!(out, "{}-{}", name(first), name(last)),
    }
}

impl Disassemble for SquareMask {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == u64::MAX { Ok(()) } else { SquareSet(self.0).show(code, out) }
    }
}

impl Disassemble for ContentBit {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Content(1 << self.0).show(code, out)
    }
}

impl Disassemble for Piece {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = Kind::ALL.iter().position(|&kind| kind == self.kind).unwrap_or(0) as u8;
        ContentBit(if self.color == Color::White { kind } else { kind + 6 }).show(code, out)
    }
}

impl Disassemble for Color {
    fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

impl Disassemble for TextConstant {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = unpack_text(&code.text, self.0);
        write!(out, "{:?}", String::from_utf8_lossy(text))
    }
}

impl Disassemble for RegexOperand {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegexOperand::Literal(number) => {
                let text = code.regex_texts.get(usize::from(*number));
                write!(out, "{:?}", String::from_utf8_lossy(text.map_or(&[], |text| text)))
            }
            RegexOperand::Register(register) => register.show(code, out),
        }
    }
}

impl Disassemble for Place {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Set(register) => register.show(code, out),
            Place::Piece(var) | Place::LoopPiece { var, .. } => {
                out.write_str("square of ")?;
                var.show(code, out)
            }
        }
    }
}

impl Disassemble for ComparisonOperator {
    fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl Disassemble for Arithmetic {
    fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl Disassemble for Update {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Update::Number(op) => {
                op.show(code, out)?;
                out.write_str("=")
            }
            Update::Append => out.write_str("+="),
            Update::Union => out.write_str("|="),
            Update::Intersection => out.write_str("&="),
        }
    }
}

/// Shows an entry of a table in place of its number, or its number if the table is printed after
/// the code.
macro_rules! show_id {
    ($id:ident $Entry:ty, $code:ident $out:ident inline) => {
        <$Entry>::table($code).get($id.index()).map_or(Ok(()), |entry| entry.show($code, $out))
    };
    ($id:ident $Entry:ty, $code:ident $out:ident listed) => {
        fmt::Display::fmt($id, $out)
    };
}

macro_rules! show_ids {
    ($($(#[$doc:meta])* $table:ident: $Entry:ty, $shown:ident $noun:literal;)*) => {$(
        impl Disassemble for Id<$Entry> {
            #[allow(unused_variables, reason = "a number does not need the code")]
            fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                let id = self;
                show_id!(id $Entry, code out $shown)
            }
        }
    )*};
}

spec_table!(show_ids);
