//! The comments of a query are made only if an output has them.

use babson_engine::{Columns, FileSink, Input, Job, Settings, Silent, Summary, Task, scan};
use babson_lang::{Dialect, analyze};

/// A game whose comments need more memory than the query may use: each position has one for each
/// position before it.
fn game() -> Vec<u8> {
    let mut text = "[White \"A\"]\n\n".to_owned();
    for number in (1..500).step_by(2) {
        text.push_str(&format!("{number}. Nf3 Nf6 {}. Ng1 Ng8\n", number + 1));
    }
    text.push_str("*\n");
    text.into_bytes()
}

fn job() -> Job {
    let query = analyze("find all true", Dialect::CQLI).unwrap().query;
    let mut job = Job::new(&query).unwrap();
    job.options.memory = 1_000;
    job
}

fn run(sinks: Vec<FileSink>) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, game()).unwrap();
    let task = sinks.into_iter().fold(Task::new(job()), Task::sink);
    scan(&[Input::File(path)], vec![task], &Settings::default(), &mut Silent).unwrap()
}

#[test]
fn comments_that_no_output_has_are_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| FileSink::at(folder.path().join(name)).unwrap();
    let columns = Columns::parse("game,fen").unwrap();
    let without = FileSink::csv(folder.path().join("b.csv")).with_columns(columns);
    for sinks in [vec![], vec![without]] {
        assert_eq!(run(sinks).queries[0].matches, 1);
    }
    for name in ["a.pgn", "a.jsonl", "a.csv"] {
        let summary = run(vec![at(name)]);
        assert_eq!(summary.queries[0].matches, 0, "{name}");
    }
}
