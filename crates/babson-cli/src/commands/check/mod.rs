//! `babson check QUERY… [--fix] [--json] [--sarif] [--watch] [--differences]`: the diagnostics of
//! queries.

mod checked;
mod fix;
mod report;
mod request;
mod sarif;
mod watch;

use crate::failure::Failure;
use crate::options::{CommandLine, OptionId, OptionOwner};
use crate::query::QueryFile;
use crate::query_list::QueryList;
use crate::source::QuerySource;
use checked::CheckedQuery;
use report::Report;
use request::CheckRequest;

/// Prints all diagnostics, and where the dialects differ if that matters to the author. The exit
/// code is 1 if a query has an error.
pub(crate) fn check(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    let request = CheckRequest {
        words: &line.operands,
        reading: &config.run.reading,
        command: &config.run.command,
        compares: config.run.command.differences || compares_dialects(line),
    };
    request.check_options()?;
    if request.command.watches {
        return watch::watch(&request);
    }
    let mut report = Report::new(&request);
    let list = match request.list() {
        Err(failure @ Failure::Usage(_)) => return Err(failure),
        // A program that reads the answer sees this, too.
        Err(failure) => QueryList { unread: vec![failure], ..QueryList::default() },
        Ok(list) => list,
    };
    for failure in &list.unread {
        report.unread(failure)?;
    }
    if request.command.fixes && list.files.len() > 1 {
        // A file is mended before the queries that import it are checked. The check reports what
        // fails.
        let is_file = |file: &&QueryFile| file.path.as_ref().is_some_and(|path| path.is_file());
        for file in list.files.iter().filter(is_file) {
            if let Ok((source, _, mended)) = check_file(&request, file) {
                report.mended(&source, mended);
            }
        }
    }
    for file in &list.files {
        match check_file(&request, file) {
            Ok((source, checked, mended)) => {
                report.mended(&source, mended);
                report.checked(&source, checked)?;
            }
            Err(failure) => report.unread(&failure)?,
        }
    }
    report.finish(list.has_folder || list.files.len() > 1)
}

/// Checks a query, and mends it with `--fix`. Returns also the number of mended mistakes.
fn check_file(
    request: &CheckRequest<'_>,
    file: &QueryFile,
) -> Result<(QuerySource, CheckedQuery, u64), Failure> {
    let mut file = file.clone();
    // Standard input and a pipe can be read only once, and the mending needs the bytes, too.
    file.load(request.reading);
    let source = file.source(request.reading)?;
    let checked = CheckedQuery::new(&source, request.reading, request.compares);
    match request.command.fixes {
        true => fix::apply_certain(&file, source, checked, request),
        false => Ok((source, checked, 0)),
    }
}

/// Whether the differences between the dialects matter to the command line: it names a dialect, or
/// has an option of CQL 6.2 alone.
fn compares_dialects(line: &CommandLine) -> bool {
    let mut written = line.options.iter().filter(|option| !option.is_default);
    written.any(|option| option.is(OptionId::Dialect) || option.row.owner == OptionOwner::Cql6)
}
