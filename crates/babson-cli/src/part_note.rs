//! What the part of a slice tells `babson merge`: the options and the texts of the queries.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::options::{OptionId, ParsedOption};
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
    /// Notes the queries, whose texts are loaded, and the options, except `--slice` and the name of
    /// the part.
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
            ..QueryFile::default()
        });
        Ok((options, queries.collect(), note.several))
    }
}
