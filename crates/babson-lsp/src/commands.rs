//! The commands. The argument of `babson.run` and `babson.explain` names a document, and the
//! argument of `babson.game` and `babson.why` also a game.

use std::hash::{DefaultHasher, Hash, Hasher};

use babson::CancelToken;
use lsp_server::{Message, Notification};
use lsp_types::{
    ExecuteCommandParams, MessageType, NumberOrString, ProgressParams, ProgressParamsValue,
    ShowMessageParams, Url, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd,
    WorkDoneProgressReport, notification::Notification as _,
};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::game::{game, why};
use crate::library;
use crate::run::{explain, run};
use crate::run_result::RunResult;
use crate::snapshot::Snapshot;

/// Searches the workspace's database.
pub(crate) const RUN: &str = "babson.run";

/// Tells what a query searches, and how.
pub(crate) const EXPLAIN: &str = "babson.explain";

/// Gives a game of the workspace's database with its positions.
pub(crate) const GAME: &str = "babson.game";

/// Tells what the filters of a query did at a position of such a game.
pub(crate) const WHY: &str = "babson.why";

/// A command, and the function that executes it.
pub(crate) struct CommandKind {
    pub(crate) name: &'static str,
    execute: fn(CommandCall<'_>) -> Result<CommandResult, Failure>,
}

/// The commands.
pub(crate) const COMMANDS: &[CommandKind] = &[
    CommandKind { name: RUN, execute: run_query },
    CommandKind { name: EXPLAIN, execute: explain_query },
    CommandKind { name: GAME, execute: show_game },
    CommandKind { name: WHY, execute: show_why },
];

/// A command that a client wants executed.
struct CommandCall<'c> {
    snapshot: &'c Snapshot,
    params: &'c ExecuteCommandParams,
    cancel: CancelToken,
    /// Takes messages while the command goes on.
    send: &'c mut dyn FnMut(Message),
}

/// What a command did.
pub(crate) struct CommandResult {
    /// The answer of the request.
    pub(crate) answer: Value,
    /// A search that ended.
    pub(crate) run: Option<(Url, RunResult)>,
    pub(crate) shown: Shown,
}

/// What an editor without an own view of the answer shows.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) message: Option<String>,
    pub(crate) document: Option<Url>,
}

/// Executes a command. `send` takes messages while it goes on.
///
/// # Errors
/// The server does not know the command, its argument is wrong, or the command fails.
pub(crate) fn execute(
    snapshot: &Snapshot,
    params: &ExecuteCommandParams,
    cancel: CancelToken,
    send: &mut dyn FnMut(Message),
) -> Result<CommandResult, Failure> {
    let Some(kind) = COMMANDS.iter().find(|kind| kind.name == params.command) else {
        let names = COMMANDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
        let why = format!("there is no command `{}`: the server has {names}", params.command);
        return Err(Failure::Params(why));
    };
    (kind.execute)(CommandCall { snapshot, params, cancel, send })
}

/// Executes [`GAME`].
fn show_game(call: CommandCall<'_>) -> Result<CommandResult, Failure> {
    let answer = game(call.snapshot, call.params.arguments.first(), call.cancel)?;
    Ok(CommandResult { answer, run: None, shown: Shown::default() })
}

/// Executes [`WHY`].
fn show_why(call: CommandCall<'_>) -> Result<CommandResult, Failure> {
    let answer = why(call.snapshot, call.params.arguments.first(), call.cancel)?;
    Ok(CommandResult { answer, run: None, shown: Shown::default() })
}

/// Executes [`EXPLAIN`].
fn explain_query(call: CommandCall<'_>) -> Result<CommandResult, Failure> {
    let uri = document_of(call.params)?;
    let text = explain(call.snapshot, &uri)?;
    let shown = shown(call.snapshot, &uri, "explanation.txt", &text, &text);
    Ok(CommandResult { answer: json!({ "text": text }), run: None, shown })
}

/// Executes [`RUN`].
fn run_query(call: CommandCall<'_>) -> Result<CommandResult, Failure> {
    let CommandCall { snapshot, params, cancel, send } = call;
    let uri = document_of(params)?;
    let token = params.work_done_progress_params.work_done_token.clone();
    let mut progress = Progress { token, send };
    progress.tell(WorkDoneProgress::Begin(WorkDoneProgressBegin {
        title: "babson".to_owned(),
        cancellable: Some(true),
        message: Some("searching".to_owned()),
        percentage: None,
    }));
    let result = run(snapshot, &uri, cancel, &mut |games, matches| {
        progress.tell(WorkDoneProgress::Report(WorkDoneProgressReport {
            cancellable: Some(true),
            message: Some(format!("{games} games, {matches} matches")),
            percentage: None,
        }));
    });
    let message = result.as_ref().ok().map(RunResult::summary);
    progress.tell(WorkDoneProgress::End(WorkDoneProgressEnd { message }));
    let result = result?;
    let shown = shown(snapshot, &uri, "matches.pgn", &result.pgn, &result.text_for_user());
    Ok(CommandResult { answer: result.answer(), run: Some((uri, result)), shown })
}

/// The document that the first argument names.
fn document_of(params: &ExecuteCommandParams) -> Result<Url, Failure> {
    let name = params.arguments.first().and_then(Value::as_str);
    let uri = name.and_then(|name| Url::parse(name).ok());
    uri.ok_or_else(|| Failure::Params("the argument is the name of a document".to_owned()))
}

/// What an editor gets that does not show answers itself: a text in a document if the editor can
/// show one, otherwise in a message. The texts of each document have a file of their own, so that
/// searches in other windows do not replace it.
fn shown(snapshot: &Snapshot, of: &Url, name: &str, text: &str, message: &str) -> Shown {
    let client = &snapshot.client;
    if client.shows_results {
        return Shown::default();
    }
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    let file = match client.shows_documents && !text.is_empty() {
        true => library::write(&format!("shown/{:016x}/{name}", hasher.finish()), text),
        false => None,
    };
    let document = file.and_then(|file| Url::from_file_path(file).ok());
    // A text that a document shows needs no message.
    let needs_message = document.is_none() || text != message;
    Shown { message: needs_message.then(|| message.to_owned()), document }
}

/// A message for the user.
pub(crate) fn message_of(kind: MessageType, text: &str) -> Message {
    let params = ShowMessageParams { typ: kind, message: text.to_owned() };
    Notification::new(lsp_types::notification::ShowMessage::METHOD.to_owned(), params).into()
}

/// Tells of the progress of a command, if the client asked for it.
struct Progress<'s> {
    token: Option<NumberOrString>,
    send: &'s mut dyn FnMut(Message),
}

impl Progress<'_> {
    fn tell(&mut self, value: WorkDoneProgress) {
        let Some(token) = self.token.clone() else { return };
        let params = ProgressParams { token, value: ProgressParamsValue::WorkDone(value) };
        let method = lsp_types::notification::Progress::METHOD.to_owned();
        (self.send)(Notification::new(method, params).into());
    }
}
