//! The configuration of a search: everything that options set except filters.

mod options;

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use babson::files::{FileIdentity, SkipReason, foreign_help, is_table_name};
use babson::pgn::Layout;
use babson::sink::{
    Columns, DEFAULT_SEED, Destination, FileFormat, FragmentLength, GroupKeys, SplitRules,
    TagChoice,
};
use babson::table::Compression;
use babson::{Dialect, FileName, Input, QueryBuilder, RunOptions, Scan, Settings};

use crate::failure::{ERROR_WITH_STATUS, Failure};
use crate::input_names::refusal;
use crate::limits::MAX_SHOWN_SKIPPED;
use crate::options::{OptionId, ParsedOption};
use crate::plural::plural;
use crate::reading_options::ReadingOptions;
use crate::show_name::ShowName as _;
use crate::{signals, terminal};

/// What `--parse` and `--lex` print of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShowMode {
    Tokens,
    /// The tokens and the typed tree.
    Tree,
}

/// The options of a search except its filters.
pub(crate) struct SearchConfig {
    /// How queries are read.
    pub(crate) reading: ReadingOptions,
    pub(crate) outputs: Vec<OsString>,
    pub(crate) count: bool,
    /// Whether the number of matching games is printed, if they are only counted.
    pub(crate) prints_count: bool,
    /// Whether a message says that the games are counted because no output is named.
    pub(crate) counts_by_default: bool,
    /// Where the games that do not match are written.
    pub(crate) nonmatching: Option<OsString>,
    /// Whether the exit code tells whether a game matched.
    exit_status: bool,
    /// The format of outputs whose names say none.
    pub(crate) format: Option<FileFormat>,
    /// The columns of outputs that have them.
    pub(crate) columns: Option<Columns>,
    /// Whether the command line itself names the columns.
    pub(crate) wants_columns: bool,
    /// The keys of `--group`.
    pub(crate) groups: Option<GroupKeys>,
    /// Where the text of damaged games is written.
    pub(crate) rejects: Option<Destination>,
    pub(crate) threads: usize,
    pub(crate) progress: bool,
    /// Whether the last line tells what was found.
    pub(crate) summary: bool,
    pub(crate) show_matches: bool,
    /// Games between two lines of progress.
    pub(crate) increment: Option<u64>,
    pub(crate) create_directories: bool,
    pub(crate) no_clobber: bool,
    pub(crate) dry_run: bool,
    max_open: usize,
    /// Files to which matches are appended.
    pub(crate) appends: Vec<OsString>,
    pub(crate) show_dictionaries: bool,
    /// How game tables are compressed.
    pub(crate) compression: Compression,
    /// Whether the games that the conditions of a query let through are counted.
    stats: bool,
    /// Whether no cell of a CSV may be a formula.
    pub(crate) safe_csv: bool,
    /// What is printed of the query instead of searching.
    pub(crate) show: Option<ShowMode>,
    /// Whether trees are drawn with line characters.
    pub(crate) line_characters: bool,
    /// Whether the compiled query is printed.
    pub(crate) debug: bool,
    /// Whether results are printed as lines for programs.
    pub(crate) gui: bool,
    /// Whether the matches are printed on standard output, in an element.
    pub(crate) gui_stdout: bool,
    /// `--sortmatchcount`.
    sort_match_count: bool,
    tags: TagChoice,
    skip_unknown_variants: bool,
    /// Whether games that are equal to earlier ones are left out.
    pub(crate) unique: bool,
    inputs: Vec<OsString>,
    /// Whether a query is read from standard input, which then has no games.
    pub(crate) query_is_stdin: bool,
    /// Whether plain files are mapped.
    pub(crate) mapped: bool,
    /// The folder of the parts of finished slices.
    pub(crate) resume: Option<PathBuf>,
    /// The games that are searched.
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) limit: Option<u64>,
    /// `--top`.
    pub(crate) top: Option<u64>,
    /// `--sample`.
    pub(crate) sample: Option<u64>,
    /// `--seed`.
    pub(crate) seed: Option<u64>,
    /// `--fragment`.
    pub(crate) fragment: Option<FragmentLength>,
    pub(crate) sort: bool,
    run: RunOptions,
    /// Whether matches are marked in PGN.
    pub(crate) marks: bool,
    /// Whether a `.pgn` of several queries has each game once.
    pub(crate) overlay: bool,
    /// Whether the command line itself asks for that.
    pub(crate) wants_overlay: bool,
    /// `--cql6-output`.
    pub(crate) cql6_output: bool,
    /// The layout of PGN outputs: of Babson, and of CQL 6.2.
    layouts: [Layout; 2],
    /// The options of the command line about tags and layout, as they were written.
    pub(crate) layout_options: Vec<String>,
    /// Whether the command line has an option that only a game table heeds.
    pub(crate) needs_table: bool,
}

impl SearchConfig {
    pub(crate) fn new(options: &[ParsedOption]) -> Result<SearchConfig, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut config = SearchConfig::without_options(ReadingOptions::new(options)?, cores);
        for option in options {
            config.take(option, cores)?;
        }
        // An option of the command line overrides a default option.
        let written: Vec<_> = options.iter().filter(|option| !option.is_default).collect();
        let has = |id| written.iter().any(|option| option.id == id);
        if has(OptionId::Quiet) && has(OptionId::Silent) {
            return Err(Failure::Usage("--quiet and --silent exclude each other".to_owned()));
        }
        if config.unique && config.resume.is_some() {
            return Err(Failure::Usage(
                "--unique compares all games, and --resume searches slices: pack the games with \
                 --unique, and search the table with --resume"
                    .to_owned(),
            ));
        }
        config.check_groups()?;
        let layout = written.iter().filter(|option| option.is_layout());
        config.layout_options = layout.map(|option| format!("--{}", option.written)).collect();
        config.layout_options.dedup();
        config.needs_table = config.compression != Compression::None && has(OptionId::Compress);
        Ok(config)
    }

    /// The configuration of a search without options.
    fn without_options(reading: ReadingOptions, cores: usize) -> SearchConfig {
        SearchConfig {
            reading,
            outputs: Vec::new(),
            count: false,
            prints_count: true,
            counts_by_default: false,
            nonmatching: None,
            exit_status: false,
            format: None,
            columns: None,
            wants_columns: false,
            groups: None,
            rejects: None,
            threads: cores,
            summary: true,
            progress: true,
            show_matches: false,
            increment: None,
            create_directories: false,
            no_clobber: false,
            dry_run: false,
            max_open: SplitRules::default().max_open,
            appends: Vec::new(),
            show_dictionaries: false,
            compression: Compression::None,
            stats: false,
            safe_csv: false,
            show: None,
            line_characters: false,
            debug: false,
            gui: false,
            gui_stdout: false,
            sort_match_count: false,
            tags: TagChoice::default(),
            skip_unknown_variants: false,
            unique: false,
            inputs: Vec::new(),
            query_is_stdin: false,
            mapped: true,
            resume: None,
            range: None,
            limit: None,
            top: None,
            sample: None,
            seed: None,
            fragment: None,
            sort: true,
            run: RunOptions::default(),
            marks: false,
            overlay: false,
            wants_overlay: false,
            cql6_output: false,
            layouts: [Layout::CQLI, Layout::CQL6],
            layout_options: Vec::new(),
            needs_table: false,
        }
    }

    /// Checks that no option contradicts `--group`.
    fn check_groups(&self) -> Result<(), Failure> {
        let others = [
            (self.count, "--count prints one number"),
            (self.wants_columns, "--columns is for rows of matches"),
            (self.gui || self.gui_stdout, "--gui prints results for programs"),
        ];
        match others.iter().find(|other| other.0).filter(|_| self.groups.is_some()) {
            Some((_, why)) => Err(Failure::Usage(format!("--group writes a table, and {why}"))),
            None => Ok(()),
        }
    }

    /// What tells the format of an output by its name.
    pub(crate) fn format_of_name(&self) -> fn(&str) -> Option<FileFormat> {
        match self.groups {
            Some(_) => FileFormat::of_name_or_text,
            None => FileFormat::of_name,
        }
    }

    /// Sets the options of the runs of a query. Settings without an option come from the header and
    /// from the dialect in which the query is read.
    pub(crate) fn build(&self, builder: QueryBuilder) -> QueryBuilder {
        let mut options = self.run.clone();
        options.cql6_output = self.cql6_output;
        options.host = self.reading.host();
        builder.options(|run| *run = options).sort_match_count(self.sort_match_count)
    }

    /// The layout of the matches of a query that was read in this dialect.
    pub(crate) fn layout(&self, dialect: Dialect) -> Layout {
        self.layouts[usize::from(self.cql6_output || !dialect.separate_comments)]
    }

    /// A scan of inputs, without queries.
    pub(crate) fn scan(&self, inputs: Vec<Input>) -> Scan {
        let scan = Scan::of(inputs).settings(|settings| self.set(settings));
        let scan = scan.tags(self.tags.clone()).safe_cells(self.safe_csv);
        let scan = scan.marks(self.marks).sorted(self.sort);
        let scan = match self.limit {
            Some(limit) => scan.limit(limit),
            None => scan,
        };
        let scan = match self.fragment {
            Some(length) => scan.fragments(length),
            None => scan,
        };
        // Without an output nothing is written.
        let scan = match (self.top, self.sample) {
            _ if self.count => scan,
            (Some(top), _) => scan.top(top),
            (None, Some(games)) => scan.sample(games, self.seed.unwrap_or(DEFAULT_SEED)),
            (None, None) => scan,
        };
        match self.range {
            Some((first, last)) => scan.range(first..=last),
            None => scan,
        }
    }

    /// What the summary says of the matches that are written, if not all are; `of_each` if there
    /// are several queries, otherwise `matches` is their number.
    pub(crate) fn chosen(&self, matches: Option<u64>) -> String {
        let number = |games: u64| matches.map_or(games, |matches| games.min(matches));
        let of_each = if matches.is_none() { " of each" } else { "" };
        match (self.top, self.sample) {
            _ if self.count => String::new(),
            (Some(top), _) => format!(", the best {}{of_each}", number(top)),
            (None, Some(games)) => format!(", {} at random{of_each}", number(games)),
            (None, None) => String::new(),
        }
    }

    /// Sets the settings of the scan.
    fn set(&self, settings: &mut Settings) {
        settings.threads = self.threads;
        settings.mapped = self.mapped;
        settings.rejects.clone_from(&self.rejects);
        settings.skip_unknown_variants = self.skip_unknown_variants;
        settings.unique = self.unique;
        settings.variants.clone_from(&self.reading.variants);
        settings.split = SplitRules {
            create_directories: self.create_directories,
            no_clobber: self.no_clobber,
            max_open: self.max_open,
            dry_run: self.dry_run,
        };
        settings.needs_counts = self.count && self.prints_count;
        settings.dictionaries = self.show_dictionaries;
        settings.guard_stats = self.stats;
        settings.ledger = signals::system().ledger.clone();
    }

    /// The exit code after a search: whether a query had an error, and whether any game matched.
    pub(crate) fn exit_code(&self, failed: bool, matched: bool) -> u8 {
        let of_error = if self.exit_status { ERROR_WITH_STATUS } else { 1 };
        match (failed, matched) {
            (true, _) => of_error,
            (false, true) => 0,
            (false, false) => u8::from(self.exit_status),
        }
    }

    /// Adds an input to those of the options.
    pub(crate) fn add_input(&mut self, name: OsString) {
        self.inputs.push(name);
    }

    /// The inputs: those of the options, otherwise that of the header. `takes_unique` says whether
    /// the command can leave out equal games.
    pub(crate) fn inputs(
        &self,
        header: Option<&FileName>,
        takes_unique: bool,
    ) -> Result<Vec<Input>, Failure> {
        let options = self.inputs.iter().map(|name| (Path::new(name), false));
        let mut names: Vec<(&Path, bool)> = options.collect();
        if names.is_empty() {
            names.extend(header.map(|input| (Path::new(&input.name), input.any_ending)));
        }
        if names.is_empty() && !self.query_is_stdin && terminal::stdin_is_redirected() {
            names.push((Path::new("-"), true));
        }
        if names.is_empty() {
            return Err(Failure::Usage("no games: name an input with -i FILE.pgn".to_owned()));
        }
        let mut inputs = Vec::new();
        for (name, any_ending) in names {
            inputs.extend(expand_input(name, any_ending)?);
        }
        let readers = inputs.iter().filter(|input| **input == Input::Stdin).count();
        if readers + usize::from(self.query_is_stdin) > 1 {
            return Err(Failure::Usage("stdin can be read only once".to_owned()));
        }
        if !self.unique {
            let or_unique = match takes_unique && self.resume.is_none() {
                true => ", or leave out equal games with --unique",
                false => "",
            };
            tell_repeated(&inputs, or_unique);
        }
        Ok(inputs)
    }
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
            Input::Stdin | Input::Bytes { .. } | Input::Reader(_) => continue,
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
