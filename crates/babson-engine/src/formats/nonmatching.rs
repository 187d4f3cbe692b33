//! The output of the games that no query matches.

use std::sync::{Arc, Mutex};

#[cfg(feature = "table")]
use babson_table::Compression;
use babson_vm::Outcome;

use super::file::FileSink;
#[cfg(not(feature = "table"))]
use super::table::Compression;
use super::{FileFormat, pgn, table};
use crate::destination::{Destination, SplitRules};
use crate::error::{Error, OutputRefusal};
use crate::identity::OwnFiles;
use crate::job::Job;
use crate::match_text::MatchText;
use crate::sink::MatchedGame;

/// An output of the games that are searched and not matched: see [`Settings::nonmatching`]. They
/// come in the order of the games and as they are in the input, in the layout of the first query.
///
/// A game is written if every query was evaluated on it and none matched. So games outside the
/// [range](Job::range) of a query are not written, nor games after its end, which a
/// [limit](Job::limit) brings, nor games that a query leaves with an error. A damaged game is
/// written up to its damage. If all queries stop with an error, nothing is written.
///
/// [`Settings::nonmatching`]: crate::Settings::nonmatching
///
/// ```
/// use babson_engine::{Input, Job, NonmatchingSink, Settings, Silent, Task, scan};
/// use babson_lang::{Dialect, analyze};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("rest.pgn");
/// let job = |text: &str| Job::new(&analyze(text, Dialect::CQLI).unwrap().query);
/// let mut settings = Settings::default();
/// let output = NonmatchingSink::at(&path).unwrap();
/// // Of the games that White has won, those without a mate.
/// settings.nonmatching = Some(output.among(job("result 1-0").unwrap()));
/// let games = Input::bytes(
///     "games",
///     *b"1. e4 e5 1/2-1/2\n\n[White \"Ann\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n",
/// );
/// let summary = scan(&[games], vec![Task::new(job("mate").unwrap())], &settings, &mut Silent)?;
/// assert_eq!((summary.games, summary.nonmatching), (2, 1));
/// assert!(std::fs::read_to_string(&path).unwrap().contains("[White \"Ann\"]"));
/// # Ok::<(), babson_engine::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NonmatchingSink {
    format: FileFormat,
    destination: Destination,
    compression: Compression,
    among: Option<Arc<Job>>,
    /// Why it cannot be written as the sink that it was made from.
    refused: Option<OutputRefusal>,
}

impl NonmatchingSink {
    /// An output in this format, which must be one of whole games: PGN, or a game table. Others are
    /// [refused](OutputRefusal::NoMatches) when the scan begins, and so are [split
    /// names](Destination::Split) with the query or a sort key.
    pub fn new(format: FileFormat, destination: Destination) -> NonmatchingSink {
        let (compression, among, refused) = (Compression::None, None, None);
        NonmatchingSink { format, destination, compression, among, refused }
    }

    /// The output of a file, with the format of its extension; `None` for an unknown extension.
    pub fn at(path: impl Into<std::path::PathBuf>) -> Option<NonmatchingSink> {
        let path = path.into();
        let format = FileFormat::of_name(&path.to_string_lossy())?;
        Some(NonmatchingSink::new(format, Destination::File(path)))
    }

    /// The same output, only of the games that this query matches. It sees each game alone: its
    /// messages, its range, its limit and what it keeps from game to game are ignored.
    #[must_use]
    pub fn among(self, job: Job) -> NonmatchingSink {
        NonmatchingSink { among: Some(Arc::new(job)), ..self }
    }

    /// The same output, whose game table is compressed so. PGN is not.
    #[cfg(feature = "table")]
    #[must_use]
    pub fn with_compression(self, compression: Compression) -> NonmatchingSink {
        NonmatchingSink { compression, ..self }
    }

    /// The format.
    pub fn file_format(&self) -> FileFormat {
        self.format
    }

    /// Where the games are written.
    pub fn destination(&self) -> &Destination {
        &self.destination
    }

    /// The query that chooses among the games.
    pub(crate) fn choosing(&self) -> Option<&Job> {
        self.among.as_deref()
    }

    /// The refusal of this output.
    pub(crate) fn refusal(&self, reason: OutputRefusal) -> Error {
        Error::OutputRefused { path: self.destination.name(), reason }
    }

    /// Creates the output.
    pub(crate) fn begin(
        &self,
        split: SplitRules,
        own: &Arc<Mutex<OwnFiles>>,
    ) -> Result<FileSink, Error> {
        let names_match = self
            .destination
            .pattern()
            .is_some_and(|pattern| pattern.names_query() || pattern.sort_keys().next().is_some());
        if !self.format.has_games() {
            return Err(self.refusal(OutputRefusal::NoMatches));
        } else if names_match {
            return Err(self.refusal(OutputRefusal::NonmatchingName));
        } else if let Some(reason) = self.refused {
            return Err(self.refusal(reason));
        }
        let mut sink = FileSink::new(self.format, self.destination.clone());
        sink.begin_games(self.compression, split, own)?;
        Ok(sink)
    }

    /// The name of the file of a game, if there are many.
    pub(crate) fn file_name(&self, game: &MatchedGame<'_>) -> Option<String> {
        let pattern = self.destination.pattern()?;
        Some(pattern.fill(game.game, game.outcome, game.job))
    }

    /// Appends a game, whose outcome is empty.
    pub(crate) fn append(&self, game: &MatchedGame<'_>, out: &mut MatchText) {
        debug_assert_eq!(*game.outcome, Outcome::default());
        match self.format {
            FileFormat::Arrow => table::append_game(game, out.bytes()),
            // The others were refused.
            FileFormat::Pgn
            | FileFormat::Jsonl
            | FileFormat::Json
            | FileFormat::Csv
            | FileFormat::Tsv
            | FileFormat::Epd
            | FileFormat::Html
            | FileFormat::Text => pgn::append_game(game, out.bytes()),
        }
    }
}

impl From<FileSink> for NonmatchingSink {
    fn from(sink: FileSink) -> NonmatchingSink {
        NonmatchingSink::from(&sink)
    }
}

impl From<&FileSink> for NonmatchingSink {
    /// The output of the same format, destination and compression. A sink with columns or groups is
    /// refused when the scan begins, since games that do not match have neither.
    fn from(sink: &FileSink) -> NonmatchingSink {
        let output = NonmatchingSink::new(sink.file_format(), sink.destination().clone());
        let columns = sink.columns().map(|_| OutputRefusal::NoColumns);
        let groups = sink.groups().map(|_| OutputRefusal::HasNoGroups);
        let refused = groups.or(columns);
        NonmatchingSink { compression: sink.table_compression(), refused, ..output }
    }
}
