//! The squares that an instruction on an imagined board changes.

use super::Register;

/// The squares of a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    /// Those of the set in a register.
    Set(Register),
    /// That of the piece of a variable, which is bound.
    Piece(Register),
    /// The same for the variable of a loop around. On the board of the loop it is in `current`;
    /// the register after it has the stamp of that board.
    LoopPiece { var: Register, current: Register },
}
