//! What holds for all code: every register, label and number of an entry that an instruction or a
//! table has is in its range.

use crate::code::{Code, Operand, Operands};
use crate::op::{Pc, Register, spec_table};
use crate::packed::text_range;

macro_rules! define_fault_in_tables {
    ($($(#[$doc:meta])* $table:ident: $Entry:ty, $shown:ident $noun:literal;)*) => {
        fn fault_in_tables(code: &Code) -> Option<String> {
            let faults = [$(fault_in_table($noun, code, &code.$table)),*];
            faults.into_iter().flatten().next()
        }
    };
}

spec_table!(define_fault_in_tables);

fn fault_in_table<T: Operands>(noun: &str, code: &Code, entries: &[T]) -> Option<String> {
    let is_valid = |entry: &T| {
        let mut valid = entry.is_closed();
        entry.for_each_operand(&mut |operand| valid &= code.has(operand));
        valid
    };
    let index = entries.iter().position(|entry| !is_valid(entry))?;
    Some(format!("{noun} {index}"))
}

/// The first instruction or entry of a table that names something beyond the end.
pub(super) fn fault(code: &Code) -> Option<String> {
    let at = code.ops.iter().position(|op| {
        let mut valid = true;
        op.for_each_operand(|operand| valid &= code.has(operand));
        !valid
    });
    if let Some(at) = at {
        return Some(format!("instruction {at}: {:?}", code.ops[at]));
    }
    let required = [code.tags_required, code.game_required, code.begin, code.end];
    if !required.into_iter().flatten().all(|entry| entry.index() < code.entries.len()) {
        return Some("an entry point".to_owned());
    }
    if !code.atomics.iter().all(|var| code.has_variable(*var)) {
        return Some("an atomic variable".to_owned());
    }
    fault_in_table("entry point", code, &code.entries).or_else(|| fault_in_tables(code))
}

impl Code {
    fn has(&self, operand: Operand<Pc>) -> bool {
        match operand {
            Operand::Writes(register) | Operand::Reads(register) => self.has_registers(register, 1),
            Operand::State(first, count) => self.has_registers(first, count),
            Operand::Variable(var) => self.has_variable(var),
            Operand::Label(label) => label.index() < self.ops.len(),
            Operand::Index(index, len) => index < len(self),
            Operand::First(index, len) => index <= len(self),
            Operand::Text(text) => self.text.get(text_range(text.0)).is_some(),
            Operand::Immediate => true,
        }
    }

    fn has_registers(&self, first: Register, count: u16) -> bool {
        first.index() + usize::from(count) <= self.registers
    }

    fn has_variable(&self, var: Register) -> bool {
        var.index() < self.vars.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{DashOperand, FocusSpec, Id, Op, TextSegment};

    fn code(query: &str) -> Code {
        let query = babson_lang::analyze(query, babson_lang::Dialect::CQLI);
        let query = query.expect("the query is sound").query;
        let options = crate::CompileOptions::default();
        let code = crate::compile::compile(&query, &options, crate::compile::Conditions::Used)
            .expect("the query is small");
        assert_eq!(fault(&code), None);
        code
    }

    #[test]
    fn operands_beyond_the_end_are_found() {
        let mut code = code("check");
        let beyond = Pc::new(code.ops.len());
        code.ops.push(Op::Check { fail: beyond.next() });
        assert!(fault(&code).is_some_and(|fault| fault.contains("Check")));
        code.ops.pop();
        code.registers = 0;
        code.ops.push(Op::Copy { dst: Register::FIRST, src: Register::FIRST });
        assert!(fault(&code).is_some_and(|fault| fault.contains("Copy")));
    }

    /// The fault of a query's code after a change.
    fn fault_after(query: &str, change: impl FnOnce(&mut Code, Register)) -> Option<String> {
        let mut code = code(query);
        let beyond = Register::new(code.registers).expect("a small program");
        change(&mut code, beyond);
        fault(&code)
    }

    #[test]
    fn registers_beyond_the_end_are_found_in_tables() {
        let found = |fault: Option<String>, name: &str| assert_eq!(fault.as_deref(), Some(name));
        found(
            fault_after("move from K", |code, beyond| {
                code.tables.moves[Id::new(0)].from = beyond.into()
            }),
            "move 0",
        );
        let query = "(up 1 K)--";
        found(
            fault_after(query, |code, beyond| {
                code.tables.dashes[Id::new(0)].left = DashOperand::Register(beyond)
            }),
            "dash 0",
        );
        found(
            fault_after("path K-- check", |code, beyond| {
                code.tables.paths[Id::new(0)].parts = beyond
            }),
            "path 0",
        );
        let query = "path focus (up 1 K) -- --";
        let focus = |code: &mut Code, set| {
            code.tables.paths[Id::new(0)].focus = FocusSpec::Pieces { set, capture: false }
        };
        found(fault_after(query, focus), "path 0");
        let query = "find 1 mate ply>9 find tag \"Event\" ~~ \"a\"";
        found(
            fault_after(query, |code, beyond| code.tables.once[Id::new(0)].value = beyond),
            "filter evaluated once 0",
        );
        let query = "square x in A {message(\"x\" x)}";
        let var = |code: &mut Code, var| {
            let part = code.tables.parts.iter_mut().find_map(|part| match part {
                TextSegment::Variable { var, .. } => Some(var),
                TextSegment::Constant(_) => None,
            });
            *part.expect("a variable") = var;
        };
        assert!(fault_after(query, var).is_some_and(|fault| fault.starts_with("part ")));
    }

    #[test]
    fn labels_and_entries_beyond_the_end_are_found_in_tables() {
        let lines = |code: &mut Code, _| code.tables.lines[Id::new(0)].states[0].next.push(1_000);
        assert_eq!(fault_after("line --> check --> mate", lines).as_deref(), Some("line 0"));
        let entry =
            |code: &mut Code, _| code.tables.lines[Id::new(0)].states[0].entry = Id::new(1_000);
        assert_eq!(fault_after("line --> check --> mate", entry).as_deref(), Some("line 0"));
        let pc =
            |code: &mut Code, _: Register| code.entries[Id::new(0)].pc = Pc::new(code.ops.len());
        assert_eq!(fault_after("check", pc).as_deref(), Some("entry point 0"));
        let dash =
            |code: &mut Code, _| code.tables.paths[Id::new(0)].steps[0].dash = Id::new(1_000);
        assert_eq!(fault_after("path K-- check", dash).as_deref(), Some("path 0"));
    }
}
