//! Outputs of all queries of a scan.

use super::{FileFormat, FileSink, FileText};
use crate::columns::{ColumnNames, Columns};
use crate::destination::Destination;
use crate::groups::GroupKeys;
use crate::job::Job;

/// An output with the matches of all queries of a scan: see [`Settings::shared`]. The matches are
/// in the order of the games, within a game in the order of the queries, and each match names its
/// query.
///
/// [`Settings::shared`]: crate::Settings::shared
///
/// ```
/// use babson_engine::{Destination, FileFormat, Input, Job, Settings, SharedSink, Silent, Task, scan};
/// use babson_lang::{Dialect, analyze};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("all.csv");
/// let job = |title: &str| {
///     let query = analyze(title, Dialect::CQLI).unwrap().query;
///     Job { title: title.to_owned(), ..Job::new(&query).unwrap() }
/// };
/// let columns = babson_engine::Columns::parse("game,query,ply").unwrap();
/// let output = SharedSink::new(FileFormat::Csv, Destination::File(path.clone()));
/// let mut settings = Settings::default();
/// settings.shared = vec![output.with_columns(columns)];
/// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 f5 2. Qh5+ g6 *\n");
/// let tasks = vec![Task::new(job("mate")), Task::new(job("check"))];
/// scan(&[games], tasks, &settings, &mut Silent)?;
/// let rows = std::fs::read_to_string(&path).unwrap();
/// assert_eq!(rows, "game,query,ply\n1,mate,4\n1,check,4\n2,check,3\n");
/// # Ok::<(), babson_engine::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedSink {
    format: FileFormat,
    destination: Destination,
    columns: Option<Columns>,
    groups: Option<GroupKeys>,
    overlays: bool,
}

impl SharedSink {
    /// An output in this format. HTML pages and game tables are of one query, and
    /// [refused](crate::OutputRefusal::OneQuery) when the scan begins.
    pub fn new(format: FileFormat, destination: Destination) -> SharedSink {
        SharedSink { format, destination, columns: None, groups: None, overlays: false }
    }

    /// The same output, whose rows have these columns: as [`FileSink::with_columns`].
    #[must_use]
    pub fn with_columns(self, columns: Columns) -> SharedSink {
        SharedSink { columns: Some(columns), ..self }
    }

    /// The same output, with the groups of the matches in place of the matches: as
    /// [`FileSink::with_groups`]. Their first key is the name of the query.
    #[must_use]
    pub fn with_groups(self, groups: GroupKeys) -> SharedSink {
        SharedSink { groups: Some(groups), ..self }
    }

    /// The same output, which has each game that a query matches once, with what all queries add to
    /// it: each comment begins with the title of its query, a matching position has the title, the
    /// marks of a query have one color, and the tag `Query` has the titles of the queries that
    /// match. The games have the layout of the first query.
    ///
    /// Only PGN can be overlaid, without [parts of games](crate::Job::fragment) and not in the
    /// layout of CQL 6.2, and all queries must read the beginnings of games in the same way, as
    /// queries of one dialect do. Other outputs are [refused](crate::OutputRefusal) when the scan
    /// begins.
    ///
    /// ```
    /// use babson_engine::{
    ///     Destination, FileFormat, Input, Job, Settings, SharedSink, Silent, Task, scan,
    /// };
    /// use babson_lang::{Dialect, analyze};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("all.pgn");
    /// let job = |title: &str| {
    ///     let query = analyze(title, Dialect::CQLI).unwrap().query;
    ///     Job { title: title.to_owned(), ..Job::new(&query).unwrap() }
    /// };
    /// let output = SharedSink::new(FileFormat::Pgn, Destination::File(path.clone()));
    /// let mut settings = Settings::default();
    /// settings.shared = vec![output.overlaid()];
    /// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n");
    /// let tasks = ["mate", "check", "stalemate"].map(|query| Task::new(job(query)));
    /// scan(&[games], tasks.into(), &settings, &mut Silent)?;
    /// let text = std::fs::read_to_string(&path).unwrap();
    /// assert!(text.contains("[Query \"mate, check\"]") && text.contains("Qh4# {mate} {check} 0-1"));
    /// # Ok::<(), babson_engine::Error>(())
    /// ```
    #[must_use]
    pub fn overlaid(self) -> SharedSink {
        SharedSink { overlays: true, ..self }
    }

    /// The format.
    pub fn file_format(&self) -> FileFormat {
        self.format
    }

    /// Where matches are written.
    pub fn destination(&self) -> &Destination {
        &self.destination
    }

    /// The sink of the matches of these jobs.
    pub(crate) fn sink(&self, jobs: &[Job]) -> FileSink {
        if let Some(groups) = &self.groups {
            let text = FileText::with_groups(self.format, groups.with_query());
            return FileSink::of_text(text, self.destination.clone());
        }
        let names = || ColumnNames::of(jobs.iter().map(|job| &job.program));
        let standard = || self.format.has_cells().then(|| Columns::of_queries(&names()));
        let columns = self.columns.clone().or_else(standard);
        let overlays = self.overlays;
        let text = FileText { columns, names_query: true, overlays, ..FileText::new(self.format) };
        FileSink::of_text(text, self.destination.clone())
    }
}

impl From<FileSink> for SharedSink {
    fn from(sink: FileSink) -> SharedSink {
        SharedSink::from(&sink)
    }
}

impl From<&FileSink> for SharedSink {
    /// The output of the same format, columns, groups and destination.
    fn from(sink: &FileSink) -> SharedSink {
        let (format, destination) = (sink.file_format(), sink.destination().clone());
        let (columns, groups) = (sink.columns().cloned(), sink.groups().cloned());
        SharedSink { format, destination, columns, groups, overlays: false }
    }
}
