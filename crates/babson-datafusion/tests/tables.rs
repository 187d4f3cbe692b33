//! A game table in SQL gives what the command gives.

mod common;

use std::sync::Arc;

use babson::Input;
use babson_datafusion::BabsonTable;
use common::*;
use datafusion::datasource::MemTable;

/// Queries of all kinds: decided by the guard, guarded, not guarded, on tags, on variations.
const QUERIES: [&str; 16] = [
    "mate",
    "check",
    "stalemate",
    "#Q > 1",
    "Qh7",
    "mate #Q > 1",
    "player \"Adams\"",
    "year > 2018 check",
    "result 1-0 mate",
    "cql(variations) mate",
    "move legal promote N",
    "cql(matchcount 2 10) check",
    "not check",
    "cql(gamenumber 3 500) check",
    "gamenumber < 4",
    "elo > 2600 find 2 9 check",
];

#[tokio::test(flavor = "multi_thread")]
async fn results_are_those_of_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = Input::expand(corpus()).unwrap();
    inputs.push(Input::bytes("hostile.pgn", HOSTILE.as_bytes()));
    let table = packed(folder.path(), &inputs);
    let context = session(&table);
    // The same columns in memory: nothing is pushed into the scan of a table.
    let copy = context.table("games").await.unwrap();
    let schema = Arc::new(copy.schema().as_arrow().clone());
    let copy = MemTable::try_new(schema, vec![copy.collect().await.unwrap()]).unwrap();
    context.register_table("copy", Arc::new(copy)).unwrap();
    for query in QUERIES {
        let (games, positions) = found(&table, query);
        let quoted = query.replace('\'', "''");
        for table in ["games", "copy"] {
            let condition = format!("FROM {table} WHERE cql(moves, '{quoted}')");
            let sql =
                format!("SELECT get_field(moves, 'number') AS number {condition} ORDER BY number");
            assert!(numbers(&context, &sql).await == games, "{table}: {query}");
            let sql = format!("SELECT count(*) {condition}");
            assert_eq!(number(&context, &sql).await, games.len() as i64, "{table}: {query}");
            let sql = format!("SELECT sum(cql_count(moves, '{quoted}')) FROM {table}");
            assert_eq!(number(&context, &sql).await, positions as i64, "{table}: {query}");
        }
    }
}

#[tokio::test]
async fn mates_and_checks_by_year() {
    let folder = tempfile::tempdir().unwrap();
    let context = session(&hostile_table(folder.path()));
    let sql = "SELECT year, avg(cql_count(moves, 'check')) FROM games WHERE cql(moves, 'mate') \
               GROUP BY 1 ORDER BY 1";
    let table = shown(&context, sql).await;
    let rows: Vec<&str> = table.lines().skip(3).collect();
    assert_eq!(rows.len(), 3, "{table}");
    assert!(rows[0].contains("| 2019 |") && rows[0].contains("1.0"), "{table}");
    assert!(rows[1].starts_with("|      |"), "{table}");
}

#[tokio::test]
async fn troubles_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let context = session(&hostile_table(folder.path()));
    let sql = "SELECT event, cql(moves, 'mate') AS mate, cql_error(moves, 'mate') AS error FROM \
               games ORDER BY get_field(moves, 'number')";
    let expected = "\
+-------------------------+-------+-----------------------+
| event                   | mate  | error                 |
+-------------------------+-------+-----------------------+
| plain                   | true  |                       |
| variations and comments | true  |                       |
| own start               | true  |                       |
| damage after the mate   | true  | unknown word: Nothing |
| damage before the mate  | false | illegal move: Qh4     |
| bad start               | false | bad FEN: 8/8/9/8 w    |
| Chess960                | false |                       |
| null move               | false |                       |
| no moves                | false |                       |
+-------------------------+-------+-----------------------+";
    assert_eq!(shown(&context, sql).await, expected);
}

#[tokio::test]
async fn conditions_are_pushed_into_the_scan() {
    let folder = tempfile::tempdir().unwrap();
    let context = session(&hostile_table(folder.path()));
    let plan = |sql: &'static str| {
        let context = &context;
        async move { shown(context, &format!("EXPLAIN FORMAT INDENT {sql}")).await }
    };
    let both = plan("SELECT white FROM games WHERE cql(moves, 'mate qh4') AND year = 2019").await;
    assert!(both.contains("cql=[mate qh4], guard=[mate, qh4]"), "{both}");
    assert!(both.contains("filter=") && !both.contains("FilterExec"), "{both}");
    let plain = plan("SELECT white FROM games WHERE year = 2019").await;
    assert!(plain.contains("FilterExec") && !plain.contains("guard"), "{plain}");
    let negated = plan("SELECT white FROM games WHERE NOT cql(moves, 'mate')").await;
    assert!(negated.contains("FilterExec") && !negated.contains("guard"), "{negated}");
    let limited = plan("SELECT white FROM games WHERE cql(moves, 'not check') LIMIT 2").await;
    assert!(limited.contains("guard=none") && limited.contains("limit=2"), "{limited}");
    let sql = "EXPLAIN ANALYZE SELECT white FROM games WHERE cql(moves, 'mate qh4')";
    let analyzed = shown(&context, sql).await;
    assert!(analyzed.contains("games_replayed=4"), "{analyzed}");
    assert!(analyzed.contains("games_damaged=3"), "{analyzed}");
}

#[tokio::test]
async fn other_conditions_hold_too() {
    let folder = tempfile::tempdir().unwrap();
    let context = session(&hostile_table(folder.path()));
    for (condition, games) in [
        ("cql(moves, 'mate') AND year = 2019", &[1, 2][..]),
        ("cql(moves, 'mate') AND year IS NULL AND event LIKE 'own%'", &[3]),
        ("cql(moves, 'mate') AND cql(moves, 'wtm check')", &[1, 4]),
        ("cql(moves, 'check') AND cql_count(moves, 'btm') > 2", &[2]),
        ("cql(g.moves, 'mate') AND g.white = 'Adams'", &[1]),
        ("cql(moves, 'mate') AND year > (SELECT min(plies) FROM games)", &[1, 2]),
        ("cql(moves, 'mate') AND NOT cql(moves, 'variation')", &[1, 2, 3, 4]),
        ("cql(moves, NULL)", &[]),
    ] {
        let sql = format!(
            "SELECT get_field(g.moves, 'number') AS number FROM games g WHERE {condition} ORDER BY 1"
        );
        assert_eq!(numbers(&context, &sql).await, games, "{condition}");
    }
    let sql = "SELECT count(*) FROM (SELECT moves AS m FROM games WHERE cql(moves, 'check') LIMIT 3) \
               WHERE cql(m, 'mate')";
    assert_eq!(number(&context, sql).await, 3);
    assert_eq!(number(&context, "SELECT count(*) FROM games").await, 9);
}

#[tokio::test]
async fn what_is_not_a_table_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, HOSTILE).unwrap();
    let error = BabsonTable::open(&path).unwrap_err().to_string();
    assert!(error.contains("not a game table") && error.contains("babson pack"), "{error}");
    let error = BabsonTable::open(folder.path().join("none.arrow")).unwrap_err().to_string();
    assert!(error.contains("none.arrow"), "{error}");
    let table = std::fs::read(hostile_table(folder.path())).unwrap();
    let error = BabsonTable::of_bytes("torn.arrow", &table[..table.len() / 2]).unwrap_err();
    assert!(error.to_string().contains("torn.arrow"), "{error}");
}

#[tokio::test]
async fn damage_of_a_table_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = std::fs::read(hostile_table(folder.path())).unwrap();
    let at = table.windows(7).position(|bytes| bytes == b"Nothing").unwrap();
    table[at] ^= 1;
    let context = session_of(BabsonTable::of_bytes("torn.arrow", table).unwrap());
    let error = error(&context, "SELECT count(*) FROM games WHERE cql(moves, 'check')").await;
    assert!(error.contains("torn.arrow") && error.contains("movetext"), "{error}");
    // What does not touch the damaged column is sound.
    assert_eq!(number(&context, "SELECT count(*) FROM games WHERE plies > 3").await, 3);
}

#[tokio::test]
async fn a_table_that_changes_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = hostile_table(folder.path());
    let context = session_of(BabsonTable::read(&path).unwrap());
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.push(0);
    std::fs::write(&path, bytes).unwrap();
    let error = error(&context, "SELECT count(*) FROM games WHERE cql(moves, 'check')").await;
    assert!(error.contains("changed"), "{error}");
}

#[tokio::test]
async fn columns_are_those_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let context = session(&hostile_table(folder.path()));
    let sql = "SELECT number, white, date, year, result, plies, get_field(moves, 'codes') AS codes FROM games \
               LIMIT 1";
    let row = shown(&context, sql).await;
    for part in ["Adams", "2019-05-06", "2019", "0-1", "[1357, "] {
        assert!(row.contains(part), "{part}: {row}");
    }
}
