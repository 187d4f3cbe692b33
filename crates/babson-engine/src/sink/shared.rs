//! Outputs of all queries of a scan.

use babson_vm::Outcome;

use super::{FileFormat, FileSink, FileText};
use crate::columns::{ColumnNames, Columns};
use crate::destination::Destination;
use crate::groups::GroupKeys;
use crate::job::Job;

/// An output with the matches of all queries of a scan: see [`Settings::shared`]. The matches are
/// in the order of the games, those of one game in the order of the queries, and each one names its
/// query.
///
/// [`Settings::shared`]: crate::Settings::shared
///
/// ```
/// use babson_engine::{Destination, FileFormat, Input, Job, Settings, SharedOutput, Silent, scan};
/// use babson_lang::{Dialect, analyze};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("all.csv");
/// let job = |title: &str| {
///     let query = analyze(title, Dialect::CQLI).unwrap().query;
///     Job { title: title.to_owned(), ..Job::new(&query, Dialect::CQLI).unwrap() }
/// };
/// let columns = babson_engine::Columns::parse("game,query,ply").unwrap();
/// let output = SharedOutput::new(FileFormat::Csv, Destination::File(path.clone()));
/// let mut settings = Settings::default();
/// settings.shared = vec![output.with_columns(columns)];
/// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 f5 2. Qh5+ g6 *\n");
/// let tasks = vec![job("mate").into(), job("check").into()];
/// scan(&[games], tasks, &settings, &mut Silent)?;
/// let rows = std::fs::read_to_string(&path).unwrap();
/// assert_eq!(rows, "game,query,ply\n1,mate,4\n1,check,4\n2,check,3\n");
/// # Ok::<(), babson_engine::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedOutput {
    format: FileFormat,
    destination: Destination,
    columns: Option<Columns>,
    groups: Option<GroupKeys>,
}

impl SharedOutput {
    /// An output in this format. HTML pages and game tables are of one query, and
    /// [refused](crate::OutputRefusal::OneQuery) when the scan begins.
    pub fn new(format: FileFormat, destination: Destination) -> SharedOutput {
        SharedOutput { format, destination, columns: None, groups: None }
    }

    /// The same output, whose rows have these columns: as [`FileSink::with_columns`].
    #[must_use]
    pub fn with_columns(self, columns: Columns) -> SharedOutput {
        SharedOutput { columns: Some(columns), ..self }
    }

    /// The same output, with the groups of the matches in place of the matches: as
    /// [`FileSink::with_groups`]. Their first key is the name of the query.
    #[must_use]
    pub fn with_groups(self, groups: GroupKeys) -> SharedOutput {
        SharedOutput { groups: Some(groups), ..self }
    }

    /// The format.
    pub fn file_format(&self) -> FileFormat {
        self.format
    }

    /// Where matches are written.
    pub fn target(&self) -> &Destination {
        &self.destination
    }

    /// The sink of the matches of these jobs.
    pub(crate) fn sink(&self, jobs: &[Job]) -> FileSink {
        if let Some(groups) = &self.groups {
            let text = FileText::with_groups(self.format, groups.with_query());
            return FileSink::of_text(text, self.destination.clone());
        }
        let names = || ColumnNames::of(jobs.iter().map(|job| &*job.program));
        let standard = || (self.format == FileFormat::Csv).then(|| Columns::of_queries(&names()));
        let columns = self.columns.clone().or_else(standard);
        let text = FileText { columns, names_query: true, ..FileText::new(self.format) };
        FileSink::of_text(text, self.destination.clone())
    }
}

impl From<FileSink> for SharedOutput {
    fn from(sink: FileSink) -> SharedOutput {
        SharedOutput::from(&sink)
    }
}

impl From<&FileSink> for SharedOutput {
    /// The output of the same format, columns, groups and destination.
    fn from(sink: &FileSink) -> SharedOutput {
        let (format, destination) = (sink.file_format(), sink.target().clone());
        let (columns, groups) = (sink.columns().cloned(), sink.groups().cloned());
        SharedOutput { format, destination, columns, groups }
    }
}

/// The outcome with a tag that names the query.
pub(super) fn named(outcome: &Outcome, job: &Job) -> Outcome {
    let mut outcome = outcome.clone();
    let name = job.title.replace('\\', "\\\\").replace('"', "\\\"");
    outcome.tags.retain(|tag| tag.0 != QUERY_TAG);
    outcome.removed_tags.retain(|tag| tag != QUERY_TAG);
    outcome.tags.push((QUERY_TAG.to_owned(), name.into_bytes()));
    outcome
}

/// The tag that names the query of a game.
const QUERY_TAG: &str = "Query";
