//! When documents are checked, and what the client draws anew after a change.

use lsp_types::Url;
use lsp_types::request::{CodeLensRefresh, InlayHintRefreshRequest, WorkspaceDiagnosticRefresh};

use super::Server;

impl Server {
    /// Wants the diagnostics of a document that has changed, and of those that may import it.
    pub(super) fn changed(&mut self, uri: &Url) {
        self.check(uri);
        let imports: Vec<Url> = self
            .state
            .documents
            .iter()
            .filter(|(other, document)| *other != uri && document.text.contains("import"))
            .map(|(other, _)| other.clone())
            .collect();
        if self.state.client.pulls_diagnostics {
            if !imports.is_empty() {
                self.refresh_diagnostics();
            }
            return;
        }
        imports.iter().for_each(|other| self.check(other));
    }

    fn check(&self, uri: &Url) {
        if !self.state.client.pulls_diagnostics {
            self.checker.check(uri, &self.state);
        }
    }

    /// Wants the diagnostics of all documents, and asks the client to draw the rest anew.
    pub(super) fn check_all(&mut self) {
        if self.state.client.pulls_diagnostics {
            self.refresh_diagnostics();
        } else {
            let all: Vec<Url> = self.state.documents.iter().map(|(uri, _)| uri.clone()).collect();
            all.iter().for_each(|uri| self.check(uri));
        }
        self.refresh_lenses();
        if self.state.client.refreshes_hints {
            self.ask::<InlayHintRefreshRequest>("hints", ());
        }
    }

    fn refresh_diagnostics(&mut self) {
        if self.state.client.refreshes_diagnostics {
            self.ask::<WorkspaceDiagnosticRefresh>("diagnostics", ());
        }
    }

    pub(super) fn refresh_lenses(&mut self) {
        if self.state.client.refreshes_lenses {
            self.ask::<CodeLensRefresh>("lenses", ());
        }
    }
}
