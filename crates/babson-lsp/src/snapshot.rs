//! What a request is answered from: the state of the server at one moment.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson::{Dialect, Span};
use babson_ide::{Options, WordBook};
use lsp_types::{Position, Range, Url};

use crate::client::Client;
use crate::database_tags::{DatabaseTags, TagValues};
use crate::documents::{Document, Documents};
use crate::failure::Failure;
use crate::files::EditorFiles;
use crate::projects::Projects;
use crate::run_result::RunResult;
use crate::settings::Settings;

/// The state of the server, which never changes: a change makes another one. A copy is cheap.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) documents: Documents,
    /// What the client has set: it counts more than the project of a document.
    pub(crate) settings: Arc<Settings>,
    pub(crate) projects: Projects,
    pub(crate) tags: DatabaseTags,
    pub(crate) client: Arc<Client>,
    pub(crate) folders: Arc<Vec<PathBuf>>,
    /// The latest search of each document.
    pub(crate) runs: Arc<HashMap<Url, Arc<RunResult>>>,
    /// The entries of the book, which are read once.
    pub(crate) book: WordBook,
}

impl Snapshot {
    /// The open document of this name.
    pub(crate) fn document<'s>(&'s self, uri: &'s Url) -> Result<OpenDocument<'s>, Failure> {
        let missing = || Failure::Params(format!("the document {uri} is not open"));
        let document = self.documents.get(uri).ok_or_else(missing)?;
        Ok(OpenDocument { snapshot: self, uri, document })
    }

    /// What is known besides the text of a document.
    pub(crate) fn options(&self, uri: &Url, text: &str) -> Options {
        let mut options = Options::default();
        let declared = babson::text::declared_dialect(text).ok().flatten();
        options.dialect = declared.or(self.dialect(uri));
        options.imports = Arc::new(self.files(uri));
        options.book = Some(self.settings.book.clone());
        options.words = Some(self.book.clone());
        options
    }

    /// The dialect of a query that names none.
    pub(crate) fn dialect(&self, uri: &Url) -> Option<Dialect> {
        self.settings.dialect.or_else(|| self.projects.of(uri)?.dialect)
    }

    /// The databases that the settings name, otherwise those that the project of a document names.
    pub(crate) fn databases(&self, uri: &Url) -> Vec<PathBuf> {
        if !self.settings.databases.is_empty() {
            return self.settings.databases.clone();
        }
        self.projects.of(uri).map_or_else(Vec::new, |project| project.databases.clone())
    }

    /// The databases whose tags are read unasked. To open a query of a stranger must not read files
    /// that the user has not named: no header counts, and a project beside the query only names
    /// databases in the folders of the workspace, links resolved.
    pub(crate) fn databases_with_tags(&self, uri: &Url) -> Vec<PathBuf> {
        let mut databases = self.databases(uri);
        if self.settings.databases.is_empty() && !databases.is_empty() {
            let folders: Vec<PathBuf> =
                self.folders.iter().filter_map(|folder| dunce::canonicalize(folder).ok()).collect();
            databases.retain(|database| {
                let real = dunce::canonicalize(database);
                real.is_ok_and(|real| folders.iter().any(|folder| real.starts_with(folder)))
            });
        }
        databases
    }

    /// The tags of the databases of a document, as far as they are read.
    pub(crate) fn tags(&self, uri: &Url) -> Arc<TagValues> {
        self.tags.of(&self.databases_with_tags(uri))
    }

    /// What finds the files that a document imports.
    pub(crate) fn files(&self, uri: &Url) -> EditorFiles {
        let mut folders = self.settings.import_folders.clone();
        if let Some(project) = self.projects.of(uri) {
            folders.extend_from_slice(&project.imports);
        }
        EditorFiles::new(uri, folders, &self.folders, &self.documents)
    }

    /// The path that messages show for a file: within the workspace without its folder.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let inside = self.folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
        inside.unwrap_or(path).display().to_string()
    }
}

/// The open document that a request is about. Positions are in the units of the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenDocument<'s> {
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) uri: &'s Url,
    pub(crate) document: &'s Document,
}

impl<'s> OpenDocument<'s> {
    pub(crate) fn text(self) -> &'s str {
        &self.document.text
    }

    /// What is known besides the text.
    pub(crate) fn options(self) -> Options {
        self.snapshot.options(self.uri, self.text())
    }

    pub(crate) fn offset(self, position: Position) -> usize {
        self.document.offset(position, self.snapshot.client.encoding)
    }

    pub(crate) fn position(self, offset: u32) -> Position {
        self.document.position(offset, self.snapshot.client.encoding)
    }

    pub(crate) fn range(self, span: Span) -> Range {
        self.document.range(span, self.snapshot.client.encoding)
    }

    pub(crate) fn span(self, range: Range) -> Span {
        self.document.span(range, self.snapshot.client.encoding)
    }
}

#[cfg(test)]
impl Snapshot {
    /// A workspace of these folders, without open documents.
    pub(crate) fn of_folders(folders: Vec<PathBuf>) -> Snapshot {
        Snapshot {
            documents: Documents::default(),
            settings: Arc::new(Settings::default()),
            projects: Projects::default(),
            tags: DatabaseTags::default(),
            client: Arc::new(Client::default()),
            folders: Arc::new(folders),
            runs: Arc::new(HashMap::new()),
            book: WordBook::read(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The databases whose tags are read for the query in a folder, without the folder of the test.
    fn read(root: &Path, workspace: &str, folder: &str, settings: Settings) -> Vec<String> {
        let mut snapshot = Snapshot::of_folders(vec![root.join(workspace)]);
        snapshot.settings = Arc::new(settings);
        let uri = Url::from_file_path(root.join(folder).join("new.cql")).unwrap();
        let found = snapshot.databases_with_tags(&uri).into_iter();
        let inside = |path: PathBuf| path.strip_prefix(root).unwrap().display().to_string();
        let names = found.map(|path| inside(dunce::canonicalize(path).unwrap()));
        names.map(|name| name.replace(std::path::MAIN_SEPARATOR, "/")).collect()
    }

    #[test]
    fn tags_are_read_of_what_the_user_has_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
        for (name, text) in [
            ("work/games.pgn", ""),
            ("secret.pgn", ""),
            ("work/mine/babson.toml", "database = \"../games.pgn\"\n"),
            ("work/other/babson.toml", "database = \"../../secret.pgn\"\n"),
            ("work/link/babson.toml", "database = \"../link.pgn\"\n"),
            ("mail/babson.toml", "database = \"../secret.pgn\"\n"),
        ] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), text).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.join("secret.pgn"), root.join("work/link.pgn")).unwrap();
        let of = |folder| read(&root, "work", folder, Settings::default());
        assert_eq!(of("work/mine"), ["work/games.pgn"]);
        for folder in ["work/other", "work/link", "work", "mail"] {
            assert_eq!(of(folder), [""; 0], "{folder}");
        }
        // The user has named it.
        let settings = Settings { databases: vec![root.join("secret.pgn")], ..Settings::default() };
        assert_eq!(read(&root, "work", "work/mine", settings), ["secret.pgn"]);
    }

    #[test]
    fn headers_name_no_databases_of_tags() {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
        fs::write(root.join("games.pgn"), "[Secret \"x\"]\n\n1. e4 *\n").unwrap();
        let uri = Url::from_file_path(root.join("new.cql")).unwrap();
        let mut snapshot = Snapshot::of_folders(vec![root]);
        let text = "cql(input games.pgn) tag \"".to_owned();
        snapshot.documents.insert(uri.clone(), Document::new(1, text));
        assert!(snapshot.databases_with_tags(&uri).is_empty());
        assert!(snapshot.tags(&uri).is_empty());
    }
}
