//! A filter on a stream of games: reads PGN from standard input and writes each match as a line of
//! JSON as soon as the next game begins: `live_filter QUERY`.

use std::io::{ErrorKind, Write};

use babson::{Event, Query};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).ok_or("usage: live_filter QUERY")?;
    let query = Query::builder(text).name("QUERY").compile()?;
    let mut out = std::io::stdout().lock();
    for event in query.search(std::io::stdin().lock()).name("stdin").events() {
        match event? {
            Event::Match { hit, .. } => {
                let line = serde_json::to_string(&hit)? + "\n";
                match out.write_all(line.as_bytes()).and_then(|()| out.flush()) {
                    // Whoever reads the matches has enough of them, as `head` does.
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
                    written => written?,
                }
            }
            Event::Damaged(game) => eprintln!("{game}"),
            Event::RuntimeError { game: Some(game), error, .. } => {
                eprintln!("game {game}: {error}")
            }
            Event::RuntimeError { error, .. } => eprintln!("{error}"),
            _ => {}
        }
    }
    Ok(())
}
