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

/// What an option is about.
#[derive(Clone, Copy, Debug)]
enum OptionKind {
    /// Which files are read and written, and by how many threads.
    Files,
    /// Which games are searched, and how.
    Games,
    /// What is added to games, and which tags they have.
    Comments,
    /// The kind and the contents of the outputs.
    Form,
    /// The layout of games in PGN.
    Layout,
    /// What is printed besides the outputs.
    Console,
    /// It sets nothing here.
    Other,
}

impl OptionKind {
    #[rustfmt::skip]
    fn of(id: OptionId) -> OptionKind {
        use OptionId as Id;
        match id {
            Id::Input | Id::NoMmap | Id::Resume | Id::Vi | Id::Vii | Id::Output
            | Id::Nonmatching | Id::Rejects | Id::SingleThreaded | Id::MultiThreaded
            | Id::Threads | Id::Append | Id::GuiStdin | Id::CreateDirectories | Id::NoClobber
            | Id::DryRun | Id::MaxOpen => OptionKind::Files,
            Id::Range | Id::MatchCount | Id::Limit | Id::Top | Id::First | Id::Fragment
            | Id::Variations | Id::VirtualMainLine | Id::MainLine | Id::KeepAllBest | Id::NoSort
            | Id::SortMatchCount | Id::SkipUnknownVariants | Id::NoLinearize | Id::Steps => OptionKind::Games,
            Id::MatchString | Id::NoHeader | Id::Quiet | Id::Silent | Id::AlwaysComment
            | Id::NoSortComments | Id::UniqueComments | Id::NoRemoveComment | Id::NoSetTag
            | Id::NoRemoveTag | Id::IncludeTags | Id::ExcludeTags => OptionKind::Comments,
            Id::Count | Id::Format | Id::Columns | Id::Group | Id::Marks | Id::Overlay
            | Id::SafeCsv | Id::Compress | Id::Cql6Output => OptionKind::Form,
            Id::CoalesceComments | Id::CompactComments | Id::CompactMoves
            | Id::CompactVariations | Id::ElideComments | Id::ElideNags | Id::ElideVariations
            | Id::MoveNumbers | Id::NumberAfterComment | Id::NumberAfterNag | Id::SplitMoves
            | Id::LineWidth | Id::OutputBuffer => OptionKind::Layout,
            Id::ExitStatus | Id::LineIncrement | Id::NoProgress | Id::NoSummary | Id::ShowOutput
            | Id::ShowMatches | Id::ShowDictionaries | Id::Stats | Id::Parse | Id::Lex
            | Id::ConsoleUnicode | Id::Debug | Id::Gui | Id::GuiStdout => OptionKind::Console,
            // Filters and transforms become a part of the query.
            Id::Cql | Id::Player | Id::White | Id::Black | Id::Event | Id::Site | Id::ResultTag | Id::Year | Id::Fen | Id::Wtm
            | Id::Btm | Id::Assign | Id::SimilarPosition | Id::Hhdb | Id::Transform
            // These decide how the query is read and what it reaches.
            | Id::Dialect | Id::Secure | Id::ImportPath | Id::PipeTimeout | Id::VariantAlias | Id::Color | Id::AnsiColors
            // These print something instead of searching.
            | Id::ToUnicode | Id::ToUtf8 | Id::ToHtml | Id::Echo | Id::Colorize | Id::Help | Id::Version | Id::License
            | Id::NoConfig | Id::Always
            // No search has the options of one command.
            | Id::Json | Id::Slices | Id::Slice | Id::PartOutput | Id::TableOutput | Id::CheckTable | Id::CheckStyle
            | Id::ConvertTo | Id::ConvertedQuery | Id::Legal | Id::Reachable | Id::Reverse | Id::Variant | Id::Divide
            | Id::Markdown | Id::Ply => OptionKind::Other,
        }
    }
}

/// The number after an option.
fn number(option: &ParsedOption) -> u64 {
    option.word().parse().unwrap_or(u64::MAX)
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

impl SearchConfig {
    /// Takes an option. Returns whether it is known what it sets.
    pub(super) fn take(&mut self, option: &ParsedOption, cores: usize) -> Result<bool, Failure> {
        match OptionKind::of(option.id) {
            OptionKind::Files => Ok(self.take_file(option, cores)),
            OptionKind::Games => Ok(self.take_games(option)),
            OptionKind::Comments => self.take_comments(option),
            OptionKind::Form => self.take_form(option),
            OptionKind::Layout => Ok(self.take_layout(option)),
            OptionKind::Console => Ok(self.take_console(option)),
            OptionKind::Other => Ok(true),
        }
    }

    /// Takes an option about the inputs and outputs, and what searches them.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`OptionKind::of` names the options")]
    fn take_file(&mut self, option: &ParsedOption, cores: usize) -> bool {
        match option.id {
            OptionId::Input => self.inputs.push(option.file.clone()),
            OptionId::NoMmap => self.mapped = false,
            OptionId::Resume => self.resume = Some(PathBuf::from(&option.file)),
            OptionId::Vi => self.inputs.push("HHdbVI.pgn".into()),
            OptionId::Vii => self.inputs.push("HHdbVII.pgn".into()),
            OptionId::Output => self.outputs.push(option.file.clone()),
            OptionId::Nonmatching => self.nonmatching = Some(option.file.clone()),
            OptionId::Rejects => self.rejects = Some(rejects(&option.file)),
            OptionId::SingleThreaded => self.threads = 1,
            OptionId::MultiThreaded => self.threads = cores,
            OptionId::Threads => {
                self.threads = usize::try_from(number(option)).unwrap_or(usize::MAX)
            }
            OptionId::Append => self.appends.push(option.file.clone()),
            OptionId::GuiStdin => self.inputs.push("-".into()),
            OptionId::CreateDirectories => self.create_directories = true,
            OptionId::NoClobber => self.no_clobber = true,
            OptionId::DryRun => self.dry_run = true,
            OptionId::MaxOpen => {
                self.max_open = usize::try_from(number(option)).unwrap_or(usize::MAX)
            }
            _ => return false,
        }
        true
    }

    /// Takes an option about the games that are searched, and which positions match.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`OptionKind::of` names the options")]
    fn take_games(&mut self, option: &ParsedOption) -> bool {
        match option.id {
            OptionId::Range => {
                let (low, high) = option.range();
                let clip = |number: i64| u64::try_from(number).unwrap_or(0);
                self.range = Some((clip(low), clip(high)));
            }
            OptionId::MatchCount => {
                self.run.match_count = Some(count_range(option));
            }
            OptionId::Limit => self.limit = Some(number(option)),
            OptionId::Top => self.top = Some(number(option)),
            OptionId::First => self.run.first_match = true,
            OptionId::Fragment => {
                self.fragment = Some(match option.words.is_empty() {
                    true => FragmentLength::ToEnd,
                    false => {
                        FragmentLength::Plies(u32::try_from(number(option)).unwrap_or(u32::MAX))
                    }
                });
            }
            OptionId::Variations | OptionId::VirtualMainLine => self.run.variations = Some(true),
            OptionId::MainLine => self.run.variations = Some(false),
            OptionId::KeepAllBest => self.run.keep_all_best = true,
            OptionId::NoSort => self.sort = false,
            OptionId::SortMatchCount => {
                self.sort_match_count = true;
                if !option.words.is_empty() {
                    self.run.match_count = Some(count_range(option));
                }
            }
            OptionId::SkipUnknownVariants => self.skip_unknown_variants = true,
            OptionId::NoLinearize => self.run.no_linearize = true,
            OptionId::Steps => self.run.steps = number(option),
            _ => return false,
        }
        true
    }

    /// Takes an option about the comments and tags.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`OptionKind::of` names the options")]
    fn take_comments(&mut self, option: &ParsedOption) -> Result<bool, Failure> {
        match option.id {
            OptionId::MatchString => self.run.match_string = Some(option.word().to_owned()),
            OptionId::NoHeader => self.run.header = false,
            OptionId::Quiet => self.run.comment_level = CommentLevel::Quiet,
            OptionId::Silent => self.run.comment_level = CommentLevel::Silent,
            OptionId::AlwaysComment => self.run.always_comment = true,
            OptionId::NoSortComments => self.run.no_sort_comments = true,
            OptionId::UniqueComments => self.run.unique_comments = option.on,
            OptionId::NoRemoveComment => self.run.no_remove_comment = true,
            OptionId::NoSetTag => self.run.no_set_tag = true,
            OptionId::NoRemoveTag => self.run.no_remove_tag = true,
            OptionId::IncludeTags => self.tags.only.push(pattern(option)?),
            OptionId::ExcludeTags => self.tags.never.push(pattern(option)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes an option about the form of the outputs.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`OptionKind::of` names the options")]
    fn take_form(&mut self, option: &ParsedOption) -> Result<bool, Failure> {
        match option.id {
            OptionId::Count => self.count = true,
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
            OptionId::Marks => self.marks = true,
            OptionId::Overlay => {
                self.overlay = true;
                self.wants_overlay |= !option.is_default;
            }
            OptionId::SafeCsv => self.safe_csv = true,
            OptionId::Compress => self.compression = compression(option)?,
            OptionId::Cql6Output => self.cql6_output = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes an option about the layout of games in PGN.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`OptionKind::of` names the options")]
    fn take_layout(&mut self, option: &ParsedOption) -> bool {
        match option.id {
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
            OptionId::LineWidth => self.each_layout(|layout| {
                layout.width = usize::try_from(number(option)).unwrap_or(usize::MAX)
            }),
            OptionId::OutputBuffer => {
                // The maximum of CQL 6.2.
                let limit = number(option).min(100_000_000) as usize;
                self.each_layout(|layout| {
                    if let Some(rules) = &mut layout.cql6 {
                        rules.game_limit = limit;
                    }
                });
            }
            _ => return false,
        }
        true
    }

    /// Takes an option about the messages on the console.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`OptionKind::of` names the options")]
    fn take_console(&mut self, option: &ParsedOption) -> bool {
        match option.id {
            OptionId::ExitStatus => self.exit_status = true,
            OptionId::LineIncrement => self.increment = Some(number(option)),
            OptionId::NoProgress => self.progress = false,
            OptionId::NoSummary => {
                self.progress = false;
                self.summary = false;
            }
            OptionId::ShowOutput => self.progress = true,
            OptionId::ShowMatches => self.show_matches = true,
            OptionId::ShowDictionaries => self.show_dictionaries = true,
            OptionId::Stats => self.stats = true,
            OptionId::Parse => self.show = Some(ShowMode::Tree),
            OptionId::Lex => self.show = self.show.or(Some(ShowMode::Tokens)),
            OptionId::ConsoleUnicode => self.line_characters = option.on,
            OptionId::Debug => self.debug = true,
            OptionId::Gui => self.gui = true,
            OptionId::GuiStdout => self.gui_stdout = true,
            _ => return false,
        }
        true
    }

    fn each_layout(&mut self, change: impl Fn(&mut Layout)) {
        self.layouts.iter_mut().for_each(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::OPTIONS;

    #[test]
    fn every_option_is_taken_by_its_kind() {
        let mut config = SearchConfig::new(&[]).unwrap();
        for spec in OPTIONS {
            let option = ParsedOption {
                id: spec.id,
                name: spec.names[0],
                written: String::new(),
                on: true,
                words: vec!["1".to_owned(), "2".to_owned()],
                file: "a.pgn".into(),
                is_default: false,
            };
            // A word that the option cannot have is an error of its own.
            assert!(config.take(&option, 1).unwrap_or(true), "{:?}", spec.names);
        }
    }
}
