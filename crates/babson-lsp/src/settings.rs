//! The settings: one place where the options of the client and its configuration come together.

use std::path::{Path, PathBuf};

use babson::Dialect;
use serde::Deserialize;
use serde_json::Value;

use crate::limits::DEFAULT_MATCHES;

/// What the user has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The databases that `babson.run` searches; if there is none, the input of the query.
    pub(crate) databases: Vec<PathBuf>,
    /// The dialect of queries that name none.
    pub(crate) dialect: Option<Dialect>,
    /// Folders in which imported files are searched.
    pub(crate) import_folders: Vec<PathBuf>,
    /// Where the book is read.
    pub(crate) book: Option<String>,
    /// The number of matches in an answer of `babson.run`.
    pub(crate) limit: usize,
    pub(crate) hints: HintSettings,
}

/// Which inlay hints are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HintSettings {
    pub(crate) types: bool,
    pub(crate) iteration: bool,
    pub(crate) and: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            databases: Vec::new(),
            dialect: None,
            import_folders: Vec::new(),
            book: None,
            limit: DEFAULT_MATCHES,
            hints: HintSettings { types: true, iteration: true, and: true },
        }
    }
}

/// A list, or its only element.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    fn list(self) -> Vec<String> {
        match self {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many,
        }
    }
}

impl Settings {
    /// The settings of several objects, the later ones first in case of doubt, and what is wrong in
    /// them. Paths are relative to the folder. Keys that are not settings are left to the client.
    pub(crate) fn join(layers: &[&Value], folder: Option<&Path>) -> (Settings, Vec<String>) {
        let (mut settings, mut complaints) = (Settings::default(), Vec::new());
        for layer in layers {
            let Some(object) = layer.as_object() else { continue };
            for (name, value) in object.iter().filter(|(_, value)| !value.is_null()) {
                if let Err(why) = settings.set(name, value, folder) {
                    complaints.push(format!("the setting `babson.{name}`: {why}"));
                }
            }
        }
        (settings, complaints)
    }

    fn set(&mut self, name: &str, value: &Value, folder: Option<&Path>) -> Result<(), String> {
        let paths = |value: &Value| -> Result<Vec<PathBuf>, String> {
            let names = read::<OneOrMany>(value, "a path or a list of paths")?.list();
            let names = names.into_iter().filter(|name| !name.is_empty());
            Ok(names.map(|name| absolute(&name, folder)).collect())
        };
        match name {
            "database" => self.databases = paths(value)?,
            "importPath" => self.import_folders = paths(value)?,
            "dialect" => {
                let name: String = read(value, "the name of a dialect")?;
                self.dialect = match name.as_str() {
                    "" => None,
                    name => Some(Dialect::named(name).ok_or_else(|| {
                        format!("`{name}` is not a dialect: write `cqli` or `cql6`")
                    })?),
                };
            }
            "book" => {
                let book: String = read(value, "the address of the book")?;
                let book = book.trim_end_matches('/').to_owned();
                self.book = Some(book).filter(|book| !book.is_empty());
            }
            "limit" => self.limit = read(value, "a number of matches")?,
            "inlayHints" => {
                let object = value.as_object().ok_or("write an object of `true` and `false`")?;
                for (name, value) in object {
                    let on: bool = read(value, "`true` or `false`")?;
                    match name.as_str() {
                        "types" => self.hints.types = on,
                        "iteration" => self.hints.iteration = on,
                        "and" => self.hints.and = on,
                        _ => return Err(format!("`{name}` is not a kind of hint")),
                    }
                }
            }
            // Others, such as the path of the server, are the client's.
            _ => {}
        }
        Ok(())
    }
}

fn read<T: serde::de::DeserializeOwned>(value: &Value, what: &str) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|_| format!("write {what}, not {value}"))
}

/// A path that is relative to a folder; `~/` is the home of the user.
fn absolute(name: &str, folder: Option<&Path>) -> PathBuf {
    if let Some(rest) = name.strip_prefix("~/")
        && let Some(home) = std::env::home_dir()
    {
        return home.join(rest);
    }
    let path = Path::new(name);
    folder.map_or_else(|| path.to_owned(), |folder| folder.join(path))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn later_settings_count() {
        let first = json!({"database": "a.pgn", "dialect": "cql6", "limit": 5, "path": "x"});
        let second = json!({
            "database": ["b.pgn", "/c.arrow"],
            "dialect": null,
            "inlayHints": {"and": false},
        });
        let (settings, complaints) = Settings::join(&[&first, &second], Some(Path::new("/w")));
        assert_eq!(complaints, [""; 0]);
        assert_eq!(settings.databases, [Path::new("/w/b.pgn"), Path::new("/c.arrow")]);
        assert_eq!((settings.dialect, settings.limit), (Some(Dialect::CQL6), 5));
        assert!(settings.hints.types && !settings.hints.and);
    }

    #[test]
    fn wrong_settings_are_told() {
        let wrong =
            json!({"database": 3, "dialect": "cql9", "limit": 7, "inlayHints": {"x": true}});
        let (settings, complaints) = Settings::join(&[&wrong], None);
        assert_eq!(settings.limit, 7);
        assert_eq!(complaints.len(), 3, "{complaints:?}");
        assert!(complaints.iter().any(|one| one.contains("`cql9`")), "{complaints:?}");
    }
}
