//! The tests of the language and the terms of their queries.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use babson_lang::Dialect;
use babson_lang::vocabulary;
use serde_json::Value;

use super::Coverage;
use crate::about;

#[derive(Default)]
pub(super) struct Tests {
    /// Tests that fail when a term means something else.
    pub(super) meaning: Coverage,
    /// Tests that something is an error.
    pub(super) refused: Coverage,
}

pub(super) fn read(root: &Path) -> io::Result<Tests> {
    let mut tests = Tests::default();
    let goldens = root.join("corpus/goldens");
    tests.language(&goldens.join("language.txt"))?;
    for path in files(&goldens, "jsonl")? {
        tests.goldens(&path)?;
    }
    for path in files(&root.join("corpus/queries"), "cql")? {
        let name = format!("queries.txt {}", stem(&path));
        let terms = vocabulary::used(&text(&path)?, Dialect::CQLI);
        tests.meaning.add(&terms, 3, &name);
    }
    // Only these crates run queries.
    for krate in
        ["babson-vm", "babson-input", "babson-engine", "babson-report", "babson", "babson-cli"]
    {
        for folder in ["src", "tests"] {
            tests.sources(&root.join("crates").join(krate).join(folder))?;
        }
    }
    Ok(tests)
}

impl Tests {
    /// Adds the lines of `language.txt`, except those whose result a wrong filter could have too.
    fn language(&mut self, path: &Path) -> io::Result<()> {
        for (number, line) in (1..).zip(text(path)?.lines()) {
            let parts = line
                .split_once(" | ")
                .and_then(|(fixture, rest)| Some((fixture, rest.rsplit_once(" |")?)));
            let Some((fixture, (query, expected))) = parts else {
                continue;
            };
            let dialect = match fixture.split(' ').next() {
                Some("cqli" | "both") => Dialect::CQLI,
                _ => Dialect::CQL6,
            };
            let terms = vocabulary::used(&query.replace('⏎', "\n"), dialect);
            let name = format!("language.txt:{number}");
            match expected.trim() {
                "ERROR" => self.refused.add(&terms, 0, &name),
                // Only filters that end a run can have this result.
                "ABORT" => self.meaning.add(&terms, 5, &name),
                expected if shows_nothing(expected) => {}
                // A value shows more than a match.
                "MATCH" => self.meaning.add(&terms, 2, &name),
                _ => self.meaning.add(&terms, 0, &name),
            }
        }
        Ok(())
    }

    /// Adds the golden cases of a file that have a query.
    fn goldens(&mut self, path: &Path) -> io::Result<()> {
        for line in text(path)?.lines().filter(|line| !line.trim().is_empty()) {
            let case: Value = serde_json::from_str(line)?;
            let (Some(id), Some(query)) = (case["id"].as_str(), case["query"].as_str()) else {
                continue;
            };
            let terms = match case["dialect"].as_str() {
                Some("cql3") => vocabulary::used_in_cql3(query),
                Some("cqli") => vocabulary::used(query, Dialect::CQLI),
                _ => vocabulary::used(query, Dialect::CQL6),
            };
            self.meaning.add(&terms, 1, &format!("{} {id}", stem(path)));
        }
        Ok(())
    }

    /// Adds the strings in the tests of a folder of sources.
    fn sources(&mut self, folder: &Path) -> io::Result<()> {
        if !folder.is_dir() {
            return Ok(());
        }
        for path in files(folder, "")? {
            if path.is_dir() {
                self.sources(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = text(&path)?;
                // A single word is not a query but a part of one.
                let strings = test_strings(&source).into_iter();
                for (test, string) in strings.filter(|(_, string)| string.contains(' ')) {
                    let terms = if string.trim_start().starts_with("(match") {
                        vocabulary::used_in_cql3(&string)
                    } else {
                        vocabulary::used(&string, Dialect::CQL6)
                    };
                    let name = format!("{} {test}", stem(&path));
                    self.meaning.add(&terms, 4, &name);
                }
            }
        }
        Ok(())
    }
}

/// Whether a filter that never matches would have this result too.
fn shows_nothing(expected: &str) -> bool {
    let counts = expected.strip_prefix("COUNTS ");
    matches!(expected, "" | "OK" | "FAIL" | "NOMATCH" | "IDS" | "SAYS" | "NOTES" | "<false>" | "[]")
        || counts.is_some_and(|counts| counts.split(' ').all(|count| matches!(count, "0" | "0/0")))
}

/// The string literals in the test functions of a source, each with the name of its function.
fn test_strings(source: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let (mut is_test, mut test) = (false, None);
    for line in source.lines() {
        let code = line.trim_start();
        if code.starts_with("#[test]") {
            is_test = true;
        } else if let Some(rest) = code.strip_prefix("fn ") {
            test = is_test.then(|| rest.split('(').next().unwrap_or(rest));
            is_test = false;
        }
        let Some(test) = test else { continue };
        let mut parts = code.split('"');
        let mut escaped = false;
        let mut string: Option<String> = None;
        parts.next();
        for part in parts {
            // A part between quotes is the rest of a string after `\"`, a string, or code.
            match string.take() {
                Some(begun) if escaped => string = Some(begun + "\"" + part),
                Some(whole) => {
                    found.push((test, whole.replace("\\n", "\n")));
                    continue;
                }
                None => string = Some(part.to_string()),
            }
            escaped = part.ends_with('\\');
            if escaped && let Some(string) = &mut string {
                string.pop();
            }
        }
    }
    found
}

/// The entries of a folder, sorted by name: all of them, or those with the extension.
fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| about(folder, &error))? {
        let path = entry?.path();
        if extension.is_empty() || path.extension().is_some_and(|found| found == extension) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn text(path: &Path) -> io::Result<String> {
    fs::read_to_string(path).map_err(|error| about(path, &error))
}

#[cfg(test)]
mod sources {
    use super::test_strings;

    #[test]
    fn an_expectation_that_nothing_matches_shows_nothing() {
        use super::shows_nothing;
        assert!(["NOMATCH", "IDS", "COUNTS 0/0 0/0"].into_iter().all(shows_nothing));
        assert!(!["MATCH", "IDS 0", "COUNTS 0 1", "0"].into_iter().any(shows_nothing));
    }

    #[test]
    fn strings_of_tests_are_found_with_the_names_of_the_tests() {
        let source = "fn help() { say(\"no\") }\n#[test]\nfn mates() {\n  f(\"mate\", \"a \\\"b\\\" c\");\n}\n";
        let found = test_strings(source);
        let strings: Vec<(&str, &str)> = found.iter().map(|(t, s)| (*t, s.as_str())).collect();
        assert_eq!(strings, [("mates", "mate"), ("mates", "a \"b\" c")]);
    }
}
