//! The `babson` command: CQL queries on PGN databases, from the shell.
//!
//! ```text
//! words ── options ──> CommandLine ── config ──────────> SearchConfig ──┐
//! query files ── source ──> QuerySource ── query ──> babson::Query ── run ──> babson::Scan
//! ```
//!
//! A first word such as `check` or `position` selects a module of `commands`; otherwise `run`
//! searches. `console` prints progress and messages, `render` diagnostics.
//!
//! Begin to read with `run/mod.rs`; the table of commands and options is `options/table.rs`.

// A new variant must be thought of wherever its enum is matched.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod commands;
mod config;
mod console;
mod cookbook;
mod failure;
mod input_names;
mod limits;
mod operand;
mod options;
mod other_words;
mod output_name;
mod part_note;
mod plural;
mod project;
mod query;
mod query_folder;
mod query_list;
mod render;
mod run;
mod search_config;
mod shell_word;
mod show_name;
mod signals;
mod source;
mod standard_streams;
mod terminal;

use std::ffi::OsString;
use std::process::ExitCode;

use failure::Failure;
use options::{CommandId, CommandLine, CommandSpec, OptionId};

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    // A server lets its searches end, so it handles the signals itself.
    if words.first().is_none_or(|word| word != CommandSpec::of(CommandId::Serve).name) {
        signals::watch();
    }
    let done = execute(words);
    signals::report_cleanup_errors();
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            terminal::report_failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}

/// Does what the words after the name of the program ask for, and returns the exit code.
fn execute(words: Vec<OsString>) -> Result<u8, Failure> {
    if words.is_empty() {
        return terminal::print_text(&options::short_page(CommandSpec::of(CommandId::Search)));
    }
    if let Some(failure) = operand::misspelled_command(&words) {
        return Err(failure);
    }
    let line = CommandLine::read(words)?;
    if let Some(text) = options::information(&line) {
        return terminal::print_text(&text);
    }
    line.check_operands()?;
    project::check_import_folders(&line)?;
    if let Some(failure) = operand::misplaced(&line) {
        return Err(failure);
    }
    match run_command(&line) {
        Err(failure) if line.has(OptionId::ExitStatus) => {
            terminal::report_failure(&failure);
            Ok(failure.code_with_status())
        }
        result => result,
    }
}

/// Runs the command, and returns the exit code.
fn run_command(line: &CommandLine) -> Result<u8, Failure> {
    match line.command.id {
        CommandId::Search => run::run(line),
        CommandId::Check => commands::check(line),
        CommandId::Explain => commands::explain(line),
        CommandId::Why => commands::why(line),
        CommandId::Profile => commands::profile(line),
        CommandId::Plan => commands::plan(line),
        CommandId::Scan => commands::scan(line),
        CommandId::Merge => commands::merge(line),
        CommandId::Pack => commands::pack(line),
        CommandId::Serve => commands::serve(line),
        CommandId::Lsp => commands::lsp(line),
        CommandId::Fmt => commands::fmt(line),
        CommandId::Convert => commands::convert(line),
        CommandId::Position => commands::position(line),
        CommandId::Perft => commands::perft(line),
        CommandId::Completions => commands::completions(line),
        CommandId::Man => commands::man(line),
        CommandId::Cookbook => commands::cookbook(line),
        CommandId::Help => commands::help(line),
    }
}
