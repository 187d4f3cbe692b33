//! The configuration of a search: everything that options set except filters.

use std::path::PathBuf;
use std::time::Duration;

use babson_engine::{Destination, Input, Job, Settings, SplitRules, TagChoice, is_database_name};
use babson_lang::Dialect;
use babson_lang::hir::{CommentLevel, FileName};
use babson_pgn::Layout;
use babson_vm::RunOptions;
use regex::bytes::Regex;

use crate::failure::Failure;
use crate::options::{Id, ParsedOption};
use crate::output_name::is_stdout;
use crate::query::{self, ReadingOptions};
use crate::render::Color;

/// What `--parse` and `--lex` print of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    Tokens,
    /// The tokens and the typed tree.
    Tree,
}

/// A regular expression for the names of tags.
fn pattern(option: &ParsedOption) -> Result<Regex, Failure> {
    Regex::new(option.word()).map_err(|error| Failure::Usage(format!("--{}: {error}", option.name)))
}

/// The destination of `--rejects`. The names of standard output are those of `-o`.
fn rejects(name: &str) -> Destination {
    match is_stdout(name) {
        true => Destination::Stdout,
        false => Destination::File(PathBuf::from(name)),
    }
}

/// The options of a search except its filters.
pub(crate) struct SearchConfig {
    /// How queries are read.
    pub(crate) reading: ReadingOptions,
    pub(crate) color: Color,
    pub(crate) outputs: Vec<String>,
    pub(crate) count: bool,
    /// Where the text of damaged games is written.
    pub(crate) rejects: Option<Destination>,
    pub(crate) threads: usize,
    pub(crate) progress: bool,
    pub(crate) show_matches: bool,
    /// Games between two lines of progress.
    pub(crate) increment: Option<u64>,
    pub(crate) create_directories: bool,
    pub(crate) no_clobber: bool,
    pub(crate) dry_run: bool,
    max_open: usize,
    /// Files to which matches are appended.
    pub(crate) appends: Vec<String>,
    pub(crate) show_dictionaries: bool,
    /// Whether no cell of a CSV may be a formula.
    pub(crate) safe_csv: bool,
    /// What is printed of the query instead of searching.
    pub(crate) show: Option<Show>,
    /// Whether trees are drawn with line characters.
    pub(crate) line_characters: bool,
    /// Whether the compiled query is printed.
    pub(crate) debug: bool,
    /// Whether results are printed as lines for programs.
    pub(crate) gui: bool,
    /// Whether the matches are printed on standard output, in an element.
    pub(crate) gui_stdout: bool,
    /// `--sortmatchcount`.
    pub(crate) sort_match_count: bool,
    tags: TagChoice,
    skip_unknown_variants: bool,
    inputs: Vec<String>,
    range: Option<(u64, u64)>,
    limit: Option<u64>,
    sort: bool,
    run: RunOptions,
    /// `--cql6-output`.
    cql6_output: bool,
    /// The layout of PGN outputs: of Babson, and of CQL 6.2.
    layouts: [Layout; 2],
}

impl SearchConfig {
    pub(crate) fn new(options: &[ParsedOption]) -> Result<SearchConfig, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut config = SearchConfig {
            reading: ReadingOptions {
                variants: query::variant_names(options)?,
                ..ReadingOptions::default()
            },
            color: Color::Auto,
            outputs: Vec::new(),
            count: false,
            rejects: None,
            threads: cores,
            progress: true,
            show_matches: false,
            increment: None,
            create_directories: false,
            no_clobber: false,
            dry_run: false,
            max_open: SplitRules::default().max_open,
            appends: Vec::new(),
            show_dictionaries: false,
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
            range: None,
            limit: None,
            sort: true,
            run: RunOptions::default(),
            cql6_output: false,
            layouts: [Layout::CQLI, Layout::CQL6],
        };
        for option in options {
            config.take(option, cores)?;
        }
        // An option of the command line overrides a default option.
        let is_written = |id| options.iter().any(|option| option.id == id && !option.is_default);
        if is_written(Id::Quiet) && is_written(Id::Silent) {
            return Err(Failure::Usage("--quiet and --silent exclude each other".to_owned()));
        }
        Ok(config)
    }

    fn take(&mut self, option: &ParsedOption, cores: usize) -> Result<(), Failure> {
        let number = || option.word().parse::<u64>().unwrap_or(u64::MAX);
        let count = |number: i64| {
            i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
        };
        self.reading.take(option)?;
        match option.id {
            Id::Input => self.inputs.push(option.word().to_owned()),
            Id::Vi => self.inputs.push("HHdbVI.pgn".to_owned()),
            Id::Vii => self.inputs.push("HHdbVII.pgn".to_owned()),
            Id::Output => self.outputs.push(option.word().to_owned()),
            Id::Count => self.count = true,
            Id::Rejects => self.rejects = Some(rejects(option.word())),
            Id::Range => {
                let (low, high) = option.range();
                let clip = |number: i64| u64::try_from(number).unwrap_or(0);
                self.range = Some((clip(low), clip(high)));
            }
            Id::MatchCount => {
                let (low, high) = option.range();
                self.run.match_count = Some((count(low), count(high)));
            }
            Id::Limit => self.limit = Some(number()),
            Id::Variations | Id::VirtualMainLine => self.run.variations = Some(true),
            Id::MainLine => self.run.variations = Some(false),
            Id::SingleThreaded => self.threads = 1,
            Id::MultiThreaded => self.threads = cores,
            // More threads would only cost memory.
            Id::Threads => self.threads = number().min(256) as usize,
            Id::MatchString => self.run.match_string = Some(option.word().to_owned()),
            Id::NoHeader => self.run.header = false,
            Id::Quiet => self.run.comment_level = CommentLevel::Quiet,
            Id::Silent => self.run.comment_level = CommentLevel::Silent,
            Id::AlwaysComment => self.run.always_comment = true,
            Id::NoSortComments => self.run.no_sort_comments = true,
            Id::KeepAllBest => self.run.keep_all_best = true,
            Id::UniqueComments => self.run.unique_comments = option.on,
            Id::NoRemoveComment => self.run.no_remove_comment = true,
            Id::NoSetTag => self.run.no_set_tag = true,
            Id::NoRemoveTag => self.run.no_remove_tag = true,
            Id::NoSort => self.sort = false,
            Id::LineIncrement => self.increment = Some(number()),
            Id::NoProgress => self.progress = false,
            Id::ShowOutput => self.progress = true,
            Id::ShowMatches => self.show_matches = true,
            Id::Color => self.color = Color::parse(option.word()).map_err(Failure::Usage)?,
            Id::AnsiColors if option.on => self.color = Color::Always,
            Id::AnsiColors => self.color = Color::Never,
            Id::Append => self.appends.push(option.word().to_owned()),
            Id::SortMatchCount => {
                self.sort_match_count = true;
                if !option.words.is_empty() {
                    let (low, high) = option.range();
                    self.run.match_count = Some((count(low), count(high)));
                }
            }
            Id::IncludeTags => self.tags.only.push(pattern(option)?),
            Id::ExcludeTags => self.tags.never.push(pattern(option)?),
            Id::SkipUnknownVariants => self.skip_unknown_variants = true,
            Id::ShowDictionaries => self.show_dictionaries = true,
            Id::Parse => self.show = Some(Show::Tree),
            Id::Lex => self.show = self.show.or(Some(Show::Tokens)),
            Id::ConsoleUnicode => self.line_characters = option.on,
            Id::Debug => self.debug = true,
            Id::Gui => self.gui = true,
            Id::GuiStdin => self.inputs.push("-".to_owned()),
            Id::GuiStdout => self.gui_stdout = true,
            Id::NoLinearize => self.run.no_linearize = true,
            Id::CoalesceComments => self.each_layout(|layout| layout.coalesce_comments = option.on),
            Id::CompactComments => self.each_layout(|layout| layout.compact_comments = option.on),
            Id::CompactMoves => self.each_layout(|layout| layout.compact_moves = option.on),
            Id::CompactVariations => {
                self.each_layout(|layout| layout.compact_variations = option.on)
            }
            Id::ElideComments => self.each_layout(|layout| layout.elide_comments = option.on),
            Id::ElideNags => self.each_layout(|layout| layout.elide_nags = option.on),
            Id::ElideVariations => self.each_layout(|layout| layout.elide_variations = option.on),
            Id::MoveNumbers => self.each_layout(|layout| layout.move_numbers = option.on),
            Id::NumberAfterComment => {
                self.each_layout(|layout| layout.number_after_comment = option.on)
            }
            Id::NumberAfterNag => self.each_layout(|layout| layout.number_after_nag = option.on),
            Id::SplitMoves => self.each_layout(|layout| layout.split_moves = option.on),
            Id::SafeCsv => self.safe_csv = true,
            Id::Cql6Output => self.cql6_output = true,
            Id::LineWidth => self.each_layout(|layout| {
                layout.width = usize::try_from(number()).unwrap_or(usize::MAX)
            }),
            Id::OutputBuffer => {
                // The maximum of CQL 6.2.
                let limit = number().min(100_000_000) as usize;
                self.each_layout(|layout| {
                    if let Some(rules) = &mut layout.cql6 {
                        rules.game_limit = limit;
                    }
                });
            }
            Id::Steps => self.run.steps = number(),
            Id::PipeTimeout => self.run.pipe_timeout = Duration::from_secs(number()),
            Id::CreateDirectories => self.create_directories = true,
            Id::NoClobber => self.no_clobber = true,
            Id::DryRun => self.dry_run = true,
            Id::MaxOpen => self.max_open = usize::try_from(number()).unwrap_or(usize::MAX),
            _ => {}
        }
        Ok(())
    }

    fn each_layout(&mut self, change: impl Fn(&mut Layout)) {
        self.layouts.iter_mut().for_each(change);
    }

    /// Applies the options to a job. Settings without an option come from the header and from the
    /// dialect in which the query was read.
    pub(crate) fn apply(&self, job: &mut Job, dialect: Dialect) {
        let cql6_output = self.cql6_output || !dialect.separate_comments;
        job.options = self.run.clone();
        job.options.cql6_output = cql6_output;
        job.options.secure = self.reading.secure;
        job.layout = self.layouts[usize::from(cql6_output)];
        job.plain_cells = self.safe_csv;
        job.tags = self.tags.clone();
        job.limit = self.limit;
        job.sort = self.sort;
        if self.range.is_some() {
            job.range = self.range;
        }
    }

    /// The settings of the scan.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            threads: self.threads,
            rejects: self.rejects.clone(),
            other_files: Vec::new(),
            skip_unknown_variants: self.skip_unknown_variants,
            variants: self.reading.variants.clone(),
            split: SplitRules {
                create_directories: self.create_directories,
                no_clobber: self.no_clobber,
                max_open: self.max_open,
                dry_run: self.dry_run,
            },
            dictionaries: self.show_dictionaries,
        }
    }

    /// The inputs: those of the options, otherwise that of the header.
    pub(crate) fn inputs(&self, header: Option<&FileName>) -> Result<Vec<Input>, Failure> {
        let options = self.inputs.iter().map(|name| (name.as_str(), false));
        let mut names: Vec<(&str, bool)> = options.collect();
        if names.is_empty() {
            names.extend(header.map(|input| (input.name.as_str(), input.any_ending)));
        }
        if names.is_empty() {
            return Err(Failure::Usage("no games: name an input with -i FILE.pgn".to_owned()));
        }
        let mut inputs = Vec::new();
        for (name, any_ending) in names {
            let named = Input::expand(name)?;
            if let [Input::File(path)] = named.as_slice()
                && !any_ending
                && path.is_file()
                && !is_database_name(name)
                && !std::path::Path::new(name).is_dir()
            {
                return Err(Failure::Usage(format!(
                    "-i {name}: an input ends in .pgn, .pgn.gz or .pgn.zst"
                )));
            }
            inputs.extend(named);
        }
        if inputs.iter().filter(|input| **input == Input::Stdin).count() > 1 {
            return Err(Failure::Usage("stdin can be read only once".to_owned()));
        }
        Ok(inputs)
    }
}
