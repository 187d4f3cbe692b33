//! Places in the code: labels during compilation, then program counters; and entry points.

use std::fmt;

/// A place in the code that may not be known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(u32);

/// A program counter: the number of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pc(u32);

impl Pc {
    #[inline(always)]
    pub(crate) fn new(index: usize) -> Pc {
        Pc(index as u32)
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The instruction after this one.
    #[inline(always)]
    pub(crate) fn next(self) -> Pc {
        Pc(self.0 + 1)
    }
}

impl fmt::Display for Pc {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

/// The labels of code that is being compiled, with the place of each bound one.
#[derive(Debug, Default)]
pub(crate) struct Labels(Vec<Option<Pc>>);

impl Labels {
    pub(crate) fn fresh(&mut self) -> Label {
        self.0.push(None);
        Label(self.0.len() as u32 - 1)
    }

    pub(crate) fn bind(&mut self, label: Label, pc: Pc) {
        self.0[label.0 as usize] = Some(pc);
    }

    /// The place of the label. No instruction jumps to an unbound label.
    pub(crate) fn get(&self, label: Label) -> Pc {
        self.0[label.0 as usize].unwrap_or(Pc(u32::MAX))
    }
}

/// The beginning of code that the machine runs up to a `return`, or of an image.
#[derive(Clone, Debug)]
pub(crate) struct EntryPoint {
    pub(crate) pc: Pc,
    /// What it is, for the disassembly.
    pub(crate) name: &'static str,
}
