//! Where matches go: the traits [`Sink`] and [`Format`]. The files and tables of `formats` are
//! their first implementations.
//!
//! A match becomes text on the thread that found it ([`Format`]), and the text is written in the
//! order of the games on one thread ([`Sink`]). A sink without a format takes the matches as data.

mod annotated;
pub(crate) mod position;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use babson_pgn::{Game, Needs};
use babson_vm::{Match, Origin, Outcome, Trace};

use crate::destination::{Destination, SplitRules};
use crate::error::Error;
use crate::identity::OwnFiles;
use crate::job::Job;
use crate::match_text::MatchText;
use crate::output::{Output, Unpublished};
pub(crate) use annotated::annotated;

/// The result of a step of a sink. Any error ends the scan; the scan adds the name of the sink.
pub type SinkResult<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A destination of matches.
///
/// A scan calls [`begin`](Sink::begin) once, then for each match in the order of the output
/// [`write`](Sink::write), or [`write_text`](Sink::write_text) for each slice of its text, and
/// [`finish`](Sink::finish) after the last one. If the scan fails, or the query stops with an
/// error, the sink is dropped instead.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use babson_engine::{Match, Sink, SinkResult};
///
/// /// Collects the numbers of the matching games, as long as somebody receives them.
/// struct Numbers(std::sync::mpsc::Sender<u64>);
///
/// impl Sink for Numbers {
///     fn name(&self) -> String {
///         "the list of numbers".to_owned()
///     }
///
///     fn write(&mut self, hit: &Match) -> SinkResult<ControlFlow<()>> {
///         Ok(match self.0.send(hit.game) {
///             Ok(()) => ControlFlow::Continue(()),
///             Err(_) => ControlFlow::Break(()),
///         })
///     }
/// }
/// ```
pub trait Sink: Send {
    /// The name in messages.
    fn name(&self) -> String;

    /// How a match becomes text. `None`: the sink takes the matches as data.
    fn format(&self) -> Option<Arc<dyn Format>> {
        None
    }

    /// Where the bytes go, if the sink writes files or standard output: no file may have two roles.
    fn destination(&self) -> Option<&Destination> {
        None
    }

    /// Whether the order of the matches matters to it. The matches of a query that sorts need not
    /// wait for their order if it matters to no sink.
    fn heeds_order(&self) -> bool {
        true
    }

    /// Prepares for the first match.
    ///
    /// # Errors
    /// Any error ends the scan.
    fn begin(&mut self, _context: &SinkContext<'_>) -> SinkResult {
        Ok(())
    }

    /// Takes the next match. Called if the sink has no format.
    ///
    /// [`ControlFlow::Break`] means *enough*: it ends the query with this match, as a
    /// [limit](Job::limit) does. The other sinks of the query get this match, too, and no sink of
    /// the query gets another one. Nothing of the query counts in the games after it;
    /// [`QuerySummary::ended_early`](crate::QuerySummary::ended_early) tells of it. The other
    /// queries go on. All sinks are [finished](Sink::finish) at the end, unless the query stops
    /// with an error.
    ///
    /// If the query [chooses some](Job::choice) of its matches, or sorts them for a sink that
    /// [heeds the order](Sink::heeds_order), they are written when all games are searched. *Enough*
    /// then only leaves out the matches that would be written after this one; all are counted.
    ///
    /// Whatever the query keeps from game to game, such as persistent variables, and the files that
    /// it writes may also be of games after the last one: these may have been searched before.
    ///
    /// # Errors
    /// Any error ends the scan.
    fn write(&mut self, _hit: &Match) -> SinkResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    /// Takes the next slice of text. Called if the sink has a format; a long text comes in several
    /// slices. [`ControlFlow::Break`] ends the query as in [`Sink::write`]; the other slices of
    /// this match still come.
    ///
    /// # Errors
    /// Any error ends the scan.
    fn write_text(&mut self, _slice: TextSlice<'_>) -> SinkResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    /// Passes on what is buffered. Called when matches have come that somebody may wait for.
    ///
    /// # Errors
    /// Any error ends the scan.
    fn flush(&mut self) -> SinkResult {
        Ok(())
    }

    /// Whether nobody reads the output any more, so that more matches would be written in vain.
    fn is_closed(&self) -> bool {
        false
    }

    /// All matches of the games that were `searched` have come. Files are added to `outputs`, which
    /// publishes the files of all sinks together.
    ///
    /// # Errors
    /// Any error ends the scan.
    fn finish(
        self: Box<Self>,
        _outputs: &mut Unpublished,
        _searched: u64,
    ) -> SinkResult<SinkTotals> {
        Ok(SinkTotals::default())
    }
}

/// What a sink reports at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SinkTotals {
    /// The files of an output that is split, each with its number of games.
    pub files: Vec<(String, u64)>,
    /// The matching games that the output has no room for.
    pub left_out: u64,
}

/// What a sink needs to know of its scan.
pub struct SinkContext<'s> {
    /// The query, without its sinks.
    pub job: &'s Job,
    /// The rules for outputs that are split into many files.
    pub split: SplitRules,
    pub(crate) own: Arc<Mutex<OwnFiles>>,
}

impl SinkContext<'_> {
    /// Creates an output of the scan, which [`Settings::ledger`](crate::Settings::ledger) lists
    /// until it is complete. A sink hands it in when it [finishes](Sink::finish).
    ///
    /// # Errors
    /// As [`Output::create`](crate::Output::create).
    pub fn create(&self, destination: &Destination) -> Result<Output, Error> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner).create(destination)
    }
}

/// A slice of the text of a match.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TextSlice<'t> {
    /// The name of the file, if the destination of the sink is split into many.
    pub file: Option<&'t str>,
    /// The bytes.
    pub bytes: &'t [u8],
    /// Whether it is the first slice of its match.
    pub first: bool,
}

/// Turns matches into text, on the threads that find them.
///
/// [`FileSink::html`](crate::FileSink::html) writes the text of a format to files.
pub trait Format: Send + Sync {
    /// What it needs of a game, by default everything. A game of a query that needs as much is not
    /// read a second time.
    fn needs(&self, _job: &Job) -> Needs {
        Needs::ALL
    }

    /// Whether it needs the traces of the matching positions: [`MatchedGame::traces`].
    fn traces(&self, _job: &Job) -> bool {
        false
    }

    /// Whether it needs the comments that the query adds: [`Outcome::comments`]. If no output of a
    /// query does, its comments are not made.
    fn comments(&self, _job: &Job) -> bool {
        true
    }

    /// Whether it reads what the query says of the positions of a game, and not only that the game
    /// matches: [`Outcome::positions`], values, fields, comments and sort keys.
    fn positions(&self, _job: &Job) -> bool {
        true
    }

    /// How much an output has room for. A [`FileSink`](crate::FileSink) writes the first matches
    /// that fit and leaves out all others.
    fn room(&self) -> OutputRoom {
        OutputRoom::UNLIMITED
    }

    /// The text before the first match.
    fn head(&self, _job: &Job) -> String {
        String::new()
    }

    /// Appends the text of a match.
    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted;

    /// The text after the last match.
    fn tail(&self, _totals: &OutputTotals) -> String {
        String::new()
    }
}

/// How much an output has room for. A page that is opened as a whole must not grow without bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputRoom {
    /// The number of matching games.
    pub games: u64,
    /// The bytes of their text.
    pub bytes: usize,
}

impl OutputRoom {
    /// Room for everything.
    pub const UNLIMITED: OutputRoom = OutputRoom { games: u64::MAX, bytes: usize::MAX };
}

/// What an output holds of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputTotals {
    /// The games that were searched.
    pub searched: u64,
    /// The matching games that are written.
    pub written: u64,
    /// Those that the output has no room for.
    pub left_out: u64,
}

/// What a format could not write of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Omitted {
    /// The number of positions to which nothing was added because CQL 6.2 does not write so long a
    /// text.
    pub ignored_comments: u32,
}

/// A game that matches, as a [`Format`] gets it.
#[non_exhaustive]
pub struct MatchedGame<'h> {
    /// The game, read with everything that its outputs [need](Format::needs).
    pub game: &'h Game<'h>,
    /// What the query says of it.
    pub outcome: &'h Outcome,
    /// What its filters did at each of the matching positions. Empty if they were not traced, or if
    /// the trace of this game reached a limit.
    pub traces: &'h [Trace],
    /// The query.
    pub job: &'h Job,
    /// The number of the game, from 1 over all inputs.
    pub number: u64,
    /// The name of its input.
    pub input: &'h str,
    /// Its number in the input, from 1.
    pub input_number: u64,
    /// The offset of its first byte in the (decompressed) input.
    pub offset: u64,
    /// The length of its text there.
    pub length: u64,
    /// The line there that its text begins on, from 1.
    pub line: u64,
}

impl MatchedGame<'_> {
    /// The match as data.
    pub fn row(&self) -> Match {
        let origin = Origin::new(self.input, self.input_number, self.offset);
        let sorts = self.job.program.sorts();
        annotated::with_tags(self.game, self.outcome, self.job, |tags| {
            Match::new(self.number, origin, self.game, self.outcome, sorts, tags)
        })
    }
}

/// Whether one of these sinks has what a query says of the positions of the matching games, or
/// orders the games by it.
pub(crate) fn reads_positions(job: &Job, sinks: &[Box<dyn Sink>]) -> bool {
    let reads = |sink: &dyn Sink| sink.format().is_none_or(|format| format.positions(job));
    sinks.iter().any(|sink| reads(&**sink)) || !sinks.is_empty() && !job.program.sorts().is_empty()
}

/// The error of a sink with its name. An [`Error`] of the engine stays as it is.
pub(crate) fn named(
    name: impl FnOnce() -> String,
    error: Box<dyn std::error::Error + Send + Sync>,
) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => *error,
        Err(source) => Error::Sink { name: name(), source },
    }
}
