use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use babson_lang::Dialect;
use babson_vm::{RuntimeError, Sharing};

use super::scan;
use crate::error::Error;
use crate::input::Input;
use crate::job::{Job, Settings};
use crate::report::{Observer, Summary};

/// A file of so many games of some four kilobytes, with sixteen games in each of the least chunks.
fn put_games(folder: &Path, games: usize) -> PathBuf {
    let path = folder.join("a.pgn");
    let game = format!("[Event \"a\"]\n\n1. e4 {{{}}} e5 *\n\n", "x".repeat(4060));
    std::fs::write(&path, game.repeat(games)).unwrap();
    path
}

/// Records the events of a scan; touches a file at the first message.
struct EventRecorder<'p> {
    /// The length of the messages that came at a time, and their first bytes.
    messages: Vec<(usize, String)>,
    errors: Vec<(u64, RuntimeError)>,
    touches: Option<&'p Path>,
}

impl Observer for EventRecorder<'_> {
    fn message(&mut self, _job: usize, lines: &[u8]) -> Result<(), Error> {
        let begin = String::from_utf8_lossy(&lines[..lines.len().min(8)]).into_owned();
        self.messages.push((lines.len(), begin));
        if let Some(path) = self.touches.take() {
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        Ok(())
    }

    fn runtime_error(&mut self, _job: usize, game: u64, error: &RuntimeError) {
        self.errors.push((game, error.clone()));
    }
}

fn run<'p>(
    path: &Path,
    query: &str,
    threads: usize,
    kept_entries: usize,
    touches: Option<&'p Path>,
) -> (Result<Summary, Error>, EventRecorder<'p>) {
    let query = babson_lang::analyze(query, Dialect::CQLI).unwrap().query;
    let mut job = Job::new(&query, Dialect::CQLI).unwrap();
    assert!(!matches!(job.program.sharing(), Sharing::InOrder(_)));
    job.options.kept_entries = kept_entries;
    let settings = Settings { threads, dictionaries: true, ..Settings::default() };
    let mut events = EventRecorder { messages: Vec::new(), errors: Vec::new(), touches };
    let summary = scan(&[Input::File(path.to_owned())], &[job], &settings, &mut events);
    (summary, events)
}

/// However much the games of a chunk print, only a part of it is held at a time.
#[test]
fn large_results_come_in_batches() {
    let folder = tempfile::tempdir().unwrap();
    let path = put_games(folder.path(), 64);
    let query = "initial x=str(gamenumber \".......\") while (#x<2000000) x+=x message quiet(x)";
    let mut all = Vec::new();
    for threads in [1, 3] {
        let (summary, events) = run(&path, query, threads, usize::MAX, None);
        let summary = summary.unwrap();
        assert_eq!((summary.games, summary.jobs[0].matches), (64, 64));
        let longest = events.messages.iter().map(|message| message.0).max().unwrap();
        assert!(longest < 24 << 20, "{longest}");
        all.push(events.messages.iter().map(|message| message.0).sum::<usize>());
        let numbers = events.messages.iter().map(|(_, begin)| begin.split('.').next().unwrap());
        let numbers: Vec<u64> = numbers.map(|number| number.parse().unwrap()).collect();
        assert!(numbers.is_sorted() && numbers.len() > 4, "{numbers:?}");
    }
    assert_eq!(all[0], all[1]);
    assert!(all[0] > 64 * 2_000_000);
}

/// The limit of the entries is reached in the same game for any number of threads.
#[test]
fn the_limit_of_entries_does_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = put_games(folder.path(), 160);
    let entries = |key: &str| {
        format!(
            "dictionary D initial x=0 while (x<100) {{x+=1 D[{key}]=x}} message quiet(gamenumber)"
        )
    };
    for (key, failed) in
        [("gamenumber*1000+x", true), ("x", false), ("(gamenumber%9)*1000+x", false)]
    {
        let results = [1, 2, 3].map(|threads| {
            // Room for the entries of some 40 games.
            let (summary, events) = run(&path, &entries(key), threads, 40 * 100 * 34, None);
            let job = summary.unwrap().jobs.remove(0);
            let messages: usize = events.messages.iter().map(|message| message.0).sum();
            let stopped = job.stopped.map(|error| error.to_string());
            (stopped, events.errors, messages, job.dictionaries)
        });
        let (stopped, errors, ..) = &results[0];
        assert_eq!(errors.len(), usize::from(failed), "{key}");
        if failed {
            let stopped = stopped.as_deref().unwrap();
            assert!(stopped.contains("136000 bytes of entries"), "{stopped}");
            assert_eq!(errors[0].0, 41);
            // What the dictionaries hold after an error is shown nowhere.
            for (_, other, messages, _) in &results[1..] {
                assert_eq!((other, messages), (errors, &results[0].2));
            }
        } else {
            assert_eq!(results[1], results[0], "{key}");
            assert_eq!(results[2], results[0], "{key}");
        }
    }
}

/// A file that is written to during the scan may be read half old and half new.
#[test]
fn a_changed_input_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for threads in [1, 3] {
        let path = put_games(folder.path(), 16 * 20);
        let query = "initial message quiet(gamenumber)";
        assert!(run(&path, query, threads, usize::MAX, None).0.is_ok());
        let (summary, events) = run(&path, query, threads, usize::MAX, Some(&path));
        let error = summary.unwrap_err().to_string();
        assert!(error.contains("a.pgn: it was changed while it was read"), "{error}");
        assert!(!events.messages.is_empty());
    }
}

/// No job is left when all queries of a command have errors.
#[test]
fn a_scan_without_jobs_is_not_a_closed_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let path = put_games(folder.path(), 16);
    for threads in [1, 3] {
        let settings = Settings { threads, ..Settings::default() };
        let summary = scan(&[Input::File(path.clone())], &[], &settings, &mut crate::Silent);
        assert!(summary.unwrap().jobs.is_empty());
    }
}
