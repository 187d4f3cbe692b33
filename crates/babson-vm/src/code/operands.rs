//! The roles of the operands of an instruction.

use crate::code::Code;
use crate::op::{
    ConsecutiveMovesSpec, DashSpec, FindSpec, GameListsSpec, Id, ImagesSpec, ImagineSpec, LineSpec,
    MoveSpec, OnceSpec, Op, PairsSpec, PathSpec, Register, RegisterOperand, StepsSpec, Table,
    TextSegment, op_table,
};
use crate::regex::Matcher;

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

macro_rules! stored {
    ($($entry:ty: $table:ident,)*) => {$(
        impl TableEntry for $entry {
            fn table(code: &Code) -> &Table<$entry> {
                &code.$table
            }
        }
    )*};
}

stored! {
    String: names,
    Box<[String]>: pipes,
    babson_lang::hir::Designator: designators,
    babson_lang::hir::Dictionary: dictionaries,
    babson_lang::hir::Recurrence: recurrences,
    crate::analysis::Pattern: patterns,
    crate::prefilter::Prefilter: prefilters,
    OnceSpec: once,
    ImagesSpec: images,
    MoveSpec: moves,
    ImagineSpec: imagined,
    TextSegment: parts,
    DashSpec: dashes,
    FindSpec: finds,
    LineSpec: lines,
    PathSpec: paths,
    ConsecutiveMovesSpec: runs,
    GameListsSpec: game_lists,
    StepsSpec: steps,
    PairsSpec: pairs,
    Matcher: regexes,
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
