//! `babson check QUERY… [--fix] [--json] [--differences]`: the diagnostics of queries.

use babson::Diagnostic;

use super::fix;
use crate::config::{CommandConfig, ReadingOptions};
use crate::failure::Failure;
use crate::options::{CommandLine, OptionId, OptionOwner};
use crate::query::{self, QueryFile};
use crate::render;
use crate::source::QuerySource;
use crate::terminal;

/// Prints all diagnostics, and where the dialects differ if that matters to the author. The exit
/// code is 1 if a query has an error.
pub(crate) fn check(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    let (reading, command) = (&config.run.reading, &config.run.command);
    let compares = command.differences || compares_dialects(line);
    let mut failed = false;
    for file in QueryFile::of_words(&line.operands, reading)? {
        let mut source = file.source(reading)?;
        let mut checked = CheckedQuery::new(&source, reading, compares);
        if command.fixes {
            (source, checked) =
                fix::apply_certain(&file, source, checked, reading, compares, command.json)?;
        }
        failed |= checked.has_error;
        print(&source, &checked.diagnostics, command, reading)?;
    }
    Ok(u8::from(failed))
}

fn print(
    source: &QuerySource,
    diagnostics: &[Diagnostic],
    command: &CommandConfig,
    reading: &ReadingOptions,
) -> Result<(), Failure> {
    if command.json {
        terminal::print_text(&render::json(source, diagnostics, reading))?;
        return Ok(());
    }
    render::print(source, diagnostics, reading.color);
    if command.fixes {
        fix::show_choices(source, diagnostics);
    } else {
        fix::hint(diagnostics);
    }
    Ok(())
}

/// What the check of a query finds.
pub(super) struct CheckedQuery {
    /// All errors; or if there is none, all warnings. Their fixes are tested.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) has_error: bool,
}

impl CheckedQuery {
    /// Checks a query. `compares` asks where the dialects differ.
    pub(super) fn new(
        source: &QuerySource,
        reading: &ReadingOptions,
        compares: bool,
    ) -> CheckedQuery {
        let names_dialect = matches!(source.declared_dialect(), Ok(Some(_)));
        let compiled = query::analyze(source, reading, |builder| builder)
            .and_then(query::compile)
            .map(|query| match compares || names_dialect {
                true => [query.differences(), query.warnings()].concat(),
                false => query.warnings().to_vec(),
            });
        let has_error = compiled.is_err();
        let (Ok(mut diagnostics) | Err(mut diagnostics)) = compiled;
        query::test_fixes(source, reading, &mut diagnostics);
        CheckedQuery { diagnostics, has_error }
    }
}

/// Whether the differences between the dialects matter to the command line: it names a dialect, or
/// has an option of CQL 6.2 alone.
fn compares_dialects(line: &CommandLine) -> bool {
    let mut written = line.options.iter().filter(|option| !option.is_default);
    written.any(|option| option.is(OptionId::Dialect) || option.row.owner == OptionOwner::Cql6)
}
