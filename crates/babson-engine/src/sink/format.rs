//! The formats of files.

use super::{Format, FormatReport, MatchedGame, OutputTotals, csv, epd, jsonl, pgn, report, table};
use crate::job::Job;
use crate::match_text::MatchText;

/// What is written to a file for a matching game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// The game with the comments that the query added.
    Pgn,
    /// One JSON object on a line: a [`Match`](babson_vm::Match).
    Jsonl,
    /// A line for each matching position, after a line with the names of the columns.
    Csv,
    /// A line for each matching position: FEN fields and operations.
    Epd,
    /// A report: one self-contained page that shows the query and a board for each matching
    /// position.
    Html,
    /// A game table of the matching games, with columns of the match. It needs the feature `table`.
    Arrow,
}

impl FileFormat {
    /// The format of a file name, by its extension; `None` for an unknown extension.
    pub fn of_name(name: &str) -> Option<FileFormat> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "pgn" => Some(FileFormat::Pgn),
            "jsonl" => Some(FileFormat::Jsonl),
            "csv" => Some(FileFormat::Csv),
            "epd" => Some(FileFormat::Epd),
            "html" => Some(FileFormat::Html),
            "arrow" => Some(FileFormat::Arrow),
            _ => None,
        }
    }
}

impl Format for FileFormat {
    fn traces(&self, job: &Job) -> bool {
        match self {
            FileFormat::Html => true,
            FileFormat::Pgn => job.marks,
            FileFormat::Jsonl | FileFormat::Csv | FileFormat::Epd | FileFormat::Arrow => false,
        }
    }

    fn head(&self, job: &Job) -> String {
        match self {
            FileFormat::Csv => csv::head(job),
            FileFormat::Html => report::head(job),
            FileFormat::Pgn | FileFormat::Jsonl | FileFormat::Epd | FileFormat::Arrow => {
                String::new()
            }
        }
    }

    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> FormatReport {
        match self {
            FileFormat::Pgn => return pgn::append(matched, out.bytes()),
            FileFormat::Jsonl => jsonl::append(matched, out.bytes()),
            FileFormat::Csv => csv::append(matched, out),
            FileFormat::Epd => epd::append(matched, out),
            FileFormat::Html => report::append(matched, out.bytes()),
            FileFormat::Arrow => table::append(matched, out.bytes()),
        }
        FormatReport::default()
    }

    fn tail(&self, totals: &OutputTotals) -> String {
        match self {
            FileFormat::Html => report::tail(totals),
            FileFormat::Pgn
            | FileFormat::Jsonl
            | FileFormat::Csv
            | FileFormat::Epd
            | FileFormat::Arrow => String::new(),
        }
    }
}
