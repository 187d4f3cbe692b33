//! The value of a query at a position: `match_fen QUERY FEN`.

use babson::Query;
use babson::chess::fen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [text, fen] = words.as_slice() else { return Err("usage: match_fen QUERY FEN".into()) };
    let query = Query::builder(text).name("QUERY").compile()?;
    let (position, rules) = fen::parse(fen).map_err(|error| format!("{fen}: {error}"))?;
    println!("{}", query.matcher().evaluate(&position, &rules)?);
    Ok(())
}
