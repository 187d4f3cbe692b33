//! `platforms`: what one Linux machine can check for the other platforms. Tests run under Wine, by
//! qemu, as 32-bit programs and without shared libraries; the rest is compiled.

mod commands;
mod qemu;
mod requirements;
mod results;
pub(crate) mod targets;
mod wine;

use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::time::Instant;

use results::{Outcome, Row};
use targets::{PLATFORMS, Platform};

/// Checks the platforms of these names, or all of them. Prints the table and writes it to
/// `target/platforms/table.txt`. A platform for which this machine lacks a tool is skipped; with
/// `CI=true` that is an error.
///
/// # Errors
/// A name is not one of the table. A test fails, or the sources cannot be compiled.
pub(crate) fn run(root: &Path, names: &[&str]) -> io::Result<()> {
    let chosen = choose(names)?;
    let folder = folder(root);
    std::fs::create_dir_all(&folder).map_err(|error| crate::about(&folder, &error))?;
    let mut rows = Vec::new();
    for platform in chosen {
        let began = Instant::now();
        let outcome = match requirements::missing(root, platform)? {
            Some(reason) => {
                let reason = crate::tools::missing(reason)?;
                println!("{}: skipped: {reason}", platform.name);
                Outcome::Skipped(reason)
            }
            None => {
                println!("{}: the log is {}", platform.name, log(root, platform).display());
                commands::check(root, platform)?
            }
        };
        rows.push(Row { platform, outcome, seconds: began.elapsed().as_secs() });
        // What ends the task does not lose the rows before it.
        let path = folder.join("table.txt");
        let table = results::table(&rows);
        std::fs::write(&path, &table).map_err(|error| crate::about(&path, &error))?;
    }
    println!("\n{}", results::table(&rows));
    let failed: Vec<&str> =
        rows.iter().filter(|row| row.outcome.has_failed()).map(|row| row.platform.name).collect();
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Error::other(format!("failed: {}", failed.join(", ")))),
    }
}

/// The platforms of these names, in the order of the table; all of them if there is no name.
fn choose(names: &[&str]) -> io::Result<Vec<&'static Platform>> {
    let known = || PLATFORMS.iter().map(|platform| platform.name);
    if let Some(unknown) = names.iter().find(|name| !known().any(|known| known == **name)) {
        let known = known().collect::<Vec<_>>().join(", ");
        return Err(Error::other(format!("there is no platform `{unknown}`, only {known}")));
    }
    let is_chosen = |platform: &&Platform| names.is_empty() || names.contains(&platform.name);
    Ok(PLATFORMS.iter().filter(is_chosen).collect())
}

/// Where all of this task lies: a target folder of its own, since its options differ.
fn folder(root: &Path) -> PathBuf {
    root.join("target/platforms")
}

/// What cargo and the tests print for a platform.
fn log(root: &Path, platform: &Platform) -> PathBuf {
    folder(root).join(format!("{}.log", platform.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_are_chosen_by_name() {
        let names = |words: &[&str]| -> Result<Vec<&str>, String> {
            let chosen = choose(words).map_err(|error| error.to_string())?;
            Ok(chosen.into_iter().map(|platform| platform.name).collect())
        };
        assert_eq!(names(&[]).unwrap().len(), PLATFORMS.len());
        assert_eq!(names(&["musl", "windows"]).unwrap(), ["windows", "musl"]);
        let error = names(&["musl", "amiga"]).unwrap_err();
        assert!(error.starts_with("there is no platform `amiga`, only windows, "), "{error}");
    }

    /// The book has a row for each platform.
    #[test]
    fn the_book_lists_the_platforms() {
        let page = std::fs::read_to_string(crate::root().join("docs/src/testing.md")).unwrap();
        let (_, section) = page.split_once("\n## Platforms\n").unwrap();
        let section = section.split("\n## ").next().unwrap();
        for platform in PLATFORMS {
            let row = format!("\n| `{}` |", platform.name);
            assert!(section.contains(&row), "docs/src/testing.md has no row{row}");
        }
    }
}
