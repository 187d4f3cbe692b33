//! `babson check QUERY… [--fix] [--json] [--sarif] [--watch] [--differences]`: the diagnostics of
//! queries.

mod checked;
mod fix;
mod report;
mod sarif;
mod watch;

use std::ffi::OsString;

use crate::config::{CommandConfig, ReadingOptions};
use crate::failure::Failure;
use crate::options::{CommandLine, OptionId, OptionOwner};
use crate::query::QueryFile;
use crate::query_list::QueryList;
use crate::source::QuerySource;
use checked::CheckedQuery;
use report::Report;

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
    let list = request.list()?;
    let mut report = Report::new(&request);
    for failure in &list.unread {
        report.unread(failure);
    }
    for file in &list.files {
        match request.check(file) {
            Ok((source, checked)) => report.checked(&source, checked)?,
            Err(failure) => report.unread(&failure),
        }
    }
    report.finish(list.has_folder || list.files.len() > 1)
}

/// What is checked, and how.
struct CheckRequest<'l> {
    words: &'l [OsString],
    reading: &'l ReadingOptions,
    command: &'l CommandConfig,
    /// Whether the differences between the dialects are reported.
    compares: bool,
}

impl CheckRequest<'_> {
    /// Checks which options go together.
    fn check_options(&self) -> Result<(), Failure> {
        let CommandConfig { json, sarif, watches, fixes, .. } = *self.command;
        let has_output = self.command.sarif_output.is_some();
        let has_file = !self.words.is_empty() || !self.reading.has_query();
        let reads_stdin = self.words.iter().any(|word| word == "-") || !has_file;
        let wrong = [
            (json && sarif, "--json and --sarif are two forms of one answer: choose one"),
            (has_output && !sarif, "-o is where --sarif is written: add --sarif"),
            (watches && sarif, "--sarif is one document, and --watch goes on: use --json"),
            (
                watches && fixes,
                "--watch changes no files, which are open in your editor: run check --fix alone",
            ),
            (
                watches && reads_stdin,
                "--watch needs files: standard input is read only once, and an option never changes",
            ),
        ];
        match wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, why)) => Err(Failure::Usage(why.to_owned())),
            None => Ok(()),
        }
    }

    /// The queries. A watch has each once, since it tells them apart by their paths.
    fn list(&self) -> Result<QueryList, Failure> {
        let mut list = QueryList::read_or_project(self.words, self.reading)?;
        if self.command.watches {
            list.leave_each_once();
        }
        Ok(list)
    }

    /// Checks a query, and mends it with `--fix`.
    fn check(&self, file: &QueryFile) -> Result<(QuerySource, CheckedQuery), Failure> {
        let mut file = file.clone();
        // Standard input and a pipe can be read only once, and the mending needs the bytes, too.
        file.load(self.reading);
        let source = file.source(self.reading)?;
        let checked = CheckedQuery::new(&source, self.reading, self.compares);
        match self.command.fixes {
            true => fix::apply_certain(&file, source, checked, self),
            false => Ok((source, checked)),
        }
    }

    /// Whether diagnostics are shown to people.
    fn shows_diagnostics(&self) -> bool {
        !self.command.json && (!self.command.sarif || self.command.sarif_output.is_some())
    }

    /// Whether the answer is printed on standard output.
    fn uses_stdout(&self) -> bool {
        self.command.json || self.command.sarif && self.command.sarif_output.is_none()
    }
}

/// Whether the differences between the dialects matter to the command line: it names a dialect, or
/// has an option of CQL 6.2 alone.
fn compares_dialects(line: &CommandLine) -> bool {
    let mut written = line.options.iter().filter(|option| !option.is_default);
    written.any(|option| option.is(OptionId::Dialect) || option.row.owner == OptionOwner::Cql6)
}
