//! What the table says of a plain filter besides its name: its types, its effects and cost, and how
//! CQL 6.2 differs.

use crate::dialect::DialectSwitch;
use crate::hir::{Constancy, Traits, Type};

/// The row of a plain filter. Nothing in it depends on the operands.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// The type of its operands, if it has any. `pieceid` also takes a piece.
    pub operands: Option<Type>,
    /// The type of its value. A condition has type Boolean.
    pub ty: Type,
    /// What it does besides.
    pub traits: Traits,
}

/// A filter of the board or the context.
pub(super) const fn filter(ty: Type, cost: u32) -> Signature {
    Signature { operands: None, ty, traits: Traits::of_filter(cost) }
}

/// A filter without a value.
pub(super) const fn condition(cost: u32) -> Signature {
    filter(Type::Bool, cost)
}

/// A text or a number of the tags.
pub(super) const fn of_tags(ty: Type) -> Signature {
    filter(ty, 200).lasts(Constancy::Tags)
}

/// A function of its operands alone.
pub(super) const fn function(operands: Type, ty: Type) -> Signature {
    filter(ty, 2).of(operands).lasts(Constancy::Query).anywhere()
}

/// A function of two operands alone.
pub(super) const fn function_of_two(operands: Type, ty: Type) -> Signature {
    filter(ty, 20).of(operands).lasts(Constancy::Query).anywhere()
}

impl Signature {
    pub(super) const fn of(mut self, operands: Type) -> Signature {
        self.operands = Some(operands);
        self
    }
}

/// The methods of [`Traits`] that rows use.
macro_rules! traits_of_rows {
    ($($method:ident($($argument:ident: $ty:ty)?);)*) => {
        impl Signature {
            $(pub(super) const fn $method(mut self $(, $argument: $ty)?) -> Signature {
                self.traits = self.traits.$method($($argument)?);
                self
            })*
        }
    };
}

traits_of_rows! {
    lasts(constancy: Constancy);
    in_tree();
    may_fail();
    changes_state();
    with_comments();
    anywhere();
    always();
    differs(switch: DialectSwitch);
    opens(filter: &'static str);
}
