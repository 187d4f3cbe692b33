//! The settings: one place where the options of the client and its configuration come together.

use std::path::{Path, PathBuf};

use babson::Dialect;
use babson::diagnostic::BOOK;
use babson::text::nearest_of;
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
    /// The address of the book, without a slash at its end.
    pub(crate) book: String,
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
            book: BOOK.to_owned(),
            limit: DEFAULT_MATCHES,
            hints: HintSettings { types: true, iteration: true, and: true },
        }
    }
}

/// Settings of one origin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    pub(crate) values: Value,
    /// Whether all of them are settings of Babson. Others may stand among the settings of the whole
    /// client, where most names are not known.
    pub(crate) is_ours: bool,
}

impl Layer {
    /// The section `babson` of some settings, or all of these: `is_ours` says whether they are only
    /// for Babson then.
    pub(crate) fn of(mut settings: Value, is_ours: bool) -> Layer {
        match settings.get_mut("babson").map(Value::take) {
            Some(section) => Layer { values: section, is_ours: true },
            None => Layer { values: settings, is_ours },
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

/// A setting: its name, and what takes its value.
struct Setting {
    name: &'static str,
    set: fn(&mut Settings, &Value, Option<&Path>) -> Result<(), String>,
}

/// The settings.
const SETTINGS: &[Setting] = &[
    Setting { name: "book", set: |settings, value, _| settings.set_book(value) },
    Setting {
        name: "database",
        set: |settings, value, folder| {
            settings.databases = paths(value, folder)?;
            Ok(())
        },
    },
    Setting { name: "dialect", set: |settings, value, _| settings.set_dialect(value) },
    Setting {
        name: "importPath",
        set: |settings, value, folder| {
            settings.import_folders = paths(value, folder)?;
            Ok(())
        },
    },
    Setting { name: "inlayHints", set: |settings, value, _| settings.hints.set(value) },
    Setting {
        name: "limit",
        set: |settings, value, _| {
            settings.limit = read(value, "a number of matches")?;
            Ok(())
        },
    },
];

/// Names in the same objects that are settings of clients: the path of the server, what of the
/// protocol they log, and whether they show answers themselves.
const SETTINGS_OF_CLIENTS: [&str; 3] = ["path", "showsResults", "trace"];

impl Settings {
    /// The settings of several layers, the later ones first in case of doubt, and what is wrong in
    /// those that are only for Babson. Paths are relative to the folder.
    pub(crate) fn join(layers: &[Layer], folder: Option<&Path>) -> (Settings, Vec<String>) {
        let (mut settings, mut complaints) = (Settings::default(), Vec::new());
        for Layer { values, is_ours } in layers.iter().filter(|layer| !layer.values.is_null()) {
            let mut wrong: Vec<String> = Vec::new();
            match values.as_object() {
                Some(object) => {
                    for (name, value) in object {
                        if let Err(why) = settings.set(name, value, folder) {
                            wrong.push(format!("the setting `babson.{name}`: {why}"));
                        }
                    }
                }
                None => wrong.push(format!("the settings of Babson are an object, not {values}")),
            }
            if *is_ours {
                complaints.append(&mut wrong);
            }
        }
        (settings, complaints)
    }

    fn set(&mut self, name: &str, value: &Value, folder: Option<&Path>) -> Result<(), String> {
        match SETTINGS.iter().find(|setting| setting.name == name) {
            // Clients write `null` for what is not set.
            Some(_) if value.is_null() => Ok(()),
            Some(setting) => (setting.set)(self, value, folder),
            None if SETTINGS_OF_CLIENTS.contains(&name) => Ok(()),
            None => Err(unknown(name, "setting", &SETTINGS.iter().map(|one| one.name))),
        }
    }

    fn set_dialect(&mut self, value: &Value) -> Result<(), String> {
        let name: String = read(value, "the name of a dialect")?;
        self.dialect = match name.as_str() {
            "" => None,
            name => Some(
                Dialect::named(name)
                    .ok_or_else(|| format!("`{name}` is not a dialect: write `cqli` or `cql6`"))?,
            ),
        };
        Ok(())
    }

    fn set_book(&mut self, value: &Value) -> Result<(), String> {
        let book: String = read(value, "the address of the book")?;
        let book = book.trim_end_matches('/');
        self.book = if book.is_empty() { BOOK } else { book }.to_owned();
        Ok(())
    }
}

/// Whether a kind of hints is shown.
type Hint = fn(&mut HintSettings) -> &mut bool;

/// The kinds of hints.
const HINTS: [(&str, Hint); 3] = [
    ("types", |hints| &mut hints.types),
    ("iteration", |hints| &mut hints.iteration),
    ("and", |hints| &mut hints.and),
];

impl HintSettings {
    /// Takes each kind that can be read, also if another one cannot.
    fn set(&mut self, value: &Value) -> Result<(), String> {
        let object = value
            .as_object()
            .ok_or_else(|| format!("write an object such as {{\"types\": true}}, not {value}"))?;
        let mut wrong: Vec<String> = Vec::new();
        for (name, value) in object.iter().filter(|(_, value)| !value.is_null()) {
            let Some((_, kind)) = HINTS.iter().find(|(known, _)| *known == name.as_str()) else {
                let names = HINTS.iter().map(|(name, _)| *name);
                wrong.push(unknown(name, "kind of hint", &names));
                continue;
            };
            let kind = kind(self);
            match read(value, "`true` or `false`") {
                Ok(on) => *kind = on,
                Err(why) => wrong.push(format!("`{name}`: {why}")),
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
    }
}

/// Says that a name is not known, and which known one is nearest.
fn unknown<'n>(name: &str, what: &str, known: &(impl Iterator<Item = &'n str> + Clone)) -> String {
    match nearest_of(name, known.clone()) {
        Some(near) => format!("`{name}` is not a {what}; did you mean `{near}`?"),
        None => {
            let known: Vec<&str> = known.clone().collect();
            format!("`{name}` is not a {what}: the names are {}", known.join(", "))
        }
    }
}

fn paths(value: &Value, folder: Option<&Path>) -> Result<Vec<PathBuf>, String> {
    let names = read::<OneOrMany>(value, "a path or a list of paths")?.list();
    let names = names.into_iter().filter(|name| !name.is_empty());
    Ok(names.map(|name| absolute(&name, folder)).collect())
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

    fn layers(all: [Value; 2]) -> [Layer; 2] {
        all.map(|values| Layer { values, is_ours: true })
    }

    #[test]
    fn foreign_settings_are_not_wrong() {
        let all = json!({"limit": 5, "editor": {"tabSize": 2}, "dialect": "python"});
        let (settings, complaints) = Settings::join(&[Layer::of(all.clone(), false)], None);
        assert_eq!((settings.limit, complaints), (5, Vec::new()));
        let mut section = json!({"limit": 6, "databse": "games.pgn"});
        section = json!({"babson": section, "limit": 5, "editor": {"tabSize": 2}});
        let (settings, complaints) = Settings::join(&[Layer::of(section, false)], None);
        assert_eq!((settings.limit, complaints.len()), (6, 1));
        let (_, complaints) = Settings::join(&[Layer::of(all, true)], None);
        assert_eq!(complaints.len(), 2);
    }

    #[test]
    fn later_settings_count() {
        let first = json!({"database": "a.pgn", "dialect": "cql6", "limit": 5, "path": "x"});
        let second = json!({
            "database": ["b.pgn", "/c.arrow"],
            "dialect": null,
            "inlayHints": {"and": false},
        });
        let (settings, complaints) =
            Settings::join(&layers([first, second]), Some(Path::new("/w")));
        assert_eq!(complaints, [""; 0]);
        assert_eq!(settings.databases, [Path::new("/w/b.pgn"), Path::new("/c.arrow")]);
        assert_eq!((settings.dialect, settings.limit), (Some(Dialect::CQL6), 5));
        assert!(settings.hints.types && !settings.hints.and);
    }

    #[test]
    fn wrong_settings_are_named() {
        let wrong = json!({
            "database": 3,
            "databse": "games.pgn",
            "dialect": "cql9",
            "inlayHints": {"type": true, "iteration": 1, "and": false},
            "limit": 7,
            "path": "/usr/bin/babson",
            "window": null,
        });
        let (settings, complaints) = Settings::join(&layers([wrong, json!([1])]), None);
        assert_eq!((settings.limit, settings.hints.and), (7, false));
        let expected = [
            "the setting `babson.database`: write a path or a list of paths, not 3",
            "the setting `babson.databse`: `databse` is not a setting; did you mean `database`?",
            "the setting `babson.dialect`: `cql9` is not a dialect: write `cqli` or `cql6`",
            "the setting `babson.inlayHints`: `iteration`: write `true` or `false`, not 1; \
             `type` is not a kind of hint; did you mean `types`?",
            "the setting `babson.window`: `window` is not a setting: the names are book, database, \
             dialect, importPath, inlayHints, limit",
            "the settings of Babson are an object, not [1]",
        ];
        assert_eq!(complaints, expected);
    }
}
