//! What the tests share: tables, sessions and answers.

// Each test uses a part of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson::scan::{Settings, Silent};
use babson::table::{Compression, pack};
use babson::{Event, Input, Query, Scan, Task};
use babson_datafusion::{BabsonTable, register};
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Int64Type, UInt64Type};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};

/// Games of all kinds besides the corpus: each is here for a reason.
pub const HOSTILE: &str = r#"[Event "plain"]
[White "Adams"]
[Date "2019.05.06"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "variations and comments"]
[Date "2019.??.??"]

1. e4 {best} e5 (1... f6 2. d4 g5 3. Qh5#) 2. Qh5 Ke7 $4 3. Qxe5# 1-0

[Event "own start"]
[SetUp "1"]
[FEN "8/P7/8/8/8/8/8/k1K5 w - - 0 1"]

1. a8=Q# 1-0

[Event "damage after the mate"]

1. f3 e5 2. g4 Qh4# 3. Nothing 0-1

[Event "damage before the mate"]

1. f3 e5 2. g9 Qh4# 0-1

[Event "bad start"]
[FEN "8/8/9/8 w"]

1. e4 e5 *

[Event "Chess960"]
[Variant "Chess960"]
[FEN "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1"]

1. O-O O-O 1/2-1/2

[Event "null move"]

1. e4 -- 2. Qh5 *

[Event "no moves"]

*
"#;

/// The folder of the games of the corpus.
pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games")
}

/// Packs inputs into a table.
pub fn packed(folder: &Path, inputs: &[Input]) -> PathBuf {
    let path = folder.join("games.arrow");
    pack(inputs, &path, Compression::None, &Settings::default(), &mut Silent).unwrap();
    path
}

/// A table of the hostile games.
pub fn hostile_table(folder: &Path) -> PathBuf {
    packed(folder, &[Input::bytes("hostile.pgn", HOSTILE.as_bytes())])
}

/// A session with the functions and the table `games`.
pub fn session(table: &Path) -> SessionContext {
    session_of(BabsonTable::open(table).unwrap())
}

/// A session with the functions and this table as `games`.
pub fn session_of(table: BabsonTable) -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(3).with_batch_size(1000);
    let context = SessionContext::new_with_config(config);
    register(&context);
    context.register_table("games", Arc::new(table)).unwrap();
    context
}

/// The batches that a statement gives.
pub async fn batches(context: &SessionContext, sql: &str) -> Result<Vec<RecordBatch>> {
    context.sql(sql).await?.collect().await
}

/// The table that a statement gives.
pub async fn shown(context: &SessionContext, sql: &str) -> String {
    let batches = batches(context, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    pretty_format_batches(&batches).unwrap().to_string()
}

/// The message of the error of a statement.
pub async fn error(context: &SessionContext, sql: &str) -> String {
    match batches(context, sql).await {
        Ok(_) => panic!("no error: {sql}"),
        Err(error) => error.to_string(),
    }
}

/// The first number of the first row; 0 if it is null.
pub async fn number(context: &SessionContext, sql: &str) -> i64 {
    let batches = batches(context, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let batch = batches.iter().find(|batch| batch.num_rows() > 0).unwrap();
    let column = batch.column(0).as_primitive::<Int64Type>();
    if column.is_null(0) { 0 } else { column.value(0) }
}

/// All numbers of a column of unsigned numbers.
pub async fn numbers(context: &SessionContext, sql: &str) -> Vec<u64> {
    let batches = batches(context, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let columns = batches.iter().map(|batch| batch.column(0).as_primitive::<UInt64Type>());
    columns.flat_map(|column| column.values().to_vec()).collect()
}

/// What a search of the table finds: the numbers of the matching games, and the number of matching
/// positions. It is what the command counts.
pub fn found(table: &Path, query: &str) -> (Vec<u64>, u64) {
    let query = Query::compile(query).unwrap();
    let mut games = Vec::new();
    let summary = Scan::open([table])
        .unwrap()
        .task(Task::new(&query))
        .observe(&mut |event| {
            if let Event::Match { hit, .. } = event {
                games.push(hit.game);
            }
            Ok(std::ops::ControlFlow::Continue(()))
        })
        .unwrap();
    assert!(summary.queries[0].stopped.is_none());
    (games, summary.queries[0].positions)
}
