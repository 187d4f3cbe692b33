//! What each option sets in the configuration of a search.

use std::ffi::OsStr;
use std::path::PathBuf;

use babson::CommentLevel;
use babson::pgn::Layout;
use babson::sink::{Columns, Destination, FileFormat, FragmentLength, GroupKeys};
use babson::table::Compression;
use regex::bytes::Regex;

use super::{SearchConfig, ShowMode};
use crate::failure::Failure;
use crate::options::{OptionId, ParsedOption};
use crate::output_name::is_stdout;

/// The number after an option.
fn number(option: &ParsedOption) -> u64 {
    option.word().parse().unwrap_or(u64::MAX)
}

/// The number after an option, as it counts things in memory.
fn size(option: &ParsedOption) -> usize {
    usize::try_from(number(option)).unwrap_or(usize::MAX)
}

/// The two numbers after an option, as they count positions.
fn count_range(option: &ParsedOption) -> (i32, i32) {
    let count =
        |number: i64| i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX });
    let (low, high) = option.range();
    (count(low), count(high))
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

/// The value of `--group`.
fn groups(option: &ParsedOption) -> Result<GroupKeys, Failure> {
    GroupKeys::parse(option.word()).map_err(|error| Failure::Usage(format!("--group: {error}")))
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
                other => format!("'{other}' is not pgn, jsonl, json, csv, tsv, epd or html"),
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

/// The value of `--fragment`.
fn fragment(option: &ParsedOption) -> FragmentLength {
    match option.words.is_empty() {
        true => FragmentLength::ToEnd,
        false => FragmentLength::Plies(u32::try_from(number(option)).unwrap_or(u32::MAX)),
    }
}

/// The value of `--gamenumber`.
fn game_range(option: &ParsedOption) -> (u64, u64) {
    let (low, high) = option.range();
    let clip = |number: i64| u64::try_from(number).unwrap_or(0);
    (clip(low), clip(high))
}

impl SearchConfig {
    /// Takes an option. The match names every option once and has no other arm, so the compiler
    /// reports an option that is missing.
    ///
    /// # Errors
    /// The value of the option is not one that it can have.
    pub(super) fn take(&mut self, option: &ParsedOption, cores: usize) -> Result<(), Failure> {
        use OptionId as Id;
        let on = option.on;
        match option.id {
            // Which files are read and written, and by how many threads.
            Id::Input => self.inputs.push(option.file.clone()),
            Id::NoMmap => self.mapped = false,
            Id::Unique => self.unique = true,
            Id::Resume => self.resume = Some(PathBuf::from(&option.file)),
            Id::Vi => self.inputs.push("HHdbVI.pgn".into()),
            Id::Vii => self.inputs.push("HHdbVII.pgn".into()),
            Id::GuiStdin => self.inputs.push("-".into()),
            Id::Output => self.outputs.push(option.file.clone()),
            Id::Append => self.appends.push(option.file.clone()),
            Id::Nonmatching => self.nonmatching = Some(option.file.clone()),
            Id::Rejects => self.rejects = Some(rejects(&option.file)),
            Id::CreateDirectories => self.create_directories = true,
            Id::NoClobber => self.no_clobber = true,
            Id::DryRun => self.dry_run = true,
            Id::MaxOpen => self.max_open = size(option),
            Id::SingleThreaded => self.threads = 1,
            Id::MultiThreaded => self.threads = cores,
            Id::Threads => self.threads = size(option),
            // Which games are searched, and how.
            Id::Range => self.range = Some(game_range(option)),
            Id::MatchCount => self.run.match_count = Some(count_range(option)),
            Id::SortMatchCount => self.sort_by_match_count(option),
            Id::Limit => self.limit = Some(number(option)),
            Id::Top => self.top = Some(number(option)),
            Id::Sample => self.sample = Some(number(option)),
            Id::Seed => self.seed = Some(number(option)),
            Id::First => self.run.first_match = true,
            Id::Variations | Id::VirtualMainLine => self.run.variations = Some(true),
            Id::MainLine => self.run.variations = Some(false),
            Id::KeepAllBest => self.run.keep_all_best = true,
            Id::NoSort => self.sort = false,
            Id::SkipUnknownVariants => self.skip_unknown_variants = true,
            Id::NoLinearize => self.run.no_linearize = true,
            Id::Steps => self.run.steps = number(option),
            // What is added to games, and which tags they have.
            Id::MatchString => self.run.match_string = Some(option.word().to_owned()),
            Id::NoHeader => self.run.header = false,
            Id::Quiet => self.run.comment_level = CommentLevel::Quiet,
            Id::Silent => self.run.comment_level = CommentLevel::Silent,
            Id::AlwaysComment => self.run.always_comment = true,
            Id::NoSortComments => self.run.no_sort_comments = true,
            Id::UniqueComments => self.run.unique_comments = on,
            Id::NoRemoveComment => self.run.no_remove_comment = true,
            Id::NoSetTag => self.run.no_set_tag = true,
            Id::NoRemoveTag => self.run.no_remove_tag = true,
            Id::IncludeTags => self.tags.only.push(pattern(option)?),
            Id::ExcludeTags => self.tags.never.push(pattern(option)?),
            // The kind and the contents of the outputs.
            Id::Count => self.count = true,
            Id::Format => self.format = Some(format(option)?),
            Id::Columns => self.set_columns(option)?,
            Id::Group => self.groups = Some(groups(option)?),
            Id::Fragment => self.fragment = Some(fragment(option)),
            Id::Marks => self.marks = true,
            Id::Overlay => self.set_overlay(option),
            Id::SafeCsv => self.safe_csv = true,
            Id::Compress => self.compression = compression(option)?,
            Id::Cql6Output => self.cql6_output = true,
            // The layout of games in PGN.
            Id::CoalesceComments => self.each_layout(|layout| layout.coalesce_comments = on),
            Id::CompactComments => self.each_layout(|layout| layout.compact_comments = on),
            Id::CompactMoves => self.each_layout(|layout| layout.compact_moves = on),
            Id::CompactVariations => self.each_layout(|layout| layout.compact_variations = on),
            Id::ElideComments => self.each_layout(|layout| layout.elide_comments = on),
            Id::ElideNags => self.each_layout(|layout| layout.elide_nags = on),
            Id::ElideVariations => self.each_layout(|layout| layout.elide_variations = on),
            Id::MoveNumbers => self.each_layout(|layout| layout.move_numbers = on),
            Id::NumberAfterComment => self.each_layout(|layout| layout.number_after_comment = on),
            Id::NumberAfterNag => self.each_layout(|layout| layout.number_after_nag = on),
            Id::SplitMoves => self.each_layout(|layout| layout.split_moves = on),
            Id::LineWidth => self.each_layout(|layout| layout.width = size(option)),
            Id::OutputBuffer => self.set_output_buffer(option),
            // What is printed besides the outputs.
            Id::ExitStatus => self.exit_status = true,
            Id::LineIncrement => self.increment = Some(number(option)),
            Id::NoProgress => self.progress = false,
            Id::NoSummary => (self.progress, self.summary) = (false, false),
            Id::ShowOutput => self.progress = true,
            Id::ShowMatches => self.show_matches = true,
            Id::ShowDictionaries => self.show_dictionaries = true,
            Id::Stats => self.stats = true,
            Id::Parse => self.show = Some(ShowMode::Tree),
            Id::Lex => self.show = self.show.or(Some(ShowMode::Tokens)),
            Id::ConsoleUnicode => self.line_characters = on,
            Id::Debug => self.debug = true,
            Id::Gui => self.gui = true,
            Id::GuiStdout => self.gui_stdout = true,
            // Filters and transforms become a part of the query.
            Id::Cql | Id::Player | Id::White | Id::Black | Id::Event | Id::Site => {}
            Id::ResultTag | Id::Year | Id::Fen | Id::Wtm | Id::Btm | Id::Assign => {}
            Id::SimilarPosition | Id::Hhdb | Id::Transform => {}
            // These decide how the query is read and what it reaches.
            Id::Dialect | Id::Secure | Id::ImportPath | Id::PipeTimeout => {}
            Id::VariantAlias | Id::Color | Id::AnsiColors => {}
            // These print something instead of searching.
            Id::ToUnicode | Id::ToUtf8 | Id::ToHtml | Id::Echo | Id::Colorize => {}
            Id::Help | Id::Version | Id::License => {}
            Id::NoConfig | Id::Always => {}
            // No search has the options of one command.
            Id::Json | Id::Differences => {}
            Id::Slices | Id::Slice | Id::PartOutput | Id::TableOutput => {}
            Id::CheckTable | Id::CheckStyle | Id::ConvertTo | Id::ConvertedQuery => {}
            Id::Legal | Id::Reachable | Id::Reverse | Id::Variant | Id::Divide => {}
            Id::Markdown | Id::Ply | Id::Bytecode => {}
        }
        Ok(())
    }

    /// `--sortmatchcount`, whose value, if it has one, is that of `--matchcount`.
    fn sort_by_match_count(&mut self, option: &ParsedOption) {
        self.sort_match_count = true;
        if !option.words.is_empty() {
            self.run.match_count = Some(count_range(option));
        }
    }

    /// `--columns`
    fn set_columns(&mut self, option: &ParsedOption) -> Result<(), Failure> {
        let wrong = |error| Failure::Usage(format!("--columns: {error}"));
        self.columns = Some(Columns::parse(option.word()).map_err(wrong)?);
        self.wants_columns |= !option.is_default;
        Ok(())
    }

    /// `--overlay`
    fn set_overlay(&mut self, option: &ParsedOption) {
        self.overlay = true;
        self.wants_overlay |= !option.is_default;
    }

    /// `--outputbuffer`
    fn set_output_buffer(&mut self, option: &ParsedOption) {
        // The maximum of CQL 6.2.
        let limit = number(option).min(100_000_000) as usize;
        self.each_layout(|layout| {
            if let Some(rules) = &mut layout.cql6 {
                rules.game_limit = limit;
            }
        });
    }

    fn each_layout(&mut self, change: impl Fn(&mut Layout)) {
        self.layouts.iter_mut().for_each(change);
    }
}
