//! The functions on games that are not in a table of Babson.

mod common;

use std::sync::Arc;

use babson_datafusion::register;
use common::*;
use datafusion::arrow::array::{ArrayRef, ListArray, RecordBatch};
use datafusion::arrow::datatypes::UInt16Type;
use datafusion::prelude::SessionContext;
use datafusion::scalar::ScalarValue;

fn plain_session() -> SessionContext {
    let context = SessionContext::new();
    register(&context);
    context
}

/// The value of an expression, as text.
async fn value(context: &SessionContext, expression: &str) -> String {
    first_value(context, &format!("{expression} AS value")).await
}

/// The first value of a row, as text.
async fn first_value(context: &SessionContext, selected: &str) -> String {
    let table = shown(context, &format!("SELECT {selected}")).await;
    let row = table.lines().nth(3).unwrap_or_default();
    row.trim_matches('|').trim().to_owned()
}

#[tokio::test]
async fn games_of_text() {
    let context = plain_session();
    for (expression, expected) in [
        ("cql('1. f3 e5 2. g4 Qh4# 0-1', 'mate')", "true"),
        ("cql('1. f3 e5', 'mate')", "false"),
        ("cql(NULL, 'mate')", ""),
        ("cql('1. f3 e5', NULL)", ""),
        ("cql_count('1. f3 e5 2. g4 Qh4# 0-1', 'btm')", "2"),
        ("cql_count('1. f3 e5', 'mate')", "0"),
        ("cql('[White \"Adams\"]\n\n1. f3', 'player \"Adams\"')", "true"),
        ("cql(arrow_cast('1. f3 e5 2. g4 Qh4#', 'Binary'), 'mate')", "true"),
        ("cql(arrow_cast('1. f3 e5 2. g4 Qh4#', 'LargeUtf8'), 'mate')", "true"),
        ("cql(arrow_cast('1. f3 e5 2. g4 Qh4#', 'Dictionary(Int32, Utf8)'), 'mate')", "true"),
        ("cql('1. a8=Q# 1-0', 'mate', '8/P7/8/8/8/8/8/k1K5 w - - 0 1')", "true"),
        ("cql('1. a8=Q# 1-0', 'mate', NULL)", "false"),
        (
            "cql('[FEN \"8/8/8/8/8/8/8/k1K5 w - -\"]\n\n1. a8=Q# 1-0', 'mate', '8/P7/8/8/8/8/8/k1K5 w')",
            "true",
        ),
        ("cql('1. a8=Q#', 'mate', 'x')", ""),
        ("cql_error('1. a8=Q#', 'mate', 'x')", "bad FEN: the board has 1 rank, not 8 (at byte 0)"),
        ("cql('1. e4 *\n\n[Event \"b\"]\n\n1. d4 *', 'check')", ""),
        (
            "cql_error('1. e4 *\n\n[Event \"b\"]\n\n1. d4 *', 'check')",
            "the text has more than one game",
        ),
        ("cql_error('', 'check')", "the text has no game"),
        ("cql_error('1. e4 e4', 'check')", "illegal move: e4"),
        ("cql_error('1. e4 e5', 'check')", ""),
    ] {
        assert_eq!(value(&context, expression).await, expected, "{expression}");
    }
}

#[tokio::test]
async fn games_of_codes() {
    let context = plain_session();
    let code = |[from, to, action]: [u16; 3]| Some(from | to << 6 | action << 12);
    let game = |moves: &[[u16; 3]]| Some(moves.iter().copied().map(code).collect::<Vec<_>>());
    // 1. f3 e5 2. g4 Qh4#
    let mate = [[13, 21, 0], [52, 36, 6], [14, 30, 6], [59, 31, 4]];
    let lists = vec![
        game(&mate),
        game(&mate[..3]),
        game(&[[13, 29, 0]]), // a double step with the code of a single one
        game(&[[0, 24, 3]]),  // a rook over a pawn
        None,
        game(&[]),
        Some(vec![None]),
    ];
    let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<UInt16Type, _, _>(lists));
    context
        .register_batch("lists", RecordBatch::try_from_iter([("moves", lists)]).unwrap())
        .unwrap();
    let sql = "SELECT cql(moves, 'mate') AS mate, cql_count(moves, 'true') AS positions, \
               cql_error(moves, 'mate') AS error FROM lists";
    let expected = "\
+-------+-----------+-------------------------------------+
| mate  | positions | error                               |
+-------+-----------+-------------------------------------+
| true  | 5         |                                     |
| false | 4         |                                     |
|       |           | move 1 of the game cannot be played |
|       |           | move 1 of the game cannot be played |
|       |           |                                     |
| false | 1         |                                     |
|       |           | a move of the list is null          |
+-------+-----------+-------------------------------------+";
    assert_eq!(shown(&context, sql).await, expected);
    // The codes do not tell that the last position is a check.
    let sql = "SELECT count(*) FROM lists WHERE cql(moves, 'check')";
    assert_eq!(number(&context, sql).await, 1);
    // 1. f3 is not a move of the game after it.
    let start = "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq -";
    let sql = format!("SELECT cql_error(moves, 'mate', '{start}') FROM lists LIMIT 1");
    assert!(shown(&context, &sql).await.contains("move 1 of the game cannot be played"));
    let sql = "SELECT cql_count(arrow_cast(moves, 'LargeList(Int64)'), 'true') FROM lists LIMIT 1";
    assert_eq!(number(&context, sql).await, 5);
}

#[tokio::test]
async fn values_have_the_type_of_the_query() {
    let context = plain_session();
    let game = "'[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1'";
    for (query, expected) in [
        ("mate #P", "8"),
        ("check ply", "4"),
        ("mate k", "e8"),
        ("player white", "Adams"),
        ("mate", "true"),
        ("stalemate #P", ""),
    ] {
        let expression = format!("cql_value({game}, '{query}')");
        assert_eq!(value(&context, &expression).await, expected, "{query}");
    }
    let sql = format!("SELECT sum(cql_value({game}, 'mate #P') + 1)");
    assert_eq!(number(&context, &sql).await, 9);
}

#[tokio::test]
async fn a_wrong_query_is_an_error_of_the_plan() {
    let context = plain_session();
    let message = match context.sql("SELECT cql('1. e4', 'check\nmat')").await {
        Ok(_) => panic!("no error"),
        Err(error) => error.to_string(),
    };
    for part in [
        "the query of cql is wrong",
        "E0201",
        "unknown name `mat`",
        "query:2:1",
        "^^^",
        "did you mean `mate`?",
    ] {
        assert!(message.contains(part), "{part:?} is not in\n{message}");
    }
    let games = "(VALUES ('1. e4', 'mate'), ('1. d4', 'check')) AS t(game, query)";
    for (sql, part) in [
        ("SELECT cql('1. e4', 'cql(dialect cql9) mate')".to_owned(), "`cql9` is not a dialect"),
        (format!("SELECT cql(game, query) FROM {games}"), "must be a constant text"),
        ("SELECT cql('1. e4')".to_owned(), "takes games and a query"),
        ("SELECT cql(7, 'mate')".to_owned(), "the first argument of cql must be games"),
        (
            "SELECT cql('1. e4', 7)".to_owned(),
            "the second argument of cql must be the text of a query",
        ),
        ("SELECT cql('1. e4', 'mate', 7)".to_owned(), "the third argument of cql must be a FEN"),
        (
            "SELECT cql('1. e4', 'persistent $n += 1 $n < 4')".to_owned(),
            "needs the games in their order",
        ),
        (
            "SELECT cql('1. e4', 'gamenumber == lastgamenumber')".to_owned(),
            "number of the last game",
        ),
        ("SELECT cql('1. e4', 'gamenumber == 1')".to_owned(), "number of the game"),
        ("SELECT cql('1. e4', 'cql(gamenumber 1 2) true')".to_owned(), "number of the game"),
        ("SELECT cql('1. e4', 'assert mate')".to_owned(), "cql with the query `assert mate`"),
        ("SELECT cql('1. e4', 'hhdb mainline')".to_owned(), "needs variations"),
    ] {
        let message = error(&context, &sql).await;
        assert!(message.contains(part), "{part:?} is not in\n{message}\n{sql}");
    }
    let folder = tempfile::tempdir().unwrap();
    let context = session(&hostile_table(folder.path()));
    let message = error(&context, "SELECT cql(moves, 'mate', '8/8/8/8/8/8/8/8') FROM games").await;
    assert!(message.contains("have their own starts"), "{message}");
}

#[tokio::test]
async fn a_query_may_be_a_parameter() {
    let folder = tempfile::tempdir().unwrap();
    let context = session(&hostile_table(folder.path()));
    let frame = context.sql("SELECT count(*) FROM games WHERE cql(moves, $1)").await.unwrap();
    let mate = ScalarValue::from("mate");
    let frame = frame.with_param_values(vec![mate]).unwrap();
    let plan = frame.clone().create_physical_plan().await.unwrap();
    let plan = datafusion::physical_plan::displayable(&*plan).indent(false).to_string();
    assert!(plan.contains("guard=[mate]"), "{plan}");
    let batches = frame.collect().await.unwrap();
    let count = ScalarValue::try_from_array(batches[0].column(0), 0).unwrap();
    assert_eq!(count, ScalarValue::from(4_i64));
}

#[tokio::test]
async fn an_error_of_the_query_in_a_game_is_told() {
    let context = plain_session();
    let query = "if check x = 1 x == 1";
    for (expression, expected) in [
        (format!("cql_error('1. e4', '{query}')"), "the variable x is unbound"),
        (format!("cql('1. e4', '{query}')"), ""),
        (format!("cql_count('1. e4', '{query}')"), ""),
        // A game with an error does not end the others.
        (format!("count(*) FROM (VALUES ('1. e4')) AS t(g) WHERE cql(g, '{query}') IS NULL"), "1"),
        (format!("cql('1. e4', '{query} or true')"), ""),
        ("cql('1. e4', 'if check x = 1 true')".to_owned(), "true"),
    ] {
        assert_eq!(first_value(&context, &expression).await, expected, "{expression}");
    }
}
