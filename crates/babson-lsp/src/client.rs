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
        // Settings may stand in a section or without one.
        let sections = [options.and_then(|options| options.get("babson")), options];
        let shows = sections
            .into_iter()
            .flatten()
            .find_map(|section| section.get("showsResults")?.as_bool());
        Client {
            encoding: Encoding::negotiate(&offered.unwrap_or_default()),
            pulls_diagnostics: text.diagnostic.is_some(),
            refreshes_diagnostics: can(workspace.diagnostic, |one| one.refresh_support),
            refreshes_lenses: can(workspace.code_lens, |one| one.refresh_support),
            refreshes_hints: can(workspace.inlay_hint, |one| one.refresh_support),
            has_configuration: workspace.configuration.unwrap_or_default(),
            watches_files: can(watched, |one| one.dynamic_registration),
            has_snippets: can(snippets, |item| item.snippet_support),
            shows_documents: window
                .as_ref()
                .and_then(|window| window.show_document.as_ref())
                .is_some_and(|show| show.support),
            nests_symbols: can(text.document_symbol, |one| {
                one.hierarchical_document_symbol_support
            }),
            has_document_changes: can(workspace.workspace_edit, |one| one.document_changes),
            links_definitions: can(text.definition, |one| one.link_support),
            augments_syntax: can(text.semantic_tokens, |one| one.augments_syntax_tokens),
            has_action_literals: text
                .code_action
                .is_some_and(|one| one.code_action_literal_support.is_some()),
            shows_results: shows.unwrap_or_default(),
        }
    }
}

/// Whether the client has a part of the protocol with an ability; what it does not name it cannot.
fn can<T>(part: Option<T>, ability: impl FnOnce(T) -> Option<bool>) -> bool {
    part.and_then(ability).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_client_may_show_results_itself() {
        let shows = |options: Value| {
            let params = InitializeParams {
                initialization_options: Some(options),
                ..InitializeParams::default()
            };
            Client::new(&params).shows_results
        };
        assert!(shows(json!({"showsResults": true})));
        assert!(shows(json!({"babson": {"showsResults": true}})));
        assert!(shows(json!({"babson": {"limit": 3}, "showsResults": true})));
        assert!(!shows(json!({"showsResults": "true"})));
        assert!(!shows(json!({"babson": {}})));
    }
}
