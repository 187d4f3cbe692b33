//! When documents are checked, and what the client draws anew after a change.

use std::time::{Duration, Instant};

use lsp_types::Url;
use lsp_types::request::{CodeLensRefresh, InlayHintRefreshRequest, WorkspaceDiagnosticRefresh};

use super::Server;
use crate::limits::QUIET_INTERVAL;

/// A request to the client that waits until the user stops typing: its answer would be old with the
/// next letter.
#[derive(Debug, Default)]
pub(super) struct DelayedRefresh {
    due: Option<Instant>,
}

impl DelayedRefresh {
    /// Wants the refresh, and puts it off if it is wanted already.
    fn want(&mut self, now: Instant) {
        self.due = Some(now + QUIET_INTERVAL);
    }

    /// How long to wait for it, if nothing else comes.
    pub(super) fn wait(&self, now: Instant, at_most: Duration) -> Duration {
        self.due.map_or(at_most, |due| due.saturating_duration_since(now).min(at_most))
    }

    /// Whether it is due, which is said once.
    fn take_due(&mut self, now: Instant) -> bool {
        self.due.take_if(|due| *due <= now).is_some()
    }
}

impl Server {
    /// Asks for what has waited until now.
    pub(super) fn send_delayed(&mut self) {
        if self.delayed.take_due(Instant::now()) {
            self.refresh_diagnostics();
        }
    }

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
                self.delayed.want(Instant::now());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_of_changes_is_one_refresh() {
        let (start, step) = (Instant::now(), QUIET_INTERVAL / 4);
        let mut delayed = DelayedRefresh::default();
        let most = Duration::from_secs(60);
        assert_eq!(delayed.wait(start, most), most);
        let mut now = start;
        for _ in 0..100 {
            delayed.want(now);
            now += step;
            assert!(!delayed.take_due(now));
        }
        assert_eq!(delayed.wait(now, most), QUIET_INTERVAL - step);
        now += QUIET_INTERVAL;
        assert_eq!(delayed.wait(now, most), Duration::ZERO);
        assert!(delayed.take_due(now));
        assert!(!delayed.take_due(now));
        assert_eq!(delayed.wait(now, most), most);
    }
}
