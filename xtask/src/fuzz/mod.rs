//! `fuzz`: hands the laws of docs/src/testing.md to libfuzzer, one after another, and writes a
//! table of what it did.

mod build;
mod hunt;
pub(crate) mod targets;

use std::io;
use std::path::Path;
use std::time::Duration;

use hunt::HuntEnd;
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
/// A law does not hold: the input is in `target/fuzz/NAME/crashes`. Or a target has tested no
/// input, or the build fails.
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
    let (mut crashes, mut failures) = (Vec::new(), Vec::new());
    for target in targets {
        let result = hunt::run(root, target, &tests, each)?;
        table.push_str(&format!("{result}\n"));
        match result.end {
            HuntEnd::Sound => {}
            HuntEnd::Crashes(files) => {
                crashes.extend(
                    files.into_iter().map(|file| format!("{}: {}", result.name, file.display())),
                );
            }
            HuntEnd::Failed(reason) => failures.push(format!("{}: {reason}", result.name)),
        }
        // A hunt that is stopped leaves the rows before.
        std::fs::write(build::folder(root).join("table.txt"), &table)?;
    }
    println!("{table}");
    let mut message = String::new();
    for (lines, head) in [
        (
            crashes,
            "laws do not hold for these inputs: mend the code, and put them into the corpora",
        ),
        (failures, "targets did not run; log.txt in the folder of each says more"),
    ] {
        if !lines.is_empty() {
            message.push_str(&format!("\n{head}\n  {}", lines.join("\n  ")));
        }
    }
    match message.is_empty() {
        true => Ok(()),
        false => Err(io::Error::other(message)),
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
