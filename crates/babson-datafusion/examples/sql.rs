//! Runs a statement of SQL on a game table, which has the name `games`, as
//! `SELECT count(*) FROM games WHERE cql(moves, 'mate')`. The arguments are the table and the
//! statement.

use std::env;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use babson_datafusion::{BabsonTable, register};
use datafusion::prelude::SessionContext;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [table, sql] = &words[..] else {
        return Err("usage: sql TABLE STATEMENT".into());
    };
    let context = SessionContext::new();
    register(&context);
    context.register_table("games", Arc::new(BabsonTable::open(table)?))?;
    let began = Instant::now();
    context.sql(sql).await?.show().await?;
    eprintln!("{:.3} seconds", began.elapsed().as_secs_f64());
    Ok(())
}
