//! The law of project files: see docs/src/testing.md#laws.

use babson_arbitrary::{Choices, check_law};
use babson_project::ProjectFile;

/// A project file is read, or every problem has a place in its text.
fn holds_for_text(text: &str) {
    if let Err(problems) = ProjectFile::parse(text) {
        assert!(!problems.is_empty());
        for problem in problems {
            let (line, column) = problem.line_column(text);
            assert!(line <= text.lines().count() + 1 && column > 0, "{line}:{column}");
            assert!(!problem.message.is_empty());
        }
    }
}

#[test]
fn project_text() {
    check_law!("project_text", 2000, |bytes| holds_for_text(&String::from_utf8_lossy(bytes)));
}

/// Words of TOML and of project files in any order.
#[test]
fn project_words() {
    check_law!("project_words", 2000, |bytes| {
        let words = [
            "database",
            "queries",
            "imports",
            "dialect",
            "settings",
            "=",
            "[",
            "]",
            "[[",
            "]]",
            "{",
            "}",
            ",",
            "'games.pgn'",
            "\"cqli\"",
            "'cql6'",
            "'../lib'",
            "3",
            "true",
            "\n",
            "\n",
            "#",
            ".",
            "\"\\u00e9\"",
            "'''",
            "1979-05-27",
            "é",
            "\r\n",
            "threads",
            "''",
        ];
        let mut choices = Choices::new(bytes);
        let mut text = String::new();
        while !choices.is_over() && text.len() < 300 {
            text.push_str(choices.choose(&words));
            text.push_str(choices.choose(&["", " "]));
        }
        holds_for_text(&text);
    });
}
