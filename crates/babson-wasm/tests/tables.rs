//! A game table is searched as the PGN that it was packed from.

use babson::Input;
use babson::scan::{Settings, Silent};
use babson::table::{Compression, pack};
use babson_wasm::{Database, Databases, GroupRun, SearchRun};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/masters-2k.pgn");
/// The name of the PGN: the matches of the table have the name of their file.
const NAME: &str = GAMES;

/// The PGN and a table of it.
fn databases() -> Databases {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.arrow");
    let inputs = Input::expand(GAMES).unwrap();
    pack(&inputs, &table, Compression::None, &Settings::default(), &mut Silent).unwrap();
    let mut databases = Databases::default();
    databases.add(Database::read(NAME, std::fs::read(GAMES).unwrap()).unwrap());
    databases.add(Database::read("t", std::fs::read(table).unwrap()).unwrap());
    databases
}

/// The lines of a search, without the progress.
fn lines(databases: &Databases, query: &str, database: &str, more: &str) -> Vec<String> {
    let body = format!(r#"{{"query": {query:?}, "databases": ["{database}"]{more}}}"#);
    let mut search = SearchRun::new(databases, &body).unwrap();
    let mut text = String::new();
    while !search.is_done() {
        text += &search.step(0.0, &|| 0.0);
    }
    let lines = text.lines().filter(|line| !line.starts_with(r#"{"type":"progress""#));
    let from = format!(r#""database":"{database}""#);
    lines.map(|line| line.replacen(&from, "", 1)).collect()
}

#[test]
fn a_table_gives_the_matches_of_its_games() {
    let databases = databases();
    for query in [
        "mate",
        "check #Q > 1",
        "player \"Alekhine\" mate",
        "cql(gamenumber 100 300) check",
        "cql(gamenumber 100 300) mate",
        "cql(matchcount 2 9) check",
        "sort \"pieces\" #[Aa] mate",
        "mate persistent $n += 1 $n < 9",
        "cqlend { message lastgamenumber } mate message(gamenumber)",
        "line --> check --> check",
    ] {
        for more in ["", r#", "limit": 5"#, r#", "games": true, "variations": true"#] {
            let [text, table] = [NAME, "t"].map(|name| lines(&databases, query, name, more));
            assert!(text.len() > 1, "{query}");
            assert_eq!(table, text, "{query}{more}");
        }
    }
    let error = lines(&databases, "while (true) true", "t", "");
    assert!(error.last().unwrap().contains(r#""stopped":"steps""#), "{error:?}");
}

#[test]
fn a_table_gives_the_groups_of_its_games() {
    let databases = databases();
    let groups = |database: &str, by: &str| {
        let body = format!(r#"{{"query": "check", "databases": ["{database}"], "by": [{by}]}}"#);
        let mut groups = GroupRun::new(&databases, &body).unwrap();
        while !groups.is_done() {
            groups.step(0.0, &|| 0.0);
        }
        groups.answer().unwrap()
    };
    for by in [r#""year""#, r#""player", "next.san""#, r#""white_elo/100", "input""#] {
        assert_eq!(groups("t", by), groups(NAME, by), "{by}");
    }
}
