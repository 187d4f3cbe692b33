//! Diagnostics as SARIF 2.1.0, the form that services of code scanning read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Component, Path};

use babson::Diagnostic;
use babson::diagnostic::{BOOK, Code, Fix, Severity, book_page};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::source::{QuerySource, SourceExcerpt};

/// The schema of the document.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The rule of the mistakes of project files, which have no codes.
pub(super) const PROJECT_RULE: &str = "project-file";

/// A SARIF document of one run.
#[derive(Default)]
pub(super) struct SarifLog {
    results: Vec<SarifResult>,
    /// Why files cannot be read, as notifications.
    unread: Vec<Value>,
    /// The mistakes of project files, as notifications.
    misconfigured: Vec<Value>,
}

/// A result, which gets the number of its rule when all rules are known.
struct SarifResult {
    /// `None` for a mistake of the project file.
    code: Option<Code>,
    value: Value,
}

impl SarifResult {
    fn rule_id(&self) -> &'static str {
        self.code.map_or(PROJECT_RULE, Code::as_str)
    }
}

impl SarifLog {
    /// Adds the diagnostics of a query.
    pub(super) fn add(&mut self, source: &QuerySource, diagnostics: &[Diagnostic]) {
        let results = diagnostics
            .iter()
            .map(|one| SarifResult { code: Some(one.code), value: result(source, one) });
        self.results.extend(results);
    }

    /// Adds why a file cannot be read. The mistakes of a project file are also results, since
    /// services show only these.
    pub(super) fn add_failure(&mut self, failure: &Failure) {
        let Some((file, text, problems)) = failure.project_problems() else {
            let message = failure.message().unwrap_or_default();
            self.unread.push(json!({ "level": "error", "message": { "text": message } }));
            return;
        };
        for problem in problems {
            let help = problem.help.iter().map(|help| format!("; {help}")).collect::<String>();
            let message = json!({ "text": format!("{}{help}", problem.message) });
            let range = problem.span.start as usize..problem.span.end as usize;
            let location = json!({ "physicalLocation": {
                "artifactLocation": artifact(file),
                "region": region(text, &range),
            }});
            self.misconfigured.push(json!({
                "level": "error", "message": message.clone(), "locations": [location.clone()],
            }));
            let value = json!({
                "ruleId": PROJECT_RULE,
                "level": "error",
                "message": message,
                "locations": [location],
            });
            self.results.push(SarifResult { code: None, value });
        }
    }

    /// The document as text.
    pub(super) fn text(self) -> String {
        let rules: BTreeMap<&str, Option<Code>> =
            self.results.iter().map(|result| (result.rule_id(), result.code)).collect();
        let index = |id: &str| rules.keys().position(|known| *known == id);
        let results = self.results.into_iter().map(|mut result| {
            result.value["ruleIndex"] = json!(index(result.rule_id()));
            result.value
        });
        let results: Vec<Value> = results.collect();
        let mut invocation = json!({
            "executionSuccessful": self.unread.is_empty() && self.misconfigured.is_empty(),
            "toolExecutionNotifications": self.unread,
        });
        if !self.misconfigured.is_empty() {
            invocation["toolConfigurationNotifications"] = Value::Array(self.misconfigured);
        }
        let run = json!({
            "tool": { "driver": {
                "name": "babson",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.values().map(|code| rule(*code)).collect::<Vec<Value>>(),
            }},
            "invocations": [invocation],
            "columnKind": "utf16CodeUnits",
            "results": results,
        });
        let document = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
        format!("{document:#}\n")
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// A code as a rule, or the mistakes of project files.
fn rule(code: Option<Code>) -> Value {
    let Some(code) = code else {
        return json!({
            "id": PROJECT_RULE,
            "shortDescription": { "text": "a mistake in the project file" },
            "helpUri": book_page(BOOK, "docs/src/projects.md#the-file"),
            "defaultConfiguration": { "level": "error" },
        });
    };
    let explanation = code.entry().explanation;
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.title() },
        "fullDescription": { "text": explanation },
        "help": { "text": explanation, "markdown": explanation },
        "helpUri": book_page(BOOK, &code.page()),
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

/// A diagnostic as a result.
fn result(source: &QuerySource, diagnostic: &Diagnostic) -> Value {
    let mut text = diagnostic.message.clone();
    for more in
        diagnostic.label.iter().map(|label| label.as_ref()).chain(diagnostic.help.as_deref())
    {
        let _ = write!(text, "; {more}");
    }
    let related = diagnostic.related.iter().map(|related| {
        let mut location = location(&source.excerpt(related.span));
        location["message"] = json!({ "text": related.label });
        location
    });
    let fixes = diagnostic.fixes.iter().filter_map(|one| fix(source, one));
    let mut result = json!({
        "ruleId": diagnostic.code.as_str(),
        "level": level(diagnostic.severity()),
        "message": { "text": text },
        "locations": [location(&source.excerpt(diagnostic.span))],
    });
    for (name, values) in
        [("relatedLocations", related.collect::<Vec<_>>()), ("fixes", fixes.collect())]
    {
        if !values.is_empty() {
            result[name] = Value::Array(values);
        }
    }
    result
}

/// A place in a file, or else in the words of an option, standard input or the library, which have
/// only a name.
fn location(excerpt: &SourceExcerpt<'_>) -> Value {
    match excerpt.path {
        Some(path) => json!({ "physicalLocation": {
            "artifactLocation": artifact(path),
            "region": region(excerpt.text, &excerpt.range),
        }}),
        None => json!({ "logicalLocations": [{ "name": excerpt.name }] }),
    }
}

/// A fix, if all of its edits are in files.
fn fix(source: &QuerySource, fix: &Fix) -> Option<Value> {
    let mut changes: BTreeMap<&Path, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        let excerpt = source.excerpt(edit.span);
        changes.entry(excerpt.path?).or_default().push(json!({
            "deletedRegion": region(excerpt.text, &excerpt.range),
            "insertedContent": { "text": edit.text },
        }));
    }
    let changes = changes.into_iter().map(|(path, replacements)| {
        json!({ "artifactLocation": artifact(path), "replacements": replacements })
    });
    Some(json!({
        "description": { "text": fix.title },
        "artifactChanges": changes.collect::<Vec<Value>>(),
    }))
}

/// A range of a text: lines and columns from 1, columns in units of UTF-16, the end exclusive.
fn region(text: &str, range: &Range<usize>) -> Value {
    let place = |at: usize| {
        let before = text.get(..at).unwrap_or(text);
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[line..].encode_utf16().count();
        (1 + before.matches('\n').count(), 1 + column)
    };
    let ((start_line, start_column), (end_line, end_column)) =
        (place(range.start), place(range.end));
    json!({
        "startLine": start_line,
        "startColumn": start_column,
        "endLine": end_line,
        "endColumn": end_column,
    })
}

/// The place of a file: relative to the folder in which the command runs, if it is in there.
fn artifact(path: &Path) -> Value {
    let leaves = path.components().any(|part| part == Component::ParentDir);
    let real = if leaves { path.canonicalize().ok() } else { std::path::absolute(path).ok() };
    let absolute = real.unwrap_or_else(|| path.to_owned());
    let current = std::env::current_dir().ok();
    match current.and_then(|folder| absolute.strip_prefix(folder).ok()) {
        Some(inside) => json!({ "uri": uri(&slashed(inside)), "uriBaseId": "%SRCROOT%" }),
        None => json!({ "uri": file_uri(&slashed(&absolute), cfg!(windows)) }),
    }
}

/// A path with slashes between its parts.
fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

/// An absolute path, with slashes between its parts, as a URI (RFC 8089). On Windows it begins
/// with a drive or a server, perhaps as `canonicalize` gives them: `//?/C:/`, `//?/UNC/server/`.
fn file_uri(path: &str, is_windows: bool) -> String {
    if !is_windows {
        return format!("file://{}", uri(path));
    }
    if let Some(server) = path.strip_prefix("//?/UNC/") {
        return format!("file://{}", uri(server));
    }
    let path = path.strip_prefix("//?/").unwrap_or(path);
    if let Some(server) = path.strip_prefix("//") {
        return format!("file://{}", uri(server));
    }
    match path.split_once(':') {
        Some((drive, rest)) => format!("file:///{}:{}", uri(drive), uri(rest)),
        None => format!("file://{}", uri(path)),
    }
}

/// A path, with slashes between its parts, as a part of a URI.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for &byte in path.as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            byte => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf16() {
        let text = "mate\r\n♔𝄞é x\n";
        let at = |word: &str| {
            let start = text.find(word).unwrap();
            let region = region(text, &(start..start + word.len()));
            let number = |name: &str| region[name].as_u64().unwrap();
            ["startLine", "startColumn", "endLine", "endColumn"].map(number)
        };
        assert_eq!(at("mate"), [1, 1, 1, 5]);
        assert_eq!(at("♔"), [2, 1, 2, 2]);
        assert_eq!(at("é"), [2, 4, 2, 5]);
        assert_eq!(at("x\n"), [2, 6, 3, 1]);
        assert_eq!(region(text, &(99..100))["startLine"], 3);
    }

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(uri("q/é a#%.cql"), "q/%C3%A9%20a%23%25.cql");
        let inside = artifact(Path::new("q/a.cql"));
        assert_eq!(inside, json!({ "uri": "q/a.cql", "uriBaseId": "%SRCROOT%" }));
        let (path, expected) = match cfg!(windows) {
            true => ("Z:/nosuch folder/a.cql", "file:///Z:/nosuch%20folder/a.cql"),
            false => ("/nosuch folder/a.cql", "file:///nosuch%20folder/a.cql"),
        };
        assert_eq!(artifact(Path::new(path)), json!({ "uri": expected }));
    }

    #[test]
    fn an_absolute_path_is_a_uri() {
        for (path, is_windows, uri) in [
            ("/q/a b:c.cql", false, "file:///q/a%20b%3Ac.cql"),
            ("C:/q/a b.cql", true, "file:///C:/q/a%20b.cql"),
            ("//?/C:/q/a.cql", true, "file:///C:/q/a.cql"),
            ("//server/share/a.cql", true, "file://server/share/a.cql"),
            ("//?/UNC/server/share/a.cql", true, "file://server/share/a.cql"),
        ] {
            assert_eq!(file_uri(path, is_windows), uri);
        }
    }
}
