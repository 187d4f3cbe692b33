use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson_lang::Dialect;
use babson_vm::{Host, HostError, RefusingHost, RuntimeError, TouchedColumns};
use proptest::prelude::*;

use super::batch::Batch;
use super::folder::FolderInUse;
use super::part_file::{Frame, PartWriter};
use super::search::{fingerprint, scan_observed};
use super::*;
use crate::chunk::{Chunk, Cutter};
use crate::destination::Destination;
use crate::error::Error;
use crate::input::{Input, MAPS};
use crate::job::{Job, Settings, Task};
use crate::merge::SearchProgress;
use crate::report::{DamagedGame, Observer, Progress, Summary};
use crate::scan::scan;
use crate::scan::tests::PoisonedSink;
use crate::sink::file::FileSink;

/// Everything that an observer is told, in order: messages and other events. Messages with nothing
/// between them are joined, since their batches may differ.
#[derive(Debug, Default, PartialEq)]
struct Record(Vec<Recorded>);

#[derive(Debug, PartialEq)]
enum Recorded {
    Messages(usize, Vec<u8>),
    Other(String),
}

impl Record {
    fn push(&mut self, other: String) {
        self.0.push(Recorded::Other(other));
    }
}

impl Observer for Record {
    fn message(&mut self, job: usize, lines: &[u8]) -> Result<(), Error> {
        match self.0.last_mut() {
            Some(Recorded::Messages(last, text)) if *last == job => text.extend_from_slice(lines),
            _ => self.0.push(Recorded::Messages(job, lines.to_vec())),
        }
        Ok(())
    }

    fn damaged(&mut self, game: &DamagedGame) {
        self.push(format!("damaged {game:?}"));
    }

    fn noted(&mut self, game: &DamagedGame) {
        self.push(format!("noted {game:?}"));
    }

    fn runtime_error(&mut self, job: usize, game: u64, error: &RuntimeError) {
        self.push(format!("{job} {game} {error:?}"));
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

fn everything(summary: Summary, record: Record, folder: &Path) -> Everything {
    let jobs = summary.jobs.iter().map(|job| {
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
    Job::new(&query, Dialect::CQLI).unwrap()
}

/// Tasks with an output of each format, or none.
fn tasks(jobs: &[Job], writes: bool, folder: &Path) -> Vec<Task> {
    let task = |(index, job): (usize, &Job)| {
        let mut sinks = Vec::new();
        for ending in if writes { &["pgn", "jsonl", "csv", "epd", "html"][..] } else { &[] } {
            sinks.push(FileSink::at(folder.join(format!("{index}.{ending}"))).unwrap().into());
        }
        Task { job: job.clone(), sinks }
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
    let packed = encoder.finish().unwrap();
    [("a.pgn", &masters[..end]), ("b.pgn", odd.as_bytes()), ("c.pgn.gz", &packed)]
        .map(|(name, bytes)| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            Input::File(path)
        })
        .into()
}

fn settings(threads: usize, rejects: Option<PathBuf>) -> Settings {
    let rejects = rejects.map(Destination::File);
    Settings { threads, rejects, dictionaries: true, ..Settings::default() }
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
const QUERIES: [&str; 12] = [
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
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Any slicing, in any order of the results, gives what one scan gives.
    #[test]
    fn slices_give_what_one_scan_gives(
        picks in proptest::collection::vec(0..QUERIES.len(), 0..4),
        flags: (bool, bool, bool),
        count in 1..12usize,
        threads in 1..4usize,
        mapped: bool,
        order in proptest::collection::vec(0..100usize, 14),
        limit in proptest::option::of(0..30u64),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let inputs = put_inputs(folder.path());
        let (writes, rejects, cql6) = flags;
        let jobs: Vec<Job> = picks
            .iter()
            .map(|&pick| {
                let mut job = job(QUERIES[pick]);
                job.options.cql6_output = cql6;
                let is_free = matches!(job.program.sharing(), babson_vm::Sharing::Nothing);
                job.limit = limit.filter(|_| is_free);
                job
            })
            .collect();
        let whole = run_whole(&inputs, &jobs, writes, rejects);
        let cut = run_slices(&inputs, &jobs, (writes, rejects), (count, threads, mapped), &order);
        prop_assert!(cut == whole, "{picks:?}: {:#?}\n{:#?}", cut.jobs, whole.jobs);
    }
}

/// A program that writes too much stops its query only if it was asked in a game that counts: not
/// by another thread or slice after the end that a limit sets.
#[test]
fn programs_of_games_that_do_not_count_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    // Wrong from game 200 on, which shows when the program is closed.
    let script = "while read x; do echo a; last=$x; done; [ $last -lt 200 ] || echo b";
    let query = format!("mate commandpipe(\"sh -c '{script}'\" str(gamenumber)) == \"a\"");
    let host = crate::SystemHost::new();
    for (limit, stops) in [(Some(2), false), (Some(60), true), (None, true)] {
        let mut job = job(&query);
        job.options.host = std::sync::Arc::new(host.clone());
        job.limit = limit;
        let jobs = [job, self::job("mate")];
        let mut runs = Vec::new();
        for threads in [1, 3] {
            let out = tempfile::tempdir().unwrap();
            let mut record = Record::default();
            let tasks = tasks(&jobs, true, out.path());
            let summary = scan(&inputs, tasks, &settings(threads, None), &mut record).unwrap();
            assert_eq!(summary.jobs[0].stopped.is_some(), stops, "{limit:?} {threads}");
            runs.push(everything(summary, record, out.path()));
            runs.push(run_slices(&inputs, &jobs, (true, false), (5, threads, true), &[3, 1]));
        }
        for run in &runs {
            assert!(*run == runs[0], "{limit:?}: {:#?}\n{:#?}", run.jobs, runs[0].jobs);
        }
    }
}

#[test]
fn a_query_in_order_runs_as_one_slice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(50)).unwrap();
    let inputs = [Input::File(path)];
    let query = "cqlbegin { message(\"b\") } persistent total += 1 total < 20 message(total) mate \
                 cqlend { message(total) }";
    let jobs = [job(query)];
    let slices = plan(&inputs, 3, 1, true).unwrap();
    let refused = scan_slice(&slices[0], jobs.to_vec(), &settings(1, None), "", Vec::new());
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("a plan of one slice"), "{refused}");
    let whole = run_whole(&inputs, &jobs, true, false);
    assert!(!whole.record.0.is_empty());
    assert_eq!(run_slices(&inputs, &jobs, (true, false), (1, 3, true), &[]), whole);
}

/// The line of a damage is a function of the text, whatever the line ends before it and wherever
/// the text is cut.
#[test]
fn lines_of_damage_do_not_depend_on_the_cutting() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let (mut text, mut expected) = (String::new(), Vec::new());
    let mut line = 1;
    for game in 0..4000 {
        // Most games end their lines as the one before.
        let end = ["\n", "\r\n", "\r"][game * game / 1000 % 3];
        text +=
            &format!("[Event \"{game}\"]{end}{end}1. e4 {{a comment}}{end}e5 2. Kxx *{end}{end}");
        expected.push(line + 3);
        line += 5;
    }
    std::fs::write(&path, text).unwrap();
    let inputs = [Input::File(path)];
    let jobs = [job("check")];
    let whole = run_whole(&inputs, &jobs, false, false);
    let lines: Vec<u64> = whole.record.0.iter().filter_map(damaged_line).collect();
    assert_eq!(lines, expected);
    for count in [1, 2, 3, 17, 400] {
        assert!(
            run_slices(&inputs, &jobs, (false, false), (count, 2, true), &[]) == whole,
            "{count}"
        );
    }
}

/// The line of a recorded damage.
fn damaged_line(recorded: &Recorded) -> Option<u64> {
    let Recorded::Other(text) = recorded else { return None };
    let (_, after) = text.split_once(" line: ")?;
    after.split_once(',')?.0.parse().ok()
}

/// A plan of one slice has all inputs in it, so a query in order can be searched in any number of
/// inputs, and the search can be resumed.
#[test]
fn a_query_in_order_may_have_several_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = put_inputs(folder.path());
    // An empty one, and the same twice in a row.
    let empty = folder.path().join("empty.pgn");
    std::fs::write(&empty, "").unwrap();
    inputs.insert(0, Input::File(empty));
    inputs.insert(2, inputs[1].clone());
    let query = "cql() persistent total += 1 total % 10 == 1 message(total gamenumber) \
                 comment(total) sort total";
    let mut limited = job("persistent mates += 1 mate");
    limited.limit = Some(40);
    let jobs = [job(query), limited];
    for rejects in [false, true] {
        let whole = run_whole(&inputs, &jobs, true, rejects);
        assert!(!whole.record.0.is_empty());
        assert_eq!(run_slices(&inputs, &jobs, (true, rejects), (1, 3, true), &[]), whole);
        let (kept, out) = (folder.path().join("kept"), tempfile::tempdir().unwrap());
        let settings = settings(2, rejects.then(|| out.path().join("rejects.pgn")));
        let mut record = Record::default();
        let tasks = tasks(&jobs, true, out.path());
        let resumed = scan_resumed(&inputs, tasks, &settings, &kept, &mut record);
        let (summary, outputs, paths) = resumed.unwrap();
        assert_eq!(paths.len(), 1);
        outputs.complete().unwrap();
        remove_parts(&paths);
        assert_eq!(everything(summary, record, out.path()), whole);
    }
}

/// Compressed inputs of about the same length are searched apart, though they are not cut.
#[test]
fn compressed_inputs_share_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    let inputs: Vec<Input> = (0..6)
        .map(|month| {
            let path = folder.path().join(format!("{month}.pgn.gz"));
            let game = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(10 + month);
            // Not compressed, so that the lengths of the files are those of the texts.
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
            encoder.write_all(game.as_bytes()).unwrap();
            std::fs::write(&path, encoder.finish().unwrap()).unwrap();
            Input::File(path)
        })
        .collect();
    let inputs_of = |slice: &Slice| slice.ranges.len();
    for (count, expected) in [(1, vec![6]), (2, vec![3; 2]), (3, vec![2; 3]), (6, vec![1; 6])] {
        let slices = plan(&inputs, count, 2, true).unwrap();
        assert_eq!(slices.iter().map(inputs_of).collect::<Vec<_>>(), expected, "{count}");
    }
    assert_eq!(plan(&inputs, 100, 2, true).unwrap().len(), 6);
}

#[test]
fn slices_are_whole_games() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    for count in [0, 1, 2, 7, 400, usize::MAX] {
        let slices = plan(&inputs, count, 3, true).unwrap();
        let (mut games, mut ends) = (0, Vec::new());
        for (index, slice) in slices.iter().enumerate() {
            assert_eq!((slice.index, slice.count), (index, slices.len()));
            assert_eq!(slice.first_game, games + 1);
            assert!(slice.is_sound(), "{slice:?}");
            games += slice.games;
            for range in &slice.ranges {
                let end = if range.begin == 0 { 0 } else { ends.pop().unwrap() };
                assert_eq!(range.begin, end);
                ends.push(range.end.unwrap_or(range.input_length));
            }
        }
        let lengths: Vec<u64> = inputs.iter().map(|input| input.size().unwrap()).collect();
        assert_eq!(ends, lengths);
        assert!(slices.iter().all(|slice| slice.last_game == games));
        assert!(slices.len() >= count.clamp(1, 100), "{count}: {}", slices.len());
    }
    let refused = plan(&[Input::bytes("x", *b"")], 2, 1, true).unwrap_err().to_string();
    assert!(refused.contains("only files"), "{refused}");
}

/// Whoever asks for files that are not mapped gets the same slices, and no file is mapped: another
/// process may truncate it.
#[test]
fn files_that_are_not_mapped_are_cut_at_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    for count in [1, 2, 7, 400, usize::MAX] {
        let slices = plan(&inputs, count, 1, true).unwrap();
        let maps = MAPS.get();
        assert_eq!(plan(&inputs, count, 1, false).unwrap(), slices);
        assert!(slices.iter().all(|slice| slice.check().is_ok()));
        assert_eq!(MAPS.get(), maps);
    }
}

/// What is before a slice is not read.
#[test]
fn a_slice_of_a_file_that_is_not_mapped_is_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = &put_inputs(folder.path())[..1];
    for slice in plan(inputs, 5, 1, false).unwrap() {
        let cutter =
            Cutter::new(inputs, 1 << 16).with_mapping(false).with_ranges(slice.byte_ranges());
        let chunks: Vec<Chunk> = cutter
            .map(|cut| Chunk::of(cut.ok().unwrap(), TouchedColumns::default()).unwrap())
            .collect();
        let read: u64 = chunks.iter().map(|chunk| chunk.input_length).sum();
        let [range] = slice.ranges.as_slice() else { panic!("{slice:?}") };
        assert_eq!(chunks[0].offset, range.begin);
        assert_eq!(range.begin + read, range.end.unwrap());
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_cut() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.pgn");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let refused = plan(&[Input::File(pipe)], 2, 1, true).unwrap_err().to_string();
    assert!(refused.contains("only files"), "{refused}");
}

#[test]
fn results_that_do_not_belong_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let (settings, jobs) = (settings(1, None), [job("mate")]);
    let slices = plan(&inputs, 5, 1, true).unwrap();
    assert_eq!(slices.len(), 5);
    let all = || results(&slices, &jobs, &settings);
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let refused = |results: Vec<SliceResult>| {
        let tasks = tasks(&jobs, true, &out);
        let error = merge(results, tasks, &settings, &mut crate::Silent).unwrap_err();
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
        error.to_string()
    };
    let mut missing = all();
    missing.remove(1);
    let (told, from_zero) = (refused(missing), "of the plan; slices are numbered from 0");
    assert_eq!(told, format!("slice 1: its part is missing (line 2 {from_zero})"));
    let mut missing = all();
    for index in [4, 3, 1] {
        missing.remove(index);
    }
    let told = format!("slices 1,3-4: their parts are missing (lines 2,4-5 {from_zero})");
    assert_eq!(refused(missing), told);
    let mut doubled = all();
    doubled.extend(results(&slices[2..3], &jobs, &settings));
    assert_eq!(refused(doubled), "part 2: it is of slice 2, and so is part 2");
    let mut foreign = all();
    foreign[3] = results(&plan(&inputs, 9, 1, true).unwrap()[3..4], &jobs, &settings).remove(0);
    assert_eq!(refused(foreign), "part 3: it is of another plan than part 0");
    // The first part is the odd one.
    let mut foreign = all();
    foreign[0] = results(&plan(&inputs, 9, 1, true).unwrap()[..1], &jobs, &settings).remove(0);
    assert_eq!(refused(foreign), "part 0: it is of another plan than part 1");
    let mut other_query = all();
    other_query[0] = results(&slices[..1], &[job("check")], &settings).remove(0);
    let told = "part 0: it was searched with another query or other options than part 1";
    assert_eq!(refused(other_query), told);
    let mut other_query = all();
    other_query[3] = results(&slices[3..4], &[job("check")], &settings).remove(0);
    let told = "part 3: it was searched with another query or other options than part 0";
    assert_eq!(refused(other_query), told);
    let other_queries = results(&slices, &[job("check")], &settings);
    assert_eq!(
        refused(other_queries),
        "part 0: it was searched with another query or other options"
    );
    assert_eq!(refused(Vec::new()), "there are no parts to merge");
}

/// Only games in order can tell in which game the dictionaries exceed their limit, so the merge
/// refuses what may exceed it.
#[test]
fn dictionaries_beyond_their_limit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let mut job = job("dictionary D initial D[gamenumber] = 1");
    job.options.kept_entries = 1000;
    let settings = settings(1, None);
    let slices = plan(&inputs, 3, 1, true).unwrap();
    let results = results(&slices, &[job.clone()], &settings);
    let error = merge(results, vec![job.into()], &settings, &mut crate::Silent).unwrap_err();
    assert!(matches!(&error, Error::Refused(why) if why.contains("may grow")), "{error}");
}

/// A part whose checksums are right, but whose numbers are not, is an error that names it. Sums of
/// its numbers do not overflow.
#[test]
fn numbers_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let games = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"y\"]\n\n1. e4 Kxx *\n\n";
    std::fs::write(&path, games.repeat(2000)).unwrap();
    let settings = settings(1, None);
    // Every second game is an error: it reaches the limit of steps.
    let mut job = job("initial x = 0 while (x < (gamenumber % 2) * 1000) x += 1 message(x)");
    job.options.steps = 500;
    let slices = plan(&[Input::File(path)], 2, 1, true).unwrap();
    let merged = |craft: &dyn Fn(&mut SliceResult, &mut Frame)| {
        let results = slices.iter().map(|slice| {
            let mut bytes = Vec::new();
            scan_slice(slice, vec![job.clone()], &settings, "", &mut bytes).unwrap();
            let mut result = SliceResult::read("", Cursor::new(bytes)).unwrap();
            let mut frames = Vec::new();
            while let Ok(mut frame) = result.next() {
                craft(&mut result, &mut frame);
                frames.push(frame);
            }
            let mut bytes = Vec::new();
            let mut writer = PartWriter::new(&mut bytes, result.head).unwrap();
            frames.iter().for_each(|frame| writer.write(frame).unwrap());
            let name = format!("part {}", slice.index);
            SliceResult::read(name, Cursor::new(bytes)).unwrap()
        });
        merge(results.collect(), vec![job.clone().into()], &settings, &mut crate::Silent)
    };
    assert_eq!(merged(&|_, _| {}).unwrap().jobs[0].matches, 2000);
    let refused = |craft: &dyn Fn(&mut SliceResult, &mut Frame)| {
        let error = merged(craft).unwrap_err();
        let is_named = |name: &str| name.starts_with("part ");
        assert!(matches!(&error, Error::SliceResult { name, .. } if is_named(name)), "{error:?}");
    };
    let crafts: [fn(&mut Batch); 11] = [
        |batch| batch.games = u64::MAX,
        |batch| batch.first_game = u64::MAX,
        |batch| batch.first_game -= 1,
        |batch| batch.bytes = u64::MAX - 1,
        |batch| batch.input_bytes = u64::MAX - 1,
        |batch| batch.jobs[0].evaluated = u64::MAX,
        |batch| batch.jobs[0].evaluated = batch.games + 1,
        |batch| batch.jobs[0].errors[0].before = u64::MAX,
        |batch| batch.jobs[0].errors[0].game = u64::MAX,
        |batch| batch.jobs[0].matches[0].game = u64::MAX,
        |batch| batch.jobs[0].matches[0].input = usize::MAX,
    ];
    for craft in crafts {
        refused(&|_, frame| {
            if let Frame::Batch(batch) = frame {
                craft(batch);
            }
        });
    }
    let crafts: [fn(&mut Slice); 7] = [
        |slice| slice.games = u64::MAX,
        |slice| slice.first_game = 0,
        |slice| slice.first_game += 1,
        |slice| slice.last_game = u64::MAX,
        |slice| slice.ranges.clear(),
        |slice| slice.ranges[0].first_line = u64::MAX,
        |slice| slice.ranges[0].input_length = u64::MAX,
    ];
    for craft in crafts {
        refused(&|result, _| craft(&mut result.head.slice));
        let mut slice = slices[1].clone();
        craft(&mut slice);
        let searched = scan_slice(&slice, vec![job.clone()], &settings, "", Vec::new());
        assert!(matches!(searched, Err(Error::Slice { .. })), "{slice:?}");
    }
}

/// Every flipped bit and every missing end is found, and no output is written.
#[test]
fn a_damaged_part_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(3)).unwrap();
    let (settings, job) = (settings(1, None), job("mate"));
    let slice = plan(&[Input::File(path)], 1, 1, true).unwrap().remove(0);
    let mut bytes = Vec::new();
    scan_slice(&slice, vec![job.clone()], &settings, "", &mut bytes).unwrap();
    let merged = |bytes: Vec<u8>| {
        let result = SliceResult::read("the part", Cursor::new(bytes))?;
        merge(vec![result], vec![job.clone().into()], &settings, &mut crate::Silent)
    };
    assert_eq!(merged(bytes.clone()).unwrap().jobs[0].matches, 3);
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        for wrong in [flipped, bytes[..at].to_vec()] {
            let error = merged(wrong).unwrap_err();
            assert!(
                matches!(&error, Error::SliceResult { name, .. } if name == "the part"),
                "{at} {error}"
            );
        }
    }
}

/// A panic of a sink, a format or a writer is an error, and no output gets its name.
#[test]
fn a_panic_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let jobs = [job("mate")];
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let panicked = |result: Result<(), Error>| {
        let error = result.unwrap_err();
        assert!(matches!(&error, Error::Panicked(why) if why.contains("poisoned")), "{error}");
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
    };
    struct PoisonedWriter;
    impl Write for PoisonedWriter {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            panic!("poisoned")
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for threads in [1, 3] {
        let settings = settings(threads, None);
        let slices = plan(&inputs, 4, threads, true).unwrap();
        panicked(scan_slice(&slices[0], jobs.to_vec(), &settings, "", PoisonedWriter));
        // The fourth game of the second input is a mate.
        let mate = crate::count(&inputs[..1], 1, true).unwrap() + 4;
        for poison in [PoisonedSink(mate, 1000), PoisonedSink(0, 40)] {
            let tasks = || {
                let mut tasks = tasks(&jobs, true, &out);
                tasks[0].sinks.push(Box::new(poison));
                tasks
            };
            let results = results(&slices, &jobs, &settings);
            panicked(merge(results, tasks(), &settings, &mut crate::Silent).map(drop));
            let kept = folder.path().join("kept");
            let resumed = scan_resumed(&inputs, tasks(), &settings, &kept, &mut crate::Silent);
            panicked(resumed.map(drop));
        }
    }
}

/// An edit in the middle of a slice makes another plan, so that no old part is used again.
#[test]
fn a_plan_depends_on_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let mut text = corpus("masters-2k.pgn");
    std::fs::write(&path, &text).unwrap();
    let plan_id = || plan(&[Input::File(path.clone())], 2, 1, true).unwrap().remove(0).plan;
    let before = plan_id();
    assert_eq!(plan_id(), before);
    let at = text.iter().rposition(|&byte| byte == b'e').unwrap() / 2;
    text[at] ^= 2;
    std::fs::write(&path, &text).unwrap();
    assert_ne!(plan_id(), before);
}

#[test]
fn a_slice_of_another_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 *\n\n").repeat(100);
    std::fs::write(&path, game("x")).unwrap();
    let slices = plan(&[Input::File(path.clone())], 2, 1, true).unwrap();
    for text in [game("y"), game("xx")] {
        std::fs::write(&path, text).unwrap();
        let error = scan_slice(&slices[1], vec![job("mate")], &settings(1, None), "", Vec::new());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("not the file that was cut"), "{error}");
    }
}

/// Ends the scan when it has searched more than so many games.
struct Interrupted(u64);

impl Observer for Interrupted {
    fn progress(&mut self, progress: Progress) -> Result<(), Error> {
        if progress.games > self.0 { Err(Error::ClosedPipe) } else { Ok(()) }
    }
}

/// A scan that is interrupted goes on with the slices that are not finished, also if a part is
/// damaged, and gives what one scan gives.
#[test]
fn a_scan_goes_on_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let jobs = [job(QUERIES[1]), job(QUERIES[4])];
    let whole = run_whole(&inputs, &jobs, true, false);
    let kept = folder.path().join("kept");
    let out = tempfile::tempdir().unwrap();
    let settings = settings(2, None);
    let scan = |observer: &mut dyn Observer| {
        let tasks = tasks(&jobs, true, out.path());
        scan_resumed(&inputs, tasks, &settings, &kept, observer)
    };
    // In the third of the slices.
    let slices = plan(&inputs, 3, 1, true).unwrap();
    assert!(matches!(scan(&mut Interrupted(slices[2].first_game)), Err(Error::ClosedPipe)));
    let finished: Vec<_> =
        std::fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(finished.len(), 2);
    let written = |path: &Path| std::fs::metadata(path).unwrap().modified().unwrap();
    let first = written(&finished[0]);
    let damaged = std::fs::read(&finished[1]).unwrap();
    std::fs::write(&finished[1], &damaged[..damaged.len() - 1]).unwrap();
    let mut record = Record::default();
    let (summary, outputs, paths) = scan(&mut record).unwrap();
    assert_eq!(written(&finished[0]), first);
    assert_eq!(paths.len(), slices.len());
    outputs.complete().unwrap();
    remove_parts(&paths);
    assert!(!kept.exists());
    assert_eq!(everything(summary, record, out.path()), whole);
}

/// When all queries have ended, by a limit or by an error, no later slice is searched.
#[test]
fn a_scan_that_can_be_resumed_ends_with_its_queries() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let limited = Job { limit: Some(3), ..job("mate") };
    for jobs in [vec![limited], vec![job("assert gamenumber < 77 mate"), job("assert false")]] {
        let whole = run_whole(&inputs, &jobs, true, false);
        let (kept, out) = (folder.path().join("kept"), tempfile::tempdir().unwrap());
        let mut record = Record::default();
        let tasks = tasks(&jobs, true, out.path());
        let (summary, outputs, paths) =
            scan_resumed(&inputs, tasks, &settings(2, None), &kept, &mut record).unwrap();
        let searched: Vec<bool> = paths.iter().map(|path| path.exists()).collect();
        assert_eq!(searched, [true, false, false]);
        outputs.complete().unwrap();
        remove_parts(&paths);
        assert!(!kept.exists());
        assert_eq!(everything(summary, record, out.path()), whole);
    }
}

/// The search of a slice ends with an error that ends all its queries.
#[test]
fn a_slice_ends_with_its_queries() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let slice = plan(&inputs, 1, 1, true).unwrap().remove(0);
    let mut games = 0;
    let jobs = vec![job("assert gamenumber < 77 mate")];
    let mut observe = |progress: &SearchProgress| {
        games = progress.games;
        Ok(())
    };
    scan_observed(&slice, jobs, &settings(1, None), "", Vec::new(), &mut observe).unwrap();
    assert!((77..slice.games).contains(&games), "{games} of {}", slice.games);
}

/// The progress of a scan that can be resumed goes once from the first game to the last, also if a
/// part is there already.
#[test]
fn the_progress_of_a_resumed_scan_never_goes_back() {
    #[derive(Default)]
    struct Shown(Vec<Progress>);
    impl Observer for Shown {
        fn progress(&mut self, progress: Progress) -> Result<(), Error> {
            self.0.push(progress);
            Ok(())
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let jobs = [job("mate"), Job { limit: Some(30), ..job("check") }];
    let kept = folder.path().join("kept");
    for _ in ["no part is there", "all but one are there"] {
        let mut shown = Shown::default();
        let tasks = tasks(&jobs, false, folder.path());
        let (summary, _, paths) =
            scan_resumed(&inputs, tasks, &settings(2, None), &kept, &mut shown).unwrap();
        let shown = shown.0;
        assert!(shown.len() > 3);
        for pair in shown.windows(2) {
            let [before, after] = [&pair[0], &pair[1]];
            assert!(before.games <= after.games && before.matches <= after.matches, "{pair:?}");
            assert!(before.bytes <= after.bytes && before.input_bytes <= after.input_bytes);
        }
        let last = shown.last().unwrap();
        let matches: u64 = summary.jobs.iter().map(|job| job.matches).sum();
        assert_eq!((last.games, last.matches), (summary.games, matches));
        std::fs::remove_file(&paths[1]).unwrap();
    }
}

/// A scan removes what a killed scan has left in its folder and parts whose input was changed, but
/// nothing that somebody else may need.
#[cfg(unix)]
#[test]
fn a_scan_removes_only_stale_files_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let kept = folder.path().join("kept");
    let scan = |inputs: &[Input], query: &str, observer: &mut dyn Observer| {
        let tasks = tasks(&[job(query)], false, folder.path());
        scan_resumed(inputs, tasks, &settings(1, None), &kept, observer).map(|(_, _, paths)| paths)
    };
    let other_inputs = scan(&inputs[..1], "mate", &mut crate::Silent).unwrap();
    let outdated = scan(&inputs[1..2], "mate", &mut crate::Silent).unwrap();
    let other_query = scan(&inputs, "check", &mut crate::Silent).unwrap();
    let put = |name: &str, text: &str| {
        std::fs::write(kept.join(name), text).unwrap();
        kept.join(name)
    };
    let unfinished = [
        put(".01234567-89abcdef-0.part.123-0.tmp", "babson part 1\n#"),
        put(".01234567-89abcdef-12.part.4-5.tmp", ""),
    ];
    let foreign = [
        put(".01234567-89abcdef-1.part.123-0.tmp", "not a part"),
        put(".games.part.123-0.tmp", "babson part 1\n"),
        put("01234567-89abcdef-0.part", "not a part"),
        put("games.part", "babson part 1\n"),
        put("notes", ""),
    ];
    let is_there = |paths: &[PathBuf]| paths.iter().map(|path| path.exists()).collect::<Vec<_>>();
    // Another scan uses the folder.
    let in_use = FolderInUse::enter(&kept, "");
    assert_eq!(is_there(&unfinished), [false; 2]);
    put(".01234567-89abcdef-0.part.123-0.tmp", "babson part 1\n#");
    scan(&inputs, "stalemate", &mut crate::Silent).unwrap();
    assert_eq!(is_there(&unfinished), [true, false]);
    drop(in_use);
    // A change in the middle of the second input, which has the same length.
    let Input::File(path) = &inputs[1] else { panic!() };
    let mut text = std::fs::read(path).unwrap();
    let middle = text.len() / 2;
    text[middle] ^= 1;
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    std::fs::write(path, text).unwrap();
    std::fs::File::options().write(true).open(path).unwrap().set_modified(later).unwrap();
    let current = scan(&inputs, "mate", &mut crate::Silent).unwrap();
    assert_eq!(is_there(&unfinished), [false; 2]);
    assert_eq!(is_there(&foreign), [true; 5]);
    assert_eq!(is_there(&current), [true; 3]);
    assert_eq!(is_there(&other_inputs), [true; 3]);
    assert_eq!(is_there(&outdated), [false]);
    assert_eq!(is_there(&other_query), [true, true, false]);
}

/// Whether parts belong to a query depends on what its host reads, and on no other file.
#[test]
fn the_host_reads_the_files_of_a_fingerprint() {
    #[derive(Debug)]
    struct OneFile(&'static str);
    impl Host for OneFile {
        fn read_file(&self, _: &str, limit: usize) -> Result<Vec<u8>, HostError> {
            let long = || std::io::Error::from(std::io::ErrorKind::FileTooLarge);
            if self.0.len() > limit { Err(long().into()) } else { Ok(self.0.into()) }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let query = format!("mate readfile {path:?}");
    let mark = |host: Arc<dyn Host>, memory: usize| {
        let mut job = job(&query);
        (job.options.host, job.options.memory) = (host, memory);
        fingerprint(&[job], &settings(1, None))
    };
    let refusing = || mark(Arc::new(RefusingHost), 9);
    let refused = refusing();
    let system = || mark(Arc::new(crate::SystemHost::new()), 9);
    let missing = system();
    std::fs::write(&path, "Morphy").unwrap();
    assert_eq!(refusing(), refused);
    assert_ne!(system(), missing);
    assert_ne!(system(), refused);
    let of = |text: &'static str| mark(Arc::new(OneFile(text)), 9);
    assert_eq!(of("Morphy"), system());
    assert_ne!(of("Anderssen"), of("Morphy"));
    // Both are too long to be read.
    assert_eq!(of("Capablanca"), of("Alekhine, A."));
}

/// A part counts for what it holds, whatever its name.
#[test]
fn a_part_under_the_name_of_another_is_searched_again() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = &put_inputs(folder.path())[..2];
    let kept = folder.path().join("kept");
    let scan = |query: &str| {
        let tasks = tasks(&[job(query)], false, folder.path());
        let scanned =
            scan_resumed(inputs, tasks, &settings(1, None), &kept, &mut crate::Silent).unwrap();
        (scanned.0.jobs[0].matches, scanned.2)
    };
    let (mates, mate_parts) = scan("mate");
    let (_, stalemate_parts) = scan("stalemate");
    for (mate, stalemate) in mate_parts.iter().zip(&stalemate_parts) {
        std::fs::copy(stalemate, mate).unwrap();
    }
    assert!(mates > 0);
    assert_eq!(scan("mate").0, mates);
}

/// Any number of threads is a number of threads.
#[test]
fn too_many_threads_are_fewer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n").unwrap();
    let (inputs, job) = ([Input::File(path)], job("mate gamenumber==lastgamenumber"));
    for threads in [0, 1 << 60, usize::MAX] {
        let settings = settings(threads, None);
        let tasks = vec![job.clone().into()];
        let summary = scan(&inputs, tasks, &settings, &mut crate::Silent).unwrap();
        assert_eq!(summary.jobs[0].matches, 1);
        assert_eq!(summary.threads, threads.clamp(1, 256));
        let slice = plan(&inputs, 2, threads, true).unwrap().remove(0);
        scan_slice(&slice, vec![job.clone()], &settings, "", Vec::new()).unwrap();
    }
}
