//! Maintenance tasks of the project: `cargo xtask TASK`.

#![forbid(unsafe_code)]
// A new variant must be thought of wherever its enum is matched.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod bench_table;
mod check_remote;
mod coverage;
mod datafusion;
mod editor;
mod fuzz;
mod goldens;
mod grammars;
mod metadata;
mod mutants;
mod notices;
mod npm;
mod own_workspace;
mod page;
mod parser;
mod platforms;
mod python;
mod release;
mod retro;
mod sanitize;
mod site;
mod source;
mod supply;
mod tokens;
mod tools;
mod wasm;

const HELP: &str = "\
usage: cargo xtask TASK

  goldens DIR          refresh corpus/goldens from the folder DIR of golden cases (*.jsonl):
                       the topics that we have already; name more topics after DIR to add them
  queries              run every query of corpus/queries and rewrite corpus/goldens/queries.txt
  parser               generate the parsers of both front ends from their grammars (lalrpop)
  grammars             write what editors know of the language from its tables: the TextMate grammar and the
                       snippets of VS Code, the words of the book's highlighter and of the page's editor
  check-editor         check the extension for VS Code and pack it into target/editors: types, the grammar
                       against the lexer, the view in Chromium, and a client that speaks with babson lsp;
                       without node it is skipped, unless CI=true
  page                 build the scripts and styles of the report and of the page of babson serve
                       from TypeScript; needs node 20 and npm
  check-page           compare these files with their sources, then play the scenes of the page in
                       Chromium; without node or Chromium it is skipped, unless CI=true
  site                 write the book and the playground as a static site into target/site; needs
                       mdbook, and what cargo xtask wasm builds
  coverage-table       for every word and symbol of the language print a test and the page of the
                       book that explains it; fails where one is missing
  check-remote         search files of an S3 store, moto, which it installs from PyPI into
                       target/check-remote: needs python3 and its venv
  bench-table [--pgn FILE] [--workloads DIR] [--rounds N] [--copies N] [--out FILE]
                       time the workloads on a PGN file (default: corpus/games/masters-2k.pgn) and
                       on its game table, on a table with N copies of the games, and the peers that
                       are installed; write the figures into the page FILE (default: docs/src/performance.md)
  fuzz [--minutes N] [--target NAME]
                       hand the laws of docs/src/testing.md to libfuzzer, one after another, for N
                       minutes in all (default: 1), or one of them; needs a C++ compiler, without
                       which it is skipped, unless CI=true
  miri                 run unit tests of babson-chess and babson-pgn in Miri, which finds undefined
                       behavior; skipped where the nightly compiler lacks it, unless CI=true
  thread-sanitizer     run the tests of the engine in which threads meet with the thread sanitizer;
                       skipped where the nightly compiler lacks rust-src, unless CI=true
  mutants [--shard K/N] [--file FILE] [CRATE...]
                       change the code of crates (default: babson-chess, babson-pgn,
                       babson-vm) in small ways; a test of the crate should notice each; writes the
                       table target/mutants/table.txt; skipped where cargo-mutants is missing, unless CI=true
  platforms [NAME…]    run the tests for Windows under Wine, for 64-bit ARM by qemu, for 32 bits and with musl,
                       compile for macOS and by the oldest Rust; write the table target/platforms/table.txt.
                       Names: windows, i686, aarch64, musl, macos, oldest-rust. A platform for which a tool is
                       missing is skipped, unless CI=true
  wasm                 build the library as WebAssembly into target/wasm, and the package of npm,
                       for browsers and for node, into target/npm; test both in node, against
                       the command; needs node and npm, and installs wasm-bindgen-cli and binaryen
                       into target/tools
  wheel                build the wheel of the Python package into target/wheels, and test it in new
                       environments, without and with the packages that it can use
  check-python         the format and the lints of the crate, the same tests without the optimizations of
                       a release, then the type checkers and the notebooks; without Python it is skipped,
                       unless CI=true
  check-spark          the package in Spark with a task that is killed, in Ray and in Dask; needs Java 17
  retro-soundness PGN  look at every position of every game of PGN with retro-analysis: each must
                       be reachable; and say what a position costs
  retro-soundness --random [PLIES]
                       the same with random play, ten million plies by default
  retro-sharpness PGN  the share of random boards, and of boards of PGN's games with two pieces
                       exchanged, that are proven unreachable: rewrites the table of
                       docs/src/retro.md
  install-tools NAME…  install subcommands of cargo that tasks need: cyclonedx, deb, deny, machete,
                       mutants, semver-checks
  supply               check the licenses, origins and versions of all dependencies (cargo-deny), and that
                       each is used (cargo-machete); skipped where the tools are missing, unless CI=true
  advisories           compare the locked versions with the known vulnerabilities; needs a network
  vendor-check         fetch all sources by cargo vendor, and build a copy of the commit without a network
  release [--dry-run] [--target TRIPLE] [--baseline REV] [STEP…]
                       make all that a release publishes in target/dist, by steps: version, crates,
                       semver, docs, archive, reproducible, deb, sbom, wheel, npm, vsix, install,
                       checksums, publish. --dry-run takes all of them, and publishes nothing
  notices [--target TRIPLE]
                       print the licenses of all that is linked into the command, as the archive of
                       a release has them; needs a compiler that rustup has installed
  check-datafusion     check the format of crates/babson-datafusion, lint it and test it; it is a workspace
                       of its own, which the other tests leave out";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["goldens", folder, ref topics @ ..] => {
            goldens::refresh(&root(), Path::new(folder), topics)
        }
        ["queries"] => goldens::count_queries(&root()),
        ["parser"] => parser::write(&root()),
        ["grammars"] => grammars::write(&root()),
        ["check-editor"] => editor::check(&root()),
        ["page"] => page::write(&root()),
        ["check-page"] => page::check(&root()),
        ["site"] => site::write(&root()),
        ["coverage-table"] => coverage::print(&root()),
        ["check-remote"] => check_remote::run(&root()),
        ["bench-table", ref options @ ..] => {
            match bench_table::BenchOptions::parse(&root(), options) {
                Some(options) => bench_table::run(&root(), &options),
                None => return help(),
            }
        }
        ["fuzz", ref options @ ..] => match fuzz::FuzzOptions::parse(options) {
            Some(options) => fuzz::run(&root(), &options),
            None => return help(),
        },
        ["miri"] => sanitize::miri(&root()),
        ["thread-sanitizer"] => sanitize::threads(&root()),
        ["mutants", ref options @ ..] => match mutants::MutantsOptions::parse(options) {
            Some(options) => mutants::run(&root(), &options),
            None => return help(),
        },
        ["platforms", ref names @ ..] => platforms::run(&root(), names),
        ["wasm"] => wasm::write(&root()),
        ["wheel"] => python::wheel(&root()),
        ["check-python"] => python::check(&root()),
        ["check-spark"] => python::check_spark(&root()),
        ["retro-soundness", "--random"] => retro::soundness::random(10_000_000),
        ["retro-soundness", "--random", plies] => match plies.parse() {
            Ok(plies) => retro::soundness::random(plies),
            Err(_) => return help(),
        },
        ["retro-soundness", pgn] => retro::soundness::games(Path::new(pgn)),
        ["install-tools", ref names @ ..] if !names.is_empty() => tools::install(names),
        ["supply"] => supply::check(&root()),
        ["advisories"] => supply::advisories(&root()),
        ["vendor-check"] => supply::vendor(&root()),
        ["release", ref options @ ..] => match release::ReleaseOptions::parse(options) {
            Some(options) => release::run(&root(), &options),
            None => return help(),
        },
        ["notices"] => tools::host().and_then(|host| print_notices(&host)),
        ["notices", "--target", target] => print_notices(target),
        ["check-datafusion"] => datafusion::check(&root()),
        ["retro-sharpness", pgn] => retro::sharpness::run(&root(), Path::new(pgn)),
        _ => return help(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the licenses of all that is linked into the command.
fn print_notices(target: &str) -> io::Result<()> {
    let notices = release::notices(&root(), target)?;
    io::stdout().write_all(notices.as_bytes())
}

fn help() -> ExitCode {
    eprintln!("{HELP}");
    ExitCode::from(2)
}

/// The root of the repository: the folder above this package.
fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// An error that says which file it was about.
fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
