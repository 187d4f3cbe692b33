//! Games that are written without a search, because a condition on the whole game decides.

use std::path::Path;

use babson_engine::{FileSink, Input, Job, QuerySummary, Settings, Task, scan};
use babson_lang::Dialect;
use babson_vm::analyze;

use super::{Log, pack_some};

/// A search with these queries, each with its own PGN output: what each writes and tells, and the
/// number of games. If `settles`, the queries whose outputs allow it ask only which games match.
fn written(
    input: &Path,
    queries: &[&str],
    (settles, limit, threads): (bool, Option<u64>, usize),
) -> (Vec<(String, QuerySummary)>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let file = |index: usize| folder.path().join(format!("{index}.pgn"));
    let task = |(index, query): (usize, &&str)| {
        let query = analyze(query, Dialect::CQLI).unwrap().query;
        let job = Job { limit, ..Job::new(&query).unwrap() };
        let task = Task::new(job).sink(FileSink::at(file(index)).unwrap());
        if settles && !task.reads_positions() { task.games_only() } else { task }
    };
    let tasks = queries.iter().enumerate().map(task).collect();
    let mut settings = Settings::default();
    settings.threads = threads;
    let inputs = [Input::File(input.to_owned())];
    let summary = scan(&inputs, tasks, &settings, &mut Log::default()).unwrap();
    let text = |index| String::from_utf8(std::fs::read(file(index)).unwrap()).unwrap();
    let queries = summary.queries.into_iter().enumerate();
    (queries.map(|(index, query)| (text(index), query)).collect(), summary.games)
}

#[test]
fn decided_games_are_written_as_searched_ones() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, table) = pack_some(folder.path(), &[("special", 1), ("masters-2k", 20)]);
    let mut matched = 0;
    for (query, is_decided) in [
        ("cql(quiet) mate", true),
        ("cql(silent) mate", true),
        ("cql(quiet) Qh5", true),
        ("cql(quiet) initial elo > 2000 result 1-0", true),
        ("cql(quiet result 0-1) check", true),
        ("cql(quiet) #b == 1", false),
        ("cql(quiet) check comment(ply)", false),
        ("cql(quiet) sort ply check", false),
        ("cql(quiet sort matchcount 1 99) check", false),
        ("mate", false),
    ] {
        for threads in [1, 3] {
            for limit in [None, Some(2)] {
                let (of_pgn, _) = written(&pgn, &[query], (false, limit, threads));
                let (of_table, games) = written(&table, &[query], (true, limit, threads));
                let (searched, by_search) = &of_pgn[0];
                let (decided, by_guard) = &of_table[0];
                assert_eq!(decided, searched, "{query}");
                assert_eq!(by_guard.matches, by_search.matches, "{query}");
                matched += by_search.matches;
                // A few odd games are searched in any case.
                let read = games - by_guard.unread_moves;
                assert!(!is_decided || limit.is_some() || read <= 16, "{query}: {read} were read");
            }
        }
    }
    assert!(matched > 100, "{matched}");
}

/// Each query decides for itself whether it searches a game.
#[test]
fn a_decided_query_beside_others() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, table) = pack_some(folder.path(), &[("special", 1), ("masters-2k", 40)]);
    let queries = ["cql(quiet) mate", "check", "cql(quiet) check", "cql(quiet) Qh5 Kg1"];
    for threads in [1, 3] {
        let (of_pgn, _) = written(&pgn, &queries, (false, None, threads));
        let (of_table, _) = written(&table, &queries, (true, None, threads));
        for ((query, (searched, _)), (found, _)) in queries.iter().zip(of_pgn).zip(of_table) {
            assert_eq!(found, searched, "{query}");
        }
    }
}
