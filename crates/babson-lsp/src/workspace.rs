//! The queries of the workspace: the open documents, and the files whose names end in `.cql`.

use std::collections::HashSet;
use std::fs;
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

/// Calls `see` for the name and the text of each query of the workspace, each once. A file is read
/// when its turn comes, and its text is not kept, so that one text of a file is in memory. Returns
/// what was not read.
///
/// # Errors
/// The first error of `see`; or [`Failure::Cancelled`] if `is_cancelled`, which is asked before
/// each query and each other entry of a folder.
pub(crate) fn each_query(
    snapshot: &Snapshot,
    is_cancelled: &dyn Fn() -> bool,
    see: &mut dyn FnMut(&Url, &str) -> Result<(), Failure>,
) -> Result<Vec<LeftOut>, Failure> {
    let mut left_out: Vec<LeftOut> = Vec::new();
    let mut open: Vec<_> = snapshot.documents.iter().collect();
    open.sort_by_key(|(uri, _)| *uri);
    for (uri, document) in &open {
        if is_cancelled() {
            return Err(Failure::Cancelled);
        }
        if document.text.len() > MAX_FILE {
            let path = path_of(uri).unwrap_or_else(|| uri.as_str().into());
            left_out.push(LeftOut { path, why: TOO_LONG });
        } else {
            see(uri, &document.text)?;
        }
    }
    let mut known: HashSet<PathBuf> = open.iter().filter_map(|(uri, _)| real_path(uri)).collect();
    let mut walk = Walk::new(MAX_FOLDER_ENTRIES);
    let mut files = 0;
    for folder in snapshot.folders.iter() {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        walk.folder(&folder, &mut |entry| {
            if is_cancelled() {
                return Err(Failure::Cancelled);
            }
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
                Ok((uri, text)) => see(&uri, &text),
                Err(why) => leave_out(path, why),
            }
        })?;
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
