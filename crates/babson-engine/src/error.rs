//! What can go wrong with a scan and its outputs.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use babson_input::InputError;
use babson_pgn::Shown;
use babson_vm::{BrokenInput, GameDependence, Stopped};
use serde::{Deserialize, Serialize};

use crate::slice_error::{PartRefusal, SliceRefusal};

/// Why a scan failed. Damaged games and run-time errors of single games are not errors of this
/// kind: the [`Summary`](crate::Summary) counts them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input cannot be read, or another file that Babson reads, such as the result of a slice.
    #[error(transparent)]
    Input(#[from] InputError),
    /// An output cannot be written.
    #[error("cannot write {}: {source}", Shown(path))]
    Write {
        /// The output as it was named.
        path: String,
        /// The system's reason.
        source: io::Error,
    },
    /// An output is not created, because of [`SplitRules`](crate::SplitRules) or of its format.
    #[error("cannot write {}: {reason}", Shown(path))]
    OutputRefused {
        /// The output as it was named.
        path: String,
        /// Why.
        #[source]
        reason: OutputRefusal,
    },
    /// A column of an output names a sort key or a field that no query of the output has.
    #[error("cannot write {}: {source}", Shown(path))]
    Columns {
        /// The output as it was named.
        path: String,
        /// What is wrong with them.
        source: ColumnsError,
    },
    /// A group key of an output names a sort key or a field that no query of the output has.
    #[error("cannot write {}: {source}", Shown(path))]
    Groups {
        /// The output as it was named.
        path: String,
        /// What is wrong with them.
        source: GroupKeysError,
    },
    /// A sink failed.
    #[error("{}: {source}", Shown(name))]
    Sink {
        /// Its name.
        name: String,
        /// Its error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An input cannot be cut into slices, or a slice is not of its input as it is now.
    #[error("{}: {reason}", Shown(input))]
    Slice {
        /// The input as it was named.
        input: String,
        /// Why.
        #[source]
        reason: SliceRefusal,
    },
    /// The result of a slice cannot be merged.
    #[error("{}: {reason}", Shown(name))]
    SliceResult {
        /// The name of the result or of its part.
        name: String,
        /// Why.
        #[source]
        reason: PartRefusal,
    },
    /// An output is the same file as an input or another output, perhaps under another name.
    #[error("{} is both {}: an output needs a file of its own", Shown(output), Shown(role))]
    SameFile {
        /// The output as it was named.
        output: String,
        /// Its other role.
        role: String,
    },
    /// Nobody reads the remaining output any more. This ends the scan and is not a failure.
    #[error("nobody reads the output")]
    ClosedPipe,
    /// The scan was stopped: see [`Settings::stop`](crate::Settings::stop).
    #[error("{stopped} after {games} games: no output is written")]
    Stopped {
        /// Why.
        stopped: Stopped,
        /// How many games were searched.
        games: u64,
    },
    /// The query ended the run.
    #[error("{0}")]
    Fatal(FatalError),
    /// Something has panicked: a bug in Babson, or in a format, sink or observer of the caller.
    #[error("an internal error ended the scan: {0}")]
    Panicked(String),
    /// The scan has no query.
    #[error("the scan has no query")]
    NoQuery,
    /// The best games of a query are asked for ([`MatchChoice::Top`](crate::MatchChoice::Top)), and
    /// none is better than another.
    #[error(
        "the best games are those that the sort of the query puts first, and the query{} does not \
         sort: add one, such as sort \"pieces\" #[Aa]",
        named(query)
    )]
    TopWithoutSort {
        /// The title of the query, if it has one.
        query: Option<String>,
    },
    /// Games end at their first matching position
    /// ([`RunOptions::first_match`](babson_vm::RunOptions::first_match)), and only games with
    /// several matching positions would match.
    #[error(
        "each game ends at its first matching position, and the query{} wants at least {least} of \
         them, so nothing could match: leave out the count or the end at the first match",
        named(query)
    )]
    FirstOfSeveral {
        /// The title of the query, if it has one.
        query: Option<String>,
        /// The number of matching positions that it wants.
        least: i32,
    },
    /// Two queries of a scan, or a query and the settings of the scan, know different names of
    /// variants.
    #[error(
        "{one} and {other} know different names of variants, and a scan reads each game once for \
         all queries: give them the same names, or search with each in a scan of its own"
    )]
    VariantNames {
        /// One of them: the number of the query with its name, or the settings.
        one: String,
        /// The query that differs from it.
        other: String,
    },
    /// The query must see the games in order, and the plan has several slices.
    #[error(
        "the query needs the games in order, so it can be searched only in a plan of one slice: \
         {reason}"
    )]
    NeedsOrder {
        /// Why the query needs the games in order.
        #[source]
        reason: OrderReason,
    },
    /// The games must be counted before the search, and an input can be read only once.
    #[error(
        "the query asks for lastgamenumber, so the games must be counted first, which a stream \
         does not allow: save it to a file"
    )]
    Uncountable {
        /// The input as it was named.
        input: String,
    },
    /// The system starts no thread.
    #[error(
        "no thread could be started ({source}): a limit of processes or of memory is reached \
         (ulimit -u, ulimit -v)"
    )]
    Threads {
        /// The system's reason.
        source: io::Error,
    },
    /// Equal games are left out ([`Settings::unique`](crate::Settings::unique)) in a search of
    /// slices, and a search of a slice sees only the games of the slice.
    #[error(
        "games that are equal to earlier ones can be left out only in one search of all games, not \
         in one that is cut into slices: pack the games into a table without them first, and \
         search the table"
    )]
    SlicedUnique,
    /// No result of a slice was given to merge.
    #[error("there are no parts to merge")]
    NoParts,
    /// Only a scan in the order of the games can tell whether the dictionaries of the query exceed
    /// their limit.
    #[error(
        "the dictionaries of the query may grow beyond their limit, which only a scan in the order \
         of the games can tell: use a plan of one slice, or raise the limit"
    )]
    DictionaryLimit,
}

/// Why a query can be searched only in a plan of one slice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderReason {
    /// A game may see what earlier games left.
    #[error(transparent)]
    Games(GameDependence),
    /// The query has a limit of matches and persistent variables: they count the games up to the
    /// limit.
    #[error("the limit of matches decides what its variables count")]
    MatchLimit,
}

/// Why an output is not created. With other rules of the run, or as another format, it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputRefusal {
    /// Without [`create_directories`](crate::SplitRules::create_directories).
    #[error("its folder does not exist")]
    MissingFolder,
    /// With [`no_clobber`](crate::SplitRules::no_clobber).
    #[error("it exists")]
    Exists,
    /// A [game table](crate::FileFormat::Arrow) is not a text that can be appended to.
    #[error("a game table cannot be appended to a file")]
    AppendedTable,
    /// Another process appends games to the table, or packs it anew.
    #[error("another process is writing it: wait for its end")]
    LockedTable,
    /// The table was replaced while games were appended to it. It is as it was replaced.
    #[error("it was replaced while games were appended to it: append them again")]
    ReplacedTable,
    /// Games would be appended to a table that also has the columns of matches, or others.
    #[error(
        "it has more columns than a table of games, as a table of matches has: make a table of its \
         games with babson pack, and append to that one"
    )]
    OtherColumns,
    /// Games would be appended to a table that another program has written anew.
    #[error(
        "another program has written it anew: make a table of its games with babson pack, and \
         append to that one"
    )]
    RewrittenTable,
    /// A Parquet file, without the feature `parquet`.
    #[error("this program was built without the feature parquet: write an .arrow file")]
    NoParquet,
    /// Each game table has a footer of its own.
    #[error("a game table cannot be split into many files")]
    SplitTable,
    /// A JSON array is complete.
    #[error("a JSON array cannot be appended to a file: .jsonl, with an object on each line, can")]
    AppendedArray,
    /// Only CSV, TSV and JSON have [`Columns`](crate::Columns).
    #[error("its format has no columns to choose: only .csv, .tsv, .jsonl and .json have them")]
    NoColumns,
    /// An HTML page without the format that makes its text: see
    /// [`FileSink::html`](crate::FileSink::html).
    #[error("this program cannot make HTML pages: the crate babson-report makes them")]
    NoPage,
    /// A page or a game table, which is of one query, as an output of several.
    #[error("its format is of one query, not of several: give each query an output of its own")]
    OneQuery,
    /// An output of several queries has the matches in the order of the games.
    #[error(
        "a query sorts its matches, and an output of several queries has them in the order of the \
         games: leave them unsorted, or give each query an output of its own"
    )]
    SharedSort,
    /// An output of several queries writes the matches as they come, and a sample of the matches of
    /// each query is known only at the end.
    #[error(
        "each query has its own sample, which is known only at the end: give each query an output \
         of its own"
    )]
    SharedSample,
    /// The file that the output is appended to begins with the names of other columns.
    #[error("it begins with another row of headings, so more rows would not fit: write a new file")]
    OtherHead,
    /// With [`Job::fragment`](crate::Job::fragment), only PGN and EPD are written.
    #[error("parts of games are written as .pgn or .epd; other formats have whole games")]
    Fragments,
    /// An output with each game [once for all queries](crate::SharedSink::overlaid), in another
    /// format than PGN.
    #[error("only .pgn has each game once for all queries: other formats have matches")]
    OverlaidFormat,
    /// Parts of games, in an output with each game once for all queries.
    #[error("an output with each game once for all queries has whole games, not parts of games")]
    OverlaidFragments,
    /// The layout of CQL 6.2, for an output with each game once for all queries.
    #[error(
        "a game with the comments of several queries cannot be laid out as CQL 6.2 does: write an \
         output for each query"
    )]
    OverlaidLayout,
    /// Queries that read the beginnings of games differently, for an output with each game once.
    #[error(
        "the queries are of dialects that read the beginning of a game differently, so a game \
         cannot have the comments of all: write an output for each query"
    )]
    OverlaidDialects,
    /// The games that no query matches, in a format of matches.
    #[error("games that do not match are written as .pgn or .arrow: other formats have matches")]
    NoMatches,
    /// The name of the query, or a sort key, in the names of files of games that no query matches.
    #[error("a game that no query matches has neither a query nor a sort key to be named after")]
    NonmatchingName,
    /// The results of slices do not hold the games that no query matches.
    #[error("the games that do not match are not written in a search that is cut into slices")]
    SlicedGames,
    /// Only CSV, TSV, JSON and text have [`GroupKeys`](crate::GroupKeys).
    #[error("its format has no groups: only .csv, .tsv, .jsonl, .json and .txt have them")]
    HasNoGroups,
    /// A text without [`GroupKeys`](crate::GroupKeys).
    #[error("a .txt is a table of groups, and no key of groups is named")]
    NoGroups,
    /// A table of groups counts the matches of one search.
    #[error("a table of groups cannot be appended to a file")]
    AppendedGroups,
    /// A table of groups has all matches.
    #[error("a table of groups cannot be split into many files")]
    SplitGroups,
    /// Without the feature `table`.
    #[error("this program was built without game tables")]
    NoTables,
}

impl Error {
    /// The error of a file that cannot be read.
    pub(crate) fn read(path: impl Into<String>, source: io::Error) -> Error {
        InputError::Read { path: path.into(), source }.into()
    }

    /// The error of work that the observer has ended after these games, and that is whole or does
    /// not exist.
    pub(crate) fn ended_early(games: u64) -> Error {
        Error::Stopped { stopped: Stopped::Cancelled, games }
    }

    /// Sets the number of searched games in [`Error::Stopped`]. Leaves any other error as it is.
    pub(crate) fn after_searching(mut self, searched: u64) -> Error {
        if let Error::Stopped { games, .. } = &mut self {
            *games = searched;
        }
        self
    }

    /// Runs a scan or a merge. A panic, also one of the caller's formats, sinks and observer, drops
    /// the unfinished outputs and is an error.
    pub(crate) fn catch<T>(run: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        // What the panic left half done is dropped, except the caller's observer.
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(Error::of_panic(panic)))
    }

    /// The error of a panic, with its message.
    pub(crate) fn of_panic(panic: Box<dyn std::any::Any + Send>) -> Error {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Error::Panicked(text.unwrap_or_else(|| "a panic without a message".to_owned()))
    }

    /// The error of a failed write: [`Error::ClosedPipe`] for a closed pipe. An error of an inner
    /// output names that output.
    pub(crate) fn write(path: &str, source: io::Error) -> Error {
        let source = match source.downcast::<Error>() {
            Ok(inner) => return inner,
            Err(source) => source,
        };
        if source.kind() == io::ErrorKind::BrokenPipe {
            Error::ClosedPipe
        } else {
            Error::Write { path: path.to_owned(), source }
        }
    }
}

/// The error of a scan that could not go on with the next input.
impl From<BrokenInput> for Error {
    fn from(input: BrokenInput) -> Error {
        InputError::from(input).into()
    }
}

/// The title of a query after the word query.
fn named(title: &Option<String>) -> String {
    title.as_ref().map(|title| format!(" {}", Shown(title))).unwrap_or_default()
}

impl From<Stopped> for Error {
    /// The error of a scan that has searched no game.
    fn from(stopped: Stopped) -> Error {
        Error::Stopped { stopped, games: 0 }
    }
}

impl From<FatalError> for Error {
    fn from(stopped: FatalError) -> Error {
        Error::Fatal(stopped)
    }
}

/// The query ended the run: a failed `assert`, `cql_abort`, or a failed `readfile`, `writefile` or
/// `commandpipe`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FatalError {
    /// The number of the game; `None` before the first game or after the last one.
    pub game: Option<u64>,
    /// The message of the machine.
    pub message: String,
}

impl fmt::Display for FatalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            None => write!(f, "{} (outside the games)", self.message),
            Some(game) => write!(f, "{} (game {game})", self.message),
        }
    }
}

/// Why a list of columns cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnsError {
    /// Nothing is named, at all or between two commas.
    #[error("the name of a column is missing; the columns are {columns}")]
    NoName {
        /// The names of all columns.
        columns: String,
    },
    /// A quote that begins a name has no end.
    #[error("a quote is never closed")]
    OpenQuote,
    /// Something comes between the closing quote of a name and the next comma.
    #[error("'{rest}' comes after the quotes of a name, before the next comma")]
    AfterQuote {
        /// What comes there.
        rest: String,
    },
    /// A word does not name a column.
    #[error("'{word}' is not a column; {}the columns are {columns}", did_you_mean(near))]
    Unknown {
        /// The word.
        word: String,
        /// A column that it may mean.
        near: Option<String>,
        /// The names of all columns.
        columns: String,
    },
    /// A column occurs twice.
    #[error("the column {word} is named twice")]
    Repeated {
        /// The name of the column.
        word: String,
    },
    /// No query has such a sort key.
    #[error(
        "no query has a sort key called {name}; {}{}",
        did_you_mean(near),
        sort_keys_are(known, name)
    )]
    UnknownSortKey {
        /// The name of the key.
        name: String,
        /// A key that it may mean.
        near: Option<String>,
        /// The keys of the queries.
        known: Vec<String>,
    },
    /// No query has such a field.
    #[error(
        "no query has a field called {name}; {}{}",
        did_you_mean(near),
        fields_are(known, name)
    )]
    UnknownField {
        /// The name of the field.
        name: String,
        /// A field that it may mean.
        near: Option<String>,
        /// The fields of the queries.
        known: Vec<String>,
    },
}

/// Why a list of keys cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupKeysError {
    /// Nothing is named, at all or between two commas.
    #[error("the name of a key is missing; the keys are {keys}")]
    NoName {
        /// The names of all keys.
        keys: String,
    },
    /// A word does not name a key.
    #[error("'{word}' is not a key; {}the keys are {keys}", did_you_mean(near))]
    Unknown {
        /// The word.
        word: String,
        /// A key that it may mean.
        near: Option<String>,
        /// The names of all keys.
        keys: String,
    },
    /// A key occurs twice.
    #[error("the key {word} is named twice")]
    Repeated {
        /// The name of the key.
        word: String,
    },
    /// A key with a suffix `/N` has no numbers.
    #[error("{word}: the values of {key} are not numbers, and /N rounds numbers")]
    NoNumbers {
        /// The key with its suffix.
        word: String,
        /// The key.
        key: String,
    },
    /// What follows the slash of a key is not a number that it can be rounded to.
    #[error("'{word}': a whole number from 1 on stands after the slash, as in {key}/10")]
    WrongBand {
        /// The key with its suffix.
        word: String,
        /// The key.
        key: String,
    },
    /// As for a list of columns: a quote, or a name that no query has.
    #[error(transparent)]
    List(ColumnsError),
}

fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("did you mean {near}? ")).unwrap_or_default()
}

fn there_is(known: &[String], maker: impl FnOnce() -> String) -> String {
    match known {
        [] => format!("there is none: {} in a query makes one", maker()),
        known => format!("there is {}", known.join(", ")),
    }
}

fn sort_keys_are(known: &[String], name: &str) -> String {
    there_is(known, || format!("sort \"{name}\" VALUE"))
}

fn fields_are(known: &[String], name: &str) -> String {
    there_is(known, || format!("field(\"{name}\" VALUE)"))
}
