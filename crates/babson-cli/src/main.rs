//! The `babson` command: CQL queries on PGN databases, from the shell.
//!
//! ```text
//! words ── options ──> ParsedOption ── search_config ──> SearchConfig ──┐
//! query files ── source ──> QuerySource ── query ──> TypedQuery ── run ──> babson_engine::scan
//! ```
//!
//! A first word such as `check` or `position` selects a module of `commands`; otherwise `run`
//! searches. `console` prints progress and messages, `render` diagnostics.
//!
//! Begin to read with `run/mod.rs`; the table of options is `options/table.rs`.

// A new variant must be thought of wherever its enum is matched.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod commands;
mod console;
mod failure;
mod limits;
mod options;
mod output_name;
mod query;
mod render;
mod run;
mod search_config;
mod signals;
mod source;
mod terminal;

use std::process::ExitCode;

use failure::Failure;

/// Names of commands that do not exist yet.
const PLANNED: [&str; 5] = ["index", "plan", "scan", "merge", "repl"];

fn main() -> ExitCode {
    // File names may be other than UTF-8; options are UTF-8.
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(text) = options::command_help(&words) {
        return end(terminal::print_text(&text));
    }
    signals::watch();
    let result = match words.first().map(String::as_str) {
        None => terminal::print_text(&options::help()),
        Some("check") => commands::check(&words[1..]),
        Some("explain") => commands::explain(&words[1..]),
        Some("profile") => commands::profile(&words[1..]),
        Some("fmt") => commands::fmt(&words[1..]),
        Some("convert") => commands::convert(&words[1..]),
        Some("position") => commands::position(&words[1..]),
        Some("completions") => commands::completions(&words[1..]),
        Some("man") => commands::man(&words[1..]),
        Some("perft") => commands::perft(&words[1..]),
        Some("help") => match options::help_command(&words[1..]) {
            Ok(text) => terminal::print_text(&text),
            Err(why) => Err(Failure::Usage(why)),
        },
        Some(word) if PLANNED.contains(&word) => {
            Err(Failure::Usage(format!("not supported yet: babson {word}")))
        }
        Some(word) => match query::misspelled_command(word) {
            Some(failure) => Err(failure),
            None => run::run(words),
        },
    };
    end(result)
}

/// The exit code of a result. Reports a failure on standard error.
fn end(result: Result<u8, Failure>) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            terminal::report_failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}
