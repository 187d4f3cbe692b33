//! Files: the names of documents, what queries import, and the queries of the workspace.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use babson::imports::{FoundFile, ImportFiles, ImportFolders, library_name};
use lsp_types::Url;

use crate::documents::{Document, Documents};
use crate::library;
use crate::limits::{MAX_FILE, MAX_FOLDER_DEPTH, MAX_FOLDER_ENTRIES, MAX_WORKSPACE_FILES};

/// The path of a document, if it is a file.
pub(crate) fn path_of(uri: &Url) -> Option<PathBuf> {
    if uri.scheme() == "file" { uri.to_file_path().ok() } else { None }
}

/// The document of a file that a query imports, by its key. A file of the library is written to the
/// user's cache, so that every editor can show it.
pub(crate) fn uri_of(key: &str) -> Option<Url> {
    match library_name(key) {
        Some(library) => Url::from_file_path(library::written(library)?).ok(),
        None => Url::from_file_path(key).ok(),
    }
}

/// What finds the files that the query of a document imports. A file that is open counts as it is
/// in the editor.
#[derive(Clone, Debug)]
pub(crate) struct EditorFiles {
    folders: ImportFolders,
    documents: Documents,
}

impl EditorFiles {
    pub(crate) fn new(uri: &Url, search_path: Vec<PathBuf>, documents: &Documents) -> EditorFiles {
        let folder = path_of(uri).and_then(|path| path.parent().map(Path::to_owned));
        EditorFiles {
            folders: ImportFolders::new(folder, search_path),
            documents: documents.clone(),
        }
    }
}

impl ImportFiles for EditorFiles {
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        let Some(mut found) = self.folders.find(name, from)? else { return Ok(None) };
        if let Some((_, open)) = open_document(&self.documents, Path::new(&found.key)) {
            found.text.clone_from(&open.text);
        }
        Ok(Some(found))
    }
}

/// The open document of a path without links. A file has many URIs: clients escape other characters
/// than the server, and name folders that are links.
pub(crate) fn open_document<'d>(
    documents: &'d Documents,
    path: &Path,
) -> Option<(&'d Url, &'d Arc<Document>)> {
    let is_named = |(uri, _): &(&Url, &Arc<Document>)| path_of(uri).is_some_and(|it| it == path);
    let is_it = |(uri, _): &(&Url, &Arc<Document>)| real_path(uri).is_some_and(|it| it == path);
    documents.iter().find(is_named).or_else(|| documents.iter().find(is_it))
}

/// The path of a document without links, if it is a file that is there.
pub(crate) fn real_path(uri: &Url) -> Option<PathBuf> {
    path_of(uri)?.canonicalize().ok()
}

/// A query of the workspace.
pub(crate) struct WorkspaceFile {
    pub(crate) uri: Url,
    pub(crate) text: String,
}

/// A file or folder of the workspace that was not read: it may be or contain a query with imports.
pub(crate) struct LeftOut {
    pub(crate) path: PathBuf,
    pub(crate) why: &'static str,
}

/// The queries of the workspace.
#[derive(Default)]
pub(crate) struct WorkspaceFiles {
    pub(crate) files: Vec<WorkspaceFile>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// The queries of the folders: the open documents, and the files whose names end in `.cql`, each
/// once. Hidden folders are not searched.
pub(crate) fn workspace_files(folders: &[PathBuf], documents: &Documents) -> WorkspaceFiles {
    let mut found = WorkspaceFiles::default();
    let mut open: Vec<_> = documents.iter().collect();
    open.sort_by_key(|(uri, _)| *uri);
    for (uri, document) in &open {
        let path = || path_of(uri).unwrap_or_else(|| uri.as_str().into());
        if document.text.len() > MAX_FILE {
            found.left_out.push(LeftOut { path: path(), why: TOO_LONG });
        } else {
            found.files.push(WorkspaceFile { uri: (*uri).clone(), text: document.text.clone() });
        }
    }
    let known = open.iter().filter_map(|(uri, _)| real_path(uri)).collect();
    let mut walk = Walk { left: MAX_FOLDER_ENTRIES, known, found };
    for folder in folders {
        match folder.canonicalize() {
            Ok(folder) => walk.folder(&folder, 0),
            // A folder that is gone has no queries.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => walk.leave_out(folder, UNREADABLE),
        }
    }
    walk.found
}

const TOO_LONG: &str = "longer than 1 MiB";
const UNREADABLE: &str = "cannot be read";
const NOT_UTF8: &str = "not UTF-8";
const TOO_MANY: &str = "beyond the number of files that are searched";
const TOO_DEEP: &str = "too deep in the workspace";

/// A walk over folders without links, which may lead back to where they stand.
struct Walk {
    /// Entries that may still be read.
    left: usize,
    /// The paths of the files that are found.
    known: HashSet<PathBuf>,
    found: WorkspaceFiles,
}

impl Walk {
    fn leave_out(&mut self, path: &Path, why: &'static str) {
        self.found.left_out.push(LeftOut { path: path.to_owned(), why });
    }

    fn folder(&mut self, folder: &Path, depth: usize) {
        let entries = fs::read_dir(folder).and_then(|all| all.take(self.left + 1).collect());
        let Ok(mut entries): io::Result<Vec<_>> = entries else {
            return self.leave_out(folder, UNREADABLE);
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            if self.left == 0 || self.found.files.len() >= MAX_WORKSPACE_FILES {
                return self.leave_out(folder, TOO_MANY);
            }
            self.left -= 1;
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                self.leave_out(&path, UNREADABLE);
                continue;
            };
            if kind.is_dir() && !is_hidden {
                match depth < MAX_FOLDER_DEPTH {
                    true => self.folder(&path, depth + 1),
                    false => self.leave_out(&path, TOO_DEEP),
                }
            } else if kind.is_file() && is_query(&path) && self.known.insert(path.clone()) {
                self.file(&path);
            }
        }
    }

    fn file(&mut self, path: &Path) {
        let Ok(data) = fs::metadata(path) else { return self.leave_out(path, UNREADABLE) };
        if data.len() > MAX_FILE as u64 {
            return self.leave_out(path, TOO_LONG);
        }
        let Ok(bytes) = fs::read(path) else { return self.leave_out(path, UNREADABLE) };
        match (String::from_utf8(bytes), Url::from_file_path(path)) {
            (Ok(text), Ok(uri)) => {
                // Editors show, and imports have, the text without a byte-order mark.
                let text = text.trim_start_matches('\u{feff}').to_owned();
                self.found.files.push(WorkspaceFile { uri, text });
            }
            (Err(_), _) => self.leave_out(path, NOT_UTF8),
            (_, Err(())) => self.leave_out(path, UNREADABLE),
        }
    }
}

fn is_query(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(OsStr::new("cql")))
}
