use std::path::PathBuf;

use babson_lang::{Dialect, Span};
use babson_vm::run::{GameFailure, ReadPurpose};
use babson_vm::{DamagedGame, RuntimeError, SortValue};

use super::*;
use crate::collect::{NonmatchingGames, QueryBatch, RejectedTexts};
use crate::destination::Destination;
use crate::drive::BatchTaker as _;
use crate::formats::file::FileSink;
use crate::formats::{FileFormat, NonmatchingSink};
use crate::job::{Job, MatchChoice};
use crate::rank::Rank;
use crate::task::{Settings, Task};
use crate::worker::{ChunkResult, GameMatch, JobResult, Remark};

/// Records the events in order. `closed`: the reader of the messages has gone away.
#[derive(Default)]
struct Events {
    all: Vec<String>,
    closed: bool,
}

impl Observer for Events {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Message { query, lines, .. } => {
                self.all.push(format!("{query}: {}", String::from_utf8_lossy(&lines)));
                if self.closed {
                    return Err(Error::ClosedPipe);
                }
            }
            Event::Damaged(game) => {
                self.all.push(format!("damaged {} {}", game.game, game.reason));
            }
            Event::Noted(game) => self.all.push(format!("noted {} {}", game.game, game.reason)),
            Event::RuntimeError { query, game, error } => {
                let game = game.unwrap_or(0);
                self.all.push(format!("{query}: {game} failed: {}", error.message));
            }
            Event::Matched { query, game } => self.all.push(format!("{query}: {game} matched")),
            Event::Match { .. }
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

fn job(query: &str) -> Job {
    let query = babson_lang::analyze(query, Dialect::CQLI).unwrap().query;
    Job::new(&query).unwrap()
}

/// The plan of jobs that only count.
fn planned(jobs: &[Job]) -> Plan {
    Plan::new(
        jobs.iter().cloned().map(Task::new).collect(),
        Vec::new(),
        &Settings::default(),
        false,
    )
    .0
}

fn merger<'m>(
    plan: &'m Plan,
    sinks: Vec<Vec<Box<dyn Sink>>>,
    observer: &'m mut Events,
) -> Result<Merger<'m>, Error> {
    merger_with(plan, sinks, Box::leak(Box::default()), observer)
}

fn merger_with<'m>(
    plan: &'m Plan,
    sinks: Vec<Vec<Box<dyn Sink>>>,
    settings: &'m Settings,
    observer: &'m mut Events,
) -> Result<Merger<'m>, Error> {
    Merger::new(plan, sinks, settings, OwnFiles::default(), observer, None)
}

/// Returns an empty list of sinks for each of `jobs` jobs.
fn no_sinks(jobs: usize) -> Vec<Vec<Box<dyn Sink>>> {
    (0..jobs).map(|_| Vec::new()).collect()
}

/// Results of some games, in which nothing happened yet.
fn chunk(plan: &Plan, first_game: u64, games: u64) -> ChunkResult {
    let mut result = ChunkResult::new(plan.jobs.len(), first_game);
    result.games = games;
    result
}

fn add_message(results: &mut JobResult, game: u64, line: &str) {
    results.log.messages.extend_from_slice(line.as_bytes());
    results.log.message_ends.push((game, results.log.messages.len()));
}

fn add_match(results: &mut JobResult, game: u64) {
    results.matches.push(GameMatch { game, positions: 1, row: None });
}

/// Adds a match with this text to the outputs of a query, which are the first collector.
fn add_written(
    results: &mut ChunkResult,
    (query, outputs): (usize, usize),
    (game, rank): (u64, Option<Rank>),
    text: &str,
) {
    add_match(&mut results.jobs[query], game);
    if results.collected.is_empty() {
        results.collected.push(QueryBatch::none());
    }
    QueryBatch::of(&mut results.collected[0], query).add(outputs, game, rank, text);
}

/// Adds the text of a damaged game for the collector after the outputs of the queries.
fn add_rejected(results: &mut ChunkResult, game: u64, text: &str) {
    let games = vec![(game, Some(text.as_bytes().to_vec()))];
    results.collected.push(Box::new(RejectedTexts { games, long: None }));
}

/// The settings of a scan that writes the damaged games to this file.
fn rejecting(path: Option<PathBuf>) -> Settings {
    Settings { rejects: path.map(Destination::File), ..Settings::default() }
}

fn add_nonmatching(results: &mut ChunkResult, game: u64, text: &str) {
    if results.collected.is_empty() {
        results.collected.push(Box::<NonmatchingGames>::default());
    }
    results.collected[0].downcast_mut::<NonmatchingGames>().unwrap().add(game, text);
}

fn error(message: &str, fatal: bool) -> RuntimeError {
    let mut error = RuntimeError::new("assert", Span::new(0, 0), message);
    error.fatal = fatal;
    error
}

fn add_failure(results: &mut JobResult, game: u64, fatal: bool) {
    results.log.errors.push(GameFailure { game, before: game - 1, error: error("no", fatal) });
}

fn add_remark(chunk: &mut ChunkResult, game: u64, rank: usize, jobs: Option<&[usize]>) {
    let report = DamagedGame::new("", 1, game, format!("rank {rank}"));
    let jobs = jobs.map(<[usize]>::to_vec);
    let (note, left_out, purpose) = (false, false, ReadPurpose::Search);
    chunk.remarks.push(Remark { report, note, left_out, jobs, purpose, rank });
}

fn block(messages: &str, error: Option<RuntimeError>) -> BlockResult {
    BlockResult { messages: messages.as_bytes().to_vec(), error }
}

/// Whether the run ends because nobody reads what is left.
fn ends(result: Result<(), Error>) -> bool {
    match result {
        Ok(()) => false,
        Err(Error::ClosedPipe) => true,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn with_a_limit_of_zero_no_game_counts() {
    let mut jobs = [job("mate")];
    jobs[0].limit = Some(0);
    for matches in [false, true] {
        let mut events = Events::default();
        let plan = planned(&jobs);
        let mut merger = merger(&plan, no_sinks(jobs.len()), &mut events).unwrap();
        let mut results = chunk(&plan, 1, 3);
        add_message(&mut results.jobs[0], 1, "one\n");
        add_failure(&mut results.jobs[0], 2, true);
        if matches {
            add_match(&mut results.jobs[0], 3);
        }
        add_remark(&mut results, 1, 0, None);
        merger.take(results).unwrap();
        assert!(merger.is_done());
        let summary = merger.finish().unwrap().0;
        assert_eq!((summary.games, summary.damaged), (0, 0));
        let of_job = &summary.queries[0];
        assert_eq!((of_job.matches, of_job.failed_games), (0, 0));
        assert!(of_job.stopped.is_none());
        assert_eq!(events.all, [""; 0]);
    }
}

#[test]
fn the_limit_ends_with_the_last_game_that_matches() {
    let mut jobs = [job("mate")];
    jobs[0].limit = Some(2);
    let mut events = Events::default();
    let plan = planned(&jobs);
    let mut merger = merger(&plan, no_sinks(jobs.len()), &mut events).unwrap();
    let mut results = chunk(&plan, 11, 2);
    add_match(&mut results.jobs[0], 11);
    merger.take(results).unwrap();
    assert!(merger.runs(0));
    let mut results = chunk(&plan, 13, 4);
    for game in 13..17 {
        add_message(&mut results.jobs[0], game, &format!("{game}\n"));
        add_failure(&mut results.jobs[0], game, false);
        add_remark(&mut results, game, 0, Some(&[0]));
    }
    add_match(&mut results.jobs[0], 14);
    add_match(&mut results.jobs[0], 15);
    merger.take(results).unwrap();
    assert!(!merger.runs(0));
    let summary = merger.finish().unwrap().0;
    assert_eq!((summary.games, summary.damaged), (4, 2));
    assert_eq!((summary.queries[0].matches, summary.queries[0].failed_games), (2, 2));
    let expected = [
        "0: 11 matched",
        "0: 13 failed: no",
        "0: 13\n",
        "damaged 13 rank 0",
        "0: 14 failed: no",
        "0: 14\n",
        "0: 14 matched",
        "damaged 14 rank 0",
    ];
    assert_eq!(events.all, expected);
}

#[test]
fn a_fatal_error_ends_with_its_game() {
    let jobs = [job("mate")];
    let mut events = Events::default();
    let plan = planned(&jobs);
    let mut merger = merger(&plan, no_sinks(jobs.len()), &mut events).unwrap();
    let mut results = chunk(&plan, 1, 4);
    for game in 1..5 {
        add_message(&mut results.jobs[0], game, &format!("{game}\n"));
    }
    for game in [1, 4] {
        add_match(&mut results.jobs[0], game);
    }
    for (game, fatal) in [(2, false), (3, true), (4, true)] {
        add_failure(&mut results.jobs[0], game, fatal);
    }
    merger.take(results).unwrap();
    let summary = merger.finish().unwrap().0;
    assert_eq!(
        (summary.games, summary.queries[0].matches, summary.queries[0].failed_games),
        (3, 1, 1)
    );
    assert!(matches!(summary.queries[0].stopped, Some(FatalError { game: Some(3), .. })));
    let expected =
        ["0: 1\n", "0: 1 matched", "0: 2 failed: no", "0: 2\n", "0: 3 failed: no", "0: 3\n"];
    assert_eq!(events.all, expected);
}

/// A remark is reported if its game counts for one of the jobs that the game was read for.
#[test]
fn only_games_that_count_are_reported() {
    let mut jobs = [job("mate"), job("check")];
    for job in &mut jobs {
        job.limit = Some(1);
    }
    let mut events = Events::default();
    let plan = planned(&jobs);
    let mut merger = merger(&plan, no_sinks(jobs.len()), &mut events).unwrap();
    let mut results = chunk(&plan, 1, 6);
    add_match(&mut results.jobs[0], 2);
    add_match(&mut results.jobs[1], 5);
    add_remark(&mut results, 2, 0, Some(&[0]));
    add_remark(&mut results, 2, 1, None);
    // Job 0 has ended, so the next damage of the game is reported.
    add_remark(&mut results, 3, 0, Some(&[0]));
    add_remark(&mut results, 3, 1, Some(&[0, 1]));
    add_remark(&mut results, 3, 2, None);
    add_remark(&mut results, 4, 0, Some(&[0]));
    add_remark(&mut results, 5, 0, None);
    add_remark(&mut results, 6, 0, None);
    merger.take(results).unwrap();
    assert_eq!((merger.summary.games, merger.summary.damaged), (5, 3));
    let expected = [
        "0: 2 matched",
        "damaged 2 rank 0",
        "damaged 3 rank 1",
        "1: 5 matched",
        "damaged 5 rank 0",
    ];
    drop(merger);
    assert_eq!(events.all, expected);
}

#[test]
fn a_stopped_job_has_no_end_block() {
    let jobs = [job("mate"), job("check")];
    let mut events = Events::default();
    let plan = planned(&jobs);
    let mut merger = merger(&plan, no_sinks(jobs.len()), &mut events).unwrap();
    merger
        .take_blocks(vec![block("begin\n", Some(error("first", true))), block("", None)])
        .unwrap();
    assert!(!merger.runs(0) && merger.runs(1));
    let mut results = chunk(&plan, 1, 1);
    add_match(&mut results.jobs[0], 1);
    add_remark(&mut results, 1, 0, Some(&[0]));
    merger.take(results).unwrap();
    let end = || block("end\n", Some(error("last", true)));
    merger.take_blocks(vec![end(), end()]).unwrap();
    let summary = merger.finish().unwrap().0;
    let stopped = summary.queries.iter().map(|job| job.stopped.as_ref().unwrap().to_string());
    assert_eq!(
        stopped.collect::<Vec<_>>(),
        ["first (outside the games)", "last (outside the games)"]
    );
    assert_eq!((summary.games, summary.damaged, summary.queries[0].matches), (1, 0, 0));
    let expected = ["0: begin\n", "0: 0 failed: first", "1: end\n", "1: 0 failed: last"];
    assert_eq!(events.all, expected);
}

/// The run ends when the reader of the messages is gone, unless something else is written.
#[test]
fn without_a_reader_of_messages_the_run_ends() {
    let folder = tempfile::tempdir().unwrap();
    let run = |queries: &[&str], has_sink: bool, has_rejects: bool, closed: bool| {
        let mut tasks: Vec<Task> = queries.iter().map(|query| Task::new(job(query))).collect();
        if has_sink {
            let destination = Destination::File(folder.path().join("out.pgn"));
            tasks[0].sinks.push(FileSink::new(FileFormat::Pgn, destination).into());
        }
        let settings = rejecting(has_rejects.then(|| folder.path().join("rejects.pgn")));
        let (plan, sinks) = Plan::new(tasks, Vec::new(), &settings, false);
        let mut events = Events { closed, ..Events::default() };
        let mut merger = merger_with(&plan, sinks, &settings, &mut events).unwrap();
        for game in 1..3 {
            let mut results = chunk(&plan, game, 1);
            add_message(&mut results.jobs[0], game, "message\n");
            if ends(merger.take(results)) {
                drop(merger);
                assert_eq!(events.all, ["0: message\n"]);
                return true;
            }
        }
        drop(merger);
        assert_eq!(events.all.len(), if closed { 1 } else { 2 });
        false
    };
    assert!(run(&["mate"], false, false, true));
    assert!(run(&["mate", "check"], false, false, true));
    assert!(!run(&["mate"], false, false, false));
    assert!(!run(&["mate"], true, false, true), "the output is still read");
    assert!(!run(&["mate"], false, true, true), "damaged games are still written");
    // The values of persistent variables are shown at the end.
    assert!(!run(&["persistent mates += 1 mate"], false, false, true));
    assert!(!run(&["mate", "persistent mates += 1 mate"], false, false, true));
}

/// The run ends when the readers of all outputs are gone.
#[cfg(target_os = "linux")]
#[test]
fn without_a_reader_of_any_output_the_run_ends() {
    use std::os::fd::AsRawFd;

    // More than a buffer, so that it is written at once.
    let text = "x".repeat(1 << 17);
    for gone in 0..8 {
        let (readers, pipes): (Vec<_>, Vec<_>) = (0..3).map(|_| std::io::pipe().unwrap()).unzip();
        let paths: Vec<std::path::PathBuf> =
            pipes.iter().map(|pipe| format!("/proc/self/fd/{}", pipe.as_raw_fd()).into()).collect();
        let mut task = Task::new(job("mate"));
        for path in &paths[1..] {
            let destination = Destination::File(path.clone());
            task.sinks.push(FileSink::new(FileFormat::Pgn, destination).into());
        }
        let settings = rejecting(Some(paths[0].clone()));
        let (plan, sinks) = Plan::new(vec![task], Vec::new(), &settings, false);
        let mut events = Events::default();
        let mut merger = merger_with(&plan, sinks, &settings, &mut events).unwrap();
        for (index, mut reader) in readers.into_iter().enumerate() {
            if gone >> index & 1 == 0 {
                std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
            }
        }
        let mut results = chunk(&plan, 1, 1);
        add_written(&mut results, (0, 2), (1, None), &text);
        add_rejected(&mut results, 1, &text);
        add_remark(&mut results, 1, 0, None);
        assert_eq!(ends(merger.take(results)), gone == 7, "{gone:03b}");
    }
}

/// The run ends when nobody reads the games that do not match, unless something else is needed.
#[cfg(target_os = "linux")]
#[test]
fn without_a_reader_of_the_other_games_the_run_ends() {
    use std::os::fd::AsRawFd;

    let folder = tempfile::tempdir().unwrap();
    let run = |is_read: bool, needs_counts: bool, has_sink: bool| {
        let (mut reader, pipe) = std::io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
        let nonmatching = NonmatchingSink::new(FileFormat::Pgn, Destination::File(path.into()));
        let nonmatching = Some(nonmatching);
        let settings = Settings { nonmatching, needs_counts, ..Settings::default() };
        let mut task = Task::new(job("mate"));
        if has_sink {
            task.sinks.push(FileSink::pgn(folder.path().join("out.pgn")).into());
        }
        let (plan, sinks) = Plan::new(vec![task], Vec::new(), &settings, false);
        let mut events = Events::default();
        let mut merger = merger_with(&plan, sinks, &settings, &mut events).unwrap();
        if is_read {
            std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
        } else {
            drop(reader);
        }
        let mut results = chunk(&plan, 1, 1);
        add_nonmatching(&mut results, 1, &"x".repeat(1 << 17));
        ends(merger.take(results))
    };
    assert!(run(false, false, false));
    assert!(!run(true, false, false));
    assert!(!run(false, true, false), "the matches are counted");
    assert!(!run(false, false, true), "the matches are still written");
}

/// The last game of a job matched or failed, so it is not one of the others, even if a search of
/// the same chunk that came before the last has added it.
#[test]
fn the_last_game_of_a_job_is_not_one_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rest.pgn");
    let nonmatching = NonmatchingSink::at(&path);
    let settings = Settings { nonmatching, ..Settings::default() };
    let (plan, sinks) = Plan::new(vec![Task::new(job("mate"))], Vec::new(), &settings, false);
    let mut events = Events::default();
    let mut merger = merger_with(&plan, sinks, &settings, &mut events).unwrap();
    let mut results = chunk(&plan, 1, 3);
    for game in 1..=3 {
        add_nonmatching(&mut results, game, &format!("{game}\n"));
        add_remark(&mut results, game, 0, Some(&[0]));
        results.remarks.last_mut().unwrap().purpose = ReadPurpose::Nonmatch;
    }
    let error = error("bad", true);
    results.jobs[0].log.errors.push(GameFailure { game: 2, before: 1, error });
    merger.take(results).unwrap();
    let (summary, _) = merger.finish().unwrap();
    assert_eq!((summary.nonmatching, summary.damaged), (1, 1));
}

/// A damage that shows when a game is written is reported if the game is among the best of a job,
/// once, and not if another reading reports one.
#[test]
fn damage_of_games_that_are_not_written_is_not_reported() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = ["sort \"a\" ply", "sort min \"a\" ply", "mate"];
    let mut jobs = jobs.map(job);
    (jobs[0].choice, jobs[1].choice) = (Some(MatchChoice::Top(2)), Some(MatchChoice::Top(1)));
    let sink = |index: usize| FileSink::pgn(folder.path().join(format!("{index}.pgn")));
    let tasks = jobs.iter().cloned().enumerate();
    let tasks = tasks.map(|(index, job)| Task::new(job).sink(sink(index))).collect();
    let settings = rejecting(Some(folder.path().join("rejected.pgn")));
    let (plan, sinks) = Plan::new(tasks, Vec::new(), &settings, false);
    let mut events = Events::default();
    let mut merger = merger_with(&plan, sinks, &settings, &mut events).unwrap();
    for game in 1..=6 {
        let mut results = chunk(&plan, game, 1);
        for (index, job) in plan.jobs.iter().enumerate() {
            let keys = [Some(SortValue::Number(game as i32))];
            let rank = job.sorts().then(|| Rank::new(&job.program, &keys, game));
            add_written(&mut results, (index, 1), (game, rank), &format!("{game}\n"));
            add_remark(&mut results, game, index, Some(&[index]));
            let remark = results.remarks.last_mut().unwrap();
            // Job 2 writes all games, but only game 5 is found damaged for it.
            remark.purpose = ReadPurpose::Match;
            if index == 2 && game != 5 {
                results.remarks.pop();
            }
        }
        add_rejected(&mut results, game, &format!("game {game}"));
        merger.take(results).unwrap();
    }
    let (summary, outputs) = merger.finish().unwrap();
    outputs.publish().unwrap();
    assert_eq!(summary.damaged, 3);
    let damaged: Vec<_> = events.all.iter().filter(|event| event.contains("damaged")).collect();
    assert_eq!(damaged, ["damaged 5 rank 2", "damaged 1 rank 1", "damaged 6 rank 0"]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("rejected.pgn"), "game 5\n\ngame 1\n\ngame 6\n\n");
    assert_eq!(["0.pgn", "1.pgn"].map(read), ["6\n5\n", "1\n"]);
}
