//! The sink of files and standard output.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(feature = "table")]
use babson_table::Compression;

use super::format::JSON_HEAD;
use super::items::Items;
use super::room::Room;
use super::split::Split;
#[cfg(not(feature = "table"))]
use super::table::Compression;
use super::table::MatchTable;
use super::{FileFormat, FileText};
use crate::columns::{ColumnNames, Columns, JsonStyle, head};
use crate::destination::{Destination, SplitRules};
use crate::error::{Error, OutputRefusal};
use crate::groups::{GroupCounter, GroupKeys, GroupTableFormat};
use crate::identity::OwnFiles;
use crate::job::{Job, MatchChoice};
use crate::output::{Output, Unpublished};
use crate::sink::{Format, Sink, SinkContext, SinkResult, SinkTotals, TextSlice};

/// Writes matches to a file, to many files, or to standard output.
///
/// ```
/// use babson_engine::{Destination, FileFormat, FileSink, Sink};
///
/// let sink = FileSink::new(FileFormat::Csv, Destination::File("mates.csv".into()));
/// assert_eq!(sink.name(), "mates.csv");
/// assert!(FileSink::at("mates.xyz").is_none());
/// ```
pub struct FileSink {
    text: Arc<FileText>,
    destination: Destination,
    /// How a game table is compressed.
    compression: Compression,
    /// Whether no cell of a table of groups may be a formula.
    safe_csv: bool,
    writer: Writer,
}

/// Where the text goes.
enum Writer {
    /// Nowhere: before the scan has begun, and in a dry run.
    Nowhere,
    One(Output, Room, Items),
    Many(Box<Split>),
    /// A game table.
    Table(Box<MatchTable>),
    /// A table of groups.
    Groups(Output, Box<GroupCounter>),
}

impl FileSink {
    /// A sink that writes matches in this format. Nothing is created before the scan begins.
    pub fn new(format: FileFormat, destination: Destination) -> FileSink {
        let (text, compression) = (Arc::new(FileText::new(format)), Compression::None);
        FileSink { text, destination, compression, safe_csv: false, writer: Writer::Nowhere }
    }

    /// The same sink, whose rows have these columns. A JSON line is then a flat object for each
    /// matching position. A format [without columns](FileFormat::has_columns) is
    /// [refused](OutputRefusal::NoColumns) when the scan begins, and so is a sort key that the
    /// query does not have.
    ///
    /// ```
    /// use babson_engine::{Columns, FileSink, Input, Job, Settings, Silent, Task, scan};
    /// use babson_lang::{Dialect, analyze};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("mates.csv");
    /// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
    /// let columns = Columns::parse("white,movenumber,san").unwrap();
    /// let task = Task::new(job).sink(FileSink::csv(&path).with_columns(columns));
    /// let games = Input::bytes("games", *b"[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    /// scan(&[games], vec![task], &Settings::default(), &mut Silent)?;
    /// assert_eq!(std::fs::read_to_string(&path).unwrap(), "white,movenumber,san\nAnn,3,Qh4#\n");
    /// # Ok::<(), babson_engine::Error>(())
    /// ```
    #[must_use]
    pub fn with_columns(self, columns: Columns) -> FileSink {
        let text = FileText::with_columns(self.text.format, columns);
        FileSink { text: Arc::new(text), ..self }
    }

    /// The same sink, which writes in place of the matches a table of the groups that they are in:
    /// see [`GroupKeys`]. A format [without groups](FileFormat::has_groups), an output that is
    /// appended to or split into many files, and a sort key that the query does not have are
    /// refused when the scan begins. More than a million groups end the scan with an error.
    ///
    /// ```
    /// use babson_engine::{FileSink, GroupKeys, Input, Job, Settings, Silent, Task, scan};
    /// use babson_lang::{Dialect, analyze};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("years.csv");
    /// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
    /// let groups = GroupKeys::parse("year").unwrap();
    /// let task = Task::new(job).sink(FileSink::csv(&path).with_groups(groups));
    /// let games = Input::bytes("games", *b"[Date \"1999.10.02\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    /// scan(&[games], vec![task], &Settings::default(), &mut Silent)?;
    /// assert_eq!(
    ///     std::fs::read_to_string(&path).unwrap(),
    ///     "year,games,positions,won,drawn,lost,other,score,performance,share\n\
    ///      1999,1,1,0,0,1,0,0.0,,100.0\n"
    /// );
    /// # Ok::<(), babson_engine::Error>(())
    /// ```
    #[must_use]
    pub fn with_groups(self, groups: GroupKeys) -> FileSink {
        let text = FileText::with_groups(self.text.format, groups);
        FileSink { text: Arc::new(text), ..self }
    }

    /// The same sink, whose game table is compressed so. Other formats are not compressed.
    #[cfg(feature = "table")]
    #[must_use]
    pub fn with_compression(self, compression: Compression) -> FileSink {
        FileSink { compression, ..self }
    }

    /// The sink of a file, with the format of its extension; `None` for an unknown extension. An
    /// HTML page is [refused](OutputRefusal::NoPage) when the scan begins: [`FileSink::html`] makes
    /// its sink.
    pub fn at(path: impl Into<PathBuf>) -> Option<FileSink> {
        let path = path.into();
        let format = FileFormat::of_name(&path.to_string_lossy())?;
        Some(FileSink::new(format, Destination::File(path)))
    }

    /// A sink that writes the annotated games to a PGN file.
    pub fn pgn(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Pgn, Destination::File(path.into()))
    }

    /// A sink that writes a JSON object for each match.
    pub fn jsonl(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Jsonl, Destination::File(path.into()))
    }

    /// A sink that writes a row of CSV for each matching position.
    pub fn csv(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Csv, Destination::File(path.into()))
    }

    /// A sink that writes a line of EPD for each matching position.
    pub fn epd(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Epd, Destination::File(path.into()))
    }

    /// A sink of HTML pages whose text this format makes. A page is of one query and has neither
    /// columns nor groups. The crate `babson-report` has the format of reports.
    ///
    /// ```
    /// use babson_engine::{
    ///     Destination, FileSink, Format, Input, Job, MatchText, MatchedGame, Omitted,
    ///     Settings, Silent, Task, scan,
    /// };
    /// use babson_lang::{Dialect, analyze};
    ///
    /// /// A line with the number of each matching game.
    /// struct Numbers;
    ///
    /// impl Format for Numbers {
    ///     fn head(&self, _: &Job) -> String {
    ///         "<!doctype html>\n<title>Mates</title>\n".to_owned()
    ///     }
    ///
    ///     fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
    ///         out.bytes().extend(format!("<p>game {}\n", matched.number).into_bytes());
    ///         Omitted::default()
    ///     }
    /// }
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("mates.html");
    /// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
    /// let sink = FileSink::html(Numbers, Destination::File(path.clone()));
    /// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n");
    /// let task = Task::new(job).sink(sink);
    /// scan(&[games], vec![task], &Settings::default(), &mut Silent)?;
    /// assert!(std::fs::read_to_string(&path).unwrap().ends_with("</title>\n<p>game 1\n"));
    /// # Ok::<(), babson_engine::Error>(())
    /// ```
    pub fn html(page: impl Format + 'static, destination: Destination) -> FileSink {
        let page: Arc<dyn Format> = Arc::new(page);
        let text = FileText { page: Some(page), ..FileText::new(FileFormat::Html) };
        FileSink::of_text(text, destination)
    }

    /// A sink that writes a game table of the matching games, an Arrow file.
    pub fn arrow(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Arrow, Destination::File(path.into()))
    }

    /// The format.
    pub fn file_format(&self) -> FileFormat {
        self.text.format
    }

    /// The columns, if they were [chosen](FileSink::with_columns).
    pub fn columns(&self) -> Option<&Columns> {
        self.text.columns.as_ref()
    }

    /// The keys of the groups, if it [writes groups](FileSink::with_groups).
    pub fn groups(&self) -> Option<&GroupKeys> {
        self.text.groups.as_ref().map(|groups| &groups.0)
    }

    /// Where matches are written.
    pub fn destination(&self) -> &Destination {
        &self.destination
    }

    /// Whether it has each game once for all queries.
    pub(crate) fn overlays(&self) -> bool {
        self.text.overlays
    }

    /// An error if it cannot have the games of these jobs once for all.
    fn check_overlay(&self, jobs: &[Job]) -> Result<(), Error> {
        let starts = |job: &Job| job.program.needs().usual_start;
        let differ = |one: &Job| jobs.iter().any(|job| starts(job) != starts(one));
        let reason = match jobs.first() {
            _ if self.text.format != FileFormat::Pgn => OutputRefusal::OverlaidFormat,
            _ if jobs.iter().any(|job| job.fragment.is_some()) => OutputRefusal::OverlaidFragments,
            _ if jobs.iter().any(|job| job.options.cql6_output) => OutputRefusal::OverlaidLayout,
            Some(first) if differ(first) => OutputRefusal::OverlaidDialects,
            Some(_) | None => return Ok(()),
        };
        Err(Error::OutputRefused { path: self.name(), reason })
    }

    /// How a game table is compressed.
    pub(super) fn table_compression(&self) -> Compression {
        self.compression
    }

    /// The sink of a text with its columns.
    pub(crate) fn of_text(text: FileText, destination: Destination) -> FileSink {
        FileSink { text: Arc::new(text), ..FileSink::new(FileFormat::Pgn, destination) }
    }

    /// As [`Sink::begin`], for an output of several queries. Each match names its query.
    pub(crate) fn begin_shared(
        &mut self,
        jobs: &[Job],
        split: SplitRules,
        own: &Arc<Mutex<OwnFiles>>,
    ) -> SinkResult {
        let refuse = |reason| Err(Error::OutputRefused { path: self.name(), reason });
        if !self.text.format.has_several_queries() {
            refuse(OutputRefusal::OneQuery)?;
        }
        let sorts = |job: &Job| match job.choice {
            None => job.sorts() && self.heeds_order(),
            Some(MatchChoice::Top(_)) => job.sorts(),
            Some(MatchChoice::Sample { .. }) => false,
        };
        if jobs.iter().any(sorts) {
            refuse(OutputRefusal::SharedSort)?;
        }
        if jobs.iter().any(|job| job.choice.is_some()) {
            refuse(OutputRefusal::SharedSample)?;
        }
        self.check(jobs)?;
        if self.overlays() {
            self.check_overlay(jobs)?;
        }
        let safe_csv = jobs.iter().any(|job| job.safe_csv);
        self.safe_csv = safe_csv;
        let style = self.text.cell_style(safe_csv);
        let head = match (&self.text.columns, style) {
            (Some(columns), Some(style)) => head(columns, style),
            (Some(_), None) | (None, _) if self.text.format == FileFormat::Json => {
                JSON_HEAD.to_owned()
            }
            (Some(_), None) | (None, _) => String::new(),
        };
        Ok(self.open(head, split, own)?)
    }

    /// As [`Sink::begin`], for an output of games that are not matches, in a format that has whole
    /// games.
    pub(super) fn begin_games(
        &mut self,
        compression: Compression,
        split: SplitRules,
        own: &Arc<Mutex<OwnFiles>>,
    ) -> Result<(), Error> {
        if self.text.format == FileFormat::Arrow && !split.dry_run {
            let table = MatchTable::begin_games(&self.destination, compression, own)?;
            self.writer = Writer::Table(Box::new(table));
            return Ok(());
        }
        self.open(String::new(), split, own)
    }

    /// Creates the output, or prepares for the files of one that is split.
    fn open(
        &mut self,
        head: String,
        split: SplitRules,
        own: &Arc<Mutex<OwnFiles>>,
    ) -> Result<(), Error> {
        if let Destination::Split { append, .. } = self.destination {
            let (own, text) = (Arc::clone(own), Arc::clone(&self.text));
            self.writer = Writer::Many(Box::new(Split::new(split, append, text, head, own)));
            return Ok(());
        }
        if split.dry_run {
            return Ok(());
        }
        let own = own.lock().unwrap_or_else(PoisonError::into_inner);
        let mut output = own.create(&self.destination)?;
        self.writer = match self.groups().cloned() {
            Some(groups) => Writer::Groups(output, Box::new(GroupCounter::new(groups))),
            None => {
                output.begin(&head)?;
                let items = Items::of(self.text.format);
                Writer::One(output, Room::new(self.text.room()), items)
            }
        };
        Ok(())
    }

    /// Checks that the chosen columns or groups can be written for these jobs.
    fn check(&self, jobs: &[Job]) -> Result<(), Error> {
        let path = self.destination.name();
        if let Some(groups) = self.groups() {
            return self.check_groups(groups, jobs);
        }
        if self.text.format == FileFormat::Text {
            return Err(Error::OutputRefused { path, reason: OutputRefusal::NoGroups });
        }
        if self.destination.appends() && self.text.format == FileFormat::Json {
            return Err(Error::OutputRefused { path, reason: OutputRefusal::AppendedArray });
        }
        if jobs.iter().any(|job| job.fragment.is_some()) && !self.text.format.has_fragments() {
            return Err(Error::OutputRefused { path, reason: OutputRefusal::Fragments });
        }
        let Some(columns) = &self.text.columns else {
            if self.text.format == FileFormat::Html && self.text.page.is_none() {
                return Err(Error::OutputRefused { path, reason: OutputRefusal::NoPage });
            }
            return Ok(());
        };
        if !self.text.format.has_columns() {
            return Err(Error::OutputRefused { path, reason: OutputRefusal::NoColumns });
        }
        let names = ColumnNames::of(jobs.iter().map(|job| &job.program));
        let checked = columns.check(&names);
        checked.map_err(|source| Error::Columns { path, source })
    }

    fn check_groups(&self, groups: &GroupKeys, jobs: &[Job]) -> Result<(), Error> {
        let path = self.destination.name();
        let reason = if self.destination.appends() {
            Some(OutputRefusal::AppendedGroups)
        } else if self.destination.pattern().is_some() {
            Some(OutputRefusal::SplitGroups)
        } else {
            (!self.text.format.has_groups()).then_some(OutputRefusal::HasNoGroups)
        };
        if let Some(reason) = reason {
            return Err(Error::OutputRefused { path, reason });
        }
        let names = ColumnNames::of(jobs.iter().map(|job| &job.program));
        groups.check(&names).map_err(|source| Error::Groups { path, source })
    }

    /// Writes the next slice of text. A file never has enough.
    pub(crate) fn append(&mut self, slice: TextSlice<'_>) -> SinkResult {
        match (&mut self.writer, slice.file) {
            (Writer::Nowhere, _) => {}
            (Writer::One(output, room, items), _) => {
                if room.takes(&slice) {
                    output.write(items.before(&slice).as_bytes())?;
                    output.write(slice.bytes)?;
                }
            }
            (Writer::Many(split), Some(name)) => split.write(name, &slice)?,
            (Writer::Many(_), None) => {}
            (Writer::Table(table), _) => table.write(slice)?,
            (Writer::Groups(_, counter), _) => counter.take(slice.bytes, slice.first)?,
        }
        Ok(())
    }
}

impl Sink for FileSink {
    fn name(&self) -> String {
        self.destination.name()
    }

    fn format(&self) -> Option<Arc<dyn Format>> {
        Some(Arc::clone(&self.text) as Arc<dyn Format>)
    }

    fn destination(&self) -> Option<&Destination> {
        Some(&self.destination)
    }

    fn heeds_order(&self) -> bool {
        self.text.groups.is_none()
    }

    fn begin(&mut self, context: &SinkContext<'_>) -> SinkResult {
        self.check(std::slice::from_ref(context.job))?;
        self.safe_csv = context.job.safe_csv;
        if self.text.format == FileFormat::Arrow && !context.split.dry_run {
            let table = MatchTable::begin(&self.destination, self.compression, context)?;
            self.writer = Writer::Table(Box::new(table));
            return Ok(());
        }
        let head = self.text.head(context.job);
        Ok(self.open(head, context.split, &context.own)?)
    }

    fn write_text(&mut self, slice: TextSlice<'_>) -> SinkResult<ControlFlow<()>> {
        self.append(slice)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Only standard output and writers are flushed: the files appear at the end.
    fn flush(&mut self) -> SinkResult {
        match &mut self.writer {
            Writer::One(output, ..) if self.destination.is_stream() => output.flush()?,
            Writer::One(..)
            | Writer::Many(_)
            | Writer::Table(_)
            | Writer::Groups(..)
            | Writer::Nowhere => {}
        }
        Ok(())
    }

    fn is_closed(&self) -> bool {
        match &self.writer {
            Writer::One(output, ..) | Writer::Groups(output, _) => output.is_closed(),
            Writer::Table(table) => table.is_closed(),
            Writer::Nowhere | Writer::Many(_) => false,
        }
    }

    fn finish(self: Box<Self>, outputs: &mut Unpublished, searched: u64) -> SinkResult<SinkTotals> {
        match self.writer {
            Writer::Nowhere => Ok(SinkTotals::default()),
            Writer::One(mut output, room, _) => {
                let totals = room.totals(searched);
                output.write(self.text.tail(&totals).as_bytes())?;
                outputs.add(output)?;
                Ok(SinkTotals { files: Vec::new(), left_out: totals.left_out })
            }
            Writer::Many(split) => Ok(split.finish(outputs, searched)?),
            Writer::Table(table) => {
                outputs.add(table.finish()?)?;
                Ok(SinkTotals::default())
            }
            Writer::Groups(mut output, counter) => {
                let cells = self.text.cell_style(self.safe_csv).map(GroupTableFormat::Cells);
                let format = match self.text.format {
                    FileFormat::Jsonl => GroupTableFormat::Json(JsonStyle::Lines),
                    FileFormat::Json => GroupTableFormat::Json(JsonStyle::Array),
                    FileFormat::Csv
                    | FileFormat::Tsv
                    | FileFormat::Text
                    | FileFormat::Pgn
                    | FileFormat::Epd
                    | FileFormat::Html
                    | FileFormat::Arrow => cells.unwrap_or(GroupTableFormat::Text),
                };
                counter.finish()?.lines(format, |line| output.write(line.as_bytes()))?;
                outputs.add(output)?;
                Ok(SinkTotals::default())
            }
        }
    }
}

impl From<FileSink> for Box<dyn Sink> {
    fn from(sink: FileSink) -> Box<dyn Sink> {
        Box::new(sink)
    }
}
