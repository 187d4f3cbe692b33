//! Places in the code: labels while it is compiled, program counters afterwards, and entry points.

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

/// Labels of code that is being compiled, and where those that are bound stand.
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

    /// Where the label stands. One that was never bound is not jumped to.
    pub(crate) fn get(&self, label: Label) -> Pc {
        self.0[label.0 as usize].unwrap_or(Pc(u32::MAX))
    }
}

/// Where code begins that the machine runs up to its `return`, or an image of a transform.
#[derive(Clone, Debug)]
pub(crate) struct EntryPoint {
    pub(crate) pc: Pc,
    /// What it is, for the disassembly.
    pub(crate) name: &'static str,
}
