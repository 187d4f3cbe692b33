//! Files: the names of documents, what queries import, and the queries of the workspace.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use babson::imports::{FoundFile, ImportFiles, ImportFolders};
use lsp_types::Url;

use crate::documents::Documents;
use crate::library;
use crate::limits::{MAX_FILE, MAX_FOLDER_DEPTH, MAX_FOLDER_ENTRIES, MAX_WORKSPACE_FILES};

/// The path of a document, if it is a file.
pub(crate) fn path_of(uri: &Url) -> Option<PathBuf> {
    if uri.scheme() == "file" { uri.to_file_path().ok() } else { None }
}

/// The document of a file that a query imports, by its key. A file of the library is written to the
/// user's cache, so that every editor can show it.
pub(crate) fn uri_of(key: &str) -> Option<Url> {
    match key.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
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
        let is_it = |uri: &Url| {
            let path = path_of(uri);
            path.is_some_and(|path| {
                path == Path::new(&found.key)
                    || path.file_name() == Path::new(&found.key).file_name()
                        && path.canonicalize().is_ok_and(|path| path == Path::new(&found.key))
            })
        };
        if let Some((_, open)) = self.documents.iter().find(|(uri, _)| is_it(uri)) {
            found.text.clone_from(&open.text);
        }
        Ok(Some(found))
    }
}

/// A query of the workspace.
pub(crate) struct WorkspaceFile {
    pub(crate) uri: Url,
    pub(crate) text: String,
}

/// The queries of the folders: the open documents, and the files whose names end in `.cql`. Hidden
/// folders are left out, and so are files and folders beyond the limits.
pub(crate) fn workspace_files(folders: &[PathBuf], documents: &Documents) -> Vec<WorkspaceFile> {
    let mut found: Vec<WorkspaceFile> = documents
        .iter()
        .map(|(uri, document)| WorkspaceFile { uri: uri.clone(), text: document.text.clone() })
        .collect();
    found.sort_by(|one, other| one.uri.cmp(&other.uri));
    let mut left = MAX_FOLDER_ENTRIES;
    for folder in folders {
        collect(folder, 0, &mut left, documents, &mut found);
    }
    found
}

fn collect(
    folder: &Path,
    depth: usize,
    left: &mut usize,
    documents: &Documents,
    found: &mut Vec<WorkspaceFile>,
) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().take(*left).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if *left == 0 || found.len() >= MAX_WORKSPACE_FILES {
            return;
        }
        *left -= 1;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        // A link may lead back to where it stands.
        if kind.is_dir() && !is_hidden && depth < MAX_FOLDER_DEPTH {
            collect(&path, depth + 1, left, documents, found);
        } else if kind.is_file()
            && path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(OsStr::new("cql")))
            && let Ok(uri) = Url::from_file_path(&path)
            && documents.get(&uri).is_none()
            && entry.metadata().is_ok_and(|data| data.len() <= MAX_FILE as u64)
            && let Ok(text) = fs::read_to_string(&path)
        {
            found.push(WorkspaceFile { uri, text });
        }
    }
}
