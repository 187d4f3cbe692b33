//! Files: the names of documents, and what queries import.

use std::collections::HashSet;
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
        let folder = dunce::canonicalize(self.query.as_deref()?.parent()?).ok()?;
        let roots = self.workspace.iter().filter_map(|root| dunce::canonicalize(root).ok());
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

    /// The queries of the workspace folder that has the query, those in its own folder first and
    /// the nearest first, then the queries of the search path. Links are not followed, so that no
    /// other folder is listed.
    fn names(&self) -> Vec<String> {
        let own = self.query.as_deref().and_then(|query| dunce::canonicalize(query).ok());
        let mut names = ImportNames {
            own: own.as_deref(),
            found: Vec::new(),
            known: HashSet::new(),
            walk: Walk::new(MAX_IMPORT_ENTRIES),
        };
        if let Some((folder, root)) = self.place_in_workspace() {
            names.add_below(&folder, &folder);
            if root != folder {
                names.add_below(&root, &folder);
            }
        }
        for folder in self.search_path.iter().filter_map(|folder| dunce::canonicalize(folder).ok())
        {
            names.add_below(&folder, &folder);
        }
        names.found
    }
}

/// The names of queries that are found in several folders, with bounds for all together.
struct ImportNames<'q> {
    /// The query that imports them.
    own: Option<&'q Path>,
    found: Vec<String>,
    known: HashSet<String>,
    walk: Walk,
}

impl ImportNames<'_> {
    /// Adds the names by which a query in the folder `from` imports the queries below a folder.
    fn add_below(&mut self, folder: &Path, from: &Path) {
        let ImportNames { own, found, known, walk } = self;
        let mut add = |entry: Entry<'_>| {
            if let Entry::Query(path) = entry
                && Some(path) != *own
                && let Some(name) = import_name(path, from)
                && known.insert(name.clone())
            {
                found.push(name);
            }
            // A list of names may lack some: whoever knows the name can write it.
            if found.len() < MAX_IMPORT_NAMES { Ok(()) } else { Err(()) }
        };
        // The error only ends the walk.
        let _ = walk.folder(folder, &mut add);
    }
}

/// The name by which a query in a folder imports a file, without the `.cql` that may be left out.
/// Both paths are without links. `None` if the path cannot stand in a string of the language: it is
/// not UTF-8, or has quotes or line ends.
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
    if name.contains(|c: char| c.is_control() || c == '"' || c == '\\') {
        return None;
    }
    match name.strip_suffix(".cql") {
        // `a.cql` would first find the file of this name.
        Some(stem) if !stem.to_ascii_lowercase().ends_with(".cql") => Some(stem.to_owned()),
        Some(_) | None => Some(name),
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
    dunce::canonicalize(path_of(uri)?).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn names_can_stand_in_strings_and_are_of_one_file() {
        let name = |file: &str| import_name(Path::new(file), Path::new("/queries"));
        assert_eq!(name("/queries/a.cql").as_deref(), Some("a"));
        assert_eq!(name("/queries/a.cql.cql").as_deref(), Some("a.cql.cql"));
        assert_eq!(name("/queries/a.CQL.cql").as_deref(), Some("a.CQL.cql"));
        for wrong in ["/queries/a\"b.cql", "/queries/a\nb.cql"] {
            assert_eq!(name(wrong), None, "{wrong}");
        }
        // On Windows it is a folder in a folder.
        let backslash = if cfg!(windows) { Some("../a/b/c") } else { None };
        assert_eq!(name("/a\\b/c.cql").as_deref(), backslash);
    }

    #[test]
    fn near_names_come_first_and_not_more_than_a_list_shows() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("a/many")).unwrap();
        for number in 0..2 * MAX_IMPORT_NAMES {
            fs::write(path(&format!("a/many/{number}.cql")), "mate").unwrap();
        }
        fs::write(path("near.cql"), "mate").unwrap();
        let workspace = Arc::new(vec![root.path().to_owned()]);
        let uri = Url::from_file_path(path("new.cql")).unwrap();
        let files = EditorFiles::new(&uri, Vec::new(), &workspace, &Documents::default());
        let names = files.names();
        assert_eq!((names[0].as_str(), names.len()), ("near", MAX_IMPORT_NAMES));
    }

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
