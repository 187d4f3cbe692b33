//! The law of game tables: a search of a table gives the bytes of a search of its PGN.

#![cfg(feature = "table")]

mod damage;
mod decided;
mod random;
mod soundness;

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use babson_engine::{
    DamagedGame, Destination, Error, Event, FileSink, Format, Input, Job, MatchText, MatchedGame,
    Observer, Omitted, QuerySummary, Settings, SliceResult, Summary, Task, Tracing, merge, plan,
    scan, scan_slice,
};
use babson_lang::Dialect;
use babson_pgn::{Games, Needs, Reader};
use babson_table::{Compression, GameOrigin, Rows, TableWriter};
use babson_vm::{CompileOptions, Program, Sharing, analyze};

/// Writes the table of a PGN file.
fn pack(pgn: &Path, table: &Path, batch: usize) {
    pack_with(pgn, table, batch, Compression::None);
}

fn pack_with(pgn: &Path, table: &Path, batch: usize, compression: Compression) {
    let text = std::fs::read(pgn).unwrap();
    let source = pgn.to_str().unwrap();
    let mut reader = Reader::new();
    let mut writer = TableWriter::new(Cursor::new(Vec::new()), "test");
    let mut rows = Rows::default();
    for ((offset, game), number) in Games::new(&text).zip(1..) {
        let before = &text[..offset];
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        let alone = before.windows(2).filter(|two| two[0] == b'\r' && two[1] != b'\n').count();
        let (offset, line) = (offset as u64, (lines + alone + 1) as u64);
        let game = reader.read(game, Needs::ALL);
        let length = game.text().len() as u64;
        rows.add(&game, GameOrigin { input: source, number, offset, length, line });
        if rows.len() == batch {
            writer.append(&rows).unwrap();
            rows = Rows::default();
        }
    }
    writer.append(&rows).unwrap();
    let mut file = Vec::new();
    writer.finish(&mut file, compression).unwrap();
    std::fs::write(table, file).unwrap();
}

/// What a search tells its observer, in order. Messages of one job with nothing between them are
/// joined, since their batches may differ.
#[derive(Default)]
struct Log(Vec<(Option<usize>, String)>);

impl Log {
    fn push(&mut self, event: String) {
        self.0.push((None, event));
    }
}

impl Observer for Log {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Message { query, lines, .. } => {
                let text = String::from_utf8_lossy(&lines);
                match self.0.last_mut() {
                    Some((Some(last), all)) if *last == query => all.push_str(&text),
                    _ => self.0.push((Some(query), text.into_owned())),
                }
            }
            Event::Damaged(game) => self.push(format!("damaged {game:?}")),
            Event::Noted(game) => self.push(format!("noted {game:?}")),
            Event::RuntimeError { query, game, error } => {
                self.push(format!("{query} {game:?} {error:?}"));
            }
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// The job of a query; `None` if the query has errors.
fn job(query: &str, dialect: Dialect) -> Option<Job> {
    let query_tree = analyze(query, dialect).ok()?.query;
    let mut job = Job::new(&query_tree).ok()?;
    // A page shows what the filters did, and PGN has their marks.
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    let traced = Program::compile_with(&query_tree, &options).ok()?;
    job.tracing = Tracing::of(&job.program, Ok(traced)).into();
    job.marks = true;
    Some(job)
}

/// A page of what the filters did.
struct TracePage;

impl Format for TracePage {
    fn traces(&self, _: &Job) -> bool {
        true
    }

    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        let text = format!("{} {:?}\n", matched.number, matched.traces);
        out.bytes().extend(text.into_bytes());
        Omitted::default()
    }
}

/// All that a search says and writes; `None` if the query has errors or needs what a search of
/// files does not have.
fn search(input: &Path, query: &str, dialect: Dialect, threads: usize) -> Option<String> {
    Some(search_job(input, job(query, dialect)?, threads))
}

/// All that a search with a job says and writes.
fn search_job(input: &Path, job: Job, threads: usize) -> String {
    let counted = count(input, job.clone(), threads);
    search_by(job, |task, log| {
        let inputs = [Input::File(input.to_owned())];
        let summary = scan(&inputs, vec![task], &settings(threads), log)?;
        let job = &summary.queries[0];
        // Comments, which only outputs ask for, take steps.
        if !format!("{:?}", log.0).contains("limit: Some(Steps)") {
            assert_eq!(
                counted.map(|job| (job.matches, job.failed_games)),
                Some((job.matches, job.failed_games))
            );
        }
        Ok(summary)
    })
}

/// All that searches of this many slices say and write together. A query that needs the games in
/// order is searched in one slice.
fn search_slices(input: &Path, job: Job, slices: usize) -> String {
    let is_in_order = matches!(job.program.sharing(), Sharing::InOrder(_));
    let slices = if is_in_order { 1 } else { slices };
    search_by(job, |task, log| {
        let settings = settings(1);
        let plan = plan(&[Input::File(input.to_owned())], slices, 1, true)?;
        let results = plan.iter().map(|slice| {
            let mut part = Vec::new();
            scan_slice(slice, vec![task.job.clone()], &settings, "", &mut part)?;
            SliceResult::read("part", Cursor::new(part))
        });
        let results = results.collect::<Result<_, Error>>()?;
        merge(results, vec![task], &settings, log)
    })
}

fn settings(threads: usize) -> Settings {
    let mut settings = Settings::default();
    settings.threads = threads;
    settings
}

/// All that a search says and writes in every format.
fn search_by(job: Job, search: impl FnOnce(Task, &mut Log) -> Result<Summary, Error>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut task = Task::new(job);
    let names = ["a.pgn", "a.jsonl", "a.csv", "a.epd", "a.html", "a.arrow"];
    for name in names {
        let path = folder.path().join(name);
        task.sinks.push(Box::new(match name {
            "a.html" => FileSink::html(TracePage, Destination::File(path)),
            _ => FileSink::at(path).unwrap(),
        }));
    }
    let mut log = Log::default();
    let result = match search(task, &mut log) {
        Ok(summary) => {
            let job = &summary.queries[0];
            format!("{} games, {} matches, {} errors", summary.games, job.matches, job.failed_games)
        }
        Err(error) => error.to_string(),
    };
    let mut all = format!("{result}\n{:#?}\n", log.0);
    for name in names {
        let bytes = std::fs::read(folder.path().join(name)).unwrap_or_default();
        let text = match name {
            "a.arrow" => format!("{} bytes, sum {:08x}\n", bytes.len(), crc32fast::hash(&bytes)),
            _ => String::from_utf8_lossy(&bytes).into_owned(),
        };
        all.push_str(&format!("== {name}\n{text}"));
    }
    all
}

/// What a search that only counts the games says of its query; none if it fails.
fn count(input: &Path, job: Job, threads: usize) -> Option<QuerySummary> {
    let task = Task::new(job).games_only();
    let inputs = [Input::File(input.to_owned())];
    scan(&inputs, vec![task], &settings(threads), &mut Log::default()).ok()?.queries.pop()
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name)
}

/// Fails at the first line that differs.
fn assert_same(query: &str, of_pgn: &str, of_table: &str) {
    if let Some((line, (pgn, table))) =
        of_pgn.lines().zip(of_table.lines()).enumerate().find(|(_, (pgn, table))| pgn != table)
    {
        panic!("{query}\nline {line}\n  PGN:   {pgn}\n  table: {table}");
    }
    assert_eq!(of_pgn.len(), of_table.len(), "{query}");
}

#[test]
fn queries_of_the_corpus_find_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("games.arrow");
    let mut queries = Vec::new();
    for entry in std::fs::read_dir(corpus("queries")).unwrap() {
        queries.extend(std::fs::read_to_string(entry.unwrap().path()).ok());
    }
    queries.sort();
    let mut searched = 0;
    // The larger databases take some of the queries each.
    for (games, every) in
        [("special", 1), ("odd-positions", 1), ("odd-tags", 1), ("studies", 8), ("cqli-games", 4)]
    {
        let pgn = corpus("games").join(games).with_extension("pgn");
        pack(&pgn, &table, 50);
        for query in queries.iter().step_by(every) {
            let Some(of_pgn) = search(&pgn, query, Dialect::CQLI, 1) else { continue };
            let of_table = search(&table, query, Dialect::CQLI, 2).unwrap();
            assert_same(query, &of_pgn, &of_table);
            searched += 1;
        }
    }
    assert!(searched > 200, "{searched}");
}

/// The queries of the goldens, in all dialects, on games with variations, odd starts, promotions
/// and damage, and on a few plain ones.
#[test]
fn goldens_find_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
    let mut games = std::fs::read(corpus("games/special.pgn")).unwrap();
    games.extend_from_slice(b"\n\n");
    let masters = std::fs::read(corpus("games/masters-2k.pgn")).unwrap();
    for (_, game) in Games::new(&masters).skip(100).take(10) {
        games.extend_from_slice(game);
        games.extend_from_slice(b"\n\n");
    }
    std::fs::write(&pgn, games).unwrap();
    pack(&pgn, &table, 7);
    let (mut searched, mut matched) = (0, 0);
    for file in std::fs::read_dir(corpus("goldens")).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        // Of the long files some queries are enough.
        let every = if text.lines().count() > 100 { 6 } else { 2 };
        for line in text.lines().step_by(every) {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let Some(query) = case["query"].as_str() else { continue };
            let dialect = match case["dialect"].as_str() {
                Some("cql62") => Dialect::CQL6,
                _ => Dialect::CQLI,
            };
            let Some(of_pgn) = search(&pgn, query, dialect, 2) else { continue };
            let of_table = search(&table, query, dialect, 1).unwrap();
            assert_same(query, &of_pgn, &of_table);
            searched += 1;
            matched += usize::from(!of_pgn.contains(" 0 matches"));
        }
    }
    assert!(searched > 200 && matched > 100, "{searched} {matched}");
}

/// Writes a database and packs it into a table. For each file of the corpus and number, the
/// database has the games whose index, from 0, is a multiple of this number.
fn pack_some(folder: &Path, files: &[(&str, usize)]) -> (PathBuf, PathBuf) {
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.join(name));
    let mut games = Vec::new();
    for (name, every) in files {
        let text = std::fs::read(corpus("games").join(name).with_extension("pgn")).unwrap();
        for (_, game) in Games::new(&text).step_by(*every) {
            games.extend_from_slice(game);
            games.extend_from_slice(b"\n\n");
        }
    }
    std::fs::write(&pgn, games).unwrap();
    pack(&pgn, &table, 60);
    (pgn, table)
}

/// Conditions on the number and the order of moves and checks, which a table decides by the codes
/// of the moves and the bits of the checks.
#[test]
fn counts_of_moves_and_checks_find_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let sample =
        [("special", 1), ("masters-2k", 20), ("studies", 20), ("variants/random-crazyhouse", 3)];
    let (pgn, table) = pack_some(folder.path(), &sample);
    let mut matched = 0;
    for query in [
        "line --> check{3,}",
        "line --> (check --> .){3}",
        "line <-- check <-- . <-- check <-- .{3}",
        "line --> mate <-- check",
        "find all check >= 6",
        "cql(variations) find 4 100 check",
        "initial {find all {move capture [Aa]d5}} > 3",
        "initial find 9 99 {move from N}",
        "terminal find <-- 3 99 {move previous capture [Qq]}",
        "find 2 9 {move promote Q}",
        "find 2 2 {move castle}",
        "find 5 500 {move to e5-8 from [Rr]}",
    ] {
        let Some(of_pgn) = search(&pgn, query, Dialect::CQLI, 2) else { continue };
        let of_table = search(&table, query, Dialect::CQLI, 2).unwrap();
        assert_same(query, &of_pgn, &of_table);
        matched += usize::from(!of_pgn.contains(" 0 matches"));
    }
    assert!(matched >= 8, "{matched}");
}

/// Filters on tags, which a table decides by its columns, in all dialects.
#[test]
fn filters_on_tags_find_the_same() {
    const QUERIES: [&str; 26] = [
        "player \"Carlsen\"",
        "player white \"W\"",
        "not player black \"Anand\"",
        "player white ~~ \"^[A-K].*\"",
        "player white \"?\"",
        "event \"ch\"",
        "not event \"e\"",
        "site \"Moscow\" or site \"Wijk\"",
        "\"ow\" in tag \"Site\"",
        "date > \"1990\"",
        "date < \"1950.06\"",
        "not date \"1999.01.02\"",
        "year == 2000",
        "year != 2000",
        "not year < 1980",
        "eco \"B\"",
        "not eco",
        "elo > 2600",
        "elo white < 2500",
        "elo black != 2600",
        "not elo white > 2000",
        "result 1-0",
        "not result 1/2-1/2",
        "cql(result 0-1) initial",
        "initial player \"a\" elo > 2400 result 0-1",
        "mate or player white \"Tal\"",
    ];
    let folder = tempfile::tempdir().unwrap();
    let sample = [("odd-tags", 1), ("special", 1), ("masters-2k", 40), ("studies", 40)];
    let (pgn, table) = pack_some(folder.path(), &sample);
    let mut matched = 0;
    for query in QUERIES {
        for dialect in [Dialect::CQL6, Dialect::CQLI] {
            // A position of each game is enough.
            let query = match query.starts_with("cql") {
                true => query.to_owned(),
                false => format!("cql(quiet) {{initial {query}}}"),
            };
            let Some(of_pgn) = search(&pgn, &query, dialect, 2) else { continue };
            let of_table = search(&table, &query, dialect, 2).unwrap();
            assert_same(&query, &of_pgn, &of_table);
            matched += usize::from(!of_pgn.contains(" 0 matches"));
        }
    }
    assert!(matched > 30, "{matched}");
}

/// The statistics of a condition count the games that it lets through. They count only games that
/// count for the query: games in its range, up to its limit.
#[test]
fn games_that_conditions_let_through_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, table) = pack_some(folder.path(), &[("special", 1), ("masters-2k", 20)]);
    let run = |inputs: &[&PathBuf], query: &str, range, limit, threads| {
        let analysis = analyze(query, Dialect::CQLI).unwrap();
        let mut job = Job::new(&analysis.query).unwrap();
        (job.range, job.limit) = (range, limit);
        let mut settings = Settings::default();
        (settings.threads, settings.guard_stats) = (threads, true);
        let inputs: Vec<Input> =
            inputs.iter().map(|path| Input::File(path.to_path_buf())).collect();
        let mut summary =
            scan(&inputs, vec![Task::new(job)], &settings, &mut Log::default()).unwrap();
        summary.queries.remove(0)
    };
    // How many of the games up to a number may match, by searches of the PGN.
    let count = |query: &str, last| run(&[&pgn], query, Some((1, last)), None, 2).matches;
    let (games, damaged) = (112, 4);
    for threads in [1, 3] {
        let job = run(&[&table], "find mate #Q > 1", None, None, threads);
        let guard = job.guard.unwrap();
        let conditions: Vec<_> = guard.conditions.iter().map(|c| c.condition.as_str()).collect();
        assert_eq!((guard.games, &conditions[..]), (games, &["mate", "#Q > 1"][..]));
        let [mate, queens] = &guard.conditions[..] else { panic!("{guard:?}") };
        let with = |query| count(query, u64::MAX)..=count(query, u64::MAX) + damaged;
        assert!(with("find mate").contains(&mate.passed) && mate.left == mate.passed);
        assert!(with("find #Q > 1").contains(&queens.passed), "{guard:?}");
        assert!(with("find mate find #Q > 1").contains(&queens.left), "{guard:?}");
        assert!(queens.left < mate.left && mate.passed < games, "{guard:?}");

        let job = run(&[&table], "check", None, Some(7), threads);
        let last = (1..).find(|&last| count("check", last) == 7).unwrap();
        let guard = job.guard.unwrap();
        assert_eq!(guard.games, last);
        assert!((7..=7 + damaged).contains(&guard.conditions[0].left), "{guard:?}");

        let job = run(&[&pgn, &table], "check", Some((100, 150)), None, threads);
        assert_eq!(job.guard.unwrap().games, 150 - games);
        let job = run(&[&table], "true", None, None, threads);
        assert_eq!(
            job.guard.map(|guard| (guard.games, guard.conditions)),
            Some((games, Vec::new()))
        );
        let job = run(&[&pgn], "check", None, None, threads);
        assert_eq!(job.guard.map(|guard| guard.games), Some(0));
    }
}

/// Where a condition on the whole game decides and games are only counted, those that match are not
/// read either, except odd ones.
#[test]
fn games_that_a_guard_decides_are_only_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, table) = pack_some(folder.path(), &[("special", 1), ("masters-2k", 20)]);
    let job = |query: &str| Job::new(&analyze(query, Dialect::CQLI).unwrap().query).unwrap();
    let mut matched = 0;
    for (query, is_decided) in [
        ("mate", true),
        ("Qh5", true),
        ("[QR]h1 or stalemate", true),
        ("#b < 2", true),
        ("power A - power a >= 5", true),
        ("check player \"a\" elo < 2900", true),
        ("initial elo > 2000 result 1-0", true),
        ("cql(result 0-1) check", true),
        ("Qh5 Kg1", false),
        ("#b == 1", false),
        ("check #Q > 1", false),
        ("initial check", false),
        ("mate player white ~~ \"A.*\"", false),
        ("power A - power a == 5", false),
        ("cql(matchcount 2 9) check", false),
        ("check message quiet(ply)", false),
    ] {
        for threads in [1, 3] {
            let of_pgn = count(&pgn, job(query), threads).unwrap();
            let of_table = count(&table, job(query), threads).unwrap();
            assert_eq!(of_table.matches, of_pgn.matches, "{query}");
            matched += usize::from(is_decided && of_pgn.matches > 1);
            let games = 112;
            let read = games - of_table.unread_moves;
            if is_decided {
                assert!(read <= 16, "{query}: {read} games were read");
            } else if !query.contains("initial") {
                assert!(read >= of_table.matches, "{query}: {read} games were read");
            }
            // A limit counts the same games, wherever they are decided.
            let limited = |path| {
                let job = Job { limit: Some(2), range: Some((5, 90)), ..job(query) };
                let found = count(path, job, threads).unwrap();
                (found.matches, found.positions)
            };
            assert_eq!(limited(&table), limited(&pgn), "{query}");
        }
    }
    assert!(matched > 10, "{matched}");
    // Whoever takes the matches gets them all.
    let mut task = Task::new(job("mate")).games_only();
    let file = folder.path().join("found.pgn");
    task.sinks.push(Box::new(FileSink::at(&file).unwrap()));
    let inputs = [Input::File(table)];
    let summary = scan(&inputs, vec![task], &Settings::default(), &mut Log::default()).unwrap();
    let written = std::fs::read(&file).unwrap();
    assert_eq!(Games::new(&written).count() as u64, summary.queries[0].matches);
}

/// Of a batch without a game that may match, the moves are not even looked at.
#[test]
fn columns_of_games_are_read_only_if_a_game_may_match() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
    std::fs::write(
        &pgn,
        "[White \"a\"]\n\n1. e4 e5 2. d4 *\n\n[White \"b\"]\n\n1. d4 d5 2. c4 e6 *\n",
    )
    .unwrap();
    pack(&pgn, &table, 2);
    let mut bytes = std::fs::read(&table).unwrap();
    // Where the moves of each game end: the first one comes to lie after the second.
    let offsets: Vec<u8> = [0u32, 3, 7].iter().flat_map(|end| end.to_le_bytes()).collect();
    let at: Vec<usize> =
        (0..bytes.len() - 12).filter(|at| bytes[*at..at + 12] == offsets).collect();
    assert_eq!(at.len(), 1, "{at:?}");
    bytes[at[0] + 4] = 8;
    std::fs::write(&table, bytes).unwrap();
    let found = |query: &str| search(&table, query, Dialect::CQLI, 2).unwrap();
    assert!(found("mate").starts_with("2 games, 0 matches"), "{}", found("mate"));
    assert!(found("player \"c\"").starts_with("2 games, 0 matches"));
    for query in ["true", "mate or player \"a\""] {
        assert!(found(query).contains("the table is damaged"), "{}", found(query));
    }
}

/// Where a table is not mapped it is read; where it cannot be used, the error says so.
#[test]
fn a_table_is_an_input() {
    let folder = tempfile::tempdir().unwrap();
    let (games, table) = (corpus("games/special.pgn"), folder.path().join("games.arrow"));
    pack(&games, &table, 5);
    let analysis = analyze("check", Dialect::CQLI).unwrap();
    let matches = |inputs: &[Input], mapped: bool| {
        let job = Job::new(&analysis.query).unwrap();
        let mut settings = Settings::default();
        settings.mapped = mapped;
        let summary = scan(inputs, vec![Task::new(job)], &settings, &mut Log::default()).unwrap();
        (summary.games, summary.queries[0].matches)
    };
    let [pgn, file] = [&games, &table].map(|path| Input::File(path.clone()));
    let bytes = Input::bytes("in memory", std::fs::read(&table).unwrap());
    let (all, found) = matches(std::slice::from_ref(&pgn), true);
    for mapped in [true, false] {
        assert_eq!(matches(std::slice::from_ref(&file), mapped), (all, found));
        assert_eq!(matches(std::slice::from_ref(&bytes), mapped), (all, found));
        let several = [file.clone(), pgn.clone(), bytes.clone()];
        assert_eq!(matches(&several, mapped), (3 * all, 3 * found));
    }
    // So is one of a folder.
    assert_eq!(Input::expand(folder.path()).unwrap(), [file]);
}
