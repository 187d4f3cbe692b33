//! The commands beside the scan.

mod convert;
mod fmt;
mod perft;
mod position;
mod profile;
mod shell;

use babson_vm::Program;

use crate::failure::Failure;
use crate::options::{self, Id};
use crate::query::{self, QueryFile, Reading};
use crate::render::{self, Color};

pub(crate) use convert::{convert, convert_flags};
pub(crate) use fmt::fmt;
pub(crate) use perft::perft;
pub(crate) use position::position;
pub(crate) use profile::profile;
pub(crate) use shell::{completions, man};

/// The options and the other words of a command, with the default options that it takes.
fn command_line(
    name: &str,
    words: Vec<String>,
) -> Result<(Vec<options::Given>, Vec<String>), Failure> {
    let (mut given, others) = options::command_line(words, |id| options::Command::takes(name, id))?;
    given.retain(|option| option.id != Id::NoConfig);
    Ok((given, others))
}

/// What `check` and `explain` are told.
struct Wanted {
    queries: Vec<QueryFile>,
    reading: Reading,
    color: Color,
    given: Vec<options::Given>,
}

fn wanted(name: &str, words: &[String]) -> Result<Wanted, Failure> {
    let (given, files) = command_line(name, words.to_vec())?;
    let mut wanted = Wanted {
        queries: QueryFile::expand(&files)?,
        reading: Reading { variants: query::variant_names(&given)?, ..Reading::default() },
        color: Color::Auto,
        given,
    };
    for option in &wanted.given {
        if !wanted.reading.take(option)? && option.id == Id::Color {
            wanted.color = Color::parse(option.word()).map_err(Failure::Usage)?;
        }
    }
    if wanted.queries.is_empty() {
        if !wanted.given.iter().any(|option| option.id == Id::Cql) {
            return Err(Failure::Usage("which query? See babson --help".to_owned()));
        }
        wanted.queries.push(QueryFile { path: None });
    }
    Ok(wanted)
}

/// `babson check FILE…`: all diagnostics, and where the dialects differ if none was named; exit
/// code 1 if a query has an error.
pub(crate) fn check(words: &[String]) -> Result<u8, Failure> {
    let wanted = wanted("check", words)?;
    let mut failed = false;
    for file in &wanted.queries {
        let source = file.source(&wanted.given)?;
        let compiled = query::understand(&source, &wanted.reading).and_then(|understood| {
            Program::compile(&understood.query, understood.dialect)?;
            Ok([understood.warnings, understood.advice].concat())
        });
        failed |= compiled.is_err();
        let (Ok(diagnostics) | Err(diagnostics)) = compiled;
        render::print(&source, &diagnostics, wanted.color);
    }
    Ok(u8::from(failed))
}

/// `babson explain FILE [--json]`: the typed tree, what the optimizer did, the bytecode.
pub(crate) fn explain(words: &[String]) -> Result<u8, Failure> {
    let is_json = |word: &&String| word.trim_start_matches('-').eq_ignore_ascii_case("json");
    let is_option = |word: &&String| word.starts_with('-') && is_json(word);
    let json = words.iter().any(|word| is_option(&word));
    let rest: Vec<String> = words.iter().filter(|word| !is_option(word)).cloned().collect();
    let wanted = wanted("explain", &rest)?;
    for file in &wanted.queries {
        let source = file.source(&wanted.given)?;
        let compiled = query::understand(&source, &wanted.reading)
            .and_then(|understood| Program::compile(&understood.query, understood.dialect));
        let program = compiled.map_err(|diagnostics| {
            render::print(&source, &diagnostics, wanted.color);
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
            crate::console_text(&format!("{object}\n"))?;
        } else {
            crate::console_text(&program.explain())?;
        }
    }
    Ok(0)
}
