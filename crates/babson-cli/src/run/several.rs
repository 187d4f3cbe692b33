//! The outputs of several queries: one for each query, in a folder, with `{query}` in its name or
//! of its header, and outputs that all queries share.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use babson::Query;
use babson::sink::{Destination, FileFormat, FileSink, NamePattern, SharedSink};

use super::many::SearchedQuery;
use super::outputs;
use crate::config::SearchConfig;
use crate::failure::Failure;
use crate::output_name::{OutputName, is_stdout};
use crate::query::QueryFile;
use crate::show_name::ShowName as _;

/// The outputs of several queries. Without any, matches are only counted.
#[derive(Default)]
pub(super) struct SeveralOutputs {
    /// The folder with an output of each query, and with the summary.
    pub(super) folder: Option<PathBuf>,
    /// The names with `{query}`, and whether the outputs are appended.
    patterns: Vec<(FileFormat, NamePattern, bool)>,
    /// Whether each query writes the output of its header, since the command line names none.
    of_headers: bool,
    /// Whether each query must have an output.
    is_needed: bool,
    /// The outputs of all queries.
    pub(super) shared: Vec<FileSink>,
}

impl SeveralOutputs {
    /// The outputs that the command line names; if it names none, the outputs of the headers, as
    /// far as they are heeded.
    ///
    /// # Errors
    /// A name cannot be an output of several queries, or two queries have one name.
    pub(super) fn of(
        config: &SearchConfig,
        files: &[QueryFile],
        heeds_headers: bool,
    ) -> Result<SeveralOutputs, Failure> {
        let mut outputs = SeveralOutputs::default();
        if config.outputs.counts() {
            let wrong = config.outputs.wants_columns.then(outputs::without_columns);
            let wrong = wrong.or_else(|| config.outputs.wants_overlay.then(counted_overlay));
            return wrong.map_or(Ok(outputs), Err);
        }
        check_names(files)?;
        let mut names: Vec<(&OsStr, bool)> =
            config.outputs.names.iter().map(|name| (name.as_os_str(), false)).collect();
        names.extend(config.outputs.appends.iter().map(|name| (name.as_os_str(), true)));
        if names.is_empty() && config.outputs.format.is_some() {
            names.push((OsStr::new("-"), false));
        }
        if names.is_empty() && config.outputs.wants_overlay {
            return Err(without_overlay());
        }
        let names_none = names.is_empty() && config.outputs.groups.is_none();
        outputs.of_headers = names_none && heeds_headers;
        outputs.is_needed = names_none && config.outputs.nonmatching.is_none();
        let mut seen = HashSet::new();
        for (name, append) in names {
            if !seen.insert(name) {
                return Err(Failure::Usage(format!("-o {} is given twice", name.shown())));
            }
            outputs.add(config, name, append)?;
        }
        if !outputs.of_headers {
            outputs.check_columns(config, [])?;
        }
        outputs.check_overlay(config)?;
        outputs.add_group_table(config)?;
        Ok(outputs)
    }

    /// Adds the outputs of a name.
    fn add(&mut self, config: &SearchConfig, name: &OsStr, append: bool) -> Result<(), Failure> {
        if is_folder(name, config) {
            let wrong = match (append, &self.folder) {
                (false, None) => {
                    self.folder = Some(PathBuf::from(name));
                    return Ok(());
                }
                (true, _) => format!("--append {}: it is a folder", name.shown()),
                (false, Some(one)) => {
                    let (one, other) = (one.shown(), name.shown());
                    format!("-o {other}: one folder is enough, and there is -o {one}")
                }
            };
            return Err(Failure::Usage(wrong));
        }
        let (format, destination) = match outputs::parsed(name, config)? {
            OutputName::Split(format, pattern) if pattern.names_query() => {
                self.patterns.push((format, pattern, append));
                return Ok(());
            }
            OutputName::Stdout(format) => (format, Destination::Stdout),
            OutputName::File(format, path) => (format, Destination::File(path)),
            OutputName::Split(format, pattern) => {
                (format, Destination::Split { pattern, append: false })
            }
        };
        let what = match format {
            FileFormat::Html => Some("an HTML page shows one query"),
            FileFormat::Arrow => Some("a game table has the matches of one query"),
            FileFormat::Pgn
            | FileFormat::Jsonl
            | FileFormat::Json
            | FileFormat::Csv
            | FileFormat::Tsv
            | FileFormat::Epd
            | FileFormat::Text
            | _ => None,
        };
        if let Some(what) = what {
            let (name, extension) = (name.shown(), format.extension());
            return Err(Failure::Usage(format!(
                "-o {name}: {what}: -o 'DIR/{{query}}.{extension}' writes one for each query"
            )));
        }
        let sink = FileSink::new(format, destination);
        let sink = if append { outputs::appended(config, sink)? } else { sink };
        self.shared.push(outputs::chosen(config, sink));
        Ok(())
    }

    /// Adds the table of `--group` on standard output, if no output has it.
    fn add_group_table(&mut self, config: &SearchConfig) -> Result<(), Failure> {
        let of_folder = self.folder.iter().map(|_| folder_format(config));
        let mut formats = of_folder.chain(self.patterns.iter().map(|(format, ..)| *format));
        if !formats.any(FileFormat::has_groups) {
            let table = outputs::group_table(config, &self.shared)?;
            self.shared.extend(table);
        }
        Ok(())
    }

    /// Checks that an output has columns if the command line names some. `of_headers` are the
    /// outputs of the headers.
    fn check_columns<'s>(
        &'s self,
        config: &SearchConfig,
        of_headers: impl IntoIterator<Item = &'s FileSink>,
    ) -> Result<(), Failure> {
        let of_folder = self.folder.iter().map(|_| folder_format(config));
        let of_patterns = self.patterns.iter().map(|(format, ..)| *format);
        let sinks = self.shared.iter().chain(of_headers);
        let mut formats = of_folder.chain(of_patterns).chain(sinks.map(FileSink::file_format));
        match config.outputs.wants_columns && !formats.any(FileFormat::has_columns) {
            true => Err(outputs::without_columns()),
            false => Ok(()),
        }
    }

    /// Checks that an output has each game once if the command line asks for it.
    fn check_overlay(&self, config: &SearchConfig) -> Result<(), Failure> {
        match config.outputs.wants_overlay && !self.shared.iter().any(is_overlaid) {
            true => Err(without_overlay()),
            false => Ok(()),
        }
    }

    /// The outputs of all queries.
    pub(super) fn shared_outputs(&self, config: &SearchConfig) -> impl Iterator<Item = SharedSink> {
        let overlay = config.outputs.overlay;
        self.shared.iter().map(move |sink| match overlay && is_overlaid(sink) {
            true => SharedSink::from(sink).overlaid(),
            false => SharedSink::from(sink),
        })
    }

    /// The outputs of one of the queries alone.
    ///
    /// # Errors
    /// A name has a sort key that the query does not have; or nothing names an output of the query,
    /// which needs one.
    pub(super) fn of_query(
        &self,
        config: &SearchConfig,
        file: &QueryFile,
        query: &Query,
    ) -> Result<Vec<FileSink>, Failure> {
        let mut sinks = Vec::new();
        match query.header().output.as_ref().filter(|_| self.of_headers) {
            Some(output) => sinks.push(outputs::of_header(config, query, output)?),
            None if self.is_needed => {
                return Err(Failure::Usage(format!(
                    "several queries need an output: -o DIR/ for a file of each query and a \
                     summary, -o ALL.csv for one table, or --count ({} names none in its header)",
                    file.path.as_deref().unwrap_or(Path::new("-")).shown()
                )));
            }
            None => {}
        }
        if let Some(folder) = &self.folder {
            let format = folder_format(config);
            let path = folder.join(file.named_after(&format!(".{}", format.extension())));
            sinks.push(outputs::file_sink(format, config, Destination::File(path)));
        }
        for (format, pattern, append) in &self.patterns {
            let sink = outputs::placed(OutputName::Split(*format, pattern.clone()), config, query)?;
            sinks.push(if *append { outputs::appended(config, sink)? } else { sink });
        }
        let finished =
            |sink| outputs::chosen(config, sink).with_compression(config.outputs.compression());
        Ok(sinks.into_iter().map(finished).collect())
    }

    /// Checks the outputs that the headers of these queries name.
    ///
    /// # Errors
    /// Two queries write one output, or none of them has columns, and the command line names some.
    pub(super) fn check_headers(
        &self,
        config: &SearchConfig,
        searched: &[SearchedQuery<'_>],
    ) -> Result<(), Failure> {
        if !self.of_headers || searched.is_empty() {
            return Ok(());
        }
        let mut known: HashMap<String, &str> = HashMap::new();
        for one in searched {
            for sink in &one.sinks {
                let name = sink.destination().name().shown();
                if let Some(other) = known.insert(name.clone(), one.name()) {
                    return Err(Failure::Usage(format!(
                        "the headers of {other} and {} both name the output {name}: name an \
                         output of all queries with -o {name}, or one for each with -o DIR/",
                        one.name()
                    )));
                }
            }
        }
        self.check_columns(config, searched.iter().flat_map(|one| &one.sinks))
    }

    /// Checks that the shared outputs can have the matches of these queries.
    ///
    /// # Errors
    /// A query sorts its games, or none has a sort key or field that an output names.
    pub(super) fn check_shared(
        &self,
        config: &SearchConfig,
        queries: &[&Query],
    ) -> Result<(), Failure> {
        let sample = config.outputs.sample.filter(|_| !config.outputs.counts());
        if let (Some(games), Some(sink)) = (sample, self.shared.first()) {
            return Err(Failure::Usage(format!(
                "-o {}: --sample {games} chooses games of each query, which are known only at the \
                 end, and an output of several queries has the games as they are found: write a \
                 file for each query with -o '{{query}}.{}'",
                sink.destination().name().shown(),
                sink.file_format().extension(),
            )));
        }
        let ordered = |sink: &&FileSink| sink.groups().is_none() || config.outputs.top.is_some();
        let sorted = queries.iter().find(|query| query.sort_keys().next().is_some());
        if let Some(first) = self.shared.iter().find(ordered)
            && let Some(query) = sorted.filter(|_| !config.run.unsorted)
        {
            let extension = first.file_format().extension();
            if config.outputs.top.is_some() {
                return Err(Failure::Usage(format!(
                    "-o {}: --top writes the best games of each query in its own order, and an \
                     output of several queries has them in the order of the database: write a file \
                     for each query with -o '{{query}}.{extension}'",
                    first.destination().name().shown(),
                )));
            }
            return Err(Failure::Usage(format!(
                "-o {}: the query {} sorts its games, and an output of several queries has them in \
                 the order of the database: add --nosort, or write a file for each query with -o \
                 '{{query}}.{extension}'",
                first.destination().name().shown(),
                query.name().unwrap_or_default()
            )));
        }
        for sink in &self.shared {
            if let Destination::Split { pattern, .. } = sink.destination() {
                outputs::check_keys(pattern, queries)?;
            }
        }
        outputs::check_columns(config, queries)
    }

    /// The names of the outputs in the summary.
    pub(super) fn names(&self, searched: &[SearchedQuery<'_>]) -> Vec<String> {
        let folder = self.folder.iter().map(|folder| folder.shown());
        let patterns = self.patterns.iter().map(|(_, pattern, _)| pattern.text().to_owned());
        let of_headers = searched.iter().filter(|_| self.of_headers).flat_map(|one| &one.sinks);
        let sinks = of_headers.chain(&self.shared);
        folder.chain(patterns).chain(outputs::names(sinks)).collect()
    }
}

/// Whether `--overlay` is for this output of all queries.
fn is_overlaid(sink: &FileSink) -> bool {
    sink.file_format() == FileFormat::Pgn
}

/// The failure of `--overlay` without an output for it.
fn without_overlay() -> Failure {
    Failure::Usage(
        "--overlay writes the games of all queries to one .pgn, each game once: name it with -o \
         ALL.pgn"
            .to_owned(),
    )
}

/// The failure of `--overlay` if nothing is written.
fn counted_overlay() -> Failure {
    Failure::Usage(
        "--overlay writes games, and --count only counts them: leave out one of the two".to_owned(),
    )
}

/// Checks that a query of `--overlay` has a name.
///
/// # Errors
/// The command line has `--overlay`, but its query has no file.
pub(super) fn check_overlaid_query(
    config: &SearchConfig,
    query: &QueryFile,
) -> Result<(), Failure> {
    match config.outputs.wants_overlay && query.path.is_none() {
        true => Err(Failure::Usage(
            "--overlay writes what several queries find, and the filters of --cql and other \
             options are one query, joined by `and`: put each query into a file, as in --overlay \
             -o ALL.pgn ONE.cql TWO.cql"
                .to_owned(),
        )),
        false => Ok(()),
    }
}

/// The format of the files in a folder.
fn folder_format(config: &SearchConfig) -> FileFormat {
    config.outputs.format.unwrap_or(FileFormat::Pgn)
}

/// Whether the name of an output names a folder, which may not exist yet.
fn is_folder(name: &OsStr, config: &SearchConfig) -> bool {
    let (path, text) = (Path::new(name), name.to_string_lossy());
    let is_new = || {
        let is_named =
            config.outputs.format_of_name()(&text).is_none() && !text.contains(['{', '}']);
        is_named && !path.exists() && !is_stdout(name)
    };
    path.is_dir() || text.ends_with(std::path::is_separator) || is_new()
}

/// Checks that the queries have names of their own.
fn check_names(files: &[QueryFile]) -> Result<(), Failure> {
    let mut stems = HashSet::new();
    for file in files {
        let stem = file.stem();
        // On some systems names that differ in case only are one file.
        let folded = stem.to_str().map_or(stem.to_owned(), |stem| stem.to_lowercase().into());
        if !stems.insert(folded) {
            let stem = stem.shown();
            return Err(Failure::Usage(format!(
                "two queries are named {stem}, so their outputs would have the same name"
            )));
        }
    }
    Ok(())
}
