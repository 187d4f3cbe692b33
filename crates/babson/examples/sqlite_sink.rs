//! A sink of one's own: `sqlite_sink QUERY INPUT DATABASE` writes matches to a table of SQLite.
use std::ops::ControlFlow;

use babson::sink::{SinkTotals, Unpublished};
use babson::{Match, Query, Scan, Sink, SinkResult, Task};
use rusqlite::{Connection, params};

struct SqliteSink(Connection);

impl Sink for SqliteSink {
    fn name(&self) -> String {
        "the table `matches`".to_owned()
    }

    fn write(&mut self, hit: &Match) -> SinkResult<ControlFlow<()>> {
        let mut row = self.0.prepare_cached("INSERT INTO matches VALUES (?, ?, ?)")?;
        for position in &hit.positions {
            row.execute(params![hit.game, position.ply, position.fen])?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(self: Box<Self>, _: &mut Unpublished, _: u64) -> SinkResult<SinkTotals> {
        Ok(self.0.execute_batch("COMMIT").map(|()| SinkTotals::default())?)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, query, input, file] = &words[..] else { return Err("three words".into()) };
    let table = Connection::open(file)?;
    table.execute_batch("BEGIN; CREATE TABLE matches (game INT, ply INT, fen TEXT)")?;
    let task = Task::new(&Query::compile(query)?).sink(SqliteSink(table));
    Scan::open([input])?.task(task).run()?;
    Ok(())
}
