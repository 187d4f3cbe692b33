//! Reading and type-checking a query that the command line names.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson::command::terminal::Shown;
use babson::command::{
    begins_as_compressed, is_database_file, is_foreign_name, may_be_database_name, read_up_to,
};
use babson::compile::{FileName, TypedQuery};
use babson::diagnostic::{Code, Fix, Help, retain_sound_fixes};
use babson::host::{DEFAULT_PIPE_TIMEOUT, Host, RefusingHost};
use babson::imports::library_function;
use babson::sink::FileFormat;
use babson::text::synonyms;
use babson::{CompileError, Diagnostic, Query, QueryBuilder, Span};
use babson_project::Project;

use crate::config::{OptionClass, OptionFilter, ReadingOptions};
use crate::cookbook::command_for;
use crate::failure::Failure;
use crate::input_names::{INPUT_NAMES, foreign_refusal, refusal};
use crate::limits::MAX_QUERY_FILE;
use crate::options::CommandLine;
use crate::output_name::OutputName;
use crate::project::{self, ImportSearch, ProjectLookup, SearchedFolders};
use crate::query_folder::{is_query_file, queries_in};
use crate::shell_word::shell_word;
use crate::show_name::ShowName as _;
use crate::signals;
use crate::source::QuerySource;
use crate::terminal;

/// The name of the query that is read from standard input.
const STDIN: &str = "-";

/// The environment variable with folders for `import`, as the list of folders of `PATH`.
const IMPORT_PATH: &str = "BABSON_PATH";

/// A query that the command line names.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueryFile {
    /// Its path; `None` if the filters come from options alone.
    pub(crate) path: Option<PathBuf>,
    /// Its text, or why it cannot be read, if it is loaded already.
    pub(crate) text: Option<Result<Vec<u8>, String>>,
    /// Its name in messages, if it has no path.
    pub(crate) name: Option<String>,
    /// The word of the command line to which the path adds the ending.
    pub(crate) word: Option<String>,
    /// Its project.
    pub(crate) project: ProjectLookup,
}

impl QueryFile {
    /// The query of a file.
    pub(crate) fn at(path: PathBuf) -> QueryFile {
        QueryFile { path: Some(path), ..QueryFile::default() }
    }

    /// The query of a text that is not in a file. Messages call it by the name.
    pub(crate) fn of_text(name: &str, text: &str) -> QueryFile {
        QueryFile {
            text: Some(Ok(text.as_bytes().to_vec())),
            name: Some(name.to_owned()),
            ..QueryFile::default()
        }
    }

    /// The queries that the words of the command line name. A folder stands for all `.cql` files in
    /// it, in order of name.
    ///
    /// # Errors
    /// A word names a database or an output, or a folder that cannot be read or contains no query.
    pub(crate) fn expand(words: &[OsString]) -> Result<Vec<QueryFile>, Failure> {
        let mut found = Vec::new();
        for word in words {
            let path = Path::new(word);
            let shown = path.shown();
            if word == STDIN {
                found.push(QueryFile::at(path.to_owned()));
                continue;
            }
            if !path.is_dir() {
                if is_database_file(word) {
                    // A command that searches databases has taken it as one.
                    return Err(Failure::Usage(format!(
                        "{shown} is a database, and this command takes only queries"
                    )));
                }
                if let Some(why) = foreign_refusal(path).filter(|_| path.is_file()) {
                    return Err(Failure::Usage(format!("{shown}: {why}")));
                }
                if FileFormat::of_name(&word.to_string_lossy()).is_some() {
                    return Err(Failure::Usage(format!(
                        "{shown} is an output, not a query: name it with -o"
                    )));
                }
                let named = with_extension(path);
                let word = word.to_str().filter(|_| named != path).map(str::to_owned);
                found.push(QueryFile { word, ..QueryFile::at(named) });
                continue;
            }
            let fail = |error| Failure::Io(format!("cannot read {shown}: {error}"));
            let files = queries_in(path).map_err(fail)?;
            if files.is_empty() {
                // A command that searches databases has taken it as a folder of games.
                return Err(Failure::Io(format!("cannot read {shown}: the folder has no queries")));
            }
            found.extend(files.into_iter().map(QueryFile::at));
        }
        Ok(found)
    }

    /// The queries of these words of a command line, with their projects: their files, or the
    /// filters of options alone.
    ///
    /// # Errors
    /// As [`QueryFile::expand`]; or there are neither files nor filters, or a project has mistakes.
    pub(crate) fn of_words(
        words: &[OsString],
        reading: &ReadingOptions,
    ) -> Result<Vec<QueryFile>, Failure> {
        let mut queries = QueryFile::expand(words)?;
        if queries.is_empty() {
            if !reading.has_query() {
                return Err(Failure::Usage(
                    "which query? Name its file, or give filters with --cql; for all games write \
                     `--cql true`"
                        .to_owned(),
                ));
            }
            queries.push(QueryFile::default());
        }
        QueryFile::find_projects(&mut queries, reading)?;
        let projects = queries.iter().filter_map(|query| query.project.known());
        let missing: BTreeSet<String> = projects.flat_map(project::missing_imports).collect();
        missing.iter().for_each(|message| terminal::error_line(&format!("babson: {message}")));
        Ok(queries)
    }

    /// The file name without folder and extension: outputs are named after it.
    pub(crate) fn stem(&self) -> &OsStr {
        let path = self.path.as_deref().filter(|_| !self.is_stdin());
        let stem = path.and_then(Path::file_stem);
        stem.unwrap_or(OsStr::new("cqldefault"))
    }

    /// Whether the query is read from standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.path.as_deref() == Some(Path::new(STDIN))
    }

    /// The same for messages, tables and reports; empty if the filters come from options alone.
    pub(crate) fn title(&self) -> String {
        let stem = self.path.as_ref().map(|_| self.stem().to_string_lossy().into_owned());
        stem.unwrap_or_default()
    }

    /// The name of a file with this stem.
    pub(crate) fn named_after(&self, ending: &str) -> OsString {
        let mut name = self.stem().to_owned();
        name.push(ending);
        name
    }

    /// Whether these queries of a command line are several, whose outputs go to a folder. A folder
    /// of queries counts as several, even if it contains a single query.
    pub(crate) fn are_several(queries: &[QueryFile], line: &CommandLine) -> bool {
        queries.len() > 1 || line.operands.iter().any(|file| Path::new(file).is_dir())
    }

    /// Reads the text and keeps it, or why it cannot be read. Keeps its project, too, unless that
    /// has mistakes, which [`QueryFile::source`] reports.
    pub(crate) fn load(&mut self, reading: &ReadingOptions) {
        self.text = Some(self.bytes());
        if let Ok(project) = self.project(reading) {
            self.project = ProjectLookup::Known(project);
        }
    }

    /// The bytes of the text, or why they cannot be read.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, String> {
        match (&self.text, &self.path) {
            (Some(text), _) => text.clone(),
            (None, None) => Ok(Vec::new()),
            (None, Some(_)) if self.is_stdin() => read_up_to(std::io::stdin(), MAX_QUERY_FILE)
                .map_err(|error| format!("cannot read stdin: {error}")),
            // It may be a pipe: a shell names one for `<(…)`.
            (None, Some(path)) => std::fs::File::open(path)
                .and_then(|file| read_up_to(file, MAX_QUERY_FILE))
                .map_err(|error| format!("cannot read {}: {error}", path.shown())),
        }
    }

    /// Reads the text, and adds the filters of the options and the files that the query imports.
    pub(crate) fn source(&self, reading: &ReadingOptions) -> Result<QuerySource, Failure> {
        let filters = reading.filters.as_slice();
        let bytes = self.bytes().map_err(|why| Failure::Io(self.why_unread(why, filters)))?;
        let mut source = self.source_of(&bytes, filters)?;
        source.project = self.project(reading)?;
        if let Ok((dialect, _)) = source.dialect(reading) {
            let files = self.import_search(reading, source.project.as_deref());
            source.resolve_imports(dialect, &files);
        }
        Ok(source)
    }

    /// The folder of the file; empty for the current folder, where a query without a file is.
    fn folder(&self) -> &Path {
        let path = self.path.as_deref().filter(|_| !self.is_stdin());
        path.and_then(Path::parent).unwrap_or(Path::new(""))
    }

    /// The project of the query.
    ///
    /// # Errors
    /// As [`project::of_folder`].
    pub(crate) fn project(
        &self,
        reading: &ReadingOptions,
    ) -> Result<Option<Arc<Project>>, Failure> {
        match &self.project {
            ProjectLookup::Find => project::of_folder(self.folder(), reading),
            ProjectLookup::Known(project) => Ok(project.clone()),
        }
    }

    /// Finds the projects of queries, so that a project file with mistakes is reported once for
    /// all of them.
    ///
    /// # Errors
    /// As [`project::of_folder`].
    pub(crate) fn find_projects(
        queries: &mut [QueryFile],
        reading: &ReadingOptions,
    ) -> Result<(), Failure> {
        for query in queries {
            query.project = ProjectLookup::Known(query.project(reading)?);
        }
        Ok(())
    }

    /// The project whose databases these queries search; `None` if none has databases.
    ///
    /// # Errors
    /// As [`project::of_folder`]; or they have projects with different databases.
    pub(crate) fn common_project(
        queries: &[QueryFile],
        reading: &ReadingOptions,
    ) -> Result<Option<Arc<Project>>, Failure> {
        let mut common: Option<Arc<Project>> = None;
        for query in queries {
            let project = query.project(reading)?.filter(|one| !one.databases.is_empty());
            match (&common, &project) {
                (Some(one), Some(other)) if one.databases != other.databases => {
                    return Err(Failure::Usage(format!(
                        "the queries are of several projects, {} and {}: name the games with -i",
                        one.file.shown(),
                        other.file.shown()
                    )));
                }
                (None, Some(_)) => common = project,
                (Some(_), _) | (None, None) => {}
            }
        }
        Ok(common)
    }

    /// Where the query finds the files that it imports.
    fn import_search(&self, reading: &ReadingOptions, project: Option<&Project>) -> ImportSearch {
        // With `--secure` only what the command line itself names.
        let default = std::env::var_os(IMPORT_PATH).filter(|_| !reading.secure).unwrap_or_default();
        let default = std::env::split_paths(&default).filter(|path| !path.as_os_str().is_empty());
        let folders = SearchedFolders {
            own: self.folder().to_owned(),
            named: reading.import_folders.clone(),
            of_project: project.map_or(Vec::new(), |project| project.imports.clone()),
            default: default.collect(),
        };
        ImportSearch::new(folders, reading.secure)
    }

    /// Reads the text alone, without the filters of options. Files that it imports are not read.
    pub(crate) fn own_source(&self, reading: &ReadingOptions) -> Result<QuerySource, Failure> {
        let mut source = self.source_of(&self.bytes().map_err(Failure::Io)?, &[])?;
        source.project = self.project(reading)?;
        Ok(source)
    }

    /// The source with these bytes as the text.
    fn source_of(&self, bytes: &[u8], filters: &[OptionFilter]) -> Result<QuerySource, Failure> {
        let name = match &self.path {
            None => self.name.clone().unwrap_or_else(|| of_options(filters)),
            Some(_) if self.is_stdin() => "<stdin>".to_owned(),
            Some(path) => path.shown(),
        };
        let input = if self.is_stdin() { "`-i -`" } else { "-i" };
        if begins_as_compressed(bytes) {
            let named = self.path.as_deref().filter(|path| may_be_database_name(path));
            let why = match named.and_then(refusal) {
                Some(why) => why,
                None => format!("if it holds games, name it with {input} ({INPUT_NAMES})"),
            };
            let why = format!("{name} is a compressed file, not a query: {why}");
            return Err(Failure::Usage(why));
        }
        if begins_with_tag(bytes) {
            let why = format!("{name} holds games, not a query: name it with {input}");
            return Err(Failure::Usage(why));
        }
        let mut source = QuerySource::read(&name, bytes, filters).map_err(Failure::Usage)?;
        source.path = self.path.clone().filter(|_| !self.is_stdin());
        Ok(source)
    }

    /// Why the text cannot be read, with what a word without an ending was probably meant to be.
    fn why_unread(&self, why: String, filters: &[OptionFilter]) -> String {
        let is_missing = self.path.as_ref().is_some_and(|path| !path.exists());
        let Some(word) = self.word.as_deref().filter(|_| is_missing) else { return why };
        let is_query = |one: &OptionFilter| one.class == OptionClass::Query && !one.is_default;
        if filters.iter().any(is_query) {
            return format!(
                "{} is neither a query nor a database (a database is named with its extension: \
                 masters-2k.pgn)",
                Shown(word)
            );
        }
        // A path is hardly a query.
        if word.contains(['/', '\\']) {
            return why;
        }
        let query = synonyms::find(word).map_or(word, |synonym| synonym.query);
        let query = shell_word(query.as_ref());
        format!("{why}; for a query on the command line write `--cql {}`", Shown(&query))
    }
}

/// Whether the text begins like PGN: with a tag pair, such as `[Event "…"]`.
fn begins_with_tag(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    let Some(rest) = text.strip_prefix(b"[") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let value = &rest[name..];
    name > 0 && value.first() == Some(&b' ') && value.trim_ascii_start().starts_with(b"\"")
}

/// Refuses filters that open files or start programs in files that only the project file finds: it
/// may be from somebody else, and its folders can have a file of any name that a query imports.
///
/// # Errors
/// One error for each such filter.
fn allow_no_access_of_project(
    source: &QuerySource,
    query: &TypedQuery,
) -> Result<(), Vec<Diagnostic>> {
    const HELP: &str =
        "if you trust the file, name its folder with --import-path or in $BABSON_PATH";
    let accesses = query.outside_access().into_iter();
    let errors: Vec<Diagnostic> = accesses
        .filter(|access| source.is_of_project(access.span))
        .map(|access| {
            let message = format!(
                "`{}` is forbidden in a file that only the `imports` of {} finds",
                access.filter,
                Project::FILE_NAME
            );
            Diagnostic::new(Code::ForbiddenAccess, access.span, message).with_help(HELP)
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The name of a query that options give, such as `<--cql>`.
pub(crate) fn of_options(filters: &[OptionFilter]) -> String {
    let mut names: Vec<String> = Vec::new();
    for filter in filters.iter().filter(|filter| filter.class.is_filter()) {
        let name = format!("--{}", filter.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    format!("<{}>", names.join(" "))
}

/// The path, with `.cql` added if there is no such file without it.
pub(crate) fn with_extension(path: &Path) -> PathBuf {
    let mut extended = path.as_os_str().to_owned();
    extended.push(".cql");
    let extended = PathBuf::from(extended);
    // The message about a missing database has the name as it was written.
    let is_database =
        || (may_be_database_name(path) || is_foreign_name(path)) && !extended.exists();
    if is_query_file(path) || path.exists() || is_database() { path.to_owned() } else { extended }
}

/// Parses and type-checks a query, and checks what it reaches. `change` sets the options of its
/// runs. Without them the query is only looked at, or run on single positions, so nobody asked to
/// leave variations out.
pub(crate) fn analyze(
    source: &QuerySource,
    reading: &ReadingOptions,
    change: impl FnOnce(QueryBuilder) -> QueryBuilder,
) -> Result<TypedQuery, Vec<Diagnostic>> {
    source.check()?;
    let (dialect, is_named) = source.dialect(reading)?;
    let mut builder = Query::builder(source.text.as_str())
        .spans(source.parts.clone())
        .variants(reading.variants.clone())
        .options(|options| options.variations = Some(true))
        .host(host(reading));
    if is_named {
        builder = builder.dialect(dialect);
    }
    let failed = |error: CompileError| with_topics(source, error.into_diagnostics());
    let typed = change(builder).analyze().map_err(failed)?;
    if reading.secure {
        allow_no_access(&typed)?;
    }
    allow_no_access_of_project(source, &typed)?;
    check_files(typed.header().input.as_ref(), typed.header().output.as_ref())?;
    Ok(typed)
}

/// Drops the fixes of diagnostics that do not mend the query.
pub(crate) fn test_fixes(
    source: &QuerySource,
    reading: &ReadingOptions,
    diagnostics: &mut [Diagnostic],
) {
    match source.dialect(reading) {
        Ok((dialect, _)) => {
            let (text, parts) = (&source.text, &source.parts);
            retain_sound_fixes(text, parts, dialect, &reading.variants, diagnostics);
        }
        // Without a dialect nothing can be tested. The name of another import is not tested anyway.
        Err(_) => diagnostics
            .iter_mut()
            .filter(|one| one.code != Code::ImportNotFound)
            .for_each(|one| one.fixes = Box::default()),
    }
}

/// The errors, with the command that prints what the book has on an unknown word: a recipe on
/// `zugzwang`.
fn with_topics(source: &QuerySource, mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for error in &mut errors {
        let word = error.span.text(&source.text);
        let is_unknown = matches!(error.code, Code::UnknownName | Code::UnknownFunction);
        // These have a better help.
        let is_explained = synonyms::find(word).is_some() || library_function(word).is_some();
        if is_unknown
            && !is_explained
            && let Some(command) = command_for(word)
        {
            let before = error.help.take().map_or(String::new(), |help| help + "; ");
            error.help = Some(format!("{before}see `{command}`"));
        }
    }
    errors
}

/// What queries reach outside of the games.
pub(crate) fn host(reading: &ReadingOptions) -> Arc<dyn Host> {
    if reading.secure {
        return Arc::new(RefusingHost);
    }
    let timeout = reading.pipe_timeout.unwrap_or(DEFAULT_PIPE_TIMEOUT);
    Arc::new(signals::system().host.with_pipe_timeout(timeout))
}

/// Compiles a query.
pub(crate) fn compile(typed: TypedQuery) -> Result<Query, Vec<Diagnostic>> {
    typed.compile().map_err(CompileError::into_diagnostics)
}

/// Checks the files that the header names, by the rules of `-i` and `-o`.
///
/// # Errors
/// One error for each file that is not allowed.
pub(crate) fn check_files(
    input: Option<&FileName>,
    output: Option<&FileName>,
) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    if let Some(input) = input {
        let path = Path::new(&input.name);
        // A folder may have any name. It need not exist if an option replaces it.
        let is_database = input.any_ending
            || is_stream(input)
            || may_be_database_name(path)
            || path.extension().is_none() && !path.is_file()
            || path.exists() && !path.is_file();
        if !is_database {
            let message = format!("`{}` cannot be an input", input.name);
            let help = match (foreign_refusal(path), input.name.strip_suffix([',', ';'])) {
                (_, Some(name)) => without_separator(name, input.span),
                (Some(why), None) => Help::from(why),
                (None, None) => {
                    Help::from(format!("{INPUT_NAMES}, or is a folder of such files, or `-`"))
                }
            };
            errors.push(Diagnostic::new(Code::NotAnInput, input.span, message).with_help(help));
        }
    }
    if let Some(output) = output
        && let Err(why) = OutputName::of_header(output)
    {
        let message = format!("`{}` cannot be an output", output.name);
        errors.push(Diagnostic::new(Code::NotAnOutput, output.span, message).with_help(why));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Whether the input of a header is standard input, and not a file of the system for it.
fn is_stream(input: &FileName) -> bool {
    matches!(input.name.as_str(), "-" | "stdin")
}

/// The help for `cql(input games.pgn, quiet)`, where the comma belongs to the name of the file.
fn without_separator(name: &str, parameter: Span) -> Help {
    let last = Span::new(parameter.end.saturating_sub(1), parameter.end);
    let help = format!("parameters follow each other without commas: write `input {name}`");
    Help::from(help).with(Fix::replace(last, ""))
}

/// Refuses queries that access files or programs (`--secure`) before anything is read or run: a
/// file in the header, even if an option replaces it, and filters that open files or start
/// programs.
///
/// # Errors
/// One error for each such file and filter.
fn allow_no_access(query: &TypedQuery) -> Result<(), Vec<Diagnostic>> {
    const HELP: &str = "with --secure a query sees nothing but the games";
    let mut errors = Vec::new();
    let header = query.header();
    let input = header.input.iter().filter(|file| !is_stream(file));
    let writes_file = |name: &str| {
        !matches!(
            OutputName::parse(name.as_ref(), None, FileFormat::of_name),
            Ok(OutputName::Stdout(_))
        )
    };
    let output = header.output.iter().filter(|file| writes_file(&file.name));
    for (file, role, option) in input
        .map(|file| (file, "an input", "-i"))
        .chain(output.map(|file| (file, "an output", "-o")))
    {
        let message = format!("`{}` as {role} of the query is forbidden by --secure", file.name);
        let help = format!("{HELP}: name the file with {option} instead");
        errors.push(Diagnostic::new(Code::ForbiddenAccess, file.span, message).with_help(help));
    }
    for access in query.outside_access() {
        let message = format!("`{}` is forbidden by --secure", access.filter);
        errors.push(Diagnostic::new(Code::ForbiddenAccess, access.span, message).with_help(HELP));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}
