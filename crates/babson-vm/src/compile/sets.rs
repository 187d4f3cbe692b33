//! Compiles filters that make a set of squares of other sets.

use babson_lang::hir::{Alignment, SetFilter};

use super::builder::Builder;
use crate::op::{Label, Op, Register};

impl Builder {
    /// Puts the set into the register. The filter has always a value, so the code does not jump to
    /// `fail`.
    pub(super) fn set_filter(&mut self, filter: &SetFilter, dst: Register, fail: Label) {
        match filter {
            SetFilter::Direction { directions, range, set } => {
                let from = self.operand(set, fail);
                let (min, max) = (self.bound(range.min), self.bound(range.max));
                self.emit(Op::Direction { dst, set: from, min, max, directions: *directions });
            }
            SetFilter::Aligned(alignment, sets) => {
                let base = self.temps(sets.len());
                for (index, set) in sets.iter().enumerate() {
                    self.set(set, base + index as u16);
                }
                let len = sets.len() as u16;
                self.emit(match *alignment {
                    Alignment::Ray { directions, attack, first } => {
                        Op::Ray { dst, sets: base, len, directions, attack, first }
                    }
                    Alignment::Pin(value) => Op::Pin { dst, sets: base, value },
                });
            }
        }
    }
}
