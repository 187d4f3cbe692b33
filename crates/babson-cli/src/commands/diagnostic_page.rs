//! The help of the code of a diagnostic: `babson help E0107`.

use babson::diagnostic::{Code, CodeEntry, Example, Severity};
use babson::{Diagnostic, Dialect, Query, cql3};

use crate::config::ColorChoice;
use crate::render;
use crate::source::QuerySource;

/// The width of the text.
const WIDTH: usize = 80;

/// Title, explanation, the example with its diagnostic, and the mended example.
pub(super) fn diagnostic_page(code: Code) -> String {
    let CodeEntry { explanation, example, mended, .. } = code.entry();
    let kind = match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut page = format!("{kind} {code}: {}\n\n{}\n", code.title(), wrapped(explanation));
    match example {
        Example::Query(query) | Example::Cql6(query) | Example::Conversion(query) => {
            let dialect = if let Example::Cql6(_) = example { " (dialect cql6)" } else { "" };
            page += &format!("\nFor example{dialect}:\n\n{}", indented(query));
            if let Some(shown) = rendered(example, query, code) {
                page += &format!("\n{shown}\n");
            }
        }
        Example::Elsewhere(what) => page += &format!("\nFor example: {what}\n"),
    }
    if let Some(mended) = mended {
        page += &format!("\nMended:\n\n{}", indented(mended));
    }
    page
}

/// The line for a text that looks like a code but is not one; `None` if it does not look like one.
pub(super) fn unknown_code(topic: &str) -> Option<String> {
    let digits = topic.strip_prefix(['E', 'e', 'W', 'w'])?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let near: Vec<&str> = Code::near(topic).into_iter().map(Code::as_str).collect();
    let what = format!("'{topic}' is not the code of a diagnostic");
    Some(match near.as_slice() {
        [] => format!("{what}; a code is a letter and four digits, such as E0201"),
        near => format!("{what}; near it are {}", near.join(", ")),
    })
}

/// The diagnostic of the example, as a search prints it.
fn rendered(example: Example, query: &str, code: Code) -> Option<String> {
    let source = QuerySource::new("query", query, &[]).ok()?;
    let found = diagnostics(example, query).into_iter().find(|one| one.code == code)?;
    Some(render::diagnostic(&source, &found, ColorChoice::Never))
}

/// The errors of a query, or its warnings.
fn diagnostics(example: Example, query: &str) -> Vec<Diagnostic> {
    if let Example::Conversion(_) = example {
        return match cql3::to_modern(query) {
            Ok(modern) => modern.changes,
            Err(errors) => errors,
        };
    }
    let mut builder = Query::builder(query);
    if let Example::Cql6(_) = example {
        builder = builder.dialect(Dialect::CQL6);
    }
    match builder.analyze() {
        Ok(typed) => [typed.warnings(), typed.differences()].concat(),
        Err(error) => error.diagnostics().to_vec(),
    }
}

/// The lines of a query, two columns to the right.
fn indented(query: &str) -> String {
    query.lines().map(|line| format!("  {line}\n")).collect()
}

/// The text in lines of at most [`WIDTH`] columns.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_ascii_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_shows_its_diagnostic() {
        for &code in Code::ALL {
            let page = diagnostic_page(code);
            let is_shown = page.contains(&format!("[{code}]: "));
            let is_query = !matches!(code.entry().example, Example::Elsewhere(_));
            assert_eq!(is_shown, is_query, "{page}");
            assert!(page.ends_with('\n') && !page.contains("\n\n\n"), "{page}");
        }
    }

    #[test]
    fn text_is_wrapped() {
        let text = "word ".repeat(40);
        let lines = wrapped(text.trim());
        assert!(lines.lines().all(|line| line.len() <= WIDTH), "{lines}");
        assert_eq!(lines.replace('\n', " "), text.trim());
    }
}
