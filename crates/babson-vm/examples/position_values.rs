//! The value of a query at each matching position of the games of a file:
//! `position_values QUERY FILE`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "an example reads files and prints"
)]

use babson_vm::pgn::Games;
use babson_vm::{CompileOptions, Dialect, Machine, Program};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [text, file] = words.as_slice() else {
        return Err("usage: position_values QUERY FILE".into());
    };
    let options = CompileOptions { value: true, ..CompileOptions::default() };
    let mut machine = Machine::new(Program::parse_with(text, Dialect::CQLI, &options)?);
    for (_, game) in Games::new(&std::fs::read(file)?) {
        let Some(hit) = machine.run_text(game)? else { continue };
        for (position, value) in hit.row().positions.iter().zip(hit.values()) {
            println!("{} {} {value}", hit.number(), position.mv);
        }
    }
    Ok(())
}
