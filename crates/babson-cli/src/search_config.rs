//! What a scan gets from the configurations: its settings, the options of its queries, its inputs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use babson::command::{FileIdentity, foreign_help, is_table_name};
use babson::compile::FileName;
use babson::files::SkipReason;
use babson::scan::Settings;
use babson::sink::DEFAULT_SEED;
use babson::{Input, Query, QueryBuilder, Scan, Task};
use babson_project::Project;

use crate::config::{Counting, SearchConfig};
use crate::failure::{ERROR_WITH_STATUS, Failure};
use crate::input_names::refusal;
use crate::limits::MAX_SHOWN_SKIPPED;
use crate::plural::plural;
use crate::query::{QueryFile, host};
use crate::show_name::ShowName as _;
use crate::{signals, terminal};

impl SearchConfig {
    /// Sets the options of the runs of a query. Settings without an option come from the header and
    /// from the dialect in which the query is read.
    pub(crate) fn build(&self, builder: QueryBuilder) -> QueryBuilder {
        let mut options = self.run.options.clone();
        options.cql6_output = self.outputs.cql6_output;
        options.host = host(&self.run.reading);
        builder.options(|run| *run = options).sort_match_count(self.run.sort_match_count)
    }

    /// A scan of inputs, without queries.
    pub(crate) fn scan(&self, inputs: Vec<Input>) -> Scan {
        Scan::of(inputs).settings(|settings| self.set(settings))
    }

    /// A query with its options, without outputs.
    pub(crate) fn task(&self, query: &Query) -> Task {
        let outputs = &self.outputs;
        let task = Task::new(query).tags(outputs.tags.clone()).safe_csv(outputs.safe_csv);
        let task = task.marks(outputs.marks).sorted(!self.run.unsorted);
        let task = with(task, self.run.limit, Task::limit);
        let task = with(task, outputs.fragment, Task::fragments);
        // Without an output nothing is written.
        let writes = !outputs.counts();
        let seed = outputs.seed.unwrap_or(DEFAULT_SEED);
        let task = with(task, outputs.top.filter(|_| writes), Task::top);
        let sample = outputs.sample.filter(|_| writes);
        let task = with(task, sample, |task, games| task.sample(games, seed));
        with(task, self.inputs.range, |task, (first, last)| task.range(first..=last))
    }

    /// The settings of the scan.
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        self.set(&mut settings);
        settings
    }

    /// Sets what the options decide of the settings, which are the default ones.
    fn set(&self, settings: &mut Settings) {
        let SearchConfig { inputs, outputs, run } = self;
        settings.threads = run.threads();
        settings.stop.deadline = run.timeout.and_then(|time| Instant::now().checked_add(time));
        settings.mapped = !inputs.unmapped;
        settings.rejects.clone_from(&outputs.rejects);
        settings.skip_unknown_variants = inputs.skip_unknown_variants;
        settings.unique = inputs.unique;
        settings.variants.clone_from(&run.reading.variants);
        settings.split = outputs.files;
        settings.needs_counts = outputs.prints_count();
        settings.dictionaries = run.console.show_dictionaries;
        settings.guard_stats = run.console.stats;
        settings.ledger = signals::system().ledger.clone();
    }

    /// Whether a message says that the games are counted because no output is named.
    pub(crate) fn tells_count(&self) -> bool {
        let is_default = self.outputs.counting == Counting::ByDefault;
        is_default && self.outputs.prints_count() && !self.run.console.no_summary
    }

    /// The exit code after a search: whether a query had an error, and whether any game matched.
    pub(crate) fn exit_code(&self, failed: bool, matched: bool) -> u8 {
        let of_error = if self.run.console.exit_status { ERROR_WITH_STATUS } else { 1 };
        match (failed, matched) {
            (true, _) => of_error,
            (false, true) => 0,
            (false, false) => u8::from(self.run.console.exit_status),
        }
    }

    /// The inputs that the options name, or else the header, or else standard input, if it is a
    /// pipe or a file, or else the project of the queries. `takes_unique` says whether the command
    /// can leave out equal games. A query that is read from standard input leaves no games there.
    pub(crate) fn open_inputs(
        &self,
        header: Option<&FileName>,
        takes_unique: bool,
        queries: &[QueryFile],
    ) -> Result<Vec<Input>, Failure> {
        let query_is_stdin = queries.iter().any(QueryFile::is_stdin);
        let options = self.inputs.names.iter().map(|name| (Path::new(name), false));
        let mut names: Vec<(&Path, bool)> = options.collect();
        if names.is_empty() {
            names.extend(header.map(|input| (Path::new(&input.name), input.any_ending)));
        }
        let mut inputs = Vec::new();
        if names.is_empty() {
            let project = QueryFile::common_project(queries, &self.run.reading)?;
            if !query_is_stdin && terminal::stdin_is_redirected() {
                names.push((Path::new("-"), true));
                if project.is_some() {
                    terminal::error_line(
                        "babson: the games are read from standard input, not from the database of \
                         the project (-i names games)",
                    );
                }
            } else if let Some(project) = project {
                inputs = inputs_of_project(&project)?;
            } else {
                return Err(Failure::Usage(format!(
                    "no games: name an input with -i FILE.pgn, or `database` in {}",
                    Project::FILE_NAME
                )));
            }
        }
        for (name, any_ending) in names {
            inputs.extend(expand_input(name, any_ending)?);
        }
        for input in &inputs {
            if let (Input::Remote(file), Some(cache)) = (input, self.inputs.cache) {
                file.set_cache(cache);
            }
        }
        let readers = inputs.iter().filter(|input| **input == Input::Stdin).count();
        if readers + usize::from(query_is_stdin) > 1 {
            return Err(Failure::Usage("stdin can be read only once".to_owned()));
        }
        if !self.inputs.unique {
            let or_unique = match takes_unique && self.inputs.resume.is_none() {
                true => ", or leave out equal games with --unique",
                false => "",
            };
            tell_repeated(&inputs, or_unique);
        }
        Ok(inputs)
    }
}

/// The task with a setting, if an option has its value.
fn with<T>(task: Task, value: Option<T>, set: impl FnOnce(Task, T) -> Task) -> Task {
    match value {
        Some(value) => set(task, value),
        None => task,
    }
}

/// The inputs of the databases of a project.
fn inputs_of_project(project: &Project) -> Result<Vec<Input>, Failure> {
    let of_project = |why| format!("{why} (a database of {})", project.file.shown());
    let mut inputs = Vec::new();
    for database in &project.databases {
        inputs.extend(expand_input(database, false).map_err(|failure| failure.map(of_project))?);
    }
    Ok(inputs)
}

/// The inputs of a name. A file must have the extension of a database, unless it may have any. A
/// folder or an archive with games that are not read, for their form or their name, gets a warning,
/// and so does a folder with databases of both kinds.
///
/// # Errors
/// It has another extension, or is a compressed file of something else; otherwise as
/// [`Input::expand`].
pub(crate) fn expand_input(name: &Path, any_ending: bool) -> Result<Vec<Input>, Failure> {
    let mut skipped = Vec::new();
    let inputs = Input::expand_with(name, &mut |path, reason| {
        skipped.push((path.to_owned(), reason));
    });
    tell_skipped(name, &skipped);
    let inputs = inputs?;
    if let [Input::File(path)] = inputs.as_slice()
        && !any_ending
        && path.is_file()
        && !name.is_dir()
        && let Some(why) = refusal(path)
    {
        return Err(Failure::Usage(format!("{}: {why}", name.shown())));
    }
    if let [input @ Input::Remote(file)] = inputs.as_slice()
        && file.is_insecure()
    {
        terminal::error_line(&format!(
            "babson: {}: the connection is not encrypted, so others can read and change the games \
             on their way: use https if the server has it",
            Path::new(&input.name()).shown()
        ));
    }
    let is_table = |input: &Input| matches!(input, Input::File(path) if is_table_name(path));
    let tables = inputs.iter().filter(|input| is_table(input)).count();
    if (1..inputs.len()).contains(&tables) {
        terminal::error_line(&format!(
            "babson: {} has PGN files and game tables: all are read, so a game that is in both is \
             read twice",
            name.shown()
        ));
    }
    Ok(inputs)
}

/// Tells of files that are inputs more than once, under whatever names, links and hard links, so
/// that all that is found in them comes again. `advice` ends the message.
pub(crate) fn tell_repeated(inputs: &[Input], advice: &str) {
    let mut files: HashMap<&Path, Option<Rc<FileIdentity>>> = HashMap::new();
    let mut times: HashMap<(Rc<FileIdentity>, Option<&str>), u32> = HashMap::new();
    let mut repeated: Vec<&Input> = Vec::new();
    let mut most = 0;
    for input in inputs {
        let (path, member) = match input {
            Input::File(path) => (path.as_path(), None),
            Input::Member(member) => (member.archive(), Some(member.name())),
            Input::Stdin | Input::Bytes { .. } | Input::Reader(_) | _ => continue,
        };
        // What is not a file, such as a pipe, cannot be read twice.
        let file = files.entry(path).or_insert_with(|| FileIdentity::of(path).map(Rc::new));
        let Some(file) = file else { continue };
        let count = times.entry((Rc::clone(file), member)).or_default();
        *count += 1;
        if *count == 2 {
            repeated.push(input);
        }
        most = most.max(*count);
    }
    let Some(first) = repeated.first().map(|input| Path::new(&input.name()).shown()) else {
        return;
    };
    let often = if most == 2 { "twice".to_owned() } else { format!("{most} times") };
    terminal::error_line(&match repeated.len() - 1 {
        0 => format!(
            "babson: {first} is an input {often}, so its games are searched {often}: name it \
             once{advice}"
        ),
        others => format!(
            "babson: {first} and {} are inputs more than once, so their games are searched again: \
             name each once{advice}",
            plural(others as u64, "other file", "other files")
        ),
    });
}

/// Tells of files in a folder or an archive that are not read: those that may hold games in another
/// form, those whose text begins as PGN does, and other members of an archive.
fn tell_skipped(folder: &Path, files: &[(PathBuf, SkipReason)]) {
    let of = |wanted: SkipReason| -> Vec<&PathBuf> {
        files.iter().filter(|(_, reason)| *reason == wanted).map(|(file, _)| file).collect()
    };
    let folder = folder.shown();
    let foreign = of(SkipReason::Foreign);
    if !foreign.is_empty() {
        terminal::error_line(&format!(
            "babson: skipped {} of {folder} that may hold games: {}",
            plural(foreign.len() as u64, "file", "files"),
            foreign_files(&foreign),
        ));
    }
    let not_named = of(SkipReason::NotNamed);
    if !not_named.is_empty() {
        terminal::error_line(&format!(
            "babson: skipped {} of {folder} {}: {}",
            plural(not_named.len() as u64, "file", "files"),
            match not_named.len() {
                1 => "that begins as PGN does, but is not named .pgn",
                _ => "that begin as PGN does, but are not named .pgn",
            },
            first_names(&not_named),
        ));
    }
    let not_pgn = of(SkipReason::NotPgn);
    if !not_pgn.is_empty() {
        terminal::error_line(&format!(
            "babson: skipped {} of {folder} {}: {}",
            plural(not_pgn.len() as u64, "member", "members"),
            match not_pgn.len() {
                1 => "that is not PGN by its name or its first bytes",
                _ => "that are not PGN by their names or their first bytes",
            },
            first_names(&not_pgn),
        ));
    }
}

/// The names of the first of some files.
fn first_names(files: &[&PathBuf]) -> String {
    let mut names: Vec<String> =
        files.iter().take(MAX_SHOWN_SKIPPED).map(|file| file.shown()).collect();
    if files.len() > MAX_SHOWN_SKIPPED {
        names.push("…".to_owned());
    }
    names.join(", ")
}

/// Files that may hold games in a form that is not read, those that need the same program together,
/// with what helps.
fn foreign_files(files: &[&PathBuf]) -> String {
    let mut groups: Vec<(&str, Vec<&PathBuf>)> = Vec::new();
    for file in files {
        let Some(help) = foreign_help(file) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == help) {
            Some((_, group)) => group.push(file),
            None => groups.push((help, vec![file])),
        }
    }
    let group = |(help, group): (&str, Vec<&PathBuf>)| {
        let help = match group.len() {
            1 => help.to_owned(),
            _ => help.replace(" it ", " them ").replace("its games", "their games"),
        };
        format!("{} ({help})", first_names(&group))
    };
    groups.into_iter().map(group).collect::<Vec<_>>().join("; ")
}
