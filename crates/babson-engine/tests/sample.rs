//! A random sample of the matches depends on the seed and on the numbers of the games only.

use std::collections::BTreeSet;
use std::path::Path;

use babson_engine::{
    Destination, Error, FileFormat, FileSink, Input, Job, MatchChoice, OutputRefusal, Settings,
    SharedSink, Silent, Summary, Task, scan,
};
use babson_lang::{Dialect, analyze};

const ENDINGS: [&str; 4] = ["pgn", "jsonl", "csv", "epd"];

fn job(query: &str, choice: Option<MatchChoice>) -> Job {
    let query = analyze(query, Dialect::CQLI).unwrap().query;
    Job { choice, ..Job::new(&query).unwrap() }
}

fn sample(games: u64, seed: u64) -> Option<MatchChoice> {
    Some(MatchChoice::Sample { games, seed })
}

fn masters() -> Input {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games/masters-2k.pgn");
    Input::File(path)
}

/// The summary of a scan of these jobs, and the outputs of each.
fn run(jobs: Vec<Job>, threads: usize) -> (Summary, Vec<Vec<String>>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |job: usize, ending: &str| folder.path().join(format!("{job}.{ending}"));
    let count = jobs.len();
    let tasks = jobs.into_iter().enumerate().map(|(index, job)| {
        let sinks = ENDINGS.iter().map(|ending| FileSink::at(path(index, ending)).unwrap());
        sinks.fold(Task::new(job), Task::sink)
    });
    let mut settings = Settings::default();
    settings.threads = threads;
    let mut summary = scan(&[masters()], tasks.collect(), &settings, &mut Silent).unwrap();
    summary.threads = 0;
    summary.queries.iter_mut().for_each(|job| job.seconds = 0.0);
    let text = |job, ending: &&str| std::fs::read_to_string(path(job, ending)).unwrap();
    let of_job = |job: usize| ENDINGS.iter().map(|ending| text(job, ending)).collect();
    (summary, (0..count).map(of_job).collect())
}

/// The lines of the output of JSON, one for each game.
fn lines(outputs: &[String]) -> Vec<&str> {
    outputs[1].lines().collect()
}

#[test]
fn a_sample_does_not_depend_on_threads() {
    let (all_summary, all) = run(vec![job("mate", None)], 2);
    let all = lines(&all[0]);
    let mut samples = BTreeSet::new();
    for seed in [0, 1, u64::MAX] {
        let (summary, one) = run(vec![job("mate", sample(20, seed))], 1);
        assert_eq!(run(vec![job("mate", sample(20, seed))], 4), (summary.clone(), one.clone()));
        // All matches are counted.
        assert_eq!(summary, all_summary);
        let chosen = lines(&one[0]);
        assert_eq!(chosen.len(), 20);
        assert_eq!(one[0][0].matches("[Event ").count(), 20);
        // They are matches in the order of the games.
        let mut rest = all.iter();
        assert!(chosen.iter().all(|line| rest.any(|other| other == line)));
        // A smaller sample of the same seed is a part of it.
        let (_, fewer) = run(vec![job("mate", sample(5, seed))], 3);
        assert!(lines(&fewer[0]).iter().all(|line| chosen.contains(line)));
        samples.insert(one);
    }
    assert_eq!(samples.len(), 3);
}

#[test]
fn a_sample_of_few_matches_has_all() {
    let (_, all) = run(vec![job("mate", None)], 2);
    for games in [5000, u64::MAX] {
        assert_eq!(run(vec![job("mate", sample(games, 7))], 2).1, all);
    }
}

/// Each query has its own sample. A limit and a sort come before it.
#[test]
fn samples_of_several_queries() {
    let limited = |choice| Job { limit: Some(50), ..job("check", choice) };
    let sorted = "terminal sort min \"plies\" ply";
    let jobs = |choice: Option<MatchChoice>| {
        vec![job("mate", choice), limited(choice), job(sorted, choice)]
    };
    let (_, all) = run(jobs(None), 2);
    let (summary, chosen) = run(jobs(sample(10, 3)), 3);
    assert_eq!(summary.queries[1].matches, 50);
    for (all, chosen) in all.iter().zip(&chosen) {
        let chosen = lines(chosen);
        assert_eq!(chosen.len(), 10);
        let mut rest = lines(all).into_iter();
        assert!(chosen.iter().all(|line| rest.any(|other| other == *line)));
    }
    assert_eq!(run(vec![job("mate", sample(10, 3))], 1).1[0], chosen[0]);
}

#[test]
fn an_output_of_several_queries_has_no_sample() {
    let folder = tempfile::tempdir().unwrap();
    let destination = Destination::File(folder.path().join("all.pgn"));
    let mut settings = Settings::default();
    settings.shared = vec![SharedSink::new(FileFormat::Pgn, destination)];
    let tasks = vec![Task::new(job("mate", sample(2, 0))), Task::new(job("check", None))];
    let error = scan(&[masters()], tasks, &settings, &mut Silent).unwrap_err();
    let Error::OutputRefused { reason, .. } = error else { panic!("{error}") };
    assert_eq!(reason, OutputRefusal::SharedSample);
}
