//! Outputs that have each game once for all queries.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use babson_engine::{
    Destination, Error, FileFormat, FragmentLength, Input, Job, NamePattern, OutputRefusal,
    Settings, SharedSink, Silent, SliceResult, Task, Tracing, merge, plan, scan, scan_slice,
};
use babson_lang::{Dialect, analyze};
use babson_vm::{CompileOptions, Program};

fn job(title: &str, query: &str) -> Job {
    let query = analyze(query, Dialect::CQLI).unwrap().query;
    Job { title: title.to_owned(), ..Job::new(&query).unwrap() }
}

/// The queries of these tests: they match different games, and some of the same positions.
fn jobs() -> Vec<Job> {
    vec![
        job("mates", "mate"),
        job("queens", "{ply == 4 Qh5} or {mate comment(\"the end\")}"),
        job("odd", "ply == 1 gamenumber % 2 == 1 settag(\"Mark\" \"x\")"),
        job("none", "stalemate"),
    ]
}

/// Games in several chunks.
fn games(number: usize) -> Vec<u8> {
    let mut text = String::new();
    for game in 1..=number {
        let filler = "y".repeat(700);
        let moves =
            ["1. f3 e5 2. g4 Qh4# 0-1", "1. d4 {own} d5 *", "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"];
        text += &format!("[Round \"{game}\"]\n[Filler \"{filler}\"]\n\n{}\n\n", moves[game % 3]);
    }
    text.into_bytes()
}

fn settings(threads: usize, outputs: Vec<SharedSink>) -> Settings {
    let mut settings = Settings::default();
    (settings.threads, settings.shared) = (threads, outputs);
    settings
}

fn overlaid(path: &Path) -> SharedSink {
    SharedSink::new(FileFormat::Pgn, Destination::File(path.to_owned())).overlaid()
}

fn tasks(jobs: Vec<Job>) -> Vec<Task> {
    jobs.into_iter().map(Task::new).collect()
}

fn searched(jobs: Vec<Job>, threads: usize) -> Result<String, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.pgn");
    let inputs = [Input::bytes("games", games(3000))];
    scan(&inputs, tasks(jobs), &settings(threads, vec![overlaid(&path)]), &mut Silent)?;
    Ok(fs::read_to_string(&path).unwrap())
}

#[test]
fn each_game_is_written_once() {
    let text = searched(jobs(), 1).unwrap();
    let written: Vec<&str> = text.split("[Round \"").skip(1).collect();
    let of = |game: usize| {
        let begin = format!("{game}\"]");
        let found: Vec<_> = written.iter().filter(|text| text.starts_with(&begin)).collect();
        assert!(found.len() < 2, "game {game}");
        found.first().map(|text| text.split_once("y\"]\n").unwrap().1.trim_end().to_owned())
    };
    assert_eq!(of(4), None);
    assert_eq!(of(1).unwrap(), "[Mark \"x\"]\n[Query \"odd\"]\n\n1.d4 {own} {odd} 1...d5 *");
    assert_eq!(
        of(3).unwrap(),
        "[Mark \"x\"]\n[Query \"mates, queens, odd\"]\n\n1.f3 {odd} 1...e5 2.g4 Qh4# {mates} {queens: the \
         end} {queens} 0-1"
    );
    assert_eq!(
        of(2).unwrap(),
        "[Query \"mates, queens\"]\n\n1.e4 e5 2.Qh5 Ke7 {queens} 3.Qxe5# {mates} {queens: the \
         end} {queens} 1-0"
    );
    for threads in [2, 5] {
        assert!(searched(jobs(), threads).unwrap() == text, "{threads} threads");
    }
}

/// A query counts for the games up to its limit, or to the error that ends it, and no further.
#[test]
fn queries_that_end_before_the_others() {
    for threads in [1, 2, 5] {
        let limited = |limits: [Option<u64>; 4]| {
            let mut jobs = jobs();
            for (job, limit) in jobs.iter_mut().zip(limits) {
                job.limit = limit;
            }
            searched(jobs, threads).unwrap()
        };
        let text = limited([Some(5), None, Some(700), Some(1)]);
        let count = |name: &str| text.lines().filter(|line| line.contains(name)).count();
        assert_eq!(count("{mates}"), 5, "{threads} threads");
        assert_eq!(count("{odd}"), 700, "{threads} threads");
        assert_eq!((count("[Query \""), count("{queens}")), (2234, 2000));
        let mut jobs = jobs();
        jobs[0] = job("mates", "mate assert gamenumber < 100");
        let text = searched(jobs, threads).unwrap();
        let count = |name: &str| text.lines().filter(|line| line.contains(name)).count();
        assert_eq!(count("{mates}"), 66, "{threads} threads");
    }
}

/// The results of slices give the same file.
#[test]
fn slices() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, all) = (folder.path().join("games.pgn"), folder.path().join("all.pgn"));
    fs::write(&pgn, games(3000)).unwrap();
    let settings = settings(2, vec![overlaid(&all)]);
    for limit in [None, Some(20)] {
        let mut jobs = jobs();
        jobs[0].limit = limit;
        let mut results = Vec::new();
        for slice in plan(&[Input::File(pgn.clone())], 3, 1, true).unwrap() {
            let mut bytes = Vec::new();
            scan_slice(&slice, jobs.clone(), &settings, "", &mut bytes).unwrap();
            results.push(SliceResult::read("part", Cursor::new(bytes)).unwrap());
        }
        merge(results, tasks(jobs.clone()), &settings, &mut Silent).unwrap();
        let expected = searched(jobs, 1).unwrap();
        assert!(fs::read_to_string(&all).unwrap() == expected, "{limit:?}");
    }
}

/// Each query has a color, and the arrows are there once. No color has two meanings as long as
/// there are enough.
#[test]
fn marks() {
    let marked = |title: &str, query: &str| {
        let query = analyze(query, Dialect::CQLI).unwrap().query;
        let traced = CompileOptions { trace: true, ..CompileOptions::default() };
        let program = Program::compile_with(&query, &traced).unwrap();
        let job = Job { title: title.to_owned(), marks: true, ..Job::new(&query).unwrap() };
        Job { tracing: Tracing::On(program).into(), ..job }
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.pgn");
    let inputs = [Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n")];
    let jobs =
        vec![marked("a", "mate k"), marked("b", "mate K attackedby q"), marked("c", "mate rh8")];
    scan(&inputs, tasks(jobs), &settings(2, vec![overlaid(&path)]), &mut Silent).unwrap();
    let text = fs::read_to_string(&path).unwrap().replace('\n', " ");
    assert!(text.contains("Qh4# {a} {b} {c} {[%csl Ge8,Re1,Rh4,Bh8][%cal Yd8h4]} 0-1"), "{text}");
    for (queries, arrows) in [(1, "Ye7e5,Bg2g4"), (2, "Ye7e5,Bg2g4"), (3, "Ye7e5,Yg2g4")] {
        let all =
            [marked("a", "ply == 2 k"), marked("b", "ply == 2 K"), marked("c", "ply == 2 ra8")];
        let jobs = all.into_iter().take(queries).collect();
        scan(&inputs, tasks(jobs), &settings(2, vec![overlaid(&path)]), &mut Silent).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(&format!("[%cal {arrows}]")), "{queries}: {text}");
    }
}

/// Files that are named after tags, also those that queries set; other outputs beside it.
#[test]
fn split_files_and_other_outputs() {
    let folder = tempfile::tempdir().unwrap();
    let pattern =
        NamePattern::parse(&format!("{}/{{tag:Mark}}.pgn", folder.path().display())).unwrap();
    let split = Destination::Split { pattern, append: false };
    let csv = folder.path().join("all.csv");
    let outputs = vec![
        SharedSink::new(FileFormat::Pgn, split).overlaid(),
        SharedSink::new(FileFormat::Csv, Destination::File(csv.clone())),
        overlaid(&folder.path().join("all.pgn")),
    ];
    let inputs = [Input::bytes("games", games(30))];
    let summary = scan(&inputs, tasks(jobs()), &settings(2, outputs), &mut Silent).unwrap();
    let text = fs::read_to_string(folder.path().join("x.pgn")).unwrap();
    assert_eq!(text.matches("[Query \"").count(), 15);
    let all = fs::read_to_string(folder.path().join("all.pgn")).unwrap();
    assert_eq!(all.matches("[Query \"").count(), 25);
    assert_eq!(summary.files.iter().map(|file| file.1).sum::<u64>(), 25);
    assert_eq!(
        fs::read_to_string(csv).unwrap().lines().count() as u64,
        1 + summary.queries.iter().map(|job| job.positions).sum::<u64>()
    );
}

#[test]
fn outputs_that_cannot_be_overlaid() {
    let refused = |format: FileFormat, change: &dyn Fn(&mut Vec<Job>)| {
        let folder = tempfile::tempdir().unwrap();
        let destination = Destination::File(folder.path().join("all"));
        let mut jobs = jobs();
        change(&mut jobs);
        let settings = settings(1, vec![SharedSink::new(format, destination).overlaid()]);
        let error = scan(&[Input::bytes("games", [])], tasks(jobs), &settings, &mut Silent);
        let Err(Error::OutputRefused { reason, .. }) = error else { panic!("{error:?}") };
        reason
    };
    for format in [FileFormat::Csv, FileFormat::Jsonl, FileFormat::Epd] {
        assert_eq!(refused(format, &|_| {}), OutputRefusal::OverlaidFormat);
    }
    let pgn = FileFormat::Pgn;
    let fragment = |jobs: &mut Vec<Job>| jobs[1].fragment = Some(FragmentLength::ToEnd);
    assert_eq!(refused(pgn, &fragment), OutputRefusal::OverlaidFragments);
    let layout = |jobs: &mut Vec<Job>| jobs[1].options.cql6_output = true;
    assert_eq!(refused(pgn, &layout), OutputRefusal::OverlaidLayout);
    let other = |jobs: &mut Vec<Job>| {
        let query = analyze("mate", Dialect::CQL6).unwrap().query;
        jobs.push(Job::new(&query).unwrap());
    };
    assert_eq!(refused(pgn, &other), OutputRefusal::OverlaidDialects);
    let sorted = |jobs: &mut Vec<Job>| jobs.push(job("sorted", "mate sort \"a\" gamenumber"));
    assert_eq!(refused(pgn, &sorted), OutputRefusal::SharedSort);
}
