//! `babson check QUERY… [--json] [--differences]`: the diagnostics of queries.

use crate::failure::Failure;
use crate::options::{CommandLine, OptionId, OptionOwner};
use crate::query::{self, QueryFile};
use crate::reading_options::ReadingOptions;
use crate::render;
use crate::terminal;

/// Prints all diagnostics, and where the dialects differ if that matters to the author. The exit
/// code is 1 if a query has an error.
pub(crate) fn check(line: &CommandLine) -> Result<u8, Failure> {
    let reading = ReadingOptions::new(&line.options)?;
    let compares = compares_dialects(line);
    let mut failed = false;
    for file in QueryFile::of_line(line)? {
        let source = file.source(&line.options)?;
        let names_dialect = matches!(source.declared_dialect(), Ok(Some(_)));
        let compiled = query::analyze(&source, &reading, |builder| builder)
            .and_then(query::compile)
            .map(|query| match compares || names_dialect {
                true => [query.differences(), query.warnings()].concat(),
                false => query.warnings().to_vec(),
            });
        failed |= compiled.is_err();
        let (Ok(diagnostics) | Err(diagnostics)) = compiled;
        if line.has(OptionId::Json) {
            terminal::print_text(&render::json(&source, &diagnostics, &reading))?;
        } else {
            render::print(&source, &diagnostics, reading.color);
        }
    }
    Ok(u8::from(failed))
}

/// Whether the command line asks for the differences between the dialects: by the option, or since
/// it names a dialect or has an option of CQL 6.2 alone.
fn compares_dialects(line: &CommandLine) -> bool {
    line.options.iter().filter(|option| !option.is_default).any(|option| {
        let row = line.command.option(option.name);
        matches!(option.id, OptionId::Differences | OptionId::Dialect)
            || row.is_some_and(|(row, _)| row.owner == OptionOwner::Cql6)
    })
}
