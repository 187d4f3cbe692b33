//! The request of a check.

use std::ffi::OsString;

use crate::config::{CommandConfig, ReadingOptions};
use crate::failure::Failure;
use crate::query_list::QueryList;

/// What is checked, and how.
pub(super) struct CheckRequest<'l> {
    pub(super) words: &'l [OsString],
    pub(super) reading: &'l ReadingOptions,
    pub(super) command: &'l CommandConfig,
    /// Whether the differences between the dialects are reported.
    pub(super) compares: bool,
}

impl CheckRequest<'_> {
    /// Checks which options go together.
    pub(super) fn check_options(&self) -> Result<(), Failure> {
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
    pub(super) fn list(&self) -> Result<QueryList, Failure> {
        let mut list = QueryList::read_or_project(self.words, self.reading)?;
        if self.command.watches {
            list.leave_each_once();
        }
        Ok(list)
    }

    /// Whether diagnostics are shown to people: if no program reads the answer on standard output.
    pub(super) fn shows_diagnostics(&self) -> bool {
        !self.uses_stdout()
    }

    /// Whether the answer is printed on standard output.
    pub(super) fn uses_stdout(&self) -> bool {
        self.command.json || self.command.sarif && self.command.sarif_output.is_none()
    }
}
