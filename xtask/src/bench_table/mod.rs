//! `cargo xtask bench-table`: the workloads on a PGN file and on its game table, beside the peers
//! that are installed, as the figures of a page of the book.
//!
//! The flow: `measure` runs the programs, `figures` computes with the times, `page` writes the
//! blocks of the page. The text around the blocks is written by people and stays.

mod cpu_time;
mod figures;
mod growth;
mod machine;
mod measure;
mod page;
mod peers;

#[cfg(test)]
mod tests;

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::about;
use crate::tools;
use figures::Figures;
use growth::Growth;
use measure::Bench;
use peers::Peers;

/// The page with the figures, and with the text around them for a page that does not exist yet.
const PAGE: &str = "docs/src/performance.md";

/// All that the page has figures of.
struct Measured {
    /// The machine, the versions and the games, an item each.
    machine: Vec<String>,
    figures: Figures,
    /// `None` if there was no large table.
    growth: Option<Growth>,
    peers: Peers,
}

/// What the command line says.
pub(crate) struct BenchOptions {
    pgn: PathBuf,
    workloads: PathBuf,
    out: PathBuf,
    rounds: usize,
    /// How often the games stand in the large table. With 1 there is none.
    copies: u32,
}

impl BenchOptions {
    /// Reads the words after the name of the task; `None` if they are wrong.
    pub(crate) fn parse(root: &Path, words: &[&str]) -> Option<BenchOptions> {
        let mut options = BenchOptions {
            pgn: root.join("corpus/games/masters-2k.pgn"),
            workloads: root.join("benches/workloads"),
            out: root.join(PAGE),
            rounds: 5,
            copies: 1,
        };
        for pair in words.chunks(2) {
            match *pair {
                ["--pgn", file] => options.pgn = file.into(),
                ["--workloads", folder] => options.workloads = folder.into(),
                ["--out", file] => options.out = file.into(),
                ["--rounds", rounds] => {
                    options.rounds = rounds.parse().ok().filter(|rounds| *rounds > 0)?;
                }
                ["--copies", copies] => {
                    options.copies = copies.parse().ok().filter(|copies| *copies > 0)?;
                }
                _ => return None,
            }
        }
        Some(options)
    }
}

/// Builds the release command and says where it lies.
pub(crate) fn release_binary(root: &Path) -> io::Result<PathBuf> {
    tools::run(tools::cargo().args(["build", "--release", "-p", "babson-cli"]).current_dir(root))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(root.join(target).join("release/babson"))
}

/// Measures and rewrites the figures of the page. `BABSON` names a binary that is measured instead
/// of the release build.
pub(crate) fn run(root: &Path, options: &BenchOptions) -> io::Result<()> {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| about(path, &error));
    let before = match options.out.exists() {
        true => read(&options.out)?,
        false => read(&root.join(PAGE))?,
    };
    // A page that has no place for the figures is found before they are measured.
    page::with_blocks(&before, |_| String::new())?;
    let babson = match env::var_os("BABSON") {
        Some(binary) => env::current_dir()?.join(binary),
        None => release_binary(root)?,
    };
    let bench = Bench::new(babson, &options.pgn, options.rounds)?;
    let machine = machine::description(root, &bench)?;
    let figures = bench.workloads(&options.workloads)?;
    let growth = match options.copies {
        1 => None,
        copies => Some(growth::measure(&bench, &options.workloads, copies)?),
    };
    let peers = peers::measure(&bench)?;
    let measured = Measured { machine, figures, growth, peers };
    let text = page::with_blocks(&before, |block| page::block(block, &measured))?;
    fs::write(&options.out, text).map_err(|error| about(&options.out, &error))?;
    println!("{}", options.out.display());
    Ok(())
}
