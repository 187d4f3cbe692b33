//! Files: the names of documents, and what queries import.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use babson::imports::{FoundFile, ImportFiles, ImportFolders, library_name};
use lsp_types::Url;

use crate::documents::{Document, Documents};
use crate::library;
use crate::limits::{MAX_IMPORT_ENTRIES, MAX_IMPORT_NAMES};
use crate::walk::{Entry, Walk};

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
    /// The path of the query, if it is a file.
    query: Option<PathBuf>,
    search_path: Vec<PathBuf>,
    folders: ImportFolders,
    /// The folders of the workspace.
    workspace: Arc<Vec<PathBuf>>,
    documents: Documents,
}

impl EditorFiles {
    pub(crate) fn new(
        uri: &Url,
        search_path: Vec<PathBuf>,
        workspace: &Arc<Vec<PathBuf>>,
        documents: &Documents,
    ) -> EditorFiles {
        let query = path_of(uri);
        let folder = query.as_deref().and_then(Path::parent).map(Path::to_owned);
        EditorFiles {
            query,
            folders: ImportFolders::new(folder, search_path.clone()),
            search_path,
            workspace: Arc::clone(workspace),
            documents: documents.clone(),
        }
    }

    /// The folder of the query without links, if it is in the workspace, and the folder of the
    /// workspace that has it.
    fn place_in_workspace(&self) -> Option<(PathBuf, PathBuf)> {
        let folder = self.query.as_deref()?.parent()?.canonicalize().ok()?;
        let roots = self.workspace.iter().filter_map(|root| root.canonicalize().ok());
        let root = roots
            .filter(|root| folder.starts_with(root))
            .max_by_key(|root| root.as_os_str().len())?;
        Some((folder, root))
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

    /// The queries of the workspace, those in the folder of the query first, then the queries of
    /// the search path. Links are not followed, so that no other folder is listed.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |found: Vec<String>| {
            for name in found {
                if names.len() < MAX_IMPORT_NAMES && !names.contains(&name) {
                    names.push(name);
                }
            }
        };
        let own = self.query.as_deref().and_then(|query| query.canonicalize().ok());
        if let Some((folder, root)) = self.place_in_workspace() {
            add(queries_below(&folder, &folder, own.as_deref()));
            if root != folder {
                add(queries_below(&root, &folder, own.as_deref()));
            }
        }
        for folder in self.search_path.iter().filter_map(|folder| folder.canonicalize().ok()) {
            add(queries_below(&folder, &folder, own.as_deref()));
        }
        names
    }
}

/// The names by which a query in the folder `from` imports the queries below a folder, the nearest
/// first.
fn queries_below(folder: &Path, from: &Path, own: Option<&Path>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut walk = Walk::new(MAX_IMPORT_ENTRIES);
    // A list of names may lack some: whoever knows the name can write it.
    let _ = walk.folder(folder, &mut |entry| {
        if let Entry::Query(path) = entry
            && Some(path) != own
        {
            names.extend(import_name(path, from));
        }
        Ok::<(), ()>(())
    });
    names.sort_by_cached_key(|name| (name.matches('/').count(), name.clone()));
    names
}

/// The name by which a query in a folder imports a file, without the `.cql` that may be left out.
/// Both paths are without links. `None` if the path is not UTF-8.
fn import_name(file: &Path, from: &Path) -> Option<String> {
    let common = file.components().zip(from.components()).take_while(|(one, other)| one == other);
    let common = common.count();
    let up = from.components().count() - common;
    let mut parts = vec![".."; up];
    for part in file.components().skip(common) {
        let Component::Normal(part) = part else { return None };
        parts.push(part.to_str()?);
    }
    let name = parts.join("/");
    Some(name.strip_suffix(".cql").map_or(name.clone(), str::to_owned))
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_names_of_files_lead_to_them() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["work/queries/sub", "work/.hidden", "lib", "other"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        for file in [
            "work/queries/own.cql",
            "work/queries/near.cql",
            "work/queries/OLD.CQL",
            "work/queries/notes.txt",
            "work/queries/sub/far.cql",
            "work/top.cql",
            "work/.hidden/not.cql",
            "lib/shared.cql",
            "lib/near.cql",
            "other/not.cql",
        ] {
            fs::write(path(file), format!("// {file}\n")).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(path("other"), path("work/queries/link")).unwrap();
        let workspace = Arc::new(vec![path("work")]);
        let documents = Documents::default();
        let files = |name: &str| {
            let uri = Url::from_file_path(path(name)).unwrap();
            EditorFiles::new(&uri, vec![path("lib")], &workspace, &documents)
        };
        let near = files("work/queries/own.cql");
        let names = near.names();
        assert_eq!(names, ["OLD.CQL", "near", "sub/far", "../top", "shared"]);
        for name in &names {
            let found = near.find(name, None).unwrap().expect(name);
            let written = name.trim_start_matches("../");
            assert!(found.text.contains(written), "{name}: {}", found.text);
        }
        // The folder of a query outside of the workspace is not listed.
        assert_eq!(files("other/new.cql").names(), ["near", "shared"]);
        let untitled = Url::parse("untitled:query.cql").unwrap();
        let files = EditorFiles::new(&untitled, Vec::new(), &workspace, &documents);
        assert_eq!(files.names(), [""; 0]);
    }
}
