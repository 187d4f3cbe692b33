//! What the part of a slice tells `babson merge`: the options and the texts of the queries.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use babson::Dialect;
use babson_project::Project;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::options::{OptionId, ParsedOption};
use crate::project::ProjectLookup;
use crate::query::QueryFile;

/// The options and queries of `babson scan`, stored as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PartNote {
    options: Vec<StoredOption>,
    queries: Vec<StoredQuery>,
    /// Whether the outputs go to a folder.
    several: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredOption {
    written: String,
    words: Vec<StoredName>,
    is_default: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredQuery {
    path: Option<StoredName>,
    /// Its text, or why it cannot be read.
    text: Result<Vec<u8>, String>,
    /// Its project, as it is when the slice is searched.
    project: Option<StoredProject>,
}

/// What the project of a query says of its reading. The parts may be merged on another machine.
#[derive(Debug, Serialize, Deserialize)]
struct StoredProject {
    file: StoredName,
    dialect: Option<String>,
    imports: Vec<StoredName>,
}

impl StoredProject {
    fn new(project: &Project) -> StoredProject {
        let name = |path: &PathBuf| path.clone().into_os_string().into();
        StoredProject {
            file: name(&project.file),
            dialect: project.dialect.map(|dialect| dialect.name().to_owned()),
            imports: project.imports.iter().map(name).collect(),
        }
    }

    fn project(self) -> Project {
        let path = |name: StoredName| PathBuf::from(OsString::from(name));
        let mut project = Project::without_settings(path(self.file));
        project.dialect = self.dialect.as_deref().and_then(Dialect::named);
        project.imports = self.imports.into_iter().map(path).collect();
        project
    }
}

/// The name of a file. Only a name that is not UTF-8 is stored in the form of the system.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum StoredName {
    Text(String),
    System(OsString),
}

impl From<OsString> for StoredName {
    fn from(name: OsString) -> StoredName {
        name.into_string().map_or_else(StoredName::System, StoredName::Text)
    }
}

impl From<StoredName> for OsString {
    fn from(name: StoredName) -> OsString {
        match name {
            StoredName::Text(name) => name.into(),
            StoredName::System(name) => name,
        }
    }
}

impl PartNote {
    /// Notes the queries, whose texts and projects are loaded, and the options, except `--slice`
    /// and the name of the part.
    pub(crate) fn new(options: &[ParsedOption], queries: &[QueryFile], several: bool) -> PartNote {
        let own = |option: &&ParsedOption| {
            !option.is(OptionId::Slice) && !option.is(OptionId::PartOutput)
        };
        let options = options.iter().filter(own).map(|option| StoredOption {
            written: option.written.clone(),
            words: option.words.iter().cloned().map(StoredName::from).collect(),
            is_default: option.is_default,
        });
        let queries = queries.iter().map(|query| StoredQuery {
            path: query.path.clone().map(|path| path.into_os_string().into()),
            text: query.text.clone().unwrap_or(Ok(Vec::new())),
            project: match &query.project {
                ProjectLookup::Known(Some(project)) => Some(StoredProject::new(project)),
                ProjectLookup::Known(None) | ProjectLookup::Find => None,
            },
        });
        PartNote { options: options.collect(), queries: queries.collect(), several }
    }

    /// The note as text.
    pub(crate) fn text(&self) -> Result<String, Failure> {
        serde_json::to_string(self).map_err(|error| Failure::Io(error.to_string()))
    }

    /// The options and queries of the part of this name, and whether outputs go to a folder.
    pub(crate) fn read(
        text: &str,
        name: &str,
    ) -> Result<(Vec<ParsedOption>, Vec<QueryFile>, bool), Failure> {
        let wrong =
            || Failure::Io(format!("{name}: it was not written by `babson scan` of this version"));
        let note: PartNote = serde_json::from_str(text).map_err(|_| wrong())?;
        let mut options = Vec::new();
        for StoredOption { written, words, is_default } in note.options {
            let words = words.into_iter().map(OsString::from);
            let mut option = ParsedOption::of_scan(&written, words).ok_or_else(wrong)?;
            option.is_default = is_default;
            options.push(option);
        }
        let queries = note.queries.into_iter().map(|stored| QueryFile {
            text: stored.path.is_some().then_some(stored.text),
            path: stored.path.map(|path| OsString::from(path).into()),
            project: ProjectLookup::Known(stored.project.map(|one| Arc::new(one.project()))),
            ..QueryFile::default()
        });
        Ok((options, queries.collect(), note.several))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_stored_project_is_read_back() {
        let text = "dialect = 'cql6'\nimports = ['lib']\ndatabase = 'a.pgn'";
        let mut project = Project::of_text(Path::new("q/babson.toml"), text).unwrap();
        let stored = serde_json::to_string(&StoredProject::new(&project)).unwrap();
        let read: StoredProject = serde_json::from_str(&stored).unwrap();
        // Slices name their inputs themselves.
        project.databases.clear();
        assert_eq!(read.project(), project);
    }
}
