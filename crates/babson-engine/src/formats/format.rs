//! The formats of files.

use std::sync::{Arc, OnceLock};

use babson_pgn::Needs;

use super::{epd, jsonl, pgn, table};
use crate::columns::{self, CellStyle, ColumnNames, Columns, JsonStyle, RowStyle, Separator};
use crate::groups::{GroupFormat, GroupKeys};
use crate::job::Job;
use crate::match_text::MatchText;
use crate::sink::{Format, MatchedGame, Omitted, OutputRoom, OutputTotals};

/// What is written to a file for a matching game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileFormat {
    /// The game with the comments that the query added.
    Pgn,
    /// One JSON object on a line: a [`Match`](babson_vm::Match), or with [`Columns`] a flat object
    /// for each matching position.
    Jsonl,
    /// The objects of [`FileFormat::Jsonl`] as the items of one JSON array. As a [`Format`] it has
    /// the items of a match; the [`FileSink`] writes what is between two matches.
    ///
    /// [`FileSink`]: crate::FileSink
    Json,
    /// A line for each matching position, after a line with the names of the columns.
    Csv,
    /// The same with tabs between the cells. A tab in a cell is written `\t`, the end of a line
    /// `\n` or `\r`, and a backslash `\\`.
    Tsv,
    /// A line for each matching position: FEN fields and operations.
    Epd,
    /// A page whose text another crate makes, such as the report of `babson-report`. Its sink is
    /// made by [`FileSink::html`](crate::FileSink::html); as a [`Format`] it has no text.
    Html,
    /// A game table of the matching games, with columns of the match. It needs the feature `table`.
    Arrow,
    /// A table with aligned columns, only of [`GroupKeys`].
    Text,
}

/// What a file of a format can have.
struct FormatTraits {
    extension: &'static str,
    columns: bool,
    groups: bool,
    games: bool,
    fragments: bool,
    /// The matches of several queries.
    several_queries: bool,
    /// Whether its name may have the extension of a compressed file after its own.
    compressed: bool,
    /// What separates the cells of its lines; `None` if its lines have no cells.
    separator: Option<Separator>,
}

impl FileFormat {
    const ALL: [FileFormat; 9] = [
        FileFormat::Pgn,
        FileFormat::Jsonl,
        FileFormat::Json,
        FileFormat::Csv,
        FileFormat::Tsv,
        FileFormat::Epd,
        FileFormat::Html,
        FileFormat::Arrow,
        FileFormat::Text,
    ];

    fn traits(self) -> FormatTraits {
        let plain = |extension| FormatTraits {
            extension,
            columns: false,
            groups: false,
            games: false,
            fragments: false,
            several_queries: true,
            compressed: true,
            separator: None,
        };
        let rows = |extension, separator| FormatTraits {
            columns: true,
            groups: true,
            separator,
            ..plain(extension)
        };
        match self {
            FileFormat::Pgn => FormatTraits { games: true, fragments: true, ..plain("pgn") },
            FileFormat::Jsonl => rows("jsonl", None),
            FileFormat::Json => rows("json", None),
            FileFormat::Csv => rows("csv", Some(Separator::Comma)),
            FileFormat::Tsv => rows("tsv", Some(Separator::Tab)),
            FileFormat::Epd => FormatTraits { fragments: true, ..plain("epd") },
            FileFormat::Html => {
                FormatTraits { several_queries: false, compressed: false, ..plain("html") }
            }
            FileFormat::Arrow => FormatTraits {
                games: true,
                several_queries: false,
                compressed: false,
                ..plain("arrow")
            },
            FileFormat::Text => FormatTraits { groups: true, ..plain("txt") },
        }
    }

    /// The extension of its files, without a dot.
    pub fn extension(self) -> &'static str {
        self.traits().extension
    }

    /// Whether its rows have [`Columns`] that can be chosen.
    pub fn has_columns(self) -> bool {
        self.traits().columns
    }

    /// Whether it can have a table of [`GroupKeys`] in place of matches.
    pub fn has_groups(self) -> bool {
        self.traits().groups
    }

    /// Whether it has whole games, so that it can have those that [do not
    /// match](crate::NonmatchingSink).
    pub fn has_games(self) -> bool {
        self.traits().games
    }

    /// Whether it can have [parts of games](crate::Job::fragment).
    pub fn has_fragments(self) -> bool {
        self.traits().fragments
    }

    /// Whether an output can have the matches of several queries.
    pub(crate) fn has_several_queries(self) -> bool {
        self.traits().several_queries
    }

    /// Whether it has lines of cells, after a line with the headings.
    pub(crate) fn has_cells(self) -> bool {
        self.traits().separator.is_some()
    }

    /// The format of a file name, by its extension; `None` for an unknown extension.
    ///
    /// PGN, JSON lines, JSON, CSV, TSV and EPD may have `.gz` or `.zst` after their extension: the
    /// file is compressed then.
    pub fn of_name(name: &str) -> Option<FileFormat> {
        FileFormat::of_name_or_text(name).filter(|format| *format != FileFormat::Text)
    }

    /// As [`FileFormat::of_name`], but a `.txt`, which otherwise may be anything, is a table of
    /// [`GroupKeys`]; it may be compressed too.
    pub fn of_name_or_text(name: &str) -> Option<FileFormat> {
        let (stem, extension) = name.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        if matches!(extension.as_str(), "gz" | "zst") {
            let format = FileFormat::of_name_or_text(stem)?;
            let fits = format.traits().compressed && !has_compressed_extension(stem);
            return fits.then_some(format);
        }
        if extension == "parquet" {
            return Some(FileFormat::Arrow);
        }
        FileFormat::ALL.into_iter().find(|format| format.extension() == extension)
    }
}

/// Whether a name has the extension of a compressed output.
fn has_compressed_extension(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    matches!(extension.as_deref(), Some("gz" | "zst"))
}

impl Format for FileFormat {
    fn needs(&self, job: &Job) -> Needs {
        FileText::new(*self).needs(job)
    }

    fn traces(&self, job: &Job) -> bool {
        FileText::new(*self).traces(job)
    }

    fn positions(&self, job: &Job) -> bool {
        FileText::new(*self).positions(job)
    }

    fn head(&self, job: &Job) -> String {
        FileText::new(*self).head(job)
    }

    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        FileText::new(*self).append(matched, out)
    }

    fn tail(&self, totals: &OutputTotals) -> String {
        FileText::new(*self).tail(totals)
    }
}

/// A format with the columns of its rows.
pub(crate) struct FileText {
    pub(crate) format: FileFormat,
    /// The chosen columns.
    pub(crate) columns: Option<Columns>,
    /// The columns that an output has without a choice, once the query is known.
    pub(crate) standard: OnceLock<Columns>,
    /// The keys by which its matches are grouped, in place of matches.
    pub(crate) groups: Option<GroupFormat>,
    /// What makes the text of an HTML page.
    pub(crate) page: Option<Arc<dyn Format>>,
    /// Whether a match names its query, as in an output that several queries share.
    pub(crate) names_query: bool,
    /// Whether each game is written once for all queries, by the merge.
    pub(crate) overlays: bool,
}

impl FileText {
    /// Appends the JSON objects of a match.
    fn append_objects(&self, style: JsonStyle, matched: &MatchedGame<'_>, out: &mut MatchText) {
        match &self.columns {
            Some(chosen) => columns::append(chosen, RowStyle::Json(style), matched, out),
            None => jsonl::append(matched, self.names_query, style, out.bytes()),
        }
    }

    pub(crate) fn new(format: FileFormat) -> FileText {
        FileText {
            format,
            columns: None,
            standard: OnceLock::new(),
            groups: None,
            page: None,
            names_query: false,
            overlays: false,
        }
    }

    /// The format with these columns.
    pub(crate) fn with_columns(format: FileFormat, columns: Columns) -> FileText {
        FileText { columns: Some(columns), ..FileText::new(format) }
    }

    /// The format with groups of these keys.
    pub(crate) fn with_groups(format: FileFormat, groups: GroupKeys) -> FileText {
        FileText { groups: Some(GroupFormat(groups)), ..FileText::new(format) }
    }

    /// How the cells of a line are written; `None` in a format without such lines.
    pub(crate) fn cell_style(&self, safe_csv: bool) -> Option<CellStyle> {
        self.format.traits().separator.map(|separator| CellStyle { separator, safe_csv })
    }

    /// The columns of lines of cells.
    fn cell_columns(&self, job: &Job) -> &Columns {
        let standard = || {
            let of_query = || Columns::of_query(&ColumnNames::of([&job.program]));
            self.standard.get_or_init(of_query)
        };
        self.columns.as_ref().unwrap_or_else(standard)
    }
}

/// What comes before the items of a JSON array; each item comes after the end of a line.
pub(crate) const JSON_HEAD: &str = "[";
/// What comes after them.
const JSON_TAIL: &str = "\n]\n";

impl Format for FileText {
    fn needs(&self, job: &Job) -> Needs {
        match (&self.groups, &self.page) {
            (Some(groups), _) => groups.needs(job),
            (None, Some(page)) => page.needs(job),
            (None, None) => Needs::ALL,
        }
    }

    fn traces(&self, job: &Job) -> bool {
        match self.format {
            FileFormat::Html => self.page.as_ref().is_some_and(|page| page.traces(job)),
            FileFormat::Pgn => job.marks,
            FileFormat::Jsonl
            | FileFormat::Json
            | FileFormat::Csv
            | FileFormat::Tsv
            | FileFormat::Epd
            | FileFormat::Arrow
            | FileFormat::Text => false,
        }
    }

    fn positions(&self, job: &Job) -> bool {
        match self.format {
            FileFormat::Pgn => {
                job.fragment.is_some() || job.marks || job.program.adds_comments(&job.options)
            }
            FileFormat::Jsonl
            | FileFormat::Json
            | FileFormat::Csv
            | FileFormat::Tsv
            | FileFormat::Epd
            | FileFormat::Html
            | FileFormat::Arrow
            | FileFormat::Text => true,
        }
    }

    fn comments(&self, job: &Job) -> bool {
        if let Some(groups) = &self.groups {
            return groups.comments(job);
        }
        match self.format {
            FileFormat::Csv | FileFormat::Tsv => self.cell_columns(job).has_comments(),
            FileFormat::Jsonl | FileFormat::Json => {
                self.columns.as_ref().is_none_or(Columns::has_comments)
            }
            FileFormat::Html => self.page.as_ref().is_some_and(|page| page.comments(job)),
            FileFormat::Pgn | FileFormat::Epd | FileFormat::Arrow | FileFormat::Text => true,
        }
    }

    fn room(&self) -> OutputRoom {
        self.page.as_ref().map_or(OutputRoom::UNLIMITED, |page| page.room())
    }

    fn head(&self, job: &Job) -> String {
        if self.groups.is_some() {
            return String::new();
        }
        match self.format {
            FileFormat::Csv | FileFormat::Tsv => self
                .cell_style(job.safe_csv)
                .map(|style| columns::head(self.cell_columns(job), style))
                .unwrap_or_default(),
            FileFormat::Json => JSON_HEAD.to_owned(),
            FileFormat::Html => self.page.as_ref().map(|page| page.head(job)).unwrap_or_default(),
            FileFormat::Pgn
            | FileFormat::Jsonl
            | FileFormat::Epd
            | FileFormat::Arrow
            | FileFormat::Text => String::new(),
        }
    }

    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        if let Some(groups) = &self.groups {
            return groups.append(matched, out);
        }
        if self.overlays {
            return Omitted::default();
        }
        match self.format {
            FileFormat::Pgn => return pgn::append(matched, self.names_query, out.bytes()),
            FileFormat::Jsonl => self.append_objects(JsonStyle::Lines, matched, out),
            FileFormat::Json => self.append_objects(JsonStyle::Array, matched, out),
            FileFormat::Csv | FileFormat::Tsv => {
                if let Some(style) = self.cell_style(matched.job.safe_csv) {
                    let columns = self.cell_columns(matched.job);
                    columns::append(columns, RowStyle::Cells(style), matched, out);
                }
            }
            FileFormat::Epd => epd::append(matched, self.names_query, out),
            FileFormat::Html => {
                if let Some(page) = &self.page {
                    return page.append(matched, out);
                }
            }
            FileFormat::Arrow => table::append(matched, out.bytes()),
            // It has groups, or is refused.
            FileFormat::Text => {}
        }
        Omitted::default()
    }

    fn tail(&self, totals: &OutputTotals) -> String {
        match self.format {
            FileFormat::Html => {
                self.page.as_ref().map(|page| page.tail(totals)).unwrap_or_default()
            }
            FileFormat::Json => JSON_TAIL.to_owned(),
            FileFormat::Pgn
            | FileFormat::Jsonl
            | FileFormat::Csv
            | FileFormat::Tsv
            | FileFormat::Epd
            | FileFormat::Arrow
            | FileFormat::Text => String::new(),
        }
    }
}
