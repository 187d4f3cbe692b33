//! Values that outlive the arena, and keys for lookups.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use babson_lang::hir::Type;

use super::hexadecimal;
use crate::code::SharingRule;
use crate::filters::text;

/// A string that outlives the arena. A short one, such as the name of a square, needs no heap
/// memory.
pub(in crate::machine) type Text = SmallVec<[u8; 24]>;

/// A value that owns its text. Loops over a dictionary visit the keys in the order of this type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(in crate::machine) enum Datum {
    Number(i32),
    Set(u64),
    Text(Text),
    Position(u32),
}

impl Datum {
    /// The value of a variable or an entry before anything is joined to it.
    pub(in crate::machine) fn zero(ty: Type) -> Datum {
        match ty {
            Type::String => Datum::Text(Text::new()),
            Type::Bool | Type::Number | Type::Set | Type::Position | Type::Piece => {
                Datum::of_word(0, ty)
            }
        }
    }

    /// The value that a word of a register stands for; not of a string.
    pub(in crate::machine) fn of_word(word: u64, ty: Type) -> Datum {
        match ty {
            Type::Set => Datum::Set(word),
            Type::Position => Datum::Position(word as u32),
            Type::Bool | Type::Number | Type::String | Type::Piece => {
                Datum::Number(word as u32 as i32)
            }
        }
    }

    /// The word of a register for the value; none for a string.
    pub(in crate::machine) fn word(&self) -> Option<u64> {
        match self {
            Datum::Number(number) => Some(u64::from(*number as u32)),
            Datum::Set(set) => Some(*set),
            Datum::Position(id) => Some(u64::from(*id)),
            Datum::Text(_) => None,
        }
    }

    /// Joins the value of a later part of the games, which began with [`Datum::zero`] or with none.
    pub(in crate::machine) fn join(&mut self, later: Datum, rule: SharingRule) {
        match (self, later) {
            (Datum::Number(old), Datum::Number(later)) => {
                *old = joined(rule, *old as u64, later as u64) as i32;
            }
            (Datum::Set(old), Datum::Set(later)) => *old = joined(rule, *old, later),
            (old, later) => *old = later,
        }
    }

    /// The value as the key of an entry.
    pub(super) fn key(&self) -> Key<'_> {
        match self {
            Datum::Number(number) => Key::Word(u64::from(*number as u32)),
            Datum::Set(set) => Key::Word(*set),
            Datum::Position(id) => Key::Word(u64::from(*id)),
            Datum::Text(text) => Key::of_text(text),
        }
    }
}

impl std::fmt::Display for Datum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Datum::Number(number) => write!(f, "{number}"),
            Datum::Set(set) => {
                let mut out = Vec::new();
                text::set(&mut out, babson_chess::SquareSet(*set));
                f.write_str(&String::from_utf8_lossy(&out))
            }
            Datum::Text(text) => write!(f, "\"{}\"", String::from_utf8_lossy(text)),
            Datum::Position(id) => write!(f, "{id}"),
        }
    }
}

/// The joined value of two parts of the games, the earlier one first, as words of registers.
pub(super) fn joined(rule: SharingRule, earlier: u64, later: u64) -> u64 {
    match rule {
        SharingRule::Fixed => earlier,
        SharingRule::Sum => u64::from((earlier as u32).wrapping_add(later as u32)),
        SharingRule::Union => earlier | later,
        SharingRule::Intersection => earlier & later,
        SharingRule::Min => u64::from((earlier as u32 as i32).min(later as u32 as i32) as u32),
        SharingRule::Max => u64::from((earlier as u32 as i32).max(later as u32 as i32) as u32),
        SharingRule::Last => later,
    }
}

/// A key for a lookup, which borrows its text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key<'t> {
    /// The word of a register. Also a text like `463b96181691fc9c`, as the number that it writes:
    /// most texts that are keys come from `zobristkey`.
    Word(u64),
    /// Any other text.
    Text(&'t [u8]),
}

impl<'t> Key<'t> {
    /// The key that a register holds, given the text arena.
    #[inline]
    pub(super) fn new(arena: &'t [u8], word: u64, ty: Type) -> Key<'t> {
        match ty {
            Type::String => Key::of_text(crate::packed::unpack_text(arena, word)),
            Type::Bool | Type::Number | Type::Set | Type::Position | Type::Piece => Key::Word(word),
        }
    }

    fn of_text(text: &'t [u8]) -> Key<'t> {
        hexadecimal::read(text).map_or(Key::Text(text), Key::Word)
    }
}

/// The value that a [`Key::Word`] was made from, given the type of the keys.
pub(super) fn of_key(word: u64, ty: Type) -> Datum {
    match ty {
        Type::String => Datum::Text(Text::from_slice(&hexadecimal::write(word))),
        Type::Bool | Type::Number | Type::Set | Type::Position | Type::Piece => {
            Datum::of_word(word, ty)
        }
    }
}
