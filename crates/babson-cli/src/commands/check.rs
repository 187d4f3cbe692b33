//! `babson check QUERY…`: the diagnostics of queries.

use crate::failure::Failure;
use crate::options::CommandLine;
use crate::query::{self, QueryFile, ReadingOptions};
use crate::render;

/// Prints all diagnostics, and where the dialects differ if none was named. The exit code is 1 if a
/// query has an error.
pub(crate) fn check(line: &CommandLine) -> Result<u8, Failure> {
    let reading = ReadingOptions::new(&line.options)?;
    let mut failed = false;
    for file in QueryFile::of_line(line)? {
        let source = file.source(&line.options)?;
        let compiled = query::analyze(&source, &reading, |builder| builder)
            .and_then(query::compile)
            .map(|query| [query.differences(), query.warnings()].concat());
        failed |= compiled.is_err();
        let (Ok(diagnostics) | Err(diagnostics)) = compiled;
        render::print(&source, &diagnostics, reading.color);
    }
    Ok(u8::from(failed))
}
