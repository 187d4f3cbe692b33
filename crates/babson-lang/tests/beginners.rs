//! The wrong queries of beginners in `corpus/mistakes/beginners.txt`: each message and each fix,
//! and what the first fixes lead to. The page `docs/src/first-mistakes.md` ends with a row for each
//! query.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus and the book")]

mod offered;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use babson_lang::diagnostic::Severity;
use babson_lang::{Diagnostic, Dialect};
use offered::offered;

/// More fixes than any of the queries needs.
const MAX_ROUNDS: usize = 8;

/// A block of the file.
#[derive(Default)]
struct Mistake {
    theme: String,
    /// What the author looks for.
    wish: String,
    query: String,
    /// The query that was meant; empty if no fix can know it.
    meant: String,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn mistakes() -> Vec<Mistake> {
    let text = fs::read_to_string(repository().join("corpus/mistakes/beginners.txt")).unwrap();
    let mut theme = String::new();
    let mut found = Vec::new();
    for block in text.split("\n\n") {
        let lines = |mark: &str| {
            let lines = block.lines().filter_map(|line| line.strip_prefix(mark));
            lines.collect::<Vec<_>>().join("\n")
        };
        if block.starts_with("## ") {
            theme = lines("## ");
        } else if block.starts_with("? ") {
            let (wish, query, meant) = (lines("? "), lines("> "), lines("= "));
            found.push(Mistake { theme: theme.clone(), wish, query, meant });
        }
    }
    found
}

/// The queries that the first fixes lead to, each with its diagnostics.
fn rounds(query: &str) -> Vec<(String, Vec<Diagnostic>)> {
    let mut rounds = Vec::new();
    let mut text = query.to_owned();
    while rounds.len() < MAX_ROUNDS {
        let found = offered(&text, Dialect::CQLI);
        let fix = found.iter().flat_map(|one| &one.fixes).next();
        let fixed = fix.map(|fix| fix.apply(&text).unwrap());
        rounds.push((std::mem::take(&mut text), found));
        match fixed {
            Some(fixed) => text = fixed,
            None => break,
        }
    }
    rounds
}

#[test]
fn each_query_gets_help() {
    let mistakes = mistakes();
    assert!(mistakes.len() >= 50);
    let mut shown = String::new();
    for Mistake { theme, wish, query, .. } in &mistakes {
        writeln!(shown, "{theme}: {wish}").unwrap();
        for (text, found) in rounds(query) {
            writeln!(shown, "  {}", text.replace('\n', "\n  ")).unwrap();
            for one in found {
                writeln!(shown, "    {} {}", one.code, one.message).unwrap();
                writeln!(shown, "      help: {}", one.help.as_deref().unwrap_or("none")).unwrap();
                for fix in &one.fixes {
                    let arrow = if fix.certain { "=>" } else { "->" };
                    let fixed = fix.apply(&text).unwrap().replace('\n', "⏎");
                    writeln!(shown, "      {arrow} {fixed}    [{}]", fix.title).unwrap();
                }
            }
        }
        shown.push('\n');
    }
    insta::assert_snapshot!(shown);
}

/// The first fixes lead to the query that was meant, or to none if no fix can know it. Each first
/// message has a help.
#[test]
fn the_fixes_lead_to_what_was_meant() {
    let mut failures = Vec::new();
    for Mistake { query, meant, .. } in mistakes() {
        let rounds = rounds(&query);
        let (last, left) = rounds.last().unwrap();
        let is_mended = left.iter().all(|one| one.severity() == Severity::Warning);
        let expected = if meant.is_empty() { &query } else { &meant };
        if last != expected || meant.is_empty() == is_mended {
            failures.push(format!("{query}\n  leads to {last}\n  instead of {expected}"));
        }
        let helpless = rounds[0].1.iter().find(|one| one.help.is_none());
        failures.extend(helpless.map(|one| format!("{query}\n  {one}: no help")));
        if rounds[0].1.is_empty() {
            failures.push(format!("{query}\n  no message"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The text as code in a cell of a table.
fn cell(text: &str) -> String {
    let lines = text.lines().map(|line| format!("`{}`", line.replace('|', "\\|")));
    lines.collect::<Vec<_>>().join("<br>")
}

/// A mismatch writes the page that is right into the folder for temporary files of Cargo.
#[test]
fn the_page_has_each_query() {
    let codes = babson_book::DIAGNOSTICS.path.trim_start_matches("docs/src/");
    let mut tables = String::new();
    let mut last = String::new();
    for Mistake { theme, query, .. } in mistakes() {
        if theme != last {
            write!(tables, "\n## {theme}\n\n").unwrap();
            tables += "| you write | Babson says | after the fixes |\n| --- | --- | --- |\n";
            last = theme;
        }
        let rounds = rounds(&query);
        let Some(first) = rounds[0].1.first() else { panic!("{query}: no message") };
        let anchor = first.code.as_str().to_lowercase();
        let link = format!("[{}]({codes}#{anchor})", first.code);
        let help = first.help.as_ref().map(|help| format!("<br>help: {help}")).unwrap_or_default();
        let says = format!("{}{help}", first.message).replace('|', "\\|");
        let fixed = rounds.last().map(|(text, _)| cell(text)).filter(|_| rounds.len() > 1);
        let fixed = fixed.unwrap_or_else(|| "no fix".to_owned());
        writeln!(tables, "| {} | {link} {says} | {fixed} |", cell(&query)).unwrap();
    }
    let path = repository().join("docs/src/first-mistakes.md");
    let page = fs::read_to_string(&path).unwrap();
    if !page.ends_with(&tables) {
        let intro = page.split("\n## ").next().unwrap_or_default();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let right = folder.join(path.file_name().unwrap());
        fs::write(&right, format!("{}\n{tables}", intro.trim_end())).unwrap();
        panic!("{} differs from {}", path.display(), right.display());
    }
}
