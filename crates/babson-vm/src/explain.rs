//! What `babson explain` prints: the typed tree, what the optimizer did, the bytecode.

use std::fmt::Write;

use crate::compile::{Code, Shared};

/// How many threads may run the games.
pub(crate) fn sharing(code: &Code) -> String {
    match &code.shared {
        Shared::Nothing => "any number".to_owned(),
        Shared::Joined { .. } => "any number: what games leave behind is joined".to_owned(),
        Shared::InOrder(reason) => format!("one: {reason}"),
    }
}

pub(crate) fn explain(typed: &str, code: &Code) -> String {
    let mut out = format!("typed tree\n{typed}\noptimizer\n");
    for note in &code.notes {
        let _ = writeln!(out, "  {note}");
    }
    if code.notes.is_empty() {
        out.push_str("  nothing to do\n");
    }
    let _ = writeln!(out, "\nthreads\n  {}", sharing(code));
    let _ = writeln!(out, "\nneeds\n  {:?}\n", code.needs);
    let _ = writeln!(
        out,
        "bytecode ({} instructions, {} registers, the first {} are variables)",
        code.ops.len(),
        code.registers,
        code.vars.len()
    );
    for (at, op) in code.ops.iter().enumerate() {
        let _ = writeln!(out, "  {at:5}  {op:?}");
    }
    for (index, pattern) in code.patterns.iter().enumerate() {
        let _ = writeln!(out, "pattern {index}: {pattern:?}");
    }
    for (index, spec) in code.moves.iter().enumerate() {
        let _ = writeln!(out, "move {index}: {spec:?}");
    }
    for (index, spec) in code.dashes.iter().enumerate() {
        let _ = writeln!(out, "dash {index}: {spec:?}");
    }
    for (index, spec) in code.paths.iter().enumerate() {
        let _ = writeln!(out, "path {index}: {spec:?}");
    }
    for (index, spec) in code.lines.iter().enumerate() {
        let _ = writeln!(out, "line {index}: {spec:?}");
    }
    out
}
