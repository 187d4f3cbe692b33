//! The tags of the databases, which a completion offers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Instant;

use babson::command::is_remote_name;
use babson::pgn::Needs;
use babson::pgn::tags::{decode, value_text};
use babson::scan::{Job, Silent};
use babson::sink::{Format, MatchText, MatchedGame, Omitted, TextSink};
use babson::{Query, Scan, StopSignal, Task};

use crate::databases::inputs_in;
use crate::limits::{
    MAX_DATABASES_WITH_TAGS, MAX_TAG_GAMES, MAX_TAG_NAMES, MAX_TAG_TIME, MAX_TAG_VALUE,
    MAX_TAG_VALUES,
};

/// The names of the tags of a database, each with its values if they are few.
pub(crate) type TagValues = BTreeMap<String, Vec<String>>;

/// The tags of some databases, by the paths of these. Each is read once, on a thread of its own:
/// until it has ended, the database has no tags.
#[derive(Clone, Debug, Default)]
pub(crate) struct DatabaseTags(Arc<Mutex<HashMap<Vec<PathBuf>, Arc<TagValues>>>>);

impl DatabaseTags {
    /// The tags of databases, as far as they are known.
    pub(crate) fn of(&self, databases: Vec<PathBuf>) -> Arc<TagValues> {
        // Nobody has asked for a connection to another machine.
        if databases.is_empty() || databases.iter().any(|one| is_remote(one)) {
            return Arc::default();
        }
        // A thread that panicked has left a whole map.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tags) = known.get(&databases) {
            return Arc::clone(tags);
        }
        if known.len() >= MAX_DATABASES_WITH_TAGS {
            known.clear();
        }
        known.insert(databases.clone(), Arc::default());
        let all = Arc::clone(&self.0);
        let work = move || {
            let tags = Arc::new(read(&databases));
            all.lock().unwrap_or_else(PoisonError::into_inner).insert(databases, tags);
        };
        // Without a thread, the usual tags are offered.
        let _ = Builder::new().name("tags".into()).spawn(work);
        Arc::default()
    }
}

fn is_remote(database: &Path) -> bool {
    database.to_str().is_some_and(is_remote_name)
}

/// The tags of the first games of some databases; none if they cannot be read, which *Run* tells.
fn read(databases: &[PathBuf]) -> TagValues {
    let Ok(inputs) = inputs_in(databases) else { return TagValues::new() };
    let Ok(query) = Query::compile("true") else { return TagValues::new() };
    let found = Arc::new(TagCollection::default());
    let sink = TextSink::new("the tags", TagFormat(Arc::clone(&found)), |_: &[u8]| {
        Ok(ControlFlow::Continue(()))
    });
    let task = Task::new(&query).range(1..=MAX_TAG_GAMES).limit(MAX_TAG_GAMES).sink(sink);
    let stop = StopSignal { cancel: None, deadline: Some(Instant::now() + MAX_TAG_TIME) };
    // What was read before an error counts.
    let _ = Scan::of(inputs).threads(1).stop(stop).task(task).observe(&mut Silent);
    found.tags()
}

/// The tags of games.
#[derive(Default)]
struct TagCollection(Mutex<HashMap<String, BTreeSet<String>>>);

impl TagCollection {
    fn add(&self, name: String, value: String) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_TAG_NAMES && !all.contains_key(&name) {
            return;
        }
        let values = all.entry(name).or_default();
        // One value too many is kept, which says that there are more.
        if values.len() <= MAX_TAG_VALUES {
            values.insert(value);
        }
    }

    fn tags(&self) -> TagValues {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let few = |values: BTreeSet<String>| match values.len() <= MAX_TAG_VALUES {
            true => {
                // A string of the language has neither quotes nor line ends.
                let is_text = |value: &String| {
                    let has_sign =
                        value.contains(|c: char| c.is_control() || c == '"' || c == '\\');
                    !value.is_empty() && value.len() <= MAX_TAG_VALUE && !has_sign
                };
                values.into_iter().filter(is_text).collect()
            }
            false => Vec::new(),
        };
        all.into_iter().map(|(name, values)| (name, few(values))).collect()
    }
}

/// Collects the tags of the games that match.
struct TagFormat(Arc<TagCollection>);

impl Format for TagFormat {
    fn needs(&self, _: &Job) -> Needs {
        Needs::TAGS
    }

    fn comments(&self, _: &Job) -> bool {
        false
    }

    fn positions(&self, _: &Job) -> bool {
        false
    }

    fn append(&self, matched: &MatchedGame<'_>, _: &mut MatchText) -> Omitted {
        for (name, value) in matched.game.tags() {
            self.0.add(decode(name).into_owned(), value_text(value).into_owned());
        }
        Omitted::default()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_first_games_have_the_tags() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.pgn");
        let mut text = String::new();
        for number in 1..=MAX_TAG_GAMES + 5 {
            let late = if number > MAX_TAG_GAMES { "[Late \"x\"]\n" } else { "" };
            text += &format!(
                "[White \"Player {number}\"]\n[Mode \"mode {}\"]\n{late}\n1. e4 *\n\n",
                number % 3
            );
        }
        fs::write(&games, text).unwrap();
        let tags = read(&[games]);
        let shown: Vec<(&str, usize)> =
            tags.iter().map(|(name, values)| (name.as_str(), values.len())).collect();
        assert_eq!(shown, [("Mode", 3), ("White", 0)]);
        assert_eq!(tags["Mode"], ["mode 0", "mode 1", "mode 2"]);
        assert_eq!(read(&[folder.path().join("none.pgn")]), TagValues::new());
    }

    #[test]
    fn there_are_not_more_names_and_values_than_a_list_shows() {
        let format = TagCollection::default();
        for number in 0..2 * MAX_TAG_NAMES {
            format.add(format!("Tag{number}"), String::new());
            format.add("Tag0".to_owned(), format!("value {number}"));
            format.add("Tag1".to_owned(), "long".repeat(MAX_TAG_VALUE));
        }
        let tags = format.tags();
        assert_eq!(tags.len(), MAX_TAG_NAMES);
        assert!(tags.values().all(Vec::is_empty));
    }
}
