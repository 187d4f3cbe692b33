//! A sink of one's own: `sqlite_sink QUERY INPUT DATABASE` writes matches to a table of SQLite.
use babson::sink::{Outputs, SinkReport};
use babson::{Match, Query, Scan, Sink, SinkResult};
use rusqlite::{Connection, params};

struct SqliteSink(Connection);

impl Sink for SqliteSink {
    fn name(&self) -> String {
        "the table `matches`".to_owned()
    }

    fn write(&mut self, hit: &Match) -> SinkResult {
        let mut row = self.0.prepare_cached("INSERT INTO matches VALUES (?, ?, ?)")?;
        let mut positions = hit.positions.iter();
        Ok(positions.try_for_each(|p| row.execute(params![hit.game, p.ply, p.fen]).map(drop))?)
    }

    fn finish(self: Box<Self>, _: &mut Outputs, _: u64) -> SinkResult<SinkReport> {
        Ok(self.0.execute_batch("COMMIT").map(|()| SinkReport::default())?)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, query, input, file] = &words[..] else { return Err("three words".into()) };
    let table = Connection::open(file)?;
    table.execute_batch("BEGIN; CREATE TABLE matches (game INT, ply INT, fen TEXT)")?;
    Scan::open([input])?.query(&Query::compile(query)?).sink(SqliteSink(table)).run()?;
    Ok(())
}
