//! `babson check --watch`: checks again what changes.
//!
//! A change of the file system only wakes the watch. Each round reads all queries with the files
//! that they import, and checks those whose source differs from the source of the last round. So
//! events that come late, twice or not at all do no harm.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Instant;

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::checked::CheckedQuery;
use super::report::{Findings, Report, Tally};
use super::request::CheckRequest;
use crate::failure::Failure;
use crate::limits::{MAX_SHOWN_CHANGED, WATCH_LONGEST_SETTLING, WATCH_PERIOD, WATCH_SETTLING};
use crate::query_list::QueryList;
use crate::show_name::ShowName as _;
use crate::source::QuerySource;
use crate::terminal;

/// Checks the queries, and then again what changes, until a signal ends the command.
///
/// # Errors
/// The words of the command line name no queries when the watch begins, or standard output cannot
/// be written.
pub(super) fn watch(request: &CheckRequest<'_>) -> Result<u8, Failure> {
    // What is missing at the beginning is rather a mistake of the command line than a change.
    let begin = request.list()?;
    let is_missing = |path: &PathBuf| !path.exists();
    for file in begin.files.iter().filter(|file| file.path.as_ref().is_some_and(is_missing)) {
        file.source(request.reading)?;
    }
    let mut list = Ok(begin);
    let mut alarm = Alarm::new();
    let mut known = Round::default();
    loop {
        let round = Round::read(request, list, &mut known);
        alarm.watch(&round.folders);
        let has_changed = round.has_changed(&known);
        known = if has_changed { round.check(request, &known)? } else { round };
        alarm.wait();
        list = request.list();
    }
}

/// The queries at one time.
#[derive(Default)]
struct Round {
    /// Its number: 1 for the first round.
    number: u64,
    /// The queries that can be read, by path.
    queries: HashMap<PathBuf, KnownQuery>,
    /// The paths of the queries that are not checked yet, in the order of the list.
    changed: Vec<PathBuf>,
    /// Why queries, folders and projects cannot be read.
    failures: Vec<Failure>,
    /// The folders in which a change may matter.
    folders: BTreeSet<PathBuf>,
}

/// A query as it was checked.
struct KnownQuery {
    source: QuerySource,
    /// What its check has found; `None` before it.
    findings: Option<Findings>,
}

impl Round {
    /// Reads the queries, and takes those that have not changed from the last round.
    fn read(
        request: &CheckRequest<'_>,
        list: Result<QueryList, Failure>,
        last: &mut Round,
    ) -> Round {
        let mut round = Round { number: last.number + 1, ..Round::default() };
        let list = list.unwrap_or_else(|failure| {
            round.failures.push(failure);
            QueryList::default()
        });
        round.failures.extend(list.unread);
        round.folders.extend(list.folders);
        round.folders.extend(request.words.iter().filter_map(|word| folder_of(Path::new(word))));
        for file in &list.files {
            let path = file.path.clone().unwrap_or_default();
            let source = match file.source(request.reading) {
                Ok(source) => source,
                Err(failure) => {
                    round.failures.push(failure);
                    continue;
                }
            };
            round.folders.extend(folder_of(&path).into_iter().chain(folders_of(&source)));
            let before = last.queries.remove(&path).filter(|before| before.source == source);
            let query = before.unwrap_or_else(|| {
                round.changed.push(path.clone());
                KnownQuery { source, findings: None }
            });
            round.queries.insert(path, query);
        }
        round
    }

    /// Whether it differs from the last round. What is left there was not found again.
    fn has_changed(&self, last: &Round) -> bool {
        self.number == 1
            || !self.changed.is_empty()
            || !last.queries.is_empty()
            || self.messages() != last.messages()
    }

    /// The paths of the queries that were not found again, if their files are gone. Other queries
    /// cannot be read any more, which is a failure of the round.
    fn removed(&self) -> Vec<PathBuf> {
        let mut gone: Vec<PathBuf> =
            self.queries.keys().filter(|path| !path.exists()).cloned().collect();
        gone.sort();
        gone
    }

    /// The different messages of the failures.
    fn messages(&self) -> BTreeSet<&str> {
        self.failures.iter().filter_map(Failure::message).collect()
    }

    /// Checks what has changed since the last round, and prints the numbers of all queries.
    fn check(mut self, request: &CheckRequest<'_>, last: &Round) -> Result<Round, Failure> {
        let removed = last.removed();
        if !removed.is_empty() {
            terminal::error_line(&format!("babson: no longer there: {}", names(&removed)));
        }
        if self.number > 1 && !self.changed.is_empty() {
            terminal::error_line(&format!("babson: checking again {}", names(&self.changed)));
        }
        let mut report = Report::new(request);
        for query in removed.iter().filter_map(|path| last.queries.get(path)) {
            report.removed(&query.source)?;
        }
        for failure in &self.failures {
            report.unread(failure)?;
        }
        for path in std::mem::take(&mut self.changed) {
            let Some(query) = self.queries.get_mut(&path) else { continue };
            let checked = CheckedQuery::new(&query.source, request.reading, request.compares);
            query.findings = Some(Findings::of(&query.source, &checked));
            report.checked(&query.source, checked)?;
        }
        report.finish(false)?;
        let mut all = Tally::default();
        let mut told = BTreeSet::new();
        for failure in &self.failures {
            if told.insert(failure.message()) {
                all.add_unread(failure);
            }
        }
        for findings in self.queries.values().filter_map(|query| query.findings.as_ref()) {
            all.add(findings);
        }
        let summary = all.text();
        terminal::error_line(&format!("babson: {summary}; watching (Ctrl-C ends it)"));
        Ok(self)
    }
}

/// The names of the first queries.
fn names(changed: &[PathBuf]) -> String {
    let shown = changed.iter().take(MAX_SHOWN_CHANGED).map(|path| path.shown());
    let mut names = shown.collect::<Vec<_>>().join(", ");
    if changed.len() > MAX_SHOWN_CHANGED {
        names.push_str(&format!(" and {} more", changed.len() - MAX_SHOWN_CHANGED));
    }
    names
}

/// The folder in which a file is.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let is_current = folder.as_os_str().is_empty();
    Some(if is_current { PathBuf::from(".") } else { folder.to_owned() })
}

/// The folders of the files that a query is made of, besides its own.
fn folders_of(source: &QuerySource) -> impl Iterator<Item = PathBuf> {
    let project = source.project.as_deref();
    let of_project = project
        .into_iter()
        .flat_map(|project| project.imports.iter().cloned().chain(folder_of(&project.file)));
    source.imported_files().filter_map(folder_of).chain(of_project)
}

/// What wakes the watch: a change in one of its folders, or that some time has passed, since not
/// every file system tells of changes.
struct Alarm {
    /// `None` if the system cannot tell of changes.
    watcher: Option<RecommendedWatcher>,
    folders: BTreeSet<PathBuf>,
    changes: Receiver<()>,
    /// Keeps the channel open without a watcher.
    _sender: SyncSender<()>,
}

impl Alarm {
    fn new() -> Alarm {
        // One change that waits stands for all, so a long check does not gather them.
        let (sender, changes) = sync_channel(1);
        let tell = sender.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| is_change(event.kind)) {
                // It fails if a change waits already, or the watch has ended.
                let _ = tell.try_send(());
            }
        });
        let watcher = watcher.ok();
        Alarm { watcher, folders: BTreeSet::new(), changes, _sender: sender }
    }

    /// Watches these folders and no others. One that cannot be watched, for instance because the
    /// system has a limit, is still looked at from time to time.
    fn watch(&mut self, folders: &BTreeSet<PathBuf>) {
        let Some(watcher) = &mut self.watcher else { return };
        for gone in self.folders.difference(folders) {
            let _ = watcher.unwatch(gone);
        }
        self.folders.retain(|folder| folders.contains(folder) && folder.is_dir());
        for folder in folders {
            if !self.folders.contains(folder)
                && watcher.watch(folder, RecursiveMode::NonRecursive).is_ok()
            {
                self.folders.insert(folder.clone());
            }
        }
    }

    /// Waits for a change, and until no more changes follow: an editor may write a file in several
    /// steps, and a checkout changes many.
    fn wait(&self) {
        match self.changes.recv_timeout(WATCH_PERIOD) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
        let begin = Instant::now();
        while begin.elapsed() < WATCH_LONGEST_SETTLING
            && self.changes.recv_timeout(WATCH_SETTLING).is_ok()
        {}
    }
}

/// Whether an event may change what is read. The watch itself opens and reads the files.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        EventKind::Any
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Other => true,
    }
}
