//! The bytecode.
//!
//! 'No match' is a jump: an instruction that can fail names the place where evaluation goes on.
//! Registers are words without tags; their types are known when the query is compiled:
//! numbers are `i32 as u32`, sets are bitboards, strings are packed (offset, length) pairs into
//! the text arena, positions are node ids, pieces are piece ids.
//!
//! All instructions are rows of [one table](table). [`Op`] and its
//! [operands](Op::for_each_operand), the [disassembly](disassembly) and the loop of
//! `machine::dispatch` are generated from it.

mod disassembly;
mod entries;
mod location;
mod operand;
mod place;
mod register;
mod table;
mod tables;

use std::fmt;

use babson_chess::{Piece, SquareSet};
use babson_lang::hir::{
    Arithmetic, BinaryFilter, Color, ComparisonOperator, Condition, Content, Designator,
    Dictionary, Directions, PinValue, Quantity, Recurrence, Type, UnaryFilter, Update,
};

use crate::analysis::Pattern;
use crate::code::{
    ConsecutiveMovesSpec, DashSpec, GameListsSpec, ImagesSpec, ImagineSpec, LineSpec, MoveSpec,
    OnceSpec, PairsSpec, PathSpec, StepsSpec, TextPart,
};
use crate::prefilter::Prefilter;
pub(crate) use disassembly::{Disassemble, Disassembly};
pub(crate) use location::{EntryPoint, Label, Labels, Pc};
pub(crate) use operand::{
    ContentBit, KeyOrAll, KeyOrBoard, MissingKey, Operand, RegexOperand, SquareMask, TableEntry,
    TextConstant,
};
pub(crate) use place::Place;
pub(crate) use register::{OptionalRegister, Register};
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

/// The role of an operand.
macro_rules! operand {
    ($field:ident dst) => {
        Operand::Writes($field)
    };
    ($field:ident src) => {
        Operand::Reads($field)
    };
    ($field:ident opt) => {
        Operand::either($field)
    };
    ($field:ident state($count:expr)) => {{
        let count: u16 = $count;
        Operand::State($field, count)
    }};
    ($field:ident var) => {
        Operand::Variable($field)
    };
    ($field:ident label) => {
        Operand::Label($field)
    };
    ($field:ident index($entry:ty)) => {
        Operand::index($field)
    };
    ($field:ident first($entry:ty)) => {
        Operand::first($field)
    };
    ($field:ident either($ty:ty)) => {
        Operand::either($field)
    };
    ($field:ident imm($ty:ty)) => {{
        let _ = $field;
        Operand::Immediate
    }};
    ($field:ident flag) => {{
        let _ = $field;
        Operand::Immediate
    }};
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
            /// Calls `visit` with each operand.
            pub(crate) fn for_each_operand(self, mut visit: impl FnMut(Operand<L>)) {
                match self {$($(
                    Op::$name { $($field),* } => {
                        $(visit(operand!($field $role $(($($argument)*))?));)*
                    }
                )*)*}
            }

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
    /// The instruction where evaluation may continue, if not at the next one.
    pub(crate) fn label(self) -> Option<L> {
        let mut found = None;
        self.for_each_operand(|operand| {
            if let Operand::Label(label) = operand {
                found = Some(label);
            }
        });
        found
    }

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

    #[test]
    fn operands_have_roles() {
        let designators = Id::new(7);
        let op = Op::TestDesignatorAttacks { a: designators, b: designators, fail: Pc::new(3) };
        let mut roles = Vec::new();
        op.for_each_operand(|operand| roles.push(format!("{operand:?}")));
        assert_eq!(roles.len(), 3);
        assert_eq!(op.label(), Some(Pc::new(3)));
        assert_eq!(op.relabel(Pc::next).label(), Some(Pc::new(4)));
    }
}
