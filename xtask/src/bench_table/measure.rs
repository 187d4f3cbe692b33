//! Runs the programs and takes their times.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::cpu_time;
use super::figures::{Figures, WorkloadTimes};
use crate::about;

/// A command that has run to its end.
pub(super) struct Run {
    /// Processor seconds.
    pub(super) seconds: f64,
    pub(super) stdout: String,
}

/// Runs a command.
///
/// # Errors
/// It cannot be started or fails.
pub(super) fn timed(command: &mut Command) -> io::Result<Run> {
    let before = cpu_time::of_children()?;
    let output = command.stdin(Stdio::null()).output().map_err(|error| {
        let program = command.get_program().to_string_lossy();
        Error::new(error.kind(), format!("{program}: {error}"))
    })?;
    let seconds = cpu_time::of_children()? - before;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        return Err(Error::other(format!("failed: {command:?}\n{told}")));
    }
    Ok(Run { seconds, stdout: String::from_utf8_lossy(&output.stdout).into_owned() })
}

/// The numbers of a summary, `32 matches of 2000 games …`: matches and games.
pub(super) fn counts(stdout: &str) -> Option<(u64, u64)> {
    let line = stdout.lines().rev().find(|line| line.contains(" of ") && line.contains(" game"))?;
    let mut numbers = line.split(' ').filter_map(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// What is measured, and where its outputs go.
pub(super) struct Bench {
    /// The command.
    pub(super) babson: PathBuf,
    pub(super) pgn: PathBuf,
    /// The game table of the PGN file.
    pub(super) table: PathBuf,
    /// The number of games.
    pub(super) games: u64,
    pub(super) rounds: usize,
    scratch: TempDir,
}

impl Bench {
    /// Packs the games to a table.
    pub(super) fn new(babson: PathBuf, pgn: &Path, rounds: usize) -> io::Result<Bench> {
        let pgn = fs::canonicalize(pgn).map_err(|error| about(pgn, &error))?;
        Bench::in_folder(babson, pgn, rounds, TempDir::with_prefix("babson-bench-")?)
    }

    fn in_folder(
        babson: PathBuf,
        pgn: PathBuf,
        rounds: usize,
        scratch: TempDir,
    ) -> io::Result<Bench> {
        let table = scratch.path().join("games.arrow");
        let mut bench = Bench { babson, pgn, table, games: 0, rounds, scratch };
        bench.pack(&["--threads", "1"], &bench.table.clone())?;
        let checked = timed(bench.command(["pack", "--check"]).arg(&bench.table))?;
        let games = checked.stdout.split(", ").find_map(|word| word.strip_suffix(" games"));
        bench.games = games.and_then(|games| games.parse().ok()).ok_or_else(|| {
            Error::other(format!("babson pack --check did not count: {}", checked.stdout))
        })?;
        Ok(bench)
    }

    /// The same with another PGN file, in the same scratch folder.
    pub(super) fn of_copies(&self, pgn: &Path) -> io::Result<Bench> {
        let scratch = TempDir::with_prefix_in("copies-", self.scratch())?;
        Bench::in_folder(self.babson.clone(), pgn.to_owned(), self.rounds, scratch)
    }

    /// The name of the PGN file without its folder.
    pub(super) fn pgn_name(&self) -> String {
        self.pgn.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The folder of the outputs.
    pub(super) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    fn command(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(&self.babson);
        // Default options of this machine would be measured too.
        command.env_remove("BABSON_CONFIG").args(words);
        command
    }

    /// Packs the games and returns the processor seconds.
    fn pack(&self, options: &[&str], table: &Path) -> io::Result<f64> {
        let mut command = self.command(["pack", "--noprogress"]);
        let run = timed(command.args(options).arg(&self.pgn).arg("-o").arg(table))?;
        Ok(run.seconds)
    }

    /// Searches an input on one thread with these words of a query, and returns the processor
    /// seconds and the number of matches.
    pub(super) fn search(&self, input: &Path, query: &[&OsStr]) -> io::Result<(f64, u64)> {
        let mut command = self.command(["--noprogress", "--threads", "1", "-i"]);
        let run = timed(command.arg(input).arg("-o").arg(self.output()).args(query))?;
        let (matches, games) = counts(&run.stdout).ok_or_else(|| {
            Error::other(format!("{command:?} printed no summary: {}", run.stdout))
        })?;
        if games != self.games {
            let expected = self.games;
            return Err(Error::other(format!("{command:?}: {games} games of {expected}")));
        }
        Ok((run.seconds, matches))
    }

    /// Where the matches of a search go.
    fn output(&self) -> PathBuf {
        self.scratch.path().join("out.pgn")
    }

    /// Times all workloads of a folder and the packing.
    ///
    /// # Errors
    /// Also if a workload finds other games in the table, or writes them in another way.
    pub(super) fn workloads(&self, folder: &Path) -> io::Result<Figures> {
        let files = workload_files(folder)?;
        let mut workloads = Vec::new();
        for (name, file) in &files {
            let query = query(name, file);
            let (_, matches) = self.search(&self.pgn, &query)?;
            let written = fs::read(self.output())?;
            let (_, others) = self.search(&self.table, &query)?;
            if matches != others || written != fs::read(self.output())? {
                return Err(Error::other(format!(
                    "{name}: {matches} matches in the PGN, {others} in the table, or other outputs"
                )));
            }
            eprintln!("{name}: {matches} matches in both");
            let (pgn, table) = (Vec::new(), Vec::new());
            workloads.push(WorkloadTimes { name: name.clone(), matches, pgn, table });
        }
        let repacked = self.scratch.path().join("again.arrow");
        let mut packing = Vec::new();
        for round in 1..=self.rounds {
            eprintln!("round {round} of {}", self.rounds);
            for (workload, (name, file)) in workloads.iter_mut().zip(&files) {
                let query = query(name, file);
                workload.pgn.push(self.search(&self.pgn, &query)?.0);
                workload.table.push(self.search(&self.table, &query)?.0);
            }
            packing.push(self.pack(&["--threads", "1"], &repacked)?);
        }
        let size = |path: &Path| fs::metadata(path).map(|data| data.len());
        self.pack(&["--compress", "zstd"], &repacked)?;
        Ok(Figures {
            workloads,
            packing,
            pgn_bytes: size(&self.pgn)?,
            table_bytes: size(&self.table)?,
            packed_bytes: size(&repacked)?,
        })
    }
}

/// The query files of a folder, in order of name, each with its name.
pub(super) fn workload_files(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| about(folder, &error))? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("cql")) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, path));
        }
    }
    files.sort();
    // W01 comes first, because the other PGN times are relative to it. Names without W come last.
    files.sort_by_key(|(name, _)| !name.starts_with('W'));
    if files.is_empty() {
        return Err(Error::other(format!("{}: there is no query", folder.display())));
    }
    Ok(files)
}

/// The words for a workload. Those with W are in the dialect of CQL 6.2; those with D are about
/// CQLi's dictionaries.
pub(super) fn query<'f>(name: &str, file: &'f Path) -> [&'f OsStr; 3] {
    let dialect = if name.starts_with('D') { "cqli" } else { "cql6" };
    ["--dialect".as_ref(), dialect.as_ref(), file.as_os_str()]
}
