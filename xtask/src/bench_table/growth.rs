//! Whether a game of a large table takes as long as one of a small table.
//!
//! The large table holds the games many times. A game has four names: of its two players, of the
//! event and of the place. Each copy of a game after the first has a new text for one of them, so
//! that the dictionaries of the table grow as in a real database. The start of the process is
//! measured with an empty table and subtracted: otherwise it would hide that a game takes longer.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::figures::pairwise_ratio;
use super::measure::{Bench, query, workload_files};

/// The largest accepted ratio: the time of a game in the large table, divided by the time in the
/// small one.
pub(super) const MAX_GROWTH: f64 = 1.05;

/// The tags whose values change from copy to copy.
const VARIED: [&[u8]; 4] = [b"[White \"", b"[Black \"", b"[Event \"", b"[Site \""];

/// The times of a workload on the small table, which has the games once, and on the large one.
pub(super) struct GrowthTimes {
    pub(super) name: String,
    /// Processor nanoseconds of a game in each round: in the small table and in the large one.
    pub(super) small: Vec<f64>,
    pub(super) large: Vec<f64>,
}

impl GrowthTimes {
    /// How many times as long a game of the large table takes.
    pub(super) fn ratio(&self) -> f64 {
        pairwise_ratio(&self.large, &self.small)
    }
}

/// What was measured with copies of the games.
pub(super) struct Growth {
    pub(super) games: u64,
    pub(super) times: Vec<GrowthTimes>,
}

/// Measures the workloads of a folder on a table of the games and on a table that has them `copies`
/// times.
pub(super) fn measure(bench: &Bench, folder: &Path, copies: u32) -> io::Result<Growth> {
    let text = fs::read(&bench.pgn)?;
    let copied = |copies: u32| {
        let pgn = bench.scratch().join("copies.pgn");
        let mut file = BufWriter::new(File::create(&pgn)?);
        for copy in 0..copies {
            write_copy(&text, copy, &mut file)?;
        }
        file.into_inner()?.sync_all()?;
        let table = bench.of_copies(&pgn)?;
        fs::remove_file(&pgn)?;
        io::Result::Ok(table)
    };
    let (empty, large) = (copied(0)?, copied(copies)?);
    let mut times = Vec::new();
    for (name, file) in workload_files(folder)? {
        let query = query(&name, &file);
        let mut measured = GrowthTimes { name, small: Vec::new(), large: Vec::new() };
        for round in 0..=bench.rounds {
            let [start, small, large_time] =
                [&empty, bench, &large].map(|table| table.search(&table.table, &query));
            let (start, small, large_time) = (start?.0, small?.0, large_time?.0);
            // The first round warms up.
            if round > 0 {
                measured.small.push(1e9 * (small - start) / bench.games as f64);
                measured.large.push(1e9 * (large_time - start) / large.games as f64);
            }
        }
        eprintln!("{}: {:.2} times as long in {copies} copies", measured.name, measured.ratio());
        times.push(measured);
    }
    Ok(Growth { games: large.games, times })
}

/// Writes one copy of the games. In every copy but the first, one of the four tags of each game
/// ends with the number of the copy. Which tag it is changes from game to game and from copy to
/// copy.
pub(super) fn write_copy(text: &[u8], copy: u32, out: &mut impl Write) -> io::Result<()> {
    let mut game = u64::from(copy);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        game += u64::from(line.starts_with(b"[Event \""));
        let varied = VARIED[(game % VARIED.len() as u64) as usize];
        let is_varied = copy > 0 && line.starts_with(varied);
        match line.iter().rposition(|&byte| byte == b'"').filter(|_| is_varied) {
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
