//! The queries of the workspace: the open documents, and the files whose names end in `.cql`.

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use lsp_types::Url;

use crate::failure::Failure;
use crate::files::{path_of, real_path};
use crate::limits::{MAX_FILE, MAX_FOLDER_ENTRIES, MAX_WORKSPACE_FILES};
use crate::snapshot::Snapshot;
use crate::walk::{Entry, TOO_MANY, UNREADABLE, Walk};

/// A file or folder of the workspace that was not read: it may be or contain a query.
pub(crate) struct LeftOut {
    pub(crate) path: PathBuf,
    pub(crate) why: &'static str,
}

const TOO_LONG: &str = "longer than 1 MiB";
const NOT_UTF8: &str = "not UTF-8";

/// What a request about many files asks and tells while it is answered.
pub(crate) struct Work<'w> {
    pub(crate) is_cancelled: &'w dyn Fn() -> bool,
    /// Writes to the log of the client.
    pub(crate) log: &'w dyn Fn(String),
}

impl Work<'_> {
    /// # Errors
    /// The request is cancelled.
    fn check(&self) -> Result<(), Failure> {
        if (self.is_cancelled)() { Err(Failure::Cancelled) } else { Ok(()) }
    }

    /// Tells what an answer does not know of.
    pub(crate) fn log_left_out(&self, snapshot: &Snapshot, all: &[LeftOut]) {
        if !all.is_empty() {
            (self.log)(format!("not searched: {}", named(snapshot, all)));
        }
    }
}

/// Some of the files and folders that were not read, by their names, and the number of the others.
pub(crate) fn named(snapshot: &Snapshot, all: &[LeftOut]) -> String {
    const SHOWN: usize = 3;
    let of = |one: &LeftOut| format!("{} ({})", snapshot.shown(&one.path), one.why);
    let mut shown = all.iter().take(SHOWN).map(of).collect::<Vec<_>>().join(", ");
    if all.len() > SHOWN {
        shown += &format!(" and {} more", all.len() - SHOWN);
    }
    shown
}

/// Takes the name and the text of a query. [`ControlFlow::Break`] leaves the other queries out.
pub(crate) type See<'s> = dyn FnMut(&Url, &str) -> Result<ControlFlow<()>, Failure> + 's;

/// Calls `see` for each query of the workspace, each once. A file is read when its turn comes, and
/// its text is not kept, so that one text of a file is in memory. Returns what was not read.
///
/// # Errors
/// The first error of `see`; or [`Failure::Cancelled`] if the request is cancelled before a query
/// or another entry of a folder.
pub(crate) fn each_query(
    snapshot: &Snapshot,
    work: &Work<'_>,
    see: &mut See<'_>,
) -> Result<Vec<LeftOut>, Failure> {
    let mut left_out: Vec<LeftOut> = Vec::new();
    let mut open: Vec<_> = snapshot.documents.iter().collect();
    open.sort_by_key(|(uri, _)| *uri);
    for (uri, document) in &open {
        work.check()?;
        if document.text.len() > MAX_FILE {
            let path = path_of(uri).unwrap_or_else(|| uri.as_str().into());
            left_out.push(LeftOut { path, why: TOO_LONG });
        } else if see(uri, &document.text)?.is_break() {
            return Ok(left_out);
        }
    }
    let mut known: HashSet<PathBuf> = open.iter().filter_map(|(uri, _)| real_path(uri)).collect();
    let mut walk = Walk::new(MAX_FOLDER_ENTRIES);
    let mut files = 0;
    for folder in snapshot.folders.iter() {
        let folder = dunce::canonicalize(folder).unwrap_or_else(|_| folder.clone());
        // The walk ends with a failure, or with nothing if enough was seen.
        let walked = walk.folder(&folder, &mut |entry| {
            work.check().map_err(Some)?;
            let mut leave_out = |path: &Path, why| {
                left_out.push(LeftOut { path: path.to_owned(), why });
                Ok(())
            };
            let path = match entry {
                Entry::Other => return Ok(()),
                Entry::LeftOut(path, why) => return leave_out(path, why),
                Entry::Query(path) if !known.insert(path.to_owned()) => return Ok(()),
                Entry::Query(path) => path,
            };
            files += 1;
            if files > MAX_WORKSPACE_FILES {
                return leave_out(path, TOO_MANY);
            }
            match read(path) {
                Ok((uri, text)) => match see(&uri, &text).map_err(Some)? {
                    ControlFlow::Continue(()) => Ok(()),
                    ControlFlow::Break(()) => Err(None),
                },
                Err(why) => leave_out(path, why),
            }
        });
        match walked {
            Ok(()) => {}
            Err(None) => break,
            Err(Some(failure)) => return Err(failure),
        }
    }
    Ok(left_out)
}

/// The name and the text of a file.
///
/// # Errors
/// Why it is left out.
fn read(path: &Path) -> Result<(Url, String), &'static str> {
    if fs::metadata(path).map_err(|_| UNREADABLE)?.len() > MAX_FILE as u64 {
        return Err(TOO_LONG);
    }
    let text = String::from_utf8(fs::read(path).map_err(|_| UNREADABLE)?).map_err(|_| NOT_UTF8)?;
    // Editors show, and imports have, the text without a byte-order mark.
    let text = text.trim_start_matches('\u{feff}').to_owned();
    Ok((Url::from_file_path(path).map_err(|()| UNREADABLE)?, text))
}
