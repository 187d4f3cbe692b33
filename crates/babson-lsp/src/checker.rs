//! The thread that makes diagnostics.

use std::io;
use std::thread::Builder;

use crossbeam::channel::{Receiver, Sender, unbounded};
use lsp_types::{Diagnostic, Url};

use crate::limits::STACK;
use crate::pool::guarded;
use crate::snapshot::{OpenDocument, Snapshot};

/// What a check has given.
#[derive(Debug, PartialEq)]
pub(crate) enum Checked {
    /// The diagnostics of a version of a document.
    Found(Url, i32, Vec<Diagnostic>),
    /// The check panicked with this message, which is a bug.
    Failed(Url, String),
}

/// The thread, which ends when this is dropped.
pub(crate) struct Checker {
    wanted: Sender<(Url, Snapshot)>,
}

impl Checker {
    /// Starts the thread. Of several versions of a document it checks the latest.
    ///
    /// # Errors
    /// The system has no thread.
    pub(crate) fn start(
        check: impl Fn(OpenDocument<'_>) -> Vec<Diagnostic> + Send + 'static,
        tell: impl Fn(Checked) + Send + 'static,
    ) -> io::Result<Checker> {
        let (sender, wanted): (_, Receiver<(Url, Snapshot)>) = unbounded();
        let work = move || {
            while let Ok(first) = wanted.recv() {
                let mut latest = vec![first];
                for (uri, snapshot) in wanted.try_iter() {
                    latest.retain(|(known, _)| *known != uri);
                    latest.push((uri, snapshot));
                }
                for (uri, snapshot) in latest {
                    let Ok(open) = snapshot.document(&uri) else { continue };
                    let version = open.document.version;
                    // A panic does not end the thread.
                    tell(match guarded(|| check(open)) {
                        Ok(found) => Checked::Found(uri, version, found),
                        Err(panic) => Checked::Failed(uri, panic),
                    });
                }
            }
        };
        Builder::new().name("diagnostics".into()).stack_size(STACK).spawn(work)?;
        Ok(Checker { wanted: sender })
    }

    /// Wants the diagnostics of a document.
    pub(crate) fn check(&self, uri: &Url, snapshot: &Snapshot) {
        // The thread lives as long as this.
        let _ = self.wanted.send((uri.clone(), snapshot.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::Document;

    #[test]
    fn a_panic_is_not_an_empty_list() {
        let mut snapshot = Snapshot::of_folders(Vec::new());
        let (broken, whole) = ("untitled:broken", "untitled:whole");
        let (broken, whole) = (Url::parse(broken).unwrap(), Url::parse(whole).unwrap());
        for uri in [&broken, &whole] {
            snapshot.documents.insert(uri.clone(), Document::new(7, "mate".to_owned()));
        }
        let (told, checked) = unbounded();
        let bad = broken.clone();
        let check = move |open: OpenDocument<'_>| {
            assert!(*open.uri != bad, "a bug");
            Vec::new()
        };
        let checker = Checker::start(check, move |one| told.send(one).unwrap()).unwrap();
        checker.check(&broken, &snapshot);
        assert_eq!(checked.recv(), Ok(Checked::Failed(broken, "a bug".to_owned())));
        // The thread goes on.
        checker.check(&whole, &snapshot);
        assert_eq!(checked.recv(), Ok(Checked::Found(whole, 7, Vec::new())));
    }
}
