//! What holds for all code: its operands are there.

use super::Code;
use crate::op::{Op, Operand};

/// The first instruction with an operand that is not there: a register or variable beyond those
/// that the code has, a place or an entry of a table beyond the end.
pub(super) fn fault(code: &Code) -> Option<String> {
    let mut faults = code.ops.iter().enumerate().filter(|(_, op)| !is_valid(**op, code));
    faults.next().map(|(at, op)| format!("instruction {at}: {op:?}"))
}

fn is_valid(op: Op, code: &Code) -> bool {
    let mut valid = true;
    op.for_each_operand(|operand| {
        valid &= match operand {
            Operand::Writes(register) | Operand::Reads(register) => {
                register.index() < code.registers
            }
            Operand::State(first, count) => first.index() + usize::from(count) <= code.registers,
            Operand::Variable(var) => var.index() < code.vars.len(),
            Operand::Label(label) => label.index() < code.ops.len(),
            Operand::Index(index, len) => index < len(code),
            Operand::First(index, len) => index <= len(code),
            Operand::Immediate => true,
        };
    });
    valid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{Pc, Register};

    #[test]
    fn operands_beyond_the_end_are_found() {
        let query = babson_lang::analyze("check", babson_lang::Dialect::CQLI);
        let query = query.expect("the query is sound").query;
        let mut code = crate::compile::compile(&query, babson_lang::Dialect::CQLI, false)
            .expect("the query is small");
        assert_eq!(fault(&code), None);
        let beyond = Pc::new(code.ops.len());
        code.ops.push(Op::Check { fail: beyond.next() });
        assert!(fault(&code).is_some_and(|fault| fault.contains("Check")));
        code.ops.pop();
        code.registers = 0;
        code.ops.push(Op::Copy { dst: Register::FIRST, src: Register::FIRST });
        assert!(fault(&code).is_some_and(|fault| fault.contains("Copy")));
    }
}
