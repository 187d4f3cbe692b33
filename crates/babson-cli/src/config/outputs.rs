//! What is written, and where.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use babson::Dialect;
use babson::pgn::Layout;
use babson::sink::{
    Columns, Destination, FileFormat, FragmentLength, GroupKeys, SplitRules, TagChoice,
};
use babson::table::Compression;
use regex::bytes::Regex;

use crate::output_name::is_stdout;

/// Whether the games are only counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Counting {
    #[default]
    No,
    /// `--count`
    Asked,
    /// Nothing names an output.
    ByDefault,
}

/// What is written, and where.
#[derive(Default)]
pub(crate) struct OutputConfig {
    /// The outputs that the command line names.
    pub(crate) names: Vec<OsString>,
    /// Files to which matches are appended.
    pub(crate) appends: Vec<OsString>,
    /// Where the games that do not match are written.
    pub(crate) nonmatching: Option<OsString>,
    /// Where the text of damaged games is written.
    pub(crate) rejects: Option<Destination>,
    pub(crate) counting: Counting,
    /// The format of outputs whose names have no extension of a format.
    pub(crate) format: Option<FileFormat>,
    /// The columns of outputs that have them.
    pub(crate) columns: Option<Columns>,
    /// Whether the command line itself names the columns.
    pub(crate) wants_columns: bool,
    /// The keys of `--group`.
    pub(crate) groups: Option<GroupKeys>,
    /// How game tables are compressed.
    pub(super) compression: Option<Compression>,
    /// Whether the command line itself says so.
    pub(super) names_compression: bool,
    /// Whether the command line has an option that only a game table heeds.
    pub(crate) needs_table: bool,
    /// How the files of outputs are made.
    pub(crate) files: SplitRules,
    pub(crate) tags: TagChoice,
    /// `--fragment`
    pub(crate) fragment: Option<FragmentLength>,
    /// `--top`
    pub(crate) top: Option<u64>,
    /// `--sample`
    pub(crate) sample: Option<u64>,
    /// `--seed`
    pub(crate) seed: Option<u64>,
    /// How a page is laid out, and its title.
    pub(crate) page: babson::report::Report,
    /// An option of the command line that only a page heeds.
    pub(crate) page_option: Option<&'static str>,
    /// Whether matches are marked in PGN.
    pub(crate) marks: bool,
    /// Whether a `.pgn` of several queries has each game once.
    pub(crate) overlay: bool,
    /// Whether the command line itself asks for that.
    pub(crate) wants_overlay: bool,
    /// Whether no cell of a CSV may be a formula.
    pub(crate) safe_csv: bool,
    pub(crate) cql6_output: bool,
    layouts: Layouts,
    /// The options of the command line about tags and layout, as they were written.
    pub(crate) layout_options: Vec<String>,
    /// Whether the matches are printed on standard output, in an element.
    pub(crate) gui_stdout: bool,
}

/// The layouts of PGN outputs: of Babson, and of CQL 6.2.
struct Layouts([Layout; 2]);

impl Default for Layouts {
    fn default() -> Layouts {
        Layouts([Layout::CQLI, Layout::CQL6])
    }
}

impl OutputConfig {
    /// Whether the games are only counted.
    pub(crate) fn counts(&self) -> bool {
        self.counting != Counting::No
    }

    /// What the summary says of the matches that are written, if not all are. `matches` is their
    /// number, if there is one query.
    pub(crate) fn chosen(&self, matches: Option<u64>) -> String {
        let number = |games: u64| matches.map_or(games, |matches| games.min(matches));
        let of_each = if matches.is_none() { " of each" } else { "" };
        match (self.top, self.sample) {
            _ if self.counts() => String::new(),
            (Some(top), _) => format!(", the best {}{of_each}", number(top)),
            (None, Some(games)) => format!(", {} at random{of_each}", number(games)),
            (None, None) => String::new(),
        }
    }

    /// Whether the number of matching games is printed on a line of its own. Without `--count`, if
    /// other games are written, the summary has it instead.
    pub(crate) fn prints_count(&self) -> bool {
        match self.counting {
            Counting::No => false,
            Counting::Asked => true,
            Counting::ByDefault => self.nonmatching.is_none(),
        }
    }

    pub(crate) fn compression(&self) -> Compression {
        self.compression.unwrap_or(Compression::None)
    }

    /// The compression that the command line itself names.
    pub(crate) fn named_compression(&self) -> Option<Compression> {
        self.compression.filter(|_| self.names_compression)
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.compression() != Compression::None
    }

    /// What tells the format of an output by its name.
    pub(crate) fn format_of_name(&self) -> fn(&str) -> Option<FileFormat> {
        match self.groups {
            Some(_) => FileFormat::of_name_or_text,
            None => FileFormat::of_name,
        }
    }

    /// The layout of the matches of a query that was read in this dialect.
    pub(crate) fn layout(&self, dialect: Dialect) -> Layout {
        self.layouts.0[usize::from(self.cql6_output || !dialect.separate_comments)]
    }

    /// Changes the layouts.
    pub(crate) fn each_layout(&mut self, change: impl Fn(&mut Layout)) {
        self.layouts.0.iter_mut().for_each(change);
    }

    /// `--outputbuffer`
    pub(crate) fn set_output_buffer(&mut self, bytes: u64) {
        // The maximum of CQL 6.2.
        let limit = bytes.min(100_000_000) as usize;
        self.each_layout(|layout| {
            if let Some(rules) = &mut layout.cql6 {
                rules.game_limit = limit;
            }
        });
    }

    /// `--fragment`
    pub(crate) fn set_fragment(&mut self, plies: Option<u64>) {
        self.fragment = Some(match plies {
            Some(plies) => FragmentLength::Plies(plies.min(u32::MAX.into()) as u32),
            None => FragmentLength::ToEnd,
        });
    }
}

/// A regular expression for the names of tags.
pub(crate) fn pattern(word: &str) -> Result<Regex, String> {
    Regex::new(word).map_err(|error| error.to_string())
}

/// The value of `--compress`.
pub(super) fn compression(word: &str) -> Result<Compression, String> {
    match word {
        "none" => Ok(Compression::None),
        "zstd" => Ok(Compression::Zstd),
        other => Err(format!("'{other}' is not none or zstd")),
    }
}

/// The value of `--columns`.
pub(super) fn columns(word: &str) -> Result<Columns, String> {
    Columns::parse(word).map_err(|error| error.to_string())
}

/// The value of `--group`.
pub(crate) fn groups(word: &str) -> Result<GroupKeys, String> {
    GroupKeys::parse(word).map_err(|error| error.to_string())
}

/// The value of `--format`.
pub(crate) fn format(word: &str) -> Result<FileFormat, String> {
    // A table is not text, and is written to a file only.
    let format = FileFormat::of_name(&format!(".{word}"));
    format.filter(|format| *format != FileFormat::Arrow).ok_or_else(|| match word {
        "arrow" => "a game table is written to a file: name it with -o FILE.arrow".to_owned(),
        other => format!("'{other}' is not pgn, jsonl, json, csv, tsv, epd or html"),
    })
}

/// The destination of this name. Standard output has the same names as for `-o`.
pub(crate) fn destination(name: &OsStr) -> Destination {
    match is_stdout(name) {
        true => Destination::Stdout,
        false => Destination::File(PathBuf::from(name)),
    }
}
