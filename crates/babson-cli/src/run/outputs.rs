//! The outputs of a search.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use babson::compile::FileName;
use babson::scan::OutputRefusal;
use babson::sink::{ColumnNames, Destination, FileFormat, FileSink, NamePattern};
use babson::{Error, Query};

use super::nonmatching::Nonmatching;
use crate::config::SearchConfig;
use crate::failure::Failure;
use crate::output_name::OutputName;
use crate::query::QueryFile;
use crate::show_name::ShowName as _;
use crate::terminal;

/// The outputs of a single query: none if matches are only counted; otherwise those that the
/// options name, or else the header, or else QUERY-out.pgn.
pub(super) fn of_one(
    config: &SearchConfig,
    query: &Query,
    file: &QueryFile,
) -> Result<Vec<FileSink>, Failure> {
    if config.outputs.counts() {
        return if config.outputs.wants_columns { Err(without_columns()) } else { Ok(Vec::new()) };
    }
    let mut names = config.outputs.names.clone();
    let mut sinks = Vec::new();
    if names.is_empty() && config.outputs.appends.is_empty() {
        match &query.header().output {
            // Whoever names a format and no file wants to read on in a pipe.
            _ if config.outputs.format.is_some() => names.push("-".into()),
            // So does who groups, and the table goes there.
            _ if config.outputs.groups.is_some() => {}
            Some(output) => {
                let sink = of_header(config, query, output)?;
                sinks.push(sink.with_compression(config.outputs.compression()));
            }
            None => names.push(file.named_after("-out.pgn")),
        }
    }
    let mut seen = HashSet::new();
    for name in &names {
        if !seen.insert(name) {
            return Err(Failure::Usage(format!("-o {} is given twice", name.shown())));
        }
        sinks.push(sink(name, config, query)?.with_compression(config.outputs.compression()));
    }
    for name in &config.outputs.appends {
        if !seen.insert(name) {
            return Err(Failure::Usage(format!("{} is given twice", name.shown())));
        }
        sinks.push(appended(config, sink(name, config, query)?)?);
    }
    let sinks = with_columns(config, sinks)?;
    let table = group_table(config, &sinks)?;
    check_columns(config, &[query])?;
    Ok(sinks.into_iter().chain(table).collect())
}

/// The output that the header of a query names.
///
/// # Errors
/// The name is a folder by now, or has a sort key that the query does not have.
pub(super) fn of_header(
    config: &SearchConfig,
    query: &Query,
    output: &FileName,
) -> Result<FileSink, Failure> {
    let why = |why| Failure::Io(format!("cannot write {}: {why}", output.name));
    placed(OutputName::of_header(output).map_err(why)?, config, query)
}

/// The outputs with the columns of `--columns`, those that have columns.
///
/// # Errors
/// No output has columns, and the command line names some.
fn with_columns(config: &SearchConfig, sinks: Vec<FileSink>) -> Result<Vec<FileSink>, Failure> {
    let has_columns = sinks.iter().any(|sink| sink.file_format().has_columns());
    if config.outputs.wants_columns && !has_columns {
        return Err(without_columns());
    }
    Ok(sinks.into_iter().map(|sink| chosen(config, sink)).collect())
}

/// The output with the groups of `--group`, otherwise with the columns of `--columns`, if it can
/// have them.
pub(super) fn chosen(config: &SearchConfig, sink: FileSink) -> FileSink {
    if let Some(groups) = config.outputs.groups.as_ref().filter(|_| sink.file_format().has_groups())
    {
        return sink.with_groups(groups.clone());
    }
    match &config.outputs.columns {
        Some(columns) if sink.file_format().has_columns() => sink.with_columns(columns.clone()),
        Some(_) | None => sink,
    }
}

/// The table of `--group` on standard output, if no named output has it.
///
/// # Errors
/// Standard output has the matches.
pub(super) fn group_table<'s>(
    config: &SearchConfig,
    sinks: impl IntoIterator<Item = &'s FileSink>,
) -> Result<Option<FileSink>, Failure> {
    let Some(groups) = &config.outputs.groups else { return Ok(None) };
    let mut uses_stdout = false;
    for sink in sinks {
        if sink.groups().is_some() {
            return Ok(None);
        }
        uses_stdout |= *sink.destination() == Destination::Stdout;
    }
    if uses_stdout {
        let why = "--group: standard output is already used for the matches; name an output of \
                   the table, with -o FILE.csv, .tsv, .jsonl, .json or .txt";
        return Err(Failure::Usage(why.to_owned()));
    }
    let sink = FileSink::new(FileFormat::Text, Destination::Stdout);
    Ok(Some(sink.with_groups(groups.clone())))
}

/// The failure for columns that no output has.
pub(super) fn without_columns() -> Failure {
    let why = "--columns: no output has columns: name one that does, with -o FILE.csv, .tsv, \
               .jsonl or .json, or with --format csv, tsv, jsonl or json";
    Failure::Usage(why.to_owned())
}

/// Checks that each sort key and field among the columns or groups exists in a query.
pub(super) fn check_columns(config: &SearchConfig, queries: &[&Query]) -> Result<(), Failure> {
    let mut names = ColumnNames::default();
    queries.iter().for_each(|query| names.add(&query.column_names()));
    if let Some(groups) = &config.outputs.groups {
        return groups.check(&names).map_err(|error| Failure::Usage(format!("--group: {error}")));
    }
    let Some(columns) = &config.outputs.columns else { return Ok(()) };
    columns.check(&names).map_err(|error| Failure::Usage(format!("--columns: {error}")))
}

/// The output of a query with this name.
pub(super) fn placed(
    parsed: OutputName,
    config: &SearchConfig,
    query: &Query,
) -> Result<FileSink, Failure> {
    let (format, destination) = match parsed {
        OutputName::Stdout(format) => (format, Destination::Stdout),
        OutputName::File(format, path) => (format, Destination::File(path)),
        OutputName::Split(format, pattern) => {
            check_keys(&pattern, &[query])?;
            (format, of_query(format, &pattern, query)?)
        }
    };
    Ok(file_sink(format, config, destination))
}

/// The sink of a destination. A page is a report.
pub(super) fn file_sink(
    format: FileFormat,
    config: &SearchConfig,
    destination: Destination,
) -> FileSink {
    match format {
        FileFormat::Html => babson::report::sink_of(config.outputs.page.clone(), destination),
        FileFormat::Pgn
        | FileFormat::Jsonl
        | FileFormat::Json
        | FileFormat::Csv
        | FileFormat::Tsv
        | FileFormat::Epd
        | FileFormat::Arrow
        | FileFormat::Text
        | _ => FileSink::new(format, destination),
    }
}

/// Where the matches of a query go that have a pattern of names.
fn of_query(
    format: FileFormat,
    pattern: &NamePattern,
    query: &Query,
) -> Result<Destination, Failure> {
    let pattern = pattern.for_query(query.name().unwrap_or("cqldefault"));
    match pattern.plain() {
        Some(path) => Ok(Destination::File(PathBuf::from(path))),
        None if format == FileFormat::Arrow => Err(Failure::Usage(format!(
            "-o {}: a game table cannot be split into many files",
            pattern.text()
        ))),
        None => Ok(Destination::Split { pattern, append: false }),
    }
}

fn sink(name: &OsStr, config: &SearchConfig, query: &Query) -> Result<FileSink, Failure> {
    placed(parsed(name, config)?, config, query)
}

/// The meaning of the name of an output.
pub(super) fn parsed(name: &OsStr, config: &SearchConfig) -> Result<OutputName, Failure> {
    OutputName::parse(name, config.outputs.format, config.outputs.format_of_name()).map_err(|why| {
        // An existing folder of that name is a failure of output, not of usage.
        if Path::new(name).is_dir() {
            Failure::Io(format!("cannot write {}: {why}", name.shown()))
        } else {
            Failure::Usage(format!("-o {}: {why}", name.shown()))
        }
    })
}

/// Checks that one of the queries has the sort keys that a name contains.
pub(super) fn check_keys(pattern: &NamePattern, queries: &[&Query]) -> Result<(), Failure> {
    let known: Vec<&str> = queries.iter().flat_map(|query| query.sort_keys()).collect();
    let Some(missing) = pattern.sort_keys().find(|key| !known.contains(key)) else {
        return Ok(());
    };
    let there = match known.as_slice() {
        [] => "it has none".to_owned(),
        known => format!("it has {}", known.join(", ")),
    };
    Err(Failure::Usage(format!(
        "-o {}: the query has no sort key called {missing}; {there}",
        pattern.text()
    )))
}

/// The same output, appended to its file.
///
/// # Errors
/// Nothing can be appended to an output of its kind.
pub(super) fn appended(config: &SearchConfig, sink: FileSink) -> Result<FileSink, Failure> {
    if config.outputs.groups.is_some()
        && sink.file_format().has_groups()
        && *sink.destination() != Destination::Stdout
    {
        return Err(Failure::Usage(format!(
            "--append {}: a table of groups cannot be appended to a file; write a new one with -o",
            sink.destination().name().shown()
        )));
    }
    match (sink.file_format(), sink.destination().clone()) {
        (FileFormat::Arrow, destination) => Err(Failure::Usage(format!(
            "--append {}: a game table cannot be appended to; write a new one with -o (babson pack \
             joins the games of tables, without the columns of their matches)",
            destination.name().shown()
        ))),
        (FileFormat::Json, Destination::File(_) | Destination::Split { .. }) => {
            Err(Failure::Usage(format!(
                "--append {}: a JSON array cannot be appended to; append to a .jsonl, with an \
                 object on each line, or write a new file with -o",
                sink.destination().name()
            )))
        }
        (FileFormat::Html, destination) => Err(Failure::Usage(format!(
            "--append {}: an HTML page cannot be appended to; write a new one with -o",
            destination.name().shown()
        ))),
        (format, Destination::Split { pattern, .. }) => {
            Ok(FileSink::new(format, Destination::Split { pattern, append: true }))
        }
        (format, Destination::File(path)) => Ok(FileSink::new(format, Destination::Append(path))),
        (format, destination) => Ok(FileSink::new(format, destination)),
    }
}

/// Applies the options for all outputs: checks for existing files, and checks or creates folders.
pub(super) fn prepare<'s>(
    config: &SearchConfig,
    sinks: impl IntoIterator<Item = &'s FileSink>,
) -> Result<(), Failure> {
    let sinks: Vec<&FileSink> = sinks.into_iter().collect();
    let has_page = sinks.iter().any(|sink| sink.file_format() == FileFormat::Html);
    if let Some(option) = config.outputs.page_option.filter(|_| !has_page) {
        return Err(Failure::Usage(format!(
            "{option}: no output is a page: name one, with -o FILE.html"
        )));
    }
    let has_table = sinks.iter().any(|sink| sink.file_format() == FileFormat::Arrow);
    if config.outputs.needs_table && !has_table {
        let text =
            "--compress is for game tables, and no output is one: name it with -o FILE.arrow";
        return Err(Failure::Usage(text.to_owned()));
    }
    for sink in sinks {
        let (path, replaced) = match sink.destination() {
            Destination::File(path) => (path, true),
            Destination::Append(path) => (path, false),
            // The scan checks these files when it creates them.
            Destination::Split { .. } | Destination::Stdout | Destination::Writer(_) | _ => {
                continue;
            }
        };
        check_file(path, replaced, config)?;
    }
    Ok(())
}

/// Checks that the file of an output may be created, and makes its folder if that is wanted.
/// `replaced` tells whether an existing file would be lost.
pub(crate) fn check_file(
    path: &Path,
    replaced: bool,
    config: &SearchConfig,
) -> Result<(), Failure> {
    let refuse = |reason| Failure::from(Error::OutputRefused { path: path.shown(), reason });
    if config.outputs.files.no_clobber && replaced {
        match std::fs::metadata(path) {
            Ok(data) if data.is_file() => return Err(refuse(OutputRefusal::Exists)),
            // A device is not replaced.
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            // Who cannot tell whether there is a file may not replace it.
            Err(source) => return Err(Error::Write { path: path.shown(), source }.into()),
        }
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Some(folder) = folder.filter(|folder| !folder.exists()) else {
        return Ok(());
    };
    if !config.outputs.files.create_directories {
        return Err(refuse(OutputRefusal::MissingFolder));
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::Io(format!("cannot make the folder {}: {error}", folder.shown())))
}

/// A note about options that no game table heeds, if an output is one.
pub(super) fn unused_for_tables(config: &SearchConfig, sinks: &[FileSink]) -> Option<String> {
    let mut tables = sinks.iter().filter(|sink| sink.file_format() == FileFormat::Arrow);
    let table = tables.next().filter(|_| !config.outputs.layout_options.is_empty())?;
    Some(format!(
        "babson: {} is a game table, which has the games as they are in the input: it ignores {}",
        table.destination().name().shown(),
        config.outputs.layout_options.join(", ")
    ))
}

/// A note about named outputs that are not written.
pub(super) fn left_out(config: &SearchConfig) -> Option<String> {
    let outputs = config.outputs.names.iter().map(|name| format!("`-o {}`", name.shown()));
    let appends = config.outputs.appends.iter().map(|name| format!("`--append {}`", name.shown()));
    let top = config.outputs.top.iter().map(|top| format!("`--top {top}`"));
    let sample = config.outputs.sample.iter().map(|games| format!("`--sample {games}`"));
    let names: Vec<String> = outputs.chain(appends).chain(top).chain(sample).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    let why = match config.tells_count() {
        true => "no output is named",
        false => "--count writes no output",
    };
    (config.outputs.counts() && !names.is_empty())
        .then(|| format!("babson: {why}: {} {verb} ignored", names.join(", ")))
}

/// Checks the options that choose among the matches, `--top` and `--sample`.
///
/// # Errors
/// They contradict each other; or the query has no sort that says which games are the best.
pub(super) fn check_choice(config: &SearchConfig, query: &Query) -> Result<(), Failure> {
    let outputs = &config.outputs;
    let refused = |text: &str| Err(Failure::Usage(text.to_owned()));
    if outputs.sample.is_some() && outputs.top.is_some() {
        return refused(
            "--sample and --top exclude each other: the best games are not a random sample",
        );
    }
    if outputs.sample.is_none() && outputs.seed.is_some() {
        return refused("--seed is the seed of --sample N, which is missing");
    }
    let Some(top) = outputs.top.filter(|_| !outputs.counts()) else { return Ok(()) };
    if config.run.unsorted {
        return refused(
            "--top and --nosort exclude each other: the best games are those that the sort of the \
             query puts first",
        );
    }
    if query.sort_keys().next().is_none() {
        let name = query.name().map(|name| format!(" {name}")).unwrap_or_default();
        return Err(Failure::Usage(format!(
            "--top {top}: the query{name} does not sort, so no game is better than another; add a \
             sort, such as sort \"pieces\" #[Aa], or --sortmatchcount"
        )));
    }
    Ok(())
}

/// A note if a limit takes the first games of a query that sorts, and an output has these games.
pub(super) fn limited(config: &SearchConfig, query: &Query, sinks: &[FileSink]) -> Option<String> {
    let sorts = !config.run.unsorted && query.sort_keys().next().is_some();
    // A table of groups has an order of its own.
    let writes = sinks.iter().any(|sink| sink.groups().is_none());
    let limit = config.run.limit.filter(|_| sorts && writes && config.outputs.top.is_none())?;
    let noun = if limit == 1 { "game" } else { "games" };
    Some(format!(
        "babson: --limit {limit} takes the first {limit} matching {noun} and sorts them; --top \
         {limit} takes the best of all"
    ))
}

/// A note if an output shows what the filters of the query do, and they cannot be shown.
pub(super) fn unmarked(config: &SearchConfig, query: &Query, sinks: &[FileSink]) -> Option<String> {
    let shows = |sink: &FileSink| match sink.file_format() {
        FileFormat::Html => true,
        FileFormat::Pgn => config.outputs.marks,
        FileFormat::Jsonl
        | FileFormat::Json
        | FileFormat::Csv
        | FileFormat::Tsv
        | FileFormat::Epd
        | FileFormat::Arrow
        | FileFormat::Text
        | _ => false,
    };
    let sink = sinks.iter().find(|sink| shows(sink))?;
    let why = query.untraceable()?;
    let name = sink.destination().name().shown();
    Some(format!("babson: {name} does not mark the squares of the filters: {why}"))
}

/// Whether games are written to standard output, matches or others, so that everything else is
/// printed on standard error.
///
/// # Errors
/// Two of these would be written there and be mixed: matches or the number of `--count`, rejected
/// games, games that do not match.
pub(super) fn use_stdout<'s>(
    config: &SearchConfig,
    sinks: impl IntoIterator<Item = &'s FileSink>,
    nonmatching: Option<&Nonmatching>,
) -> Result<bool, Failure> {
    let is_stdout = |sink: &FileSink| *sink.destination() == Destination::Stdout;
    let has_others = nonmatching.is_some_and(|one| is_stdout(one.sink()));
    let has_matches = sinks.into_iter().any(is_stdout);
    let has_rejects = config.outputs.rejects == Some(Destination::Stdout);
    let other = match (config.outputs.prints_count(), has_matches || config.outputs.gui_stdout) {
        (true, _) => Some("the number of --count"),
        (false, true) => Some("the matches"),
        (false, false) => None,
    };
    let (option, other) = match other {
        Some(other) if has_others => ("--nonmatching", Some(other)),
        None if has_others && has_rejects => ("--nonmatching", Some("the damaged games")),
        other => ("--rejects", other.filter(|_| has_rejects)),
    };
    match other {
        Some(other) => Err(Failure::Usage(format!(
            "{option} -: standard output is already used for {other}; name a file"
        ))),
        None => {
            let is_used = has_matches || has_rejects || has_others;
            if is_used || config.outputs.gui_stdout || config.outputs.prints_count() {
                terminal::check_stdout()?;
            }
            Ok(is_used)
        }
    }
}

/// Whether an output is split into many files, so that only a scan can name them.
pub(super) fn are_split<'s>(sinks: impl IntoIterator<Item = &'s FileSink>) -> bool {
    sinks.into_iter().any(is_split)
}

fn is_split(sink: &FileSink) -> bool {
    matches!(sink.destination(), Destination::Split { .. })
}

/// The names of the outputs in messages.
pub(super) fn names<'s>(sinks: impl IntoIterator<Item = &'s FileSink>) -> Vec<String> {
    sinks.into_iter().map(|sink| sink.destination().name().shown()).collect()
}

/// The names of the outputs, one on each line, except those that are split into many files.
pub(super) fn listing<'s>(sinks: impl IntoIterator<Item = &'s FileSink>) -> String {
    let known = sinks.into_iter().filter(|sink| !is_split(sink));
    known.map(|sink| format!("{}\n", sink.destination().name().shown())).collect()
}
