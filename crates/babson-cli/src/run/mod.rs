//! The main job: search databases with one query or several.

mod gui;
mod outputs;
mod settings;
mod show;
mod summary;

use babson_engine::{Error, Input, Job, Settings, scan, scan_held};
use babson_lang::Diagnostic;
use std::io::Write;

use crate::commands;
use crate::compose::Source;
use crate::console::Console;
use crate::failure::Failure;
use crate::options::{self, Given, Id};
use crate::query::{self, QueryFile};
use crate::render;
use crate::terminal;

pub(crate) use outputs::OutputName;
pub(crate) use settings::Wanted;

/// Runs the command line; the exit code.
pub(crate) fn run(words: Vec<String>) -> Result<u8, Failure> {
    let (given, files) = options::command_line(words, |_| true)?;
    for option in &given {
        match option.id {
            Id::Help => return crate::console_text(&options::help()),
            Id::Version => {
                return crate::console_text(&format!("babson {}\n", env!("CARGO_PKG_VERSION")));
            }
            Id::Hhdb if option.word() == "help" => {
                return crate::console_text(options::HHDB_HELP);
            }
            Id::License => {
                return crate::console_text("Babson is licensed under MIT or Apache-2.0.\n");
            }
            _ => {}
        }
    }
    let wanted = Wanted::new(&given)?;
    if let Some(done) = commands::convert_flags(&given, &wanted) {
        return done;
    }
    let mut queries = QueryFile::expand(&files)?;
    // One file or several; a folder of queries asks for a folder of outputs, whatever it holds.
    let several = queries.len() > 1 || files.iter().any(|file| std::path::Path::new(file).is_dir());
    if queries.is_empty() {
        if !given.iter().any(is_filter) {
            return Err(Failure::Usage("which query? See babson --help".to_owned()));
        }
        queries.push(QueryFile { path: None });
    }
    if let Some(show) = wanted.show {
        let mut failed = false;
        for file in &queries {
            failed |= show::query(&file.source(&given)?, &wanted, show)? != 0;
        }
        return Ok(u8::from(failed));
    }
    if several { many(&given, &wanted, &queries) } else { one(&given, &wanted, &queries[0]) }
}

/// Whether an option is a filter of its own.
fn is_filter(option: &Given) -> bool {
    matches!(
        option.id,
        Id::Cql
            | Id::Player
            | Id::White
            | Id::Black
            | Id::Event
            | Id::Site
            | Id::ResultTag
            | Id::Year
            | Id::Fen
            | Id::Wtm
            | Id::Btm
            | Id::VirtualMainLine
            | Id::SimilarPosition
            | Id::Hhdb
    )
}

/// A query that was compiled, or what is wrong with it.
fn compile(source: &Source, wanted: &Wanted) -> Result<Job, Vec<Diagnostic>> {
    let understood = query::understand(source, &wanted.reading)?;
    render::print(source, &understood.advice, wanted.color);
    let (mut query, dialect) = (understood.query, understood.dialect);
    query.header.sort_match_count |= wanted.sort_match_count;
    let mut job = Job::new(&query, dialect)?;
    wanted.apply(&mut job, dialect);
    if let Some(span) = job.program.requires_variations()
        && !job.variations()
    {
        let error = Diagnostic::error(span, "this filter needs variations");
        return Err(vec![error.with_help("visit them with `cql(variations)` or --variations")]);
    }
    if wanted.debug {
        let text = job.program.explain();
        let _ = std::io::stderr().write_all(&terminal::for_stderr(text.as_bytes()));
    }
    Ok(job)
}

pub(crate) fn print_errors(source: &Source, diagnostics: &[Diagnostic], wanted: &Wanted) {
    render::print(source, diagnostics, wanted.color);
}

fn console<'c>(wanted: &Wanted, inputs: &[Input], sources: Vec<&'c Source>) -> Console<'c> {
    let mut console = Console::new(sources);
    console.color = wanted.color;
    console.progress = wanted.progress;
    console.show_matches = wanted.show_matches;
    console.increment = wanted.increment;
    console.total = inputs.iter().map(Input::size).sum();
    console
}

/// The settings of the scan: no output may replace a query, or what is written beside the outputs.
fn settings(wanted: &Wanted, files: &[QueryFile]) -> Settings {
    let mut settings = wanted.settings();
    let paths = files.iter().filter_map(|file| file.path.as_ref());
    settings
        .other_files
        .extend(paths.map(|path| (path.clone(), format!("the query {}", path.display()))));
    settings
}

/// That nobody reads standard output any more ends only what goes there.
fn unless_closed(result: Result<(), Failure>) -> Result<(), Failure> {
    match result {
        Err(Failure::ClosedPipe) => Ok(()),
        result => result,
    }
}

/// One query: outputs as they are named.
fn one(given: &[Given], wanted: &Wanted, file: &QueryFile) -> Result<u8, Failure> {
    let source = file.source(given)?;
    let mut job = match compile(&source, wanted) {
        Ok(job) => job,
        Err(diagnostics) => {
            print_errors(&source, &diagnostics, wanted);
            return Err(Failure::Query);
        }
    };
    let inputs = wanted.inputs(job.program.header().input.as_ref())?;
    job.title = file.stem();
    let element = gui::Element::new(wanted)?;
    job.sinks = match &element {
        Some(element) => vec![element.sink()],
        None => outputs::of_one(wanted, &job, file)?,
    };
    let uses_stdout = outputs::use_stdout(wanted, &job.sinks)?;
    // The file in which the element waits is nobody's business.
    let (names, listing) = match &element {
        Some(_) => (
            vec!["stdout".to_owned()],
            "stdout
"
            .to_owned(),
        ),
        None => (outputs::names(&job.sinks), outputs::listing(&job.sinks)),
    };
    if wanted.dry_run && !outputs::are_split(&job.sinks) {
        return crate::console_text(&listing);
    }
    if !wanted.dry_run {
        outputs::prepare(wanted, &job.sinks)?;
    }
    let mut console = console(wanted, &inputs, vec![&source]);
    console.all_to_stderr = wanted.count || wanted.dry_run || uses_stdout;
    if let Some(note) = outputs::left_out(wanted) {
        console.tell(&note);
    }
    if let Some((file, games)) = job.program.submission() {
        console.tell(&format!("Db: read {games} games from submission file: {file}\n"));
    }
    let settings = settings(wanted, std::slice::from_ref(file));
    let cql6 = job.options.cql6_output;
    let jobs = [job];
    let result = scan(&inputs, &jobs, &settings, &mut console);
    console.finish();
    let mut found = result?;
    let seconds = console.seconds();
    let Some(mut of_job) = found.jobs.pop() else {
        return Ok(0);
    };
    if let Some(stopped) = of_job.stopped.take() {
        return Err(match stopped {
            // The place was shown when it happened.
            Error::Stopped { .. } => Failure::Run(stopped.to_string()),
            other => other.into(),
        });
    }
    if wanted.dry_run {
        let files = of_job.files.iter().map(|(name, games)| format!("{name} ({games})\n"));
        return crate::console_text(&files.fold(listing, |text, file| text + &file));
    }
    let text = summary::damaged(&found)
        + &summary::failed(of_job.failed_games)
        + &summary::line(&found, &of_job, cql6, seconds, &names)
        + &summary::kept(&of_job, wanted);
    if let Some(element) = &element {
        unless_closed(element.print(of_job.matches))?;
    }
    unless_closed(console.print(text.as_bytes()).map_err(Failure::console))?;
    if wanted.count {
        unless_closed(crate::console_text(&format!("{}\n", of_job.matches)).map(drop))?;
    }
    Ok(u8::from(of_job.failed_games > 0))
}

/// Several queries: one scan, one output a query, and `summary.csv`.
fn many(given: &[Given], wanted: &Wanted, files: &[QueryFile]) -> Result<u8, Failure> {
    let folder = outputs::folder(wanted, files)?;
    let uses_stdout = outputs::use_stdout(wanted, &[])?;
    let inputs = wanted.inputs(None)?;
    let mut sources = Vec::new();
    for file in files {
        sources.push(file.source(given));
    }
    // A query that cannot be read or has an error stops no other.
    let mut rows: Vec<summary::Row> = Vec::new();
    let mut jobs = Vec::new();
    let mut job_sources = Vec::new();
    for (file, source) in files.iter().zip(&sources) {
        let mut row = summary::Row::new(file);
        match source {
            Err(failure) => {
                let message = failure.message().unwrap_or("cannot be read").to_owned();
                terminal::error_line(&format!("babson: {message}"));
                row.status = message;
            }
            Ok(source) => match compile(source, wanted) {
                Err(diagnostics) => {
                    print_errors(source, &diagnostics, wanted);
                    row.status = diagnostics
                        .first()
                        .map_or("error".to_owned(), |first| format!("error: {}", first.message));
                }
                Ok(mut job) => {
                    job.title = file.stem();
                    job.sinks = outputs::of_several(folder.as_deref(), file);
                    row.job = Some(jobs.len());
                    jobs.push(job);
                    job_sources.push(source);
                }
            },
        }
        rows.push(row);
    }
    if wanted.dry_run {
        let names: String = jobs.iter().map(|job| outputs::listing(&job.sinks)).collect();
        return crate::console_text(&names);
    }
    if let Some(folder) = &folder {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::Io(format!("cannot make the folder {}: {error}", folder.display()))
        })?;
    }
    for job in &jobs {
        outputs::prepare(wanted, &job.sinks)?;
    }
    let mut console = console(wanted, &inputs, job_sources);
    console.all_to_stderr = wanted.count || uses_stdout;
    if let Some(note) = outputs::left_out(wanted) {
        console.tell(&note);
    }
    let mut settings = settings(wanted, files);
    if let Some(folder) = &folder {
        let path = summary::path(folder);
        let role = format!("the output {}", path.display());
        settings.other_files.push((path, role));
    }
    let result = scan_held(&inputs, &jobs, &settings, &mut console);
    console.finish();
    let (found, mut outputs) = result?;
    let seconds = console.seconds();
    let mut text = summary::damaged(&found);
    let mut counts = String::new();
    let mut failed = false;
    for row in &mut rows {
        let Some((job, of_job)) =
            row.job.and_then(|index| Some((jobs.get(index)?, found.jobs.get(index)?)))
        else {
            failed = true;
            continue;
        };
        row.take(of_job);
        failed |= of_job.stopped.is_some() || of_job.failed_games > 0;
        if of_job.stopped.is_none() {
            let names = outputs::names(&job.sinks);
            let cql6 = job.options.cql6_output;
            text.push_str(&summary::line(&found, of_job, cql6, seconds, &names));
            text.push_str(&summary::kept(of_job, wanted));
            counts.push_str(&format!("{}\n", of_job.matches));
        }
    }
    if let Some(folder) = &folder {
        outputs.add(summary::write(folder, &rows, wanted.safe_csv)?)?;
    }
    outputs.complete()?;
    unless_closed(console.print(text.as_bytes()).map_err(Failure::console))?;
    if wanted.count {
        unless_closed(crate::console_text(&counts).map(drop))?;
    }
    Ok(u8::from(failed))
}
