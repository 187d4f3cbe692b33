//! A scan that is stopped ends, whatever its queries do, and writes nothing.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use babson_engine::{
    Error, FileSink, Input, Job, RunningScan, Settings, Silent, Task, count, scan, scan_slice,
};
use babson_lang::{Dialect, analyze};
use babson_vm::{CancelToken, StopSignal, Stopped};

/// A query that never ends in the games from `first` on.
fn endless(first: u64) -> Job {
    let query = format!("initial if gamenumber >= {first} then while (true) true");
    let mut job = Job::new(&analyze(&query, Dialect::CQLI).unwrap().query).unwrap();
    job.options.steps = u64::MAX;
    job
}

fn games(folder: &Path) -> Vec<Input> {
    let path = folder.join("games.pgn");
    std::fs::write(&path, "[Event \"a\"]\n\n1. e4 e5 *\n\n".repeat(12_000)).unwrap();
    vec![Input::File(path)]
}

/// Cancels the token after the scan has begun, probably. The result is the same if it has not.
fn cancel_soon(token: &CancelToken) {
    let token = token.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(30));
        token.cancel();
    });
}

#[test]
fn a_token_stops_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = games(folder.path());
    for threads in [1, 4] {
        for first in [1, 5_000] {
            let token = CancelToken::default();
            let stop = StopSignal { cancel: Some(token.clone()), deadline: None };
            let mut settings = Settings::default();
            (settings.threads, settings.stop) = (threads, stop);
            let out = folder.path().join("out.pgn");
            let sink = FileSink::pgn(&out);
            let task = Task::new(endless(first)).sink(sink);
            cancel_soon(&token);
            let error = scan(&inputs, vec![task], &settings, &mut Silent).unwrap_err();
            let Error::Stopped { stopped: Stopped::Cancelled, games } = error else {
                panic!("{error:?}");
            };
            assert!(games < first, "{games}");
            assert!(!out.exists());
        }
    }
}

/// Counting the games, a slice and a block outside of the games are stopped, too.
#[test]
fn a_deadline_that_has_passed_stops_all_work() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = games(folder.path());
    let stop = StopSignal { cancel: None, deadline: Some(Instant::now()) };
    let mut settings = Settings::default();
    settings.stop = stop;
    let job = |query: &str| Job::new(&analyze(query, Dialect::CQLI).unwrap().query).unwrap();
    for query in ["mate", "gamenumber == lastgamenumber", "cqlbegin { while (true) true } mate"] {
        let error = scan(&inputs, vec![Task::new(job(query))], &settings, &mut Silent).unwrap_err();
        let deadline = Error::Stopped { stopped: Stopped::Deadline, games: 0 };
        assert_eq!(error.to_string(), deadline.to_string(), "{query}");
    }
    let slices = babson_engine::plan(&inputs, 2, 1, true).unwrap();
    let error = scan_slice(&slices[0], vec![endless(1)], &settings, "", Vec::new()).unwrap_err();
    assert!(matches!(error, Error::Stopped { .. }), "{error}");
    // Without the signal nothing has changed.
    assert_eq!(count(&inputs, 1, true).unwrap(), 12_000);
}

#[test]
fn a_running_scan_that_is_dropped_ends() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::default();
    drop(RunningScan::start(games(folder.path()), vec![Task::new(endless(1))], settings));
}

/// The signal of a query's own options stops its scan.
#[test]
fn a_query_brings_its_signal() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = endless(100);
    job.options.stop.deadline = Some(Instant::now() + Duration::from_millis(30));
    let settings = Settings::default();
    let error =
        scan(&games(folder.path()), vec![Task::new(job)], &settings, &mut Silent).unwrap_err();
    assert!(matches!(error, Error::Stopped { stopped: Stopped::Deadline, .. }), "{error}");
}
