//! The games that no query matches are the others of those that are searched, whatever the threads.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use babson_engine::{
    Columns, DamagedGame, Destination, Error, Event, FileFormat, FileSink, GroupKeys, Input, Job,
    NamePattern, NonmatchingSink, Observer, OutputRefusal, Settings, Silent, Summary, Task, plan,
    scan, scan_resumed, scan_slice,
};
use babson_lang::hir::CommentLevel;
use babson_lang::{Dialect, analyze};

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games").join(name)
}

/// A job whose PGN output has the games as they are.
fn job(query: &str) -> Job {
    let query = analyze(query, Dialect::CQLI).unwrap().query;
    let mut job = Job::new(&query).unwrap();
    job.options.comment_level = CommentLevel::Silent;
    job.options.header = false;
    job
}

#[derive(Default)]
struct Reports(Vec<DamagedGame>);

impl Observer for Reports {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        if let Event::Damaged(game) = event {
            self.0.push(game);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// What a search gives.
#[derive(Debug, PartialEq)]
struct Found {
    /// The games in the output of the first job: the games that it matches.
    matching: String,
    /// The games in the output for games that no job matches.
    others: String,
    summary: Summary,
    damaged: Vec<DamagedGame>,
}

/// Searches with these jobs.
fn search(input: &Path, jobs: Vec<Job>, threads: usize, among: Option<Job>) -> Found {
    let folder = tempfile::tempdir().unwrap();
    let [matching, others] = ["a.pgn", "b.pgn"].map(|name| folder.path().join(name));
    let mut tasks: Vec<Task> = jobs.into_iter().map(Task::new).collect();
    tasks[0].sinks.push(FileSink::pgn(&matching).into());
    let mut settings = Settings::default();
    settings.threads = threads;
    let output = NonmatchingSink::at(&others).unwrap();
    settings.nonmatching = Some(match among {
        Some(job) => output.among(job),
        None => output,
    });
    let mut reports = Reports::default();
    let inputs = [Input::File(input.to_owned())];
    let mut summary = scan(&inputs, tasks, &settings, &mut reports).unwrap();
    summary.threads = 0;
    summary.queries.iter_mut().for_each(|job| job.seconds = 0.0);
    let text = |path: &Path| fs::read_to_string(path).unwrap();
    Found { matching: text(&matching), others: text(&others), summary, damaged: reports.0 }
}

/// The games of a text.
fn games(text: &str) -> Vec<&str> {
    text.split("\n\n\n").filter(|game| !game.is_empty()).collect()
}

/// Some games. Some are damaged.
fn put_games(folder: &Path) -> PathBuf {
    let path = folder.join("games.pgn");
    let texts = [
        "1. f3 e5 2. g4 {fool} Qh4# 0-1",
        "1. e4 e5 2. Ke3 d5 *",
        "1. e4 (1. d4 d5) e5 $1 *",
        "1. Nf3 Nf6 2. Ng1 Ng8 1/2-1/2",
        "1. d4 d5 (1... Kd4) *",
    ];
    let game = |index: usize| {
        let text = texts[index * index % 7 % texts.len()];
        format!("[Event \"{index}\"]\n[White \"{}\"]\n\n{text}\n\n", ["Ann", "Bob"][index % 2])
    };
    fs::write(&path, (0..3000).map(game).collect::<String>()).unwrap();
    path
}

#[test]
fn each_game_is_in_one_of_two_outputs() {
    let folder = tempfile::tempdir().unwrap();
    for path in [corpus("masters-2k.pgn"), put_games(folder.path())] {
        let all = search(&path, vec![job("true")], 1, None);
        assert_eq!((all.others.as_str(), all.summary.nonmatching), ("", 0));
        for query in ["mate", "result 1-0", "check", "false", "terminal sort \"n\" movenumber"] {
            let one = search(&path, vec![job(query)], 1, None);
            let (matching, others) = (games(&one.matching), games(&one.others));
            assert_eq!(one.summary.nonmatching, others.len() as u64, "{query}");
            let mut rest = others.iter().copied().peekable();
            let kept = games(&all.matching).into_iter().filter(|game| {
                let is_other = rest.peek() == Some(game);
                rest.next_if(|_| is_other).is_none()
            });
            let mut kept: Vec<&str> = kept.collect();
            assert_eq!(rest.next(), None, "{query}");
            let mut matching = matching;
            kept.sort_unstable();
            matching.sort_unstable();
            assert_eq!(kept, matching, "{query}");
            // All games are read whole, so all damage is reported.
            assert_eq!(one.damaged, all.damaged, "{query}");
            for threads in [2, 5] {
                assert_eq!(search(&path, vec![job(query)], threads, None), one, "{query}");
            }
        }
    }
}

/// A limit ends the search: the games after the last match are not searched.
#[test]
fn a_limit_ends_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let path = put_games(folder.path());
    let whole = search(&path, vec![job("mate")], 1, None);
    let all = search(&path, vec![job("true")], 1, None);
    let all = games(&all.matching);
    for limit in [0, 1, 7, 400] {
        let limited = || Job { limit: Some(limit), ..job("mate") };
        let one = search(&path, vec![limited()], 1, None);
        let matching = games(&whole.matching);
        let last = limit.checked_sub(1).map(|last| matching[last as usize]);
        let end = all.iter().position(|game| Some(*game) == last).map_or(0, |last| last + 1);
        let before = all[..end].iter().filter(|game| !matching[..limit as usize].contains(*game));
        let before: Vec<&str> = before.copied().collect();
        assert_eq!(games(&one.others), before, "{limit}");
        for threads in [2, 5] {
            assert_eq!(search(&path, vec![limited()], threads, None), one, "{limit}");
        }
        // Of several queries, all must have searched a game.
        for threads in [1, 5] {
            let two = search(&path, vec![limited(), job("false")], threads, None);
            assert_eq!(two.others, one.others, "{limit}");
            assert_eq!(two.summary.games, 3000);
        }
    }
}

#[test]
fn several_queries_ranges_and_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = put_games(folder.path());
    let numbers = |found: &Found| -> Vec<u64> {
        let event = |game: &str| game.split('"').nth(1).unwrap().parse::<u64>().unwrap() + 1;
        games(&found.others).into_iter().map(event).collect()
    };
    let either = search(&path, vec![job("mate or #R==4 and result \"1/2-1/2\"")], 1, None);
    for threads in [1, 4] {
        let jobs = || vec![job("mate"), job("#R==4 and result \"1/2-1/2\"")];
        let two = search(&path, jobs(), threads, None);
        assert_eq!(two.others, either.others);
        let mut ranged = jobs();
        ranged[0].range = Some((10, 2000));
        ranged[1].range = Some((5, 1000));
        let expected = numbers(&two).into_iter().filter(|game| (10..=1000).contains(game));
        let ranged = search(&path, ranged, threads, None);
        assert_eq!(numbers(&ranged), expected.collect::<Vec<_>>());
        // A query of other games.
        let ann = search(&path, jobs(), threads, Some(job("player white \"Ann\"")));
        let expected = numbers(&two).into_iter().filter(|game| game % 2 == 1);
        assert_eq!(numbers(&ann), expected.collect::<Vec<_>>());
        // A game that a query leaves with an error is not searched by all.
        let loops = "initial gamenumber % 3 == 0  x = 1  while (x < 9999999) {x += 1}";
        let mut loops = job(loops);
        loops.options.steps = 1000;
        let failed = search(&path, vec![job("mate"), loops], threads, None);
        assert_eq!(failed.summary.queries[1].failed_games, 1000);
        let mates = search(&path, vec![job("mate")], 1, None);
        let expected = numbers(&mates).into_iter().filter(|game| game % 3 != 0);
        assert_eq!(numbers(&failed), expected.collect::<Vec<_>>());
        // A query that stops has not searched the games after it.
        let stops = || vec![job("mate"), job("assert gamenumber < 50 false")];
        let stopped = search(&path, stops(), threads, None);
        assert!(stopped.summary.queries[1].stopped.is_some());
        let expected = numbers(&mates).into_iter().filter(|game| *game < 50);
        assert_eq!(numbers(&stopped), expected.collect::<Vec<_>>());
    }
}

/// If the only query stops, nothing is written.
#[test]
fn a_stopped_search_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rest.pgn");
    let mut settings = Settings::default();
    settings.nonmatching = NonmatchingSink::at(&path);
    let inputs = [Input::File(put_games(folder.path()))];
    let tasks = vec![Task::new(job("assert gamenumber < 50 false"))];
    let summary = scan(&inputs, tasks, &settings, &mut Silent).unwrap();
    assert!(summary.queries[0].stopped.is_some());
    assert!(!path.exists());
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [Input::File(put_games(folder.path()))];
    let mut settings = Settings::default();
    for extension in ["csv", "jsonl", "epd", "html"] {
        let path = folder.path().join(format!("rest.{extension}"));
        settings.nonmatching = NonmatchingSink::at(&path);
        let error =
            scan(&inputs, vec![Task::new(job("mate"))], &settings, &mut Silent).unwrap_err();
        let reason = OutputRefusal::NoMatches;
        assert!(matches!(error, Error::OutputRefused { reason: r, .. } if r == reason), "{error}");
        assert!(!path.exists());
    }
    // A game without a match has no query, sort key, column or group.
    let split = |name: &str| {
        let pattern = NamePattern::parse(folder.path().join(name).to_str().unwrap()).unwrap();
        FileSink::new(FileFormat::Pgn, Destination::Split { pattern, append: false })
    };
    let rest = || FileSink::pgn(folder.path().join("rest.pgn"));
    let before = std::fs::read_dir(folder.path()).unwrap().count();
    for (sink, reason) in [
        (split("{query}.pgn"), OutputRefusal::NonmatchingName),
        (split("{sort:moves}.pgn"), OutputRefusal::NonmatchingName),
        (rest().with_columns(Columns::parse("white").unwrap()), OutputRefusal::NoColumns),
        (rest().with_groups(GroupKeys::parse("white").unwrap()), OutputRefusal::HasNoGroups),
    ] {
        settings.nonmatching = Some(sink.into());
        let error =
            scan(&inputs, vec![Task::new(job("mate"))], &settings, &mut Silent).unwrap_err();
        assert!(matches!(error, Error::OutputRefused { reason: r, .. } if r == reason), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before);
    }
    let destination = Destination::File(folder.path().join("rest.pgn"));
    settings.nonmatching = Some(NonmatchingSink::new(FileFormat::Pgn, destination));
    let slice = plan(&inputs, 1, 1, true).unwrap().remove(0);
    let sliced = scan_slice(&slice, vec![job("mate")], &settings, "", Vec::new()).unwrap_err();
    let kept = folder.path().join("kept");
    let tasks = vec![Task::new(job("mate"))];
    let resumed = scan_resumed(&inputs, tasks, &settings, &kept, &mut Silent).err().unwrap();
    for error in [sliced, resumed] {
        let reason = OutputRefusal::SlicedGames;
        assert!(matches!(error, Error::OutputRefused { reason: r, .. } if r == reason), "{error}");
    }
    assert!(!kept.exists());
    // No file has two roles.
    settings.nonmatching = NonmatchingSink::at(folder.path().join("games.pgn"));
    let error = scan(&inputs, vec![Task::new(job("mate"))], &settings, &mut Silent).unwrap_err();
    assert!(matches!(error, Error::SameFile { .. }), "{error}");
}

/// The game guard leaves games of tables out of the search; they are still written.
#[cfg(feature = "table")]
#[test]
fn games_of_tables() {
    use babson_engine::{Compression, check_table, pack};

    let folder = tempfile::tempdir().unwrap();
    for path in [corpus("masters-2k.pgn"), put_games(folder.path())] {
        let table = folder.path().join("games.arrow");
        let settings = Settings::default();
        let inputs = [Input::File(path.clone())];
        pack(&inputs, &table, Compression::None, &settings, &mut Silent).unwrap();
        for (query, limit) in [("mate", None), ("mate", Some(9)), ("#Q > 2", None)] {
            let jobs = || vec![Job { limit, ..job(query) }];
            let text = search(&path, jobs(), 1, None);
            let among = search(&path, jobs(), 1, Some(job("elo > 2000 or player \"Ann\"")));
            for threads in [1, 4] {
                let packed = search(&table, jobs(), threads, None);
                assert_eq!(packed.others, text.others, "{query}");
                assert_eq!(packed.summary.nonmatching, text.summary.nonmatching);
                assert_eq!(packed.matching, text.matching, "{query}");
                assert_eq!(packed.summary.damaged, text.summary.damaged);
                let packed =
                    search(&table, jobs(), threads, Some(job("elo > 2000 or player \"Ann\"")));
                assert_eq!(packed.others, among.others, "{query}");
            }
        }
        // The others may be a table, too, with the same games.
        let others = folder.path().join("rest.arrow");
        for input in [&path, &table] {
            let mut settings = Settings::default();
            let output = NonmatchingSink::at(&others).unwrap();
            settings.nonmatching = Some(output.with_compression(Compression::Zstd));
            let inputs = [Input::File(input.clone())];
            let tasks = vec![Task::new(job("mate"))];
            let summary = scan(&inputs, tasks, &settings, &mut Silent).unwrap();
            assert_eq!(check_table(&others, true).unwrap().games, summary.nonmatching);
            let again = search(&others, vec![job("true")], 1, None);
            assert_eq!(again.matching, search(&path, vec![job("mate")], 1, None).others);
        }
    }
}
