//! The games of a file that match a query: `search_games QUERY FILE`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "an example reads files and prints"
)]

use babson_vm::{Dialect, Machine, Program};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [text, file] = words.as_slice() else {
        return Err("usage: search_games QUERY FILE".into());
    };
    let program = Program::parse(text, Dialect::CQLI)?;
    let mut machine = Machine::new(program);
    for hit in machine.search(&std::fs::read(file)?) {
        let hit = hit?;
        println!("{} {}", hit.game, hit.positions[0].mv);
    }
    Ok(())
}
