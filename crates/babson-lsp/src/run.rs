//! The search of the workspace's database.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use babson::command::is_remote_name;
use babson::sink::{Format, MatchText, MatchedGame, Omitted, TextSink};
use babson::{CancelToken, Error, Event, Input, Observer, Query, Scan, StopSignal, Task};
use babson_api::{MatchLine, SearchLine, file_name};
use lsp_types::Url;
use serde_json::Value;

use crate::databases::inputs_in;
use crate::diagnostics::QueryReading;
use crate::failure::Failure;
use crate::files::path_of;
use crate::limits::PROGRESS_INTERVAL;
use crate::run_result::{Messages, RunResult};
use crate::snapshot::Snapshot;

/// The databases of a document: what the settings name, otherwise the input that its header names,
/// otherwise what its project names.
///
/// # Errors
/// The header names what a search from an editor does not read.
pub(crate) fn databases_of(
    snapshot: &Snapshot,
    uri: &Url,
    text: &str,
) -> Result<Vec<PathBuf>, Failure> {
    let is_set = !snapshot.settings.databases.is_empty();
    let input = || babson_ide::input_of(text, &snapshot.options(uri, text));
    match if is_set { None } else { input() } {
        Some(input) => header_input(uri, &input).map(|path| vec![path]),
        None => Ok(snapshot.databases(uri)),
    }
}

/// The file that the header of a document names.
fn header_input(uri: &Url, input: &str) -> Result<PathBuf, Failure> {
    // The query of a stranger must not make the editor connect to a server.
    if is_remote_name(input) {
        let why = format!(
            "the header of the query names the URL `{input}`, and a query cannot make the editor \
             connect to a server: download the file, and name it in the header"
        );
        return Err(Failure::Refused(why));
    }
    if let Some(folder) = path_of(uri).as_deref().and_then(Path::parent) {
        return Ok(folder.join(input));
    }
    let path = PathBuf::from(input);
    if path.is_relative() && !Input::is_stdin(&path) {
        let why = format!(
            "the header of the query names `{input}`, a path from the folder of the query, and \
             this document is not in a folder: save it, or write the whole path"
        );
        return Err(Failure::Refused(why));
    }
    Ok(path)
}

/// The inputs of a document: the files of its databases.
///
/// # Errors
/// There is no database, one is not there, or it is neither a file nor a folder.
pub(crate) fn inputs_of(snapshot: &Snapshot, uri: &Url, text: &str) -> Result<Vec<Input>, Failure> {
    let databases = databases_of(snapshot, uri, text)?;
    if databases.is_empty() {
        let why = "there is no database: name one in the setting `babson.database`, in the file \
                   `babson.toml` of the project, or in the header of the query, as in \
                   cql(input games.pgn)";
        return Err(Failure::Refused(why.to_owned()));
    }
    inputs_in(&databases)
}

/// Searches the databases of a document. `tell` gets the games and matches so far.
///
/// # Errors
/// There is no database, it cannot be read, or the query has errors.
pub(crate) fn run(
    snapshot: &Snapshot,
    uri: &Url,
    cancel: CancelToken,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<RunResult, Failure> {
    let open = snapshot.document(uri)?;
    let query = compiled(&QueryReading::of(open))?;
    let inputs = inputs_of(snapshot, uri, open.text())?;
    let began = Instant::now();
    let items = Arc::new(FirstItems::new(snapshot.settings.limit));
    let sink = items.sink();
    let mut observer = RunObserver::new(tell, began);
    let stop = StopSignal { cancel: Some(cancel), deadline: None };
    let scan = Scan::of(inputs).task(Task::new(&query).sink(sink)).stop(stop);
    let summary = scan.observe(&mut observer).map_err(scan_failure)?;
    let games = summary.games;
    let of_query = summary.queries.into_iter().next().unwrap_or_default();
    let (items, pgn) = items.taken();
    Ok(RunResult {
        text: open.text().to_owned(),
        matches: of_query.matches,
        games,
        seconds: began.elapsed().as_secs_f64(),
        items,
        pgn,
        stopped: of_query.stopped.map(|error| error.message),
        messages: observer.messages,
    })
}

/// Why a scan has no result.
pub(crate) fn scan_failure(error: Error) -> Failure {
    if matches!(error, Error::Stopped { .. }) {
        return Failure::Cancelled;
    }
    Failure::Refused(error.to_string())
}

/// Compiles a query as the query of a stranger: opening a folder and looking at its queries must
/// not start programs.
///
/// # Errors
/// The query has errors.
pub(crate) fn compiled(reading: &QueryReading) -> Result<Query, Failure> {
    let compiled =
        reading.compile(|builder| builder.untrusted().options(|options| options.timeout = None));
    compiled.map_err(|errors| Failure::of_query("run", &errors))
}

/// The sentences of a query and how it is evaluated, as `babson explain` prints them.
///
/// # Errors
/// The query has errors.
pub(crate) fn explain(snapshot: &Snapshot, uri: &Url) -> Result<String, Failure> {
    let reading = QueryReading::of(snapshot.document(uri)?);
    let query = reading
        .compile(|builder| builder.options(|options| options.variations = Some(true)))
        .map_err(|errors| Failure::of_query("explained", &errors))?;
    Ok(format!("{}\n\n{}", query.sentences().join("\n"), query.conditions()))
}

/// The first matches of a search, in the order of the games.
struct FirstItems {
    limit: usize,
    /// Whether there are enough: workers need not write more.
    is_full: AtomicBool,
    taken: Mutex<(Vec<Value>, String)>,
}

impl FirstItems {
    fn new(limit: usize) -> FirstItems {
        FirstItems { limit, is_full: AtomicBool::new(limit == 0), taken: Mutex::default() }
    }

    fn sink(self: &Arc<FirstItems>) -> TextSink {
        let (format, taker) = (MatchFormat(Arc::clone(self)), Arc::clone(self));
        TextSink::new("the answer", format, move |text: &[u8]| {
            taker.take(text);
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Takes lines of matches, which come in the order of the games.
    fn take(&self, text: &[u8]) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            if taken.0.len() >= self.limit {
                break;
            }
            let Ok(item) = serde_json::from_slice::<Value>(line) else { continue };
            if let Some(pgn) = item.get("pgn").and_then(Value::as_str) {
                taken.1.push_str(pgn.trim_end());
                taken.1.push_str("\n\n");
            }
            taken.0.push(item);
        }
        if taken.0.len() >= self.limit {
            self.is_full.store(true, Ordering::Relaxed);
        }
    }

    fn taken(&self) -> (Vec<Value>, String) {
        std::mem::take(&mut *self.taken.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The line of a match with its game.
struct MatchFormat(Arc<FirstItems>);

impl Format for MatchFormat {
    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        if !self.0.is_full.load(Ordering::Relaxed) {
            let mut pgn = Vec::new();
            matched.append_pgn(&mut pgn);
            let pgn = String::from_utf8_lossy(&pgn).into_owned();
            let row = matched.row();
            let database = file_name(&row.origin.input).to_owned();
            let line = MatchLine::new(&database, matched.number, row, Some(pgn));
            let line = SearchLine::Match(Box::new(line)).to_json();
            out.bytes().extend_from_slice(line.as_bytes());
        }
        Omitted::default()
    }
}

/// Tells of the progress of a search, and collects what it says.
struct RunObserver<'t> {
    tell: &'t mut dyn FnMut(u64, u64),
    games: u64,
    matches: u64,
    last: Instant,
    messages: Messages,
}

impl<'t> RunObserver<'t> {
    fn new(tell: &'t mut dyn FnMut(u64, u64), began: Instant) -> RunObserver<'t> {
        RunObserver { tell, games: 0, matches: 0, last: began, messages: Messages::default() }
    }
}

impl Observer for RunObserver<'_> {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Match { .. } | Event::Matched { .. } => self.matches += 1,
            // The lines name their game.
            Event::Message { lines, .. } => {
                let text = String::from_utf8_lossy(&lines);
                self.messages.add(|| text.trim_end_matches('\n').to_owned());
            }
            Event::Damaged(damaged) => self.messages.add(|| damaged.to_string()),
            // The summary has a fatal one.
            Event::RuntimeError { error, .. } if error.fatal => {}
            Event::RuntimeError { game, error, .. } => self.messages.add_error(|| match game {
                Some(game) => format!("game {game}: {error}"),
                None => error.to_string(),
            }),
            Event::BrokenInput(broken) => self.messages.add(|| broken.to_string()),
            Event::FewerThreads { started, wanted } => {
                self.messages
                    .add(|| format!("only {started} of {wanted} threads could be started"));
            }
            Event::Progress(progress) => {
                self.games = progress.games;
                if self.last.elapsed() >= PROGRESS_INTERVAL {
                    self.last = Instant::now();
                    (self.tell)(self.games, self.matches);
                }
            }
            // Nothing of the game is lost.
            Event::Noted(_) | _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }

    fn joins_messages(&self) -> bool {
        false
    }
}
