//! Files: the names of documents, and what queries import.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson::imports::{FoundFile, ImportFiles, ImportFolders, library_name};
use lsp_types::Url;

use crate::documents::{Document, Documents};
use crate::library;

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
