//! An observer and a sink that have enough: the scan or the query ends with the game in hand, and
//! the result is the same for any number of threads.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};

use babson_engine::{
    Destination, Error, Event, FileSink, Format, Input, Job, Match, MatchText, MatchedGame,
    NonmatchingSink, Observer, Omitted, PartDestination, Settings, SharedSink, Silent, Sink,
    SinkResult, SliceResult, Summary, Task, merge, plan, scan, scan_resumed, scan_slice,
    scan_slice_to,
};
use babson_lang::{Dialect, analyze};
use babson_vm::Stopped;

/// How many games the input has: several chunks.
const GAMES: u64 = 600;

/// Games of three openings in turn. Every tenth game is damaged after its second move. Each has
/// some two kilobytes, so that they are several chunks. The queries ask for `parent:initial`, since
/// with `ply == 1` the second moves would not be read.
fn put_games(folder: &Path) -> Input {
    let mut text = String::new();
    for number in 1..=GAMES {
        let opening = ["1. c4 c5", "1. e4 e5", "1. d4 d5"][number as usize % 3];
        let damage = if number % 10 == 0 { " 2. Kxx" } else { "" };
        let comment = "x".repeat(2000);
        text += &format!("[White \"{number}\"]\n\n{opening} {{{comment}}}{damage} *\n\n");
    }
    let path = folder.join("games.pgn");
    fs::write(&path, text).unwrap();
    Input::File(path)
}

fn job(query: &str) -> Job {
    Job::new(&analyze(query, Dialect::CQLI).unwrap().query).unwrap()
}

fn settings(threads: usize) -> Settings {
    let mut settings = Settings::default();
    settings.threads = threads;
    settings
}

/// The answer at the first event that is `last`.
fn until(last: bool) -> ControlFlow<()> {
    if last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Records the games of the matches that it gets, and has enough at the match of a number.
struct Few {
    games: Arc<Mutex<Vec<u64>>>,
    enough: usize,
}

/// The games that a sink has got.
type Received = Arc<Mutex<Vec<u64>>>;

impl Few {
    fn new(enough: usize) -> (Few, Received) {
        let games = Received::default();
        (Few { games: Arc::clone(&games), enough }, games)
    }
}

impl Sink for Few {
    fn name(&self) -> String {
        "the sink of a few".to_owned()
    }

    fn write(&mut self, hit: &Match) -> SinkResult<ControlFlow<()>> {
        let mut games = self.games.lock().unwrap();
        games.push(hit.game);
        Ok(until(games.len() == self.enough))
    }
}

/// As [`Few`], and takes text: a line for each match.
struct FewTexts(Few);

struct NumberLines;

impl Format for NumberLines {
    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        out.bytes().extend(format!("{}\n", matched.number).into_bytes());
        Omitted::default()
    }
}

impl Sink for FewTexts {
    fn name(&self) -> String {
        self.0.name()
    }

    fn format(&self) -> Option<Arc<dyn Format>> {
        Some(Arc::new(NumberLines))
    }

    fn write_text(&mut self, slice: babson_engine::TextSlice<'_>) -> SinkResult<ControlFlow<()>> {
        let mut games = self.0.games.lock().unwrap();
        games.push(String::from_utf8_lossy(slice.bytes).trim().parse()?);
        Ok(until(games.len() == self.0.enough))
    }
}

/// What does not depend on threads.
type Counts = (u64, u64, bool, Vec<(u64, u64, u64, bool)>);

fn counts(summary: &Summary) -> Counts {
    let jobs = summary.queries.iter();
    let jobs = jobs.map(|job| (job.matches, job.positions, job.unread_moves, job.ended_early));
    (summary.games, summary.damaged, summary.ended_early, jobs.collect())
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The numbers of the games of a PGN file.
fn numbers(path: &Path) -> Vec<u64> {
    let text = text(path);
    let lines = text.lines().filter_map(|line| line.strip_prefix("[White \""));
    lines.map(|line| line.trim_end_matches("\"]").parse().unwrap()).collect()
}

/// The scan ends with the game of the event: all queries and outputs have their matches of it, and
/// nothing of the games after it.
#[test]
fn the_observer_ends_the_scan_with_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let input = [put_games(folder.path())];
    let path = |name: &str| folder.path().join(name);
    for threads in [1, 3] {
        let mut seen = Vec::new();
        let mut observer = |event: Event| {
            let (query, game) = match event {
                Event::Match { query, hit } => (query, hit.game),
                Event::Damaged(game) => (9, game.game),
                _ => return Ok(ControlFlow::Continue(())),
            };
            seen.push((query, game));
            // The first of two queries that match this game.
            Ok(until((query, game) == (0, 303)))
        };
        let mut settings = settings(threads);
        settings.shared = vec![SharedSink::from(FileSink::jsonl(path("all.jsonl")))];
        settings.nonmatching = NonmatchingSink::at(path("rest.pgn"));
        settings.rejects = Some(Destination::File(path("rejects.pgn")));
        let (few, received) = Few::new(usize::MAX);
        let tasks = vec![
            Task::new(job("parent:initial Pc4")).sink(FileSink::pgn(path("c.pgn"))),
            Task::new(job("ply == 0 player white \"3\"")).sink(few),
        ];
        let summary = scan(&input, tasks, &settings, &mut observer).unwrap();
        assert_eq!(
            counts(&summary),
            (303, 30, true, vec![(101, 101, 0, false), (61, 61, 0, false)]),
            "{threads}"
        );
        assert_eq!(seen.last(), Some(&(0, 303)));
        assert_eq!(numbers(&path("c.pgn")), (3..=303).step_by(3).collect::<Vec<_>>());
        let received = received.lock().unwrap();
        assert_eq!(received.last(), Some(&303), "the other query has its match of the game");
        let rows = text(&path("all.jsonl"));
        assert_eq!(rows.lines().filter(|row| row.contains("\"game\": 303,")).count(), 2);
        assert_eq!(rows.lines().count(), 101 + 61);
        let expected = (1..=303).filter(|game| game % 3 != 0 && !game.to_string().contains('3'));
        assert_eq!(numbers(&path("rest.pgn")), expected.collect::<Vec<_>>());
        assert_eq!(numbers(&path("rejects.pgn")), (10..=300).step_by(10).collect::<Vec<_>>());
        assert_eq!(summary.nonmatching, numbers(&path("rest.pgn")).len() as u64);
    }
}

/// An event of a game that does not match ends the scan with that game, which is complete.
#[test]
fn the_observer_ends_the_scan_with_a_damage_or_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let input = [put_games(folder.path())];
    let rest = folder.path().join("rest.pgn");
    for threads in [1, 3] {
        for is_last in [
            (|event: &Event| matches!(event, Event::Damaged(game) if game.game == 200))
                as fn(&Event) -> bool,
            |event| matches!(event, Event::Message { lines, .. } if lines.starts_with(b"200")),
            |event| matches!(event, Event::RuntimeError { game: Some(200), .. }),
        ] {
            let mut has_ended = false;
            let mut observer = |event: Event| {
                assert!(!has_ended, "an event after the last one: {event:?}");
                has_ended = is_last(&event);
                Ok(until(has_ended))
            };
            let mut settings = settings(threads);
            settings.nonmatching = NonmatchingSink::at(&rest);
            let tasks = vec![
                Task::new(job("parent:initial Pe4")),
                Task::new(job("gamenumber == 200 parent:initial message quiet(gamenumber)")),
                Task::new(job("assert gamenumber != 200 false")),
            ];
            let summary = scan(&input, tasks, &settings, &mut observer).unwrap();
            assert!(has_ended && summary.ended_early);
            assert_eq!((summary.games, summary.damaged, summary.queries[0].matches), (200, 20, 67));
            assert_eq!(numbers(&rest).last(), Some(&198));
        }
    }
}

/// A sink ends its query as a limit does: the other sinks of the query have the same matches, and
/// the other queries and the outputs of all queries go on.
#[test]
fn a_sink_ends_its_query_as_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let input = [put_games(folder.path())];
    let path = |name: &str| folder.path().join(name);
    let others = || Task::new(job("parent:initial Pe4")).sink(FileSink::pgn(path("e.pgn")));
    let query = "parent:initial Pc4 message(gamenumber)";
    let run = |task: Task, threads, unique| {
        let mut settings = settings(threads);
        settings.unique = unique;
        settings.shared = vec![SharedSink::from(FileSink::pgn(path("all.pgn"))).overlaid()];
        settings.nonmatching = NonmatchingSink::at(path("rest.pgn"));
        // All games come a second time, and are left out.
        let inputs = if unique { [input.clone(), input.clone()].concat() } else { input.to_vec() };
        let mut messages = Vec::new();
        let mut observer = |event: Event| {
            if let Event::Message { lines, .. } = event {
                messages.extend(lines);
            }
            Ok(ControlFlow::Continue(()))
        };
        let summary = scan(&inputs, vec![task, others()], &settings, &mut observer).unwrap();
        let files = ["c.pgn", "e.pgn", "all.pgn", "rest.pgn"].map(|name| text(&path(name)));
        (summary, files, String::from_utf8(messages).unwrap())
    };
    for (threads, unique) in [(1, false), (3, false), (3, true)] {
        let limited = Task::new(job(query)).limit(50).sink(FileSink::pgn(path("c.pgn")));
        let (expected, expected_files, expected_messages) = run(limited, threads, unique);
        assert!(!expected.queries[0].ended_early);
        for is_text in [false, true] {
            let (few, received) = Few::new(50);
            let task = Task::new(job(query));
            let task = match is_text {
                true => task.sink(FewTexts(few)),
                false => task.sink(few),
            };
            let (mut summary, files, messages) =
                run(task.sink(FileSink::pgn(path("c.pgn"))), threads, unique);
            assert_eq!(*received.lock().unwrap(), (3..=150).step_by(3).collect::<Vec<_>>());
            assert!(summary.queries[0].ended_early && !summary.queries[1].ended_early);
            assert!(!summary.ended_early);
            summary.queries[0].ended_early = false;
            assert_eq!(counts(&summary), counts(&expected), "{threads} {unique} {is_text}");
            assert!(files == expected_files, "{threads} {unique} {is_text}");
            assert_eq!(messages, expected_messages);
        }
    }
    // When the sinks of all queries have enough, the scan ends.
    for threads in [1, 3] {
        let tasks = [(20, "c4"), (30, "e4")].map(|(enough, square)| {
            let (few, _) = Few::new(enough);
            Task::new(job(&format!("parent:initial P{square}"))).sink(few)
        });
        let summary = scan(&input, tasks.into(), &settings(threads), &mut Silent).unwrap();
        let expected = vec![(20, 20, 0, true), (30, 30, 0, true)];
        assert_eq!(counts(&summary), (88, 8, false, expected));
    }
}

/// The matches of a query that sorts, or that chooses some, are written at the end: all are
/// counted, and no sink gets more after the one with which a sink has enough.
#[test]
fn a_sink_of_sorted_matches_gets_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let input = [put_games(folder.path())];
    let out = folder.path().join("out.pgn");
    let sorted = "parent:initial Pc4 sort \"number\" gamenumber";
    let latest: Vec<u64> = (1..=200).rev().map(|number| 3 * number).collect();
    for threads in [1, 3] {
        for (task, first) in [
            (Task::new(job(sorted)), Some(&latest[..])),
            (Task::new(job(sorted)).top(50), Some(&latest[..50])),
            (Task::new(job("parent:initial Pc4")).sample(50, 7), None),
        ] {
            for is_text in [false, true] {
                let task = Task::new(task.job.clone()).sink(FileSink::pgn(&out));
                let (few, received) = Few::new(10);
                let task = match is_text {
                    true => task.sink(FewTexts(few)),
                    false => task.sink(few),
                };
                let summary = scan(&input, vec![task], &settings(threads), &mut Silent).unwrap();
                assert_eq!(counts(&summary), (600, 60, false, vec![(200, 200, 0, true)]));
                let received = received.lock().unwrap();
                assert_eq!(received.len(), 10);
                assert_eq!(*received, numbers(&out));
                if let Some(first) = first {
                    assert_eq!(*received, first[..10]);
                }
            }
        }
    }
}

/// The merge of slices ends early as a scan does.
#[test]
fn a_merge_ends_early() {
    let folder = tempfile::tempdir().unwrap();
    let input = [put_games(folder.path())];
    let query = job("parent:initial Pc4");
    let results = || {
        let slices = plan(&input, 3, 1, true).unwrap();
        let result = |slice: &babson_engine::Slice| {
            let mut bytes = Vec::new();
            scan_slice(slice, vec![query.clone()], &settings(2), "", &mut bytes).unwrap();
            SliceResult::read("a slice", std::io::Cursor::new(bytes)).unwrap()
        };
        slices.iter().map(result).collect::<Vec<_>>()
    };
    let mut observer =
        |event: Event| Ok(until(matches!(event, Event::Match { hit, .. } if hit.game == 303)));
    let tasks = || vec![Task::new(query.clone())];
    let merged = merge(results(), tasks(), &settings(1), &mut observer).unwrap();
    let scanned = scan(&input, tasks(), &settings(1), &mut observer).unwrap();
    assert_eq!(counts(&merged), counts(&scanned));
    assert_eq!(counts(&merged), (303, 30, true, vec![(101, 101, 0, false)]));
    let (few, received) = Few::new(7);
    let tasks = vec![Task::new(query.clone()).sink(few)];
    let merged = merge(results(), tasks, &settings(1), &mut Silent).unwrap();
    assert_eq!(counts(&merged), (21, 2, false, vec![(7, 7, 0, true)]));
    assert_eq!(received.lock().unwrap().len(), 7);
}

/// What is whole or does not exist is stopped. A scan that can be resumed then goes on.
#[test]
fn what_is_whole_is_stopped() {
    struct AtProgress;
    impl Observer for AtProgress {
        fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
            Ok(until(matches!(event, Event::Progress(progress) if progress.games > 0)))
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let input = [put_games(folder.path())];
    let path = |name: &str| folder.path().join(name);
    let is_stopped =
        |error| matches!(error, Error::Stopped { stopped: Stopped::Cancelled, games: 1.. });
    let slice = plan(&input, 1, 1, true).unwrap().remove(0);
    let part = PartDestination::File(path("0.part"));
    let jobs = vec![job("parent:initial Pc4")];
    let searched = scan_slice_to(&slice, jobs.clone(), &settings(1), "", &part, &mut AtProgress);
    assert!(is_stopped(searched.unwrap_err()) && !path("0.part").exists());
    let resume = |observer: &mut dyn Observer| {
        let tasks = vec![Task::new(jobs[0].clone())];
        scan_resumed(&input, tasks, &settings(1), &path("kept"), observer)
    };
    assert!(is_stopped(resume(&mut AtProgress).err().unwrap()));
    assert_eq!(resume(&mut Silent).unwrap().publish().unwrap().queries[0].matches, 200);
    // A scan ends with the games that are searched.
    let tasks = vec![Task::new(jobs[0].clone())];
    let summary = scan(&input, tasks, &settings(1), &mut AtProgress).unwrap();
    assert!(summary.ended_early && (1..GAMES).contains(&summary.games), "{}", summary.games);
    assert_eq!(summary.queries[0].matches, summary.games / 3);
}

/// A query that a sink has ended searches at most the rest of the batch, also if the query must
/// search all games on one thread and another query goes on.
#[test]
fn an_ended_query_searches_no_more_batches() {
    let folder = tempfile::tempdir().unwrap();
    let input = [put_games(folder.path())];
    let (few, received) = Few::new(5);
    let counting = Task::new(job("initial persistent seen += 1")).sink(few);
    let tasks = vec![counting, Task::new(job("parent:initial Pe4"))];
    let summary = scan(&input, tasks, &settings(1), &mut Silent).unwrap();
    assert_eq!(*received.lock().unwrap(), [1, 2, 3, 4, 5]);
    assert_eq!(summary.games, GAMES);
    let lines = summary.queries[0].persistents.join(" ");
    let seen = lines.rsplit(|letter: char| !letter.is_ascii_digit()).find(|word| !word.is_empty());
    let seen: u64 = seen.unwrap_or_default().parse().expect(&lines);
    assert!((5..GAMES).contains(&seen), "{lines}");
}
