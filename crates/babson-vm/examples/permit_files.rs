//! A query that reads files, but only those that are permitted:
//! `permit_files QUERY FEN FILE…`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "an example reads files and prints"
)]

use std::io;
use std::sync::Arc;

use babson_vm::{Dialect, Host, HostError, Machine, Position, Program, RunOptions};

/// Reads the files of these names, and refuses everything else.
#[derive(Debug)]
struct Permitted(Vec<String>);

impl Host for Permitted {
    fn read_file(&self, name: &str, limit: usize) -> Result<Vec<u8>, HostError> {
        if !self.0.iter().any(|permitted| permitted == name) {
            return Err(HostError::Refused);
        }
        let text = std::fs::read(name)?;
        match text.len() > limit {
            true => Err(io::Error::from(io::ErrorKind::FileTooLarge).into()),
            false => Ok(text),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [text, fen, files @ ..] = words.as_slice() else {
        return Err("usage: permit_files QUERY FEN FILE…".into());
    };
    let board: Position = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
    let host = Arc::new(Permitted(files.to_vec()));
    let mut options = RunOptions::in_dialect(Dialect::CQLI);
    options.host = host;
    let mut machine = Machine::with_options(Program::parse(text, Dialect::CQLI)?, options);
    println!("{}", if machine.matches(&board)? { "yes" } else { "no" });
    Ok(())
}
