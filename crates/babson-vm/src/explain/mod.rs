//! The output of `babson explain`: the typed tree, the optimizations, the bytecode and its tables.

mod disassembly;
mod entries;

use std::fmt::Write;

use babson_lang::hir;
use babson_pgn::Needs;

use crate::code::{Code, SharedState};
use crate::limits::{MAX_EXPLAINED_ENTRIES, MAX_EXPLAINED_INSTRUCTIONS};
use crate::op::{Op, Pc, spec_table};
pub(crate) use disassembly::{Disassemble, Disassembly};

/// How many threads may run the games.
pub(crate) fn sharing(code: &Code) -> String {
    match &code.shared {
        SharedState::Nothing => "any number".to_owned(),
        SharedState::Joined { .. } => {
            "any number: changes are joined in the order of the games".to_owned()
        }
        SharedState::InOrder(reason) => format!("one: {reason}"),
    }
}

pub(crate) fn explain(query: &hir::Query, code: &Code) -> String {
    let typed = hir::print(query);
    let mut out = format!("typed tree\n{typed}\n{}\n", conditions(query, code));
    let _ = writeln!(
        out,
        "bytecode (instructions: {}, registers: {}, variables: {})",
        code.ops.len(),
        code.registers,
        code.vars.len()
    );
    disassemble(code, &mut out);
    if code.ops.iter().any(|op| matches!(op, Op::TestFen { .. })) {
        table(&mut out, code, "designator", &code.designators);
    }
    listed_tables(&mut out, code);
    out
}

/// What the optimizer did: the notes of the compiler, the prefilter, and the conditions on games.
pub(crate) fn notes(query: &hir::Query, code: &Code) -> Vec<String> {
    let mut notes = code.notes.clone();
    if let Some(prefilter) = code.prefilter {
        notes.push(format!("prefilter: {}", Disassembly(code, &code.prefilters[prefilter])));
    }
    // A game that may match without a position is always searched.
    let is_used = query.header.match_count.is_none_or(|range| range.0 > 0);
    if is_used && !code.guard.is_empty() {
        notes.push(format!("game guard: {}", code.guard));
        if code.guard.decides() {
            notes.push("game guard decides: a game that passes matches, unless it has variations, damage or a variant".to_owned());
        }
    }
    notes
}

/// What the optimizer did, the threads, and what is read of a game.
pub(crate) fn conditions(query: &hir::Query, code: &Code) -> String {
    let mut out = "optimizer\n".to_owned();
    let notes = notes(query, code);
    for note in &notes {
        let _ = writeln!(out, "  {note}");
    }
    if notes.is_empty() {
        out.push_str("  no change\n");
    }
    let _ = writeln!(out, "\nthreads\n  {}", sharing(code));
    let _ = writeln!(out, "\nneeds\n  {}", needs(&code.needs));
    out
}

/// Prints an instruction in each line. `>` marks the targets of jumps; an entry point has its name
/// before it.
fn disassemble(code: &Code, out: &mut String) {
    let mut is_target = vec![false; code.ops.len()];
    for target in code.ops.iter().filter_map(|op| op.label()) {
        if let Some(is_target) = is_target.get_mut(target.index()) {
            *is_target = true;
        }
    }
    let mut entries: Vec<(Pc, &str)> =
        code.entries.iter().map(|entry| (entry.pc, entry.name)).collect();
    entries.sort();
    let mut entries = entries.into_iter().peekable();
    for (at, op) in code.ops.iter().enumerate().take(MAX_EXPLAINED_INSTRUCTIONS) {
        while let Some((_, name)) = entries.next_if(|entry| entry.0.index() <= at) {
            let _ = writeln!(out, "  {name}:");
        }
        let mark = if is_target[at] { '>' } else { ' ' };
        let _ = writeln!(out, "  {mark}{at:4}  {}", op.disassembly(code));
    }
    more(out, code.ops.len(), MAX_EXPLAINED_INSTRUCTIONS);
}

macro_rules! define_listed_tables {
    ($($(#[$doc:meta])* $table:ident: $Entry:ty, $shown:ident $noun:literal;)*) => {
        /// Prints the tables whose entries instructions show by number.
        fn listed_tables(out: &mut String, code: &Code) {
            $(list!($shown out code $noun $table);)*
        }
    };
}

macro_rules! list {
    (listed $out:ident $code:ident $noun:literal $table:ident) => {
        table($out, $code, $noun, &$code.$table)
    };
    (inline $out:ident $code:ident $noun:literal $table:ident) => {};
}

spec_table!(define_listed_tables);

fn table<T: Disassemble>(out: &mut String, code: &Code, name: &str, entries: &[T]) {
    for (index, entry) in entries.iter().enumerate().take(MAX_EXPLAINED_ENTRIES) {
        let _ = writeln!(out, "{name} {index}: {}", Disassembly(code, entry));
    }
    more(out, entries.len(), MAX_EXPLAINED_ENTRIES);
}

fn more(out: &mut String, all: usize, shown: usize) {
    if all > shown {
        let _ = writeln!(out, "  … and {} more", all - shown);
    }
}

/// The parts of a game that are read.
fn needs(needs: &Needs) -> String {
    // How the reader treats damage is not a part of the game.
    let needs = Needs { damage: false, usual_start: false, ..*needs };
    match &needs.names()[..] {
        [] => "tags only".to_owned(),
        read => read.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_words() {
        let names = [
            (Needs::TAGS, "tags only"),
            (Needs::MAIN_LINE, "moves"),
            (Needs::ALL, "moves variations comments"),
        ];
        for (value, text) in names {
            assert_eq!(needs(&value), text);
        }
    }
}
