//! The words that instructions work on.

use std::ops::{Index, IndexMut};

use super::arena::Arena;
use crate::op::Register;

/// The registers of a game's evaluation.
pub(super) struct Registers<'m>(&'m mut [u64]);

impl<'m> Registers<'m> {
    /// Makes `count` registers, all 0.
    pub(super) fn new(count: usize, arena: Arena<'m>) -> Registers<'m> {
        Registers(arena.slice(count, 0))
    }

    /// Sets several registers. The registers are looked up once, which the compiler cannot know of
    /// separate assignments.
    #[inline(always)]
    pub(super) fn set<const N: usize>(&mut self, words: [(Register, u64); N]) {
        let registers = &mut *self.0;
        for (register, word) in words {
            registers[register.index()] = word;
        }
    }

    /// The words of `count` registers from this one on.
    pub(super) fn run(&self, first: Register, count: usize) -> &[u64] {
        &self.0[first.index()..first.index() + count]
    }
}

impl Index<Register> for Registers<'_> {
    type Output = u64;

    #[inline(always)]
    fn index(&self, register: Register) -> &u64 {
        &self.0[register.index()]
    }
}

impl IndexMut<Register> for Registers<'_> {
    #[inline(always)]
    fn index_mut(&mut self, register: Register) -> &mut u64 {
        &mut self.0[register.index()]
    }
}
