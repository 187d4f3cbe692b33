//! The files of `import`, found in folders (`docs/src/language/library.md#import`).

use std::fs::File;
use std::path::{Component, Path, PathBuf};

use babson_lang::imports::{FoundFile, ImportFiles, library_text};
use babson_lang::limits::MAX_IMPORTED_BYTES;

use crate::limits::MAX_LISTED_FILES;
use crate::{begins_as_utf16, read_up_to};

/// Finds imported files: in the folder of the file that imports them, then in the folders of a
/// search path. Only files whose names end in `.cql` are read; `.cql` may be left out.
///
/// ```no_run
/// use babson_engine::ImportFolders;
/// use babson_lang::imports::ImportFiles;
///
/// let folders = ImportFolders::new(Some("queries".into()), vec!["lib".into()]);
/// let found = folders.find("pawns", None).unwrap();
/// assert_eq!(found.unwrap().name, "queries/pawns.cql");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ImportFolders {
    /// The folder of the query, if it has one.
    query: Option<PathBuf>,
    search_path: Vec<PathBuf>,
    is_bounded: bool,
}

impl ImportFolders {
    /// The folder of the query and the search path. A query that is not of a file has no folder.
    pub fn new(query: Option<PathBuf>, search_path: Vec<PathBuf>) -> ImportFolders {
        ImportFolders { query, search_path, is_bounded: false }
    }

    /// Reads only files in the folders of the search path, for queries of strangers. The folder of
    /// the query is not searched; absolute paths, `..`, and links that lead out of the folders are
    /// refused.
    pub fn bounded(mut self, is_bounded: bool) -> ImportFolders {
        self.is_bounded = is_bounded;
        self
    }

    /// Whether a file is in one of the folders of the search path, links resolved.
    fn is_inside(&self, file: &Path) -> bool {
        self.search_path
            .iter()
            .filter_map(|folder| dunce::canonicalize(shown_folder(folder)).ok())
            .any(|folder| file.starts_with(folder))
    }

    /// The folders in which a file is looked for that the query imports, or the file with this key.
    fn folders<'f>(&'f self, from: Option<&'f str>) -> impl Iterator<Item = &'f Path> {
        let own = match from {
            Some(key) => Path::new(key).parent(),
            // Somebody else wrote the query, and perhaps put files beside it.
            None if self.is_bounded => None,
            None => self.query.as_deref(),
        };
        own.into_iter().chain(self.search_path.iter().map(PathBuf::as_path))
    }

    fn read(&self, path: &Path) -> Result<FoundFile, String> {
        let shown = path.display();
        let fail = |error: std::io::Error| format!("cannot read {shown}: {error}");
        // The key is shown, and split into folders: not in the form `\\?\` of Windows.
        let real = dunce::canonicalize(path).map_err(fail)?;
        if self.is_bounded && !self.is_inside(&real) {
            return Err(format!(
                "{shown} is outside of the folders of the search path: it is forbidden"
            ));
        }
        let Some(key) = real.to_str() else {
            return Err(format!("cannot read {shown}: its path is not UTF-8"));
        };
        let bytes = File::open(&real)
            .and_then(|file| read_up_to(file, MAX_IMPORTED_BYTES))
            .map_err(fail)?;
        if begins_as_utf16(&bytes) {
            return Err(format!("{shown} is in UTF-16; save it as UTF-8"));
        }
        let text = String::from_utf8(bytes).map_err(|_| format!("{shown} is not UTF-8"))?;
        let text = text.trim_start_matches('\u{feff}').to_owned();
        Ok(FoundFile::new(key, shown.to_string(), text))
    }
}

/// Whether a file has the name of a query. Any other file may hold what its reader must not see,
/// and an error would show it.
fn is_query_file(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cql"))
}

/// The folder of a path without one is the current folder.
fn shown_folder(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

impl ImportFiles for ImportFolders {
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        let path = Path::new(name);
        if name.is_empty() {
            return Err("`import` needs the name of a file".to_owned());
        }
        let leaves =
            |part: Component<'_>| !matches!(part, Component::Normal(_) | Component::CurDir);
        if self.is_bounded && path.components().any(leaves) {
            let why = "an absolute path and `..` are forbidden";
            return Err(format!("`{name}` cannot be imported: {why}"));
        }
        let mut other = None;
        for folder in self.folders(from) {
            let plain = folder.join(path);
            let mut extended = plain.clone().into_os_string();
            extended.push(".cql");
            for file in [plain, PathBuf::from(extended)] {
                if file.is_file() && is_query_file(&file) {
                    return self.read(&file).map(Some);
                }
                other = other.or(file.is_file().then_some(file));
            }
        }
        match other {
            Some(file) => {
                let shown = file.display();
                Err(format!("{shown} cannot be imported: only files that end in .cql are"))
            }
            None if self.is_bounded && library_text(name).is_none() => Err(format!(
                "`{name}` cannot be imported: it is neither in the built-in library nor in a \
                 folder of the search path, and others are forbidden"
            )),
            None => Ok(None),
        }
    }

    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for folder in self.folders(None) {
            let entries = std::fs::read_dir(shown_folder(folder)).into_iter().flatten().flatten();
            let files = entries.map(|entry| entry.path()).filter(|path| is_query_file(path));
            let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
            let mut found: Vec<String> = files.take(MAX_LISTED_FILES).filter_map(stem).collect();
            found.sort();
            names.extend(found);
        }
        names
    }

    fn searched(&self, from: Option<&str>) -> Vec<String> {
        let current = std::env::current_dir().ok();
        let name = |folder: &Path| {
            let inside = current.as_ref().and_then(|current| folder.strip_prefix(current).ok());
            let shown = shown_folder(inside.unwrap_or(folder)).display();
            match folder.as_os_str().is_empty() || folder.is_dir() {
                true => format!("`{shown}`"),
                false => format!("`{shown}` (which does not exist)"),
            }
        };
        self.folders(from).map(name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(found: Result<Option<FoundFile>, String>) -> String {
        match found {
            Ok(Some(found)) => found.text,
            Ok(None) => "nothing".to_owned(),
            Err(why) => why,
        }
    }

    #[test]
    fn folders_are_searched_in_order() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["q", "lib", "q/sub", "out"] {
            std::fs::create_dir(path(folder)).unwrap();
        }
        for (file, text) in [
            ("q/a.cql", "q"),
            ("lib/a.cql", "lib"),
            ("lib/b.cql", "b"),
            ("q/sub/c.cql", "c"),
            ("out/d.cql", "d"),
        ] {
            std::fs::write(path(file), text).unwrap();
        }
        let folders = ImportFolders::new(Some(path("q")), vec![path("lib")]);
        let find = |name| folders.find(name, None);
        assert_eq!(name(find("a")), "q");
        assert_eq!(name(find("a.cql")), "q");
        assert_eq!(name(find("b")), "b");
        assert_eq!(name(find("sub/c")), "c");
        assert_eq!(name(find("../out/d")), "d");
        assert_eq!(name(find("d")), "nothing");
        assert_eq!(name(find("sub")), "nothing");
        let from = path("q/sub/c.cql").canonicalize().unwrap();
        let from = from.to_str().unwrap();
        assert_eq!(name(folders.find("../a", Some(from))), "q");
        // The same file has one key.
        assert_eq!(find("a").unwrap().unwrap().key, find("sub/../a").unwrap().unwrap().key);
        let bounded = folders.clone().bounded(true);
        assert_eq!(name(bounded.find("b", None)), "b");
        assert_eq!(name(bounded.find("a", None)), "lib");
        let from = path("lib/b.cql").canonicalize().unwrap();
        assert_eq!(name(bounded.find("a", from.to_str())), "lib");
        assert_eq!(name(bounded.find("motifs", None)), "nothing");
        // The folder of the query is not searched.
        for wrong in ["sub/c", "sub/c.cql", "d"] {
            assert!(name(bounded.find(wrong, None)).contains("forbidden"), "{wrong}");
        }
        let absolute = path("q/a.cql");
        for wrong in ["../out/d", "sub/../a", absolute.to_str().unwrap()] {
            assert!(name(bounded.find(wrong, None)).contains("forbidden"), "{wrong}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("out/d.cql"), path("lib/link.cql")).unwrap();
            assert_eq!(name(find("link")), "d");
            assert!(name(bounded.find("link", None)).contains("outside"));
        }
    }

    #[test]
    fn files_that_cannot_be_imported() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("bytes.cql"), b"\xff").unwrap();
        let folders = ImportFolders::new(Some(root.path().to_owned()), Vec::new());
        assert!(name(folders.find("bytes", None)).contains("not UTF-8"));
        std::fs::write(root.path().join("wide.cql"), b"\xff\xfem\0").unwrap();
        assert!(name(folders.find("wide", None)).contains("is in UTF-16"));
        // Only queries are read: an error would show the text of another file.
        for file in ["secret.txt", "secret", "cql", "dir.cql.bak"] {
            std::fs::write(root.path().join(file), "hidden").unwrap();
            let told = name(folders.find(file, None));
            assert!(told.contains("only files that end in .cql"), "{file}: {told}");
        }
        std::fs::write(root.path().join("secret.CQL"), "shown").unwrap();
        assert_eq!(name(folders.find("secret.CQL", None)), "shown");
        assert!(name(folders.find("", None)).contains("needs the name"));
        assert_eq!(name(ImportFolders::default().find("bytes", None)), "nothing");
    }
}
