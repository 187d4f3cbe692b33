//! The loop over instructions.
//!
//! The rows of the [op table](crate::op::op_table) name the module and the function that run an
//! instruction. The function gets the operands by their roles (for example the words of the
//! registers that it reads) and returns an [`Answer`]: the result, or whether a test holds. Only
//! the loop writes results to their registers and goes to labels.
//!
//! Short functions of instructions that every query runs often are inlined; the others stand beside
//! the loop, so that they cost it no registers. The loop is compiled a second time for processors
//! that count and find bits in one instruction. What is not inlined is compiled once.

mod answer;
mod board;
mod control;
mod effects;
mod iteration;
mod moves;
mod positions;
mod registers;
mod text;
mod variables;

use super::{Run, Stop};
use crate::op::{EntryPoint, Id, Op, Pc, Register, op_table};
use answer::{Answer, Next, NoDst, NoLabel};

/// Steps that an instruction takes which prints, grows a dictionary or reads the texts of a study.
pub(super) const SLOW_OP_STEPS: u64 = 20;

/// Runs one instruction: reads its operands by their roles, calls its function, handles the answer.
macro_rules! run_op {
    // The operands are read: statements, arguments, the register of the result, the label.
    ($run:ident $pc:ident $function:path, [$($at:ident)?]
        {$($read:tt)*} [$($argument:ident)*] ($dst:expr) ($label:expr)) => {{
        $($read)*
        let answer = $function($run, $(run_op!(@at $at $pc),)? $($argument),*);
        Answer::next(answer, $run, $dst, $label, $pc.next())
    }};
    (@at at $pc:ident) => { $pc };
    ($run:ident $pc:ident $function:path, [$($at:ident)?]
        {$($read:tt)*} [$($argument:ident)*] ($dst:expr) ($label:expr)
        $field:ident dst; $($rest:tt)*) => {
        run_op!($run $pc $function, [$($at)?]
            {$($read)*} [$($argument)*] ($field) ($label) $($rest)*)
    };
    ($run:ident $pc:ident $function:path, [$($at:ident)?]
        {$($read:tt)*} [$($argument:ident)*] ($dst:expr) ($label:expr)
        $field:ident label; $($rest:tt)*) => {
        run_op!($run $pc $function, [$($at)?]
            {$($read)*} [$($argument)*] ($dst) ($field) $($rest)*)
    };
    ($run:ident $pc:ident $function:path, [$($at:ident)?]
        {$($read:tt)*} [$($argument:ident)*] ($dst:expr) ($label:expr)
        $field:ident src; $($rest:tt)*) => {
        run_op!($run $pc $function, [$($at)?]
            {$($read)* let $field = $run.state.registers[$field];}
            [$($argument)* $field] ($dst) ($label) $($rest)*)
    };
    ($run:ident $pc:ident $function:path, [$($at:ident)?]
        {$($read:tt)*} [$($argument:ident)*] ($dst:expr) ($label:expr)
        $field:ident opt; $($rest:tt)*) => {
        run_op!($run $pc $function, [$($at)?]
            {$($read)* let $field = $run.optional($field);}
            [$($argument)* $field] ($dst) ($label) $($rest)*)
    };
    ($run:ident $pc:ident $function:path, [$($at:ident)?]
        {$($read:tt)*} [$($argument:ident)*] ($dst:expr) ($label:expr)
        $field:ident $role:ident $(($($of:tt)*))?; $($rest:tt)*) => {
        run_op!($run $pc $function, [$($at)?]
            {$($read)*} [$($argument)* $field] ($dst) ($label) $($rest)*)
    };
}

macro_rules! define_loop {
    ($($executor:ident {$(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $role:ident $(($($of:tt)*))?),* $(,)? }
            = $function:ident $(($at:ident))?, $text:literal;
    )*})*) => {
        impl Run<'_, '_> {
            /// The body of [`Run::execute`], which is compiled for two kinds of processors.
            #[inline(always)]
            fn execute_loop(&mut self, entry: Pc) -> Result<bool, Stop> {
                let program = self.program;
                let ops = &program.code.ops[..];
                let mut pc = entry;
                loop {
                    match ops[pc.index()] {$($(
                        // Each arm matches its own answer: where no answer ends the loop, the
                        // compiler leaves the test for it out.
                        Op::$name { $($field),* } => match run_op!(
                            self pc $executor::$function, [$($at)?] {} [] (NoDst) (NoLabel)
                            $($field $role $(($($of)*))?;)*
                        ) {
                            Next::Continue(next) => pc = next,
                            Next::Break(result) => return result,
                        },
                    )*)*}
                }
            }
        }
    };
}

op_table!(define_loop);

impl Run<'_, '_> {
    /// Runs the code from `entry` on to the next `return`; whether it matched.
    pub(super) fn execute(&mut self, entry: Pc) -> Result<bool, Stop> {
        self.processor.dispatch(
            #[inline(always)]
            || self.execute_loop(entry),
        )
    }

    /// Runs the code of a filter on behalf of an instruction; whether it matched.
    #[inline]
    pub(super) fn call(&mut self, entry: Id<EntryPoint>) -> Result<bool, Stop> {
        self.execute(self.program.code.entries[entry].pc)
    }

    #[cold]
    fn unbound<T>(&mut self, at: Pc, var: Register) -> Result<T, Stop> {
        let name = &self.program.code.vars[var.index()].name;
        let message = format!("the variable {name} is unbound");
        self.stop(at, "variable", message, false)
    }
}
