//! The projects of the documents: what `babson.toml` says in the folder of a document, or above it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use babson_project::{Project, ProjectError};
use lsp_types::Url;

use crate::files::path_of;

/// The project of a folder, or what is wrong with its file.
type Found = Result<Option<Arc<Project>>, Arc<ProjectError>>;

/// The projects of some folders. Each is looked for once: after a change of a file of a project
/// others are made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projects(Arc<Mutex<HashMap<PathBuf, Found>>>);

impl Projects {
    /// The project of a document. A document that is not a file has none.
    ///
    /// # Errors
    /// Its file cannot be read, or has mistakes.
    pub(crate) fn find(&self, uri: &Url) -> Found {
        let path = path_of(uri);
        let Some(folder) = path.as_deref().and_then(Path::parent) else { return Ok(None) };
        // A thread that panicked has left a whole map.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.entry(folder.to_owned());
        found
            .or_insert_with_key(|folder| match Project::find(folder) {
                Ok(project) => Ok(project.map(Arc::new)),
                Err(error) => Err(Arc::new(error)),
            })
            .clone()
    }

    /// The project of a document; `None` too if its file has mistakes.
    pub(crate) fn of(&self, uri: &Url) -> Option<Arc<Project>> {
        self.find(uri).ok().flatten()
    }
}
