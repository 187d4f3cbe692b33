//! `miri` and `thread-sanitizer`: tests that run where undefined behavior and races are found. Both
//! need a nightly compiler with the sources of the standard library.

use std::io::{self, Error};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::tools::{available, host, output, run};

/// The instructions of the processor that `babson_chess::processor` looks for. Miri has none that
/// are not named, and without them no `unsafe` code of the crate would run.
const EXTENSIONS: &str = "-Ctarget-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt";

/// The unit tests of a crate that Miri runs: those that end within minutes. It is some hundred
/// times slower than the program.
struct MiriTests {
    package: &'static str,
    /// Parts of their names.
    run: &'static [&'static str],
    /// Parts of the names of those among them that take too long.
    skip: &'static [&'static str],
}

const MIRI: [MiriTests; 2] = [
    MiriTests {
        package: "babson-chess",
        run: &[
            "our_leapers",
            "our_lines",
            "fens::",
            "make::",
            "odd_positions::",
            "piece::",
            "pieceid::",
            "polyglot_keys",
            "processor::",
            "san::tests::",
            "set::",
            "square::",
            "tests::variants::",
            "variant_names::",
        ],
        skip: &["games_are_written", "operators_are", "random_play"],
    },
    MiriTests {
        package: "babson-pgn",
        run: &[
            "comment",
            "early_result",
            "facts::",
            "game_hash",
            "needs::",
            "reader::",
            "scan::",
            "shown::",
            "signature::",
            "split_text::",
            "tags::",
            "token::",
            "write::",
        ],
        skip: &[
            "65_535_plies",
            "a_replayed_game",
            "annotations_are_bounded",
            "ends_in_a_space",
            "full_dates",
            "huge_game",
            "is_read_again",
            "longest_line",
            "of_the_corpus",
            "too_many_open_braces",
            "written_alike",
        ],
    },
];

/// The tests of the engine in which threads meet.
const THREADS: [&str; 6] = ["--test", "stop", "--test", "ledger", "--test", "enough"];

/// The folder of the builds, beside the builds of the ordinary compiler.
const BUILDS: &str = "target/sanitize";

/// Runs unit tests in Miri.
///
/// # Errors
/// A test fails, or Miri finds undefined behavior.
pub(crate) fn miri(root: &Path) -> io::Result<()> {
    for component in ["miri", "rust-src"] {
        if available(find_component(component))?.is_none() {
            return Ok(());
        }
    }
    for tests in MIRI {
        let package = tests.package;
        let in_miri = |words: &[&str]| {
            let mut command = nightly();
            command.args(["miri", "test", "--locked", "--package", package, "--lib", "--"]);
            // Some tests read files of the repository.
            command.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("RUSTFLAGS", EXTENSIONS);
            command.env("CARGO_TARGET_DIR", root.join(BUILDS)).current_dir(root).args(words);
            command
        };
        let list = output(&mut in_miri(&["--list", "--format=terse"]))?;
        let ignored = output(&mut in_miri(&["--list", "--format=terse", "--ignored"]))?;
        if let Some(part) = tests.idle_part(&list, &ignored) {
            let message = format!("the list of {package}: no test runs or is skipped by `{part}`");
            return Err(Error::other(message));
        }
        let skip = tests.skip.iter().flat_map(|part| ["--skip", part]);
        run(&mut in_miri(&tests.run.iter().copied().chain(skip).collect::<Vec<_>>()))?;
    }
    Ok(())
}

impl MiriTests {
    /// A part of a name that chooses no test, or skips none that is chosen: nobody would notice.
    fn idle_part(&self, list: &str, ignored: &str) -> Option<&'static str> {
        let names = |list| str::lines(list).filter_map(|line| line.strip_suffix(": test"));
        let ignored: Vec<&str> = names(ignored).collect();
        let all: Vec<&str> = names(list).filter(|name| !ignored.contains(name)).collect();
        let has = |name: &str, parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let chosen = all.into_iter().filter(|name| has(name, self.run));
        let (skipped, left): (Vec<&str>, Vec<&str>) = chosen.partition(|name| has(name, self.skip));
        let is_in = |names: &[&str], part: &str| names.iter().any(|name| name.contains(part));
        let idle = self.run.iter().find(|part| !is_in(&left, part));
        idle.or_else(|| self.skip.iter().find(|part| !is_in(&skipped, part))).copied()
    }
}

/// Runs the tests of threads of the engine with the thread sanitizer. The standard library is built
/// with it, too, since its locks would else look like races.
///
/// # Errors
/// A test fails, or there is a race.
pub(crate) fn threads(root: &Path) -> io::Result<()> {
    if available(find_component("rust-src"))?.is_none() {
        return Ok(());
    }
    let mut command = nightly();
    // With a target, the flags do not apply to build scripts.
    command.args(["test", "--locked", "-Zbuild-std", "--target", &host()?]);
    command.args(["--package", "babson-engine", "--lib"]).args(THREADS);
    command.env("RUSTFLAGS", "-Zsanitizer=thread");
    // As the system does: a test asks for more memory than there is.
    command.env("TSAN_OPTIONS", "allocator_may_return_null=1");
    run(command.env("CARGO_TARGET_DIR", root.join(BUILDS)).current_dir(root))
}

/// Whether the nightly compiler has a component, or how to install it.
fn find_component(name: &str) -> Result<(), String> {
    let list = ["component", "list", "--toolchain", "nightly", "--installed"];
    let output = Command::new("rustup").args(list).stderr(Stdio::null()).output();
    let installed = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    match installed {
        Ok(components) if components.lines().any(|line| line.starts_with(name)) => Ok(()),
        Ok(_) | Err(_) => Err(format!(
            "the nightly compiler has no {name}: rustup toolchain install nightly \
             --profile minimal --component miri,rust-src"
        )),
    }
}

/// Cargo of the nightly compiler. The cargo that runs this task must not choose the compiler.
fn nightly() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]);
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_a_name_chooses_or_skips_a_test() {
        let names = ["make::castling", "make::pawns", "words::scan", "search", "slow"];
        let list = names.map(|name| format!("{name}: test\n")).concat();
        let idle =
            |run, skip| MiriTests { package: "", run, skip }.idle_part(&list, "search: test\n");
        assert_eq!(idle(&["make::", "scan"], &["castling"]), None);
        assert_eq!(idle(&["make::", "unmake"], &[]), Some("unmake"));
        assert_eq!(idle(&["search"], &[]), Some("search"));
        assert_eq!(idle(&["test"], &[]), Some("test"));
        // All that it chooses is skipped.
        assert_eq!(idle(&["make::", "scan"], &["words"]), Some("scan"));
        // It is not chosen in the first place.
        assert_eq!(idle(&["scan"], &["slow"]), Some("slow"));
    }
}
