//! The squares that the filters of a query find at a position, each set in its own color, here a
//! letter: `colored_squares QUERY FEN`.

use babson::chess::Square;
use babson::{Position, Query, Value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [text, fen] = words.as_slice() else {
        return Err("usage: colored_squares QUERY FEN".into());
    };
    let query = Query::builder(text).name("QUERY").compile()?;
    let position: Position = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
    let mut board = [['.'; 8]; 8];
    let mut colors = 'a'..='z';
    for entry in query.trace(&position)?.entries {
        let Some(Value::Set(set)) = entry.value else { continue };
        let color = colors.next().unwrap_or('?');
        println!("{color}: {}", entry.span.text(text));
        set.iter().for_each(|square: Square| {
            board[usize::from(square.rank())][usize::from(square.file())] = color;
        });
    }
    board.iter().rev().for_each(|rank| println!("{}", rank.iter().collect::<String>()));
    Ok(())
}
