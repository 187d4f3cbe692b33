//! All positions of some files that match a query, found on all cores:
//! `collect_fens QUERY FILE…`.

use babson::{Event, Query, Scan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [text, files @ ..] = words.as_slice() else {
        return Err("usage: collect_fens QUERY FILE…".into());
    };
    let query = Query::builder(text).name("QUERY").compile()?;
    let mut scan = Scan::open(files)?.query(&query).start()?;
    for event in scan.by_ref() {
        match event {
            Event::Match { hit, .. } => {
                hit.positions.iter().for_each(|position| println!("{}", position.fen));
            }
            Event::Damaged(game) => eprintln!("{game}"),
            Event::RuntimeError { game: Some(game), error, .. } => {
                eprintln!("game {game}: {error}")
            }
            Event::RuntimeError { error, .. } => eprintln!("{error}"),
            _ => {}
        }
    }
    let summary = scan.finish()?;
    eprintln!("{} of {} games", summary.queries[0].matches, summary.games);
    Ok(())
}
