//! What the checks have found, as a table.

use std::fmt;

use super::targets::{Platform, Runner, Work};

/// The result of a check.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Tested(TestCounts),
    /// Whether the sources could be compiled.
    Checked(bool),
    /// Why it was not made.
    Skipped(String),
}

impl Outcome {
    pub(super) fn has_failed(&self) -> bool {
        match self {
            Outcome::Tested(counts) => counts.failed > 0 || !counts.broken.is_empty(),
            Outcome::Checked(passed) => !passed,
            Outcome::Skipped(_) => false,
        }
    }
}

/// What the harness of Rust says of its tests, for all binaries together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TestCounts {
    pub(super) binaries: usize,
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) ignored: usize,
    /// What ended without a result: the build, or binaries that crashed or took too long.
    pub(super) broken: Vec<String>,
}

impl TestCounts {
    /// Of tests that could not be built.
    pub(super) fn without_build() -> TestCounts {
        TestCounts { broken: vec!["the build".to_owned()], ..TestCounts::default() }
    }

    /// Reads the log of `cargo test`.
    pub(super) fn of(log: &str) -> TestCounts {
        let mut counts = TestCounts::default();
        let mut running = None;
        for line in log.lines() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix("Running ") {
                counts.binaries += 1;
                counts.broken.extend(running.replace(name.to_owned()));
            } else if let Some(result) = line.strip_prefix("test result: ") {
                running = None;
                counts.passed += count(result, "passed");
                counts.failed += count(result, "failed");
                counts.ignored += count(result, "ignored");
            }
        }
        counts.broken.extend(running);
        counts
    }
}

/// The number before a word, as in `ok. 12 passed; 0 failed`.
fn count(result: &str, word: &str) -> usize {
    let words: Vec<&str> = result.split([' ', ';']).filter(|word| !word.is_empty()).collect();
    let number = words.windows(2).find(|pair| pair[1] == word).map(|pair| pair[0]);
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// A row of the table.
pub(super) struct Row {
    pub(super) platform: &'static Platform,
    pub(super) outcome: Outcome,
    pub(super) seconds: u64,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { platform, outcome, seconds } = self;
        let name = platform.name;
        match outcome {
            Outcome::Tested(TestCounts { binaries, passed, failed, ignored, broken }) => {
                let how = how(platform);
                let broken = match broken.len() {
                    0 => String::new(),
                    _ => format!(", without a result: {}", broken.join(", ")),
                };
                write!(
                    f,
                    "| `{name}` | {how} | {binaries} | {passed} | {failed}{broken} | {ignored} | \
                     {seconds} |"
                )
            }
            Outcome::Checked(passed) => {
                let failed = if *passed { "" } else { "failed" };
                write!(f, "| `{name}` | {} | | | {failed} | | {seconds} |", how(platform))
            }
            Outcome::Skipped(reason) => {
                write!(f, "| `{name}` | skipped: {reason} | | | | | |")
            }
        }
    }
}

/// How a platform is checked, in words.
fn how(platform: &Platform) -> &'static str {
    match &platform.work {
        Work::Tests(tests) => match tests.runner {
            Some(Runner::Wine) => "tests under Wine",
            Some(Runner::Qemu { .. }) => "tests under qemu",
            None if tests.is_static => "tests, without shared libraries",
            None => "tests",
        },
        Work::Check => "`cargo check`",
        Work::CheckWithOldestRust => "`cargo check` by the `rust-version`",
    }
}

/// The rows as a table of Markdown.
pub(super) fn table(rows: &[Row]) -> String {
    let head = "| platform | how | binaries | passed | failed | ignored | seconds |\n\
                | --- | --- | ---: | ---: | --- | ---: | ---: |\n";
    let rows: Vec<String> = rows.iter().map(|row| format!("{row}\n")).collect();
    head.to_owned() + &rows.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platforms::targets::PLATFORMS;

    const LOG: &str = "   Compiling babson-pgn v0.1.0\n\
        \x20    Running unittests src/lib.rs (target/deps/babson_pgn-1.exe)\n\nrunning 3 tests\n\
        test a ... ok\ntest result: FAILED. 2 passed; 1 failed; 4 ignored; 0 measured; 0 filtered out\n\
        \x20    Running tests/crash.rs (target/deps/crash-1.exe)\n\nrunning 2 tests\n\
        \x20    Running tests/reading.rs (target/deps/reading-1.exe)\n\nrunning 10 tests\n\
        test result: ok. 10 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";

    #[test]
    fn logs_are_counted() {
        let counts = TestCounts::of(LOG);
        let broken = vec!["tests/crash.rs (target/deps/crash-1.exe)".to_owned()];
        let expected = TestCounts { binaries: 3, passed: 12, failed: 1, ignored: 4, broken };
        assert_eq!(counts, expected);
        assert!(Outcome::Tested(counts).has_failed());
        let passing = "Running a\ntest result: ok. 1 passed; 0 failed; 0 ignored\n";
        assert!(!Outcome::Tested(TestCounts::of(passing)).has_failed());
        assert!(!Outcome::Skipped(String::new()).has_failed());
        assert!(Outcome::Checked(false).has_failed() && !Outcome::Checked(true).has_failed());
    }

    #[test]
    fn rows_of_the_table() {
        let rows = [
            Outcome::Tested(TestCounts::of(LOG)),
            Outcome::Skipped("there is no gcc".to_owned()),
            Outcome::Checked(true),
        ];
        let rows: Vec<Row> = rows
            .into_iter()
            .map(|outcome| Row { platform: &PLATFORMS[0], outcome, seconds: 7 })
            .collect();
        let shown = table(&rows);
        let lines: Vec<&str> = shown.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| `windows` | tests under Wine | 3 | 12 | 1, without a result: tests/crash.rs \
                 (target/deps/crash-1.exe) | 4 | 7 |",
                "| `windows` | skipped: there is no gcc | | | | | |",
                "| `windows` | tests under Wine | | |  | | 7 |",
            ]
        );
    }
}
