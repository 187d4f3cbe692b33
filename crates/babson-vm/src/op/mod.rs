//! The bytecode.
//!
//! 'No match' is a jump: an instruction that can fail names the place where evaluation goes on.
//! Registers are words without tags; their types are known when the query is compiled:
//! numbers are `i32 as u32`, sets are bitboards, strings are packed (offset, length) pairs into
//! the text arena, positions are node ids, pieces are piece ids.
//!
//! All instructions are rows of [one table](table). [`Op`], its operands (`code::operands`), the
//! disassembly (`explain::disassembly`) and the loop of `machine::dispatch` are generated from it.

mod define;
mod location;
mod operand;
mod place;
mod register;
mod spec_table;
mod specs;
mod table;
mod tables;

use std::fmt;

use babson_chess::{Piece, SquareSet};
use babson_lang::hir::{
    Arithmetic, BinaryFilter, Color, ComparisonOperator, Condition, Content, Designator,
    Dictionary, Directions, PinValue, Property, Recurrence, Type, UnaryFilter, Update,
};

use crate::analysis::Pattern;
use crate::prefilter::Prefilter;
pub(crate) use location::{EntryPoint, Label, Labels, Pc};
pub(crate) use operand::{
    ContentBit, KeyOrAll, KeyOrBoard, MissingKey, RegexOperand, RegisterOperand, SquareMask,
    TextConstant,
};
pub(crate) use place::Place;
pub(crate) use register::{OptionalRegister, Register};
pub(crate) use spec_table::{Tables, spec_table};
pub(crate) use specs::*;
pub(crate) use table::op_table;
pub(crate) use tables::{Id, Table};

/// The type of an operand.
macro_rules! operand_type {
    ($L:ident dst) => { Register };
    ($L:ident src) => { Register };
    ($L:ident opt) => { OptionalRegister };
    ($L:ident state($count:expr)) => { Register };
    ($L:ident var) => { Register };
    ($L:ident label) => { $L };
    ($L:ident index($entry:ty)) => { Id<$entry> };
    ($L:ident first($entry:ty)) => { Id<$entry> };
    ($L:ident either($ty:ty)) => { $ty };
    ($L:ident imm($ty:ty)) => { $ty };
    ($L:ident flag) => { bool };
}

/// An operand after each label became another.
macro_rules! relabeled {
    ($field:ident label $f:ident) => {
        $f($field)
    };
    ($field:ident $role:ident $(($($argument:tt)*))? $f:ident) => {
        $field
    };
}

macro_rules! define_ops {
    ($($executor:ident {$(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $role:ident $(($($argument:tt)*))?),* $(,)? }
            = $function:ident $(($at:ident))?, $text:literal;
    )*})*) => {
        /// One instruction, 16 bytes. Its label is a [`Label`] while the query is compiled, and
        /// then a program counter.
        pub(crate) enum Op<L = Pc> {$($(
            $(#[$doc])*
            $name { $($field: operand_type!(L $role $(($($argument)*))?)),* },
        )*)*}

        impl<L: fmt::Debug + Copy> fmt::Debug for Op<L> {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {$($(
                    Op::$name { $($field),* } => {
                        let mut name = out.debug_struct(stringify!($name));
                        $(name.field(stringify!($field), &$field);)*
                        name.finish()
                    }
                )*)*}
            }
        }

        impl<L: Copy> Op<L> {
            /// The same instruction with other labels.
            pub(crate) fn relabel<M>(self, mut f: impl FnMut(L) -> M) -> Op<M> {
                // Most have none.
                let _ = &mut f;
                match self {$($(
                    Op::$name { $($field),* } => Op::$name {
                        $($field: relabeled!($field $role $(($($argument)*))? f)),*
                    },
                )*)*}
            }
        }
    };
}

op_table!(define_ops);

impl<L: Copy> Clone for Op<L> {
    fn clone(&self) -> Op<L> {
        *self
    }
}

impl<L: Copy> Copy for Op<L> {}

impl<L: Copy> Op<L> {
    /// Whether evaluation never goes on after the instruction.
    pub(crate) fn ends_block(self) -> bool {
        matches!(
            self,
            Op::Jump { .. } | Op::Return { .. } | Op::NextImage { .. } | Op::AssertFailed {}
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_compact() {
        assert_eq!(std::mem::size_of::<Op>(), 16);
    }
}
