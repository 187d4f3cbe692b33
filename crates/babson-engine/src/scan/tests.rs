use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use babson_input::Input;
use babson_lang::Dialect;
use babson_vm::{Match, RuntimeError, Sharing};

use babson_vm::Event;

use super::{RunningScan, matching_games, scan};
use crate::destination::Destination;
use crate::error::Error;
use crate::formats::FileFormat;
use crate::formats::file::FileSink;
use crate::job::{Job, MatchChoice};
use crate::match_text::MatchText;
use crate::observer::{Observer, Silent};
use crate::sink::{Format, MatchedGame, Omitted, Sink, SinkResult, TextSlice};
use crate::summary::Summary;
use crate::task::{Settings, Task};
use crate::threads::refusal::{self, ThreadRecorder};

/// Writes a file of `games` games. Each has about four kilobytes, so a chunk of the minimum size
/// has sixteen games.
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
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Message { lines, .. } => {
                let begin = String::from_utf8_lossy(&lines[..lines.len().min(8)]).into_owned();
                self.messages.push((lines.len(), begin));
                if let Some(path) = self.touches.take() {
                    let file = File::options().write(true).open(path).unwrap();
                    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
                }
            }
            Event::RuntimeError { game, error, .. } => {
                self.errors.push((game.unwrap_or(0), error));
            }
            Event::Match { .. }
            | Event::Matched { .. }
            | Event::Damaged(_)
            | Event::Noted(_)
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

fn run<'p>(
    path: &Path,
    query: &str,
    threads: usize,
    kept_entries: usize,
    touches: Option<&'p Path>,
) -> (Result<Summary, Error>, EventRecorder<'p>) {
    let query = babson_lang::analyze(query, Dialect::CQLI).unwrap().query;
    let mut job = Job::new(&query).unwrap();
    assert!(!matches!(job.program.sharing(), Sharing::InOrder(_)));
    job.options.kept_entries = kept_entries;
    let settings = Settings { threads, dictionaries: true, ..Settings::default() };
    let mut events = EventRecorder { messages: Vec::new(), errors: Vec::new(), touches };
    let summary =
        scan(&[Input::File(path.to_owned())], vec![Task::new(job)], &settings, &mut events);
    (summary, events)
}

/// However much the games of a chunk print, only some of it is held at a time.
#[test]
fn large_results_come_in_batches() {
    let folder = tempfile::tempdir().unwrap();
    let path = put_games(folder.path(), 64);
    let query = "initial x=str(gamenumber \".......\") while (#x<2000000) x+=x message quiet(x)";
    let mut all = Vec::new();
    for threads in [1, 3] {
        let (summary, events) = run(&path, query, threads, usize::MAX, None);
        let summary = summary.unwrap();
        assert_eq!((summary.games, summary.queries[0].matches), (64, 64));
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
            let job = summary.unwrap().queries.remove(0);
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
        let summary = scan(&[Input::File(path.clone())], Vec::new(), &settings, &mut crate::Silent);
        assert!(summary.unwrap().queries.is_empty());
    }
}

pub(crate) fn job(query: &str) -> Job {
    let query = babson_lang::analyze(query, Dialect::CQLI).unwrap().query;
    Job::new(&query).unwrap()
}

fn settings(threads: usize) -> Settings {
    Settings { threads, ..Settings::default() }
}

/// A file of games of White's moves `e4`, `d4`, `c4`, …, and its path.
fn put_openings(folder: &Path, games: usize) -> PathBuf {
    let path = folder.join("openings.pgn");
    let mut text = String::new();
    for game in 0..games {
        let mv = ["e4", "d4", "c4"][game % 3];
        let comment = "x".repeat(3000);
        text += &format!("[Event \"{game}\"]\n[White \"A\"]\n\n1. {mv} {{{comment}}} *\n\n");
    }
    std::fs::write(&path, text).unwrap();
    path
}

/// A sink of numbers and events; fails at a match.
struct Collector {
    hits: Arc<Mutex<Vec<Match>>>,
    fails_at: u64,
}

impl Sink for Collector {
    fn name(&self) -> String {
        "the collector".to_owned()
    }

    fn write(&mut self, hit: &Match) -> SinkResult<ControlFlow<()>> {
        if hit.game == self.fails_at {
            return Err("it is full".into());
        }
        self.hits.lock().unwrap().push(hit.clone());
        Ok(ControlFlow::Continue(()))
    }
}

#[test]
fn events_come_in_game_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = put_openings(folder.path(), 100);
    std::fs::write(folder.path().join("b.pgn"), "[Event \"x\"]\n\n1. d4 d5 2. Kxx *\n").unwrap();
    let inputs = vec![Input::File(path.clone()), Input::File(folder.path().join("b.pgn"))];
    for threads in [1, 4] {
        let tasks = ["Pd4", "Pe4 message quiet(gamenumber)"].map(|text| Task::new(job(text)));
        let mut scan = RunningScan::start(inputs.clone(), tasks.into(), settings(threads));
        let (mut hits, mut lines, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
        for event in scan.by_ref() {
            match event {
                Event::Match { query, hit } => hits.push((query, hit)),
                Event::Message { lines: text, .. } => lines.extend(text),
                Event::Damaged(game) => damaged.push(game.game),
                Event::Progress(_) => {}
                Event::Matched { .. } | Event::Noted(_) | Event::RuntimeError { .. } => {
                    panic!("{event:?}")
                }
                Event::BrokenInput(_) | Event::FewerThreads { .. } | _ => panic!("{event:?}"),
            }
        }
        let summary = scan.finish().unwrap();
        assert_eq!(
            (summary.games, summary.queries[0].matches, summary.queries[1].matches),
            (101, 34, 34)
        );
        assert_eq!(damaged, [101]);
        let numbers: Vec<u64> =
            hits.iter().filter(|hit| hit.0 == 0).map(|hit| hit.1.game).collect();
        let expected: Vec<u64> = (2..100).step_by(3).chain([101]).collect();
        assert_eq!(numbers, expected);
        assert_eq!(String::from_utf8(lines).unwrap().lines().count(), 34);
        let text = std::fs::read(&path).unwrap();
        for (_, hit) in &hits {
            let first = &hit.positions[0];
            if hit.game < 101 {
                assert_eq!(hit.origin.number, hit.game);
                assert!(text[hit.origin.offset as usize..].starts_with(b"[Event"));
                assert_eq!(hit.tag("Event"), Some((hit.game - 1).to_string().as_str()));
            } else {
                assert_eq!((hit.origin.number, hit.origin.offset), (1, 0));
            }
            assert!(hit.origin.input.ends_with(".pgn"));
            assert_eq!((first.id, first.ply), (1, 1));
            assert!(["1.e4", "1.d4"].contains(&first.mv.as_str()), "{first:?}");
        }
    }
}

/// A row has all tags of a game, also if two have one name, in the order of the games and sorted.
#[test]
fn rows_have_every_tag() {
    let game = "[Event \"x\"]\n[White \"a\"]\n[White \"b\"]\n\n1. e4 *\n";
    for query in ["Pe4", "Pe4 sort \"ply\" ply"] {
        let hits = Arc::default();
        let sink = Collector { hits: Arc::clone(&hits), fails_at: 0 };
        let tasks = vec![Task::new(job(query)).sink(sink)];
        let inputs = [Input::bytes("games", game.as_bytes())];
        scan(&inputs, tasks, &settings(1), &mut crate::Silent).unwrap();
        let hits = hits.lock().unwrap();
        let tags: Vec<_> = hits[0].tags.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(tags, [("Event", "x"), ("White", "a"), ("White", "b")], "{query}");
    }
}

/// The choice is one of outputs, and there are none.
#[test]
fn all_matching_games_are_returned() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [Input::File(put_openings(folder.path(), 300))];
    let all = matching_games(&inputs, job("true"), &settings(2), &mut Silent).unwrap().1;
    let choice = Some(MatchChoice::Sample { games: 3, seed: 1 });
    let job = Job { choice, ..job("true") };
    let (summary, found) = matching_games(&inputs, job, &settings(2), &mut Silent).unwrap();
    assert_eq!((summary.queries[0].matches, found.len()), (300, 300));
    assert_eq!(found, all);
}

/// Whoever drops a scan does not wait for all games, and leaves no file.
#[test]
fn a_dropped_scan_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = put_openings(folder.path(), 2000);
    let out = folder.path().join("out.pgn");
    for threads in [1, 3] {
        let tasks = vec![Task::new(job("Pe4")).sink(FileSink::at(&out).unwrap())];
        let mut scan =
            RunningScan::start(vec![Input::File(path.clone())], tasks, settings(threads));
        assert!(scan.next().is_some());
        drop(scan);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

/// A sink without a format takes matches as data, also sorted ones.
#[test]
fn sinks_of_matches_take_them_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [Input::File(put_openings(folder.path(), 90))];
    for (query, expected) in [
        ("Pc4", (3..=90).step_by(3).collect::<Vec<u64>>()),
        ("Pc4 sort \"number\" gamenumber", (1..=30).rev().map(|n| 3 * n).collect()),
    ] {
        let hits = Arc::default();
        let collector = Collector { hits: Arc::clone(&hits), fails_at: 0 };
        let task = Task::new(job(query)).sink(collector);
        scan(&inputs, vec![task], &settings(2), &mut crate::Silent).unwrap();
        let hits = hits.lock().unwrap();
        assert_eq!(hits.iter().map(|hit| hit.game).collect::<Vec<_>>(), expected, "{query}");
        assert!(hits.iter().all(|hit| hit.tag("White") == Some("A")));
    }
}

/// The error names the sink, and no other output gets its name.
#[test]
fn a_sink_that_fails_ends_the_scan() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [Input::File(put_openings(folder.path(), 90))];
    let out = folder.path().join("out.jsonl");
    for (query, threads) in [("Pe4", 1), ("Pe4", 3), ("Pe4 sort gamenumber", 2)] {
        let collector = Collector { hits: Arc::default(), fails_at: 31 };
        let file = FileSink::at(&out).unwrap();
        let task = Task::new(job(query)).sink(file).sink(collector);
        let error = scan(&inputs, vec![task], &settings(threads), &mut crate::Silent).unwrap_err();
        assert_eq!(error.to_string(), "the collector: it is full");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

/// A format that panics at a game.
struct Poisoned(u64);

impl Format for Poisoned {
    fn append(&self, hit: &MatchedGame<'_>, _: &mut MatchText) -> Omitted {
        assert_ne!(hit.number, self.0, "poisoned");
        Omitted::default()
    }
}

/// A sink of such a format; panics itself at that many slices.
#[derive(Clone, Copy)]
pub(crate) struct PoisonedSink(pub(crate) u64, pub(crate) usize);

impl Sink for PoisonedSink {
    fn name(&self) -> String {
        "poison".to_owned()
    }

    fn format(&self) -> Option<Arc<dyn Format>> {
        Some(Arc::new(Poisoned(self.0)))
    }

    fn write_text(&mut self, _: TextSlice<'_>) -> SinkResult<ControlFlow<()>> {
        self.1 = self.1.checked_sub(1).expect("poisoned");
        Ok(ControlFlow::Continue(()))
    }
}

/// An observer that takes this number of messages and panics at the next one.
struct PoisonedObserver(usize);

impl Observer for PoisonedObserver {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        if let Event::Message { .. } = event {
            self.0 = self.0.checked_sub(1).expect("poisoned");
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// A panic of any thread, also of the calling one, is an error of the scan, which ends.
#[test]
fn a_panic_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = vec![Input::File(put_openings(folder.path(), 900))];
    let out = folder.path().join("out.pgn");
    for threads in [1, 2, 7] {
        for (game, slices) in [(1, 1000), (451, 1000), (0, 10)] {
            let destination = Destination::File(out.clone());
            let tasks = || {
                let file = FileSink::new(FileFormat::Pgn, destination.clone());
                vec![Task::new(job("Pe4")).sink(file).sink(PoisonedSink(game, slices))]
            };
            let settings = settings(threads);
            for error in [
                RunningScan::start(inputs.clone(), tasks(), settings.clone()).finish(),
                scan(&inputs, tasks(), &settings, &mut crate::Silent),
            ] {
                let error = error.unwrap_err();
                let is_named = |why: &str| why.contains("poisoned");
                assert!(matches!(&error, Error::Panicked(why) if is_named(why)), "{error}");
                assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            }
        }
        // An observer at its second message.
        let error = scan(
            &inputs,
            vec![Task::new(job("Pe4 message(gamenumber)"))],
            &settings(threads),
            &mut PoisonedObserver(1),
        );
        let error = error.unwrap_err();
        assert!(matches!(&error, Error::Panicked(why) if why.contains("poisoned")), "{error}");
    }
}

/// Two scans of one process do not disturb each other.
#[test]
fn scans_run_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = vec![Input::File(put_openings(folder.path(), 600))];
    let mut scans = Vec::new();
    for (index, text) in ["Pe4", "Pd4", "Pc4"].into_iter().enumerate() {
        let sink = FileSink::at(folder.path().join(format!("{index}.csv"))).unwrap();
        let tasks = vec![Task::new(job(text)).sink(sink)];
        scans.push(RunningScan::start(inputs.clone(), tasks, settings(2)));
    }
    for scan in scans {
        assert_eq!(scan.finish().unwrap().queries[0].matches, 200);
    }
    for index in 0..3 {
        let text = std::fs::read_to_string(folder.path().join(format!("{index}.csv"))).unwrap();
        assert_eq!(text.lines().count(), 201);
    }
}

/// The observer learns of threads that the system does not start, and the others search. Without
/// any the scan fails, and does not panic.
#[test]
fn threads_that_do_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [Input::File(put_games(folder.path(), 200))];
    let query = babson_lang::analyze("ply == 2", Dialect::CQLI).unwrap().query;
    let job = Job::new(&query).unwrap();
    let counting = babson_lang::analyze("gamenumber == lastgamenumber", Dialect::CQLI).unwrap();
    let counting = Job::new(&counting.query).unwrap();
    let scanned = |allowed, threads, job: &Job| {
        let settings = Settings { threads, ..Settings::default() };
        let mut told = ThreadRecorder::default();
        let tasks = vec![Task::new(job.clone())];
        let result = refusal::after(allowed, || scan(&inputs, tasks, &settings, &mut told));
        (result.map(|summary| (summary.queries[0].matches, summary.threads)), told.0)
    };
    for (allowed, threads, used, told) in [
        (usize::MAX, 4, 4, vec![]),
        (4, 4, 4, vec![]),
        (3, 4, 3, vec![(3, 4)]),
        (1, 4, 1, vec![(1, 4)]),
        (0, 1, 1, vec![]),
    ] {
        let (result, is_told) = scanned(allowed, threads, &job);
        assert_eq!(result.unwrap(), (200, used), "{allowed}");
        assert_eq!(is_told, told, "{allowed}");
    }
    let (result, told) = scanned(0, 4, &job);
    assert!(matches!(result, Err(Error::Threads { .. })), "{result:?}");
    assert_eq!(told, []);
    // The games are counted first: then the counting uses up what is left.
    assert_eq!(scanned(0, 1, &counting).0.unwrap(), (1, 1));
    assert!(matches!(scanned(3, 4, &counting).0, Err(Error::Threads { .. })));
    // The thread of a pull of events.
    let start = || RunningScan::start(inputs.to_vec(), vec![Task::new(job)], Settings::default());
    let mut running = refusal::after(0, start);
    assert!(running.next().is_none());
    assert!(matches!(running.finish(), Err(Error::Threads { .. })));
}
