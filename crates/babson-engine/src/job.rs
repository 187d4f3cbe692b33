//! What a scan is asked to do.

use std::cmp::Ordering;
use std::path::PathBuf;

use babson_chess::VariantNames;
use babson_lang::Diagnostic;
use babson_lang::hir::{ExprKind, Quantity};
use babson_pgn::Layout;
use regex::bytes::Regex;

use babson_vm::{Program, RunOptions, SortValue};

use crate::output::Destination;
use crate::pattern::NamePattern;
use crate::split::SplitRules;

/// What is written for a matching game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The game with the comments that the query added.
    Pgn,
    /// One JSON object in a line (cli.md).
    Jsonl,
    /// A line for each matching position, below one with the names of the columns.
    Csv,
    /// A line for each matching position: FEN fields and operations.
    Epd,
    /// One self-contained page with a board for each matching position.
    Html,
}

impl Format {
    /// The format that the ending of a file name asks for; `None` for an ending that means nothing.
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "pgn" => Some(Format::Pgn),
            "jsonl" => Some(Format::Jsonl),
            "csv" => Some(Format::Csv),
            "epd" => Some(Format::Epd),
            "html" => Some(Format::Html),
            _ => None,
        }
    }
}

/// One output of a query.
#[derive(Clone, Debug)]
pub struct Sink {
    /// What is written.
    pub format: Format,
    /// Where to.
    pub destination: Destination,
}

/// Which tags are written: those that some pattern of `only` finds, if there is any, and none of
/// `never` does. Patterns are searched in the name of the tag.
#[derive(Clone, Debug, Default)]
pub struct TagChoice {
    /// If not empty, other tags are left out.
    pub only: Vec<Regex>,
    /// Tags that are left out in any case.
    pub never: Vec<Regex>,
}

impl TagChoice {
    /// Whether any tag can be left out.
    pub(crate) fn hides(&self) -> bool {
        !self.only.is_empty() || !self.never.is_empty()
    }

    /// Whether a tag of this name is written.
    pub(crate) fn shows(&self, name: &[u8]) -> bool {
        let found = |patterns: &[Regex]| patterns.iter().any(|pattern| pattern.is_match(name));
        (self.only.is_empty() || found(&self.only)) && !found(&self.never)
    }
}

/// One query of a scan, and what becomes of its matches.
#[derive(Debug)]
pub struct Job {
    /// The compiled query.
    pub program: Program,
    /// Options of the machine.
    pub options: RunOptions,
    /// Inclusive range of game numbers, from 1; games outside are not looked at.
    pub range: Option<(u64, u64)>,
    /// Stop after this many matching games, in game order.
    pub limit: Option<u64>,
    /// Whether matches are sorted by the query's keys; otherwise they stay in game order.
    pub sort: bool,
    /// How a written PGN looks.
    pub layout: Layout,
    /// Which tags a written PGN has.
    pub tags: TagChoice,
    /// Whether a quote stands before a CSV cell that a spreadsheet would take for a formula.
    pub plain_cells: bool,
    /// How the query is called on a page.
    pub title: String,
    /// Whether the query asks for the number of the last game, so that games are counted first.
    pub wants_last_number: bool,
    /// Where matches go; may be empty, when they are only counted.
    pub sinks: Vec<Sink>,
}

impl Job {
    /// A job that compiles `query` in that dialect, takes everything from its header and writes
    /// nothing.
    ///
    /// # Errors
    /// Those of [`Program::compile`].
    pub fn new(
        query: &babson_lang::hir::Query,
        dialect: babson_lang::Dialect,
    ) -> Result<Job, Vec<Diagnostic>> {
        Ok(Job::of_program(Program::compile(query, dialect)?, query))
    }

    /// The same for a program that was compiled from `query` already.
    pub fn of_program(program: Program, query: &babson_lang::hir::Query) -> Job {
        let header = program.header();
        let range = header
            .game_number
            .map(|(low, high)| (u64::try_from(low).unwrap_or(0), u64::try_from(high).unwrap_or(0)));
        let last_number = ExprKind::Quantity(Quantity::LastGameNumber);
        let mut all = query.body.iter().chain(&query.begin).chain(&query.end);
        let wants_last_number = all.any(|e| e.any(&|e| e.kind == last_number));
        Job {
            program,
            options: RunOptions::default(),
            range,
            limit: None,
            sort: true,
            layout: Layout::default(),
            tags: TagChoice::default(),
            plain_cells: false,
            title: String::new(),
            wants_last_number,
            sinks: Vec::new(),
        }
    }

    /// Whether variations are visited: the options decide, else the header.
    pub fn variations(&self) -> bool {
        self.options.variations.unwrap_or(self.program.header().variations)
    }

    /// Whether matches have to wait for the end to be written.
    pub(crate) fn sorts(&self) -> bool {
        self.sort && !self.program.sorts().is_empty()
    }

    /// The patterns of the outputs that are many files, in the order of the sinks.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &NamePattern> {
        self.sinks.iter().filter_map(|sink| match &sink.destination {
            Destination::Split { pattern, .. } => Some(pattern),
            _ => None,
        })
    }

    /// Order of two matches by their keys, better first; a key that was never bound is the worst.
    pub(crate) fn compare(&self, one: &[Option<SortValue>], two: &[Option<SortValue>]) -> Ordering {
        for (key, (one, two)) in self.program.sorts().iter().zip(one.iter().zip(two)) {
            let order = match (one, two) {
                (Some(one), Some(two)) if key.min => one.cmp(two),
                (one, two) => two.cmp(one),
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }
}

/// Settings of a whole scan.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads that search; at least 1.
    pub threads: usize,
    /// Where the text of damaged games is collected.
    pub rejects: Option<Destination>,
    /// Files that no output may replace, and what each is in messages: the texts of the queries,
    /// and what the caller writes.
    pub other_files: Vec<(PathBuf, String)>,
    /// Whether games of unknown variants are passed over without a word.
    pub skip_unknown_variants: bool,
    /// The names that the `Variant` tag may have.
    pub variants: VariantNames,
    /// How outputs of many files are made.
    pub split: SplitRules,
    /// Whether the summary has the entries of all dictionaries.
    pub dictionaries: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            rejects: None,
            other_files: Vec::new(),
            skip_unknown_variants: false,
            variants: VariantNames::default(),
            split: SplitRules::default(),
            dictionaries: false,
        }
    }
}
