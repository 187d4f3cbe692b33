//! The code on the page of the book, docs/src/datafusion.md.

use std::error::Error;
use std::sync::Arc;

use babson::scan::{Settings, Silent};
use babson::table::{Compression, pack};
use babson_datafusion::{BabsonTable, register};
use datafusion::prelude::SessionContext;

const GAMES: &str = "[Date \"2019.05.06\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Date \"2019.??.??\"]\n\n\
                     1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n[Date \"2020.01.01\"]\n\n1. d4 *\n";

#[tokio::test]
async fn the_code_of_the_page_runs() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let table = folder.path().join("games.arrow");
    let inputs = [babson::Input::bytes("games.pgn", GAMES.as_bytes())];
    pack(&inputs, &table, Compression::None, &Settings::default(), &mut Silent)?;
    let context = SessionContext::new();
    register(&context);
    context.register_table("games", Arc::new(BabsonTable::open(&table)?))?;
    let sql = "SELECT year, avg(cql_count(moves, 'check')) AS checks
               FROM games WHERE cql(moves, 'mate') GROUP BY 1";
    let batches = context.sql(sql).await?.collect().await?;
    datafusion::assert_batches_eq!(
        [
            "+------+--------+",
            "| year | checks |",
            "+------+--------+",
            "| 2019 | 1.0    |",
            "+------+--------+",
        ],
        &batches
    );
    Ok(())
}

#[test]
fn the_page_has_this_code() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let pages = std::path::Path::new(root).join("docs/src");
    let page = std::fs::read_to_string(pages.join("datafusion").with_extension("md")).unwrap();
    let code = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let own = include_str!("page.rs");
    let mut lines = 0;
    for line in code.lines().map(str::trim).filter(|line| !line.is_empty()) {
        assert!(own.lines().any(|own| own.trim() == line), "not tested: {line}");
        lines += 1;
    }
    assert!(lines > 15, "{code}");
}
