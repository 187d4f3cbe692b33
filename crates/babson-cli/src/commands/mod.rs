//! The commands other than the search.

mod convert;
mod fmt;
mod perft;
mod position;
mod profile;
mod shell;

use crate::failure::Failure;
use crate::options::{self, OptionId};
use crate::query::{self, QueryFile, ReadingOptions};
use crate::render::{self, ColorChoice};
use crate::terminal;

pub(crate) use convert::{convert, convert_flags};
pub(crate) use fmt::fmt;
pub(crate) use perft::perft;
pub(crate) use position::position;
pub(crate) use profile::profile;
pub(crate) use shell::{completions, man};

/// The options and the other words of a command, including the default options for it.
fn command_line(
    name: &str,
    words: Vec<String>,
) -> Result<(Vec<options::ParsedOption>, Vec<String>), Failure> {
    let (mut options, others) =
        options::command_line(words, |id| options::Command::takes(name, id))?;
    options.retain(|option| option.id != OptionId::NoConfig);
    Ok((options, others))
}

/// The error for an option of the search that the command does not have.
fn unknown_option(command: &str, option: &options::ParsedOption) -> Failure {
    Failure::Usage(format!("babson {command} has no option --{}", option.name))
}

/// The configuration of `check` and `explain`.
struct QueryConfig {
    queries: Vec<QueryFile>,
    reading: ReadingOptions,
    color: ColorChoice,
    options: Vec<options::ParsedOption>,
}

fn query_config(name: &str, words: &[String]) -> Result<QueryConfig, Failure> {
    let (options, files) = command_line(name, words.to_vec())?;
    let mut config = QueryConfig {
        queries: QueryFile::expand(&files)?,
        reading: ReadingOptions {
            variants: query::variant_names(&options)?,
            ..ReadingOptions::default()
        },
        color: ColorChoice::Auto,
        options,
    };
    for option in &config.options {
        if !config.reading.take(option)? && option.id == OptionId::Color {
            config.color = ColorChoice::parse(option.word()).map_err(Failure::Usage)?;
        }
    }
    if config.queries.is_empty() {
        if !config.options.iter().any(|option| option.id == OptionId::Cql) {
            return Err(Failure::Usage("which query? See babson --help".to_owned()));
        }
        config.queries.push(QueryFile { path: None });
    }
    Ok(config)
}

/// `babson check FILE…`: prints all diagnostics, and where the dialects differ if none was named.
/// The exit code is 1 if a query has an error.
pub(crate) fn check(words: &[String]) -> Result<u8, Failure> {
    let config = query_config("check", words)?;
    let mut failed = false;
    for file in &config.queries {
        let source = file.source(&config.options)?;
        let compiled = query::analyze(&source, &config.reading).and_then(|understood| {
            query::compile(&understood, &config.reading)?;
            Ok([understood.warnings, understood.advice].concat())
        });
        failed |= compiled.is_err();
        let (Ok(diagnostics) | Err(diagnostics)) = compiled;
        render::print(&source, &diagnostics, config.color);
    }
    Ok(u8::from(failed))
}

/// `babson explain FILE [--json]`: prints the typed tree, the optimizer's steps and the bytecode.
pub(crate) fn explain(words: &[String]) -> Result<u8, Failure> {
    let is_json = |word: &&String| word.trim_start_matches('-').eq_ignore_ascii_case("json");
    let is_option = |word: &&String| word.starts_with('-') && is_json(word);
    let json = words.iter().any(|word| is_option(&word));
    let rest: Vec<String> = words.iter().filter(|word| !is_option(word)).cloned().collect();
    let config = query_config("explain", &rest)?;
    for file in &config.queries {
        let source = file.source(&config.options)?;
        let compiled = query::analyze(&source, &config.reading)
            .and_then(|understood| query::compile(&understood, &config.reading));
        let program = compiled.map_err(|diagnostics| {
            render::print(&source, &diagnostics, config.color);
            Failure::Query
        })?;
        if json {
            let parts = program.explanation();
            let needs = parts.needs;
            let object = serde_json::json!({
                "query": source.name(),
                "typed": parts.typed,
                "optimizer": parts.optimizer,
                "threads": parts.threads,
                "needs": {
                    "moves": needs.moves,
                    "variations": needs.variations,
                    "comments": needs.comments,
                    "piece_ids": needs.piece_ids,
                },
                "registers": parts.registers,
                "bytecode": parts.bytecode,
            });
            terminal::print_text(&format!("{object}\n"))?;
        } else {
            terminal::print_text(&program.explain())?;
        }
    }
    Ok(0)
}
