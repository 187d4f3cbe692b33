//! `mutants`: makes small changes to the code of crates, and a test should notice every one. The
//! file `.cargo/mutants.toml` says what cargo-mutants may change, and why a change that no test
//! notices is right.

use std::fmt;
use std::fs;
use std::io::{self, Error};
use std::path::Path;

use serde_json::Value;

use crate::tools::{available, cargo, find_cargo_tool};

/// The crates that are changed if none is named.
const CRATES: [&str; 3] = ["babson-chess", "babson-pgn", "babson-vm"];

/// The most seconds that a changed crate is compiled: some changes make the compiler evaluate a
/// loop without an end.
const MAX_BUILD: &str = "300";

/// The options of the task.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct MutantsOptions {
    crates: Vec<String>,
    files: Vec<String>,
    /// A part of the changes, as cargo-mutants writes it: `0/8` is every eighth, from the first on.
    shard: Option<String>,
}

impl MutantsOptions {
    /// Reads the words after the name of the task.
    pub(crate) fn parse(words: &[&str]) -> Option<MutantsOptions> {
        let mut options = MutantsOptions::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--file" => options.files.push((*words.next()?).to_owned()),
                "--shard" => options.shard = Some((*words.next()?).to_owned()),
                word if word.starts_with('-') => return None,
                name => options.crates.push(name.to_owned()),
            }
        }
        Some(options)
    }
}

/// What became of the changes of a crate, a row of the table.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    package: String,
    caught: usize,
    missed: usize,
    /// Those that are not Rust, such as a value without a default.
    unviable: usize,
    /// Those with which a test, or the compiler, does not end.
    timeout: usize,
}

impl Tally {
    /// Counts the outcomes that cargo-mutants has written, of these changes if they are named.
    fn of(package: &str, outcomes: &Value, names: Option<&[String]>) -> Tally {
        let mut tally = Tally { package: package.to_owned(), ..Tally::default() };
        for outcome in outcomes["outcomes"].as_array().into_iter().flatten() {
            let name = outcome["scenario"]["Mutant"]["name"].as_str();
            if names.is_some_and(|names| !names.iter().any(|it| name == Some(it))) {
                continue;
            }
            match outcome["summary"].as_str() {
                Some("CaughtMutant") => tally.caught += 1,
                Some("MissedMutant") => tally.missed += 1,
                Some("Unviable") => tally.unviable += 1,
                Some("Timeout") => tally.timeout += 1,
                // The tests without a change.
                Some(_) | None => {}
            }
        }
        tally
    }

    /// The number of changes.
    fn all(&self) -> usize {
        let Tally { package: _, caught, missed, unviable, timeout } = self;
        caught + missed + unviable + timeout
    }

    /// The counts after those that were missed have been tried again.
    fn tried_again(self, again: &Tally) -> Tally {
        Tally {
            caught: self.caught + again.caught,
            missed: again.missed,
            unviable: self.unviable + again.unviable,
            timeout: self.timeout + again.timeout,
            ..self
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { package, caught, missed, unviable, timeout } = self;
        let all = self.all();
        write!(f, "| `{package}` | {all} | {caught} | {missed} | {unviable} | {timeout} |")
    }
}

const HEAD: &str = "| crate | mutants | caught | missed | unviable | timeout |\n\
                    | --- | ---: | ---: | ---: | ---: | ---: |";

/// Tests the changes of the crates and writes the table into `target/mutants/table.txt`. Most
/// changes are noticed by a unit test. What none notices is tried again with all tests of the
/// crate, whose compilation takes longer.
///
/// # Errors
/// A change is missed, or the tests fail without one.
pub(crate) fn run(root: &Path, options: &MutantsOptions) -> io::Result<()> {
    if available(find_cargo_tool("mutants"))?.is_none() {
        return Ok(());
    }
    let folder = root.join("target/mutants");
    let named: Vec<&str> = options.crates.iter().map(String::as_str).collect();
    let crates = if named.is_empty() { &CRATES[..] } else { &named };
    let (mut table, mut missed, mut all) = (format!("{HEAD}\n"), Vec::new(), 0);
    for package in crates {
        let mut words = vec!["--cargo-arg", "--lib"];
        words.extend(options.files.iter().flat_map(|file| ["--file", file]));
        if let Some(shard) = &options.shard {
            // Each part has changes of all files.
            words.extend(["--shard", shard, "--sharding", "round-robin"]);
        }
        let out = folder.join(package);
        let outcomes = try_changes(root, package, &words, &out.join("unit-tests"))?;
        let mut tally = Tally::of(package, &outcomes, None);
        let rest = missed_in(&outcomes);
        if !rest.is_empty() {
            let names = rest.iter().map(|name| format!("^{}$", regex::escape(name)));
            let words: Vec<String> = names.flat_map(|name| ["--re".to_owned(), name]).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let outcomes = try_changes(root, package, &words, &out.join("all-tests"))?;
            // It also tries each deletion of a field, whatever the patterns say.
            let again = Tally::of(package, &outcomes, Some(&rest));
            let (tried, count) = (again.all(), rest.len());
            if tried != count {
                let message = format!("{tried} of {count} changes of {package} were tried again");
                return Err(Error::other(message));
            }
            tally = tally.tried_again(&again);
            missed.extend(missed_in(&outcomes).into_iter().filter(|name| rest.contains(name)));
        }
        all += tally.all();
        table.push_str(&format!("{tally}\n"));
        // What ends the task does not lose the rows before it.
        fs::write(folder.join("table.txt"), &table)?;
    }
    print!("{table}");
    for name in &missed {
        println!("{name}");
    }
    match missed.len() {
        0 if all == 0 => Err(Error::other("there is nothing to change")),
        0 => Ok(()),
        missed => Err(Error::other(format!("no test notices {missed} changes"))),
    }
}

/// The names of the changes that no test has noticed.
fn missed_in(outcomes: &Value) -> Vec<String> {
    let outcomes = outcomes["outcomes"].as_array().into_iter().flatten();
    let missed = outcomes.filter(|outcome| outcome["summary"] == "MissedMutant");
    missed.filter_map(|it| it["scenario"]["Mutant"]["name"].as_str().map(str::to_owned)).collect()
}

/// Runs cargo-mutants on a crate. Returns what it has written about each change; nothing if there
/// is nothing to change, such as in a file of another crate.
fn try_changes(root: &Path, package: &str, words: &[&str], out: &Path) -> io::Result<Value> {
    // The outcomes of an earlier run would be taken for new ones.
    let written = out.join("mutants.out");
    if written.exists() {
        fs::remove_dir_all(&written).map_err(|error| crate::about(&written, &error))?;
    }
    fs::create_dir_all(out).map_err(|error| crate::about(out, &error))?;
    let mut command = cargo();
    command.args(["mutants", "--package", package, "--build-timeout", MAX_BUILD]).args(words);
    // Only changed code is compiled again.
    command.arg("--output").arg(out).env("CARGO_INCREMENTAL", "1").current_dir(root);
    let status = command.status()?;
    // It ends with an error if a change is missed, or if a test does not end.
    if !matches!(status.code(), Some(0 | 2 | 3)) {
        return Err(Error::other(format!("cargo mutants of {package}: {status}")));
    }
    let outcomes = written.join("outcomes.json");
    match outcomes.is_file() {
        true => serde_json::from_str(&read(&outcomes)?).map_err(Error::other),
        false => Ok(Value::Null),
    }
}

fn read(path: &Path) -> io::Result<String> {
    fs::read_to_string(path).map_err(|error| crate::about(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_counted() {
        let of = |(summary, name): (&str, &str)| {
            let scenario = serde_json::json!({ "Mutant": { "name": name } });
            serde_json::json!({ "summary": summary, "scenario": scenario })
        };
        let outcomes = [
            ("CaughtMutant", "a"),
            ("MissedMutant", "b"),
            ("Unviable", "c"),
            ("CaughtMutant", "d"),
            ("Timeout", "e"),
        ];
        let baseline = serde_json::json!({ "summary": "Success", "scenario": "Baseline" });
        let outcomes: Vec<Value> = [baseline].into_iter().chain(outcomes.map(of)).collect();
        let outcomes = serde_json::json!({ "outcomes": outcomes });
        let tally = Tally::of("babson-pgn", &outcomes, None);
        assert_eq!(tally.to_string(), "| `babson-pgn` | 5 | 2 | 1 | 1 | 1 |");
        assert_eq!(missed_in(&outcomes), ["b"]);
        let names = ["b", "c"].map(str::to_owned);
        let some = Tally::of("babson-pgn", &outcomes, Some(&names));
        assert_eq!((some.all(), some.missed, some.unviable), (2, 1, 1));
        let before = Tally { caught: 2, missed: 10, unviable: 3, timeout: 1, ..tally };
        let again = Tally { caught: 5, missed: 2, unviable: 1, timeout: 2, ..Tally::default() };
        let tally = before.tried_again(&again);
        assert_eq!(tally.to_string(), "| `babson-pgn` | 16 | 7 | 2 | 4 | 3 |");
    }

    /// A change that is left out by its line and column is still there.
    #[test]
    fn exclusions_name_what_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let config: toml::Table = read(&root.join(".cargo/mutants.toml")).unwrap().parse().unwrap();
        let mut found = 0;
        for excluded in config["exclude_re"].as_array().unwrap() {
            let excluded = excluded.as_str().unwrap().replace('\\', "");
            let Some((place, change)) = excluded.split_once(": replace ") else { continue };
            let mut parts = place.split(':');
            let (path, line, column) = (parts.next(), parts.next(), parts.next());
            let number = |part: Option<&str>| part?.parse::<usize>().ok();
            let (Some(line), Some(column)) = (number(line), number(column)) else { continue };
            let source = read(&root.join("crates").join(path.unwrap())).unwrap();
            let (operator, _) = change.split_once(' ').unwrap();
            let at = source.lines().nth(line - 1).unwrap().get(column - 1..);
            assert!(at.is_some_and(|text| text.starts_with(operator)), "{excluded}");
            found += 1;
        }
        assert!(found > 4);
    }

    #[test]
    fn options_are_read() {
        let words = ["babson-pgn", "--shard", "0/8", "--file", "a.rs", "--file", "b.rs"];
        let options = MutantsOptions::parse(&words).unwrap();
        assert_eq!((options.crates.len(), options.files.len()), (1, 2));
        assert_eq!(options.shard.as_deref(), Some("0/8"));
        for words in [&["--shard"][..], &["--jobs", "2"]] {
            assert_eq!(MutantsOptions::parse(words), None);
        }
    }
}
