//! The peers: other programs on the same games, where they are installed.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use super::figures::{median, pairwise_ratio};
use super::measure::{Bench, timed};

/// A job that a peer and Babson have done, round by round: processor seconds.
pub(super) struct PeerTimes {
    /// What the peer did.
    pub(super) job: String,
    /// What Babson did.
    pub(super) ours: String,
    /// The games that each found, if both tell.
    pub(super) games: Option<[u64; 2]>,
    pub(super) peer: Vec<f64>,
    pub(super) babson: Vec<f64>,
}

impl PeerTimes {
    /// The median times of the peer and of Babson.
    pub(super) fn medians(&self) -> [f64; 2] {
        [median(&self.peer), median(&self.babson)]
    }

    /// How many times faster Babson is.
    pub(super) fn ratio(&self) -> f64 {
        pairwise_ratio(&self.peer, &self.babson)
    }
}

/// What is known of the peers.
pub(super) struct Peers {
    pub(super) times: Vec<PeerTimes>,
    /// The peers that are not installed.
    pub(super) missing: Vec<&'static str>,
}

/// The program of a peer: the variable of the environment, or its name in `PATH` or in the folder
/// in which Debian keeps games.
fn program(variable: &str, name: &str) -> Option<PathBuf> {
    if let Some(path) = env::var_os(variable) {
        return Some(path.into());
    }
    let paths = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&paths).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Measures the peers that are installed. The others are named.
pub(super) fn measure(bench: &Bench) -> io::Result<Peers> {
    let mut peers = Peers { times: Vec::new(), missing: Vec::new() };
    type Measure = fn(&Bench, PathBuf) -> io::Result<Vec<PeerTimes>>;
    let all: [(&str, &str, Measure); 3] = [
        ("PGN_EXTRACT", "pgn-extract", pgn_extract),
        ("SCOUTFISH", "scoutfish", scoutfish),
        ("CQL6", "cql6", cql6),
    ];
    for (variable, name, measure) in all {
        match program(variable, name) {
            Some(program) => peers.times.extend(measure(bench, program)?),
            None => {
                eprintln!("{name} is left out: it is not in PATH, and {variable} does not name it");
                peers.missing.push(name);
            }
        }
    }
    Ok(peers)
}

/// The rounds of a job of a peer and of Babson, in turn, after one to warm up.
fn in_turn(
    rounds: usize,
    mut peer: impl FnMut() -> io::Result<f64>,
    mut babson: impl FnMut() -> io::Result<f64>,
) -> io::Result<[Vec<f64>; 2]> {
    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let (one, other) = (peer()?, babson()?);
        if round > 0 {
            theirs.push(one);
            ours.push(other);
        }
    }
    Ok([theirs, ours])
}

fn pgn_extract(bench: &Bench, program: PathBuf) -> io::Result<Vec<PeerTimes>> {
    let out = bench.scratch().join("peer.pgn");
    let mut command = Command::new(program);
    command.args(["--quiet", "--checkmate", "-s", "-o"]).arg(&out).arg(&bench.pgn);
    let mate = ["--cql".as_ref(), "mate".as_ref()];
    let peer = || Ok(timed(&mut command)?.seconds);
    let [peer, babson] = in_turn(bench.rounds, peer, || Ok(bench.search(&bench.pgn, &mate)?.0))?;
    let job = "pgn-extract `--checkmate`".to_owned();
    Ok(vec![PeerTimes { job, ours: "`mate` on PGN".to_owned(), games: None, peer, babson }])
}

/// Its index lies beside the PGN file, so it gets a copy.
fn scoutfish(bench: &Bench, program: PathBuf) -> io::Result<Vec<PeerTimes>> {
    let pgn = bench.scratch().join("scoutfish.pgn");
    fs::copy(&bench.pgn, &pgn)?;
    timed(Command::new(&program).arg("make").arg(&pgn))?;
    let index = pgn.with_extension("scout");
    let mut times = Vec::new();
    for (cql, board) in [("Qh7", "8/7Q/8/8/8/8/8/8"), ("pa6 Bb3 Nf3", "8/8/p7/8/8/1B3N2/8/8")] {
        let condition = format!("{{ \"sub-fen\": \"{board}\" }}");
        let mut command = Command::new(&program);
        command.arg("scout").arg(&index).arg(&condition);
        let (mut found, mut games) = (0, 0);
        let query: [&OsStr; 2] = ["--cql".as_ref(), cql.as_ref()];
        let peer = || {
            let run = timed(&mut command)?;
            found = match_count(&run.stdout).unwrap_or(0);
            Ok(run.seconds)
        };
        let babson = || {
            let (seconds, matches) = bench.search(&bench.table, &query)?;
            games = matches;
            Ok(seconds)
        };
        let [peer, babson] = in_turn(bench.rounds, peer, babson)?;
        times.push(PeerTimes {
            job: format!("scoutfish, sub-fen of `{cql}`"),
            ours: format!("`{cql}` on the table"),
            games: Some([found, games]),
            peer,
            babson,
        });
    }
    Ok(times)
}

/// The number of matches in the answer of scoutfish.
pub(super) fn match_count(answer: &str) -> Option<u64> {
    let (_, after) = answer.split_once("\"match count\":")?;
    let digits: String = after.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn cql6(bench: &Bench, program: PathBuf) -> io::Result<Vec<PeerTimes>> {
    let query = bench.scratch().join("mate.cql");
    fs::write(&query, "cql(quiet) mate\n")?;
    let out = bench.scratch().join("peer.pgn");
    let mut command = Command::new(program);
    command.arg("-singlethreaded").arg("-i").arg(&bench.pgn).arg("-o").arg(&out).arg(&query);
    let ours = ["--dialect".as_ref(), "cql6".as_ref(), query.as_os_str()];
    let peer = || Ok(timed(&mut command)?.seconds);
    let [peer, babson] = in_turn(bench.rounds, peer, || Ok(bench.search(&bench.pgn, &ours)?.0))?;
    let (job, ours) = ("CQL 6.2, `mate`".to_owned(), "`mate` on PGN".to_owned());
    Ok(vec![PeerTimes { job, ours, games: None, peer, babson }])
}
