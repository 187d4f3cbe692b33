//! The squares that an instruction on an imagined board changes.

use super::define::{spec_enums, visit_operand};
use super::{Pc, Register};
use crate::code::{Operand, Operands};

spec_enums! {
    /// The squares of a change.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) enum Place {
        /// Those of the set in a register.
        Set(set: Register),
        /// That of the piece of a variable, which is bound.
        Piece(var: Register as var),
        /// The same for the variable of a loop around. On the board of the loop it is in `current`;
        /// the register after it has the stamp of that board.
        LoopPiece { var: Register as var, current: Register as state(2) },
    }
}
