//! Outputs of searches that are game tables.

#![cfg(feature = "table")]

use std::fs;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_ipc::reader::FileReader;
use babson_engine::{
    Compression, Destination, Error, FileFormat, FileSink, Input, Job, NamePattern, Settings,
    Silent, Summary, Task, check_table, scan, scan_resumed,
};
use babson_lang::hir::CommentLevel;
use babson_lang::{Dialect, analyze};
use serde_json::Value;

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games").join(name)
}

fn job(query: &str) -> Job {
    let analysis = analyze(query, Dialect::CQLI).unwrap();
    let mut job = Job::new(&analysis.query).unwrap();
    job.title = "the query".to_owned();
    job
}

/// A job whose PGN output has the games as they are.
fn plain(query: &str) -> Job {
    let mut job = job(query);
    job.options.comment_level = CommentLevel::Silent;
    job.options.header = false;
    job.options.no_set_tag = true;
    job.options.no_remove_tag = true;
    job.options.no_remove_comment = true;
    job
}

fn settings(threads: usize) -> Settings {
    let mut settings = Settings::default();
    settings.threads = threads;
    settings
}

fn search(input: &Path, job: Job, threads: usize, outputs: &[&Path]) -> Result<Summary, Error> {
    let sinks = outputs.iter().map(|path| FileSink::at(*path).unwrap());
    let task = sinks.fold(Task::new(job), Task::sink);
    let settings = settings(threads);
    scan(&[Input::File(input.to_owned())], vec![task], &settings, &mut Silent)
}

/// A batch of a table as other programs read it.
fn read(table: &Path) -> Option<RecordBatch> {
    let file = fs::File::open(table).unwrap();
    FileReader::try_new(file, None).unwrap().next().map(Result::unwrap)
}

const QUERIES: [&str; 9] = [
    "check",
    "check field(\"side\" sidetomove) {find 3 mate field(\"from\" from)} or true",
    "cql() mate sort \"moves\" movenumber comment(\"it is \" movenumber)",
    "cql(variations) P attacks k sort min \"kings\" #P sort \"who\" player white sort ply sort #R",
    "result 1-0 settag(\"Won\" \"by White\") removetag(\"Event\") removecomment",
    "cql(gamenumber 2 4) true",
    "find all check",
    "line --> check --> mate",
    "false",
];

/// Searching everything in the table of the matches gives the games that the query gives.
#[test]
fn the_result_of_a_search_is_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut matches = 0;
    for games in ["special.pgn", "studies.pgn", "odd-tags.pgn", "odd-positions.pgn"] {
        for query in QUERIES {
            let games = corpus(games);
            search(&games, job(query), 2, &[&path("found.arrow")]).unwrap();
            let found = search(&games, plain(query), 2, &[&path("of-pgn.pgn")]).unwrap();
            let again = search(&path("found.arrow"), plain("true"), 2, &[&path("of-table.pgn")]);
            assert_eq!(again.unwrap().queries[0].matches, found.queries[0].matches, "{query}");
            let [of_pgn, of_table] = ["of-pgn.pgn", "of-table.pgn"].map(|it| fs::read(path(it)));
            assert!(of_pgn.unwrap() == of_table.unwrap(), "{query} {}", games.display());
            let checked = check_table(&path("found.arrow"), true).unwrap();
            assert_eq!(checked.games, found.queries[0].matches);
            matches += checked.games;
        }
    }
    assert!(matches > 500, "{matches}");
}

/// The bytes do not depend on threads, on slices, on whether the games come from a table, or on
/// whether the games were found before.
#[test]
fn the_same_matches_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let games = corpus("studies.pgn");
    let inputs = [Input::File(games.clone())];
    let (table, found) = (path("games.arrow"), path("found.arrow"));
    let settings = Settings::default();
    babson_engine::pack(&inputs, &table, Compression::None, &settings, &mut Silent).unwrap();
    for query in QUERIES {
        search(&games, job(query), 1, &[&found]).unwrap();
        let expected = fs::read(&found).unwrap();
        search(&games, job(query), 3, &[&found]).unwrap();
        assert!(fs::read(&found).unwrap() == expected, "{query}");
        search(&table, job(query), 3, &[&found]).unwrap();
        assert!(fs::read(&found).unwrap() == expected, "{query}, of a table");
        let task = Task::new(job(query)).sink(FileSink::arrow(&found));
        let parts = path("parts");
        let resumed = scan_resumed(&inputs, vec![task], &settings, &parts, &mut Silent).unwrap();
        resumed.outputs.publish().unwrap();
        assert!(fs::read(&found).unwrap() == expected, "{query}, resumed");
    }
}

/// The texts of a row of a list.
fn texts(batch: &RecordBatch, name: &str, row: usize) -> Vec<String> {
    let list = batch.column_by_name(name).unwrap().as_list::<i32>().value(row);
    list.as_string::<i32>().iter().map(|text| text.unwrap_or("(null)").to_owned()).collect()
}

fn ids(batch: &RecordBatch, name: &str, row: usize) -> Vec<u64> {
    let list = batch.column_by_name(name).unwrap().as_list::<i32>().value(row);
    list.as_primitive::<UInt32Type>().values().iter().copied().map(u64::from).collect()
}

/// The columns say of a match what its row of a JSONL output says.
#[test]
fn the_columns_are_those_of_jsonl() {
    let folder = tempfile::tempdir().unwrap();
    let (table, rows) = (folder.path().join("a.arrow"), folder.path().join("a.jsonl"));
    let mut seen = 0;
    for query in QUERIES {
        search(&corpus("special.pgn"), job(query), 2, &[&table, &rows]).unwrap();
        let rows = fs::read_to_string(&rows).unwrap();
        let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        let Some(batch) = read(&table) else {
            assert!(rows.is_empty());
            continue;
        };
        assert_eq!(batch.num_rows(), rows.len());
        let number = |name: &str, row: usize| {
            let column = batch.column_by_name(name).unwrap();
            column.as_primitive::<UInt64Type>().value(row)
        };
        let name = |name: &str, row: usize| {
            let column = batch.column_by_name(name).unwrap().as_dictionary::<Int32Type>();
            let column = column.downcast_dict::<StringArray>().unwrap();
            column.into_iter().nth(row).flatten().unwrap().to_owned()
        };
        for (row, hit) in rows.iter().enumerate() {
            seen += 1;
            assert_eq!(name("query", row), "the query");
            assert_eq!(hit["game"], number("game", row));
            assert_eq!(hit["number"], number("number", row));
            assert_eq!(hit["offset"], number("offset", row));
            assert_eq!(hit["input"], name("input", row));
            let empty = Vec::new();
            let list = |list: &str, member: &str| -> Vec<Value> {
                let items = hit[list].as_array().unwrap_or(&empty).iter();
                items.map(|item| item.get(member).cloned().unwrap_or("(null)".into())).collect()
            };
            assert_eq!(list("positions", "id"), ids(&batch, "id", row));
            assert_eq!(list("positions", "ply"), ids(&batch, "ply", row));
            assert_eq!(list("positions", "move"), texts(&batch, "move", row));
            assert_eq!(list("positions", "next"), texts(&batch, "next", row));
            assert_eq!(list("positions", "fen"), texts(&batch, "fen", row));
            let comments = hit["comments"].as_array().unwrap_or(&empty);
            let at = |id: &Value| {
                let own = comments.iter().filter(|comment| comment["id"] == *id);
                let own: Vec<&str> = own.map(|one| one["text"].as_str().unwrap()).collect();
                if own.is_empty() { "(null)".to_owned() } else { own.join("; ") }
            };
            let comments: Vec<String> = list("positions", "id").iter().map(at).collect();
            assert_eq!(comments, texts(&batch, "comment", row));
            assert_eq!(list("comments", "id"), ids(&batch, "match_comment_ids", row));
            assert_eq!(list("comments", "text"), texts(&batch, "match_comments", row));
            assert_eq!(list("fields", "id"), ids(&batch, "match_field_ids", row));
            assert_eq!(list("fields", "name"), texts(&batch, "match_field_names", row));
            let values = list("fields", "value").into_iter().map(|value| match value {
                Value::String(text) => text,
                number => number.to_string(),
            });
            assert_eq!(Vec::from_iter(values), texts(&batch, "match_field_values", row));
            for key in hit["sort"].as_array().unwrap_or(&empty) {
                // A key without a name has its number.
                let name = key["name"].as_str().unwrap();
                let number = name.strip_prefix("<sort-id-").map(|rest| rest.trim_end_matches('>'));
                let column = format!("sort_{}", number.unwrap_or(name));
                let column = batch.column_by_name(&column).unwrap();
                match &key["value"] {
                    Value::Null => assert!(column.is_null(row)),
                    Value::String(text) => assert_eq!(column.as_string::<i32>().value(row), text),
                    number => assert_eq!(number, column.as_primitive::<Int32Type>().value(row)),
                }
            }
            if query.contains("settag") {
                let names = texts(&batch, "match_tag_names", row);
                let values = texts(&batch, "match_tag_values", row);
                assert_eq!(
                    (names, values),
                    (
                        vec!["Won".to_owned(), "Event".to_owned()],
                        vec!["by White".to_owned(), "(null)".to_owned()],
                    )
                );
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

/// Several queries have a table each; a game of several inputs says which one it is of.
#[test]
fn several_queries_and_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let inputs =
        ["special.pgn", "odd-tags.pgn", "special.pgn"].map(|name| Input::File(corpus(name)));
    let path = |index: usize| folder.path().join(format!("{index}.arrow"));
    let task = |(index, query): (usize, &&str)| {
        let sink = FileSink::arrow(path(index)).with_compression(Compression::Zstd);
        Task::new(job(query)).sink(sink)
    };
    let tasks = QUERIES.iter().enumerate().map(task).collect();
    let summary = scan(&inputs, tasks, &Settings::default(), &mut Silent).unwrap();
    for (index, found) in summary.queries.iter().enumerate() {
        assert_eq!(check_table(&path(index), true).unwrap().games, found.matches);
    }
}

/// What cannot be a table is refused, and nothing is written.
#[test]
fn destinations_that_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arrow");
    let pattern = folder.path().join("{tag:White}.arrow");
    let pattern = NamePattern::parse(pattern.to_str().unwrap()).unwrap();
    for (destination, reason) in [
        (Destination::Append(path.clone()), "cannot be appended to a file"),
        (Destination::Split { pattern, append: false }, "cannot be split into many files"),
    ] {
        let sink = FileSink::new(FileFormat::Arrow, destination);
        let task = Task::new(job("true")).sink(sink);
        let inputs = [Input::File(corpus("special.pgn"))];
        let error = scan(&inputs, vec![task], &Settings::default(), &mut Silent).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
    let table = folder.path().join("games.arrow");
    search(&corpus("special.pgn"), job("true"), 1, &[&table]).unwrap();
    let before = fs::read(&table).unwrap();
    let error = search(&table, job("true"), 1, &[&table]).unwrap_err();
    assert!(matches!(error, Error::SameFile { .. }), "{error}");
    assert!(fs::read(&table).unwrap() == before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A device has no room for the table. The other output of the search does not appear either.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (full, other) = (folder.path().join("full.arrow"), folder.path().join("other.arrow"));
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    fs::write(&other, "old").unwrap();
    let error = search(&corpus("studies.pgn"), job("check"), 2, &[&full, &other]).unwrap_err();
    assert!(error.to_string().contains("full.arrow: No space left"), "{error}");
    assert_eq!(fs::read(&other).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}
