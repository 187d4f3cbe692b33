//! The exceptions of the package, and what becomes one.

use arrow_schema::ArrowError;
use babson::why::WhyError;
use babson::{CompileError, Diagnostic, Error, RuntimeError, Stopped};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::spans::CharSpans;

mod classes {
    pyo3::import_exception!(babson._errors, Error);
    pyo3::import_exception!(babson._errors, QueryError);
    pyo3::import_exception!(babson._errors, InputError);
    pyo3::import_exception!(babson._errors, LimitError);
    pyo3::import_exception!(babson._errors, DataWarning);
}
pub(crate) use classes::{DataWarning, InputError, LimitError, QueryError};

/// `babson.Error`, under another name than the errors of the library.
pub(crate) type PlainError = classes::Error;

/// Adds a note to an exception, where Python has notes (3.11 and later).
pub(crate) fn add_note(py: Python<'_>, error: &PyErr, note: &str) {
    // Python 3.10 has no notes, and an exception without its note is still the exception.
    let _ = error.value(py).call_method1("add_note", (note,));
}

/// The exception of columns that Arrow refuses.
pub(crate) fn arrow_error(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The exception of a query that is wrong. The spans are indexes into `text`, the query as it was
/// given.
pub(crate) fn query_error(py: Python<'_>, error: &CompileError, text: &str) -> PyErr {
    let diagnostics = match diagnostics(py, error.diagnostics(), text) {
        Ok(diagnostics) => diagnostics,
        Err(error) => return error,
    };
    let raised = QueryError::new_err((error.to_string(), diagnostics.unbind()));
    for diagnostic in error.diagnostics() {
        add_note(py, &raised, &pointer(diagnostic, text));
    }
    raised
}

/// The exception of errors of a text that is only read as tokens.
pub(crate) fn text_error(py: Python<'_>, errors: &[Diagnostic], text: &str) -> PyErr {
    let listed = match diagnostics(py, errors, text) {
        Ok(listed) => listed,
        Err(error) => return error,
    };
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    let raised = QueryError::new_err((messages.join("\n"), listed.unbind()));
    for error in errors {
        add_note(py, &raised, &pointer(error, text));
    }
    raised
}

/// Diagnostics as Python has them.
pub(crate) fn diagnostics<'py>(
    py: Python<'py>,
    list: &[Diagnostic],
    text: &str,
) -> PyResult<Bound<'py, PyList>> {
    let class = py.import("babson._errors")?.getattr("Diagnostic")?;
    let spans = CharSpans::new(text);
    let made = PyList::empty(py);
    for diagnostic in list {
        let severity = match diagnostic.severity() {
            babson::diagnostic::Severity::Error => "error",
            babson::diagnostic::Severity::Warning => "warning",
        };
        let code = diagnostic.code.to_string();
        let span = spans.of(diagnostic.span);
        let help = diagnostic.help.as_deref();
        made.append(class.call1((code, severity, diagnostic.message.as_str(), span, help))?)?;
    }
    Ok(made)
}

/// The line of a diagnostic with its place below, and the help.
fn pointer(diagnostic: &Diagnostic, text: &str) -> String {
    let at = (diagnostic.span.start as usize).min(text.len());
    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let before = text[start..at].chars().map(|c| if c == '\t' { '\t' } else { ' ' });
    let marked = diagnostic.span.text(text).lines().next().unwrap_or_default().chars().count();
    let mut note =
        format!("  {line}\n  {}{}", String::from_iter(before), "^".repeat(marked.max(1)));
    if let Some(label) = &diagnostic.label {
        note.push(' ');
        note.push_str(label);
    }
    if let Some(help) = &diagnostic.help {
        note.push_str("\nhelp: ");
        note.push_str(help);
    }
    note
}

/// The exception of a scan that failed.
pub(crate) fn scan_error(error: Error) -> PyErr {
    match error {
        Error::Input(error) => InputError::new_err(error.to_string()),
        Error::Stopped { stopped: Stopped::Deadline, games } => {
            LimitError::new_err(format!("the timeout was reached after {games} games"))
        }
        error => PlainError::new_err(error.to_string()),
    }
}

/// The exception of an evaluation that failed.
pub(crate) fn runtime_error(error: &RuntimeError) -> PyErr {
    match error.limit {
        Some(_) => LimitError::new_err(error.to_string()),
        None => PlainError::new_err(error.to_string()),
    }
}

/// The exception of a question that has no answer.
pub(crate) fn why_error(error: WhyError) -> PyErr {
    match error {
        WhyError::Scan(error) => scan_error(error),
        WhyError::Runtime(error) => runtime_error(&error),
        error @ (WhyError::NoSuchGame { .. } | WhyError::NoSuchPly { .. }) => {
            InputError::new_err(error.to_string())
        }
        error => PlainError::new_err(error.to_string()),
    }
}
