//! The search: runs one query or several on databases.

mod gui;
mod many;
pub(crate) mod name_hints;
mod nonmatching;
mod one;
pub(crate) mod outputs;
mod several;
mod show;
pub(crate) mod summary;

use babson::compile::FileName;
use babson::scan::Settings;
use babson::sink::{FileSink, Unpublished};
use babson::slices::{KeptParts, ResumedScan, SliceResult};
use babson::{Diagnostic, Dialect, Error, Input, Query, Scan, Summary, Task};
use std::io::Write;
use std::path::PathBuf;

use crate::commands;
use crate::config::SearchConfig;
use crate::console::Console;
use crate::failure::{BrokenInputAdvice, Failure};
use crate::options::CommandLine;
use crate::query::{self, QueryFile};
use crate::render;
use crate::show_name::ShowName as _;
use crate::signals;
use crate::source::QuerySource;
use crate::terminal;
use nonmatching::Nonmatching;

/// Runs a search and returns the exit code.
pub(crate) fn run(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    if let Some(done) = commands::convert_flags(&config) {
        return done;
    }
    let queries = QueryFile::of_words(&line.operands, &config.run.reading)?;
    let several = QueryFile::are_several(&queries, line);
    search(config, &queries, several)
}

/// Runs a search with this query and the options of the command line, and returns the exit code.
pub(crate) fn run_query(line: &CommandLine, query: QueryFile) -> Result<u8, Failure> {
    search(line.config()?, &[query], false)
}

/// Prints the queries or searches with them, as the options say.
fn search(config: SearchConfig, queries: &[QueryFile], several: bool) -> Result<u8, Failure> {
    if let Some(show) = config.run.show {
        let mut failed = false;
        for file in queries {
            failed |= show::query(&file.source(&config.run.reading)?, &config, show)? != 0;
        }
        return Ok(config.exit_code(failed, true));
    }
    let config = match counts_by_default(&config, queries) {
        true => config.counting(),
        false => config,
    };
    let work = match &config.inputs.resume {
        Some(folder) => Work::Resume(folder.clone()),
        None => Work::Search,
    };
    run_queries(&config, queries, several, work)
}

/// Whether the games are only counted because nothing names an output. A query file names one, as
/// its own name does, and CQL 6.2 writes `cqldefault-out.pgn`.
fn counts_by_default(config: &SearchConfig, queries: &[QueryFile]) -> bool {
    let SearchConfig { outputs, run, .. } = config;
    let is_named = |query: &QueryFile| query.path.is_some() && !query.is_stdin();
    let has_output = !outputs.names.is_empty() || !outputs.appends.is_empty();
    let is_cql6 = outputs.cql6_output || run.reading.dialect() == Dialect::CQL6;
    let is_asked = outputs.format.is_some() || run.console.gui || outputs.gui_stdout;
    let is_asked = is_asked || outputs.files.dry_run || outputs.groups.is_some();
    !outputs.counts() && !has_output && !is_cql6 && !is_asked && !queries.iter().any(is_named)
}

/// Where the results come from.
pub(crate) enum Work {
    /// From a search of the inputs.
    Search,
    /// From a search that keeps the parts of finished slices in this folder.
    Resume(PathBuf),
    /// From the results of all slices.
    Merge(Vec<SliceResult>),
}

/// What a run gives, whose outputs are to be completed.
struct RunResult {
    summary: Summary,
    outputs: Unpublished,
    /// Parts that are not needed when the outputs are complete.
    parts: Option<KeptParts>,
}

impl RunResult {
    /// Completes the outputs.
    fn complete(self) -> Result<Summary, Error> {
        self.outputs.publish()?;
        if let Some(parts) = self.parts {
            parts.remove();
        }
        Ok(self.summary)
    }
}

impl Work {
    /// Whether the files that the headers of several queries name are read and written: not in a
    /// merge, since parts may come from somebody else.
    fn heeds_headers(&self) -> bool {
        match self {
            Work::Search | Work::Resume(_) => true,
            Work::Merge(_) => false,
        }
    }

    /// The inputs that are searched. `header` gives the one that the headers of the queries name.
    fn inputs<'h>(
        &self,
        config: &SearchConfig,
        header: impl FnOnce() -> Result<Option<&'h FileName>, Failure>,
        queries: &[QueryFile],
    ) -> Result<Vec<Input>, Failure> {
        match self {
            Work::Search | Work::Resume(_) => config.open_inputs(header()?, true, queries),
            Work::Merge(_) => Ok(Vec::new()),
        }
    }

    /// Does the work on these inputs.
    fn run(
        self,
        scan: Scan,
        inputs: &[Input],
        console: &mut Console<'_>,
    ) -> Result<RunResult, Failure> {
        let (summary, outputs) = match self {
            Work::Search => {
                scan.run_unpublished(console).map_err(|error| console.failure(error))?
            }
            Work::Resume(folder) => {
                signals::record_kept(&folder);
                let resumed = scan.resume(&folder, console);
                let ResumedScan { summary, outputs, parts, .. } = resumed.map_err(|error| {
                    if let Error::Stopped { stopped, .. } = error {
                        // The games of a slice count only when all of it is searched.
                        return Failure::Run(format!(
                            "{stopped}: no output is written; the same command goes on with what \
                             {} keeps",
                            folder.shown()
                        ));
                    }
                    match console.has_searched() || console.has_told(&error) {
                        true => console.failure(error),
                        false => Failure::of_broken_input(error, inputs, 0, &RESUME_ADVICE),
                    }
                })?;
                return Ok(RunResult { summary, outputs, parts: Some(parts) });
            }
            Work::Merge(results) => {
                let names = results.iter().map(|result| PathBuf::from(result.name()));
                let roles: Vec<_> = names
                    .map(|path| (path.clone(), format!("the part {}", path.shown())))
                    .collect();
                let scan = scan.settings(|settings| settings.other_files.extend(roles));
                scan.merge_unpublished(results, console)?
            }
        };
        Ok(RunResult { summary, outputs, parts: None })
    }
}

/// The message about a broken input of `--resume`.
const RESUME_ADVICE: BrokenInputAdvice = BrokenInputAdvice {
    lost: "nothing was searched",
    needs: "--resume",
    help: "without --resume what can be read is searched",
};

/// Runs the queries and returns the exit code. `several` tells whether the outputs have the
/// form for several queries, even if there is one.
pub(crate) fn run_queries(
    config: &SearchConfig,
    queries: &[QueryFile],
    several: bool,
    work: Work,
) -> Result<u8, Failure> {
    match queries {
        [query] if !several && (query.path.is_none() || !config.outputs.overlay) => {
            several::check_overlaid_query(config, query)?;
            one::search(config, query, work)
        }
        queries => many::search(config, queries, work),
    }
}

/// Compiles a query with this title. Its errors are printed.
pub(crate) fn compile_or_report(
    source: &QuerySource,
    title: String,
    config: &SearchConfig,
) -> Result<Query, Failure> {
    compile(source, title, config).map_err(|diagnostics| {
        render::print(source, &diagnostics, config.run.reading.color);
        Failure::Query
    })
}

/// Compiles a query of several. One that cannot be read or has an error does not stop the others:
/// its errors are printed, and the first one is returned.
pub(crate) fn compile_one_of_several<'s>(
    source: &'s Result<QuerySource, Failure>,
    title: String,
    config: &SearchConfig,
) -> Result<(&'s QuerySource, Query), String> {
    let source = source.as_ref().map_err(|failure| {
        let message = failure.message().unwrap_or("cannot be read").to_owned();
        terminal::error_line(&format!("babson: {message}"));
        message
    })?;
    let query = compile(source, title, config).map_err(|diagnostics| {
        render::print(source, &diagnostics, config.run.reading.color);
        let first = diagnostics.first();
        first.map_or("error".to_owned(), |first| format!("error: {}", first.message))
    });
    query.map(|query| (source, query))
}

/// Compiles a query with this title.
fn compile(
    source: &QuerySource,
    title: String,
    config: &SearchConfig,
) -> Result<Query, Vec<Diagnostic>> {
    let build = |builder| config.build(builder).name(title);
    let typed = query::analyze(source, &config.run.reading, build)?;
    render::print(source, typed.warnings(), config.run.reading.color);
    let layout = config.outputs.layout(typed.dialect());
    let query = query::compile(typed.layout(layout))?;
    if config.run.debug {
        let text = query.explain();
        let _ = std::io::stderr().write_all(&terminal::for_stderr(text.as_bytes()));
    }
    Ok(query)
}

/// A query with its options and its outputs.
fn task(config: &SearchConfig, query: &Query, sinks: Vec<FileSink>) -> Task {
    sinks.into_iter().fold(config.task(query), Task::sink)
}

/// The message about games that are only counted. A search prints it when it begins, so an error
/// that prevents the search comes without it.
const COUNTED: &str =
    "babson: no output is named, so the games are counted; -o FILE.pgn writes them";

fn console<'c>(
    config: &SearchConfig,
    inputs: &[Input],
    sources: Vec<&'c QuerySource>,
) -> Console<'c> {
    let mut console = Console::new(sources);
    console.color = config.run.reading.color;
    console.progress = !config.run.console.no_progress;
    console.show_matches = config.run.console.show_matches;
    console.increment = config.run.console.increment;
    console.total = inputs.iter().map(Input::size).sum();
    console.opening = config.tells_count().then_some(COUNTED);
    console
}

/// Lets no output replace the file of a query.
pub(crate) fn protect(settings: &mut Settings, files: &[QueryFile]) {
    let paths = files.iter().filter_map(|file| file.path.as_ref());
    let roles = paths.map(|path| (path.clone(), format!("the query {}", path.shown())));
    settings.other_files.extend(roles);
}

/// Ignores a closed pipe on standard output: other outputs are still completed.
fn unless_closed(result: Result<(), Failure>) -> Result<(), Failure> {
    match result {
        Err(Failure::ClosedPipe) => Ok(()),
        result => result,
    }
}

/// The scan with the output of the games that do not match, if there is one.
fn with_others(scan: Scan, nonmatching: Option<&Nonmatching>) -> Scan {
    match nonmatching {
        Some(output) => output.add_to(scan),
        None => scan,
    }
}
