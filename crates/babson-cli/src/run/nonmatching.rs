//! The output of the games that do not match: `--nonmatching`.

use babson::sink::{Destination, FileFormat, FileSink};
use babson::{Query, Scan, Summary};

use crate::config::{OptionClass, SearchConfig};
use crate::failure::Failure;
use crate::output_name::OutputName;
use crate::plural::plural;
use crate::query;
use crate::show_name::ShowName as _;
use crate::source::QuerySource;

/// The output of the games that do not match.
pub(super) struct Nonmatching {
    sink: FileSink,
    /// The options that choose games: those that they leave out are not written.
    among: Option<Query>,
}

impl Nonmatching {
    /// The output, if the command line names one. Its queries have been compiled.
    ///
    /// # Errors
    /// The output cannot have whole games, or cannot be written in this search.
    pub(super) fn of(config: &SearchConfig) -> Result<Option<Nonmatching>, Failure> {
        let Some(name) = &config.outputs.nonmatching else { return Ok(None) };
        let wrong = |why: &str| Failure::Usage(format!("--nonmatching {}: {why}", name.shown()));
        if config.inputs.resume.is_some() {
            return Err(wrong(
                "--resume keeps the results of slices, which do not hold the games that do not \
                 match: leave out one of the two",
            ));
        }
        let (format, destination) = match OutputName::parse(name, None, FileFormat::of_name)
            .map_err(|why| wrong(&why))?
        {
            OutputName::Stdout(format) => (format, Destination::Stdout),
            OutputName::File(format, path) => (format, Destination::File(path)),
            OutputName::Split(_, pattern) if pattern.names_query() => {
                return Err(wrong("a game that no query matches has no query to be named after"));
            }
            OutputName::Split(_, pattern) if pattern.sort_keys().next().is_some() => {
                return Err(wrong("a game that does not match has no sort key"));
            }
            OutputName::Split(format, pattern) => {
                (format, Destination::Split { pattern, append: false })
            }
        };
        if !format.has_games() {
            return Err(wrong(
                "games that do not match are written as .pgn or .arrow: other formats show \
                 matching positions",
            ));
        }
        let sink =
            FileSink::new(format, destination).with_compression(config.outputs.compression());
        Ok(Some(Nonmatching { sink, among: choosing(config)? }))
    }

    /// The sink of the games, whose name and folder are checked with the outputs of the matches.
    pub(super) fn sink(&self) -> &FileSink {
        &self.sink
    }

    /// The scan with this output.
    pub(super) fn add_to(&self, scan: Scan) -> Scan {
        scan.nonmatching(&self.sink, self.among.as_ref())
    }

    /// What the summary says of it.
    pub(super) fn line(&self, summary: &Summary) -> String {
        let games = plural(summary.nonmatching, "other game", "other games");
        format!(", {games} to {}", self.sink.destination().name().shown())
    }
}

/// The options that choose games, as a query, if the command line has any. They are also part of
/// each query of the search, so their errors and warnings were shown.
fn choosing(config: &SearchConfig) -> Result<Option<Query>, Failure> {
    let chooses = |class| class == OptionClass::GameChoice;
    let reading = &config.run.reading;
    if !reading.filters.iter().any(|filter| chooses(filter.class)) {
        return Ok(None);
    }
    let reading = reading.with_filters(|class| chooses(class) || class == OptionClass::Transform);
    let source = QuerySource::new("", "", &reading.filters).map_err(Failure::Usage)?;
    let typed = query::analyze(&source, &reading, |builder| builder);
    let query = typed.and_then(query::compile).map_err(|_| Failure::Query)?;
    Ok(Some(query))
}
