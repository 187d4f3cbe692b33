//! What `babson explain` prints: the typed tree, what the optimizer did, the bytecode.

use std::fmt::{Debug, Write};

use crate::compile::{Code, Shared};

/// Instructions that are printed, and entries of each table; transforms make many alike.
const MAX_SHOWN: usize = 1_000;
const MAX_SHOWN_ENTRIES: usize = 100;

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
    let _ = writeln!(out, "\nneeds\n  {}\n", plain(&code.needs).trim_start_matches("Needs "));
    let _ = writeln!(
        out,
        "bytecode ({} instructions, {} registers, the first {} are variables)",
        code.ops.len(),
        code.registers,
        code.vars.len()
    );
    for (at, op) in code.ops.iter().enumerate().take(MAX_SHOWN) {
        let _ = writeln!(out, "  {at:5}  {}", plain(op));
    }
    more(&mut out, code.ops.len(), MAX_SHOWN);
    table(&mut out, "pattern", &code.patterns);
    table(&mut out, "move", &code.moves);
    table(&mut out, "imagine", &code.imagined);
    table(&mut out, "dash", &code.dashes);
    table(&mut out, "path", &code.paths);
    table(&mut out, "line", &code.lines);
    out
}

fn table(out: &mut String, name: &str, entries: &[impl Debug]) {
    for (index, entry) in entries.iter().enumerate().take(MAX_SHOWN_ENTRIES) {
        let entry = plain(entry);
        // The name says which kind of entry it is.
        let fields = entry.split_once(' ').map_or("", |(_, fields)| fields);
        let _ = writeln!(out, "{name} {index}: {fields}");
    }
    more(out, entries.len(), MAX_SHOWN_ENTRIES);
}

fn more(out: &mut String, all: usize, shown: usize) {
    if all > shown {
        let _ = writeln!(out, "  … and {} more", all - shown);
    }
}

/// An instruction or an entry of a table, as its name and those fields that say something:
/// `Move spec=3 fail=7`.
fn plain(what: &impl Debug) -> String {
    let debug = format!("{what:?}").replace([',', '{', '}'], " ");
    let mut words: Vec<String> = Vec::new();
    for word in debug.split_whitespace() {
        match words.last_mut() {
            Some(last) if last.ends_with(':') => {
                last.pop();
                match word {
                    // A flag that is not set, and what is left out.
                    "false" | "None" | "65535" => drop(words.pop()),
                    "true" => {}
                    word => {
                        last.push('=');
                        last.push_str(word);
                    }
                }
            }
            _ => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::plain;
    use crate::op::Op;

    #[test]
    fn instructions_are_names_and_fields() {
        assert_eq!(plain(&Op::Move { spec: 3, fail: 7 }), "Move spec=3 fail=7");
        assert_eq!(plain(&Op::Return { matched: true }), "Return matched");
        assert_eq!(plain(&Op::Step), "Step");
    }

    #[test]
    fn needs_are_words() {
        let needs = babson_pgn::Needs::MAIN_LINE;
        assert_eq!(plain(&needs), "Needs moves");
    }
}
