//! Registers.

use std::fmt;
use std::ops::Add;

use babson_lang::hir::VarId;

/// A register, by its number. The first ones are the query's variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Register(u16);

impl Register {
    pub(crate) const FIRST: Register = Register(0);

    /// How many there may be: one number stands for no register.
    pub(crate) const COUNT: usize = OptionalRegister::NONE.0 as usize;

    /// Returns the register of this number, or none if the number is too large.
    pub(crate) fn new(number: usize) -> Option<Register> {
        (number < Register::COUNT).then_some(Register(number as u16))
    }

    /// The register of a variable. There are fewer variables than registers.
    pub(crate) fn of_var(var: VarId) -> Register {
        Register(var.0 as u16)
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A register that follows another one. A query that needs more registers than there are is refused
/// after it is compiled. Until then the last register stands for those beyond it.
impl Add<u16> for Register {
    type Output = Register;

    #[inline(always)]
    fn add(self, distance: u16) -> Register {
        Register(self.0.saturating_add(distance))
    }
}

impl fmt::Display for Register {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "r{}", self.0)
    }
}

/// A register or nothing, in two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OptionalRegister(u16);

impl OptionalRegister {
    pub(crate) const NONE: OptionalRegister = OptionalRegister(u16::MAX);

    #[inline(always)]
    pub(crate) fn get(self) -> Option<Register> {
        (self != OptionalRegister::NONE).then_some(Register(self.0))
    }

    pub(crate) fn is_some(self) -> bool {
        self.get().is_some()
    }

    pub(crate) fn is_none(self) -> bool {
        self.get().is_none()
    }
}

impl From<Register> for OptionalRegister {
    fn from(register: Register) -> OptionalRegister {
        OptionalRegister(register.0)
    }
}
