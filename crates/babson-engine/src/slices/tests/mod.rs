//! Tests of slices; here is what they share.

mod format;
mod law;
mod part_bytes;
mod planning;
mod refusals;
mod resume;
#[cfg(feature = "table")]
mod tables;

use std::io::{Cursor, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson_input::chunk::{Chunk, Cutter, RowChoice};
use babson_input::{Input, mapped_files};
use babson_lang::Dialect;
use babson_vm::{Host, HostError, RefusingHost, RuntimeError};
use proptest::prelude::*;

use super::batch::JobBatch;
use super::batch::StoredBatch;
use super::part_file::{PartFrame, PartHead, PartTotals, PartWriter};
use super::search::{OwnEvents, fingerprint, scan_observed};
use super::*;
use crate::destination::{Destination, PartDestination};
use crate::error::Error;
use crate::formats::file::FileSink;
use crate::job::{Job, MatchChoice};
use crate::match_text::MatchText;
use crate::observer::Observer;
use crate::scan::scan;
use crate::scan::tests::PoisonedSink;
use crate::sink::{Format, MatchedGame, Omitted, OutputRoom, OutputTotals};
use crate::summary::Summary;
use crate::task::{Settings, Task};
use crate::threads::refusal::{self, ThreadRecorder};
use babson_vm::{DamagedGame, Event, Progress};

/// The messages, reports of damage, notes and run-time errors that an observer receives, in order.
/// Consecutive messages of a query are joined, since two runs may split them into different
/// batches.
#[derive(Debug, Default, PartialEq)]
struct Record(Vec<Recorded>);

#[derive(Debug, PartialEq)]
enum Recorded {
    Messages(usize, Vec<u8>),
    /// An error of the evaluation of a game.
    Error(String),
    Other(String),
}

impl Record {
    fn push(&mut self, other: String) {
        self.0.push(Recorded::Other(other));
    }
}

impl Observer for Record {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Message { query, lines, .. } => match self.0.last_mut() {
                Some(Recorded::Messages(last, text)) if *last == query => text.extend(lines),
                _ => self.0.push(Recorded::Messages(query, lines)),
            },
            Event::Damaged(game) => self.push(format!("damaged {game:?}")),
            Event::Noted(game) => self.push(format!("noted {game:?}")),
            Event::RuntimeError { query, game, error } => {
                self.0.push(Recorded::Error(format!("{query} {game:?} {error:?}")));
            }
            Event::Match { .. }
            | Event::Matched { .. }
            | Event::BrokenInput(_)
            | Event::FewerThreads { .. }
            | Event::Progress(_)
            | _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// What a run gives, except its threads and times.
#[derive(Debug, PartialEq)]
struct Everything {
    record: Record,
    games: u64,
    damaged: u64,
    jobs: Vec<String>,
    files: Vec<(String, Vec<u8>)>,
}

impl Everything {
    /// What a test shows of two runs that differ: the jobs and the errors.
    #[cfg(unix)]
    fn shown(&self) -> (&[String], Vec<&String>) {
        let errors = self.record.0.iter().filter_map(|recorded| match recorded {
            Recorded::Error(text) => Some(text),
            Recorded::Messages(..) | Recorded::Other(_) => None,
        });
        (&self.jobs, errors.collect())
    }
}

fn everything(summary: Summary, record: Record, folder: &Path) -> Everything {
    let jobs = summary.queries.iter().map(|job| {
        let stopped = job.stopped.as_ref().map(ToString::to_string);
        let numbers = (job.matches, job.positions, job.failed_games);
        format!("{numbers:?} {:?} {:?} {stopped:?}", job.persistents, job.dictionaries)
    });
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    let jobs = jobs.collect();
    Everything { record, games: summary.games, damaged: summary.damaged, jobs, files }
}

fn job(query: &str) -> Job {
    let query = babson_lang::analyze(query, Dialect::CQLI).unwrap().query;
    Job::new(&query).unwrap()
}

/// The jobs of these queries of [`QUERIES`]. Those that may be searched in several slices have the
/// limit. Those that sort write only the best, the others a sample.
fn jobs_of(picks: &[usize], cql6_output: bool, limit: Option<u64>, top: Option<u64>) -> Vec<Job> {
    let job_of = |&pick: &usize| {
        let mut job = job(QUERIES[pick]);
        job.options.cql6_output = cql6_output;
        let is_free = matches!(job.program.sharing(), babson_vm::Sharing::Nothing);
        job.limit = limit.filter(|_| is_free);
        job.choice = top.map(|games| match job.program.sorts().is_empty() {
            true => MatchChoice::Sample { games, seed: 7 },
            false => MatchChoice::Top(games),
        });
        job
    };
    picks.iter().map(job_of).collect()
}

/// The endings of all formats.
const ENDINGS: &[&str] = match cfg!(feature = "table") {
    true => &["pgn", "jsonl", "csv", "epd", "html", "arrow"],
    false => &["pgn", "jsonl", "csv", "epd", "html"],
};

/// A page of the traces, with little room.
struct TracePage;

impl Format for TracePage {
    fn traces(&self, _: &Job) -> bool {
        true
    }

    fn room(&self) -> OutputRoom {
        OutputRoom { games: 40, bytes: 40_000 }
    }

    fn head(&self, job: &Job) -> String {
        format!("{:?}\n", job.title)
    }

    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        let text = format!("{} {:?}\n", matched.number, matched.traces);
        out.bytes().extend(text.into_bytes());
        Omitted::default()
    }

    fn tail(&self, totals: &OutputTotals) -> String {
        format!("{totals:?}\n")
    }
}

/// A zip archive of these members.
fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Tasks with an output of each format, or none.
fn tasks(jobs: &[Job], writes: bool, folder: &Path) -> Vec<Task> {
    let task = |(index, job): (usize, &Job)| {
        let mut task = Task::new(job.clone());
        for ending in if writes { ENDINGS } else { &[] } {
            let path = folder.join(format!("{index}.{ending}"));
            task = task.sink(match *ending {
                "html" => FileSink::html(TracePage, Destination::File(path)),
                _ => FileSink::at(path).unwrap(),
            });
        }
        task
    };
    jobs.iter().enumerate().map(task).collect()
}

fn corpus(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games").join(name);
    std::fs::read(path).unwrap()
}

/// Three databases: of real games, of damaged ones, and a compressed one.
fn put_inputs(folder: &Path) -> Vec<Input> {
    let masters = corpus("masters-2k.pgn");
    let end = babson_pgn::find_boundary(&masters, 400_000).unwrap();
    let odd = [
        "[Event \"one\"]\n\n1. e4 e5 2. Kxx *\n\n",
        "[Event \"two\"]\n\n1. e4 {open\n\n",
        "[Event \"three\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n\n",
        "[Event \"four\"]\n\n1. f3 e5 2. g4 Qh4# 3. a3 0-1\n\n",
        "[Event \"M\u{fc}ller\"]\n\n1. f3 e5 (1... d5 2. Zz) 2. g4 Qh4# 0-1\n\n",
        "[Event \"six\"]\n[White \"a\"]\n[White \"b\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
    ]
    .concat()
    .repeat(60);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&masters[end..end + 60_000]).unwrap();
    let compressed = encoder.finish().unwrap();
    let members =
        [("x/a.pgn", &odd.as_bytes()[..odd.len() / 30]), ("y.pgn", &masters[end..end + 9_000])];
    let archive = zip_of(&members);
    let put = |(name, bytes): (&str, &[u8])| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        Input::expand(path).unwrap()
    };
    let files: [(&str, &[u8]); 4] = [
        ("a.pgn", &masters[..end]),
        ("b.pgn", odd.as_bytes()),
        ("c.pgn.gz", &compressed),
        ("d.zip", &archive),
    ];
    files.into_iter().flat_map(put).collect()
}

fn settings(threads: usize, rejects: Option<PathBuf>) -> Settings {
    let rejects = rejects.map(Destination::File);
    Settings { threads, rejects, dictionaries: true, guard_stats: true, ..Settings::default() }
}

fn run_whole(inputs: &[Input], jobs: &[Job], writes: bool, rejects: bool) -> Everything {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let settings = settings(2, rejects.then(|| path.join("rejects.pgn")));
    let mut record = Record::default();
    let summary = scan(inputs, tasks(jobs, writes, path), &settings, &mut record).unwrap();
    everything(summary, record, path)
}

/// The results of these slices.
fn results(slices: &[Slice], jobs: &[Job], settings: &Settings) -> Vec<SliceResult> {
    let result = |slice: &Slice| {
        // As a line of JSON, as a task of a cluster would get it.
        let line = serde_json::to_string(slice).unwrap();
        let slice: Slice = serde_json::from_str(&line).unwrap();
        let mut bytes = Vec::new();
        scan_slice(&slice, jobs.to_vec(), settings, "note", &mut bytes).unwrap();
        SliceResult::read(format!("part {}", slice.index), Cursor::new(bytes)).unwrap()
    };
    slices.iter().map(result).collect()
}

fn run_slices(
    inputs: &[Input],
    jobs: &[Job],
    (writes, rejects): (bool, bool),
    (count, threads, mapped): (usize, usize, bool),
    order: &[usize],
) -> Everything {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let rejects = rejects.then(|| path.join("rejects.pgn"));
    let settings = Settings { mapped, ..settings(threads, rejects) };
    let slices = plan(inputs, count, threads, settings.mapped).unwrap();
    let mut results = results(&slices, jobs, &settings);
    for (index, &key) in order.iter().enumerate().take(results.len()) {
        let other = key % results.len();
        results.swap(index, other);
    }
    let mut record = Record::default();
    let summary = merge(results, tasks(jobs, writes, path), &settings, &mut record).unwrap();
    everything(summary, record, path)
}

/// Queries of every kind that may be cut into slices.
const QUERIES: [&str; 13] = [
    "mate",
    "check message(gamenumber lastgamenumber)",
    "cql() #Q > 1 comment(\"queens\") sort \"queens\" #Q",
    "cql(matchcount 2 20) ply > 60 settag(\"X\" \"y\") sort min \"ply\" ply",
    "persistent mates += 1 mate",
    "dictionary D check D[player white] = 1",
    "initial x = 1 / (gamenumber % 7) message(x)",
    "cqlbegin { message(\"begin\") } true cqlend { message(\"end\") }",
    "cql(gamenumber 20 90) wtm ply == 9",
    "assert gamenumber < 77 mate",
    "event \"four\"",
    "cql(variations) move from P capture .",
    "not event \"two\" sort \"number\" gamenumber % 7 sort min \"event\" tag \"Event\"",
];
