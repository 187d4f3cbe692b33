//! Whether a query matches at positions: `match_positions QUERY FEN…`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "an example reads its arguments and prints"
)]

use babson_vm::{Dialect, Machine, Position, Program};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [text, fens @ ..] = words.as_slice() else {
        return Err("usage: match_positions QUERY FEN…".into());
    };
    let mut machine = Machine::new(Program::parse(text, Dialect::CQLI)?);
    for fen in fens {
        let board: Position = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
        println!("{}", if machine.matches(&board)? { "yes" } else { "no" });
    }
    Ok(())
}
