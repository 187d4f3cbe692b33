//! The server: it takes messages one after another, and lets threads answer requests.

mod checks;
mod notifications;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::Builder;
use std::time::Instant;

use babson::CancelToken;
use babson_ide::WordBook;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, select, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Exit, LogMessage, Notification as LspNotification, PublishDiagnostics,
};
use lsp_types::request::{
    ExecuteCommand, Initialize, Request as LspRequest, ShowDocument, Shutdown,
};
use lsp_types::{
    ExecuteCommandParams, InitializeParams, InitializeResult, LogMessageParams, MessageType,
    NumberOrString, PublishDiagnosticsParams, ServerInfo, ShowDocumentParams, Url,
};
use serde_json::Value;

use crate::LspError;
use crate::capabilities::capabilities;
use crate::checker::{Checked, Checker};
use crate::client::Client;
use crate::commands::{CommandResult, Shown, execute, message_of};
use crate::database_tags::DatabaseTags;
use crate::diagnostics::of_document;
use crate::documents::Documents;
use crate::failure::Failure;
use crate::files::path_of;
use crate::limits::{LONG_WORKERS, PARENT_INTERVAL, STACK, WORKERS};
use crate::parent;
use crate::pool::{Pool, guarded};
use crate::projects::Projects;
use crate::requests::{document_of, kind_of};
use crate::settings::{Layer, Settings};
use crate::snapshot::Snapshot;
use crate::workspace::Work;
use checks::DelayedRefresh;

/// Serves a client up to its `exit`.
///
/// # Errors
/// The client went away, or did not begin with `initialize`.
pub(crate) fn run(connection: Connection) -> Result<(), LspError> {
    let (id, params) = begin(&connection)?;
    let mut server = Server::new(connection, &params)?;
    let result = InitializeResult {
        capabilities: capabilities(&server.state.client),
        server_info: Some(ServerInfo {
            name: "babson".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    server.send(Response::new_ok(id, result).into());
    server.serve()
}

/// Takes messages up to an `initialize` that can be understood. An `exit` before it ends the
/// server, and other notifications, and responses to what nobody has asked, mean nothing.
fn begin(connection: &Connection) -> Result<(RequestId, InitializeParams), LspError> {
    loop {
        let message = connection.receiver.recv().map_err(|_| LspError::ClientGone)?;
        let (id, failure) = match message {
            Message::Request(Request { id, method, params }) if method == Initialize::METHOD => {
                match serde_json::from_value(params) {
                    Ok(params) => return Ok((id, params)),
                    Err(error) => {
                        let why = format!("the parameters of initialize: {error}");
                        (id, Failure::Params(why))
                    }
                }
            }
            Message::Request(Request { id, method, .. }) => (id, Failure::TooEarly(method)),
            Message::Notification(one) if one.method == Exit::METHOD => {
                return Err(LspError::ClientGone);
            }
            Message::Notification(_) | Message::Response(_) => continue,
        };
        let response = Response { id, response_result: Err(failure.response()) };
        // A client that does not read has gone, and the end of its input says so.
        let _ = connection.sender.send(response.into());
    }
}

/// What a thread has done.
enum Done {
    /// A request has its answer.
    Answer(RequestId, Result<Value, Failure>),
    /// A command has ended.
    Command(RequestId, Box<Result<CommandResult, Failure>>),
    /// A document was checked.
    Checked(Checked),
    /// A message for the client.
    Message(Message),
}

/// A request whose answer is awaited.
struct Pending {
    document: Option<Url>,
    is_of_version: bool,
    cancel: CancelToken,
    /// The token under which it tells its progress.
    progress: Option<NumberOrString>,
}

struct Server {
    connection: Connection,
    state: Snapshot,
    pool: Pool,
    /// The threads for requests about many files.
    long_pool: Pool,
    done: (Sender<Done>, Receiver<Done>),
    /// The thread that makes diagnostics.
    checker: Checker,
    pending: HashMap<RequestId, Pending>,
    /// The options of `initialize`, and the settings that came later.
    initial: Layer,
    configured: Layer,
    /// What is wrong with the settings, as the user has read it.
    wrong_settings: BTreeSet<String>,
    /// What is wrong with files of projects, as the user has read it.
    wrong_projects: BTreeSet<String>,
    process: Option<u32>,
    is_shut_down: bool,
    delayed: DelayedRefresh,
    /// The number of requests to the client.
    asked: i32,
}

impl Server {
    fn new(connection: Connection, params: &InitializeParams) -> Result<Server, LspError> {
        let client = Client::new(params);
        let done = unbounded();
        let initial = Layer::of(params.initialization_options.clone().unwrap_or_default(), true);
        let state = Snapshot {
            documents: Documents::default(),
            settings: Arc::new(Settings::default()),
            projects: Projects::default(),
            tags: DatabaseTags::default(),
            client: Arc::new(client),
            folders: Arc::new(folders(params)),
            runs: Arc::new(HashMap::new()),
            book: WordBook::read(),
        };
        let sender = done.0.clone();
        let tell = move |checked| {
            // Nobody waits when the server ends.
            let _ = sender.send(Done::Checked(checked));
        };
        let checker = Checker::start(of_document, tell).map_err(LspError::System)?;
        let mut server = Server {
            connection,
            state,
            pool: Pool::start("answer", WORKERS).map_err(LspError::System)?,
            long_pool: Pool::start("search", LONG_WORKERS).map_err(LspError::System)?,
            done,
            checker,
            pending: HashMap::new(),
            initial,
            configured: Layer::default(),
            wrong_settings: BTreeSet::new(),
            wrong_projects: BTreeSet::new(),
            process: params.process_id,
            is_shut_down: false,
            delayed: DelayedRefresh::default(),
            asked: 0,
        };
        server.join_settings();
        Ok(server)
    }

    /// Takes messages up to `exit`.
    fn serve(&mut self) -> Result<(), LspError> {
        loop {
            self.send_delayed();
            let wait = self.delayed.wait(Instant::now(), PARENT_INTERVAL);
            let (messages, done) = (self.connection.receiver.clone(), self.done.1.clone());
            let message = select! {
                recv(messages) -> message => message.map_err(|_| RecvTimeoutError::Disconnected),
                recv(done) -> done => {
                    if let Ok(done) = done {
                        self.finish(done);
                    }
                    continue;
                }
                default(wait) => Err(RecvTimeoutError::Timeout),
            };
            match message {
                Ok(Message::Request(request)) => self.request(request),
                Ok(Message::Response(response)) => self.response(response),
                Ok(Message::Notification(one)) if one.method == Exit::METHOD => {
                    return match self.is_shut_down {
                        true => Ok(()),
                        false => Err(LspError::ClientGone),
                    };
                }
                Ok(Message::Notification(notification)) => self.notification(notification),
                Err(RecvTimeoutError::Timeout) => {
                    if self.process.is_some_and(|process| !parent::is_alive(process)) {
                        return Err(LspError::ParentGone);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.pending.values().for_each(|pending| pending.cancel.cancel());
                    return if self.is_shut_down { Ok(()) } else { Err(LspError::ClientGone) };
                }
            }
        }
    }

    fn send(&self, message: Message) {
        // A client that is gone is noticed by the loop.
        let _ = self.connection.sender.send(message);
    }

    fn respond(&self, id: RequestId, result: Result<Value, Failure>) {
        let response_result = result.map_err(Failure::response);
        self.send(Response { id, response_result }.into());
    }

    fn notify<N: LspNotification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params).into());
    }

    /// Tells the log of the client what went wrong.
    fn log(&self, message: &str) {
        self.send(log_of(MessageType::ERROR, message.to_owned()));
    }

    /// Asks the client. Answers other than the settings are not needed.
    fn ask<R: LspRequest>(&mut self, name: &str, params: R::Params) {
        self.asked += 1;
        let id = RequestId::from(format!("{name} {}", self.asked));
        self.send(Request::new(id, R::METHOD.to_owned(), params).into());
    }

    fn request(&mut self, request: Request) {
        if self.is_shut_down {
            let message = "the server is shut down".to_owned();
            let code = lsp_server::ErrorCode::InvalidRequest as i32;
            return self.send(Response::new_err(request.id, code, message).into());
        }
        if request.method == Shutdown::METHOD {
            self.is_shut_down = true;
            self.pending.values().for_each(|pending| pending.cancel.cancel());
            return self.respond(request.id, Ok(Value::Null));
        }
        if request.method == ExecuteCommand::METHOD {
            return self.command(request);
        }
        let Some(kind) = kind_of(&request.method) else {
            return self.respond(request.id, Err(Failure::Unknown(request.method)));
        };
        let cancel = CancelToken::default();
        let pending = Pending {
            document: document_of(&request),
            is_of_version: kind.is_of_version,
            cancel: cancel.clone(),
            progress: None,
        };
        self.pending.insert(request.id.clone(), pending);
        let (snapshot, done) = (self.state.clone(), self.done.0.clone());
        let pool = if kind.is_long { &self.long_pool } else { &self.pool };
        pool.run(move || {
            let Request { id, params, .. } = request;
            let is_cancelled = || cancel.is_cancelled();
            let log = |text| {
                let _ = done.send(Done::Message(log_of(MessageType::INFO, text)));
            };
            let work = Work { is_cancelled: &is_cancelled, log: &log };
            let answer = match is_cancelled() {
                true => Err(Failure::Cancelled),
                false => guarded(|| (kind.answer)(&snapshot, params, &work))
                    .unwrap_or_else(|panic| Err(Failure::Internal(panic))),
            };
            // Nobody waits when the server ends.
            let _ = done.send(Done::Answer(id, answer));
        });
    }

    /// Executes a command on a thread of its own: a search takes as long as it takes.
    fn command(&mut self, request: Request) {
        let Request { id, params, .. } = request;
        let params: ExecuteCommandParams = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => return self.respond(id, Err(Failure::Params(error.to_string()))),
        };
        let cancel = CancelToken::default();
        let pending = Pending {
            document: None,
            is_of_version: false,
            cancel: cancel.clone(),
            progress: params.work_done_progress_params.work_done_token.clone(),
        };
        self.pending.insert(id.clone(), pending);
        let (snapshot, done) = (self.state.clone(), self.done.0.clone());
        let sender = done.clone();
        let work_id = id.clone();
        let work = move || {
            let mut send = |message| {
                let _ = sender.send(Done::Message(message));
            };
            let result = guarded(|| execute(&snapshot, &params, cancel, &mut send));
            let result = result.unwrap_or_else(|panic| Err(Failure::Internal(panic)));
            let _ = done.send(Done::Command(work_id, Box::new(result)));
        };
        if let Err(error) = Builder::new().name("command".into()).stack_size(STACK).spawn(work) {
            self.pending.remove(&id);
            self.respond(id, Err(Failure::Refused(format!("there is no thread: {error}"))));
        }
    }

    /// Takes what a thread has done.
    fn finish(&mut self, done: Done) {
        match done {
            Done::Message(message) => self.send(message),
            Done::Answer(id, answer) => {
                // Otherwise it was answered when it was cancelled.
                if self.pending.remove(&id).is_some() {
                    self.respond(id, answer);
                }
            }
            Done::Command(id, result) => {
                let is_awaited = self.pending.remove(&id).is_some();
                match *result {
                    Ok(CommandResult { answer, run, shown }) => {
                        // The document may have been closed since.
                        if let Some((uri, run)) = run
                            && self.state.documents.get(&uri).is_some()
                        {
                            Arc::make_mut(&mut self.state.runs).insert(uri, Arc::new(run));
                            self.refresh_lenses();
                        }
                        if is_awaited {
                            self.respond(id, Ok(answer));
                            self.show(shown);
                        }
                    }
                    Err(failure) if is_awaited => self.respond(id, Err(failure)),
                    Err(_) => {}
                }
            }
            Done::Checked(Checked::Failed(uri, panic)) => {
                // What the client shows stays: it is more right than that nothing is wrong.
                self.log(&format!("a bug in babson lsp: the check of {uri} failed: {panic}"));
            }
            Done::Checked(Checked::Found(uri, version, diagnostics)) => {
                let current = self.state.documents.get(&uri).map(|document| document.version);
                if current == Some(version) {
                    self.notify::<PublishDiagnostics>(PublishDiagnosticsParams {
                        uri,
                        diagnostics,
                        version: Some(version),
                    });
                }
            }
        }
    }

    fn show(&mut self, shown: Shown) {
        if let Some(message) = shown.message {
            self.send(message_of(MessageType::INFO, &message));
        }
        if let Some(uri) = shown.document {
            let (external, take_focus) = (Some(false), Some(false));
            let params = ShowDocumentParams { uri, external, take_focus, selection: None };
            self.ask::<ShowDocument>("show", params);
        }
    }

    /// Ends the requests whose answers would be about an older text.
    fn drop_stale(&mut self, uri: &Url) {
        let is_stale = |one: &Pending| one.is_of_version && one.document.as_ref() == Some(uri);
        let stale: Vec<RequestId> = self
            .pending
            .iter()
            .filter(|(_, pending)| is_stale(pending))
            .map(|(id, _)| id.clone())
            .collect();
        for id in stale {
            if let Some(pending) = self.pending.remove(&id) {
                pending.cancel.cancel();
                self.respond(id, Err(Failure::Stale));
            }
        }
    }

    fn cancel(&mut self, id: &RequestId) {
        if let Some(pending) = self.pending.remove(id) {
            pending.cancel.cancel();
            self.respond(id.clone(), Err(Failure::Cancelled));
        }
    }
}

/// A message for the log of the client.
fn log_of(typ: MessageType, message: String) -> Message {
    let params = LogMessageParams { typ, message };
    Notification::new(LogMessage::METHOD.to_owned(), params).into()
}

/// The folders of the workspace.
#[expect(deprecated, reason = "older clients have only one folder")]
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let named = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let named: Vec<_> = named.filter_map(path_of).collect();
    match named.is_empty() {
        true => params.root_uri.iter().filter_map(path_of).collect(),
        false => named,
    }
}
