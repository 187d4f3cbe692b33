//! What the check of queries prints: diagnostics, JSON or SARIF, and the summary.

use std::collections::HashSet;
use std::path::PathBuf;

use babson::Diagnostic;
use babson::diagnostic::{Code, Severity};
use babson_project::Problem;
use serde_json::{Value, json};

use super::checked::CheckedQuery;
use super::fix;
use super::request::CheckRequest;
use super::sarif::{PROJECT_RULE, SarifLog};
use crate::commands::convert::write;
use crate::failure::Failure;
use crate::plural::plural;
use crate::project::{missing_databases, missing_imports};
use crate::render;
use crate::source::QuerySource;
use crate::terminal;

/// Prints what is found in queries, and counts it.
pub(super) struct Report<'r> {
    request: &'r CheckRequest<'r>,
    tally: Tally,
    sarif: SarifLog,
    /// The messages about files and projects that are printed already: a project with mistakes is
    /// one of all its queries.
    messages: HashSet<String>,
    /// The number of mistakes that `--fix` has mended, and the names of their files.
    fixed: (u64, HashSet<String>),
    /// The exit code of the failures.
    code: u8,
}

/// What the check of one query has found, as the summary counts it.
#[derive(Debug)]
pub(super) struct Findings {
    has_error: bool,
    /// The mistakes that `--fix` mends.
    certain: u64,
    diagnostics: Vec<(Severity, Option<DiagnosticInFile>)>,
}

/// A diagnostic in a file: the file, the bytes, the code and the message.
type DiagnosticInFile = (PathBuf, std::ops::Range<usize>, Code, String);

impl Findings {
    pub(super) fn of(source: &QuerySource, checked: &CheckedQuery) -> Findings {
        let in_file = |one: &Diagnostic| {
            let excerpt = source.excerpt(one.span);
            let path = excerpt.path?;
            let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            Some((real, excerpt.range, one.code, one.message.clone()))
        };
        let diagnostics = checked.diagnostics.iter();
        Findings {
            has_error: checked.has_error,
            certain: checked.certain_fixes(source).count() as u64,
            diagnostics: diagnostics.map(|one| (one.severity(), in_file(one))).collect(),
        }
    }
}

/// The numbers of a summary. A diagnostic in a file that several queries import counts once.
#[derive(Debug, Default)]
pub(super) struct Tally {
    queries: u64,
    /// The queries with an error.
    wrong: u64,
    errors: u64,
    warnings: u64,
    /// The mistakes that `--fix` mends.
    certain: u64,
    /// The files and folders that cannot be read.
    unread: u64,
    /// The project files with mistakes, whose queries are not checked.
    projects: u64,
    /// The diagnostics in files that are counted already.
    known: HashSet<DiagnosticInFile>,
}

impl Tally {
    /// Adds a file, a folder or a project file that cannot be read.
    pub(super) fn add_unread(&mut self, failure: &Failure) {
        match failure.project_problems() {
            Some(_) => self.projects += 1,
            None => self.unread += 1,
        }
    }

    /// Adds a query. Tells of each of its diagnostics whether it is new.
    pub(super) fn add(&mut self, findings: &Findings) -> Vec<bool> {
        self.queries += 1;
        self.wrong += u64::from(findings.has_error);
        self.certain += findings.certain;
        let diagnostics = findings.diagnostics.iter();
        let added = diagnostics.map(|(severity, in_file)| {
            let is_new = in_file.as_ref().is_none_or(|one| self.known.insert(one.clone()));
            let count = match severity {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
            };
            *count += u64::from(is_new);
            is_new
        });
        added.collect()
    }

    /// The numbers of errors and of warnings.
    fn left(&self) -> (u64, u64) {
        (self.errors, self.warnings)
    }

    /// The summary: "checked 12 queries: 3 errors in 2 queries, 1 warning".
    pub(super) fn text(&self) -> String {
        let queries = plural(self.queries, "query", "queries");
        let mut parts = Vec::new();
        if self.errors > 0 {
            let errors = plural(self.errors, "error", "errors");
            parts.push(format!("{errors} in {}", plural(self.wrong, "query", "queries")));
        } else if self.queries > 0 || self.unread + self.projects == 0 {
            parts.push("no errors".to_owned());
        }
        if self.warnings > 0 {
            parts.push(plural(self.warnings, "warning", "warnings"));
        }
        if self.unread > 0 {
            parts.push(format!("{} cannot be read", self.unread));
        }
        match self.projects {
            0 => {}
            1 => parts.push("1 project file has mistakes".to_owned()),
            projects => parts.push(format!("{projects} project files have mistakes")),
        }
        format!("checked {queries}: {}", parts.join(", "))
    }
}

impl<'r> Report<'r> {
    pub(super) fn new(request: &'r CheckRequest<'r>) -> Report<'r> {
        Report {
            request,
            tally: Tally::default(),
            sarif: SarifLog::default(),
            messages: HashSet::new(),
            fixed: (0, HashSet::new()),
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
        let is_new = self.tally.add(&Findings::of(source, &checked));
        let CheckedQuery { mut diagnostics, .. } = checked;
        let CheckRequest { command, reading, .. } = *self.request;
        let missing = source
            .project
            .iter()
            .flat_map(|project| missing_imports(project).chain(missing_databases(project)));
        for message in missing {
            if self.messages.insert(message.clone()) {
                terminal::error_line(&format!("babson: {message}"));
            }
        }
        if command.json {
            terminal::print_text(&render::json(source, &diagnostics, reading))?;
            return Ok(());
        }
        let mut is_new = is_new.into_iter();
        diagnostics.retain(|_| is_new.next().unwrap_or(true));
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

    /// Counts mistakes of a query that are mended in its file. A file that is mended twice counts
    /// once.
    pub(super) fn mended(&mut self, source: &QuerySource, mistakes: u64) {
        self.fixed.0 += mistakes;
        if mistakes > 0 {
            self.fixed.1.insert(source.name().to_owned());
        }
    }

    /// Prints for programs that the file of a query was removed.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn removed(&self, source: &QuerySource) -> Result<(), Failure> {
        if self.request.command.json {
            let line = json!({ "query": source.name(), "removed": true });
            terminal::print_text(&format!("{line}\n"))?;
        }
        Ok(())
    }

    /// Prints why a query, a folder or a project cannot be read.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn unread(&mut self, failure: &Failure) -> Result<(), Failure> {
        self.code = self.code.max(failure.code());
        let message = failure.message().unwrap_or_default();
        if !self.messages.insert(message.to_owned()) {
            return Ok(());
        }
        self.tally.add_unread(failure);
        self.sarif.add_failure(failure);
        terminal::report_failure(failure);
        if self.request.command.json {
            terminal::print_text(&failure_json(failure))?;
        }
        Ok(())
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
        if self.request.shows_diagnostics() {
            match command.fixes {
                true => {
                    let files = self.fixed.1.len() as u64;
                    fix::tell_rest(
                        (self.fixed.0, files),
                        self.tally.left(),
                        self.messages.is_empty(),
                    );
                }
                false => fix::hint(self.tally.certain, self.tally.left()),
            }
        }
        // The streams of programs have only what they ask for, and errors.
        if has_summary && self.request.shows_diagnostics() {
            terminal::error_line(&format!("babson: {}", self.tally.text()));
        }
        Ok(self.code.max(u8::from(self.tally.wrong > 0)))
    }
}

/// A line of JSON that says why something cannot be read: the mistakes of a project file, or else
/// the message.
fn failure_json(failure: &Failure) -> String {
    let message = failure.message().unwrap_or_default();
    let object = match failure.project_problems() {
        Some((file, _, problems)) => {
            let problem = |one: &Problem| {
                json!({
                    "severity": "error",
                    "code": PROJECT_RULE,
                    "message": one.message,
                    "help": one.help,
                    "span": [one.span.start, one.span.end],
                })
            };
            let problems: Vec<Value> = problems.iter().map(problem).collect();
            json!({ "project": file.to_string_lossy(), "diagnostics": problems })
        }
        None => json!({ "error": message }),
    };
    format!("{object}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_what_there_is() {
        let in_file =
            || Some((PathBuf::from("lib.cql"), 0..3, Code::UnknownName, "unknown".to_owned()));
        let findings = |diagnostics: Vec<(Severity, Option<DiagnosticInFile>)>| Findings {
            has_error: diagnostics.iter().any(|one| one.0 == Severity::Error),
            certain: 0,
            diagnostics,
        };
        let mut tally = Tally::default();
        tally.add(&findings(Vec::new()));
        assert_eq!(tally.text(), "checked 1 query: no errors");
        let shared = [(Severity::Error, in_file()), (Severity::Error, None)];
        assert_eq!(tally.add(&findings(shared.to_vec())), [true, true]);
        assert_eq!(tally.add(&findings(shared.to_vec())), [false, true]);
        tally.add(&findings(vec![(Severity::Warning, None)]));
        tally.unread = 1;
        let text = "checked 4 queries: 3 errors in 2 queries, 1 warning, 1 cannot be read";
        assert_eq!(tally.text(), text);
        let broken = Tally { projects: 1, ..Tally::default() };
        assert_eq!(broken.text(), "checked 0 queries: 1 project file has mistakes");
        let broken = Tally { queries: 1, projects: 2, unread: 1, ..Tally::default() };
        let text = "checked 1 query: no errors, 1 cannot be read, 2 project files have mistakes";
        assert_eq!(broken.text(), text);
    }
}
