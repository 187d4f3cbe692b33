//! What executors return, and what the loop does with it.

use std::ops::ControlFlow;

use crate::machine::once::OnceResult;
use crate::machine::{Run, Stop};
use crate::op::{Pc, Register};

/// Stands for the register of the result where an instruction has none.
pub(super) struct NoDst;

/// Stands for the label where an instruction has none.
pub(super) struct NoLabel;

/// Where the loop goes on, or how it ends.
pub(super) type Next = ControlFlow<Result<bool, Stop>, Pc>;

/// What an executor returns for an instruction with or without a register for the result and with
/// or without a label: the types say which answers fit which instructions.
pub(super) trait Answer<Dst, Label> {
    fn next(self, run: &mut Run<'_, '_>, dst: Dst, label: Label, following: Pc) -> Next;
}

/// The instruction is done.
impl Answer<NoDst, NoLabel> for () {
    #[inline(always)]
    fn next(self, _: &mut Run<'_, '_>, _: NoDst, _: NoLabel, following: Pc) -> Next {
        Next::Continue(following)
    }
}

/// Whether the test holds.
impl Answer<NoDst, Pc> for bool {
    #[inline(always)]
    fn next(self, _: &mut Run<'_, '_>, _: NoDst, label: Pc, following: Pc) -> Next {
        Next::Continue(if self { following } else { label })
    }
}

/// The result.
impl Answer<Register, NoLabel> for u64 {
    #[inline(always)]
    fn next(self, run: &mut Run<'_, '_>, dst: Register, _: NoLabel, following: Pc) -> Next {
        run.state.registers[dst] = self;
        Next::Continue(following)
    }
}

/// The result, if there is one.
impl Answer<Register, Pc> for Option<u64> {
    #[inline(always)]
    fn next(self, run: &mut Run<'_, '_>, dst: Register, label: Pc, following: Pc) -> Next {
        Next::Continue(match self {
            Some(value) => {
                run.state.registers[dst] = value;
                following
            }
            None => label,
        })
    }
}

impl Answer<Register, Pc> for OnceResult {
    #[inline(always)]
    fn next(self, run: &mut Run<'_, '_>, dst: Register, label: Pc, following: Pc) -> Next {
        let value = match self {
            OnceResult::Match(value) => Some(value),
            OnceResult::Fail => None,
        };
        value.next(run, dst, label, following)
    }
}

/// The answer of a jump.
pub(super) struct Jumps;

impl Answer<NoDst, Pc> for Jumps {
    #[inline(always)]
    fn next(self, _: &mut Run<'_, '_>, _: NoDst, label: Pc, _: Pc) -> Next {
        Next::Continue(label)
    }
}

/// The answer of an instruction that goes on at a place of its own, or else at its label.
pub(super) struct GoesTo(pub(super) Option<Pc>);

impl Answer<NoDst, Pc> for GoesTo {
    #[inline(always)]
    fn next(self, _: &mut Run<'_, '_>, _: NoDst, label: Pc, _: Pc) -> Next {
        Next::Continue(self.0.unwrap_or(label))
    }
}

/// The answer of an instruction that ends the loop.
pub(super) struct Ends {
    pub(super) matched: bool,
}

impl Answer<NoDst, NoLabel> for Ends {
    #[inline(always)]
    fn next(self, _: &mut Run<'_, '_>, _: NoDst, _: NoLabel, _: Pc) -> Next {
        Next::Break(Ok(self.matched))
    }
}

/// An answer, unless the evaluation of the game has ended.
impl<Dst, Label, A: Answer<Dst, Label>> Answer<Dst, Label> for Result<A, Stop> {
    #[inline(always)]
    fn next(self, run: &mut Run<'_, '_>, dst: Dst, label: Label, following: Pc) -> Next {
        match self {
            Ok(answer) => answer.next(run, dst, label, following),
            Err(stop) => Next::Break(Err(stop)),
        }
    }
}
