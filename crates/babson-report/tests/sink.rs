//! The report as the output of a scan.

#![allow(clippy::disallowed_methods, reason = "the test reads the page that it has written")]

use std::fs;

use babson_engine::{
    Destination, Error, FileSink, Input, Job, OutputRefusal, Settings, SharedSink, Silent, Task,
    scan,
};
use babson_lang::{Dialect, QuerySpans, QueryText, analyze};
use babson_pgn::{Needs, Reader};
use babson_report::{ReportGame, ReportQuery, ReportTotals};
use babson_vm::{CompileOptions, GameContext, Machine, Program, RunOptions, Tracing};

const QUERY: &str = "q attacks K comment(\"<check>\") sort \"queens\" #Q";
const GAMES: [&str; 2] = ["1. e4 *\n\n", "[White \"A & B\"]\n\n1. f3 e5 2. g4 (2. a3) Qh4# 0-1\n"];

/// The job of [`QUERY`] with its text and its traces.
fn job() -> Job {
    let query = analyze(QUERY, Dialect::CQLI).unwrap().query;
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    let traced = Program::compile_with(&query, &options).unwrap();
    let parts = QuerySpans::whole(QUERY);
    Job {
        title: "Queen checks".to_owned(),
        text: Some(QueryText { text: QUERY.to_owned(), parts, dialect: Dialect::CQLI }),
        tracing: Tracing::On(traced).into(),
        ..Job::new(&query).unwrap()
    }
}

fn run(sink: FileSink) -> Result<(), Error> {
    let task = Task::new(job()).sink(sink);
    let games = Input::bytes("games.pgn", GAMES.concat().into_bytes());
    scan(&[games], vec![task], &Settings::default(), &mut Silent).map(drop)
}

/// A page that is made without the engine has the bytes of the page of a scan.
#[test]
fn the_page_of_a_scan_is_the_page_of_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("found.html");
    run(babson_report::sink(Destination::File(path.clone()))).unwrap();

    let job = job();
    let Tracing::On(traced) = job.tracing.get() else { panic!("it is traced") };
    let options = RunOptions::default();
    let query = ReportQuery {
        title: "Queen checks",
        text: job.text.as_ref(),
        program: &job.program,
        options: &options,
        tracing: job.tracing.get(),
    };
    let mut page = babson_report::head(&query).into_bytes();
    let mut reader = Reader::new();
    let game = reader.read(GAMES[1].as_bytes(), Needs::ALL);
    let context = GameContext { number: 2, last_number: None, options: &options };
    let outcome = Machine::new(job.program.clone()).run(&game, &context).unwrap().clone();
    assert_eq!(outcome.positions, [4]);
    let traces = Machine::new(traced.clone()).traces(&game, &context, &outcome.positions).unwrap();
    let matched = ReportGame {
        game: &game,
        outcome: &outcome,
        traces: &traces,
        number: 2,
        input: "games.pgn",
        input_number: 2,
    };
    babson_report::append(&query, &matched, &mut page);
    let totals = ReportTotals { searched: 2, written: 1, left_out: 0 };
    page.extend(babson_report::tail(&totals).into_bytes());
    assert_eq!(fs::read_to_string(&path).unwrap(), String::from_utf8(page).unwrap());
}

/// Where a page has no format, or would have the matches of several queries, the scan says so and
/// creates nothing.
#[test]
fn what_cannot_be_a_page_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("found.html");
    let error = run(FileSink::at(&path).unwrap()).unwrap_err();
    assert!(error.to_string().contains("the crate babson-report"), "{error}");
    let columns = babson_engine::Columns::parse("white").unwrap();
    let page = || babson_report::sink(Destination::File(path.clone()));
    let error = run(page().with_columns(columns)).unwrap_err();
    assert!(error.to_string().contains("no columns"), "{error}");
    let mut settings = Settings::default();
    settings.shared = vec![SharedSink::from(page())];
    let games = Input::bytes("games.pgn", GAMES.concat().into_bytes());
    let error = scan(&[games], vec![Task::new(job())], &settings, &mut Silent).unwrap_err();
    let reason = OutputRefusal::OneQuery;
    assert!(matches!(error, Error::OutputRefused { reason: r, .. } if r == reason), "{error}");
    assert!(!path.exists());
}
