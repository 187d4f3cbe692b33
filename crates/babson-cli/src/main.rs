//! The `babson` command: CQL queries on PGN databases, from the shell.

mod commands;
mod compose;
mod console;
mod failure;
mod limits;
mod options;
mod query;
mod render;
mod run;
mod signals;
mod terminal;

use std::io::Write;
use std::process::ExitCode;

use failure::Failure;

/// Words before the options that are commands of their own, built in later issues.
const LATER: [&str; 5] = ["index", "plan", "scan", "merge", "repl"];

fn main() -> ExitCode {
    // Names of files may be no UTF-8; options are.
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(text) = options::command_help(&words) {
        return end(console_text(&text));
    }
    signals::watch();
    let result = match words.first().map(String::as_str) {
        None => console_text(&options::help()),
        Some("check") => commands::check(&words[1..]),
        Some("explain") => commands::explain(&words[1..]),
        Some("profile") => commands::profile(&words[1..]),
        Some("fmt") => commands::fmt(&words[1..]),
        Some("convert") => commands::convert(&words[1..]),
        Some("position") => commands::position(&words[1..]),
        Some("completions") => commands::completions(&words[1..]),
        Some("man") => commands::man(&words[1..]),
        Some("perft") => commands::perft(&words[1..]),
        Some(word) if LATER.contains(&word) => {
            Err(Failure::Usage(format!("not supported yet: babson {word}")))
        }
        Some(_) => run::run(words),
    };
    end(result)
}

/// The exit code, and on standard error what there is to say about it.
fn end(result: Result<u8, Failure>) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            tell(&failure);
            ExitCode::from(failure.code())
        }
    }
}

/// Says on standard error why the command ends.
fn tell(failure: &Failure) {
    if let Some(message) = failure.message() {
        terminal::error_line(&format!("babson: {message}"));
    }
}

/// Prints text on standard output.
fn console_text(text: &str) -> Result<u8, Failure> {
    console_bytes(&terminal::for_stdout(text.as_bytes()))
}

/// Prints text on standard output just as it is.
fn console_bytes(text: &[u8]) -> Result<u8, Failure> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text).and_then(|()| stdout.flush()).map_err(Failure::console)?;
    Ok(0)
}
