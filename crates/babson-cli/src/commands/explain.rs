//! `babson explain QUERY… [--bytecode] [--json]`: what queries search, and how.

use babson::Query;
use babson::pgn::Needs;

use crate::failure::Failure;
use crate::options::CommandLine;
use crate::query::{self, QueryFile};
use crate::render;
use crate::source::QuerySource;
use crate::terminal;

/// Prints the sentences and the conditions of queries, perhaps with the typed tree and the
/// bytecode, and their warnings on standard error. A query with an error does not stop the others;
/// the exit code is 1 then.
pub(crate) fn explain(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    let (reading, command) = (&config.run.reading, &config.run.command);
    let mut failed = false;
    for file in QueryFile::of_words(&line.operands, reading)? {
        let source = file.source(reading)?;
        let compiled = query::analyze(&source, reading, |builder| builder).and_then(query::compile);
        failed |= compiled.is_err();
        if let Ok(query) = &compiled {
            render::print(&source, query.warnings(), reading.color);
        }
        let shown = match compiled {
            Ok(query) if command.json => json(&source, &query),
            Ok(query) => text(&query, command.bytecode),
            Err(mut diagnostics) if command.json => {
                query::test_fixes(&source, reading, &mut diagnostics);
                render::json(&source, &diagnostics, reading)
            }
            Err(diagnostics) => {
                render::print(&source, &diagnostics, reading.color);
                continue;
            }
        };
        terminal::print_text(&shown)?;
    }
    Ok(u8::from(failed))
}

/// The sentences, then how the query is evaluated.
fn text(query: &Query, bytecode: bool) -> String {
    let how = if bytecode { query.explain() } else { query.conditions() };
    format!("{}\n\n{how}", query.sentences().join("\n"))
}

/// The same as a JSON object on one line.
fn json(source: &QuerySource, query: &Query) -> String {
    let parts = query.explanation();
    let needs = parts.needs;
    let object = serde_json::json!({
        "query": source.name(),
        "sentences": query.sentences(),
        "typed": parts.typed,
        "optimizer": parts.optimizer,
        "threads": parts.threads,
        "needs": {
            "moves": needs.has_moves(),
            "last_ply": (needs.last_ply < Needs::ALL_PLIES).then_some(needs.last_ply),
            "variations": needs.variations,
            "comments": needs.comments,
            "piece_ids": needs.piece_ids,
        },
        "registers": parts.registers,
        "bytecode": parts.bytecode,
    });
    format!("{object}\n")
}
