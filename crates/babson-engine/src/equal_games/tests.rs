use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use babson_lang::hir::CommentLevel;
use babson_lang::{Dialect, analyze};
use babson_pgn::Games;
use babson_vm::Event;

use super::*;
use crate::formats::NonmatchingSink;
use crate::observer::{Observer, Silent};
use crate::summary::Summary;
use crate::{Error, FileSink, Input, Job, Settings, Task};

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games").join(name)
}

/// A job whose output has the games as they are.
fn job(query: &str) -> Job {
    let query = analyze(query, Dialect::CQLI).unwrap().query;
    let mut job = Job::new(&query).unwrap();
    job.options.comment_level = CommentLevel::Silent;
    job.options.header = false;
    job
}

fn settings(threads: usize, unique: bool) -> Settings {
    Settings { threads, unique, ..Settings::default() }
}

/// Games that occur several times in two files, and the files with each game once: a copy, one with
/// other tags and comments, damaged games, games of tables as text.
fn put_games(folder: &Path) -> [[PathBuf; 2]; 2] {
    let [first, second] =
        ["masters-2k.pgn", "special.pgn"].map(|name| fs::read_to_string(corpus(name)).unwrap());
    let again = first.replace("[Event \"", "[Event \"again: ").replace(" 1. ", " 1. {again} ");
    let damaged = "[White \"D\"]\n\n1. e4 e5 2. Kxx *\n\n".repeat(3)
        + "[White \"D\"]\n\n1. e4 e5 2. Qxx *\n\n[White \"D\"]\n\n1. e4 e5 *\n\n";
    let texts = [
        second + &first[..first.len() / 2] + "\n\n" + &damaged,
        again + "\n\n" + &damaged + &first,
    ];
    let mut known = HashSet::new();
    let mut reader = Reader::new();
    let once = texts.each_ref().map(|text| {
        let games = Games::new(text.as_bytes())
            .filter(|(_, game)| known.insert(GameHash::of(&reader.read(game, Needs::ALL))));
        let games: Vec<&str> = games.map(|(_, game)| std::str::from_utf8(game).unwrap()).collect();
        games.join("\n\n")
    });
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let [a, b] = texts;
    let [c, d] = once;
    [[put("a.pgn", &a), put("b.pgn", &b)], [put("c.pgn", &c), put("d.pgn", &d)]]
}

#[derive(Default)]
struct Damages(Vec<String>);

impl Observer for Damages {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        if let Event::Damaged(game) = event {
            self.0.push(game.reason.to_string());
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// What a search gives, without the numbers of the games.
#[derive(PartialEq)]
struct Found {
    matching: String,
    others: String,
    damages: Vec<String>,
    counted: Vec<String>,
}

fn search(inputs: &[PathBuf], settings: Settings, others: bool) -> (Found, Summary) {
    let folder = tempfile::tempdir().unwrap();
    let [matching, rest] = ["a.pgn", "b.pgn"].map(|name| folder.path().join(name));
    let query = "cql(quiet) persistent Games = 0 initial Games += 1 elo > 2000 or year > 1990";
    let task = Task::new(job(query)).sink(FileSink::pgn(&matching));
    let mut settings = settings;
    settings.nonmatching = others.then(|| NonmatchingSink::at(&rest).unwrap());
    let inputs: Vec<Input> = inputs.iter().cloned().map(Input::File).collect();
    let mut damages = Damages::default();
    let tasks = vec![task, Task::new(job("mate"))];
    let summary = crate::scan(&inputs, tasks, &settings, &mut damages).unwrap();
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let counted = summary.queries.iter().flat_map(|job| job.persistents.clone());
    let counted =
        counted.chain(summary.queries.iter().map(|job| job.matches.to_string())).collect();
    let found =
        Found { matching: text(&matching), others: text(&rest), damages: damages.0, counted };
    (found, summary)
}

/// A search without equal games gives what a search gives of files that have each game once: of
/// PGN, of tables, for any number of threads.
#[test]
fn each_game_is_searched_once() {
    let folder = tempfile::tempdir().unwrap();
    let [files, once] = put_games(folder.path());
    let tables = files.each_ref().map(|file| {
        let table = file.with_extension("arrow");
        let input = [Input::File(file.clone())];
        crate::pack(&input, &table, crate::Compression::None, &settings(2, false), &mut Silent)
            .unwrap();
        table
    });
    for others in [false, true] {
        let (expected, all) = search(&once, settings(2, false), others);
        assert!(!expected.matching.is_empty() && expected.damages.len() > 1);
        assert_eq!(all.equal_games, 0);
        let mixed = [files[0].clone(), tables[1].clone()];
        for inputs in [&files, &tables, &mixed] {
            for threads in [1, 3] {
                let (found, summary) = search(inputs, settings(threads, true), others);
                assert!(found == expected, "{inputs:?} {threads}");
                assert!(summary.equal_games > 1000);
                assert_eq!(summary.games - summary.equal_games, all.games);
            }
        }
    }
}

/// A table without equal games is the same for any number of threads, and has the games that a
/// search does not leave out.
#[test]
fn tables_are_packed_without_equal_games() {
    let folder = tempfile::tempdir().unwrap();
    let [files, once] = put_games(folder.path());
    let inputs = files.clone().map(Input::File);
    let mut tables = Vec::new();
    for threads in [1, 3] {
        let table = folder.path().join("all.arrow");
        let none = crate::Compression::None;
        let summary =
            crate::pack(&inputs, &table, none, &settings(threads, true), &mut Silent).unwrap();
        let (expected, all) = search(&once, settings(2, false), true);
        assert!(search(std::slice::from_ref(&table), settings(2, false), true).0 == expected);
        assert_eq!(summary.games, all.games);
        tables.push(fs::read(&table).unwrap());
        // The number of equal games is counted without the setting, too.
        let other = folder.path().join("other.arrow");
        let whole =
            crate::pack(&inputs, &other, none, &settings(threads, false), &mut Silent).unwrap();
        assert_eq!(whole.equal_games, summary.equal_games);
        assert_eq!(whole.games, summary.games + summary.equal_games);
    }
    assert!(tables[0] == tables[1]);
}

/// Of equal games, the first one that is searched is kept: not one outside of the range.
#[test]
fn games_outside_the_range_leave_nothing_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    fs::write(
        &path,
        "1. e4 *\n\n[White \"A\"]\n\n1. d4 *\n\n[White \"?\"]\n\n1. e4 *\n\n".repeat(2),
    )
    .unwrap();
    let count = |range| {
        let job = Job { range, ..job("true") };
        let inputs = [Input::File(path.clone())];
        let summary =
            crate::scan(&inputs, vec![Task::new(job)], &settings(2, true), &mut Silent).unwrap();
        (summary.queries[0].matches, summary.equal_games)
    };
    assert_eq!(count(None), (2, 4));
    assert_eq!(count(Some((3, 5))), (2, 1));
    // Games after the last one that counts are not counted.
    let limited = Job { limit: Some(2), ..job("true") };
    let inputs = [Input::File(path.clone())];
    let summary = crate::scan(&inputs, vec![Task::new(limited)], &settings(2, true), &mut Silent);
    assert_eq!(summary.unwrap().equal_games, 0);
}

/// What a query finds does not depend on the ranges of the queries beside it: of PGN and of tables,
/// for any number of threads, with persistent variables and errors.
#[test]
fn queries_of_other_ranges_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [[first, second], _] = put_games(folder.path());
    let table = folder.path().join("b.arrow");
    let packed = [Input::File(second.clone())];
    let none = crate::Compression::None;
    crate::pack(&packed, &table, none, &settings(2, false), &mut Silent).unwrap();
    let counting = "cql(quiet) persistent Games = 0 initial Games += 1 elo > 2000 or year > 1990";
    let queries = [
        (counting, None),
        ("mate", Some((1500, 4500))),
        (counting, Some((2000, 4900))),
        ("true", Some((900, 2100))),
        ("true", Some((3000, u64::MAX))),
    ];
    let found = |inputs: &[Input], chosen: &[(&str, Option<(u64, u64)>)], threads| {
        let output = |index| folder.path().join(format!("{index}.pgn"));
        let task = |(index, (query, range)): (usize, &(&str, _))| {
            let job = Job { range: *range, ..job(query) };
            Task::new(job).sink(FileSink::pgn(output(index)))
        };
        let tasks = chosen.iter().enumerate().map(task).collect();
        let settings = settings(threads, true);
        let summary = crate::scan(inputs, tasks, &settings, &mut Silent).unwrap();
        let job = |(index, job): (usize, &crate::QuerySummary)| {
            let text = fs::read_to_string(output(index)).unwrap();
            (text, job.matches, job.persistents.clone())
        };
        (summary.queries.iter().enumerate().map(job).collect::<Vec<_>>(), summary.equal_games)
    };
    for second in [second, table] {
        let inputs = [first.clone(), second].map(Input::File);
        let alone = queries.map(|query| found(&inputs, &[query], 2));
        let most = alone.iter().map(|(_, equal)| *equal).max();
        let counts = alone.each_ref().map(|(found, equal)| (found[0].1, *equal));
        assert!(counts.iter().all(|(matches, equal)| *matches > 0 && *equal > 0), "{counts:?}");
        for threads in [1, 3] {
            let (together, equal) = found(&inputs, &queries, threads);
            for (together, (alone, _)) in together.iter().zip(&alone) {
                assert!(*together == alone[0], "{threads}");
            }
            assert_eq!(Some(equal), most, "the query of all games leaves out most");
        }
    }
}

/// A slice sees only its own games.
#[test]
fn slices_refuse_the_setting() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [Input::File(corpus("special.pgn"))];
    let slices = crate::plan(&inputs, 2, 1, true).unwrap();
    let settings = settings(1, true);
    let searched =
        crate::scan_slice(&slices[0], vec![job("mate")], &settings, "", Vec::new()).err();
    let merged = crate::merge(Vec::new(), Vec::new(), &settings, &mut Silent).err();
    let kept = folder.path().join("kept");
    let resumed =
        crate::scan_resumed(&inputs, vec![Task::new(job("mate"))], &settings, &kept, &mut Silent)
            .err();
    assert!(matches!(searched, Some(Error::SlicedUnique)));
    assert!(matches!(merged, Some(Error::SlicedUnique | Error::NoParts)));
    assert!(matches!(resumed, Some(Error::SlicedUnique)));
    assert!(!kept.exists());
}
