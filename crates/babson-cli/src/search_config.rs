//! The configuration of a search: everything that options set except filters.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use babson::files::{is_table_name, may_be_database_name};
use babson::pgn::Layout;
use babson::sink::{
    Columns, Destination, FileFormat, FragmentLength, GroupKeys, SplitRules, TagChoice,
};
use babson::table::Compression;
use babson::{CommentLevel, Dialect, FileName, Input, QueryBuilder, RunOptions, Scan, Settings};
use regex::bytes::Regex;

use crate::failure::{ERROR_WITH_STATUS, Failure};
use crate::options::{OptionId, ParsedOption};
use crate::output_name::is_stdout;
use crate::query::ReadingOptions;
use crate::run::summary::plural;
use crate::{signals, terminal};

/// What `--parse` and `--lex` print of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShowMode {
    Tokens,
    /// The tokens and the typed tree.
    Tree,
}

/// A regular expression for the names of tags.
fn pattern(option: &ParsedOption) -> Result<Regex, Failure> {
    Regex::new(option.word()).map_err(|error| Failure::Usage(format!("--{}: {error}", option.name)))
}

/// The value of `--compress`.
fn compression(option: &ParsedOption) -> Result<Compression, Failure> {
    match option.word() {
        "none" => Ok(Compression::None),
        "zstd" => Ok(Compression::Zstd),
        other => Err(Failure::Usage(format!("--compress: '{other}' is not none or zstd"))),
    }
}

/// The value of `--format`.
fn format(option: &ParsedOption) -> Result<FileFormat, Failure> {
    let word = option.word();
    // A table is not text, and is written to a file only.
    FileFormat::of_name(&format!(".{word}"))
        .filter(|format| *format != FileFormat::Arrow)
        .ok_or_else(|| {
            let why = match word {
                "arrow" => {
                    "a game table is written to a file: name it with -o FILE.arrow".to_owned()
                }
                other => format!("'{other}' is not pgn, jsonl, csv, epd or html"),
            };
            Failure::Usage(format!("--format: {why}"))
        })
}

/// The destination of `--rejects`. The names of standard output are those of `-o`.
fn rejects(name: &OsStr) -> Destination {
    match is_stdout(name) {
        true => Destination::Stdout,
        false => Destination::File(PathBuf::from(name)),
    }
}

/// The options of a search except its filters.
pub(crate) struct SearchConfig {
    /// How queries are read.
    pub(crate) reading: ReadingOptions,
    pub(crate) outputs: Vec<OsString>,
    pub(crate) count: bool,
    /// Whether the number of matching games is printed, if they are only counted.
    pub(crate) prints_count: bool,
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
        let mut config = SearchConfig {
            reading: ReadingOptions::new(options)?,
            outputs: Vec::new(),
            count: false,
            prints_count: true,
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
            inputs: Vec::new(),
            query_is_stdin: false,
            mapped: true,
            resume: None,
            range: None,
            limit: None,
            top: None,
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
        };
        for option in options {
            config.take(option, cores)?;
        }
        // An option of the command line overrides a default option.
        let written: Vec<_> = options.iter().filter(|option| !option.is_default).collect();
        let has = |id| written.iter().any(|option| option.id == id);
        if has(OptionId::Quiet) && has(OptionId::Silent) {
            return Err(Failure::Usage("--quiet and --silent exclude each other".to_owned()));
        }
        config.check_groups()?;
        let layout = written.iter().filter(|option| option.is_layout());
        config.layout_options = layout.map(|option| format!("--{}", option.written)).collect();
        config.layout_options.dedup();
        config.needs_table = config.compression != Compression::None && has(OptionId::Compress);
        Ok(config)
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

    fn take(&mut self, option: &ParsedOption, cores: usize) -> Result<(), Failure> {
        let number = || option.word().parse::<u64>().unwrap_or(u64::MAX);
        let count = |number: i64| {
            i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
        };
        match option.id {
            OptionId::Input => self.inputs.push(option.file.clone()),
            OptionId::NoMmap => self.mapped = false,
            OptionId::Resume => self.resume = Some(PathBuf::from(&option.file)),
            OptionId::Vi => self.inputs.push("HHdbVI.pgn".into()),
            OptionId::Vii => self.inputs.push("HHdbVII.pgn".into()),
            OptionId::Output => self.outputs.push(option.file.clone()),
            OptionId::Count => self.count = true,
            OptionId::Nonmatching => self.nonmatching = Some(option.file.clone()),
            OptionId::ExitStatus => self.exit_status = true,
            OptionId::Rejects => self.rejects = Some(rejects(&option.file)),
            OptionId::Range => {
                let (low, high) = option.range();
                let clip = |number: i64| u64::try_from(number).unwrap_or(0);
                self.range = Some((clip(low), clip(high)));
            }
            OptionId::MatchCount => {
                let (low, high) = option.range();
                self.run.match_count = Some((count(low), count(high)));
            }
            OptionId::Limit => self.limit = Some(number()),
            OptionId::Top => self.top = Some(number()),
            OptionId::First => self.run.first_match = true,
            OptionId::Fragment => {
                self.fragment = Some(match option.words.is_empty() {
                    true => FragmentLength::ToEnd,
                    false => FragmentLength::Plies(u32::try_from(number()).unwrap_or(u32::MAX)),
                });
            }
            OptionId::Variations | OptionId::VirtualMainLine => self.run.variations = Some(true),
            OptionId::MainLine => self.run.variations = Some(false),
            OptionId::SingleThreaded => self.threads = 1,
            OptionId::MultiThreaded => self.threads = cores,
            OptionId::Threads => self.threads = usize::try_from(number()).unwrap_or(usize::MAX),
            OptionId::MatchString => self.run.match_string = Some(option.word().to_owned()),
            OptionId::NoHeader => self.run.header = false,
            OptionId::Quiet => self.run.comment_level = CommentLevel::Quiet,
            OptionId::Silent => self.run.comment_level = CommentLevel::Silent,
            OptionId::AlwaysComment => self.run.always_comment = true,
            OptionId::NoSortComments => self.run.no_sort_comments = true,
            OptionId::KeepAllBest => self.run.keep_all_best = true,
            OptionId::UniqueComments => self.run.unique_comments = option.on,
            OptionId::NoRemoveComment => self.run.no_remove_comment = true,
            OptionId::NoSetTag => self.run.no_set_tag = true,
            OptionId::NoRemoveTag => self.run.no_remove_tag = true,
            OptionId::NoSort => self.sort = false,
            OptionId::LineIncrement => self.increment = Some(number()),
            OptionId::Format => self.format = Some(format(option)?),
            OptionId::Columns => {
                let columns = Columns::parse(option.word());
                let wrong = |error| Failure::Usage(format!("--columns: {error}"));
                self.columns = Some(columns.map_err(wrong)?);
                self.wants_columns |= !option.is_default;
            }
            OptionId::Group => {
                let wrong = |error| Failure::Usage(format!("--group: {error}"));
                self.groups = Some(GroupKeys::parse(option.word()).map_err(wrong)?);
            }
            OptionId::NoProgress => self.progress = false,
            OptionId::NoSummary => {
                self.progress = false;
                self.summary = false;
            }
            OptionId::ShowOutput => self.progress = true,
            OptionId::ShowMatches => self.show_matches = true,
            OptionId::Append => self.appends.push(option.file.clone()),
            OptionId::SortMatchCount => {
                self.sort_match_count = true;
                if !option.words.is_empty() {
                    let (low, high) = option.range();
                    self.run.match_count = Some((count(low), count(high)));
                }
            }
            OptionId::IncludeTags => self.tags.only.push(pattern(option)?),
            OptionId::ExcludeTags => self.tags.never.push(pattern(option)?),
            OptionId::SkipUnknownVariants => self.skip_unknown_variants = true,
            OptionId::ShowDictionaries => self.show_dictionaries = true,
            OptionId::Stats => self.stats = true,
            OptionId::Parse => self.show = Some(ShowMode::Tree),
            OptionId::Lex => self.show = self.show.or(Some(ShowMode::Tokens)),
            OptionId::ConsoleUnicode => self.line_characters = option.on,
            OptionId::Debug => self.debug = true,
            OptionId::Gui => self.gui = true,
            OptionId::GuiStdin => self.inputs.push("-".into()),
            OptionId::GuiStdout => self.gui_stdout = true,
            OptionId::NoLinearize => self.run.no_linearize = true,
            OptionId::CoalesceComments => {
                self.each_layout(|layout| layout.coalesce_comments = option.on)
            }
            OptionId::CompactComments => {
                self.each_layout(|layout| layout.compact_comments = option.on)
            }
            OptionId::CompactMoves => self.each_layout(|layout| layout.compact_moves = option.on),
            OptionId::CompactVariations => {
                self.each_layout(|layout| layout.compact_variations = option.on)
            }
            OptionId::ElideComments => self.each_layout(|layout| layout.elide_comments = option.on),
            OptionId::ElideNags => self.each_layout(|layout| layout.elide_nags = option.on),
            OptionId::ElideVariations => {
                self.each_layout(|layout| layout.elide_variations = option.on)
            }
            OptionId::MoveNumbers => self.each_layout(|layout| layout.move_numbers = option.on),
            OptionId::NumberAfterComment => {
                self.each_layout(|layout| layout.number_after_comment = option.on)
            }
            OptionId::NumberAfterNag => {
                self.each_layout(|layout| layout.number_after_nag = option.on)
            }
            OptionId::SplitMoves => self.each_layout(|layout| layout.split_moves = option.on),
            OptionId::Marks => self.marks = true,
            OptionId::Overlay => {
                self.overlay = true;
                self.wants_overlay |= !option.is_default;
            }
            OptionId::SafeCsv => self.safe_csv = true,
            OptionId::Compress => self.compression = compression(option)?,
            OptionId::Cql6Output => self.cql6_output = true,
            OptionId::LineWidth => self.each_layout(|layout| {
                layout.width = usize::try_from(number()).unwrap_or(usize::MAX)
            }),
            OptionId::OutputBuffer => {
                // The maximum of CQL 6.2.
                let limit = number().min(100_000_000) as usize;
                self.each_layout(|layout| {
                    if let Some(rules) = &mut layout.cql6 {
                        rules.game_limit = limit;
                    }
                });
            }
            OptionId::Steps => self.run.steps = number(),
            OptionId::CreateDirectories => self.create_directories = true,
            OptionId::NoClobber => self.no_clobber = true,
            OptionId::DryRun => self.dry_run = true,
            OptionId::MaxOpen => self.max_open = usize::try_from(number()).unwrap_or(usize::MAX),
            // Filters and transforms become a part of the query.
            OptionId::Cql
            | OptionId::Player
            | OptionId::White
            | OptionId::Black
            | OptionId::Event
            | OptionId::Site
            | OptionId::ResultTag
            | OptionId::Year
            | OptionId::Fen
            | OptionId::Wtm
            | OptionId::Btm
            | OptionId::Assign
            | OptionId::SimilarPosition
            | OptionId::Hhdb
            | OptionId::Transform => {}
            // These decide how the query is read and what it reaches.
            OptionId::Dialect
            | OptionId::Secure
            | OptionId::ImportPath
            | OptionId::PipeTimeout
            | OptionId::VariantAlias
            | OptionId::Color
            | OptionId::AnsiColors => {}
            // These options print something instead of searching.
            OptionId::ToUnicode
            | OptionId::ToUtf8
            | OptionId::ToHtml
            | OptionId::Echo
            | OptionId::Colorize
            | OptionId::Help
            | OptionId::Version
            | OptionId::License => {}
            OptionId::NoConfig | OptionId::Always => {}
            // No search has the options of one command.
            OptionId::Json
            | OptionId::Slices
            | OptionId::Slice
            | OptionId::PartOutput
            | OptionId::TableOutput
            | OptionId::CheckTable
            | OptionId::CheckStyle
            | OptionId::ConvertTo
            | OptionId::ConvertedQuery
            | OptionId::Legal
            | OptionId::Reachable
            | OptionId::Reverse
            | OptionId::Variant
            | OptionId::Divide
            | OptionId::Markdown
            | OptionId::Ply => {}
        }
        Ok(())
    }

    fn each_layout(&mut self, change: impl Fn(&mut Layout)) {
        self.layouts.iter_mut().for_each(change);
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
        let scan = match self.top.filter(|_| !self.count) {
            Some(top) => scan.top(top),
            None => scan,
        };
        match self.range {
            Some((first, last)) => scan.range(first..=last),
            None => scan,
        }
    }

    /// Sets the settings of the scan.
    fn set(&self, settings: &mut Settings) {
        settings.threads = self.threads;
        settings.mapped = self.mapped;
        settings.rejects.clone_from(&self.rejects);
        settings.skip_unknown_variants = self.skip_unknown_variants;
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

    /// The inputs: those of the options, otherwise that of the header.
    pub(crate) fn inputs(&self, header: Option<&FileName>) -> Result<Vec<Input>, Failure> {
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
        Ok(inputs)
    }
}

/// What the name of an input must be, in a sentence.
pub(crate) const INPUT_NAMES: &str =
    "an input ends in .pgn, .txt, .gz, .zst, .xz, .bz2, .zip, .arrow or .feather";

/// The inputs of a name. A file must have the extension of a database, unless it may have any. A
/// folder with databases of both kinds is read with a warning, and so is one with games in a form
/// that is not read.
///
/// # Errors
/// It has another extension; otherwise as [`Input::expand`].
pub(crate) fn expand_input(name: &Path, any_ending: bool) -> Result<Vec<Input>, Failure> {
    let mut skipped = Vec::new();
    let inputs = Input::expand_with(name, &mut |path| skipped.push(path.display().to_string()));
    tell_skipped(name, &skipped);
    let inputs = inputs?;
    if let [Input::File(path)] = inputs.as_slice()
        && !any_ending
        && path.is_file()
        && !may_be_database_name(path)
        && !name.is_dir()
    {
        return Err(Failure::Usage(format!("{}: {INPUT_NAMES}", name.display())));
    }
    let is_table = |input: &Input| matches!(input, Input::File(path) if is_table_name(path));
    let tables = inputs.iter().filter(|input| is_table(input)).count();
    if (1..inputs.len()).contains(&tables) {
        terminal::error_line(&format!(
            "babson: {} has PGN files and game tables: all are read, so a game that is in both is \
             read twice",
            name.display()
        ));
    }
    Ok(inputs)
}

/// Tells of files in a folder that are not read, though they may hold games.
fn tell_skipped(folder: &Path, files: &[String]) {
    const MOST: usize = 3;
    if files.is_empty() {
        return;
    }
    let mut names = files[..files.len().min(MOST)].join(", ");
    if files.len() > MOST {
        names.push_str(", …");
    }
    terminal::error_line(&format!(
        "babson: skipped {} of {} that may hold games ({names}): unpack or convert them to .pgn",
        plural(files.len() as u64, "file", "files"),
        folder.display(),
    ));
}
