//! What the check of queries prints: diagnostics, JSON or SARIF, and the summary.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use babson::Diagnostic;
use babson::diagnostic::{Code, Severity};

use super::checked::CheckedQuery;
use super::fix;
use super::request::CheckRequest;
use super::sarif::SarifLog;
use crate::commands::convert::write;
use crate::failure::Failure;
use crate::plural::plural;
use crate::render;
use crate::source::QuerySource;
use crate::terminal;

/// Prints what is found in queries, and counts it.
pub(super) struct Report<'r> {
    request: &'r CheckRequest<'r>,
    tally: Tally,
    sarif: SarifLog,
    /// The diagnostics in files that are printed already: an error in a file that several queries
    /// import is printed once.
    printed: HashSet<PrintedDiagnostic>,
    /// The failures that are printed already: a project with mistakes is one of all its queries.
    failures: HashSet<String>,
    /// The exit code of the failures.
    code: u8,
}

/// A diagnostic in a file: the file, the bytes, the code and the message.
type PrintedDiagnostic = (PathBuf, std::ops::Range<usize>, Code, String);

/// The numbers of a summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) queries: u64,
    /// The queries with an error.
    pub(super) wrong: u64,
    pub(super) errors: u64,
    pub(super) warnings: u64,
    /// The mistakes that `--fix` mends.
    pub(super) certain: u64,
    /// The files and folders that cannot be read.
    pub(super) unread: u64,
}

impl Tally {
    /// The numbers of one query.
    pub(super) fn of(source: &QuerySource, checked: &CheckedQuery) -> Tally {
        let count = |severity: Severity| {
            let all = checked.diagnostics.iter();
            all.filter(|one| one.severity() == severity).count() as u64
        };
        Tally {
            queries: 1,
            wrong: u64::from(checked.has_error),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            certain: checked.certain_fixes(source).count() as u64,
            unread: 0,
        }
    }

    pub(super) fn add(&mut self, other: &Tally) {
        self.queries += other.queries;
        self.wrong += other.wrong;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.certain += other.certain;
        self.unread += other.unread;
    }

    /// The summary: "checked 12 queries: 3 errors in 2 queries, 1 warning".
    pub(super) fn text(&self) -> String {
        let queries = plural(self.queries, "query", "queries");
        let mut text = format!("checked {queries}: ");
        match self.errors {
            0 => text.push_str("no errors"),
            errors => {
                text.push_str(&plural(errors, "error", "errors"));
                text.push_str(&format!(" in {}", plural(self.wrong, "query", "queries")));
            }
        }
        if self.warnings > 0 {
            text.push_str(&format!(", {}", plural(self.warnings, "warning", "warnings")));
        }
        if self.unread > 0 {
            text.push_str(&format!(", {} cannot be read", self.unread));
        }
        text
    }
}

impl<'r> Report<'r> {
    pub(super) fn new(request: &'r CheckRequest<'r>) -> Report<'r> {
        Report {
            request,
            tally: Tally::default(),
            sarif: SarifLog::default(),
            printed: HashSet::new(),
            failures: HashSet::new(),
            code: 0,
        }
    }

    /// Prints what is found in a query.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn checked(
        &mut self,
        source: &QuerySource,
        checked: CheckedQuery,
    ) -> Result<(), Failure> {
        self.tally.add(&Tally::of(source, &checked));
        let CheckedQuery { mut diagnostics, .. } = checked;
        let CheckRequest { command, reading, .. } = *self.request;
        if command.json {
            terminal::print_text(&render::json(source, &diagnostics, reading))?;
            return Ok(());
        }
        self.retain_new(source, &mut diagnostics);
        if command.sarif {
            self.sarif.add(source, &diagnostics);
        }
        if self.request.shows_diagnostics() {
            render::print(source, &diagnostics, reading.color);
            if command.fixes {
                fix::show_choices(source, &diagnostics);
            }
        }
        Ok(())
    }

    /// Drops the diagnostics that are printed already for another query.
    fn retain_new(&mut self, source: &QuerySource, diagnostics: &mut Vec<Diagnostic>) {
        let mut keys = Vec::new();
        diagnostics.retain(|one| {
            let excerpt = source.excerpt(one.span);
            let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let Some(path) = excerpt.path.map(real) else { return true };
            let key = (path, excerpt.range, one.code, one.message.clone());
            let is_new = !self.printed.contains(&key);
            keys.push(key);
            is_new
        });
        self.printed.extend(keys);
    }

    /// Prints why a query, a folder or a project cannot be read.
    pub(super) fn unread(&mut self, failure: &Failure) {
        self.code = self.code.max(failure.code());
        let message = failure.message().unwrap_or_default();
        if !self.failures.insert(message.to_owned()) {
            return;
        }
        self.tally.unread += 1;
        self.sarif.add_failure(message);
        terminal::report_failure(failure);
    }

    /// Ends the answer, and returns the exit code.
    ///
    /// # Errors
    /// The SARIF cannot be written.
    pub(super) fn finish(self, has_summary: bool) -> Result<u8, Failure> {
        let CheckRequest { command, .. } = *self.request;
        if command.sarif {
            write(command.sarif_output.as_deref(), &self.sarif.text())?;
        }
        if self.request.shows_diagnostics() && !command.fixes {
            fix::hint(self.tally.certain);
        }
        // The streams of programs have only what they ask for, and errors.
        if has_summary && self.request.shows_diagnostics() {
            terminal::error_line(&format!("babson: {}", self.tally.text()));
        }
        Ok(self.code.max(u8::from(self.tally.wrong > 0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_what_there_is() {
        let tally = Tally { queries: 1, ..Tally::default() };
        assert_eq!(tally.text(), "checked 1 query: no errors");
        let mut all = Tally { queries: 2, wrong: 2, errors: 3, warnings: 1, certain: 1, unread: 1 };
        all.add(&tally);
        let text = "checked 3 queries: 3 errors in 2 queries, 1 warning, 1 cannot be read";
        assert_eq!(all.text(), text);
    }
}
