//! The squares that an instruction on an imagined board changes.

use super::define::{spec_enums, visit_operand};
use super::{Pc, Register};
use crate::code::{Operand, Operands};

spec_enums! {
    /// The squares of a change.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) enum Place {
        /// The squares of the set in a register.
        Set(set: Register),
        /// The square of the piece of a variable, which is bound.
        Piece(var: Register as var),
        /// The square of the piece of a loop variable. On the board of the loop, the square is in
        /// `current`. The register after `current` has the stamp of that board.
        LoopPiece { var: Register as var, current: Register as state(2) },
    }
}
