//! Whether a game of a large table takes as long as one of a small table.
//!
//! The large database holds the games many times. In each copy one of four names of players, events
//! and places is new, so that the dictionaries of the table grow as those of a real database do.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::measure::{Bench, query, workload_files};

/// A game may take so many times as long in the large table.
pub(super) const MAX_GROWTH: f64 = 1.05;

/// The tags whose values change from copy to copy.
const VARIED: [&[u8]; 4] = [b"[White \"", b"[Black \"", b"[Event \"", b"[Site \""];

/// The times of a workload on the table of the games and on that of their copies.
pub(super) struct GrowthTimes {
    pub(super) name: String,
    /// Processor nanoseconds of a game: in the small table and in the large one.
    pub(super) small: f64,
    pub(super) large: f64,
}

/// What was measured with copies of the games.
pub(super) struct Growth {
    pub(super) games: u64,
    pub(super) times: Vec<GrowthTimes>,
}

/// Measures the workloads of a folder on the games and on so many copies of them.
pub(super) fn measure(bench: &Bench, folder: &Path, copies: u32) -> io::Result<Growth> {
    let text = fs::read(&bench.pgn)?;
    let pgn = bench.scratch().join("copies.pgn");
    let mut file = BufWriter::new(File::create(&pgn)?);
    for copy in 0..copies {
        write_copy(&text, copy, &mut file)?;
    }
    file.into_inner()?.sync_all()?;
    let large = bench.of_copies(&pgn)?;
    fs::remove_file(&pgn)?;
    let mut times = Vec::new();
    for (name, file) in workload_files(folder)? {
        let query = query(&name, &file);
        let small = small_time(bench, &query)?;
        let (seconds, _) = large.search(&large.table, &query)?;
        let large = 1e9 * seconds / large.games as f64;
        eprintln!("{name}: {large:.0} ns a game of {copies} copies, {small:.0} of one");
        times.push(GrowthTimes { name, small, large });
    }
    Ok(Growth { games: large.games, times })
}

/// The time of a game in the small table, in nanoseconds: of as many searches as there are rounds.
fn small_time(bench: &Bench, query: &[&OsStr]) -> io::Result<f64> {
    let mut seconds = 0.0;
    for _ in 0..bench.rounds {
        seconds += bench.search(&bench.table, query)?.0;
    }
    Ok(1e9 * seconds / (bench.rounds as f64 * bench.games as f64))
}

/// Writes a copy of games, in which every fourth of the varied tags has the number of the copy.
/// The first copy is as the games are.
pub(super) fn write_copy(text: &[u8], copy: u32, out: &mut impl Write) -> io::Result<()> {
    let mut seen = 0_u64;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_varied = copy > 0 && VARIED.iter().any(|tag| line.starts_with(tag));
        seen += u64::from(is_varied);
        match line
            .iter()
            .rposition(|&byte| byte == b'"')
            .filter(|_| is_varied && seen.is_multiple_of(4))
        {
            Some(end) => {
                out.write_all(&line[..end])?;
                write!(out, " {copy}")?;
                out.write_all(&line[end..])?;
            }
            None => out.write_all(line)?,
        }
    }
    // The next copy begins a game.
    out.write_all(b"\n\n")
}
