//! `babson check QUERY… [--json] [--differences]`: the diagnostics of queries.

use crate::failure::Failure;
use crate::options::{CommandLine, OptionId, OptionOwner};
use crate::query::{self, QueryFile};
use crate::render;
use crate::terminal;

/// Prints all diagnostics, and where the dialects differ if that matters to the author. The exit
/// code is 1 if a query has an error.
pub(crate) fn check(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    let (reading, command) = (&config.run.reading, &config.run.command);
    let compares = command.differences || compares_dialects(line);
    let mut failed = false;
    for file in QueryFile::of_words(&line.operands, reading)? {
        let source = file.source(reading)?;
        let names_dialect = matches!(source.declared_dialect(), Ok(Some(_)));
        let compiled = query::analyze(&source, reading, |builder| builder)
            .and_then(query::compile)
            .map(|query| match compares || names_dialect {
                true => [query.differences(), query.warnings()].concat(),
                false => query.warnings().to_vec(),
            });
        failed |= compiled.is_err();
        let (Ok(diagnostics) | Err(diagnostics)) = compiled;
        if command.json {
            terminal::print_text(&render::json(&source, &diagnostics, reading))?;
        } else {
            render::print(&source, &diagnostics, reading.color);
        }
    }
    Ok(u8::from(failed))
}

/// Whether the differences between the dialects matter to the command line: it names a dialect, or
/// has an option of CQL 6.2 alone.
fn compares_dialects(line: &CommandLine) -> bool {
    let mut written = line.options.iter().filter(|option| !option.is_default);
    written.any(|option| option.is(OptionId::Dialect) || option.row.owner == OptionOwner::Cql6)
}
