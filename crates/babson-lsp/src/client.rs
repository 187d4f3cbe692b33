//! What the client can do.

use lsp_types::{ClientCapabilities, InitializeParams};

use crate::positions::Encoding;

/// The abilities of the client that change answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// The client asks for diagnostics, so none are sent unasked.
    pub(crate) pulls_diagnostics: bool,
    pub(crate) refreshes_diagnostics: bool,
    pub(crate) refreshes_lenses: bool,
    pub(crate) refreshes_hints: bool,
    /// The server asks the client for the settings.
    pub(crate) has_configuration: bool,
    /// The client tells of changes of the files that the server names.
    pub(crate) watches_files: bool,
    /// Snippets may have places for the cursor.
    pub(crate) has_snippets: bool,
    /// A document can be shown.
    pub(crate) shows_documents: bool,
    /// The outline may have levels.
    pub(crate) nests_symbols: bool,
    /// Edits may name the versions of their documents.
    pub(crate) has_document_changes: bool,
    /// Definitions may name the place that was asked about.
    pub(crate) links_definitions: bool,
    /// The client colors the text itself, and semantic tokens add to it: only what the text alone
    /// does not show is sent.
    pub(crate) augments_syntax: bool,
    /// Actions may be more than commands.
    pub(crate) has_action_literals: bool,
    /// The client shows the answers of `babson.run` and `babson.explain` itself, as its option
    /// `showsResults` says.
    pub(crate) shows_results: bool,
}

impl Client {
    pub(crate) fn new(params: &InitializeParams) -> Client {
        let ClientCapabilities { workspace, text_document, window, general, .. } =
            &params.capabilities;
        let workspace = workspace.clone().unwrap_or_default();
        let text = text_document.clone().unwrap_or_default();
        let offered = general.as_ref().and_then(|general| general.position_encodings.clone());
        let snippets = text.completion.as_ref().and_then(|one| one.completion_item.as_ref());
        let watched = workspace.did_change_watched_files;
        let options = params.initialization_options.as_ref();
        let shows = options.and_then(|options| options.get("showsResults"));
        Client {
            encoding: Encoding::negotiate(&offered.unwrap_or_default()),
            pulls_diagnostics: text.diagnostic.is_some(),
            refreshes_diagnostics: workspace
                .diagnostic
                .and_then(|one| one.refresh_support)
                .unwrap_or_default(),
            refreshes_lenses: workspace
                .code_lens
                .and_then(|one| one.refresh_support)
                .unwrap_or_default(),
            refreshes_hints: workspace
                .inlay_hint
                .and_then(|one| one.refresh_support)
                .unwrap_or_default(),
            has_configuration: workspace.configuration.unwrap_or_default(),
            watches_files: watched.and_then(|one| one.dynamic_registration).unwrap_or_default(),
            has_snippets: snippets.and_then(|item| item.snippet_support).unwrap_or_default(),
            shows_documents: window
                .as_ref()
                .and_then(|window| window.show_document.as_ref())
                .is_some_and(|show| show.support),
            nests_symbols: text
                .document_symbol
                .and_then(|one| one.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            has_document_changes: workspace
                .workspace_edit
                .and_then(|one| one.document_changes)
                .unwrap_or_default(),
            links_definitions: text.definition.and_then(|one| one.link_support).unwrap_or_default(),
            augments_syntax: text
                .semantic_tokens
                .and_then(|one| one.augments_syntax_tokens)
                .unwrap_or_default(),
            has_action_literals: text
                .code_action
                .is_some_and(|one| one.code_action_literal_support.is_some()),
            shows_results: shows.and_then(|shows| shows.as_bool()).unwrap_or_default(),
        }
    }
}
