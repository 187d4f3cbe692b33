//! `fuzz`: hands the laws of docs/src/testing.md to libfuzzer, one after another, and writes a
//! table of what it did.

mod build;
mod hunt;
pub(crate) mod targets;

use std::io;
use std::path::Path;
use std::time::Duration;

use targets::{TARGETS, Target};

/// The words after `fuzz`.
pub(crate) struct FuzzOptions {
    /// The time of all targets together.
    time: Duration,
    target: Option<&'static Target>,
}

impl FuzzOptions {
    /// Reads `--minutes N` and `--target NAME`. `None` if a word is wrong.
    pub(crate) fn parse(words: &[&str]) -> Option<FuzzOptions> {
        let mut options = FuzzOptions { time: Duration::from_secs(60), target: None };
        let (pairs, rest) = words.as_chunks::<2>();
        for pair in pairs {
            match pair {
                ["--minutes", minutes] => {
                    let minutes: f64 = minutes.parse().ok()?;
                    options.time = Duration::try_from_secs_f64(60.0 * minutes).ok()?;
                }
                ["--target", name] => {
                    options.target = Some(TARGETS.iter().find(|target| target.name == *name)?);
                }
                _ => return None,
            }
        }
        rest.is_empty().then_some(options)
    }
}

/// Hunts with each target in turn, or with the one that is named. Prints the table and writes it to
/// `target/fuzz/table.txt`.
///
/// # Errors
/// A law does not hold: the input is in `target/fuzz/NAME/crashes`. Or the build fails.
pub(crate) fn run(root: &Path, options: &FuzzOptions) -> io::Result<()> {
    if let Some(reason) = build::missing() {
        return crate::tools::available::<()>(Err(reason)).map(|_| ());
    }
    let targets: &'static [Target] = match options.target {
        Some(target) => std::slice::from_ref(target),
        None => TARGETS,
    };
    let tests = build::tests(root, targets)?;
    let each = options.time.div_f64(targets.len() as f64).max(Duration::from_secs(1));
    let mut table = String::from(
        "| target | seconds | inputs | coverage | corpus | found |\n| --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    let mut found = 0;
    for target in targets {
        let result = hunt::run(root, target, &tests, each)?;
        found += usize::from(result.crash.is_some());
        table.push_str(&format!("{result}\n"));
    }
    println!("{table}");
    std::fs::write(build::folder(root).join("table.txt"), &table)?;
    match found {
        0 => Ok(()),
        found => Err(io::Error::other(format!(
            "{found} laws do not hold: mend the code, and put the input into the corpus of the target"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_task() {
        let parse = FuzzOptions::parse;
        assert_eq!(parse(&[]).unwrap().time, Duration::from_secs(60));
        let options = parse(&["--minutes", "0.5", "--target", "fen_text"]).unwrap();
        assert_eq!(options.time, Duration::from_secs(30));
        assert_eq!(options.target.map(|target| target.name), Some("fen_text"));
        for wrong in [
            &["--minutes"][..],
            &["--minutes", "-1"],
            &["--minutes", "x"],
            &["--target", "nosuch"],
            &["fen_text"],
        ] {
            assert!(parse(wrong).is_none(), "{wrong:?}");
        }
    }
}
