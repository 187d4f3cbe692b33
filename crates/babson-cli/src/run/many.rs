//! The search with several queries: one scan, with outputs of each query and outputs of all.

use std::path::{Path, PathBuf};

use babson::compile::FileName;
use babson::scan::QuerySummary;
use babson::sink::FileSink;
use babson::{Input, Query, Scan, Summary};

use super::nonmatching::Nonmatching;
use super::several::SeveralOutputs;
use super::summary::{self, SummaryRow};
use super::{
    RunResult, Work, compile_one_of_several, console, name_hints, outputs, protect, task,
    unless_closed, with_others,
};
use crate::config::SearchConfig;
use crate::console::Console;
use crate::failure::Failure;
use crate::query::QueryFile;
use crate::show_name::ShowName as _;
use crate::signals;
use crate::source::QuerySource;
use crate::terminal;

/// One of several queries that could be compiled.
pub(super) struct SearchedQuery<'s> {
    query: Query,
    source: &'s QuerySource,
    /// The outputs of this query alone.
    pub(super) sinks: Vec<FileSink>,
}

impl SearchedQuery<'_> {
    /// How the query is called in messages.
    pub(super) fn name(&self) -> &str {
        self.source.name()
    }
}

/// Searches with several queries. A query that has an error does not stop the others.
pub(super) fn search(
    config: &SearchConfig,
    files: &[QueryFile],
    work: Work,
) -> Result<u8, Failure> {
    let outputs = SeveralOutputs::of(config, files, work.heeds_headers())?;
    let sources: Vec<_> = files.iter().map(|file| file.source(&config.run.reading)).collect();
    let (rows, searched) = compile(config, files, &sources, &outputs)?;
    let inputs = work.inputs(config, || common_input(config, &searched), files)?;
    let queries: Vec<Query> = searched.iter().map(|searched| searched.query.clone()).collect();
    outputs.check_headers(config, &searched)?;
    outputs.check_shared(config, &queries.iter().collect::<Vec<_>>())?;
    let nonmatching = Nonmatching::of(config)?;
    let of_queries = searched.iter().flat_map(|searched| &searched.sinks);
    let matches = of_queries.clone().chain(&outputs.shared);
    let use_stdout = outputs::use_stdout(config, matches, nonmatching.as_ref())?;
    let of_all: Vec<&FileSink> =
        outputs.shared.iter().chain(nonmatching.iter().map(Nonmatching::sink)).collect();
    let sinks = of_queries.chain(of_all.iter().copied());
    let listing = outputs::listing(sinks.clone());
    if config.outputs.files.dry_run && !outputs::are_split(sinks) {
        terminal::print_text(&listing)?;
        return Ok(config.exit_code(has_error(&rows), true));
    }
    if !config.outputs.files.dry_run {
        prepare(config, &outputs, &searched, &of_all)?;
    }
    let sources = searched.iter().map(|searched| searched.source).collect();
    let mut console = console(config, &inputs, sources);
    console.all_to_stderr = config.outputs.counts() || config.outputs.files.dry_run || use_stdout;
    notes(config, &searched).iter().for_each(|note| console.tell(note));
    signals::record_inputs(&inputs);
    let names = outputs.names(&searched);
    let scan = scan(config, config.scan(inputs.clone()), files, &outputs, searched);
    let result = work.run(with_others(scan, nonmatching.as_ref()), &inputs, &mut console);
    console.finish();
    let report =
        SeveralSummary { outputs: &outputs, names, nonmatching, inputs: &inputs, queries, listing };
    report.print(config, rows, result?, &console)
}

/// The messages after a search, besides its result.
struct SeveralSummary<'s> {
    outputs: &'s SeveralOutputs,
    /// The names of the outputs.
    names: Vec<String>,
    nonmatching: Option<Nonmatching>,
    inputs: &'s [Input],
    queries: Vec<Query>,
    /// The names of outputs that were known before the search, a line for each.
    listing: String,
}

impl SeveralSummary<'_> {
    /// Completes the outputs, prints the summary, and returns the exit code.
    fn print(
        self,
        config: &SearchConfig,
        mut rows: Vec<SummaryRow>,
        mut result: RunResult,
        console: &Console<'_>,
    ) -> Result<u8, Failure> {
        let kept = take(config, &mut rows, &result.summary);
        let has_match = result.summary.queries.iter().any(|job| job.matches > 0);
        let exit_code = summary::exit_code(config, &result.summary, has_error(&rows), has_match);
        if config.outputs.files.dry_run {
            let files = split_files(&result.summary);
            let lines = files.map(|(name, games)| format!("{} ({games})\n", name.shown()));
            terminal::print_text(&(self.listing + &lines.collect::<String>()))?;
            return Ok(exit_code);
        }
        if let Some(folder) = &self.outputs.folder {
            result.outputs.add(summary::write(folder, &rows, config.outputs.safe_csv)?)?;
        }
        let summary = RunResult::complete(result)?;
        summary::tell_rewritten(&summary);
        let mut text = summary::damaged(&summary, self.inputs.len());
        text += &summary::equal_games(summary.equal_games);
        // Without a query that can run nothing is read.
        if !summary.queries.is_empty() {
            text += &summary::without_games(config, &summary);
        }
        if !config.run.console.no_summary {
            if !config.outputs.counts() {
                text += &summary::table(&rows);
            }
            let chosen = config.outputs.chosen(None);
            let others = self.nonmatching.map_or_else(String::new, |output| output.line(&summary));
            let outputs = (chosen.as_str(), self.names.as_slice(), others.as_str());
            text += &summary::last_line(&summary, &rows, console.seconds(), outputs);
        }
        text += &kept;
        text += &summary::traffic(config, self.inputs);
        unless_closed(console.print(text.as_bytes()).map_err(Failure::console))?;
        if !has_match {
            name_hints::tell(config, &self.queries, self.inputs);
        }
        if config.outputs.counts() {
            unless_closed(terminal::print_text(&summary::counts(&rows)).map(drop))?;
        }
        Ok(exit_code)
    }
}

/// Whether a query could not be compiled or had an error in a game.
fn has_error(rows: &[SummaryRow]) -> bool {
    rows.iter().any(|row| row.status != SummaryRow::OK)
}

/// Compiles the queries: a row of the summary for each, and those that have no error.
fn compile<'s>(
    config: &SearchConfig,
    files: &[QueryFile],
    sources: &'s [Result<QuerySource, Failure>],
    outputs: &SeveralOutputs,
) -> Result<(Vec<SummaryRow>, Vec<SearchedQuery<'s>>), Failure> {
    let (mut rows, mut searched) = (Vec::new(), Vec::new());
    for (file, source) in files.iter().zip(sources) {
        let mut row = SummaryRow::new(file);
        match compile_one_of_several(source, file.title(), config) {
            Err(status) => row.status = status,
            Ok((source, query)) => {
                outputs::check_choice(config, &query)?;
                let sinks = outputs.of_query(config, file, &query)?;
                row.job = Some(searched.len());
                searched.push(SearchedQuery { query, source, sinks });
            }
        }
        rows.push(row);
    }
    Ok((rows, searched))
}

/// The input that the headers of all queries name; `None` if the command line names the games, or
/// no header does.
///
/// # Errors
/// Some of the headers name another input than others, or none.
fn common_input<'q>(
    config: &SearchConfig,
    searched: &'q [SearchedQuery<'_>],
) -> Result<Option<&'q FileName>, Failure> {
    let Some(first) = searched.first().filter(|_| config.inputs.names.is_empty()) else {
        return Ok(None);
    };
    let input = |one: &'q SearchedQuery<'_>| one.query.header().input.as_ref();
    let common = input(first);
    let Some(other) = searched.iter().find(|one| !is_same_input(input(one), common)) else {
        return Ok(common);
    };
    let named = |one: &'q SearchedQuery<'_>| {
        let name = input(one).map(|input| Path::new(&input.name).shown());
        format!("{} of {}", name.as_deref().unwrap_or("none"), one.name())
    };
    Err(Failure::Usage(format!(
        "the headers of the queries name different inputs, {} and {}: name the games of all \
         queries with -i, or search with one query at a time",
        named(first),
        named(other)
    )))
}

/// Whether two headers name the same input, perhaps by two names of one file.
fn is_same_input(one: Option<&FileName>, other: Option<&FileName>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one.is_none() && other.is_none() };
    let real = |input: &FileName| Path::new(&input.name).canonicalize().ok();
    one.name == other.name || real(one).is_some_and(|path| real(other) == Some(path))
}

/// Makes the folder, and applies the options for all outputs.
fn prepare(
    config: &SearchConfig,
    outputs: &SeveralOutputs,
    searched: &[SearchedQuery<'_>],
    of_all: &[&FileSink],
) -> Result<(), Failure> {
    if let Some(folder) = &outputs.folder {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::Io(format!("cannot make the folder {}: {error}", folder.shown()))
        })?;
    }
    let sinks = searched.iter().flat_map(|searched| &searched.sinks);
    outputs::prepare(config, sinks.chain(of_all.iter().copied()))
}

/// The messages before the search.
fn notes(config: &SearchConfig, searched: &[SearchedQuery<'_>]) -> Vec<String> {
    let mut notes: Vec<String> = outputs::left_out(config).into_iter().collect();
    // One of the queries that sort is enough. No output of several queries has sorted matches.
    notes.extend(searched.iter().find_map(|one| outputs::limited(config, &one.query, &one.sinks)));
    notes.extend(one_thread(config, searched));
    for SearchedQuery { query, sinks, .. } in searched {
        notes.extend(outputs::unused_for_tables(config, sinks));
        notes.extend(outputs::unmarked(config, query, sinks));
    }
    notes
}

/// A note if one query, which needs the games in order, slows down others.
fn one_thread(config: &SearchConfig, searched: &[SearchedQuery<'_>]) -> Option<String> {
    let others = searched.iter().any(|one| one.query.needs_order().is_none());
    let (name, reason) = searched
        .iter()
        .filter(|_| others && config.run.threads() > 1)
        .find_map(|one| Some((one.query.name().unwrap_or_default(), one.query.needs_order()?)))?;
    Some(format!(
        "babson: {name} needs the games in order, so all queries are searched on one thread: \
         {reason}"
    ))
}

/// The scan with the queries and outputs. Each of the queries may have an error, which the exit
/// code and the summary tell.
fn scan(
    config: &SearchConfig,
    scan: Scan,
    files: &[QueryFile],
    outputs: &SeveralOutputs,
    searched: Vec<SearchedQuery<'_>>,
) -> Scan {
    let summary_file =
        outputs.folder.as_deref().map(summary::path).filter(|_| !config.outputs.files.dry_run);
    let mut scan = scan.allow_no_query(true).settings(|settings| {
        protect(settings, files);
        let role = |path: PathBuf| (path.clone(), format!("the output {}", path.shown()));
        settings.other_files.extend(summary_file.map(role));
    });
    for SearchedQuery { query, sinks, .. } in searched {
        scan = scan.task(task(config, &query, sinks));
    }
    outputs.shared_outputs(config).fold(scan, Scan::shared)
}

/// The files of split outputs with their numbers of games, in order of name.
fn split_files(summary: &Summary) -> impl Iterator<Item = &(String, u64)> {
    let of_jobs = summary.queries.iter().flat_map(|job| &job.files);
    let mut files: Vec<_> = of_jobs.chain(&summary.files).collect();
    files.sort();
    files.into_iter()
}

/// Takes the numbers of the queries, and returns what they leave after the search.
fn take(config: &SearchConfig, rows: &mut [SummaryRow], summary: &Summary) -> String {
    let mut kept = String::new();
    for row in rows {
        let Some(job) = row.job.and_then(|index| summary.queries.get(index)) else { continue };
        row.take(job);
        let QuerySummary { stopped: None, .. } = job else { continue };
        summary::tell_left_out(job);
        kept += &summary::kept(job, config, Some(&row.query));
    }
    kept
}
