//! Random queries find the same in a table as in its PGN: see docs/src/testing.md#laws.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use babson_arbitrary::{Choices, check_law, game, query};
use babson_engine::Job;
use babson_lang::Dialect;
use babson_pgn::Games;

use super::{assert_same, corpus, job, pack, search_job, search_slices};

/// Odd games, and some of each other database of the corpus.
fn write_games(pgn: &Path) {
    let mut games = std::fs::read(corpus("games/special.pgn")).unwrap();
    for (name, taken) in [
        ("odd-positions.pgn", 12),
        ("studies.pgn", 12),
        ("masters-2k.pgn", 8),
        ("variants/random-crazyhouse.pgn", 1),
        ("variants/random-atomic.pgn", 1),
        ("variants/random-chess960.pgn", 1),
    ] {
        let text = std::fs::read(corpus("games").join(name)).unwrap();
        for (_, game) in Games::new(&text).skip(7).take(taken) {
            games.extend_from_slice(b"\n\n");
            games.extend_from_slice(game.trim_ascii());
        }
    }
    games.push(b'\n');
    std::fs::write(pgn, games).unwrap();
}

/// A search of random games with a random query gives the same by one thread and by several, of PGN
/// and of a table, whole and in slices.
#[test]
fn query_and_table() {
    let least = [("match", 15), ("no match", 30)];
    check_law!("query_and_table", 120, least, |bytes| {
        let mut choices = Choices::new(bytes);
        let dialect = choices.choose(&[Dialect::CQLI, Dialect::CQL6]);
        let ways = Ways::of(&mut choices);
        let query = query(&mut choices);
        let Some(job) = job(&query, dialect) else { return "no query" };
        let mut choices = choices.endless();
        let games: String = (0..2 + choices.below(6)).map(|_| game(&mut choices)).collect();
        let folder = tempfile::tempdir().unwrap();
        let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
        std::fs::write(&pgn, games).unwrap();
        pack(&pgn, &table, 1 + choices.below(3));
        is_same_in_both(&pgn, &table, &query, job, ways)
    });
}

/// How games are searched besides by one thread.
#[derive(Clone, Copy)]
struct Ways {
    threads: usize,
    slices: usize,
}

impl Ways {
    fn of(choices: &mut Choices<'_>) -> Ways {
        Ways { threads: 2 + choices.below(3), slices: 1 + choices.below(6) }
    }
}

/// Compares the searches of PGN and of its table. Returns what the query found.
fn is_same_in_both(
    pgn: &Path,
    table: &Path,
    query: &str,
    mut job: Job,
    ways: Ways,
) -> &'static str {
    job.options.steps = 20_000;
    let of_pgn = search_job(pgn, job.clone(), 1);
    // A game that its facts rule out reaches no limit.
    if of_pgn.contains("limit: Some(Steps)") {
        return "too many steps";
    }
    let Ways { threads, slices } = ways;
    assert_same(query, &of_pgn, &search_job(table, job.clone(), threads));
    assert_same(query, &of_pgn, &search_job(pgn, job.clone(), threads));
    assert_same(query, &of_pgn, &search_slices(pgn, job.clone(), slices));
    assert_same(query, &of_pgn, &search_slices(table, job, slices));
    match of_pgn.contains(" 0 matches") {
        true => "no match",
        false => "match",
    }
}

/// Odd games and games of masters find more than games by random play.
#[test]
fn query_and_corpus() {
    let least = [("match", 10), ("no match", 10)];
    check_law!("query_and_corpus", 60, least, |bytes| {
        let mut choices = Choices::new(bytes);
        let dialect = choices.choose(&[Dialect::CQLI, Dialect::CQL6]);
        let ways = Ways::of(&mut choices);
        let query = query(&mut choices);
        let Some(job) = job(&query, dialect) else { return "no query" };
        is_same_in_both(&CORPUS.pgn, &CORPUS.table, &query, job, ways)
    });
}

struct Corpus {
    _folder: tempfile::TempDir,
    pgn: PathBuf,
    table: PathBuf,
}

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
    write_games(&pgn);
    pack(&pgn, &table, 16);
    Corpus { _folder: folder, pgn, table }
});

/// A filter that ends in an error needs nothing of what it would evaluate after it.
#[test]
fn an_error_comes_before_the_conditions_after_it() {
    let Corpus { pgn, table, .. } = &*CORPUS;
    for (query, fails) in [
        ("echo (s t) {echo (s t) {#Q == 8}}", true),
        ("echo (s t) {echo (t u) {#Q == 8}}", true),
        ("square s in A {echo (s t) {#Q == 8}}", false),
        ("echo (s t) {echo (u v) {#Q == 8}}", false),
    ] {
        let of_pgn = search_job(pgn, job(query, Dialect::CQLI).unwrap(), 1);
        assert_eq!(!of_pgn.contains(" 0 errors"), fails, "{query}: {of_pgn}");
        assert_same(query, &of_pgn, &search_job(table, job(query, Dialect::CQLI).unwrap(), 2));
    }
}
