//! The roles of the operands of an instruction.

use babson_chess::Piece;
use babson_lang::hir::{
    CastlingKind, Color, Content, Designator, Dictionary, MoveResult, MoveSource, Recurrence,
    SquarePairKind, Type,
};

use crate::analysis::Pattern;
use crate::code::Code;
use crate::images::Images;
use crate::op::{
    EntryPoint, Id, Op, OptionalRegister, Pc, Register, RegisterOperand, Table, TextConstant,
    op_table,
};
use crate::prefilter::Prefilter;

/// An operand by its role.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand<L> {
    Writes(Register),
    Reads(Register),
    /// Several registers from this one on, which are read and written.
    State(Register, u16),
    /// The register of a variable.
    Variable(Register),
    Label(L),
    /// An entry of a table, and how many entries that has.
    Index(usize, fn(&Code) -> usize),
    /// The first of several entries of a table, or its end if there are none, and how many entries
    /// the table has.
    First(usize, fn(&Code) -> usize),
    /// A string constant.
    Text(TextConstant),
    /// Neither a register nor a place.
    Immediate,
}

impl<L> Operand<L> {
    fn index<T: TableEntry>(id: Id<T>) -> Operand<L> {
        Operand::Index(id.index(), |code| T::table(code).len())
    }

    fn first<T: TableEntry>(id: Id<T>) -> Operand<L> {
        Operand::First(id.index(), |code| T::table(code).len())
    }

    fn either(operand: impl RegisterOperand) -> Operand<L> {
        operand.register().map_or(Operand::Immediate, Operand::Reads)
    }
}

/// An entry of a table of the program.
pub(crate) trait TableEntry: Sized {
    fn table(code: &Code) -> &Table<Self>;
}

impl TableEntry for EntryPoint {
    fn table(code: &Code) -> &Table<EntryPoint> {
        &code.entries
    }
}

/// What has operands as an instruction has them: an entry of a table, or a part of one.
pub(crate) trait Operands {
    /// Calls `visit` with each operand.
    fn for_each_operand(&self, visit: &mut dyn FnMut(Operand<Pc>));

    /// Whether each number that it has of its own parts is in its range.
    fn is_closed(&self) -> bool {
        true
    }
}

macro_rules! operands_of {
    ($([$($generics:tt)*] $ty:ty, $part:ident, $visit:ident => $body:expr;)*) => {$(
        impl<$($generics)*> Operands for $ty {
            fn for_each_operand(&self, $visit: &mut dyn FnMut(Operand<Pc>)) {
                let $part = self;
                $body
            }
        }
    )*};
}

operands_of! {
    [] Register, register, visit => visit(Operand::Reads(*register));
    [] OptionalRegister, register, visit => visit(Operand::either(*register));
    [] TextConstant, text, visit => visit(Operand::Text(*text));
    [] EntryPoint, entry, visit => visit(Operand::Label(entry.pc));
    [T: TableEntry] Id<T>, id, visit => visit(Operand::index(*id));
    [T: Operands] Option<T>, part, visit => part.iter().for_each(|part| part.for_each_operand(visit));
    [T: Operands] Vec<T>, parts, visit => parts.iter().for_each(|part| part.for_each_operand(visit));
    [T: Operands] [T; 2], parts, visit => parts.iter().for_each(|part| part.for_each_operand(visit));
    [A: Operands, B: Operands] (A, B), pair, visit => {
        pair.0.for_each_operand(visit);
        pair.1.for_each_operand(visit);
    };
}

macro_rules! without_operands {
    ($($ty:ty)*) => {$(
        impl Operands for $ty {
            fn for_each_operand(&self, _: &mut dyn FnMut(Operand<Pc>)) {}
        }
    )*};
}

without_operands! {
    bool u8 u16 u32 i32 u64 String Box<[String]> CastlingKind Color Content Designator Dictionary
    Images MoveResult MoveSource Piece Prefilter Recurrence SquarePairKind Type
}

impl Operands for Pattern {
    fn for_each_operand(&self, _: &mut dyn FnMut(Operand<Pc>)) {}

    fn is_closed(&self) -> bool {
        let has_content = |index: u8| usize::from(index) < self.contents.len();
        let mut shifted = self.shifted.iter();
        let mut single = self.single.iter().flatten();
        shifted.all(|group| {
            has_content(group.first) && group.rest.iter().all(|part| has_content(part.0))
        }) && single.all(|part| has_content(part.0))
    }
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

macro_rules! define_operands {
    ($($executor:ident {$(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $role:ident $(($($argument:tt)*))?),* $(,)? }
            = $function:ident $(($at:ident))?, $text:literal;
    )*})*) => {
        impl<L: Copy> Op<L> {
            /// Calls `visit` with each operand.
            pub(crate) fn for_each_operand(self, mut visit: impl FnMut(Operand<L>)) {
                match self {$($(
                    Op::$name { $($field),* } => {
                        $(visit(operand!($field $role $(($($argument)*))?));)*
                    }
                )*)*}
            }
        }
    };
}

op_table!(define_operands);

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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Pc;

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
