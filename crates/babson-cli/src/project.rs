//! The project of a query, `babson.toml`: how the command uses it (`docs/src/projects.md`).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use babson::imports::{FoundFile, ImportFiles, ImportFolders};
use babson_project::Project;

use crate::config::ReadingOptions;
use crate::failure::Failure;
use crate::options::{CommandLine, OptionId};
use crate::show_name::ShowName as _;

/// The project of a folder, unless the command line forbids to look for one.
///
/// # Errors
/// The nearest project file cannot be read, or has mistakes.
pub(crate) fn of_folder(
    folder: &Path,
    reading: &ReadingOptions,
) -> Result<Option<Arc<Project>>, Failure> {
    // With `--secure` only the command line says what is read.
    if reading.secure || reading.no_project {
        return Ok(None);
    }
    Ok(Project::find(folder)?.map(Arc::new))
}

/// Whether and where the project of a query is looked for.
#[derive(Clone, Debug, Default)]
pub(crate) enum ProjectLookup {
    /// In the folder of the query, and above it.
    #[default]
    Find,
    /// It is known.
    Known(Option<Arc<Project>>),
}

impl ProjectLookup {
    /// The project, if it is known and there is one.
    pub(crate) fn known(&self) -> Option<&Project> {
        match self {
            ProjectLookup::Known(project) => project.as_deref(),
            ProjectLookup::Find => None,
        }
    }
}

/// A message for each folder of `imports` that does not exist. It is not an error: a checkout lacks
/// folders without files.
pub(crate) fn missing_imports(project: &Project) -> impl Iterator<Item = String> {
    let missing = project.imports.iter().filter(|folder| !folder.is_dir());
    missing.map(|folder| {
        let (folder, file) = (folder.shown(), project.file.shown());
        format!("{file}: `imports` names {folder}, which is not a folder")
    })
}

/// A message for each database that does not exist. A search says it, too; a check does not open
/// the databases.
pub(crate) fn missing_databases(project: &Project) -> impl Iterator<Item = String> {
    let missing = project
        .databases
        .iter()
        .filter(|database| database.try_exists().is_ok_and(|exists| !exists));
    missing.map(|database| {
        let (database, file) = (database.shown(), project.file.shown());
        format!("{file}: `database` names {database}, which does not exist")
    })
}

/// Checks that the folders of `--import-path` exist, those that the command line itself names.
///
/// # Errors
/// One of them is not a folder.
pub(crate) fn check_import_folders(line: &CommandLine) -> Result<(), Failure> {
    let named = line.options.iter().filter(|one| one.is(OptionId::ImportPath) && !one.is_default);
    for folder in named.flat_map(|option| &option.words).map(Path::new) {
        if !folder.is_dir() {
            let what = if folder.exists() { "is not a folder" } else { "does not exist" };
            return Err(Failure::Usage(format!("--import-path {}: it {what}", folder.shown())));
        }
    }
    Ok(())
}

/// Where a query finds the files that it imports: in the folder of the file that imports them, in
/// the folders of the command line, in the folders of the project, and in the default ones.
///
/// The project file may be from somebody else. So the search remembers the files that are found
/// only through it: their functions may not reach files and programs.
#[derive(Debug)]
pub(crate) struct ImportSearch {
    all: ImportFolders,
    /// The same without the project; `None` if there is none.
    trusted: Option<ImportFolders>,
    /// The keys of the found files: the name of each in messages, and whether the project alone
    /// finds it.
    found: Mutex<HashMap<String, (String, bool)>>,
}

/// The folders of an [`ImportSearch`], in their order.
#[derive(Debug, Default)]
pub(crate) struct SearchedFolders {
    /// The folder of the query.
    pub(crate) own: PathBuf,
    pub(crate) named: Vec<PathBuf>,
    pub(crate) of_project: Vec<PathBuf>,
    pub(crate) default: Vec<PathBuf>,
}

impl ImportSearch {
    /// `is_bounded` is for queries of strangers, as in [`ImportFolders::bounded`].
    pub(crate) fn new(folders: SearchedFolders, is_bounded: bool) -> ImportSearch {
        let SearchedFolders { own, named, of_project, default } = folders;
        let search =
            |path: Vec<PathBuf>| ImportFolders::new(Some(own.clone()), path).bounded(is_bounded);
        let without = [named.as_slice(), &default].concat();
        let trusted = (!of_project.is_empty()).then(|| search(without));
        let all = search([named, of_project, default].concat());
        ImportSearch { all, trusted, found: Mutex::default() }
    }

    /// The names of the files that the project alone finds.
    pub(crate) fn names_of_project(&self) -> Vec<String> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let of_project = found.values().filter(|(_, of_project)| *of_project);
        of_project.map(|(name, _)| name.clone()).collect()
    }
}

impl ImportFiles for ImportSearch {
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        let found = self.all.find(name, from)?;
        let (Some(file), Some(trusted)) = (&found, &self.trusted) else { return Ok(found) };
        let mut known = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        // A file beside one that only the project finds is found only through it, too.
        let from = from.filter(|key| !known.get(*key).is_some_and(|(_, of_project)| *of_project));
        let is_same = |other: Option<FoundFile>| other.is_some_and(|other| other.key == file.key);
        let of_project = !trusted.find(name, from).is_ok_and(is_same);
        let entry = known.entry(file.key.clone()).or_insert_with(|| (file.name.clone(), true));
        entry.1 &= of_project;
        Ok(found)
    }

    fn names(&self) -> Vec<String> {
        self.all.names()
    }

    fn searched(&self, from: Option<&str>) -> Vec<String> {
        self.all.searched(from)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_that_only_the_project_finds_are_known() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["q", "named", "lib", "default"] {
            fs::create_dir(path(folder)).unwrap();
        }
        for file in ["q/a", "named/b", "lib/a", "lib/b", "lib/c", "lib/d", "default/d", "default/e"]
        {
            fs::write(path(file).with_extension("cql"), file).unwrap();
        }
        let search = ImportSearch::new(
            SearchedFolders {
                own: path("q"),
                named: vec![path("named")],
                of_project: vec![path("lib")],
                default: vec![path("default")],
            },
            false,
        );
        let find = |name: &str, from: Option<&FoundFile>| {
            search.find(name, from.map(|file| file.key.as_str())).unwrap().unwrap()
        };
        let of_project = || {
            let mut names = search.names_of_project();
            names.sort();
            let name = |name: &String| Path::new(name).file_name().unwrap().to_owned();
            names.iter().map(name).collect::<Vec<_>>()
        };
        let texts = ["a", "b", "e"].map(|name| find(name, None).text);
        assert_eq!(texts, ["q/a", "named/b", "default/e"]);
        assert!(of_project().is_empty());
        let c = find("c", None);
        assert_eq!(c.text, "lib/c");
        // Before the default folders; so a project can replace a file of them.
        assert_eq!(find("d", None).text, "lib/d");
        // Beside a file of the project.
        assert_eq!(find("a", Some(&c)).text, "lib/a");
        assert_eq!(of_project(), ["a.cql", "c.cql", "d.cql"]);
        // What the query names itself is not of the project.
        assert_eq!(find("../lib/a", None).text, "lib/a");
        assert_eq!(of_project(), ["c.cql", "d.cql"]);
        assert_eq!(find("../q/a", Some(&c)).text, "q/a");
        assert_eq!(of_project().len(), 2, "the query finds it, too");
    }
}
