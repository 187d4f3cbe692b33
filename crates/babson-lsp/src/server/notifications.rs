//! What the client tells: documents, settings and folders change.

use std::collections::BTreeSet;
use std::sync::Arc;

use lsp_server::{Notification, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles,
    DidChangeWorkspaceFolders, DidCloseTextDocument, DidOpenTextDocument, Initialized,
    Notification as LspNotification, PublishDiagnostics, WorkDoneProgressCancel,
};
use lsp_types::request::{RegisterCapability, WorkspaceConfiguration};
use lsp_types::{
    CancelParams, ConfigurationItem, ConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesRegistrationOptions, DidChangeWorkspaceFoldersParams,
    DidOpenTextDocumentParams, FileSystemWatcher, GlobPattern, MessageType, NumberOrString,
    PublishDiagnosticsParams, Registration, RegistrationParams, Url, WorkDoneProgressCancelParams,
};
use serde_json::Value;

use super::{Pending, Server};
use crate::commands::message_of;
use crate::documents::Document;
use crate::files::path_of;
use crate::projects::Projects;
use crate::settings::{Layer, Settings};

/// The id of the request for the settings.
const SETTINGS_REQUEST: &str = "settings";

impl Server {
    /// Takes a notification. The protocol lets a server ignore those that it does not know.
    pub(super) fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            Initialized::METHOD => self.initialized(),
            DidOpenTextDocument::METHOD => self.take::<DidOpenTextDocument>(params, Server::open),
            DidChangeTextDocument::METHOD => self.change(params),
            DidCloseTextDocument::METHOD => {
                self.take::<DidCloseTextDocument>(params, |server, params| {
                    server.forget(&params.text_document.uri);
                });
            }
            Cancel::METHOD => self.take::<Cancel>(params, Server::cancelled),
            WorkDoneProgressCancel::METHOD => {
                self.take::<WorkDoneProgressCancel>(params, Server::progress_cancelled);
            }
            // A client that has the settings is asked for them: what it sends may be empty.
            DidChangeConfiguration::METHOD if self.state.client.has_configuration => {
                self.ask_settings();
            }
            DidChangeConfiguration::METHOD => {
                self.take::<DidChangeConfiguration>(params, |server, params| {
                    // Without a section, they may be the settings of the whole client.
                    server.configure(Layer::of(params.settings, false));
                });
            }
            DidChangeWorkspaceFolders::METHOD => {
                self.take::<DidChangeWorkspaceFolders>(params, Server::change_folders);
            }
            // Imported files or projects may have changed.
            DidChangeWatchedFiles::METHOD => {
                self.read_projects();
                self.check_all();
            }
            _ => {}
        }
    }

    /// Hands the parameters of a notification on, if they can be read.
    fn take<N: LspNotification>(&mut self, params: Value, take: fn(&mut Server, N::Params)) {
        if let Some(params) = self.read::<N>(params) {
            take(self, params);
        }
    }

    /// The parameters of a notification. A notification has no answer: wrong ones are logged.
    fn read<N: LspNotification>(&self, params: Value) -> Option<N::Params> {
        let read = serde_json::from_value(params);
        read.map_err(|error| self.log(&format!("cannot read `{}`: {error}", N::METHOD))).ok()
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let opened = params.text_document;
        let document = Document::new(opened.version, opened.text);
        self.state.documents.insert(opened.uri.clone(), document);
        self.read_projects();
        self.begin_reading_tags(&opened.uri);
        self.changed(&opened.uri);
    }

    /// Begins to read the tags of the databases of a document: they are there when it needs them.
    fn begin_reading_tags(&self, uri: &Url) {
        self.state.tags.begin_reading(&self.state.databases_with_tags(uri));
    }

    fn cancelled(&mut self, params: CancelParams) {
        self.cancel(&match params.id {
            NumberOrString::Number(number) => RequestId::from(number),
            NumberOrString::String(text) => RequestId::from(text),
        });
    }

    fn progress_cancelled(&mut self, params: WorkDoneProgressCancelParams) {
        let is_it = |pending: &&Pending| pending.progress.as_ref() == Some(&params.token);
        self.pending.values().filter(is_it).for_each(|one| one.cancel.cancel());
    }

    fn change_folders(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let event = params.event;
        let folders = Arc::make_mut(&mut self.state.folders);
        let gone: Vec<_> = event.removed.iter().filter_map(|one| path_of(&one.uri)).collect();
        folders.retain(|folder| !gone.contains(folder));
        folders.extend(event.added.iter().filter_map(|one| path_of(&one.uri)));
        self.join_settings();
        self.check_all();
    }

    /// Takes the answer of the client to a request.
    pub(super) fn response(&mut self, response: Response) {
        let is_settings = response.id.to_string().trim_matches('"').starts_with(SETTINGS_REQUEST);
        if let Ok(value) = response.response_result
            && is_settings
            && let Some(section) = value.as_array().and_then(|sections| sections.first())
        {
            self.configure(Layer { values: section.clone(), is_ours: true });
        }
    }

    fn configure(&mut self, settings: Layer) {
        self.configured = settings;
        self.join_settings();
        self.state.documents.iter().for_each(|(uri, _)| self.begin_reading_tags(uri));
        self.check_all();
    }

    fn initialized(&mut self) {
        if self.state.client.watches_files {
            let watcher = |pattern: &str| FileSystemWatcher {
                glob_pattern: GlobPattern::String(pattern.to_owned()),
                kind: None,
            };
            let watchers = vec![watcher("**/*.{cql,CQL}"), watcher("**/babson.toml")];
            let options = DidChangeWatchedFilesRegistrationOptions { watchers };
            let registration = Registration {
                id: "queries".to_owned(),
                method: DidChangeWatchedFiles::METHOD.to_owned(),
                register_options: serde_json::to_value(options).ok(),
            };
            let registrations = vec![registration];
            self.ask::<RegisterCapability>("register", RegistrationParams { registrations });
        }
        if self.state.client.has_configuration {
            self.ask_settings();
        }
    }

    fn ask_settings(&mut self) {
        let item = ConfigurationItem { scope_uri: None, section: Some("babson".to_owned()) };
        let params = ConfigurationParams { items: vec![item] };
        self.ask::<WorkspaceConfiguration>(SETTINGS_REQUEST, params);
    }

    /// Makes the settings of all places where they can stand.
    pub(super) fn join_settings(&mut self) {
        let folder = self.state.folders.first().map(|folder| folder.as_path());
        let (settings, complaints) =
            Settings::join(&[self.initial.clone(), self.configured.clone()], folder);
        self.state.settings = Arc::new(settings);
        // Clients send the same settings again and again.
        let wrong: BTreeSet<String> = complaints.into_iter().collect();
        for complaint in wrong.difference(&self.wrong_settings) {
            self.send(message_of(MessageType::WARNING, complaint));
        }
        self.wrong_settings = wrong;
    }

    /// Reads the projects of the open documents anew, and tells what is wrong with their files.
    fn read_projects(&mut self) {
        self.state.projects = Projects::default();
        let uris = self.state.documents.iter().map(|(uri, _)| uri);
        let errors = uris.filter_map(|uri| self.state.projects.find(uri).err());
        let wrong: BTreeSet<String> = errors.map(|error| error.to_string()).collect();
        for error in wrong.difference(&self.wrong_projects) {
            self.send(message_of(MessageType::ERROR, error));
        }
        self.wrong_projects = wrong;
    }

    /// Forgets a document that is open no more.
    fn forget(&mut self, uri: &Url) {
        self.state.documents.remove(uri);
        Arc::make_mut(&mut self.state.runs).remove(uri);
        if !self.state.client.pulls_diagnostics {
            self.notify::<PublishDiagnostics>(PublishDiagnosticsParams {
                uri: uri.clone(),
                diagnostics: Vec::new(),
                version: None,
            });
        }
        self.check_all();
    }

    fn change(&mut self, params: Value) {
        let named = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let named = named.and_then(|name| Url::parse(name).ok());
        let Some(DidChangeTextDocumentParams { text_document, content_changes }) =
            self.read::<DidChangeTextDocument>(params)
        else {
            // Answers about the text before the change would be wrong, and so would all later
            // changes of it.
            if let Some(uri) = named.filter(|uri| self.state.documents.get(uri).is_some()) {
                self.drop_stale(&uri);
                self.forget(&uri);
                self.log(&format!("the text of {uri} is not known any more: open it anew"));
            }
            return;
        };
        let uri = text_document.uri;
        let Some(document) = self.state.documents.get(&uri) else {
            return self.log(&format!("{uri} has changed, and it is not open"));
        };
        let encoding = self.state.client.encoding;
        let changed = document.changed(text_document.version, content_changes, encoding);
        self.state.documents.insert(uri.clone(), changed);
        self.drop_stale(&uri);
        self.changed(&uri);
    }
}
