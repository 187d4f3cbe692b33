//! The best games of a search are the first ones of its sorted output, whatever the threads.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use babson_engine::{
    DamagedGame, Destination, Error, Event, FileSink, Input, Job, MatchChoice, Observer, Settings,
    Summary, Task, scan,
};
use babson_lang::{Dialect, analyze};

const ENDINGS: [&str; 4] = ["pgn", "jsonl", "csv", "epd"];

fn job(query: &str, top: Option<u64>) -> Job {
    let query = analyze(query, Dialect::CQLI).unwrap().query;
    Job { choice: top.map(MatchChoice::Top), ..Job::new(&query).unwrap() }
}

/// The reports of a scan.
#[derive(Debug, Default, PartialEq)]
struct Reports {
    messages: Vec<u8>,
    damaged: Vec<DamagedGame>,
    matched: Vec<u64>,
    takes_matches: bool,
}

impl Observer for Reports {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Message { lines, .. } => self.messages.extend(lines),
            Event::Damaged(game) | Event::Noted(game) => self.damaged.push(game),
            Event::Match { hit, .. } if self.takes_matches => self.matched.push(hit.game),
            Event::Matched { game, .. } if !self.takes_matches => self.matched.push(game),
            Event::Match { .. } | Event::Matched { .. } => panic!("{event:?}"),
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        self.takes_matches
    }
}

/// The outputs of a job and what was reported.
fn run(
    input: &Path,
    job: Job,
    threads: usize,
    rejects: bool,
    reports: &mut Reports,
) -> (Summary, Vec<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |ending: &str| folder.path().join(format!("out.{ending}"));
    let sinks = ENDINGS.iter().map(|ending| FileSink::at(path(ending)).unwrap());
    let mut settings = Settings::default();
    settings.threads = threads;
    settings.rejects = rejects.then(|| Destination::File(path("rejects")));
    let task = sinks.fold(Task::new(job), Task::sink);
    let input = Input::File(input.to_owned());
    let mut summary = scan(&[input], vec![task], &settings, reports).unwrap();
    summary.threads = 0;
    let endings = ENDINGS.iter().chain(&["rejects"][..usize::from(rejects)]);
    (summary, endings.map(|ending| std::fs::read(path(ending)).unwrap()).collect())
}

fn masters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games/masters-2k.pgn")
}

#[test]
fn the_best_are_the_first_of_the_sorted() {
    for query in [
        "terminal sort \"plies\" ply",
        "terminal sort min \"plies\" ply sort \"site\" tag \"Site\"",
        "check sort \"checks\" movenumber / 10",
        "mate sort \"same\" #k",
        "cql(sort matchcount 1 900) check",
    ] {
        let mut reports = Reports::default();
        let (sorted, all) = run(&masters(), job(query, None), 2, false, &mut reports);
        for (top, threads) in [(1, 1), (3, 2), (10, 4), (1000, 3), (5000, 2)] {
            let mut of_best = Reports::default();
            let (summary, best) =
                run(&masters(), job(query, Some(top)), threads, false, &mut of_best);
            assert_eq!(summary, sorted, "{query} {top}");
            assert_eq!(of_best, reports);
            let lines = best[1].iter().filter(|byte| **byte == b'\n').count() as u64;
            assert_eq!(lines, top.min(sorted.queries[0].matches), "{query} {top}");
            for (all, best) in all.iter().zip(&best) {
                assert!(all.starts_with(best), "{query} {top}");
            }
        }
    }
}

/// With a limit, they are the best of the first matches.
#[test]
fn the_best_of_a_limit() {
    let query = "terminal sort \"plies\" ply";
    let limited = |top| Job { limit: Some(300), ..job(query, top) };
    let (_, all) = run(&masters(), limited(None), 2, false, &mut Reports::default());
    let (summary, best) = run(&masters(), limited(Some(7)), 3, false, &mut Reports::default());
    assert_eq!(summary.queries[0].matches, 300);
    assert!(all[0].starts_with(&best[0]) && all[0].len() > best[0].len());
}

/// An observer gets all matches in the order of the games.
#[test]
fn events_come_for_all_matches() {
    let query = "check sort \"checks\" movenumber / 10";
    let mut reports = Reports { takes_matches: true, ..Reports::default() };
    let (summary, _) = run(&masters(), job(query, Some(2)), 2, false, &mut reports);
    assert_eq!(reports.matched.len() as u64, summary.queries[0].matches);
    assert!(reports.matched.is_sorted());
}

/// The query needs only tags, so damage of the moves shows when a game is written: it is reported
/// for the best games and for no other.
#[test]
fn damage_of_the_best_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let game = |number: u32| {
        let key = number * 7919 % 1009;
        let long = "x".repeat(if number.is_multiple_of(5) { 30_000 } else { 100 });
        format!("[Event \"{key:04}\"]\n\n{{{long}}} 1. e4 (1. Qh8) e5 *\n\n")
    };
    std::fs::write(&path, (0..1000).map(game).collect::<String>()).unwrap();
    for (cql6_output, rejects) in [(false, false), (true, false), (false, true)] {
        let run = |top, threads| {
            let mut job = job("initial sort \"event\" tag \"Event\" comment(\"y\")", top);
            job.options.cql6_output = cql6_output;
            if cql6_output {
                job.layout = babson_pgn::Layout::CQL6;
            }
            let mut reports = Reports::default();
            let (summary, files) = run(&path, job, threads, rejects, &mut reports);
            (summary, reports, files)
        };
        let one = run(Some(20), 1);
        for threads in [2, 3, 8] {
            assert!(run(Some(20), threads) == one, "{cql6_output} {rejects} {threads}");
        }
        let (summary, reports, files) = one;
        let (all_summary, all, sorted) = run(None, 2);
        assert!(!files[0].is_empty() && sorted[0].starts_with(&files[0]));
        assert_eq!(summary.queries[0].matches, 1000);
        assert_eq!(all_summary.damaged, 1000);
        assert_eq!(summary.damaged, reports.damaged.len() as u64);
        // For an output of damaged games, the first reading finds them all.
        assert_eq!(summary.damaged, if rejects { 1000 } else { 20 });
        assert!(reports.damaged.iter().all(|damage| all.damaged.contains(damage)));
        assert_eq!(cql6_output, !reports.messages.is_empty());
        assert!(!cql6_output || reports.messages.len() < all.messages.len());
    }
}

#[test]
fn a_query_without_order_has_no_best() {
    let input = [Input::bytes("games", *b"1. e4 *")];
    for query in ["mate", "mate sort \"x\" #k"] {
        let job = Job { sort: false, title: "mates".to_owned(), ..job(query, Some(3)) };
        let error =
            scan(&input, vec![Task::new(job)], &Settings::default(), &mut babson_engine::Silent);
        let error = error.unwrap_err();
        assert!(
            matches!(&error, Error::TopWithoutSort { query: Some(query) } if query == "mates"),
            "{error}"
        );
        assert!(error.to_string().contains("the query mates does not sort"), "{error}");
    }
}
